//! The profile of a site: a mergeable sample of its pages.
//!
//! A profile keeps the records of the [`DEFAULT_CAPACITY`] pages with the smallest keys. Keys are hashes of URLs, so
//! the sample is uniform and depends only on the set of pages seen: not on their order, repetitions, or distribution
//! over machines. Merging is therefore commutative, associative and idempotent.
//!
//! The cost is a sampling error: the share of pages with a text has a standard error of at most `0.5 / √capacity`, that
//! is 4.4 percentage points with 128 pages, and less for rare and for ubiquitous texts. Up to 128 pages, counts are
//! exact.

use std::collections::BTreeMap;

use tamis::page::Page;
use tamis_methods::site::LineTable;

use crate::known::Known;
use crate::overrides::{Decision, Override, Overrides};
use crate::record::{MAX_RECORD, PageRecord};

/// The default number of pages in a profile.
pub const DEFAULT_CAPACITY: usize = 128;
/// The maximum number of pages in a profile.
pub const MAX_CAPACITY: usize = 4_096;

/// The profile of a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteProfile {
    capacity: usize,
    pages: BTreeMap<u64, PageRecord>,
    overrides: Overrides,
}

impl Default for SiteProfile {
    fn default() -> Self {
        SiteProfile::with_capacity(DEFAULT_CAPACITY)
    }
}

impl SiteProfile {
    /// An empty profile for up to `pages` pages (at least 1, at most [`MAX_CAPACITY`]).
    pub fn with_capacity(pages: usize) -> SiteProfile {
        let capacity = pages.clamp(1, MAX_CAPACITY);
        SiteProfile { capacity, pages: BTreeMap::new(), overrides: Overrides::default() }
    }

    /// The maximum size of the rows of a site with this many pages, without overrides.
    pub fn most_bytes(pages: usize) -> usize {
        pages.min(MAX_CAPACITY) * MAX_RECORD
    }

    /// Adds a page; returns whether it is in the sample.
    pub fn observe(&mut self, page: &Page<'_>, url: Option<&str>) -> bool {
        // A URL decides before the page is read.
        if url.is_some_and(|url| !self.has_room_for(PageRecord::key_of_url(url))) {
            return false;
        }
        self.insert(PageRecord::of(page, url))
    }

    /// Adds the record of a page; returns whether it is in the sample.
    pub fn insert(&mut self, record: PageRecord) -> bool {
        let key = record.key;
        if !self.has_room_for(key) {
            return false;
        }
        match self.pages.get_mut(&key) {
            // Another version of the page: which one is kept must not depend on the order.
            Some(known) if record < *known => *known = record,
            Some(_) => {}
            None => _ = self.pages.insert(key, record),
        }
        self.trim();
        true
    }

    /// Whether a page with this key would be in the sample.
    pub fn has_room_for(&self, key: u64) -> bool {
        self.pages.len() < self.capacity || self.pages.last_key_value().is_some_and(|(last, _)| key <= *last)
    }

    /// Merges another profile of the site. The smaller of the two capacities applies.
    pub fn merge(&mut self, other: &SiteProfile) {
        self.capacity = self.capacity.min(other.capacity);
        self.trim();
        for record in other.pages.values() {
            if self.has_room_for(record.key) {
                self.insert(record.clone());
            }
        }
        self.overrides.merge(&other.overrides);
    }

    fn trim(&mut self) {
        while self.pages.len() > self.capacity {
            self.pages.pop_last();
        }
    }

    /// Overrides the counts of a text; `None` removes the override. Returns whether that is a change.
    pub fn judge(&mut self, text: &str, decision: Option<Decision>) -> bool {
        self.overrides.set(LineTable::digest(text), text, true, decision)
    }

    pub(crate) fn overrides(&self) -> &Overrides {
        &self.overrides
    }

    pub(crate) fn overrides_mut(&mut self) -> &mut Overrides {
        &mut self.overrides
    }

    pub(crate) fn put_override(&mut self, digest: u128, entry: Override) {
        self.overrides.put(digest, entry);
    }

    /// The number of pages.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether it has neither pages nor overrides.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty() && self.overrides.0.is_empty()
    }

    /// The maximum number of pages.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// The records of the pages, by key.
    pub fn records(&self) -> impl ExactSizeIterator<Item = &PageRecord> {
        self.pages.values()
    }

    /// The number of different pages seen: exact below the capacity, otherwise the KMV estimate from the density of
    /// keys, with a standard error of `1 / √(capacity - 2)`: 9 % with 128 pages.
    pub fn pages_seen(&self) -> u64 {
        pages_seen(self.pages.len(), self.capacity, self.pages.last_key_value().map_or(0, |(last, _)| *last))
    }

    /// The counted profile.
    pub fn known(&self) -> Known {
        Known::new(self)
    }
}

pub(crate) fn pages_seen(kept: usize, capacity: usize, last: u64) -> u64 {
    if kept < capacity || kept < 3 {
        return kept as u64;
    }
    let share = (last as f64 + 1.0) / (u64::MAX as f64 + 1.0);
    // There were at least as many as are kept.
    (((kept - 1) as f64 / share).round() as u64).max(kept as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(pages: impl IntoIterator<Item = usize>, capacity: usize) -> SiteProfile {
        let mut memory = SiteProfile::with_capacity(capacity);
        for number in pages {
            // No two of these are similar.
            let own = PageRecord::key_of_url(&number.to_string());
            let html = format!("<p>Story {own:x}.</p><p>All rights reserved.</p>");
            memory.observe(&Page::parse(&html), Some(&format!("http://e.com/{number}")));
        }
        memory
    }

    #[test]
    fn the_sample_depends_only_on_the_set_of_pages() {
        let whole = memory(0..500, 32);
        assert_eq!(whole.len(), 32);
        assert_eq!(memory((0..500).rev(), 32), whole);
        assert_eq!(memory((0..500).chain(100..300), 32), whole);
        let mut parts = memory(300..500, 32);
        parts.merge(&memory(0..350, 32));
        assert_eq!(parts, whole);
    }

    #[test]
    fn small_numbers_of_pages_are_exact_and_large_ones_estimated() {
        assert_eq!(memory(0..31, 32).pages_seen(), 31);
        assert!(memory(0..32, 32).pages_seen() >= 32, "at least the kept pages");
        let about = memory(0..5_000, 128).pages_seen();
        assert!((3_900..6_100).contains(&about), "{about}");
        assert_eq!(memory(0..3, 1).pages_seen(), 1);
    }

    #[test]
    fn the_kept_version_of_a_page_does_not_depend_on_the_order() {
        let versions = ["<p>One.", "<p>Two."].map(Page::parse);
        let (mut ab, mut ba) = (SiteProfile::default(), SiteProfile::default());
        versions.iter().for_each(|page| _ = ab.observe(page, Some("http://e.com/")));
        versions.iter().rev().for_each(|page| _ = ba.observe(page, Some("http://e.com/")));
        assert_eq!((ab.len(), &ab), (1, &ba));
    }
}
