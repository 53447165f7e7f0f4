//! Lists: which number the first kept item has, and what stands in a list outside of its items.

use tamis_html::{Name, NodeId, NodeRef};

use super::Assembler;
use crate::document::{Item, Kind, Piece};

pub(super) struct List {
    ordered: bool,
    /// The number of the item that comes next.
    next: u32,
    /// The number of the first item that is kept.
    start: Option<u32>,
    items: Vec<Item>,
}

impl List {
    pub(super) fn of(node: NodeRef<'_>) -> List {
        let ordered = node.is(Name::OL);
        let start = node.attribute_named(Name::START).filter(|_| ordered);
        let start = start.and_then(|start| start.trim().parse::<u32>().ok()).unwrap_or(1);
        List { ordered, next: start, start: None, items: Vec::new() }
    }

    pub(super) fn push_item(&mut self, item: Item) {
        if !item.content.is_empty() {
            self.start.get_or_insert(self.next);
            self.items.push(item);
        }
        self.next = self.next.saturating_add(1);
    }

    /// Takes what stands directly in the list. A list there is meant as part of the item before it.
    pub(super) fn push_stray(&mut self, piece: Piece) {
        match self.items.last_mut() {
            Some(item) if matches!(piece.kind, Kind::List { .. }) => item.content.push(piece),
            _ => {
                self.start.get_or_insert(self.next);
                self.items.push(Item { content: vec![piece] });
            }
        }
    }

    /// Is it nothing but footnotes?
    fn is_footnotes(&self) -> bool {
        self.items
            .iter()
            .all(|item| matches!(item.content.as_slice(), [Piece { kind: Kind::Footnote { .. }, .. }]))
    }
}

impl Assembler<'_> {
    pub(super) fn close_list(&mut self, node: NodeId, list: List) {
        if list.items.is_empty() {
            return;
        }
        if list.is_footnotes() {
            // Footnotes count themselves.
            for piece in list.items.into_iter().flat_map(|item| item.content) {
                self.push_piece(piece);
            }
            return;
        }
        let span = self.span_of(node, &[]);
        let kind = Kind::List { ordered: list.ordered, start: list.start.unwrap_or(1), items: list.items };
        self.push(kind, node, span, Vec::new());
    }
}
