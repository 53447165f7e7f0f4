//! The list of active formatting elements: fast if short, and never quadratic.
//!
//! Every formatting tag queries whether there is an entry of its name, and whether there are three equal ones. A
//! counter per name avoids most searches of the list; in long lists, which only hostile or broken pages have, a counter
//! per fingerprint avoids the others.

use std::collections::HashMap;

use crate::arena::NONE;
use crate::name::{HTML_COUNT, Name};

/// An entry: a formatting element, or a marker that ends searches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Formatting {
    pub(super) node: u32,
    pub(super) name: Name,
    /// The fingerprint of name and attributes. Valid only while the list is long.
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
    /// The number of entries per name. All formatting elements are HTML.
    names: Vec<u32>,
    /// The number of entries per fingerprint, only while the list is long.
    fingerprints: Option<HashMap<u64, u32>>,
}

impl FormattingList {
    /// The number of entries from which fingerprints pay off.
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

    /// The entries after the last marker with their indices, last first.
    pub(super) fn in_force(&self) -> impl Iterator<Item = (usize, &Formatting)> {
        self.entries.iter().enumerate().rev().take_while(|(_, entry)| !entry.is_marker())
    }

    /// The index of the last entry with this name after the last marker.
    pub(super) fn find(&self, name: Name) -> Option<usize> {
        if self.count(name) == 0 {
            return None;
        }
        self.in_force().find(|(_, entry)| entry.name == name).map(|(place, _)| place)
    }

    /// The index of a node's entry.
    pub(super) fn place_of(&self, node: u32) -> Option<usize> {
        self.entries.iter().rposition(|entry| entry.node == node)
    }

    /// Whether there can be three entries with this name and, if the list is long, this fingerprint.
    pub(super) fn may_hold_three(&self, name: Name, fingerprint: u64) -> bool {
        self.count(name) >= 3
            && self
                .fingerprints
                .as_ref()
                .is_none_or(|counts| counts.get(&fingerprint).is_some_and(|&count| count >= 3))
    }

    /// Whether new entries need a fingerprint.
    pub(super) fn is_long(&self) -> bool {
        self.entries.len() >= Self::LONG
    }

    /// Starts or stops counting fingerprints, depending on the length.
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

    /// Replaces the node of an entry by a copy.
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
