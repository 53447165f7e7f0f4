//! The page's tree: all nodes in one arena, linked by numbers.
//!
//! A tree of this kind is built, walked and dropped without recursion, and a page's nodes lie together in memory.
//! Texts, names and values stay spans of the source.

use std::borrow::Cow;

use crate::attribute::{self, RawAttribute};
use crate::limits::Limit;
use crate::name::{Name, Names, SmallName};
use crate::node::{NodeKind, NodeRef};
use crate::references::Reading;
use crate::span::Span;
use crate::tokenizer::{Doctype, Piece};
use crate::tokens::TokenLog;
use crate::walk::Descendants;

/// No node, no attribute, no piece.
pub(crate) const NONE: u32 = u32::MAX;

/// The number of a node in its [`Dom`].
///
/// ```
/// let dom = tamis_html::parse("<p>text");
/// let id = dom.body().unwrap().id();
/// assert_eq!(dom.node(id).unwrap().name(), Some("body"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// As an index, for tables that run beside the tree.
    ///
    /// ```
    /// let dom = tamis_html::parse("<p>text");
    /// let mut seen = vec![false; dom.len()];
    /// for node in dom.descendants() {
    ///     seen[node.id().index()] = true;
    /// }
    /// assert_eq!(seen.iter().filter(|seen| **seen).count(), 5); // html, head, body, p and its text
    /// ```
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The way back from [`index`](Self::index).
    ///
    /// ```
    /// use tamis_html::NodeId;
    ///
    /// let dom = tamis_html::parse("<p>text");
    /// assert_eq!(dom.node(NodeId::from_index(0)), Some(dom.root()));
    /// ```
    pub fn from_index(index: usize) -> NodeId {
        NodeId(index as u32)
    }
}

/// The namespace of an element.
///
/// ```
/// use tamis_html::Namespace;
///
/// let dom = tamis_html::parse("<p><svg><path></svg><math><mi>x</math>");
/// let of = |name| dom.descendants().find(|node| node.name() == Some(name)).unwrap().namespace();
/// assert_eq!([of("p"), of("path"), of("mi")], [Namespace::Html, Namespace::Svg, Namespace::MathMl]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Namespace {
    /// HTML.
    Html,
    /// MathML, from `<math>` on.
    MathMl,
    /// SVG, from `<svg>` on.
    Svg,
}

/// Which doctype the page has, and so by which rules a browser would show it.
///
/// ```
/// use tamis_html::{QuirksMode, parse};
///
/// assert_eq!(parse("<!doctype html><p>").quirks_mode(), QuirksMode::NoQuirks);
/// assert_eq!(parse("<p>").quirks_mode(), QuirksMode::Quirks);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum QuirksMode {
    /// A modern doctype.
    #[default]
    NoQuirks,
    /// A doctype of the transitional kind.
    LimitedQuirks,
    /// No doctype or a very old one.
    Quirks,
}

/// A node as the arena has it: 32 bytes, since a page's nodes are what its memory goes into.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawNode {
    pub(crate) parent: u32,
    /// The sibling before it; of a first child the last one, so that no node needs a link to its last child.
    pub(crate) previous: u32,
    pub(crate) next: u32,
    /// The first child; of a text, its last further piece.
    pub(crate) first: u32,
    /// Where it stands in the source: of an element from its start tag to its end, of a text its first piece.
    pub(crate) span: Span,
    /// Of an element, its first attribute; of a text, its second piece; of a doctype, which one it is.
    pub(crate) data: u32,
    name: SmallName,
    /// The kind in the lower three bits; above them an element's namespace and marks, or a text's reading.
    bits: u8,
}

/// What is marked on elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    /// No tag of the source made this element: it was implied, or opened again.
    NoTag = 1 << 5,
    /// The element is open (kept for formatting elements only).
    Open = 1 << 6,
}

const NAMESPACE_SHIFT: u8 = 3;
const READING_SHIFT: u8 = 3;

impl RawNode {
    fn of(kind: NodeKind, name: SmallName, bits: u8, span: Span, data: u32) -> RawNode {
        let bits = kind as u8 | bits;
        RawNode { parent: NONE, previous: NONE, next: NONE, first: NONE, span, data, name, bits }
    }

    /// A node that is neither element nor text.
    pub(crate) fn other(kind: NodeKind, span: Span) -> RawNode {
        RawNode::of(kind, SmallName::NONE, 0, span, NONE)
    }

    /// A text or comment.
    pub(crate) fn text(kind: NodeKind, piece: Piece) -> RawNode {
        RawNode::of(kind, SmallName::NONE, piece.reading.bits() << READING_SHIFT, piece.span, NONE)
    }

    /// An element.
    #[inline(always)]
    pub(crate) fn element(namespace: Namespace, name: Name, span: Span, attributes: u32) -> RawNode {
        let bits = (namespace as u8) << NAMESPACE_SHIFT;
        RawNode::of(NodeKind::Element, SmallName::of(name), bits, span, attributes)
    }

    #[inline(always)]
    pub(crate) fn kind(&self) -> NodeKind {
        match self.bits & 7 {
            0 => NodeKind::Document,
            1 => NodeKind::Fragment,
            2 => NodeKind::Doctype,
            3 => NodeKind::Element,
            4 => NodeKind::Text,
            _ => NodeKind::Comment,
        }
    }

    #[inline(always)]
    pub(crate) fn is_text(&self) -> bool {
        self.bits & 7 == NodeKind::Text as u8
    }

    #[inline]
    pub(crate) fn name(&self) -> Name {
        self.name.name()
    }

    #[inline]
    pub(crate) fn namespace(&self) -> Namespace {
        match (self.kind(), self.bits >> NAMESPACE_SHIFT & 3) {
            (NodeKind::Element, 1) => Namespace::MathMl,
            (NodeKind::Element, 2) => Namespace::Svg,
            _ => Namespace::Html,
        }
    }

    /// How a text or comment is read.
    #[inline]
    pub(crate) fn reading(&self) -> Reading {
        Reading::from_bits(self.bits >> READING_SHIFT)
    }

    fn add_reading(&mut self, reading: Reading) {
        self.bits |= reading.bits() << READING_SHIFT;
    }

    #[inline(always)]
    pub(crate) fn is_marked(&self, mark: Mark) -> bool {
        self.bits & mark as u8 != 0
    }

    #[inline(always)]
    pub(crate) fn mark(&mut self, mark: Mark) {
        self.bits |= mark as u8;
    }

    #[inline(always)]
    pub(crate) fn unmark(&mut self, mark: Mark) {
        self.bits &= !(mark as u8);
    }

    /// A copy for another place in the tree: no relatives, and an element is no longer its tag's.
    pub(crate) fn copy(&self) -> RawNode {
        let mut copy = *self;
        (copy.parent, copy.previous, copy.next) = (NONE, NONE, NONE);
        if !copy.is_text() {
            copy.first = NONE;
        }
        if copy.kind() == NodeKind::Element {
            copy.mark(Mark::NoTag);
            copy.unmark(Mark::Open);
        }
        copy
    }
}

/// A further stretch of a text whose parts do not stand together in the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FurtherPiece {
    pub(crate) piece: Piece,
    pub(crate) next: u32,
}

/// The nodes with everything they point to, except the source.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arena {
    pub(crate) nodes: Vec<RawNode>,
    pub(crate) attributes: Vec<RawAttribute>,
    pub(crate) pieces: Vec<FurtherPiece>,
    pub(crate) doctypes: Vec<Doctype>,
    pub(crate) names: Names,
}

impl Arena {
    #[inline]
    pub(crate) fn node(&self, id: u32) -> &RawNode {
        &self.nodes[id as usize]
    }

    pub(crate) fn node_mut(&mut self, id: u32) -> &mut RawNode {
        &mut self.nodes[id as usize]
    }

    pub(crate) fn add(&mut self, node: RawNode) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push(node);
        id
    }

    /// The last child, or none.
    #[inline(always)]
    pub(crate) fn last_child(&self, parent: u32) -> u32 {
        match self.node(parent).first {
            NONE => NONE,
            first => self.node(first).previous,
        }
    }

    /// The sibling before a node, or none.
    #[inline(always)]
    pub(crate) fn previous_sibling(&self, id: u32) -> u32 {
        let RawNode { parent, previous, .. } = *self.node(id);
        if parent == NONE || self.node(parent).first == id { NONE } else { previous }
    }

    /// Makes `child`, which has no parent, the last child of `parent`.
    #[inline]
    pub(crate) fn append(&mut self, parent: u32, child: u32) {
        let first = self.node(parent).first;
        if first == NONE {
            self.node_mut(parent).first = child;
            let node = self.node_mut(child);
            (node.parent, node.previous) = (parent, child);
            return;
        }
        let last = std::mem::replace(&mut self.node_mut(first).previous, child);
        self.node_mut(last).next = child;
        let node = self.node_mut(child);
        (node.parent, node.previous) = (parent, last);
    }

    /// Puts `child`, which has no parent, before `sibling`, which has one.
    pub(crate) fn insert_before(&mut self, sibling: u32, child: u32) {
        let RawNode { parent, previous, .. } = *self.node(sibling);
        let node = self.node_mut(child);
        (node.parent, node.previous, node.next) = (parent, previous, sibling);
        if self.node(parent).first == sibling {
            self.node_mut(parent).first = child;
            // The only child was its own last one.
            if previous == sibling {
                self.node_mut(child).previous = sibling;
            }
        } else {
            self.node_mut(previous).next = child;
        }
        self.node_mut(sibling).previous = child;
    }

    /// Takes `child` out of its parent, if it has one.
    pub(crate) fn detach(&mut self, child: u32) {
        let RawNode { parent, previous, next, .. } = *self.node(child);
        if parent == NONE {
            return;
        }
        let first = self.node(parent).first;
        if first == child {
            self.node_mut(parent).first = next;
            if next != NONE {
                self.node_mut(next).previous = previous;
            }
        } else {
            self.node_mut(previous).next = next;
            // Behind the last child stands none; its predecessor becomes the last one.
            let behind = if next == NONE { first } else { next };
            self.node_mut(behind).previous = previous;
        }
        let node = self.node_mut(child);
        (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
    }

    /// Moves all children of `from` to the end of `to`.
    pub(crate) fn move_children(&mut self, from: u32, to: u32) {
        let first = std::mem::replace(&mut self.node_mut(from).first, NONE);
        if first == NONE {
            return;
        }
        let mut child = first;
        while child != NONE {
            self.node_mut(child).parent = to;
            child = self.node(child).next;
        }
        let before = self.last_child(to);
        if before == NONE {
            self.node_mut(to).first = first;
        } else {
            let last = std::mem::replace(&mut self.node_mut(first).previous, before);
            self.node_mut(before).next = first;
            let top = self.node(to).first;
            self.node_mut(top).previous = last;
        }
    }

    /// Adds a stretch to a text; stretches that touch in the source become one.
    pub(crate) fn extend_text(&mut self, text: u32, piece: Piece) {
        let RawNode { span, first: last_piece, .. } = *self.node(text);
        if last_piece == NONE {
            if span.end == piece.span.start {
                let node = self.node_mut(text);
                node.span.end = piece.span.end;
                node.add_reading(piece.reading);
                return;
            }
        } else {
            let further = &mut self.pieces[last_piece as usize].piece;
            if further.span.end == piece.span.start {
                further.span.end = piece.span.end;
                further.reading = further.reading.and(piece.reading);
                return;
            }
        }
        let id = self.pieces.len() as u32;
        self.pieces.push(FurtherPiece { piece, next: NONE });
        if last_piece == NONE {
            self.node_mut(text).data = id;
        } else {
            self.pieces[last_piece as usize].next = id;
        }
        self.node_mut(text).first = id;
    }

    #[inline]
    pub(crate) fn attributes_of(&self, id: u32) -> &[RawAttribute] {
        attribute::run(&self.attributes, self.node(id).data)
    }
}

/// A parsed page.
///
/// Node 0 is the document; [`root`](Dom::root) gives it. The tree keeps (or borrows) the source it was parsed from.
///
/// ```
/// let dom = tamis_html::parse("<title>A page</title><p>One<p>Two");
/// let paragraphs: Vec<_> =
///     dom.descendants().filter(|node| node.name() == Some("p")).map(|p| p.text_content()).collect();
/// assert_eq!(paragraphs, ["One", "Two"]);
///
/// let parts = [dom.html(), dom.head(), dom.body()].map(|node| node.and_then(|node| node.name()));
/// assert_eq!(parts, [Some("html"), Some("head"), Some("body")]);
/// assert_eq!(dom.root().first_child(), dom.html());
/// let title = dom.head().unwrap().first_child().unwrap();
/// assert_eq!(dom.node(title.id()), Some(title));
/// assert_eq!(dom.name_text(tamis_html::Name::TITLE), "title");
/// assert_eq!(dom.quirks_mode(), tamis_html::QuirksMode::Quirks, "there is no doctype");
/// assert!(dom.len() > 8 && !dom.is_empty() && dom.memory() > 0);
/// assert!(dom.source().starts_with("<title>"));
/// ```
#[derive(Clone, Debug)]
pub struct Dom<'s> {
    pub(crate) source: Cow<'s, str>,
    /// Are references the only characters of the source that are not meant as they stand?
    pub(crate) is_plain: bool,
    pub(crate) arena: Arena,
    pub(crate) quirks: QuirksMode,
    pub(crate) scripting: bool,
    pub(crate) limit_reached: Option<Limit>,
    /// The tokens it was made of, where they were to be kept.
    pub(crate) tokens: Option<TokenLog>,
}

impl<'s> Dom<'s> {
    /// The document node, or of a fragment the node that holds its nodes.
    #[inline]
    pub fn root(&self) -> NodeRef<'_> {
        NodeRef { dom: self, id: 0 }
    }

    /// The node with this number, if the tree has it.
    #[inline]
    pub fn node(&self, id: NodeId) -> Option<NodeRef<'_>> {
        (id.index() < self.len()).then_some(NodeRef { dom: self, id: id.0 })
    }

    /// All nodes below the document, in page order.
    pub fn descendants(&self) -> Descendants<'_> {
        self.root().descendants()
    }

    /// The `html` element.
    pub fn html(&self) -> Option<NodeRef<'_>> {
        self.root().children().find(|node| node.is(Name::HTML))
    }

    /// The `head` element.
    pub fn head(&self) -> Option<NodeRef<'_>> {
        self.html()?.children().find(|node| node.is(Name::HEAD))
    }

    /// The `body` element (or the `frameset` in its place).
    pub fn body(&self) -> Option<NodeRef<'_>> {
        self.html()?.children().find(|node| node.is(Name::BODY) || node.is(Name::FRAMESET))
    }

    /// How many nodes there are, taken-out ones included: one more than the highest [`NodeId::index`].
    #[inline]
    pub fn len(&self) -> usize {
        self.arena.nodes.len()
    }

    /// Is there nothing but the document node? Only a fragment can be that empty.
    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    /// The text the page was parsed from, up to the limit on its size.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The text of a name.
    pub fn name_text(&self, name: Name) -> &str {
        self.arena.names.text(name)
    }

    /// By which rules a browser would show the page.
    pub fn quirks_mode(&self) -> QuirksMode {
        self.quirks
    }

    /// The limit that the page ran into, if any; the tree is then what could be built within it. Where there were
    /// several, it is the one that cost most: bytes before nodes, attributes and depth.
    ///
    /// ```
    /// use tamis_html::{Limit, Limits, Parser};
    ///
    /// let limits = Limits { nodes: 100, ..Limits::default() };
    /// let page = "<p>a".repeat(1000);
    /// let dom = Parser::new().limits(limits).parse(&page);
    /// assert_eq!(dom.limit_reached(), Some(Limit::Nodes(100)));
    /// assert!(dom.len() > 40 && dom.len() <= 100);
    /// ```
    pub fn limit_reached(&self) -> Option<Limit> {
        self.limit_reached
    }

    /// The bytes of memory that the tree takes, without those of the source.
    pub fn memory(&self) -> usize {
        let arena = &self.arena;
        arena.nodes.capacity() * size_of::<RawNode>()
            + arena.attributes.capacity() * size_of::<RawAttribute>()
            + arena.pieces.capacity() * size_of::<FurtherPiece>()
            + arena.names.memory()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_stays_small() {
        assert_eq!(size_of::<RawNode>(), 32);
        assert_eq!(size_of::<RawAttribute>(), 12);
    }
}
