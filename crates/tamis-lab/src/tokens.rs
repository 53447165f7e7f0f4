//! Tokens: what texts are compared by.
//!
//! A text is put into compatibility form (NFKC) and lower case. Every Han, Kana and Thai character is a token by itself,
//! since no white space tells words apart there; elsewhere a token is a run of letters and digits, with the marks
//! that combine with them. All else stands between tokens.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use crate::letters::is_letter_or_digit;

/// The text in the form in which it is compared: NFKC, lower case.
///
/// ```
/// assert_eq!(tamis_lab::tokens::normal("Ｔａｍｉｓ ﬁne"), "tamis fine");
/// ```
pub fn normal(text: &str) -> String {
    let composed = match text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.nfkc().collect()),
    };
    composed.to_lowercase()
}

/// The tokens of a text that is in [normal] form.
///
/// ```
/// use tamis_lab::tokens::{normal, tokens};
///
/// let text = normal("It rained 12,5 mm in 北京.");
/// assert_eq!(tokens(&text).collect::<Vec<_>>(), ["it", "rained", "12", "5", "mm", "in", "北", "京"]);
/// ```
pub fn tokens(text: &str) -> impl Iterator<Item = &str> {
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

/// A token by itself: Han, Kana, Thai.
fn is_single(character: char) -> bool {
    matches!(character as u32,
        0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_23AF | 0x3005 | 0x3007
        | 0x3041..=0x3096 | 0x309D..=0x309F | 0x30A1..=0x30FA | 0x30FC..=0x30FF | 0x31F0..=0x31FF
        | 0x0E01..=0x0E3A | 0x0E40..=0x0E4E | 0x0E50..=0x0E59)
}

/// Goes on with a token that has begun: combining marks, Hebrew points, Arabic vowels, and the scripts of India.
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
    fn words_numbers_and_underscores() {
        assert_eq!(of("snake_case don't 3.14 _x_"), ["snake", "case", "don", "t", "3", "14", "x"]);
    }

    #[test]
    fn marks_stay_with_their_letters_and_begin_nothing() {
        assert_eq!(of("हिन्दी मार्ग"), ["हिन्दी", "मार्ग"]);
        assert_eq!(of("مُدَرِّس"), ["مُدَرِّس"]);
        assert_eq!(of(" \u{301} \u{64B}x"), ["x"]);
    }

    #[test]
    fn thai_is_cut_between_all_characters_its_marks_among_them() {
        assert_eq!(of("ที่ a"), ["ท", "ี", "่", "a"]);
    }

    #[test]
    fn kana_with_a_voicing_mark_of_its_own_is_one_character_after_nfkc() {
        assert_eq!(of("ｶﾞ ー"), ["ガ", "ー"]);
    }

    #[test]
    fn lower_case_knows_the_final_sigma() {
        assert_eq!(of("ΟΔΟΣ ΟΔΟΣΑ"), ["οδος", "οδοσα"]);
    }

    #[test]
    fn presentation_forms_are_letters() {
        assert_eq!(of("\u{FEAE}\u{FEAD}"), ["\u{631}\u{631}"]);
    }

    /// The definition, character by character.
    fn plainly(text: &str) -> Vec<String> {
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
        fn tokens_are_what_the_definition_says(text in "[a-cÀ-Ã0-9_ .,ก-์あ-う一-三ا-جً-ِ०-४ा-ू\u{300}-\u{303}]{0,40}") {
            let text = normal(&text);
            prop_assert_eq!(tokens(&text).map(str::to_owned).collect::<Vec<_>>(), plainly(&text));
        }

        #[test]
        fn any_text_has_tokens_without_trouble(text in "\\PC{0,60}") {
            let text = normal(&text);
            prop_assert_eq!(tokens(&text).map(str::to_owned).collect::<Vec<_>>(), plainly(&text));
        }
    }
}
