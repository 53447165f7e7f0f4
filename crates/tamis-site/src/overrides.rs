//! Manual overrides of what is counted.
//!
//! Two profiles may have different overrides of a text. The later change wins, by a counter that grows with each
//! change; for equal counters, keeping wins over dropping, since lost text is worse than noise.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tamis_methods::site::LineTable;

/// The maximum number of overrides per site; of more, those with the smallest digests stay.
pub const MAX_OVERRIDES: usize = 10_000;

/// The decision of an override.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// The text is not main text, even if it is rare.
    Drop,
    /// The text stays, even if it is repeated.
    Keep,
}

/// An override of a text.
// The order decides between two versions: the later change, then keeping.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Override {
    pub(crate) change: u32,
    /// `None` if the override was removed.
    pub(crate) decision: Option<Decision>,
    /// The text or its prefix.
    pub(crate) text: Box<str>,
    pub(crate) whole: bool,
}

/// The overrides of a site by digest of the text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Overrides(pub(crate) BTreeMap<u128, Override>);

impl Overrides {
    /// Sets or, with `None`, removes an override; returns whether that is a change.
    pub(crate) fn set(&mut self, digest: u128, text: &str, whole: bool, decision: Option<Decision>) -> bool {
        let before = self.0.get(&digest);
        if before.and_then(|entry| entry.decision) == decision {
            return false;
        }
        let change = before.map_or(0, |entry| entry.change).saturating_add(1);
        let whole = whole && LineTable::digest(text) == digest;
        self.put(digest, Override { change, decision, text: text.into(), whole });
        true
    }

    /// Merges an override that may be older or newer.
    pub(crate) fn put(&mut self, digest: u128, entry: Override) {
        let known = self.0.entry(digest).or_insert_with(|| entry.clone());
        if entry > *known {
            *known = entry;
        }
        if self.0.len() > MAX_OVERRIDES {
            self.0.pop_last();
        }
    }

    pub(crate) fn merge(&mut self, other: &Overrides) {
        for (digest, entry) in &other.0 {
            self.put(*digest, entry.clone());
        }
    }

    pub(crate) fn on(&self, digest: u128) -> Option<Decision> {
        self.0.get(&digest)?.decision
    }
}
