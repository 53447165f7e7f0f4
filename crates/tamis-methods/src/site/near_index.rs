//! Near-duplicate look-up: finds a text near a given one among thousands.
//!
//! Near means the same tag name and an edit distance of at most one per eight characters of the shorter text. A text
//! of `l` characters may thus differ from a near one by `k <= l / 8` edits. If it is split into `k + 1` pieces, at
//! least one piece is unchanged and has moved by at most `k` places (pigeonhole principle). So the prefixes of the
//! pieces are indexed, a query is scanned for them, and only texts that share one are compared.
//!
//! Short texts share pieces with many others, but their pieces move little, so these are indexed with their number and
//! `k`. Pieces of long texts are more specific but may move far, so they are indexed without a position.

use std::collections::{HashMap, HashSet};

use xxhash_rust::xxh3::{xxh3_64, xxh3_128_with_seed};

use super::edit_distance;
use super::grams::{GramFilter, Grams, gram_length, key, unplaced_key};

/// One edit is allowed per this many characters of the shorter text (section 4 of the paper).
pub(super) const CHARACTERS_PER_EDIT: usize = 8;
/// Longer texts are near only if equal, since templates are short.
const MAX_COMPARED_LENGTH: usize = 1_000;
/// Texts that allow at most this many edits count as short.
pub(super) const MAX_SHORT_EDITS: usize = 6;
/// Most comparisons per query, against pages built to share pieces with every template.
const MAX_COMPARISONS: usize = 256;
/// Most index entries examined per query.
const MAX_CANDIDATES: usize = 4_096;

/// Maximum number of edits between two near texts of these lengths.
fn allowed_edits(a: usize, b: usize) -> usize {
    a.min(b) / CHARACTERS_PER_EDIT
}

/// Texts with their tag names, numbered in order of insertion, with near-duplicate look-up.
#[derive(Clone, Debug, Default)]
pub struct NearIndex {
    /// Digests of name and text.
    equal: HashMap<u128, u32>,
    texts: Vec<(Box<str>, Box<str>)>,
    /// By the hash of the tag name: which lengths occur.
    lengths: HashMap<u64, Vec<bool>>,
    /// From the key of a gram to its last entry, whose `next` leads to the others.
    grams: HashMap<u64, u32>,
    entries: Vec<Entry>,
    filter: GramFilter,
}

/// An indexed gram.
#[derive(Clone, Copy, Debug)]
struct Entry {
    text: u32,
    /// The length of the text.
    length: u32,
    letters: u64,
    /// The gram's position; `None` if it occurs at several.
    at: Option<u32>,
    next: Option<u32>,
}

impl NearIndex {
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    /// The name and text with this number.
    pub(super) fn get(&self, number: u32) -> Option<(&str, &str)> {
        self.texts.get(number as usize).map(|(name, text)| (&**name, &**text))
    }

    /// Inserts a text and returns its number. A text that is there already keeps its number.
    pub fn add(&mut self, name: &str, text: &str) -> u32 {
        let number = self.texts.len() as u32;
        let known = *self.equal.entry(digest(name, text)).or_insert(number);
        if known == number {
            let characters: Vec<char> = text.chars().take(MAX_COMPARED_LENGTH + 1).collect();
            if is_compared(characters.len()) {
                self.add_grams(number, xxh3_64(name.as_bytes()), &characters);
            }
            self.texts.push((name.into(), text.into()));
        }
        known
    }

    fn add_grams(&mut self, number: u32, name: u64, characters: &[char]) {
        let length = characters.len();
        let edits = allowed_edits(length, length);
        let grams = Grams::of_length(gram_length(edits));
        let letters = letter_set(characters);
        let lengths = self.lengths.entry(name).or_default();
        lengths.resize(lengths.len().max(length + 1), false);
        lengths[length] = true;
        for piece in 0..=edits {
            let at = piece * length / (edits + 1);
            let gram = grams.first(&characters[at..]) ^ name;
            let key = key(gram, edits, piece);
            let last = self.grams.get(&key).copied();
            if let Some(last) = last.and_then(|last| self.entries.get_mut(last as usize))
                && last.text == number
            {
                last.at = None;
                continue;
            }
            self.filter.insert(key);
            if edits <= MAX_SHORT_EDITS {
                self.filter.insert(unplaced_key(gram));
            }
            self.grams.insert(key, self.entries.len() as u32);
            let (length, at) = (length as u32, Some(at as u32));
            self.entries.push(Entry { text: number, length, letters, at, next: last });
        }
    }

    /// The number of an equal text, else of the first near one.
    pub fn find(&self, name: &str, text: &str) -> Option<u32> {
        self.equal.get(&digest(name, text)).copied().or_else(|| self.find_near(name, text))
    }

    /// The number of the first near text, for callers who know that none is equal.
    pub fn find_near(&self, name: &str, text: &str) -> Option<u32> {
        let length = text.chars().take(MAX_COMPARED_LENGTH + 1).count();
        if !is_compared(length) {
            return None;
        }
        let name_hash = xxh3_64(name.as_bytes());
        let own_edits = allowed_edits(length, length);
        let lengths = self.lengths.get(&name_hash)?;
        let any_near = |first: usize, last: usize| {
            let end = last.min(length + own_edits).saturating_add(1).min(lengths.len());
            lengths.get(first.max(length - own_edits)..end).is_some_and(|band| band.contains(&true))
        };
        if !any_near(0, usize::MAX) {
            return None;
        }
        let characters: Vec<char> = text.chars().collect();
        let mut search = Search::new(self, name, &characters);
        // The numbers of edits allowed by texts of similar length.
        let fewest = allowed_edits(length, length - own_edits).max(1);
        let most = (length + own_edits) / CHARACTERS_PER_EDIT;
        for edits in fewest..=most.min(MAX_SHORT_EDITS) {
            let pieces = edits + 1;
            let (shortest, longest) = (edits * CHARACTERS_PER_EDIT, pieces * CHARACTERS_PER_EDIT - 1);
            if !any_near(shortest, longest) {
                continue;
            }
            let moved = edits.min(own_edits);
            // The pieces that can have moved to a position; both bounds only grow with it.
            let (mut first, mut last) = (0, 0);
            Grams::of_length(gram_length(edits)).for_each(&characters, |at, gram| {
                let gram = gram ^ name_hash;
                if !self.filter.may_contain(unplaced_key(gram)) {
                    return;
                }
                while (first + 1) * longest <= at.saturating_sub(moved) * pieces {
                    first += 1;
                }
                while (last + 1) * shortest <= (at + moved + 1) * pieces {
                    last += 1;
                }
                for piece in first..=last.min(edits) {
                    search.visit(key(gram, edits, piece), at);
                }
            });
        }
        if any_near((MAX_SHORT_EDITS + 1) * CHARACTERS_PER_EDIT, usize::MAX) {
            let grams = Grams::of_length(gram_length(MAX_SHORT_EDITS + 1));
            grams.for_each(&characters, |at, gram| search.visit(unplaced_key(gram ^ name_hash), at));
        }
        search.found
    }
}

/// A query in progress.
struct Search<'i> {
    index: &'i NearIndex,
    name: &'i str,
    characters: &'i [char],
    letters: u64,
    found: Option<u32>,
    compared: HashSet<u32>,
    candidates: usize,
}

impl<'i> Search<'i> {
    fn new(index: &'i NearIndex, name: &'i str, characters: &'i [char]) -> Search<'i> {
        let letters = letter_set(characters);
        Search { index, name, characters, letters, found: None, compared: HashSet::new(), candidates: 0 }
    }

    /// Compares with the texts that have this gram at a position from which it can have moved here.
    fn visit(&mut self, key: u64, at: usize) {
        if !self.index.filter.may_contain(key) {
            return;
        }
        let length = self.characters.len();
        let mut next = self.index.grams.get(&key).copied();
        while let Some(entry) = next.and_then(|entry| self.index.entries.get(entry as usize)) {
            next = entry.next;
            self.candidates += 1;
            if self.candidates > MAX_CANDIDATES || self.compared.len() >= MAX_COMPARISONS {
                return;
            }
            let edits = allowed_edits(length, entry.length as usize);
            if length.abs_diff(entry.length as usize) > edits
                || entry.at.is_some_and(|there| at.abs_diff(there as usize) > edits)
                || (self.letters ^ entry.letters).count_ones() as usize > 2 * edits
                || self.found.is_some_and(|found| found <= entry.text)
                || !self.compared.insert(entry.text)
            {
                continue;
            }
            let Some((_, text)) = self.index.get(entry.text).filter(|(name, _)| *name == self.name) else {
                continue;
            };
            let other: Vec<char> = text.chars().collect();
            if edit_distance::within(self.characters, &other, edits) {
                self.found = Some(entry.text);
            }
        }
    }
}

fn digest(name: &str, text: &str) -> u128 {
    xxh3_128_with_seed(text.as_bytes(), xxh3_64(name.as_bytes()))
}

/// The characters of a text as a set of 64 hash values. One edit changes at most two of them.
fn letter_set(characters: &[char]) -> u64 {
    characters
        .iter()
        .fold(0, |set, character| set | 1 << ((*character as u32).wrapping_mul(0x9E37_79B9) >> 26))
}

/// Whether a text of this length can be near a text that is not equal.
fn is_compared(length: usize) -> bool {
    (CHARACTERS_PER_EDIT..=MAX_COMPARED_LENGTH).contains(&length)
}

#[cfg(test)]
mod tests;
