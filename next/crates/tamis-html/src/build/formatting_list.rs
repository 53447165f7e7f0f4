//! The list of active formatting elements as a data structure: quick where it is short, and never quadratic.
//!
//! Two questions are asked for every formatting tag: is there an entry of this name, and are there three alike
//! already? Both would walk the list. A count for each name answers most of them; in lists that only hostile or
//! broken pages make long, a count of fingerprints does.

use std::collections::HashMap;

use crate::dom::NONE;
use crate::name::{HTML_COUNT, Name};

/// An entry: a formatting element, or a marker that bounds how far back one looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Formatting {
    pub(super) node: u32,
    pub(super) name: Name,
    /// Of name and attributes: the same for entries that are alike. Meaningful only while the list is long.
    pub(super) fingerprint: u64,
}

impl Formatting {
    pub(super) const MARKER: Formatting = Formatting { node: NONE, name: Name(NONE), fingerprint: 0 };

    pub(super) fn is_marker(self) -> bool {
        self.node == NONE
    }
}

#[derive(Debug, Default)]
pub(super) struct FormattingList {
    entries: Vec<Formatting>,
    /// For each name, how many entries have it. Formatting elements are all HTML.
    names: Vec<u32>,
    /// For each fingerprint, how many entries have it; only while the list is long.
    fingerprints: Option<HashMap<u64, u32>>,
}

impl FormattingList {
    /// From how many entries on fingerprints are worth their cost.
    const LONG: usize = 48;

    pub(super) fn new() -> Self {
        FormattingList { entries: Vec::new(), names: vec![0; HTML_COUNT], fingerprints: None }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn last(&self) -> Option<Formatting> {
        self.entries.last().copied()
    }

    pub(super) fn get(&self, place: usize) -> Formatting {
        self.entries.get(place).copied().unwrap_or(Formatting::MARKER)
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Formatting> {
        self.entries.iter()
    }

    /// The entries behind the last marker with their places, last first.
    pub(super) fn in_force(&self) -> impl Iterator<Item = (usize, &Formatting)> {
        self.entries.iter().enumerate().rev().take_while(|(_, entry)| !entry.is_marker())
    }

    /// The place of the last entry with this name behind the last marker.
    pub(super) fn find(&self, name: Name) -> Option<usize> {
        if self.count(name) == 0 {
            return None;
        }
        self.in_force().find(|(_, entry)| entry.name == name).map(|(place, _)| place)
    }

    /// The place of a node's entry.
    pub(super) fn place_of(&self, node: u32) -> Option<usize> {
        self.entries.iter().rposition(|entry| entry.node == node)
    }

    /// Can there be three entries with this name, and with this fingerprint if the list is long?
    pub(super) fn may_hold_three(&self, name: Name, fingerprint: u64) -> bool {
        self.count(name) >= 3
            && self
                .fingerprints
                .as_ref()
                .is_none_or(|counts| counts.get(&fingerprint).is_some_and(|&count| count >= 3))
    }

    /// Do new entries need a fingerprint?
    pub(super) fn is_long(&self) -> bool {
        self.entries.len() >= Self::LONG
    }

    /// Begins or ends the counting of fingerprints, as the length asks for.
    pub(super) fn settle(&mut self, fingerprint_of: impl Fn(&Formatting) -> u64) {
        if !self.is_long() {
            self.fingerprints = None;
        } else if self.fingerprints.is_none() {
            let mut counts = HashMap::new();
            for entry in &mut self.entries {
                entry.fingerprint = fingerprint_of(entry);
                *counts.entry(entry.fingerprint).or_insert(0) += 1;
            }
            self.fingerprints = Some(counts);
        }
    }

    pub(super) fn push(&mut self, entry: Formatting) {
        self.count_entry(entry, true);
        self.entries.push(entry);
    }

    pub(super) fn pop(&mut self) -> Option<Formatting> {
        let entry = self.entries.pop()?;
        self.count_entry(entry, false);
        Some(entry)
    }

    pub(super) fn insert(&mut self, place: usize, entry: Formatting) {
        self.count_entry(entry, true);
        self.entries.insert(place.min(self.entries.len()), entry);
    }

    pub(super) fn remove(&mut self, place: usize) {
        if place < self.entries.len() {
            let entry = self.entries.remove(place);
            self.count_entry(entry, false);
        }
    }

    /// Puts another node in an entry's place: a copy of it, so that all else stays.
    pub(super) fn replace_node(&mut self, place: usize, node: u32) {
        if let Some(entry) = self.entries.get_mut(place) {
            entry.node = node;
        }
    }

    fn count(&self, name: Name) -> u32 {
        self.names.get(name.0 as usize).copied().unwrap_or(0)
    }

    fn count_entry(&mut self, entry: Formatting, added: bool) {
        let change = if added { 1 } else { u32::MAX };
        if let Some(count) = self.names.get_mut(entry.name.0 as usize) {
            *count = count.wrapping_add(change);
        }
        if let Some(counts) = &mut self.fingerprints {
            let count = counts.entry(entry.fingerprint).or_insert(0);
            *count = count.wrapping_add(change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_stay_true_when_the_list_grows_long_and_short_again() {
        let mut list = FormattingList::new();
        for node in 0..100 {
            list.push(Formatting { node, name: Name::B, fingerprint: u64::from(node % 40) });
            list.settle(|entry| u64::from(entry.node % 40));
        }
        assert!(list.may_hold_three(Name::B, 7), "nodes 7, 47 and 87");
        assert!(!list.may_hold_three(Name::B, 27), "only nodes 27 and 67");
        assert!(!list.may_hold_three(Name::I, 7));
        while list.len() > 2 {
            list.remove(0);
            list.settle(|entry| u64::from(entry.node % 40));
        }
        assert!(!list.may_hold_three(Name::B, 18));
        assert_eq!(list.find(Name::B), Some(1));
        assert_eq!(list.find(Name::I), None);
    }
}
