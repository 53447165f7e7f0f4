//! What a person has said of texts of a site: it wins over what is counted, and it is remembered.
//!
//! Two memories may hold different words on one text. The later change wins, by a number that grows with each change;
//! of changes with the same number, to keep wins over to drop, since what is lost is worse than what is left.

use std::collections::BTreeMap;

use tamis_methods::site::LineTable;

/// A site keeps so many texts that a person has spoken on; of more, those with the smallest digests.
pub const MAX_VERDICTS: usize = 10_000;

/// Yes or no.
///
/// ```
/// use tamis_site::{Decision, SiteProfile};
///
/// let mut memory = SiteProfile::default();
/// assert!(memory.judge("All rights reserved.", Some(Decision::Drop)));
/// assert_eq!(memory.known().judged("All rights reserved!"), Some(Decision::Drop), "near texts as well");
/// assert!(memory.judge("All rights reserved.", None), "taken back");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Decision {
    /// The text is no part of the main text, however seldom it repeats.
    Drop,
    /// The text stays, however often it repeats.
    Keep,
}

/// A person's word on a text.
// The order decides between two versions: the later change, then to keep.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Word {
    pub(crate) change: u32,
    /// Nothing where it was taken back.
    pub(crate) decision: Option<Decision>,
    /// All of the text or its beginning.
    pub(crate) text: Box<str>,
    pub(crate) whole: bool,
}

/// All that a person has said of a site, by the digests of texts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Verdicts(pub(crate) BTreeMap<u128, Word>);

impl Verdicts {
    /// Says what is to be done with a text; nothing takes it back. Is that a change?
    pub(crate) fn say(&mut self, digest: u128, text: &str, whole: bool, decision: Option<Decision>) -> bool {
        let before = self.0.get(&digest);
        if before.and_then(|word| word.decision) == decision {
            return false;
        }
        let change = before.map_or(0, |word| word.change).saturating_add(1);
        let whole = whole && LineTable::digest(text) == digest;
        self.put(digest, Word { change, decision, text: text.into(), whole });
        true
    }

    /// Takes in a word that may be older or newer.
    pub(crate) fn put(&mut self, digest: u128, word: Word) {
        let known = self.0.entry(digest).or_insert_with(|| word.clone());
        if word > *known {
            *known = word;
        }
        if self.0.len() > MAX_VERDICTS {
            self.0.pop_last();
        }
    }

    pub(crate) fn merge(&mut self, other: &Verdicts) {
        for (digest, word) in &other.0 {
            self.put(*digest, word.clone());
        }
    }

    pub(crate) fn on(&self, digest: u128) -> Option<Decision> {
        self.0.get(&digest)?.decision
    }
}
