//! What single words and class names say of a block, as learned from labelled pages: logarithms of odds, kept by hash.
//!
//! A class name or a word is evidence and never a verdict. The odds of all that are met are summed up into a few numbers,
//! which the model weighs against the shape of the page.

/// Logarithms of odds by the hash of a word; unknown words say nothing.
///
/// ```
/// use tamis::fused::odds::Odds;
///
/// let odds = Odds::new([(7, 1.5), (3, -2.0)]);
/// assert_eq!((odds.of(3), odds.of(9)), (Some(-2.0), None));
/// assert_eq!(odds.entries().len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Odds {
    /// Sorted by hash. Odds are in sixteenths.
    entries: Vec<(u32, i8)>,
    /// For each value of the first bits of a hash, where its entries begin.
    starts: Vec<u32>,
}

/// How many first bits there are: with some thousand entries, one or two begin with the same.
const FIRST_BITS: u32 = 12;

/// One step of the kept odds.
const STEP: f32 = 1.0 / 16.0;

impl Odds {
    /// From hashes and logarithms of odds, in any order.
    pub fn new(entries: impl IntoIterator<Item = (u32, f32)>) -> Odds {
        let pack = |odds: f32| (odds / STEP).round().clamp(-127.0, 127.0) as i8;
        let mut entries: Vec<_> = entries.into_iter().map(|(hash, odds)| (hash, pack(odds))).collect();
        entries.sort_unstable();
        entries.dedup_by_key(|entry| entry.0);
        Odds { starts: starts(&entries), entries }
    }

    /// What a word says, if it is known.
    pub fn of(&self, hash: u32) -> Option<f32> {
        let first = (hash >> (32 - FIRST_BITS)) as usize;
        let (from, to) = (*self.starts.get(first)?, *self.starts.get(first + 1)?);
        let alike = self.entries.get(from as usize..to as usize)?;
        alike.iter().find(|entry| entry.0 == hash).map(|entry| f32::from(entry.1) * STEP)
    }

    /// The words, by hash.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (u32, f32)> + '_ {
        self.entries.iter().map(|(hash, odds)| (*hash, f32::from(*odds) * STEP))
    }
}

/// For each value of the first bits and for the one behind them, how many entries begin with less.
fn starts(entries: &[(u32, i8)]) -> Vec<u32> {
    if entries.is_empty() {
        return Vec::new();
    }
    let values = 1 << FIRST_BITS;
    let mut starts = Vec::with_capacity(values + 1);
    for (place, entry) in entries.iter().enumerate() {
        let first = (entry.0 >> (32 - FIRST_BITS)) as usize;
        starts.resize(starts.len().max(first + 1), place as u32);
    }
    starts.resize(values + 1, entries.len() as u32);
    starts
}

/// What several words say together.
///
/// ```
/// let nothing = tamis::fused::odds::Said::default();
/// assert_eq!((nothing.sum, nothing.known), (0.0, 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Said {
    /// The sum of the odds.
    pub sum: f32,
    /// The lowest of them, at most 0.
    pub least: f32,
    /// The highest of them, at least 0.
    pub most: f32,
    /// How many were known.
    pub known: u32,
    /// How many there were.
    pub words: u32,
}

impl Said {
    pub(crate) fn hear(&mut self, odds: Option<f32>) {
        self.words += 1;
        if let Some(odds) = odds {
            self.sum += odds;
            self.least = self.least.min(odds);
            self.most = self.most.max(odds);
            self.known += 1;
        }
    }

    /// All that other words say as well.
    pub(crate) fn join(&mut self, other: &Said) {
        self.sum += other.sum;
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
        self.known += other.known;
        self.words += other.words;
    }
}

const SEED: u32 = 0x811C_9DC5;

const STEP_ON: u32 = 0x0100_0193;
/// A character of ASCII is three bytes of which two are 0.
const THREE_STEPS: u32 = STEP_ON.wrapping_mul(STEP_ON).wrapping_mul(STEP_ON);

fn hash_on(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(STEP_ON)
}

fn hash_character(hash: u32, character: char) -> u32 {
    [0, 8, 16].into_iter().fold(hash, |hash, shift| hash_on(hash, (character as u32 >> shift) as u8))
}

/// The hashes of the words in a `class` or `id`: cut at everything that is no letter, and where a capital follows a small
/// letter; words of one letter are left out.
///
/// ```
/// use tamis::fused::odds::class_words;
///
/// let words = |value: &str| {
///     let mut words = Vec::new();
///     class_words(value, |word| words.push(word));
///     words
/// };
/// assert_eq!(words("post-body"), words("PostBody"));
/// ```
pub fn class_words(value: &str, mut word: impl FnMut(u32)) {
    let mut rest = value.as_bytes();
    while let Some(begin) = rest.iter().position(u8::is_ascii_alphabetic) {
        rest = &rest[begin..];
        let (mut hash, mut length, mut was_small) = (SEED, 0, false);
        for byte in rest {
            let small = byte | 0x20;
            let is_small = small == *byte;
            if !small.is_ascii_lowercase() || (was_small && !is_small) {
                break;
            }
            hash = hash_on(hash, small);
            length += 1;
            was_small = is_small;
        }
        if length > 1 {
            word(hash);
        }
        rest = &rest[length..];
    }
}

/// The hashes of the first `most` words of a text. Of scripts without spaces, every two neighbouring characters are one.
///
/// ```
/// use tamis::fused::odds::text_words;
///
/// let mut count = 0;
/// text_words("Read more about it", 3, |_| count += 1);
/// assert_eq!(count, 3);
/// ```
pub fn text_words(text: &str, most: usize, mut word: impl FnMut(u32)) {
    use crate::characters::{Class, class, has_small, is_number};

    let mut left = most;
    let (mut hash, mut length, mut before) = (SEED, 0, None);
    for character in text.chars().chain([' ']) {
        if left == 0 {
            return;
        }
        // Most characters, and none of them is a word by itself.
        if character.is_ascii() {
            before = None;
            let small = SMALL[character as usize % SMALL.len()];
            if small == 0 {
                if length > 0 {
                    word(hash ^ 0x5555_5555);
                    (hash, length) = (SEED, 0);
                    left -= 1;
                }
                continue;
            }
            if small != b'0' || length == 0 {
                hash = (hash ^ u32::from(small)).wrapping_mul(THREE_STEPS);
            }
            length += 1;
            continue;
        }
        let class = class(character);
        if class == Class::PartOfWord {
            if is_number(character) {
                if length == 0 {
                    hash = hash_character(hash, '0');
                }
            } else if has_small(character) {
                hash = character.to_lowercase().fold(hash, hash_character);
            } else {
                hash = hash_character(hash, character);
            }
            length += 1;
        } else if length > 0 {
            word(hash ^ 0x5555_5555);
            (hash, length) = (SEED, 0);
            left -= 1;
        }
        if class == Class::WholeWord {
            if let Some(before) = before {
                let pair =
                    (before as u32).wrapping_mul(0x9E37_79B1) ^ (character as u32).wrapping_mul(0x85EB_CA77);
                word(pair ^ 0x3333_3333);
                left -= 1;
            }
            before = Some(character);
        } else {
            before = None;
        }
    }
}

/// The characters of ASCII that are parts of words, in small letters; 0 for all others. Numbers are all alike: a year, a count.
static SMALL: [u8; 128] = {
    let mut table = [0; 128];
    let mut byte = 0;
    while byte < 128_u8 {
        if byte.is_ascii_digit() {
            table[byte as usize] = b'0';
        } else if byte.is_ascii_alphabetic() {
            table[byte as usize] = byte.to_ascii_lowercase();
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(value: &str) -> Vec<u32> {
        let mut words = Vec::new();
        class_words(value, |word| words.push(word));
        words
    }

    #[test]
    fn class_names_are_cut_into_words() {
        assert_eq!(classes("post-body"), classes("postBody"));
        assert_eq!(classes("post_body 12"), classes("POST body"));
        assert_eq!(classes("a b c"), [] as [u32; 0]);
        assert_eq!(classes("entry").len(), 1);
    }

    #[test]
    fn words_of_every_script() {
        let words = |text: &str| {
            let mut words = Vec::new();
            text_words(text, 8, |word| words.push(word));
            words
        };
        assert_eq!(words("Read more"), words("read  MORE"));
        assert_eq!(words("责任编辑").len(), 3);
        assert_eq!(words("2010 12"), [words("1")[0], words("7")[0]]);
        assert_eq!(words("one two three four five six seven eight nine").len(), 8);
    }

    #[test]
    fn one_way_of_hashing_for_all_scripts() {
        let bytes = |word: &str| {
            let bytes =
                word.chars().flat_map(|c| [c as u32 as u8, (c as u32 >> 8) as u8, (c as u32 >> 16) as u8]);
            bytes.fold(SEED, hash_on) ^ 0x5555_5555
        };
        for word in ["ferry", "паром", "naïve", "a"] {
            let mut heard = Vec::new();
            text_words(word, 1, |word| heard.push(word));
            assert_eq!(heard, [bytes(word)], "{word}");
        }
    }

    #[test]
    fn unknown_words_say_nothing() {
        let odds = Odds::new([(7, 1.5), (3, -2.0)]);
        assert_eq!((odds.of(3), odds.of(7), odds.of(9)), (Some(-2.0), Some(1.5), None));
    }
}
