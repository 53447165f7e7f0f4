//! What counts as a letter, a digit and white space when texts are compared.
//!
//! The figures of others were made in Python, whose ideas differ a little from those of Rust's standard library: a
//! letter is a matter of the general category alone, so that vowel signs and other marks are none.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Letters and numbers of every script, but no marks.
pub(crate) fn is_letter_or_digit(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric();
    }
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
    // Digits of a script stand in a row from nought to nine: those before this one count it.
    let code = character as u32;
    let nought = (0..10).map_while(|back| {
        let before = char::from_u32(code.checked_sub(back)?)?;
        (before.general_category() == GeneralCategory::DecimalNumber).then_some(back)
    });
    Some(nought.last().unwrap_or(0))
}

/// White space, the information separators among it.
pub(crate) fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1C}'..='\u{1F}').contains(&character)
}

/// The text with every run of white space as one space.
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
    fn marks_are_no_letters() {
        assert!(is_letter_or_digit('क') && is_letter_or_digit('٣') && is_letter_or_digit('½'));
        assert!(!is_letter_or_digit('ि') && !is_letter_or_digit('_') && !is_letter_or_digit('،'));
    }

    #[test]
    fn digits_of_other_scripts_have_their_value() {
        assert_eq!((digit('7'), digit('٧'), digit('९'), digit('０')), (Some(7), Some(7), Some(9), Some(0)));
        assert_eq!((digit('²'), digit('x'), digit('七')), (None, None, None));
    }

    #[test]
    fn runs_of_space_become_one() {
        assert_eq!(fold_space(" a\u{A0}\n\u{1F}b\u{3000}".chars()), " a b ");
    }
}
