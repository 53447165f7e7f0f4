//! The tokens of scores.
//!
//! A text is normalised to NFKC and lower case. Presentation forms do not tell two Uyghur letters from the Arabic heh, and
//! NFKC makes heh of all three: they count as one letter, or a tool would lose by writing Uyghur correctly. Every Han, Kana and Thai character is a token, since these scripts do
//! not separate words; elsewhere a token is a run of letters and digits with their combining marks. Everything else
//! separates tokens.

use std::borrow::Cow;
use std::collections::HashMap;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use crate::letters::is_letter_or_digit;

/// Letters of Uyghur whose presentation forms are those of [`HEH`].
const LIKE_HEH: [char; 2] = ['\u{6D5}', '\u{6BE}'];
const HEH: &str = "\u{647}";

/// Normalises a text: NFKC, lower case, one letter for all that look like the Arabic heh.
pub(crate) fn normal(text: &str) -> String {
    let composed = match text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.nfkc().collect()),
    };
    let lower = composed.to_lowercase();
    if lower.contains(LIKE_HEH) { lower.replace(LIKE_HEH, HEH) } else { lower }
}

/// The tokens of a [normalised](normal) text.
pub(crate) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (start, first) = rest.char_indices().find(|(_, c)| is_single(*c) || is_letter_or_digit(*c))?;
        let from = &rest[start..];
        let length = match is_single(first) {
            true => first.len_utf8(),
            false => {
                from.find(|c| is_single(c) || !(is_letter_or_digit(c) || is_mark(c))).unwrap_or(from.len())
            }
        };
        rest = &from[length..];
        Some(&from[..length])
    })
}

/// Numbers of tokens, by first occurrence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary(HashMap<String, u32>);

impl Vocabulary {
    /// The number of a token, a new one if it is new.
    pub(crate) fn number(&mut self, token: &str) -> u32 {
        if let Some(number) = self.0.get(token) {
            return *number;
        }
        let next = self.0.len() as u32;
        self.0.insert(token.to_owned(), next);
        next
    }

    /// The number of a token, if it is known.
    pub(crate) fn get(&self, token: &str) -> Option<u32> {
        self.0.get(token).copied()
    }
}

/// Whether each character is a token: Han, Kana, Thai.
fn is_single(character: char) -> bool {
    matches!(character as u32,
        0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_23AF | 0x3005 | 0x3007
        | 0x3041..=0x3096 | 0x309D..=0x309F | 0x30A1..=0x30FA | 0x30FC..=0x30FF | 0x31F0..=0x31FF
        | 0x0E01..=0x0E3A | 0x0E40..=0x0E4E | 0x0E50..=0x0E59)
}

/// Whether the character continues a token: combining marks, Hebrew points, Arabic vowels, and Indic scripts.
fn is_mark(character: char) -> bool {
    matches!(character as u32,
        0x0300..=0x036F | 0x0591..=0x05C7 | 0x064B..=0x065F | 0x0670 | 0x0900..=0x0D7F)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(text: &str) -> Vec<String> {
        tokens(&normal(text)).map(str::to_owned).collect()
    }

    #[test]
    fn tokens_of_many_scripts() {
        for (text, tokens) in [
            ("snake_case don't 3.14 _x_", &["snake", "case", "don", "t", "3", "14", "x"][..]),
            // Marks continue tokens but do not start them.
            ("हिन्दी मार्ग", &["हिन्दी", "मार्ग"]),
            ("مُدَرِّس", &["مُدَرِّس"]),
            (" \u{301} \u{64B}x", &["x"]),
            ("ที่ a", &["ท", "ี", "่", "a"]),
            ("ｶﾞ ー", &["ガ", "ー"]),
            ("ΟΔΟΣ ΟΔΟΣΑ", &["οδος", "οδοσα"]),
            ("\u{FEAE}\u{FEAD}", &["\u{631}\u{631}"]),
        ] {
            assert_eq!(of(text), tokens);
        }
        assert_eq!(
            of("\u{6BE}\u{6D5}"),
            of("\u{FEEB}\u{FEE9}"),
            "Uyghur letters and their presentation forms"
        );
    }

    /// The definition, character by character.
    fn reference(text: &str) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut open = false;
        for c in text.chars() {
            if is_single(c) {
                found.push(c.to_string());
                open = false;
            } else if is_letter_or_digit(c) || (open && is_mark(c)) {
                match found.last_mut().filter(|_| open) {
                    Some(token) => token.push(c),
                    None => found.push(c.to_string()),
                }
                open = true;
            } else {
                open = false;
            }
        }
        found
    }

    proptest! {
        #[test]
        fn tokens_match_the_definition(text in "[a-cÀ-Ã0-9_ .,ก-์あ-う一-三ا-جً-ِ०-४ा-ू\u{300}-\u{303}]{0,40}") {
            let text = normal(&text);
            prop_assert_eq!(tokens(&text).map(str::to_owned).collect::<Vec<_>>(), reference(&text));
        }

        #[test]
        fn tokens_of_any_text_match_the_definition(text in "\\PC{0,60}") {
            let text = normal(&text);
            prop_assert_eq!(tokens(&text).map(str::to_owned).collect::<Vec<_>>(), reference(&text));
        }
    }
}
