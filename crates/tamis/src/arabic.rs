//! Preparation of Uyghur, Arabic and other text in Arabic script.
//!
//! Unicode has a letter of the Arabic script once, and leaves its joined shapes to the font. Older editors, and many
//! Uyghur sites to this day, write the shapes themselves: U+FEAE and U+FEAD are both U+0631 (reh), one at the end of
//! a word and one alone, and one character may stand for two letters (lam-alef). A method that counts characters
//! then counts wrong, and a reader who searches the extracted text finds nothing. [`prepare`] puts the letters back.
//!
//! What it does, and nothing else:
//!
//! - presentation forms (U+FB50 to U+FDFF and U+FE70 to U+FEFE) become the letters they stand for, by Unicode's own
//!   table of compatibility decompositions; ligatures become their letters, one after the other;
//! - a letter followed by a combining hamza or madda becomes the one letter that both make, if there is one
//!   (U+064A U+0654 is U+0626): the decompositions of the forms need it, and pages write it that way too;
//! - vowel marks that stand alone or on a stretched line lose that carrier: they belong to the letter before them.
//!
//! Digits, punctuation, white space, symbols (U+FD3E and U+FD3F, the ornate brackets) and every other script stay as
//! they are, and a text in which nothing changes is not copied. Numeric references need no step of their own: the
//! parser decodes them, whatever charset the page declares.

use std::borrow::Cow;

use unicode_normalization::char::{compose, decompose_compatible};

/// Folds presentation forms to base letters and ligatures to their letters.
///
/// ```
/// use std::borrow::Cow;
/// use tamis::arabic::prepare;
///
/// // Reh in its two shapes; lam-alef; yeh with hamza before alef, as Uyghur writes its vowels.
/// assert_eq!(prepare("\u{FEAE}\u{FEAD}"), "\u{631}\u{631}");
/// assert_eq!(prepare("\u{FEFB}"), "\u{644}\u{627}");
/// assert_eq!(prepare("\u{FBEA}"), "\u{626}\u{627}");
/// assert!(matches!(prepare("plain text, 中文, \u{631}"), Cow::Borrowed(_)));
/// ```
pub fn prepare(text: &str) -> Cow<'_, str> {
    let Some(start) = first_change(text) else { return Cow::Borrowed(text) };
    let mut prepared = String::with_capacity(text.len());
    prepared.push_str(&text[..start]);
    for character in text[start..].chars() {
        if is_form(character) {
            let mut at_start = true;
            decompose_compatible(character, |letter| {
                let is_carrier = at_start && matches!(letter, ' ' | TATWEEL);
                at_start = false;
                if !is_carrier {
                    push(&mut prepared, letter);
                }
            });
        } else {
            push(&mut prepared, character);
        }
    }
    Cow::Owned(prepared)
}

/// Would [`prepare`] change this text?
///
/// ```
/// assert!(tamis::arabic::needs_preparation("\u{FEAE}"));
/// assert!(!tamis::arabic::needs_preparation("\u{631}, 1 2 3"));
/// ```
pub fn needs_preparation(text: &str) -> bool {
    first_change(text).is_some()
}

/// The line that is drawn out between two letters.
const TATWEEL: char = '\u{640}';

/// Does a text have any of the characters that [`prepare`] looks at? It may yet leave them as they are.
pub(crate) fn may_need_preparation(text: &str) -> bool {
    // In UTF-8: U+FB50 to U+FDFF, U+FE70 to U+FEFE; U+0653 to U+0655.
    let bytes = text.as_bytes();
    !text.is_ascii()
        && memchr::memchr2_iter(0xEF, 0xD9, bytes).any(|at| match bytes[at..] {
            [0xEF, second, ..] => matches!(second, 0xAD..=0xB7 | 0xB9..=0xBB),
            [_, second, ..] => matches!(second, 0x93..=0x95),
            _ => false,
        })
}

fn first_change(text: &str) -> Option<usize> {
    if !may_need_preparation(text) {
        return None;
    }
    let mut before = None;
    text.char_indices().find_map(|(at, character)| {
        let start = if is_form(character) && decomposes(character) {
            Some(at)
        } else if is_hamza_or_madda(character)
            && before.is_some_and(|(_, letter)| compose(letter, character).is_some())
        {
            // The letter before it changes with it.
            before.map(|(at, _)| at)
        } else {
            None
        };
        before = Some((at, character));
        start
    })
}

fn push(prepared: &mut String, letter: char) {
    if is_hamza_or_madda(letter)
        && let Some(before) = prepared.chars().next_back()
        && let Some(both) = compose(before, letter)
    {
        prepared.pop();
        prepared.push(both);
    } else {
        prepared.push(letter);
    }
}

/// A character of the two blocks of presentation forms. U+FEFF, at the end of the second, is the byte order mark.
fn is_form(character: char) -> bool {
    matches!(character, '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}')
}

fn is_hamza_or_madda(character: char) -> bool {
    matches!(character, '\u{653}'..='\u{655}')
}

/// The blocks hold a few symbols that stand for nothing but themselves.
fn decomposes(form: char) -> bool {
    let mut other = false;
    decompose_compatible(form, |letter| other |= letter != form);
    other
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;

    #[test]
    fn the_rows_of_the_papers_table() {
        for (letter, forms) in [
            ("\u{631}", [0xFEAE, 0xFEAD].as_slice()),
            ("\u{632}", [0xFEB0, 0xFEAF].as_slice()),
            ("\u{633}", [0xFEB1, 0xFEB2, 0xFEB3, 0xFEB4].as_slice()),
        ] {
            for form in forms {
                assert_eq!(prepare(&char::from_u32(*form).unwrap().to_string()), letter);
            }
        }
    }

    #[test]
    fn every_letter_of_uyghur_has_its_forms() {
        for (form, letter) in [
            ('\u{FBE8}', '\u{649}'), // i
            ('\u{FBE4}', '\u{6D0}'), // e
            ('\u{FBD9}', '\u{6C6}'), // ö
            ('\u{FBD7}', '\u{6C7}'), // u
            ('\u{FBDB}', '\u{6C8}'), // ü
            ('\u{FBDE}', '\u{6CB}'), // w
            ('\u{FBAA}', '\u{6BE}'), // h
            ('\u{FBD3}', '\u{6AD}'), // ng
            ('\u{FB92}', '\u{6AF}'), // g
            ('\u{FB7A}', '\u{686}'), // ch
            ('\u{FB8A}', '\u{698}'), // zh
            ('\u{FB56}', '\u{67E}'), // p
            ('\u{FE8B}', '\u{626}'), // the carrier of vowels
        ] {
            assert_eq!(prepare(&form.to_string()), letter.to_string(), "{:X}", form as u32);
        }
    }

    #[test]
    fn ligatures_and_carriers_are_their_letters() {
        assert_eq!(prepare("\u{FEF5}"), "\u{644}\u{622}", "lam with alef and madda");
        assert_eq!(prepare("\u{FEF7}"), "\u{644}\u{623}");
        assert_eq!(prepare("\u{FBEC}"), "\u{626}\u{6D5}", "the carrier with ae");
        assert_eq!(prepare("\u{FBF6}"), "\u{626}\u{6D0}");
        assert_eq!(prepare("\u{FDF2}"), "\u{627}\u{644}\u{644}\u{647}");
        assert_eq!(prepare("\u{64A}\u{654}"), "\u{626}", "written with a combining mark");
        assert_eq!(prepare("\u{FEF1}\u{654}"), "\u{626}");
        assert_eq!(prepare("a\u{654}"), "a\u{654}", "no such letter");
    }

    #[test]
    fn marks_lose_their_carriers() {
        assert_eq!(prepare("\u{FE91}\u{FE71}"), "\u{628}\u{64B}");
        assert_eq!(prepare("\u{FE76}"), "\u{64E}");
        assert_eq!(prepare("\u{FC60}"), "\u{64E}\u{651}");
    }

    #[test]
    fn all_else_keeps_its_meaning() {
        for text in [
            "",
            "text, 123",
            "۱۲۳ ١٢٣، ؛ ؟",
            "\u{FEFF}\u{FD3E}\u{631}\u{FD3F}",
            "ＦＵＬＬ　ﬁ ① ㎏",
            "ئۇيغۇر تىلى",
            "e\u{301}",
        ] {
            assert!(matches!(prepare(text), Cow::Borrowed(_)), "{text}");
            assert!(!needs_preparation(text), "{text}");
        }
        assert_eq!(prepare("1 ﺮ, ﬁ 2\u{A0}3"), "1 ر, ﬁ 2\u{A0}3");
    }

    #[test]
    fn what_is_prepared_stays_so() {
        let forms: String = ('\u{FB50}'..='\u{FEFE}').filter(|character| is_form(*character)).collect();
        let prepared = prepare(&forms);
        assert_eq!(prepare(&prepared), prepared);
        assert!(!prepared.chars().any(|character| is_form(character) && decomposes(character)));
    }

    #[test]
    fn references_are_decoded_whatever_the_charset() {
        let page = Page::parse(
            "<meta http-equiv=Content-Type content='text/html; charset=windows-1252'>\
             <p>&#1588;&#1609;&#1739; &#65198;&#xFEAD;&#65275;",
        );
        let text = page.text(&page.blocks()[0]);
        assert_eq!(prepare(text), "\u{634}\u{649}\u{6CB} \u{631}\u{631}\u{644}\u{627}");
    }
}
