//! Checks that tell cheaply that two texts are not near, so that few need be compared.

use super::MAX_COMPARED;

/// How often the characters of each of sixteen groups occur in a text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Letters([u16; 16]);

impl Letters {
    pub(super) fn of(characters: &[char]) -> Letters {
        let mut letters = Letters::default();
        for &character in characters {
            let group = (character as u32).wrapping_mul(0x9E37_79B9) >> 28;
            letters.0[group as usize] += 1;
        }
        letters
    }

    /// An edit changes two of the numbers by one at most.
    pub(super) fn need_more_edits_than(&self, edits: usize, other: &Letters) -> bool {
        let difference: u32 = self.0.iter().zip(&other.0).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
        difference as usize > 2 * edits
    }
}

/// A set of lengths, up to the longest that is compared.
#[derive(Clone, Debug, Default)]
pub(super) struct Lengths([u64; MAX_COMPARED / 64 + 1]);

impl Lengths {
    pub(super) fn add(&mut self, length: usize) {
        if let Some(word) = self.0.get_mut(length / 64) {
            *word |= 1 << (length % 64);
        }
    }

    /// Is there one from the first to the last of these?
    pub(super) fn any(&self, first: usize, last: usize) -> bool {
        let last = last.min(MAX_COMPARED);
        let bits = |word: usize| {
            let from = if word == first / 64 { u64::MAX << (first % 64) } else { u64::MAX };
            let to = if word == last / 64 { u64::MAX >> (63 - last % 64) } else { u64::MAX };
            self.0[word] & from & to
        };
        first <= last && (first / 64..=last / 64).any(|word| bits(word) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_found_between_their_borders() {
        let mut lengths = Lengths::default();
        [8, 63, 64, 1_000].into_iter().for_each(|length| lengths.add(length));
        for first in 0..=MAX_COMPARED + 1 {
            for width in [0, 1, 7, 64, 130, 2_000] {
                let band = first..=first + width;
                let expected = [8, 63, 64, 1_000].iter().any(|length| band.contains(length));
                assert_eq!(lengths.any(first, first + width), expected, "{band:?}");
            }
        }
    }
}
