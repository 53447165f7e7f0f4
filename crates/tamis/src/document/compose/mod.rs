//! From kept blocks to pieces, with the structure that the tree gives them.
//!
//! One walk over the tree. Elements that mean something to a reader open a frame; the text of kept blocks fills lines;
//! lines become pieces of the innermost frame. A frame without content leaves nothing behind.

mod code;
mod elements;
mod footnotes;
mod formula;
mod frame;
mod line;
mod picture;
mod picture_source;

use tamis_html::{Name, Namespace, NodeId, NodeKind, NodeRef, Span, Step};

use super::layout::{KeptSums, quotes_are_layout};
use super::visit::{for_each_inline, for_each_piece};
use super::{Inline, Kind, MAX_NESTING, Paths, Piece, Style, Urls, inline_text};
use crate::page::{HiddenBy, NONE, Page, separates_words};
use crate::text::whitespace::is_blank;
use footnotes::Footnotes;
use formula::Swallowed;
use frame::{Frame, Role};
use line::{Line, Wrap, WrapKind, spaces};

/// Nodes between two looks at the clock.
const NODES_PER_DEADLINE_CHECK: u32 = 4096;

/// Options for [`compose`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ComposeOptions<'a> {
    /// The URL of the page, against which links are resolved.
    pub url: Option<&'a str>,
    /// The title of the document. A heading that repeats it at the start is of level 1.
    pub title: Option<&'a str>,
    /// Rows of elements that are posts. What contains one is layout, whatever its tag.
    pub posts: &'a [u32],
}

/// Composes the kept blocks into pieces, in document order.
// `inline(never)` here and at other stages keeps them apart in profiles.
#[inline(never)]
pub fn compose(page: &Page<'_>, kept: &[bool], options: &ComposeOptions<'_>) -> Vec<Piece> {
    Composer::new(page, kept, options).run()
}

struct Composer<'p> {
    page: &'p Page<'p>,
    kept: &'p [bool],
    sums: KeptSums,
    /// Sorted.
    posts: Vec<u32>,
    urls: Urls,
    title: Option<&'p str>,
    quotes_are_layout: bool,
    footnotes: Footnotes,
    paths: Paths,
    /// For each node, its row in the element table.
    row_of: Vec<u32>,
    /// For each node, its position among the text nodes of all blocks.
    text_of: Vec<u32>,
    /// For each such position, its block; the number of blocks at the end.
    block_of: Vec<u32>,
    /// Whether there may be formulas that scripts set.
    has_formulas: bool,
    /// The outermost hidden elements, sorted.
    hidden: Vec<(NodeId, HiddenBy)>,
    /// The position among the text nodes that comes next.
    next_text: usize,
    /// Open rows.
    rows: Vec<u32>,
    /// Open inline elements that mean something.
    wraps: Vec<Wrap>,
    /// Open links.
    links: Vec<NodeId>,
    /// The outermost open element of inline code.
    code: Option<NodeId>,
    line: Option<Line>,
    frames: Vec<Frame>,
    /// Open frames that become pieces with pieces inside.
    nesting: usize,
    swallowed: Option<Swallowed>,
    /// Rows of figures that belong to the article, sorted.
    figures: Vec<u32>,
    /// Hashes of the addresses of each picture of the page, sorted, once anybody asks.
    pictures: Option<Vec<(u64, NodeId)>>,
}

impl<'p> Composer<'p> {
    fn new(page: &'p Page<'p>, kept: &'p [bool], options: &ComposeOptions<'p>) -> Composer<'p> {
        let sums = KeptSums::new(page, kept);
        let (mut row_of, mut text_of) = (vec![NONE; page.dom.len()], vec![NONE; page.dom.len()]);
        for (row, node) in page.elements.node.iter().enumerate() {
            row_of[node.index()] = row as u32;
        }
        for (position, node) in page.blocks.text_nodes.iter().enumerate() {
            text_of[node.index()] = position as u32;
        }
        let mut block_of = Vec::with_capacity(page.blocks.text_nodes.len() + 1);
        for (block, end) in page.blocks.first_text_node.iter().skip(1).enumerate() {
            block_of.resize(*end as usize, block as u32);
        }
        block_of.push(page.blocks.len() as u32);
        let mut hidden: Vec<_> = page.hidden.iter().map(|hidden| (hidden.node, hidden.by)).collect();
        hidden.sort_unstable();
        let mut posts = options.posts.to_vec();
        posts.sort_unstable();
        Composer {
            page,
            kept,
            posts,
            urls: Urls::new(page, options.url),
            title: options.title,
            quotes_are_layout: quotes_are_layout(page, &sums, !options.posts.is_empty()),
            footnotes: Footnotes::find(page, kept, &sums, &row_of),
            figures: picture::article_figures(page, kept, &sums),
            pictures: None,
            sums,
            paths: Paths::default(),
            row_of,
            text_of,
            block_of,
            has_formulas: formula::may_have_containers(page),
            hidden,
            next_text: 0,
            rows: Vec::new(),
            wraps: Vec::new(),
            links: Vec::new(),
            code: None,
            line: None,
            frames: vec![Frame::new(page.dom.root().id(), Role::Root)],
            nesting: 0,
            swallowed: None,
        }
    }

    fn run(mut self) -> Vec<Piece> {
        let mut walk = self.page.dom.root().walk();
        let mut visited = 0_u32;
        while let Some(step) = walk.next() {
            visited += 1;
            if visited.is_multiple_of(NODES_PER_DEADLINE_CHECK) && self.page.deadline_exceeded() {
                break;
            }
            match step {
                Step::Enter(node) => match node.kind() {
                    NodeKind::Text => self.text(node),
                    NodeKind::Element if !self.enter(node) => walk.skip_below(),
                    _ => {}
                },
                Step::Leave(node) if node.is_element() => self.leave(node),
                Step::Leave(_) => {}
            }
        }
        self.flush();
        while self.frames.len() > 1 {
            self.close_frame();
        }
        let mut content = self.frames.pop().map(|root| root.content).unwrap_or_default();
        normalize_headings(&mut content, self.title);
        self.footnotes.remove_dangling_references(&mut content);
        content.shrink_to_fit();
        content
    }

    fn keeps(&self, block: usize) -> bool {
        self.kept.get(block) == Some(&true)
    }

    /// The block that a text node position belongs to; the number of blocks at the end.
    fn block_at(&self, position: usize) -> usize {
        self.block_of.get(position).map_or(self.page.blocks.len(), |block| *block as usize)
    }

    /// The block in the middle of which the walk is, if any.
    fn current_block(&self) -> Option<usize> {
        let block = self.block_at(self.next_text);
        let is_inside = self.page.blocks.first_text_node[block] as usize != self.next_text;
        (is_inside && block < self.page.blocks.len()).then_some(block)
    }

    fn holds_post(&self, row: u32) -> bool {
        self.holds_row(&self.posts, row)
    }

    /// Whether one of some sorted rows is an element or in it.
    fn holds_row(&self, rows: &[u32], row: u32) -> bool {
        let next = rows.partition_point(|inner| *inner < row);
        rows.get(next).is_some_and(|inner| *inner < self.page.elements.end[row as usize])
    }

    /// Whether an element is hidden for good. A box without height waits for its picture.
    fn is_hidden(&self, node: NodeRef<'_>) -> bool {
        let found = self.hidden.binary_search_by_key(&node.id(), |(id, _)| *id);
        found.is_ok_and(|index| self.hidden[index].1 != HiddenBy::ZeroSize || !is_blank(&node.text_content()))
    }

    /// Enters an element. Returns whether to descend.
    fn enter(&mut self, node: NodeRef<'_>) -> bool {
        let name = node.name_id().unwrap_or(Name::DIV);
        let is_html = node.namespace() == Namespace::Html;
        if is_html && name == Name::SCRIPT {
            self.math_script(node);
            return false;
        }
        if name == Name::HEAD {
            return false;
        }
        let row = Some(self.row_of[node.id().index()]).filter(|row| *row != NONE);
        let is_kept = row.is_some_and(|row| self.sums.holds(self.page, row));
        if !is_kept && self.is_hidden(node) {
            if name == Name::NOSCRIPT {
                self.noscript(node);
            }
            return self.skip(row);
        }
        if self.swallowed.is_some() {
            return true;
        }
        if let Some(row) = row {
            if !is_kept && !self.enter_without_text(name, row) {
                return self.skip(Some(row));
            }
            if self.enter_figure(node, name, row) == Some(false) {
                return self.skip(Some(row));
            }
            self.rows.push(row);
        } else {
            self.separate_words(node);
        }
        if self.swallow_formula(node) || !is_html {
            return true;
        }
        if is_link(node) {
            self.links.push(node.id());
            if let Some(line) = &mut self.line {
                line.enter_link();
            }
        }
        self.enter_html(node, name, row)
    }

    /// Separates words at an element that ends no block, as on pages with too many lines.
    fn separate_words(&mut self, node: NodeRef<'_>) {
        if self.page.blocks.merged && separates_words(node) {
            self.code_line_break();
            if let Some(line) = &mut self.line {
                line.space(" ");
            }
        }
    }

    /// Leaves out an element with all its blocks.
    fn skip(&mut self, row: Option<u32>) -> bool {
        if let Some(row) = row {
            let (_, end) = self.page.elements.blocks(row);
            self.next_text = self.next_text.max(self.page.blocks.first_text_node[end] as usize);
        }
        false
    }

    /// Enters a block-level element without kept text. Returns whether it may still matter.
    fn enter_without_text(&mut self, name: Name, row: u32) -> bool {
        let (from, to) = self.page.elements.blocks(row);
        match (name, self.frames.last_mut()) {
            (Name::HR, _) => self.rule(row),
            (Name::LI, Some(Frame { role: Role::List(list), .. })) => list.skip_item(),
            (Name::TD | Name::TH, Some(Frame { role: Role::Table(_), .. })) => return true,
            (
                Name::TR | Name::TBODY | Name::THEAD | Name::TFOOT,
                Some(Frame { role: Role::Table(_), .. }),
            ) => {
                return true;
            }
            (_, Some(Frame { role: Role::Figure(_), .. })) => return true,
            // A picture, perhaps with its caption.
            _ => {
                let is_near = self.keeps(to) || from.checked_sub(1).is_some_and(|before| self.keeps(before));
                return (is_near && to - from <= picture::MAX_CAPTION_BLOCKS)
                    || self.holds_row(&self.figures, row);
            }
        }
        false
    }

    fn text(&mut self, node: NodeRef<'_>) {
        let position = self.text_of[node.id().index()];
        if position == NONE {
            if self.in_code() {
                self.code_space(&node.text());
            } else if self.has_open(WrapKind::Style(Style::RubyText)) {
                self.annotation(&node.text());
            } else if let Some(line) = &mut self.line {
                if node.is_ascii_blank() {
                    line.space(" ");
                } else if is_blank(&node.text()) {
                    line.space(&node.text());
                }
            }
            return;
        }
        self.next_text = position as usize + 1;
        let block = self.block_at(position as usize);
        if !self.keeps(block) && !self.is_caption(node) {
            self.code_gap();
            return;
        }
        if let Some(swallowed) = &mut self.swallowed {
            swallowed.push(&node.text(), block);
        } else if self.in_code() {
            self.code_text(node, block);
        } else if let ([_], Some((before, behind))) = (self.page.blocks.text_nodes(block), spaces(node)) {
            let text = self.page.blocks.text(block);
            self.line_of(block);
            self.write(|line, wraps, code| line.whole_text(text, before, behind, wraps, code));
        } else {
            let text = node.text();
            self.line_of(block);
            self.write(|line, wraps, code| line.text(&text, wraps, code));
        }
    }

    /// Writes a ruby annotation, which is in no block, into the line of its base text.
    fn annotation(&mut self, text: &str) {
        let block = self.next_text.checked_sub(1).map(|last| self.block_at(last));
        if self.line.as_ref().is_some_and(|line| Some(line.block) == block) {
            self.write(|line, wraps, code| line.text(text, wraps, code));
        }
    }

    /// Makes the open line that of a block.
    fn line_of(&mut self, block: usize) {
        let blocks = &self.page.blocks;
        let (element, span) = (blocks.element[block], blocks.span[block]);
        let is_kept = self.keeps(block);
        if let Some(line) = &mut self.line {
            if line.block == block {
                return;
            }
            if line.element == element && blocks.line_breaks[block] == 1 && line.block + 1 == block {
                line.next_block(block, span, is_kept);
                return;
            }
        }
        self.flush();
        self.line = Some(Line::new(element, block, span, is_kept));
    }

    /// Writes into the open line.
    fn write(&mut self, write: impl FnOnce(&mut Line, &[Wrap], Option<NodeId>)) {
        if let Some(line) = &mut self.line {
            write(line, &self.wraps, self.code);
        }
    }

    /// Ends the open line.
    fn flush(&mut self) {
        let Some(line) = self.line.take() else { return };
        let (element, span) = (line.element, line.span);
        let (mut content, blocks) = line.finish(&|wrap| match wrap {
            WrapKind::Link(node) => {
                let href = self.page.dom.node(node)?.attribute_named(Name::HREF)?;
                self.urls.resolve(&href).filter(|_| href.trim() != "#")
            }
            WrapKind::FootnoteRef(node) => self.footnotes.label_of_call(node).map(str::to_owned),
            WrapKind::Style(_) => None,
        });
        if content.is_empty() {
            return;
        }
        if let Some(lines) = self.frames.last_mut().and_then(Frame::lines) {
            lines.push(content, span, blocks);
            return;
        }
        let is_formula = matches!(content.as_slice(), [Inline::Formula(formula)] if formula.display);
        let kind = match content.pop_if(|_| is_formula) {
            Some(Inline::Formula(formula)) => Kind::Formula(*formula),
            _ => Kind::Paragraph { content },
        };
        self.push(kind, self.page.elements.node[element as usize], span, blocks);
    }

    /// Adds a piece to the innermost frame.
    fn push(&mut self, kind: Kind, node: NodeId, span: Span, blocks: Vec<u32>) {
        let path = self.page.dom.node(node).map(|node| self.paths.of(node)).unwrap_or_default();
        self.push_piece(Piece { kind, path, span, blocks });
    }

    fn push_piece(&mut self, piece: Piece) {
        let rule =
            self.frames.last_mut().and_then(|frame| frame.rule.take().filter(|_| !frame.content.is_empty()));
        if let Some(row) = rule {
            let node = self.page.elements.node[row as usize];
            self.push(Kind::Rule, node, self.span_of(node, &[]), Vec::new());
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.push(piece);
        }
    }

    /// Remembers a thematic break; it counts once something follows.
    fn rule(&mut self, row: u32) {
        self.flush();
        if let Some(frame) = self.frames.last_mut() {
            frame.rule = Some(row);
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

    fn is_in_text(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.role.is_text())
    }

    fn leave(&mut self, node: NodeRef<'_>) {
        let id = node.id();
        if let Some(swallowed) = &self.swallowed {
            if swallowed.node != id {
                return;
            }
            self.write_swallowed();
        }
        while self.frames.len() > 1 && self.frames.last().is_some_and(|frame| frame.node == id) {
            self.flush();
            self.close_frame();
        }
        self.wraps.pop_if(|wrap| wrap.node == id);
        if self.code == Some(id) {
            self.code = None;
        }
        let ends_link = self.links.pop_if(|link| *link == id).is_some() && self.links.is_empty();
        if (ends_link || node.is(Name::SPAN))
            && let Some(line) = &mut self.line
        {
            line.end_word();
        }
        if self.rows.pop_if(|row| self.page.elements.node[*row as usize] == id).is_none() {
            self.separate_words(node);
        }
    }

    /// The source span of an element, or of the pieces in it if no tag made it.
    fn span_of(&self, node: NodeId, content: &[Piece]) -> Span {
        let own = self.page.dom.node(node).and_then(|node| node.span());
        own.or_else(|| content.iter().map(|piece| piece.span).reduce(join))
            .unwrap_or(Span { start: 0, end: 0 })
    }
}

fn is_link(node: NodeRef<'_>) -> bool {
    node.is(Name::A) && node.attribute_named(Name::HREF).is_some()
}

/// The span that covers both.
fn join(one: Span, other: Span) -> Span {
    Span { start: one.start.min(other.start), end: one.end.max(other.end) }
}

/// Makes heading levels an outline: the title is level 1, and a heading is one level below the one it belongs to.
fn normalize_headings(content: &mut [Piece], title: Option<&str>) {
    let is_title = |piece: &Piece| match (&piece.kind, title) {
        (Kind::Heading { content, .. }, Some(title)) => {
            inline_text(content).split_whitespace().eq(title.split_whitespace())
        }
        _ => false,
    };
    let starts_with_title = content.first().is_some_and(is_title);
    let (start, rest) = content.split_at_mut(usize::from(starts_with_title));
    if let Some(Piece { kind: Kind::Heading { level, .. }, .. }) = start.first_mut() {
        *level = 1;
    }
    // Levels on the page of the open sections.
    let mut open: Vec<u8> = Vec::new();
    for_each_piece(rest, &mut |piece| {
        if let Kind::Heading { level, .. } = &mut piece.kind {
            while open.pop_if(|above| *above >= *level).is_some() {}
            open.push(*level);
            *level = (open.len() as u8 + 1).min(6);
        }
    });
}
