//! Rolling hashes of character n-grams, and a filter that rejects most absent ones.

use super::near_index::{CHARACTERS_PER_EDIT, MAX_SHORT_EDITS};

/// The longest gram. Pieces have seven or eight characters, fewer in short texts.
const MAX_GRAM: usize = 7;

const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

/// Length of the indexed prefix of a piece, at most that of the shortest piece with this many allowed edits.
pub(super) fn gram_length(edits: usize) -> usize {
    (edits * CHARACTERS_PER_EDIT / (edits + 1)).min(MAX_GRAM)
}

/// The index key of a gram. For short texts it includes the number of the piece.
pub(super) fn key(gram: u64, edits: usize, piece: usize) -> u64 {
    if edits > MAX_SHORT_EDITS {
        return unplaced_key(gram);
    }
    let place = 1 + (edits * (MAX_SHORT_EDITS + 1) + piece) as u64;
    mix(gram ^ place.wrapping_mul(BASE))
}

/// The key of a gram anywhere in a text.
pub(super) fn unplaced_key(gram: u64) -> u64 {
    mix(gram)
}

fn mix(gram: u64) -> u64 {
    let mixed = gram.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^ (mixed >> 32)
}

/// Rolling hash over grams of one length.
pub(super) struct Grams {
    length: usize,
    /// Factor of the character that leaves the window.
    leaving: u64,
}

impl Grams {
    pub(super) fn of_length(length: usize) -> Grams {
        Grams { length, leaving: BASE.wrapping_pow(length as u32) }
    }

    /// Calls `visit` with the position and hash of each gram.
    pub(super) fn for_each(&self, text: &[char], mut visit: impl FnMut(usize, u64)) {
        let Some(last) = text.len().checked_sub(self.length) else { return };
        let mut hash = self.first(text);
        visit(0, hash);
        for at in 0..last {
            let (leaving, entering) = (u64::from(text[at]), u64::from(text[at + self.length]));
            hash = hash
                .wrapping_mul(BASE)
                .wrapping_add(entering)
                .wrapping_sub(leaving.wrapping_mul(self.leaving));
            visit(at + 1, hash);
        }
    }

    /// The hash of the first gram.
    pub(super) fn first(&self, text: &[char]) -> u64 {
        let gram = text.iter().take(self.length);
        gram.fold(0_u64, |hash, &character| hash.wrapping_mul(BASE).wrapping_add(u64::from(character)))
    }
}

/// A Bloom filter that grows: false positives are possible, false negatives are not.
#[derive(Clone, Debug, Default)]
pub(super) struct GramFilter {
    /// A power of two of them, or none.
    words: Vec<u64>,
    hashes: Vec<u64>,
}

impl GramFilter {
    pub(super) fn insert(&mut self, hash: u64) {
        self.hashes.push(hash);
        // Thirty-two bits a hash: at most one false positive in thirty-two look-ups.
        if self.hashes.len() * 32 > self.words.len() * 64 {
            self.words = vec![0; (self.words.len() * 2).max(64)];
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

    pub(super) fn may_contain(&self, hash: u64) -> bool {
        self.words.get(self.word(hash)).is_some_and(|word| word >> (hash & 63) & 1 == 1)
    }

    fn word(&self, hash: u64) -> usize {
        (hash >> 6) as usize & self.words.len().wrapping_sub(1)
    }
}
