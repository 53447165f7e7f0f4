//! One pass over the tokens: from source to the paper's blocks (its section 1.2.1), without a tree.
//!
//! The paper first completes broken markup, then takes the tags of type I out with their content, then cuts at those
//! of type II. Here that is one pass. What stands for the completing:
//!
//! - A link that meets no `</a>` before the next `<a>` or the page's end was never closed: it ends at the first border
//!   behind it, and what follows is text.
//! - Another tag of type I for which no end tag stands anywhere behind it is ignored. It ends at its end tag (elements
//!   that cannot hold their like at the first one), and at the latest where the `div` or `table` around it ends.
//! - A heading that is not closed ends at the first border.
//!
//! So every token is looked at once, and nothing that is left open swallows the page.

use std::ops::Range;

use tamis_html::tokenizer::{ContentModel, Piece, Tag, Token, Tokenizer};
use tamis_html::{Dom, Name, Span};

use super::end_tags::EndTags;
use super::tags::{Role, breaks_line, role};
use crate::visible;

/// A text of the source as part of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) piece: Piece,
    pub(super) characters: u32,
    pub(super) in_link: bool,
    /// A reader sees it begin on a new line.
    pub(super) new_line: bool,
    /// White space stands before it.
    pub(super) space_before: bool,
}

/// What stands between two borders.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawBlock {
    pub(super) span: Span,
    pub(super) characters: u32,
    pub(super) link_characters: u32,
    pub(super) runs_start: u32,
}

/// `h1` to `h6`.
#[derive(Clone, Debug)]
pub(super) struct Heading {
    pub(super) level: u8,
    pub(super) block: usize,
    pub(super) runs: Range<usize>,
}

/// What the pass has found.
#[derive(Clone, Debug)]
pub(super) struct Scan<'s> {
    pub(super) tokenizer: Tokenizer<'s>,
    pub(super) blocks: Vec<RawBlock>,
    pub(super) runs: Vec<Run>,
    pub(super) headings: Vec<Heading>,
    pub(super) title: Option<Piece>,
}

impl Scan<'_> {
    /// The runs of a block.
    pub(super) fn runs_of(&self, block: usize) -> Range<usize> {
        let start = self.blocks[block].runs_start as usize;
        start..self.blocks.get(block + 1).map_or(self.runs.len(), |next| next.runs_start as usize)
    }
}

/// Reads a page.
pub(super) fn scan(source: &str) -> Scan<'_> {
    scanner(source, None).run()
}

/// Reads a page by the tokens that its tree was made of, where they were kept, and are what they would be without a tree.
pub(super) fn scan_again<'s>(dom: &'s Dom<'_>) -> Scan<'s> {
    scanner(dom.source(), Some(dom)).run_again(dom).unwrap_or_else(|| scan(dom.source()))
}

fn scanner<'s>(source: &'s str, dom: Option<&'s Dom<'s>>) -> Scanner<'s> {
    let mut tokenizer = Tokenizer::new(source);
    tokenizer.set_skip_attributes(true);
    let mut scanner = Scanner {
        source,
        dom,
        scan: Scan { tokenizer, blocks: Vec::new(), runs: Vec::new(), headings: Vec::new(), title: None },
        block: RawBlock { span: Span { start: 0, end: 0 }, characters: 0, link_characters: 0, runs_start: 0 },
        link: None,
        dropped: None,
        heading: None,
        in_title: false,
        line_due: true,
        space_due: false,
        after_link: false,
        end_tags: EndTags::default(),
    };
    // Roughly what pages have: a border every hundred bytes, a text as often.
    scanner.scan.blocks.reserve(source.len() / 100 + 1);
    scanner.scan.runs.reserve(source.len() / 100 + 1);
    scanner
}

/// A link that is open.
struct OpenLink {
    /// Block and run that the first border inside it began.
    border: Option<(usize, usize)>,
}

/// An element of type I that is open.
struct Dropped {
    name: Name,
    nests: bool,
    depth: u32,
    /// How many `div` and `table` are open inside it.
    containers: u32,
}

struct Scanner<'s> {
    source: &'s str,
    /// The tree whose tokens are read, if it is not the source.
    dom: Option<&'s Dom<'s>>,
    scan: Scan<'s>,
    /// The block that is being filled.
    block: RawBlock,
    link: Option<OpenLink>,
    dropped: Option<Dropped>,
    /// The run at which the first border behind the open heading stands.
    heading: Option<Option<usize>>,
    in_title: bool,
    line_due: bool,
    space_due: bool,
    /// A link has been closed, and nothing has come since.
    after_link: bool,
    end_tags: EndTags,
}

impl<'s> Scanner<'s> {
    fn run(mut self) -> Scan<'s> {
        loop {
            match self.scan.tokenizer.next_token() {
                Token::Text(piece) => self.text(piece),
                Token::StartTag(tag) => self.start_tag(tag),
                Token::EndTag(tag) => self.end_tag(tag),
                Token::Comment(_) | Token::Doctype(_) => {}
                Token::EndOfFile => break,
            }
        }
        self.finish()
    }

    /// The same with tokens that were read before. A tree may have read them in another content model: then nothing, unless it makes no
    /// difference.
    fn run_again(mut self, dom: &Dom<'_>) -> Option<Scan<'s>> {
        // The last start tag, and where what was read behind it ends.
        let (mut last, mut end) = (None, 0);
        for (model, token) in dom.tokens()? {
            let own = self.scan.tokenizer.content_model();
            if model != own {
                // The title of a picture on a button, say: one text, which is dropped, and its end tag, in both models.
                let is_same = match &token {
                    Token::Text(piece) => piece.span.start == end,
                    // Plain text has no end.
                    Token::EndTag(tag) if own != ContentModel::PlainText => {
                        tag.span.start == end && Some(tag.name) == last
                    }
                    _ => false,
                };
                if model != ContentModel::Data || self.dropped.is_none() || !is_same {
                    return None;
                }
            }
            match token {
                Token::Text(piece) => {
                    end = piece.span.end;
                    self.text(piece);
                }
                Token::StartTag(tag) => {
                    (last, end) = (Some(tag.name), tag.span.end);
                    self.start_tag(tag);
                }
                Token::EndTag(tag) => {
                    self.scan.tokenizer.set_content_model(ContentModel::Data);
                    self.end_tag(tag);
                }
                Token::Comment(_) | Token::Doctype(_) | Token::EndOfFile => {}
            }
        }
        Some(self.finish())
    }

    fn finish(mut self) -> Scan<'s> {
        self.unclosed_link();
        self.end_heading(false);
        self.border(self.source.len() as u32, self.source.len() as u32);
        self.scan
    }

    fn start_tag(&mut self, tag: Tag) {
        if let Some(dropped) = &mut self.dropped {
            if tag.name == dropped.name && dropped.nests && !tag.self_closing {
                dropped.depth += 1;
            }
            dropped.containers += u32::from(is_container(tag.name));
            // What looks like a style or a title inside a picture is none.
            if dropped.name != Name::SVG {
                self.scan.tokenizer.follow(tag.name);
            }
            return;
        }
        match self.role(tag.name) {
            Role::Border => self.border_tag(tag),
            Role::Link => self.start_link(),
            Role::Dropped => self.start_dropped(tag, false),
            Role::DroppedNested => self.start_dropped(tag, true),
            Role::DroppedRaw => {
                // The tokenizer finds its end, and it has one.
                self.scan.tokenizer.follow(tag.name);
                self.line_due |= breaks_line(tag.name);
                self.dropped = Some(Dropped { name: tag.name, nests: false, depth: 1, containers: 0 });
            }
            Role::Heading(level) => self.start_heading(level),
            Role::Title => {
                self.scan.tokenizer.follow(tag.name);
                self.in_title = true;
            }
            Role::Line => {
                self.scan.tokenizer.follow(tag.name);
                self.line_due = true;
            }
            Role::Inline => {}
        }
    }

    fn end_tag(&mut self, tag: Tag) {
        self.in_title = false;
        if let Some(dropped) = &mut self.dropped {
            if tag.name == dropped.name {
                dropped.depth -= 1;
                if dropped.depth == 0 {
                    self.dropped = None;
                }
                return;
            }
            if !is_container(tag.name) {
                return;
            }
            if dropped.containers > 0 {
                dropped.containers -= 1;
                return;
            }
            // What is around it ends here, so it was never closed.
            self.dropped = None;
        }
        match self.role(tag.name) {
            Role::Border => self.border_tag(tag),
            Role::Link => self.end_link(),
            Role::Heading(_) => self.end_heading(true),
            Role::Line => self.line_due = true,
            Role::Dropped | Role::DroppedNested | Role::DroppedRaw => self.line_due |= breaks_line(tag.name),
            Role::Title | Role::Inline => {}
        }
    }

    fn role(&self, name: Name) -> Role {
        role(name, || self.name_text(name))
    }

    fn name_text(&self, name: Name) -> &str {
        self.dom.map_or_else(|| self.scan.tokenizer.name(name), |dom| dom.name_text(name))
    }

    fn text(&mut self, piece: Piece) {
        if self.dropped.is_some() {
            return;
        }
        let characters = if piece.has_references() {
            visible::count(&self.scan.tokenizer.text(piece))
        } else {
            visible::count(piece.span.of(self.source))
        };
        if self.in_title {
            // A block of the paper, since `head` is a border and `title` is not of type I; but no part of the page.
            self.block.characters += characters;
            self.scan.title = self.scan.title.or(Some(piece));
            return;
        }
        if characters == 0 {
            self.space_due = true;
            return;
        }
        let in_link = self.link.is_some();
        if in_link {
            self.block.link_characters += characters;
        } else {
            self.block.characters += characters;
        }
        let (new_line, space_before) = (self.line_due, self.space_due);
        self.scan.runs.push(Run { piece, characters, in_link, new_line, space_before });
        (self.line_due, self.space_due, self.after_link) = (false, false, false);
    }

    fn border_tag(&mut self, tag: Tag) {
        self.border(tag.span.start, tag.span.end);
        let here = (self.scan.blocks.len(), self.scan.runs.len());
        if let Some(link) = &mut self.link {
            link.border.get_or_insert(here);
        }
        if let Some(border) = &mut self.heading {
            border.get_or_insert(here.1);
        }
    }

    /// Ends the block at `end`; the next one begins at `start`.
    fn border(&mut self, end: u32, start: u32) {
        self.block.span.end = end;
        self.scan.blocks.push(self.block);
        let runs_start = self.scan.runs.len() as u32;
        self.block =
            RawBlock { span: Span { start, end: start }, characters: 0, link_characters: 0, runs_start };
        self.line_due = true;
    }

    fn start_link(&mut self) {
        self.unclosed_link();
        self.link = Some(OpenLink { border: None });
        // Two links that touch are two words.
        self.space_due |= self.after_link;
    }

    /// A link that is closed is taken out with its borders: its blocks become one again.
    fn end_link(&mut self) {
        let Some(link) = self.link.take() else { return };
        self.after_link = true;
        let Some((first, _)) = link.border else { return };
        let Some(before) = first.checked_sub(1) else { return };
        let mut whole = self.scan.blocks[before];
        for block in self.scan.blocks.drain(before..).skip(1) {
            whole.link_characters += block.link_characters;
        }
        whole.link_characters += self.block.link_characters;
        self.block = whole;
        for heading in self.scan.headings.iter_mut().rev().take_while(|heading| heading.block > before) {
            heading.block = before;
        }
    }

    /// A link that is not closed ended at its first border.
    fn unclosed_link(&mut self) {
        let Some(OpenLink { border: Some((block, run)) }) = self.link.take() else { return };
        for block in self.scan.blocks[block..].iter_mut().chain([&mut self.block]) {
            block.characters += std::mem::take(&mut block.link_characters);
        }
        for run in &mut self.scan.runs[run..] {
            run.in_link = false;
        }
    }

    fn start_dropped(&mut self, tag: Tag, nests: bool) {
        self.line_due |= breaks_line(tag.name);
        if !tag.self_closing && self.is_closed_later(tag) {
            self.dropped = Some(Dropped { name: tag.name, nests, depth: 1, containers: 0 });
        }
    }

    fn is_closed_later(&mut self, tag: Tag) -> bool {
        // Only names that are known everywhere have this role.
        let name = self.scan.tokenizer.name(tag.name);
        self.end_tags.is_behind(tag.name, name, self.source, tag.span.end as usize)
    }

    fn start_heading(&mut self, level: u8) {
        self.end_heading(false);
        self.line_due = true;
        let (block, run) = (self.scan.blocks.len(), self.scan.runs.len());
        self.scan.headings.push(Heading { level, block, runs: run..run });
        self.heading = Some(None);
    }

    fn end_heading(&mut self, closed: bool) {
        self.line_due = true;
        let Some(border) = self.heading.take() else { return };
        let here = self.scan.runs.len();
        if let Some(heading) = self.scan.headings.last_mut() {
            heading.runs.end = if closed { here } else { border.unwrap_or(here) };
        }
    }
}

/// Elements whose end tags are never left out.
fn is_container(name: Name) -> bool {
    matches!(name, Name::DIV | Name::TABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts of the blocks that are not empty: outside and inside links.
    fn counts(page: &str) -> Vec<(u32, u32)> {
        let counts = |block: &RawBlock| (block.characters, block.link_characters);
        scan(page).blocks.iter().map(counts).filter(|&counts| counts != (0, 0)).collect()
    }

    #[test]
    fn every_tag_of_type_ii_is_a_border() {
        assert_eq!(scan("<div><p>one</p></div>").blocks.len(), 5);
        assert_eq!(
            counts("a<br>bb<hr>ccc<table><tr><td>dddd<ul><li>eeeee"),
            [(1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]
        );
        assert_eq!(counts("<h1>one</h1><section>two</section><span>three"), [(11, 0)]);
    }

    #[test]
    fn type_i_goes_with_its_content() {
        for page in [
            "x<script>a<p>b</script>y",
            "x<!-- <p>a</p> -->y",
            "x<form><div>a</div><table><tr><td>b</table></form>y",
            "x<fieldset>a<fieldset>b</fieldset>c</fieldset>y",
            "x<select><option>a<option>b</select>y",
            "x<input><meta><embed>y",
            "x<SVG><title>a</title><style>b</style></SVG>y",
            "x<iframe><p>a</iframe>y",
            "xy<script/>a<p>b",
            "xy<style>a<p>b",
        ] {
            assert_eq!(counts(page), [(2, 0)], "{page}");
        }
    }

    #[test]
    fn references_count_as_what_they_stand_for() {
        assert_eq!(counts("<p>a&nbsp;&amp; b&#12288;&lt;"), [(4, 0)]);
    }

    #[test]
    fn a_title_is_a_block_but_no_text() {
        let scan = scan("<head><title>News &amp; more</title></head><p>text");
        assert_eq!(scan.blocks[1].characters, 9);
        assert_eq!(scan.runs.len(), 1);
        assert_eq!(scan.tokenizer.text(scan.title.unwrap()), "News & more");
    }

    #[test]
    fn link_text_is_counted_apart() {
        assert_eq!(counts("<p>one <a href=/>two</a> three"), [(8, 3)]);
        assert_eq!(counts("<a href=/><div>one</div><p>two</p></a> three"), [(5, 6)]);
    }

    #[test]
    fn a_link_that_is_not_closed_ends_at_the_first_border() {
        assert_eq!(counts("<div><a name=top></div><p>one<p>two <a href=/>three</a>"), [(3, 0), (3, 5)]);
        assert_eq!(counts("<p><a name=x>one<p>two<p>three"), [(0, 3), (3, 0), (5, 0)]);
        assert_eq!(counts("one</a> two"), [(6, 0)]);
    }

    #[test]
    fn type_i_that_is_not_closed_does_not_swallow_the_page() {
        assert_eq!(counts("<form><p>one<p>two"), [(3, 0), (3, 0)]);
        assert_eq!(counts("<div><label>a</div><p>one<label>b</label>"), [(3, 0)]);
        assert_eq!(counts("<label>a<label>b</label>one"), [(3, 0)]);
        assert_eq!(counts("<svg/>one"), [(3, 0)]);
        assert_eq!(counts("</form>one</select>"), [(3, 0)]);
    }

    #[test]
    fn headings_are_found_with_their_block() {
        let scan = scan("<div><h2>a</h2><h1>b <a>c</a></h1></div><h3>d<p>e");
        let headings: Vec<_> = scan
            .headings
            .iter()
            .map(|heading| (heading.level, heading.block, heading.runs.clone()))
            .collect();
        assert_eq!(headings, [(2, 1, 0..1), (1, 1, 1..3), (3, 2, 3..4)]);
    }

    #[test]
    fn tokens_of_a_tree_say_what_the_source_says() {
        for page in [
            "<title>A &amp; b</title><div><a name=x><p>one &lt;</a><form>a<h1>b</form><x-y>c</x-y><textarea><p></textarea>",
            // A tree reads these in other ways: no style in a picture, no raw text in a table's select.
            "<svg><style><p>a</style></svg><p>b",
            "<button><svg><title>a</title><style>b<!-- </style> --></style></svg>c</button><p>d",
            "<button><svg><title>a <b>b</b></title></svg>c</button><p>d",
            "<button><svg><title></title><title>a</titl></title></svg>c</button><p>d",
            "<math><title><p>a</title></math><p>b",
            "<p>a<svg><![CDATA[<p>b]]></svg><p>c",
            "<noscript><p>a<style>b</style></noscript><plaintext>c</p>",
            "<select><textarea><p>a</textarea><p>b",
            "<title>a",
        ] {
            let dom = tamis_html::Parser::new().keep_tokens(true).parse(page);
            let (again, once) = (scan_again(&dom), scan(page));
            assert_eq!(format!("{:?}", again.runs), format!("{:?}", once.runs), "{page}");
            assert_eq!(format!("{:?}", again.blocks), format!("{:?}", once.blocks), "{page}");
            assert_eq!(format!("{:?}", again.headings), format!("{:?}", once.headings), "{page}");
        }
    }

    #[test]
    fn hostile_pages_are_read_in_linear_time() {
        for part in [
            "<form>",
            "<a>",
            "<h1>",
            "<a><div>",
            "<fieldset>",
            "<svg>",
            "</div>",
            "<form><div></form>",
            "<object>x",
        ] {
            let page = part.repeat(50_000);
            assert!(scan(&page).blocks.len() <= 50_002);
        }
    }
}
