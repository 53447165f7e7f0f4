//! What is known of a site: a sample of its pages, which two memories share as if they had been one.
//!
//! A memory keeps the records of the pages whose keys are the smallest, [`DEFAULT_CAPACITY`] of them. Keys are hashes of
//! addresses, so the sample is uniform, and which pages are in it depends on the set of pages seen and on nothing else:
//! not on their order, not on how often each was seen, not on how they were spread over machines. So merging is exactly
//! commutative, associative and idempotent.
//!
//! The price is the error of a sample: the share of pages that carry a text is known with a standard error of at most
//! `0.5 / √capacity`, that is 4.4 points of a hundred with 128 pages, and less for texts that are rare or on nearly
//! every page. Up to 128 pages all is exact.

use std::collections::BTreeMap;

use tamis::page::Page;
use tamis_methods::site::LineTable;

use crate::known::Known;
use crate::record::{MAX_RECORD, PageRecord};
use crate::verdicts::{Decision, Verdicts, Word};

/// Pages that a memory keeps, unless it is told otherwise.
pub const DEFAULT_CAPACITY: usize = 128;
/// Pages that a memory can keep.
pub const MAX_CAPACITY: usize = 4_096;

/// What a site repeats.
///
/// ```
/// use tamis::page::Page;
/// use tamis_site::SiteProfile;
///
/// use tamis::SiteMemory;
///
/// let page = |text: &str| format!("<p>{text}</p><p>All rights reserved.</p>");
/// let mut profile = SiteProfile::default();
/// for text in ["It rained.", "It snowed.", "It was hot."] {
///     profile.observe(&Page::parse(&page(text)), None);
/// }
/// let known = profile.known();
/// assert_eq!(known.pages_with_line("All rights reserved."), 3);
/// assert_eq!(known.pages_with_line("It rained."), 1);
/// ```
///
/// Two memories become one, whichever comes first:
///
/// ```
/// use tamis::page::Page;
/// use tamis_site::{PageRecord, SiteProfile};
///
/// let record = |text: &str| PageRecord::of(&Page::parse(&format!("<p>{text}</p><p>All rights reserved.</p>")), None);
/// let (mut one, mut other) = (SiteProfile::default(), SiteProfile::default());
/// one.insert(record("It rained."));
/// other.insert(record("It snowed."));
/// let mut both = one.clone();
/// both.merge(&other);
/// other.merge(&one);
/// assert_eq!(both, other);
/// assert_eq!((both.len(), both.pages_seen(), both.is_empty()), (2, 2, false));
/// assert!(both.records().all(|record| both.has_room_for(record.key())));
///
/// // It stays small, whatever comes.
/// assert_eq!(SiteProfile::with_capacity(16).capacity(), 16);
/// assert!(SiteProfile::most_bytes(128) < 9_000_000);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteProfile {
    capacity: usize,
    pages: BTreeMap<u64, PageRecord>,
    verdicts: Verdicts,
}

impl Default for SiteProfile {
    fn default() -> Self {
        SiteProfile::with_capacity(DEFAULT_CAPACITY)
    }
}

impl SiteProfile {
    /// An empty memory that will keep so many pages (at least 1, at most [`MAX_CAPACITY`]).
    pub fn with_capacity(pages: usize) -> SiteProfile {
        let capacity = pages.clamp(1, MAX_CAPACITY);
        SiteProfile { capacity, pages: BTreeMap::new(), verdicts: Verdicts::default() }
    }

    /// Bytes that the rows of a site take at most, with so many pages, without what a person has said.
    pub fn most_bytes(pages: usize) -> usize {
        pages.min(MAX_CAPACITY) * MAX_RECORD
    }

    /// Takes in a page. Does it belong to the sample now?
    pub fn observe(&mut self, page: &Page<'_>, url: Option<&str>) -> bool {
        // With an address one knows before looking at the page.
        if url.is_some_and(|url| !self.has_room_for(PageRecord::key_of_url(url))) {
            return false;
        }
        self.insert(PageRecord::of(page, url))
    }

    /// Takes in the record of a page. Does it belong to the sample now?
    pub fn insert(&mut self, record: PageRecord) -> bool {
        let key = record.key;
        if !self.has_room_for(key) {
            return false;
        }
        match self.pages.get_mut(&key) {
            // Another version of the page: the one that stays must not depend on which came first.
            Some(known) if record < *known => *known = record,
            Some(_) => {}
            None => _ = self.pages.insert(key, record),
        }
        self.trim();
        true
    }

    /// Would a page with this key belong to the sample?
    pub fn has_room_for(&self, key: u64) -> bool {
        self.pages.len() < self.capacity || self.pages.last_key_value().is_some_and(|(last, _)| key <= *last)
    }

    /// Takes in all that another memory of the site knows. The smaller capacity of the two counts.
    pub fn merge(&mut self, other: &SiteProfile) {
        self.capacity = self.capacity.min(other.capacity);
        self.trim();
        for record in other.pages.values() {
            if self.has_room_for(record.key) {
                self.insert(record.clone());
            }
        }
        self.verdicts.merge(&other.verdicts);
    }

    fn trim(&mut self) {
        while self.pages.len() > self.capacity {
            self.pages.pop_last();
        }
    }

    /// Remembers what a person says of a text: it wins over what is counted. Nothing takes it back. Is that a change?
    pub fn judge(&mut self, text: &str, decision: Option<Decision>) -> bool {
        self.verdicts.say(LineTable::digest(text), text, true, decision)
    }

    pub(crate) fn verdicts(&self) -> &Verdicts {
        &self.verdicts
    }

    pub(crate) fn verdicts_mut(&mut self) -> &mut Verdicts {
        &mut self.verdicts
    }

    pub(crate) fn put_word(&mut self, digest: u128, word: Word) {
        self.verdicts.put(digest, word);
    }

    /// How many pages it keeps.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Does it know nothing?
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty() && self.verdicts.0.is_empty()
    }

    /// How many pages it keeps at most.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// The records of the pages that it keeps, by their keys.
    pub fn records(&self) -> impl ExactSizeIterator<Item = &PageRecord> {
        self.pages.values()
    }

    /// How many different pages it has seen: exact below its capacity, then estimated from how close together the keys
    /// lie (the KMV estimate), with a standard error of `1 / √(capacity - 2)`: 9 % with 128 pages.
    pub fn pages_seen(&self) -> u64 {
        pages_seen(self.pages.len(), self.capacity, self.pages.last_key_value().map_or(0, |(last, _)| *last))
    }

    /// What it knows, counted and ready to be asked.
    pub fn known(&self) -> Known {
        Known::new(self)
    }
}

pub(crate) fn pages_seen(kept: usize, capacity: usize, last: u64) -> u64 {
    if kept < capacity || kept < 3 {
        return kept as u64;
    }
    let share = (last as f64 + 1.0) / (u64::MAX as f64 + 1.0);
    // Whether there were more than are kept, the keys alone cannot say; fewer there were not.
    (((kept - 1) as f64 / share).round() as u64).max(kept as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(pages: impl IntoIterator<Item = usize>, capacity: usize) -> SiteProfile {
        let mut memory = SiteProfile::with_capacity(capacity);
        for number in pages {
            // No two of these are near.
            let own = PageRecord::key_of_url(&number.to_string());
            let html = format!("<p>Story {own:x}.</p><p>All rights reserved.</p>");
            memory.observe(&Page::parse(&html), Some(&format!("http://e.com/{number}")));
        }
        memory
    }

    #[test]
    fn the_sample_is_that_of_the_set_of_pages() {
        let whole = memory(0..500, 32);
        assert_eq!(whole.len(), 32);
        assert_eq!(memory((0..500).rev(), 32), whole);
        assert_eq!(memory((0..500).chain(100..300), 32), whole);
        let mut parts = memory(300..500, 32);
        parts.merge(&memory(0..350, 32));
        assert_eq!(parts, whole);
    }

    #[test]
    fn pages_are_counted_exactly_and_then_estimated() {
        assert_eq!(memory(0..31, 32).pages_seen(), 31);
        assert!(memory(0..32, 32).pages_seen() >= 32, "fewer were seen than are kept");
        let about = memory(0..5_000, 128).pages_seen();
        assert!((3_900..6_100).contains(&about), "{about}");
        assert_eq!(memory(0..3, 1).pages_seen(), 1);
    }

    #[test]
    fn of_two_versions_of_a_page_the_same_one_stays_whichever_came_first() {
        let versions = ["<p>One.", "<p>Two."].map(Page::parse);
        let (mut ab, mut ba) = (SiteProfile::default(), SiteProfile::default());
        versions.iter().for_each(|page| _ = ab.observe(page, Some("http://e.com/")));
        versions.iter().rev().for_each(|page| _ = ba.observe(page, Some("http://e.com/")));
        assert_eq!((ab.len(), &ab), (1, &ba));
    }
}
