//! Punctuation of prose.

use tamis::text::characters::{Flags, flags};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Marks of general category P that separate links rather than sentences, with their full-width forms.
const SEPARATORS: &str = "/·»#&@*\\／・＃＆＠＊＼";

/// Whether a character is punctuation of prose: general category P without connectors (`_`), dashes (`-`) and
/// [`SEPARATORS`].
pub(crate) fn is_punctuation(character: char) -> bool {
    if character.is_ascii_alphanumeric() || character == ' ' {
        return false;
    }
    matches!(
        character.general_category(),
        GeneralCategory::OpenPunctuation
            | GeneralCategory::ClosePunctuation
            | GeneralCategory::InitialPunctuation
            | GeneralCategory::FinalPunctuation
            | GeneralCategory::OtherPunctuation
    ) && !SEPARATORS.contains(character)
}

/// Number of punctuation marks in a text.
pub(crate) fn count(text: &str) -> u32 {
    text.chars().filter(|character| is_punctuation(*character)).count() as u32
}

/// Whether a character is part of a word of letters and digits, as opposed to scripts written without spaces.
pub(crate) fn is_word_character(character: char) -> bool {
    flags(character).has(Flags::LETTER | Flags::DIGIT) && !is_punctuation(character)
}

/// Whether a character belongs to a script written without spaces between words.
pub(crate) fn is_unsegmented(character: char) -> bool {
    flags(character).has(Flags::UNSEGMENTED) && !is_punctuation(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_separators_are_not_punctuation() {
        assert_eq!(count("Home | News / Sport » A - B · C _ # & @ * \\ ／ –"), 0);
        assert_eq!(count("，。！？、；：“”（）《》"), 13);
        assert_eq!(count("، ؛ ؟ ۔ । ։ 「」…"), 9);
        assert_eq!(count(".,!?;:\"'()[]{}%"), 15);
    }
}
