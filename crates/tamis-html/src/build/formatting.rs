//! The list of active formatting elements: what is reopened where a block cut it off.

use crate::attribute::{RawAttribute, run};
use crate::dom::{NONE, Namespace, RawNode};
use crate::name::Name;
use crate::references;

use super::Builder;
use super::open_elements::Open;

/// An entry of the list: a formatting element, or a marker that bounds how far back one looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Formatting {
    pub(super) node: u32,
    pub(super) name: Name,
}

impl Formatting {
    pub(super) const MARKER: Formatting = Formatting { node: NONE, name: Name(NONE) };

    pub(super) fn is_marker(self) -> bool {
        self.node == NONE
    }
}

impl Builder<'_> {
    /// Adds the current node, keeping at most three that are alike.
    pub(super) fn push_formatting(&mut self) {
        let Some(&Open { node, name, .. }) = self.open.top() else { return };
        let attributes = self.attributes_of(node);
        let mut alike = 0;
        let mut earliest = None;
        for (place, entry) in self.formatting.iter().enumerate().rev().take_while(|(_, entry)| !entry.is_marker()) {
            if entry.name == name && same_attributes(self.attributes_of(entry.node), attributes, self.tokenizer.source)
            {
                alike += 1;
                if alike == 3 {
                    earliest = Some(place);
                    break;
                }
            }
        }
        if let Some(place) = earliest {
            self.formatting.remove(place);
        }
        self.formatting.push(Formatting { node, name });
    }

    pub(super) fn attributes_of(&self, node: u32) -> &[RawAttribute] {
        run(&self.tokenizer.attributes, self.arena.node(node).data)
    }

    /// The last entry with this name, up to the last marker.
    pub(super) fn find_formatting(&self, name: Name) -> Option<usize> {
        let back = self.formatting.iter().rev().take_while(|entry| !entry.is_marker());
        back.enumerate().find(|(_, entry)| entry.name == name).map(|(back, _)| self.formatting.len() - 1 - back)
    }

    pub(super) fn remove_formatting_node(&mut self, node: u32) {
        if let Some(place) = self.formatting.iter().rposition(|entry| entry.node == node) {
            self.formatting.remove(place);
        }
    }

    pub(super) fn clear_formatting_to_marker(&mut self) {
        while let Some(entry) = self.formatting.pop() {
            if entry.is_marker() {
                break;
            }
        }
    }

    fn is_open(&self, entry: Formatting) -> bool {
        self.arena.node(entry.node).marks & RawNode::OPEN != 0
    }

    /// Reopens the formatting elements that are in force here but not open.
    #[inline(always)]
    pub(super) fn reconstruct_formatting(&mut self) {
        if let Some(&last) = self.formatting.last()
            && !last.is_marker()
            && !self.is_open(last)
        {
            self.reopen_formatting();
        }
    }

    #[cold]
    fn reopen_formatting(&mut self) {
        let settled = self.formatting.iter().rposition(|&entry| entry.is_marker() || self.is_open(entry));
        for place in settled.map_or(0, |place| place + 1)..self.formatting.len() {
            let Formatting { node, name } = self.formatting[place];
            let copy = self.copy_element(node);
            let at = self.place();
            self.insert_at(at, copy);
            self.push(Open::new(copy, copy, Namespace::Html, name, false));
            self.formatting[place].node = copy;
        }
    }

    /// An element like `node`, as its start tag would have made it again.
    pub(super) fn copy_element(&mut self, node: u32) -> u32 {
        let RawNode { name, data, .. } = *self.arena.node(node);
        let mut copy = RawNode::new(crate::NodeKind::Element, self.here());
        copy.name = name;
        copy.data = data;
        copy.marks = RawNode::NO_TAG;
        self.arena.add(copy)
    }
}

/// Do two tags have the same attributes, in any order?
fn same_attributes(a: &[RawAttribute], b: &[RawAttribute], source: &str) -> bool {
    let same_value = |x: &RawAttribute, y: &RawAttribute| {
        let (raw_x, raw_y) = (x.value.of(source), y.value.of(source));
        raw_x == raw_y || references::read(raw_x, x.reading) == references::read(raw_y, y.reading)
    };
    a.len() == b.len() && a.iter().all(|x| b.iter().any(|y| x.name == y.name && same_value(x, y)))
}
