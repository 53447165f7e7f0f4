//! Sketches of texts for finding duplicates: a digest of the whole text, and a MinHash of its 5-word shingles.
//!
//! One permutation hashing with optimal densification: each shingle falls into one of 128 bins by its hash, the
//! smallest hash of a bin is its value, and an empty bin copies another one. The share of equal bins estimates the
//! Jaccard similarity of the shingles. Sixteen bands of eight bins each find candidates, and the last eight bits of all
//! bins estimate their similarity: 95 % of the pairs that share 80 % of their shingles are found, and nearly all that
//! share 90 %.
//!
//! ```
//! use tamis_batch::{Near, Sketch};
//!
//! let text = "It rained in the harbour on Monday, for the first time since the spring, and the gardens were glad.";
//! let sketch = |text: &str| Sketch::of(text, true).unwrap();
//! let (one, other) = (sketch(text), sketch(&text.to_uppercase()));
//! assert_ne!(one.digest, other.digest);
//! let (one, other) = (one.near.unwrap(), other.near.unwrap());
//! assert_eq!(one.bands, other.bands);
//! assert!(Near::likeness(&one.bins, &other.bins) > 0.99);
//! ```

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

pub(crate) const BINS: usize = 128;
pub(crate) const BANDS: usize = 16;
const RUN: usize = 5;

/// A fingerprint of a text: equal for equal texts, and similar for similar ones.
///
/// A sketch depends on nothing but the text, so it can be stored and compared on other machines.
#[derive(Clone, PartialEq, Debug)]
pub struct Sketch {
    /// The digest of the trimmed text.
    pub digest: u128,
    /// The MinHash; `None` if not requested or if the text has no words.
    pub near: Option<Box<Near>>,
}

/// A MinHash of the 5-word shingles of a text.
///
/// To find similar texts, look up those that share any band (at the same index), then compare bins with
/// [`Near::likeness`].
#[derive(Clone, PartialEq, Debug)]
pub struct Near {
    /// Hashes of eight bins each. Texts that share 80 % of their shingles share a band in 95 % of cases.
    pub bands: [u64; BANDS],
    /// The last eight bits of all bins.
    pub bins: [u8; BINS],
}

impl Sketch {
    /// The sketch of a text, with [`Sketch::near`] if `near` is set. `None` for an empty text: empty pages are not
    /// duplicates of each other.
    pub fn of(text: &str, near: bool) -> Option<Sketch> {
        let text = text.trim();
        (!text.is_empty()).then(|| Sketch {
            digest: xxh3_128(text.as_bytes()),
            near: near.then(|| Near::of(text)).flatten().map(Box::new),
        })
    }
}

impl Near {
    /// `None` without words.
    fn of(text: &str) -> Option<Near> {
        let mut values = [u64::MAX; BINS];
        let mut run = [0_u64; RUN];
        let mut count = 0_usize;
        each_word(text, |word| {
            run.rotate_left(1);
            run[RUN - 1] = word;
            count += 1;
            if count >= RUN {
                put(&mut values, hash_of(&run));
            }
        });
        if count == 0 {
            return None;
        }
        if count < RUN {
            put(&mut values, hash_of(&run));
        }
        fill_empty(&mut values);
        let mut bands = [0; BANDS];
        for (number, (band, part)) in bands.iter_mut().zip(values.chunks(BINS / BANDS)).enumerate() {
            let bytes: Vec<u8> = part.iter().flat_map(|value| value.to_le_bytes()).collect();
            *band = xxh3_64(&bytes) ^ mixed(number as u64 + 1);
        }
        Some(Near { bands, bins: values.map(|value| value as u8) })
    }

    /// The estimated Jaccard similarity of the shingles, from 0 to 1.
    pub fn likeness(one: &[u8; BINS], other: &[u8; BINS]) -> f32 {
        let same = one.iter().zip(other).filter(|(one, other)| one == other).count() as f32 / BINS as f32;
        // One bin in 256 agrees by chance.
        ((same - 1.0 / 256.0) / (1.0 - 1.0 / 256.0)).max(0.0)
    }
}

fn hash_of(run: &[u64; RUN]) -> u64 {
    run.iter().fold(0x9E37_79B9_7F4A_7C15, |hash, word| mixed(hash ^ word))
}

fn put(values: &mut [u64; BINS], hash: u64) {
    // The upper seven bits select the bin, the others are its value.
    let bin = (hash >> 57) as usize;
    values[bin] = values[bin].min(hash & (u64::MAX >> 7));
}

fn fill_empty(values: &mut [u64; BINS]) {
    let filled = *values;
    for (bin, value) in values.iter_mut().enumerate() {
        let mut attempt = 0_u64;
        while *value == u64::MAX {
            attempt += 1;
            let from = mixed((bin as u64) << 32 | attempt) as usize % BINS;
            *value = filled[from];
        }
    }
}

/// The finaliser of SplitMix64.
fn mixed(mut number: u64) -> u64 {
    number ^= number >> 30;
    number = number.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    number ^= number >> 27;
    number = number.wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

/// The words in lower case; in scripts without spaces, each character is a word.
fn each_word(text: &str, mut take: impl FnMut(u64)) {
    let mut word = 0_u64;
    let mut is_in = false;
    for c in text.chars() {
        let alone = stands_alone(c);
        if is_in && (alone || !c.is_alphanumeric()) {
            take(mixed(word));
            is_in = false;
        }
        if alone {
            take(mixed(u64::from(c) + 1));
        } else if c.is_alphanumeric() {
            if !is_in {
                word = 0;
                is_in = true;
            }
            for lower in c.to_lowercase() {
                word = (word ^ u64::from(lower)).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(5);
            }
        }
    }
    if is_in {
        take(mixed(word));
    }
}

fn stands_alone(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
        && c.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(text: &str) -> Near {
        *Sketch::of(text, true).unwrap().near.unwrap()
    }

    fn words(from: usize, to: usize) -> String {
        (from..to).map(|number| format!("word{} ", number * number % 10_007)).collect()
    }

    #[test]
    fn likeness_is_the_share_of_common_runs() {
        for (shift, expected) in [(0, 1.0), (100, 0.82), (250, 0.6), (500, 0.33), (1000, 0.0)] {
            // Shingles of each: 1000; in common: 1000 - shift.
            let likeness =
                Near::likeness(&near(&words(0, 1004)).bins, &near(&words(shift, 1004 + shift)).bins);
            assert!((likeness - expected).abs() < 0.13, "{shift}: {likeness}, not {expected}");
        }
    }

    #[test]
    fn case_and_spaces_do_not_count() {
        assert_eq!(near("It rained, all day long."), near("IT RAINED -- all\nday   long"));
        assert_ne!(near("It rained, all day long."), near("It rained, all day short."));
        assert_eq!(near("下雨了，下了一整天。"), near("下雨了 下了一整天"));
        assert!(Sketch::of(" \n", true).is_none());
        assert!(Sketch::of("—", true).unwrap().near.is_none());
    }
}
