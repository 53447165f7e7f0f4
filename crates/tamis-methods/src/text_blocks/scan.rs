//! Splits the tree into the paper's blocks (section 1.2.1), in one walk.

use std::collections::HashMap;
use std::ops::Range;

use memchr::memmem;
use tamis::page::Page;
use tamis::text::characters::Counts;
use tamis_html::{Name, Namespace, NodeId, NodeKind, NodeRef, Step};

use crate::outline::{NONE, is_never_rendered, walk};

/// The role of a tag: table 1 of the paper, extended to current HTML.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// Type II: separates two blocks.
    Border,
    /// Type I whose text the output may keep.
    Link,
    /// Type I: dropped with its content, if it has an end tag.
    Dropped,
    /// Never rendered: dropped with its content.
    NeverRendered,
    /// `h1` to `h6`: no borders, but candidates for the title.
    Heading(u8),
    /// `title`: counted, but never part of the output.
    Title,
    Inline,
}

fn role(node: NodeRef<'_>) -> Role {
    let Some(name) = node.name_id() else { return Role::Inline };
    if node.namespace() != Namespace::Html {
        return if is_never_rendered(name, node) { Role::NeverRendered } else { Role::Inline };
    }
    match name {
        Name::UL | Name::OL | Name::DL | Name::P | Name::HR | Name::BR | Name::DIV | Name::LI => Role::Border,
        Name::TABLE | Name::TR | Name::TD | Name::DT | Name::DD | Name::TBODY => Role::Border,
        Name::HEAD | Name::BODY => Role::Border,
        Name::TITLE => Role::Title,
        Name::A if node.attribute_named(Name::HREF).is_some() => Role::Link,
        Name::NOSCRIPT | Name::BUTTON | Name::SELECT | Name::OPTGROUP | Name::LABEL => Role::Dropped,
        Name::FIELDSET | Name::LEGEND | Name::MAP | Name::FORM => Role::Dropped,
        _ if is_never_rendered(name, node) => Role::NeverRendered,
        _ => node.heading_level().map_or(Role::Inline, Role::Heading),
    }
}

/// A text outside of dropped elements, blank ones included.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockText {
    pub(super) node: NodeId,
    pub(super) block: usize,
    pub(super) characters: u32,
    pub(super) in_link: bool,
}

/// The texts between two borders.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    pub(super) characters: u32,
    pub(super) link_characters: u32,
    first_text: u32,
}

/// `h1` to `h6`.
#[derive(Clone, Debug)]
pub(super) struct Heading {
    pub(super) level: u8,
    pub(super) block: usize,
    pub(super) texts: Range<usize>,
}

/// Blocks, texts and headings of a page.
#[derive(Clone, Debug, Default)]
pub(super) struct Scan {
    pub(super) blocks: Vec<Block>,
    pub(super) texts: Vec<BlockText>,
    pub(super) headings: Vec<Heading>,
    /// The index in `texts` of each text node, or [`NONE`].
    index: Vec<u32>,
}

impl Scan {
    /// The texts of a block.
    pub(super) fn texts_of(&self, block: usize) -> Range<usize> {
        let end = self.blocks.get(block + 1).map_or(self.texts.len(), |next| next.first_text as usize);
        self.blocks[block].first_text as usize..end
    }

    /// The text of a node, unless it was dropped.
    pub(super) fn text(&self, node: NodeId) -> Option<&BlockText> {
        let index = self.index.get(node.index()).copied().filter(|index| *index != NONE)?;
        self.texts.get(index as usize)
    }

    fn border(&mut self) {
        self.blocks.push(Block { first_text: self.texts.len() as u32, ..Block::default() });
    }

    fn add_text(&mut self, node: NodeRef<'_>, links: u32, in_title: bool) {
        let characters = Counts::of(&node.text()).characters;
        let (block, in_link) = (self.blocks.len() - 1, links > 0);
        let counts = &mut self.blocks[block];
        *if in_link { &mut counts.link_characters } else { &mut counts.characters } += characters;
        if !in_title {
            self.index[node.id().index()] = self.texts.len() as u32;
            self.texts.push(BlockText { node: node.id(), block, characters, in_link });
        }
    }
}

/// Splits a page into blocks.
pub(super) fn scan(page: &Page<'_>) -> Scan {
    let mut scan = Scan { index: vec![NONE; page.dom.len()], ..Scan::default() };
    scan.border();
    let mut end_tags = EndTags::default();
    let (mut links, mut in_title, mut open_heading) = (0_u32, false, None);
    walk(page, |step| {
        match step {
            Step::Enter(node) if node.kind() == NodeKind::Text => scan.add_text(node, links, in_title),
            Step::Enter(node) => match role(node) {
                Role::Border if links == 0 => scan.border(),
                Role::Link => links += 1,
                Role::Dropped if !end_tags.follow(node, page.dom.source()) => {}
                Role::Dropped | Role::NeverRendered => return false,
                Role::Heading(level) if open_heading.is_none() => {
                    let (block, start) = (scan.blocks.len() - 1, scan.texts.len());
                    open_heading = Some(node.id());
                    scan.headings.push(Heading { level, block, texts: start..start });
                }
                Role::Title => in_title = true,
                _ => {}
            },
            Step::Leave(node) => match role(node) {
                Role::Border if links == 0 && !node.is(Name::BR) && !node.is(Name::HR) => scan.border(),
                Role::Link => links = links.saturating_sub(1),
                Role::Heading(_) if open_heading == Some(node.id()) => {
                    open_heading = None;
                    let end = scan.texts.len();
                    if let Some(heading) = scan.headings.last_mut() {
                        heading.texts.end = end;
                    }
                }
                Role::Title => in_title = false,
                _ => {}
            },
        }
        true
    });
    scan
}

/// Where the last end tag of a name is in the source.
#[derive(Default)]
struct EndTags(HashMap<Name, Option<usize>>);

impl EndTags {
    /// Whether an end tag of its name follows the start tag of an element.
    fn follow(&mut self, node: NodeRef<'_>, source: &str) -> bool {
        let (Some(id), Some(name), Some(span)) = (node.name_id(), node.name(), node.span()) else {
            return true;
        };
        let last = *self.0.entry(id).or_insert_with(|| {
            let find = |tag: String| memmem::rfind(source.as_bytes(), tag.as_bytes());
            find(format!("</{name}")).max(find(format!("</{}", name.to_ascii_uppercase())))
        });
        last.is_some_and(|last| last >= span.start as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters outside and inside of links, of blocks that have any.
    fn counts(html: &str) -> Vec<(u32, u32)> {
        let blocks = scan(&Page::parse(html)).blocks;
        let counts = blocks.iter().map(|block| (block.characters, block.link_characters));
        counts.filter(|counts| *counts != (0, 0)).collect()
    }

    #[test]
    fn blocks_are_cut_at_type_ii_tags() {
        for (html, expected) in [
            ("a<br>bb<hr>ccc<table><tr><td>dddd<ul><li>eeeee", vec![(1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]),
            ("<h1>one</h1><section>two</section><span>three", vec![(11, 0)]),
            ("<p>a&nbsp;&amp; b&#12288;&lt;", vec![(4, 0)]),
            ("<title>News &amp; more</title><p>text", vec![(9, 0), (4, 0)]),
            // Link text is counted separately, and borders inside of a link do not count.
            ("<p>one <a href=/>two</a> three", vec![(8, 3)]),
            ("<div><a href=/><div>one</div><p>two</p></a> three", vec![(5, 6)]),
            ("<div><a name=top></div><p>one<p>two <a href=/>three</a>", vec![(3, 0), (3, 5)]),
        ] {
            assert_eq!(counts(html), expected, "{html}");
        }
        // html, head, body; then `div` and `p`, each with two borders.
        let empty = scan(&Page::parse("")).blocks.len();
        assert_eq!(scan(&Page::parse("<div><p>one</p></div>")).blocks.len(), empty + 4);
        assert_eq!(scan(&Page::parse("a<br>b<hr>c")).blocks.len(), empty + 2);
    }

    #[test]
    fn type_i_tags_go_with_their_content() {
        for html in [
            "x<script>a<p>b</script>y",
            "x<!-- <p>a</p> -->y",
            "x<form><div>a</div><table><tr><td>b</table></form>y",
            "x<fieldset>a<fieldset>b</fieldset>c</fieldset>y",
            "x<select><option>a<option>b</select>y",
            "x<input><meta><embed>y",
            "x<SVG><title>a</title><style>b</style></SVG>y",
            "x<iframe><p>a</iframe>y",
            "x<noscript><p>a</noscript>y",
            "xy<style>a<p>b",
        ] {
            assert_eq!(counts(html).iter().map(|(text, _)| text).sum::<u32>(), 2, "{html}");
        }
    }

    #[test]
    fn type_i_tags_left_open_do_not_swallow_the_page() {
        for (html, expected) in [
            ("<form><p>one<p>two", vec![(3, 0), (3, 0)]),
            ("</form><FORM>a</FORM>one</select>", vec![(3, 0)]),
            ("<div><label>a</div><p>one<label>b</label>", vec![(3, 0)]),
        ] {
            assert_eq!(counts(html), expected, "{html}");
        }
    }

    #[test]
    fn headings_have_their_block_and_texts() {
        let scan = scan(&Page::parse("<div><h2>a</h2><h1>b <a href=/>c</a></h1></div><h3>d<p>e"));
        let headings: Vec<_> =
            scan.headings.iter().map(|heading| (heading.level, heading.texts.clone())).collect();
        assert_eq!(headings, [(2, 0..1), (1, 1..3), (3, 3..5)]);
        assert_eq!(scan.headings[0].block, scan.headings[1].block);
    }
}
