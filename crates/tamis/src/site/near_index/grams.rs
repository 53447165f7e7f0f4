//! Grams: the beginnings of pieces, as keys of the index.

use std::hash::{BuildHasher, RandomState};

use super::{CHARACTERS_PER_EDIT, SHORT};
use crate::hashing::NumberMap;

/// The longest gram. Pieces have seven characters or eight, in short texts fewer.
const MAX_GRAM: usize = 7;

const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

/// How many characters of each piece are indexed where so many edits are allowed: no more than the shortest piece has.
pub(super) fn gram_length(edits: usize) -> usize {
    (edits * CHARACTERS_PER_EDIT / (edits + 1)).min(MAX_GRAM)
}

/// Under what a gram is found: with its place where the text is short.
#[inline]
pub(super) fn key(gram: u64, edits: usize, piece: usize) -> u64 {
    if edits > SHORT {
        return anywhere(gram);
    }
    let place = 1 + (edits * (SHORT + 1) + piece) as u64;
    mixed(gram ^ place.wrapping_mul(BASE))
}

/// Under what a gram of a long text is found, whatever its place.
#[inline]
pub(super) fn anywhere(gram: u64) -> u64 {
    mixed(gram)
}

#[inline]
fn mixed(gram: u64) -> u64 {
    let mixed = gram.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^ (mixed >> 32)
}

/// Hashes of so many neighbouring characters, each made from the one before it.
pub(super) struct Grams {
    length: usize,
    /// What the character that leaves was multiplied with.
    leaving: u64,
}

impl Grams {
    pub(super) fn of_length(length: usize) -> Grams {
        Grams { length, leaving: BASE.wrapping_pow(length as u32) }
    }

    /// The hash of each gram of a text, with its place.
    #[inline]
    pub(super) fn each(&self, text: &[char], mut look: impl FnMut(usize, u64)) {
        let Some(at_last) = text.len().checked_sub(self.length) else { return };
        let mut hash = self.first(text);
        look(0, hash);
        for at in 0..at_last {
            let (leaving, entering) = (u64::from(text[at]), u64::from(text[at + self.length]));
            hash = hash
                .wrapping_mul(BASE)
                .wrapping_add(entering)
                .wrapping_sub(leaving.wrapping_mul(self.leaving));
            look(at + 1, hash);
        }
    }

    /// The hash of the gram with which a text begins.
    pub(super) fn first(&self, text: &[char]) -> u64 {
        let gram = text.iter().take(self.length);
        gram.fold(0_u64, |hash, &character| hash.wrapping_mul(BASE).wrapping_add(u64::from(character)))
    }
}

/// A number that a page cannot know, so that it cannot be made to collide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed(pub(super) u64);

impl Default for Seed {
    fn default() -> Self {
        Seed(RandomState::new().hash_one(0_u64))
    }
}

/// A map by keys, which are mixed already.
pub(super) type GramMap = NumberMap<u64, u32>;

/// Says of most hashes that are not in the index that they are not, from a table small enough to stay in the cache.
#[derive(Clone, Debug, Default)]
pub(super) struct GramFilter {
    /// A power of two of them, or none.
    words: Vec<u64>,
    hashes: Vec<u64>,
}

impl GramFilter {
    pub(super) fn add(&mut self, hash: u64) {
        self.hashes.push(hash);
        // Thirty-two bits a hash: of look-ups that should fail, at most one in thirty-two passes.
        if self.hashes.len() * 32 > self.words.len() * 64 {
            let words = (self.words.len() * 2).max(64);
            self.words = vec![0; words];
            for at in 0..self.hashes.len() {
                self.set(self.hashes[at]);
            }
        } else {
            self.set(hash);
        }
    }

    fn set(&mut self, hash: u64) {
        let word = self.word(hash);
        if let Some(word) = self.words.get_mut(word) {
            *word |= 1 << (hash & 63);
        }
    }

    #[inline]
    pub(super) fn may_have(&self, hash: u64) -> bool {
        self.words.get(self.word(hash)).is_some_and(|word| word >> (hash & 63) & 1 == 1)
    }

    fn word(&self, hash: u64) -> usize {
        (hash >> 6) as usize & self.words.len().wrapping_sub(1)
    }
}
