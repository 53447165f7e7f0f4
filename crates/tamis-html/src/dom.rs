//! The tree of a page: all nodes in one arena, linked by index.
//!
//! Such a tree is built, walked and dropped without recursion, and its nodes are contiguous in memory. Texts, names and
//! values are spans of the source.

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

/// The index of a node in its [`Dom`].
///
/// ```
/// let dom = tamis_html::parse("<p>text");
/// let id = dom.body().unwrap().id();
/// assert_eq!(dom.node(id).unwrap().name(), Some("body"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The index, for tables parallel to the tree.
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

    /// The inverse of [`index`](Self::index).
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

/// The rendering mode of browsers for the page's doctype.
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

/// A stored node. 32 bytes, since nodes take most of the memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawNode {
    pub(crate) parent: u32,
    /// The previous sibling; for a first child the last sibling, so that no node needs a link to its last child.
    pub(crate) previous: u32,
    pub(crate) next: u32,
    /// The first child, or the last further piece of a text.
    pub(crate) first: u32,
    /// The source span: of an element from its start tag to its end, of a text its first piece.
    pub(crate) span: Span,
    /// The first attribute of an element, the second piece of a text, or the number of a doctype.
    pub(crate) data: u32,
    name: SmallName,
    /// The kind in the lower three bits; above them namespace and marks of an element, or the decoding of a text.
    bits: u8,
}

/// Marks of elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    /// The element has no tag in the source: it was implied or reopened.
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

    /// The decoding of a text or comment.
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

    /// A copy without relatives; an element loses its tag.
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

/// A further piece of a text that is not contiguous in the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FurtherPiece {
    pub(crate) piece: Piece,
    pub(crate) next: u32,
}

/// The nodes and everything they refer to, except the source.
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

    /// Inserts `child`, which has no parent, before `sibling`, which has one.
    pub(crate) fn insert_before(&mut self, sibling: u32, child: u32) {
        let RawNode { parent, previous, .. } = *self.node(sibling);
        let node = self.node_mut(child);
        (node.parent, node.previous, node.next) = (parent, previous, sibling);
        if self.node(parent).first == sibling {
            self.node_mut(parent).first = child;
            // The only child was also the last one.
            if previous == sibling {
                self.node_mut(child).previous = sibling;
            }
        } else {
            self.node_mut(previous).next = child;
        }
        self.node_mut(sibling).previous = child;
    }

    /// Removes `child` from its parent, if it has one.
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
            // The last child has no successor; its predecessor becomes the last one.
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

    /// Adds a piece to a text; adjacent pieces are joined.
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
/// Node 0 is the document, [`root`](Dom::root). The tree owns or borrows the source it was parsed from.
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
    /// Whether only references of the source need decoding.
    pub(crate) is_plain: bool,
    pub(crate) arena: Arena,
    pub(crate) quirks: QuirksMode,
    pub(crate) scripting: bool,
    pub(crate) limit_reached: Option<Limit>,
    /// The tokens that it was built from, if they were recorded.
    pub(crate) tokens: Option<TokenLog>,
}

impl<'s> Dom<'s> {
    /// The document node, or the root of a fragment.
    #[inline]
    pub fn root(&self) -> NodeRef<'_> {
        NodeRef { dom: self, id: 0 }
    }

    /// The node with this id, if it exists.
    #[inline]
    pub fn node(&self, id: NodeId) -> Option<NodeRef<'_>> {
        (id.index() < self.len()).then_some(NodeRef { dom: self, id: id.0 })
    }

    /// All nodes below the document, in document order.
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

    /// The `body` or `frameset` element.
    pub fn body(&self) -> Option<NodeRef<'_>> {
        self.html()?.children().find(|node| node.is(Name::BODY) || node.is(Name::FRAMESET))
    }

    /// The HTML elements of a name, in the order in which they were made, including removed ones.
    ///
    /// ```
    /// let dom = tamis_html::parse("<title>a</title><svg><title>b</title></svg>");
    /// assert_eq!(dom.elements_named(tamis_html::Name::TITLE).count(), 1);
    /// ```
    pub fn elements_named(&self, name: Name) -> impl Iterator<Item = NodeRef<'_>> {
        let ids = (0_u32..).zip(&self.arena.nodes);
        let named = ids.filter(move |(_, node)| node.name() == name && node.kind() == NodeKind::Element);
        named.map(|(id, _)| NodeRef { dom: self, id }).filter(|node| node.namespace() == Namespace::Html)
    }

    /// The number of nodes, including removed ones: one more than the highest [`NodeId::index`].
    #[inline]
    pub fn len(&self) -> usize {
        self.arena.nodes.len()
    }

    /// Whether there is only the document node, which is possible for a fragment.
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

    /// The number of a name in lower case, if it is known at compile time or a tag or an attribute of the page has it.
    ///
    /// ```
    /// let dom = tamis_html::parse("<x-y>");
    /// assert!(dom.name_of("x-y").is_some() && dom.name_of("x-z").is_none());
    /// ```
    pub fn name_of(&self, text: &str) -> Option<Name> {
        self.arena.names.find(text)
    }

    /// The rendering mode of browsers.
    pub fn quirks_mode(&self) -> QuirksMode {
        self.quirks
    }

    /// The limit that the page reached, if any; the tree is then incomplete. Of several limits, the most severe: bytes
    /// before nodes, attributes and depth.
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

    /// The memory of the tree in bytes, without the source.
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
