//! The stored nodes and everything they refer to, except the source.

use crate::attribute::{self, RawAttribute};
use crate::dom::Namespace;
use crate::name::{Name, Names, SmallName};
use crate::node::NodeKind;
use crate::references::Reading;
use crate::span::Span;
use crate::tokenizer::{Doctype, Piece};

/// No node, no attribute, no piece.
pub(crate) const NONE: u32 = u32::MAX;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_stays_small() {
        assert_eq!(size_of::<RawNode>(), 32);
        assert_eq!(size_of::<RawAttribute>(), 12);
    }
}
