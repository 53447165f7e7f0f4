//! Candidates for a field: each value collects named signs; the sum of the signs' weights decides.
//!
//! Weights are files under `data/weights/`, fitted by `examples/metadata_eval.rs --fit` as a softmax over the candidates of a
//! page. So the share of the chosen candidate is its confidence.

use std::borrow::Cow;
use std::fmt;
use std::hash::Hash;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use crate::text::characters::is_alphanumeric;
use crate::text::hash::FastMap;

/// Declares [`Evidence`]: variant, printed name, documentation.
macro_rules! evidence {
    ($($variant:ident $name:literal $doc:literal,)*) => {
        /// Where a value was found.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
        #[non_exhaustive]
        pub enum Evidence { $(#[doc = $doc] $variant),* }

        impl fmt::Display for Evidence {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Evidence::$variant => $name),* })
            }
        }
    };
}

evidence! {
    SiteRule "site rule" "A rule of the user for the site.",
    Hint "hint" "What the caller knows from elsewhere, such as a feed.",
    JsonLd "JSON-LD" "A JSON-LD script.",
    Microdata "microdata" "Microdata or RDFa.",
    Meta "meta" "A `meta` element.",
    TitleElement "<title>" "The `<title>` element.",
    Heading "heading" "A heading.",
    TimeElement "<time>" "A `time` element.",
    Link "link" "A link with `rel`, or one whose text says where it leads.",
    ClassName "class name" "An element whose class says what it is.",
    Label "label" "A line beside the text with a label.",
    Text "text" "Any other line.",
    Address "address" "The address of the page.",
    Attribute "attribute" "The `lang` or `dir` attribute.",
    Header "header" "A response header.",
}

/// Signs of one field, declared with [`signs!`].
pub(crate) trait Sign: Copy + 'static {
    /// Names, in bit order; the keys of the weight file.
    const NAMES: &'static [&'static str];
    /// Position in `NAMES`.
    fn bit(self) -> u32;
    /// Weights, in the order of `NAMES`.
    fn weights() -> &'static [f32];
}

/// Declares an enum of signs and the file with their weights.
macro_rules! signs {
    ($sign:ident, $file:literal, $($variant:ident $name:literal,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $sign { $($variant),* }

        impl crate::metadata::candidate::Sign for $sign {
            const NAMES: &'static [&'static str] = &[$($name),*];

            fn bit(self) -> u32 {
                self as u32
            }

            fn weights() -> &'static [f32] {
                static WEIGHTS: std::sync::LazyLock<Vec<f32>> = std::sync::LazyLock::new(|| {
                    crate::metadata::candidate::parse_weights(
                        include_str!(concat!("../../data/weights/", $file, ".tsv")),
                        <$sign as crate::metadata::candidate::Sign>::NAMES,
                    )
                });
                &WEIGHTS
            }
        }
    };
}
pub(crate) use signs;

/// Reads lines of sign and weight. Signs without a line weigh nothing.
pub(crate) fn parse_weights(lines: &str, names: &[&str]) -> Vec<f32> {
    let mut weights = vec![0.0; names.len()];
    for (name, weight) in lines.lines().filter_map(|line| line.split_once('\t')) {
        if let Some(place) = names.iter().position(|known| *known == name) {
            weights[place] = weight.trim().parse().unwrap_or(0.0);
        }
    }
    weights
}

/// A set of signs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signs(u128);

impl Signs {
    pub(crate) fn add(&mut self, sign: impl Sign) {
        self.0 |= 1 << sign.bit();
    }

    pub(crate) fn add_if(&mut self, condition: bool, sign: impl Sign) {
        if condition {
            self.add(sign);
        }
    }

    pub(crate) fn has(self, sign: impl Sign) -> bool {
        self.0 >> sign.bit() & 1 == 1
    }

    pub(crate) fn has_any<S: Sign>(self, signs: &[S]) -> bool {
        signs.iter().any(|sign| self.has(*sign))
    }

    pub(crate) fn merge(&mut self, other: Signs) {
        self.0 |= other.0;
    }

    /// The sum of the weights.
    pub(crate) fn score<S: Sign>(self) -> f32 {
        self.weights::<S>().sum()
    }

    /// The weights of the signs, in the order of [`names`](Self::names).
    pub(crate) fn weights<S: Sign>(self) -> impl Iterator<Item = f32> {
        let weights = S::weights().iter().enumerate();
        weights.filter(move |(bit, _)| self.0 >> bit & 1 == 1).map(|(_, weight)| *weight)
    }

    /// The names of the signs.
    pub(crate) fn names<S: Sign>(self) -> Vec<&'static str> {
        S::NAMES.iter().enumerate().filter(|(bit, _)| self.0 >> bit & 1 == 1).map(|(_, name)| *name).collect()
    }
}

/// A value that may be the field's.
#[derive(Clone, Debug)]
pub(crate) struct Candidate<K, V> {
    /// Values with equal keys are one candidate.
    pub(crate) key: K,
    pub(crate) value: V,
    pub(crate) evidence: Evidence,
    pub(crate) signs: Signs,
}

/// The candidates of a field, in the order in which they were found.
#[derive(Debug)]
pub(crate) struct Pool<K, V> {
    pub(crate) candidates: Vec<Candidate<K, V>>,
    by_key: FastMap<K, usize>,
    max: usize,
}

impl<K: Hash + Eq + Clone, V> Pool<K, V> {
    pub(crate) fn new(max: usize) -> Pool<K, V> {
        Pool { candidates: Vec::new(), by_key: FastMap::default(), max }
    }

    /// The candidate with this key, which is new or not. The first value and evidence stay.
    pub(crate) fn candidate(&mut self, key: K, value: V, evidence: Evidence) -> Option<&mut Candidate<K, V>> {
        let place = match self.by_key.get(&key) {
            Some(place) => *place,
            None if self.candidates.len() < self.max => {
                self.by_key.insert(key.clone(), self.candidates.len());
                self.candidates.push(Candidate { key, value, evidence, signs: Signs::default() });
                self.candidates.len() - 1
            }
            None => return None,
        };
        self.candidates.get_mut(place)
    }

    pub(crate) fn get(&self, key: &K) -> Option<&Candidate<K, V>> {
        self.by_key.get(key).map(|place| &self.candidates[*place])
    }

    /// The best candidate and its share of the softmax. With `may_be_none`, no candidate counts as one of score 0.
    pub(crate) fn choose<S: Sign>(&self, may_be_none: bool) -> Option<(usize, f32)> {
        let scores: Vec<f32> = self.candidates.iter().map(|candidate| candidate.signs.score::<S>()).collect();
        let (mut best, mut highest) = (None, if may_be_none { 0.0 } else { f32::NEG_INFINITY });
        for (place, score) in scores.iter().enumerate() {
            if *score > highest {
                (best, highest) = (Some(place), *score);
            }
        }
        let none = if may_be_none { libm::expf(-highest) } else { 0.0 };
        let sum: f32 = none + scores.iter().map(|score| libm::expf(score - highest)).sum::<f32>();
        best.map(|place| (place, 1.0 / sum))
    }

    /// The share of the softmax of all candidates that agree, no candidate counting as one of score 0.
    pub(crate) fn share<S: Sign>(&self, agrees: impl Fn(&V) -> bool) -> f32 {
        let weight = |candidate: &Candidate<K, V>| libm::expf(candidate.signs.score::<S>());
        let of = |agreeing: bool| -> f32 {
            self.candidates.iter().filter(|it| agrees(&it.value) == agreeing).map(weight).sum()
        };
        let own = of(true);
        own / (1.0 + own + of(false))
    }
}

/// Letters and digits in lowercase, compatibility forms folded: what two spellings of one text have in common.
pub(crate) fn comparison_key(text: &str) -> String {
    if text.is_ascii() {
        // Branch-free: what is neither letter nor digit is overwritten by the next byte.
        let (mut key, mut length) = (vec![0; text.len()], 0);
        for byte in text.bytes() {
            let own = ASCII_KEYS[usize::from(byte)];
            key[length] = own;
            length += usize::from(own != 0);
        }
        key.truncate(length);
        return String::from_utf8(key).unwrap_or_default();
    }
    let mut key = String::with_capacity(text.len());
    // Most characters stay as they are: they are copied in runs.
    let mut start = 0;
    for (at, character) in text.char_indices() {
        let class = KEY_CLASSES.get(character as usize).copied().unwrap_or_else(|| key_class(character));
        if class == KeyClass::Rare {
            return slow_comparison_key(text);
        }
        let own = match class {
            KeyClass::Capital => char::from_u32(character as u32 + 32),
            KeyClass::Letter => Some(character),
            _ => None,
        };
        if own != Some(character) {
            key.push_str(&text[start..at]);
            key.extend(own);
            start = at + character.len_utf8();
        }
    }
    key.push_str(&text[start..]);
    key
}

/// What each byte of ASCII adds to a key, or 0.
const ASCII_KEYS: [u8; 256] = {
    let (mut keys, mut byte) = ([0; 256], 0_u8);
    while byte < 128 {
        if byte.is_ascii_alphanumeric() {
            keys[byte as usize] = byte.to_ascii_lowercase();
        }
        byte += 1;
    }
    keys
};

/// What a character adds to a key, if that needs no tables of Unicode.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyClass {
    /// Nothing.
    Mark,
    /// Itself.
    Letter,
    /// The small letter 32 places behind it.
    Capital,
    /// It decomposes, has a special small letter, or is rare. Marks that combine with the letter before them are rare.
    Rare,
}

static KEY_CLASSES: [KeyClass; 0x3100] = {
    let (mut classes, mut code_point) = ([KeyClass::Rare; 0x3100], 0);
    while code_point < 0x3100 {
        if let Some(character) = char::from_u32(code_point) {
            classes[code_point as usize] = key_class(character);
        }
        code_point += 1;
    }
    classes
};

const fn key_class(character: char) -> KeyClass {
    match character {
        'A'..='Z' | 'À'..='Ö' | 'Ø'..='Þ' | 'А'..='Я' => KeyClass::Capital,
        'a'..='z' | '0'..='9' | 'ß'..='ö' | 'ø'..='ÿ' | 'а'..='я' => KeyClass::Letter,
        '\u{621}'..='\u{63a}' | '\u{641}'..='\u{64a}' | '\u{679}'..='\u{6d3}' | '\u{6d5}' => KeyClass::Letter,
        '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' => KeyClass::Letter,
        // Spaces, quotation marks, dashes and the marks of Chinese sentences.
        '\0'..='\x7f' | '\u{a0}' | '«' | '»' | '·' | '\u{2010}'..='\u{2027}' => KeyClass::Mark,
        '\u{3000}'..='\u{3003}' | '\u{3008}'..='\u{3011}' => KeyClass::Mark,
        '，' | '：' | '；' | '！' | '？' | '（' | '）' | '،' | '؟' => KeyClass::Mark,
        _ => KeyClass::Rare,
    }
}

fn slow_comparison_key(text: &str) -> String {
    // Most text is already NFKC, and checking is cheaper than normalising.
    let text = match is_nfkc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfkc().collect()),
    };
    text.chars().flat_map(char::to_lowercase).filter(|character| is_alphanumeric(*character)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy)]
    struct TestSign(u32);

    impl Sign for TestSign {
        const NAMES: &'static [&'static str] = &["good", "bad"];

        fn bit(self) -> u32 {
            self.0
        }

        fn weights() -> &'static [f32] {
            &[1.0, -2.0]
        }
    }

    #[test]
    fn the_highest_sum_wins_unless_nothing_is_better() {
        let mut pool: Pool<&str, ()> = Pool::new(2);
        pool.candidate("a", (), Evidence::Meta).unwrap().signs.add(TestSign(1));
        assert_eq!(pool.choose::<TestSign>(true), None);
        assert_eq!(pool.choose::<TestSign>(false).map(|(place, _)| place), Some(0));
        pool.candidate("b", (), Evidence::Meta).unwrap().signs.add(TestSign(0));
        assert!(pool.candidate("c", (), Evidence::Meta).is_none());
        let (place, confidence) = pool.choose::<TestSign>(true).unwrap();
        assert_eq!(place, 1);
        assert!((0.69..0.73).contains(&confidence), "{confidence}");
    }

    #[test]
    fn keys_compare_letters_and_digits() {
        for (text, expected) in [
            ("Rain, at LAST!", "rainatlast"),
            ("ＲＡＩＮ　１２", "rain12"),
            ("e\u{301}t\u{e9}", "été"),
            ("终于下雨了 - 2010", "终于下雨了2010"),
        ] {
            assert_eq!(comparison_key(text), expected);
        }
    }
}
