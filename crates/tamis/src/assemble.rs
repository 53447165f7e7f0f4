//! From verdicts to a document: the kept blocks, in page order, with the structure that the tree gives them.
//!
//! One walk over the tree. Elements that mean something to a reader (lists, tables, quotes, headings and so on) open
//! a frame; the text of kept blocks fills lines; lines become pieces, and pieces go into the innermost frame. A frame
//! without content leaves nothing behind, so a list of which two items are kept is a list of two items.

mod address;
mod code;
mod comments;
mod enter;
mod figure;
mod footnotes;
mod formula;
mod frame;
mod gutter;
mod image;
mod line;
mod list;
mod places;
mod table;

use std::borrow::Cow;

use tamis_html::{Name, NodeId, NodeKind, NodeRef, Span, Step};

use crate::document::{Document, Inline, Kind, MAX_NESTING, Piece, plain};
use crate::paths::Paths;
use crate::{Judgement, Page};
use footnotes::Footnotes;
use formula::Swallowed;
use frame::{Frame, Role};
use line::{Around, Line, Wrap};
use places::Places;

pub(crate) use address::{Address, is_safe};
pub use comments::comments;
pub(crate) use comments::{Dating, comments_dated};

/// Makes a document of the blocks that a judgement keeps.
///
/// The title is that of the first kept `h1`, or else the page's own; the language is what the page declares. The
/// other facts are left for later stages.
///
/// ```
/// use tamis::{Judgement, Options, Page, assemble};
///
/// let page = Page::parse("<h1>Soup</h1><ul><li>salt<li>Advertisement<li>water</ul>");
/// let document = assemble(&page, &Judgement::of([true, true, false, true]));
/// assert_eq!(document.to_markdown(&Options::default()), "# Soup\n\n- salt\n- water\n");
/// ```
pub fn assemble(page: &Page<'_>, judgement: &Judgement) -> Document {
    let content = pieces(page, judgement);
    let mut document = Document {
        url: page.url().map(str::to_owned),
        language: declared_language(page),
        content,
        ..Document::default()
    };
    let heading = document.find(|piece| matches!(piece.kind, Kind::Heading { level: 1, .. }));
    let heading = heading.map(|piece| match &piece.kind {
        Kind::Heading { content, .. } => plain(content).replace('\n', " "),
        _ => String::new(),
    });
    document.title = heading.or_else(|| Some(page.title())).filter(|title| !title.is_empty());
    document
}

/// The pieces of the blocks that a judgement keeps, without the facts: for a stage that judges the comments of a
/// page apart from its text.
///
/// ```
/// let page = tamis::Page::parse("<p>Text.<p>First comment!");
/// let comments = tamis::assemble::pieces(&page, &tamis::Judgement::of([false, true]));
/// assert_eq!(comments.len(), 1);
/// ```
pub fn pieces(page: &Page<'_>, judgement: &Judgement) -> Vec<Piece> {
    Assembler::new(page, judgement).run()
}

fn declared_language(page: &Page<'_>) -> Option<String> {
    let language = page.dom().html()?.attribute_named(Name::LANG)?;
    let language = language.trim();
    (!language.is_empty()).then(|| language.to_owned())
}

struct Assembler<'p> {
    page: &'p Page<'p>,
    judgement: &'p Judgement,
    address: Address,
    footnotes: Footnotes,
    paths: Paths,
    places: Places<'p>,
    /// The elements on the way down to the current place, counted as [`Block::depth`](crate::Block::depth) counts.
    open: Vec<NodeId>,
    /// For each of them, whether texts directly in it may be kept.
    may_keep: Vec<bool>,
    /// The inline elements among them that say something about their words.
    wraps: Vec<Wrap>,
    /// How many open links there are.
    links: usize,
    /// The innermost open element of inline code.
    code: Option<NodeId>,
    line: Option<Line>,
    frames: Vec<Frame>,
    /// How many frames are open that become pieces with pieces inside.
    nesting: usize,
    swallowed: Option<Swallowed>,
}

impl<'p> Assembler<'p> {
    fn new(page: &'p Page<'p>, judgement: &'p Judgement) -> Self {
        Assembler {
            page,
            judgement,
            address: Address::of(page),
            footnotes: Footnotes::of(page, judgement),
            paths: Paths::default(),
            places: Places::new(page, judgement),
            open: Vec::new(),
            may_keep: Vec::new(),
            wraps: Vec::new(),
            links: 0,
            code: None,
            line: None,
            frames: vec![Frame::new(page.dom().root().id(), Role::Root)],
            nesting: 0,
            swallowed: None,
        }
    }

    fn run(mut self) -> Vec<Piece> {
        let page = self.page;
        let mut steps = page.dom().root().walk();
        let mut taken = 0;
        while let Some(step) = steps.next() {
            taken += 1;
            if page.is_late_at(taken) {
                break;
            }
            match step {
                Step::Enter(node) => match node.kind() {
                    NodeKind::Text => self.text(node),
                    NodeKind::Element if page.seen(node).is_never_shown() => {
                        self.script(node);
                        steps.skip_below();
                    }
                    NodeKind::Element => {
                        let passed_by = self.pass_by(node);
                        if passed_by != PassBy::Nothing {
                            steps.skip_below();
                        }
                        if passed_by != PassBy::All {
                            self.open(node);
                            if self.swallowed.is_none() {
                                self.enter(node);
                            }
                        }
                    }
                    NodeKind::Document | NodeKind::Fragment => self.open(node),
                    NodeKind::Comment | NodeKind::Doctype => {}
                },
                Step::Leave(node) if self.open.last() == Some(&node.id()) => {
                    self.leave(node);
                    self.open.pop();
                    self.may_keep.pop();
                }
                Step::Leave(_) => {}
            }
        }
        self.flush();
        while self.frames.len() > 1 {
            self.close_frame();
        }
        let mut content = self.frames.pop().map(|root| root.content).unwrap_or_default();
        self.footnotes.name(&mut content, &self.address);
        content
    }

    fn open(&mut self, node: NodeRef<'_>) {
        let may_keep = self.places.is_own(node)
            || (self.may_keep.last() == Some(&true) && !self.page.seen(node).is_block());
        self.open.push(node.id());
        self.may_keep.push(may_keep);
    }

    /// What of an element need not be looked at: most of a page holds neither kept text nor pictures.
    fn pass_by(&self, node: NodeRef<'_>) -> PassBy {
        let may_keep = || self.may_keep.last() == Some(&true) && !self.page.seen(node).is_block();
        if self.places.holds(node) || self.page.measures(node).images > 0 || may_keep() {
            return PassBy::Nothing;
        }
        match node.name_id() {
            // They keep their place in the grid or the numbers.
            Some(Name::TR | Name::TBODY | Name::THEAD | Name::TFOOT) => PassBy::Nothing,
            Some(Name::TD | Name::TH | Name::LI) => PassBy::Below,
            _ => PassBy::All,
        }
    }

    fn text(&mut self, node: NodeRef<'_>) {
        if let Some(block) = self.places.block_of(node.id()) {
            if let Some(swallowed) = &mut self.swallowed {
                swallowed.add(&node.text(), block);
            } else if self.in_code() {
                let text = if self.is_line_number(node.id()) { "".into() } else { node.text() };
                self.code_text(&text, block, node.span());
            } else {
                let text = self.words_of(node);
                self.line_of(block);
                self.write(|line, around| line.text(&text, around));
            }
        } else if self.in_code() {
            self.code_space(node);
        } else if let Some(line) = &mut self.line {
            // White space between words, or the text of a block that is not kept: then the line ends here.
            line.space(&node.text());
        }
    }

    /// A text, without what is cut out of it.
    fn words_of<'n>(&self, node: NodeRef<'n>) -> Cow<'n, str> {
        let (text, cut) = (node.text(), &self.judgement.cut);
        let first = cut.partition_point(|(it, _)| *it < node.id());
        let own = cut[first..].iter().take_while(|(it, _)| *it == node.id());
        let (mut left, mut at) = (String::new(), 0);
        for (_, bytes) in own {
            left.push_str(text.get(at..bytes.start).unwrap_or_default());
            at = at.max(bytes.end);
        }
        if at == 0 {
            return text;
        }
        left.push_str(text.get(at..).unwrap_or_default());
        Cow::Owned(left)
    }

    /// Makes sure that the open line is that of a block.
    fn line_of(&mut self, place: usize) {
        let Some(block) = self.page.blocks().get(place) else { return };
        if let Some(line) = &mut self.line {
            let last = line.last_block();
            if last == place {
                return;
            }
            if line.element == block.element && block.breaks_before == 1 && last + 1 == place {
                line.next_block(place, block.span);
                return;
            }
        }
        self.flush();
        self.line = Some(Line::new(block.element, place, block.span));
    }

    /// Writes into the open line.
    fn write(&mut self, what: impl FnOnce(&mut Line, &Around<'_>)) {
        let Some(line) = &mut self.line else { return };
        let around = Around {
            wraps: &self.wraps,
            code: self.code,
            page: self.page,
            address: &self.address,
            footnotes: &self.footnotes,
        };
        what(line, &around);
    }

    /// Ends the open line.
    fn flush(&mut self) {
        let Some(line) = self.line.take() else { return };
        let (element, span, blocks) = (line.element, line.span, line.blocks.clone());
        let content = line.finish();
        if content.is_empty() {
            return;
        }
        if let Some(lines) = self.frames.last_mut().and_then(Frame::lines) {
            lines.add(content, span, blocks);
            return;
        }
        let kind = match <[Inline; 1]>::try_from(content) {
            Ok([Inline::Formula(formula)]) if formula.display => Kind::Formula(formula),
            Ok(content) => Kind::Paragraph { content: content.into() },
            Err(content) => Kind::Paragraph { content },
        };
        self.push(kind, element, span, blocks);
    }

    /// Adds a piece to the innermost frame.
    fn push(&mut self, kind: Kind, element: NodeId, span: Span, blocks: Vec<u32>) {
        let path = self.paths.of(self.page.node(element));
        self.push_piece(Piece { kind, path, span, blocks });
    }

    fn push_piece(&mut self, piece: Piece) {
        if let Some(frame) = self.frames.last_mut() {
            frame.push(piece);
        }
    }

    fn open_frame(&mut self, node: NodeRef<'_>, role: Role) {
        self.flush();
        self.nesting += usize::from(role.nests());
        self.frames.push(Frame::new(node.id(), role));
    }

    fn may_nest(&self) -> bool {
        self.nesting + 1 < MAX_NESTING
    }

    fn leave(&mut self, node: NodeRef<'_>) {
        let id = node.id();
        if let Some(swallowed) = &self.swallowed {
            let (is_its_end, is_formula) = (swallowed.node == id, swallowed.is_formula());
            if is_its_end {
                self.spit_out();
            }
            if !is_its_end || is_formula {
                return;
            }
        }
        while self.frames.len() > 1 && self.frames.last().is_some_and(|frame| frame.node == id) {
            self.flush();
            self.close_frame();
        }
        if self.wraps.last().is_some_and(|wrap| wrap.node == id) {
            self.wraps.pop();
        }
        if self.code == Some(id) {
            self.code = None;
        }
        if enter::is_link(node) {
            self.links = self.links.saturating_sub(1);
            if self.links == 0
                && let Some(line) = &mut self.line
            {
                line.left_link();
            }
        }
    }

    /// The source span of an element, or of the pieces in it where no tag made it.
    fn span_of(&self, node: NodeId, content: &[Piece]) -> Span {
        let own = self.page.node(node).span();
        own.or_else(|| content.iter().map(|piece| piece.span).reduce(join))
            .unwrap_or(Span { start: 0, end: 0 })
    }
}

/// What of an element need not be looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PassBy {
    Nothing,
    Below,
    All,
}

/// The span that reaches over both.
fn join(one: Span, other: Span) -> Span {
    Span { start: one.start.min(other.start), end: one.end.max(other.end) }
}

#[cfg(test)]
mod tests;
