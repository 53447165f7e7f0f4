//! Active formatting elements: at most three equal ones, reopened where a block has closed them.

use std::hash::BuildHasher;

use crate::arena::Mark;
use crate::attribute::{RawAttribute, run};
use crate::dom::Namespace;
use crate::references;

use super::Builder;
use super::formatting_list::Formatting;
use super::open_elements::Open;

/// Number of nodes from which reopening of formatting elements is limited.
const MIN_REOPENED_NODES: usize = 16_384;
/// Bytes of source per further node.
const BYTES_PER_REOPENED_NODE: usize = 4;

impl Builder<'_> {
    /// Adds the current node, keeping at most three equal ones.
    pub(super) fn push_formatting(&mut self) {
        let Some(&Open { node, name, .. }) = self.open.top() else { return };
        let mut entry = Formatting { node, name, fingerprint: 0 };
        if self.formatting.is_long() {
            entry.fingerprint = self.fingerprint(&entry);
        }
        if self.formatting.may_hold_three(name, entry.fingerprint) {
            let attributes = self.attributes_of(node);
            let alike = |other: &Formatting| {
                other.name == name
                    && same_attributes(self.attributes_of(other.node), attributes, self.tokenizer.source)
            };
            let third =
                self.formatting.in_force().filter(|(_, other)| alike(other)).nth(2).map(|(place, _)| place);
            if let Some(place) = third {
                self.formatting.remove(place);
            }
        }
        self.formatting.push(entry);
        if self.formatting.is_long() {
            let mut list = std::mem::take(&mut self.formatting);
            list.settle(|entry| self.fingerprint(entry));
            self.formatting = list;
        }
    }

    /// A fingerprint that is the same for equal elements, independent of the order of attributes.
    fn fingerprint(&self, entry: &Formatting) -> u64 {
        if entry.is_marker() {
            return 0;
        }
        self.attributes_of(entry.node).iter().fold(u64::from(entry.name.0), |sum, attribute| {
            let value = references::read(attribute.value.of(self.tokenizer.source), attribute.reading());
            sum.wrapping_add(self.hasher.hash_one((attribute.name(), value)))
        })
    }

    pub(super) fn attributes_of(&self, node: u32) -> &[RawAttribute] {
        run(&self.tokenizer.attributes, self.arena.node(node).data)
    }

    pub(super) fn clear_formatting_to_marker(&mut self) {
        while let Some(entry) = self.formatting.pop() {
            if entry.is_marker() {
                break;
            }
        }
        let mut list = std::mem::take(&mut self.formatting);
        list.settle(|entry| self.fingerprint(entry));
        self.formatting = list;
    }

    fn is_open(&self, entry: Formatting) -> bool {
        self.arena.node(entry.node).is_marked(Mark::Open)
    }

    /// Reconstructs the active formatting elements.
    #[inline(always)]
    pub(super) fn reconstruct_formatting(&mut self) {
        if let Some(last) = self.formatting.last()
            && !last.is_marker()
            && !self.is_open(last)
        {
            self.reopen_formatting();
        }
    }

    #[cold]
    fn reopen_formatting(&mut self) {
        // A few bytes can reopen nine elements each time. No real page has so many nodes relative to its size.
        if self.arena.nodes.len() > MIN_REOPENED_NODES + self.tokenizer.source.len() / BYTES_PER_REOPENED_NODE
        {
            return;
        }
        let settled = self.formatting.iter().rposition(|&entry| entry.is_marker() || self.is_open(entry));
        for place in settled.map_or(0, |place| place + 1)..self.formatting.len() {
            let Formatting { node, name, .. } = self.formatting.get(place);
            let copy = self.copy_element(node);
            self.insert_element(copy);
            self.push(Open::new(copy, copy, Namespace::Html, name, false));
            self.formatting.replace_node(place, copy);
        }
    }

    /// A new element with the name and attributes of `node`.
    pub(super) fn copy_element(&mut self, node: u32) -> u32 {
        let mut copy = self.arena.node(node).copy();
        copy.span = self.here();
        self.arena.add(copy)
    }
}

/// Whether two tags have the same attributes in any order.
fn same_attributes(a: &[RawAttribute], b: &[RawAttribute], source: &str) -> bool {
    let same_value = |x: &RawAttribute, y: &RawAttribute| {
        let (raw_x, raw_y) = (x.value.of(source), y.value.of(source));
        raw_x == raw_y || references::read(raw_x, x.reading()) == references::read(raw_y, y.reading())
    };
    a.len() == b.len() && a.iter().all(|x| b.iter().any(|y| x.name() == y.name() && same_value(x, y)))
}
