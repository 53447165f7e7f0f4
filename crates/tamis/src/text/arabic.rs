//! Presentation forms of the Arabic script, folded to the letters they stand for.
//!
//! Older editors, and many Uyghur sites to this day, write the joined shapes of letters as characters of their own.
//! Such text cannot be searched or compared. Letters are put back by Unicode's compatibility decompositions, with one
//! exception: Uyghur writes the vowel U+06D5 with the shapes of U+0647 that do not join to the left, and the consonant
//! U+06BE with those that do.

use std::borrow::Cow;

use unicode_normalization::char::{compose, decompose_compatible};

const TATWEEL: char = '\u{640}';

/// Folds presentation forms to letters and ligatures to their letters. `uyghur` selects the letters of Uyghur.
///
/// ```
/// use tamis::text::arabic::fold;
///
/// assert_eq!(fold("\u{FEAE}\u{FEFB}", false), "\u{631}\u{644}\u{627}");
/// assert_eq!(fold("\u{FEE9}\u{FEEB}", true), "\u{6D5}\u{6BE}");
/// ```
pub fn fold(text: &str, uyghur: bool) -> Cow<'_, str> {
    if !text.contains(|character| is_form(character) || is_combining(character)) {
        return Cow::Borrowed(text);
    }
    let mut folded = String::with_capacity(text.len());
    let mut rest = text;
    // The script and its forms begin at U+0600, whose first byte is D8: copy what comes before as it is.
    while let Some(at) = rest.bytes().position(|byte| byte >= 0xD8) {
        folded.push_str(&rest[..at]);
        let Some(character) = rest[at..].chars().next() else { break };
        rest = &rest[at + character.len_utf8()..];
        match character {
            '\u{FEE9}' | '\u{FEEA}' if uyghur => folded.push('\u{6D5}'),
            '\u{FEEB}' | '\u{FEEC}' if uyghur => folded.push('\u{6BE}'),
            _ if is_form(character) => {
                let mut is_first = true;
                decompose_compatible(character, |letter| {
                    // Vowel marks on a carrier belong to the letter before them.
                    if !(is_first && matches!(letter, ' ' | TATWEEL)) {
                        push(&mut folded, letter);
                    }
                    is_first = false;
                });
            }
            _ => push(&mut folded, character),
        }
    }
    folded.push_str(rest);
    Cow::Owned(folded)
}

/// Folds the presentation forms of a whole page, if it has any.
pub fn fold_page(source: Cow<'_, str>) -> Cow<'_, str> {
    // U+FB50 to U+FEFC are encoded as EF AD 90 to EF BB BC.
    let bytes = source.as_bytes();
    let has_forms = memchr::memchr_iter(0xEF, bytes)
        .any(|at| matches!(bytes.get(at + 1..at + 3), Some([0xAD..=0xBA, _] | [0xBB, ..=0xBC])));
    if !has_forms {
        return source;
    }
    match fold(&source, looks_uyghur(&source)) {
        Cow::Owned(folded) => Cow::Owned(folded),
        Cow::Borrowed(_) => source,
    }
}

/// Whether text in presentation forms is Uyghur: it has shapes of letters that no other language of the script uses
/// together (U+06D0, U+06C6, U+06C7, U+06C8, U+06CB).
pub fn looks_uyghur(text: &str) -> bool {
    let (mut typical, mut arabic) = (0_u32, 0_u32);
    for character in text.chars().filter(|character| !character.is_ascii()).take(2000) {
        match character {
            '\u{6D0}'
            | '\u{6C6}'..='\u{6C8}'
            | '\u{6CB}'
            | '\u{FBD7}'..='\u{FBDF}'
            | '\u{FBE4}'..='\u{FBE7}' => {
                typical += 1;
                arabic += 1;
            }
            '\u{621}'..='\u{6FF}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' => arabic += 1,
            _ => {}
        }
    }
    typical * 20 >= arabic && typical > 0
}

fn push(folded: &mut String, letter: char) {
    if is_combining(letter)
        && let Some(before) = folded.chars().next_back()
        && let Some(both) = compose(before, letter)
    {
        folded.pop();
        folded.push(both);
    } else {
        folded.push(letter);
    }
}

/// Presentation forms, without the ornate brackets and symbols.
fn is_form(character: char) -> bool {
    matches!(character, '\u{FB50}'..='\u{FD3D}' | '\u{FD50}'..='\u{FDFC}' | '\u{FE70}'..='\u{FEFC}')
}

/// Combining madda and hamza.
fn is_combining(character: char) -> bool {
    matches!(character, '\u{653}'..='\u{655}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_shapes_to_letters() {
        for (text, uyghur, expected) in [
            ("\u{FEAE}\u{FEAD}", false, "\u{631}\u{631}"),
            ("\u{FEFB}", false, "\u{644}\u{627}"),
            ("\u{FBEA}", true, "\u{626}\u{627}"),
            ("\u{64A}\u{654}", false, "\u{626}"),
            ("\u{FEE9}\u{FEEA}\u{FEEB}\u{FEEC}", false, "\u{647}\u{647}\u{647}\u{647}"),
            ("\u{FEE9}\u{FEEA}\u{FEEB}\u{FEEC}", true, "\u{6D5}\u{6D5}\u{6BE}\u{6BE}"),
        ] {
            assert_eq!(fold(text, uyghur), expected, "{text}");
        }
        assert!(matches!(fold("plain, 中文, \u{631}", true), Cow::Borrowed(_)));
    }

    #[test]
    fn tells_uyghur_from_arabic() {
        assert!(looks_uyghur("ئۇيغۇر كومپيۇتېر ئىلمى"));
        assert!(looks_uyghur("\u{FBD8}\u{FEAD}\u{FEAE}"));
        assert!(!looks_uyghur("السلام عليكم ورحمة الله"));
    }
}
