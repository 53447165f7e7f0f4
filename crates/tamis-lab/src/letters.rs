//! Letters, digits and white space for scoring.
//!
//! Published scores were computed in Python, whose definitions differ slightly from Rust's standard library: a letter
//! is defined by its general category alone, so vowel signs and other marks are not letters.

use std::sync::LazyLock;

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// A bit per character of the Basic Multilingual Plane. Every character of every text is looked up; a search in Unicode
/// ranges would take a tenth of the time of an evaluation.
static BASIC_PLANE: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let bit = |code: u32| u64::from(char::from_u32(code).is_some_and(by_category)) << (code % 64);
    (0..0x400).map(|word| (word * 64..word * 64 + 64).map(bit).fold(0, |bits, bit| bits | bit)).collect()
});

/// Letters and numbers of every script, but no marks.
pub(crate) fn is_letter_or_digit(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric();
    }
    let code = character as usize;
    match BASIC_PLANE.get(code / 64) {
        Some(word) => word >> (code % 64) & 1 == 1,
        None => by_category(character),
    }
}

fn by_category(character: char) -> bool {
    matches!(character.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number)
}

/// The value of a decimal digit of any script.
pub(crate) fn digit(character: char) -> Option<u32> {
    if character.is_ascii() {
        return character.to_digit(10);
    }
    if character.general_category() != GeneralCategory::DecimalNumber {
        return None;
    }
    // The digits of a script are consecutive from 0 to 9: the value is the number of digits before this one.
    let code = character as u32;
    let earlier = (0..10).map_while(|back| {
        let before = char::from_u32(code.checked_sub(back)?)?;
        (before.general_category() == GeneralCategory::DecimalNumber).then_some(back)
    });
    Some(earlier.last().unwrap_or(0))
}

/// White space, including the information separators, as in Python.
pub(crate) fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1C}'..='\u{1F}').contains(&character)
}

/// Collapses every run of white space into one space.
pub(crate) fn fold_space(text: impl Iterator<Item = char>) -> String {
    let mut folded = String::new();
    let mut in_space = false;
    for character in text {
        let space = is_space(character);
        if !space {
            folded.push(character);
        } else if !in_space {
            folded.push(' ');
        }
        in_space = space;
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_not_letters() {
        assert!(is_letter_or_digit('क') && is_letter_or_digit('٣') && is_letter_or_digit('½'));
        assert!(!is_letter_or_digit('ि') && !is_letter_or_digit('_') && !is_letter_or_digit('،'));
    }

    #[test]
    fn the_table_agrees_with_the_categories() {
        let all = (0..0x3_0000).filter_map(char::from_u32);
        assert!(all.filter(|c| !c.is_ascii()).all(|c| is_letter_or_digit(c) == by_category(c)));
    }

    #[test]
    fn digits_of_other_scripts_have_values() {
        assert_eq!((digit('7'), digit('٧'), digit('९'), digit('０')), (Some(7), Some(7), Some(9), Some(0)));
        assert_eq!((digit('²'), digit('x'), digit('七')), (None, None, None));
    }

    #[test]
    fn runs_of_white_space_collapse() {
        assert_eq!(fold_space(" a\u{A0}\n\u{1F}b\u{3000}".chars()), " a b ");
    }
}
