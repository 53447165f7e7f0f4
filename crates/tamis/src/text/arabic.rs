//! Presentation forms of the Arabic script, folded to letters.
//!
//! Older editors, and many Uyghur sites to this day, write the joined shapes of letters as characters of their own.
//! Such text cannot be searched or compared. Letters are put back by Unicode's compatibility decompositions, with one
//! exception: Uyghur writes the vowel U+06D5 with the shapes of U+0647 that do not join to the left, and the consonant
//! U+06BE with those that do.

use std::borrow::Cow;
use std::sync::LazyLock;

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
    let bytes = text.as_bytes();
    // U+0653 to U+0655 are encoded as D9 93 to D9 95.
    let has_combining =
        || memchr::memchr_iter(0xD9, bytes).any(|at| matches!(bytes.get(at + 1), Some(0x93..=0x95)));
    if has_forms(bytes) || has_combining() {
        Cow::Owned(fold_all(text, uyghur, false))
    } else {
        Cow::Borrowed(text)
    }
}

/// Folds the presentation forms of a whole page, if it has any; then also those written as character references.
pub fn fold_page(source: Cow<'_, str>) -> Cow<'_, str> {
    if has_forms(source.as_bytes()) {
        Cow::Owned(fold_all(&source, looks_uyghur(&source), true))
    } else {
        source
    }
}

fn has_forms(bytes: &[u8]) -> bool {
    let Some(first) = memchr::memchr(0xEF, bytes) else { return false };
    // U+FB50 to U+FEFC are encoded as EF AD 90 to EF BB BC. Chinese text is full of EF, so a first look at two bytes is
    // branch-free and auto-vectorises.
    let may_have = |chunk: &[u8]| {
        let pairs = chunk.iter().zip(&chunk[1..]);
        pairs.fold(0, |found, (a, b)| found | u8::from(*a == 0xEF) & u8::from(b.wrapping_sub(0xAD) <= 0x0E))
            != 0
    };
    let is_form = |bytes: &[u8]| matches!(bytes, [0xEF, 0xAD..=0xBA, _] | [0xEF, 0xBB, ..=0xBC]);
    let starts = (first..bytes.len()).step_by(CHUNK);
    let mut chunks = starts.map(|start| &bytes[start..bytes.len().min(start + CHUNK + 2)]);
    chunks.any(|chunk| may_have(chunk) && chunk.windows(3).any(is_form))
}

/// Bytes examined to detect Uyghur.
const SAMPLE: usize = 40_000;
/// Bytes looked at together.
const CHUNK: usize = 1024;

fn fold_all(text: &str, uyghur: bool, references: bool) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut copied = 0;
    // What is neither a form nor combines is copied as it is: most of a page is markup.
    for at in memchr::memchr3_iter(0xEF, 0xD9, b'&', text.as_bytes()) {
        let Some(rest) = text.get(at..) else { continue };
        let found = match rest.strip_prefix("&#") {
            Some(number) if references => {
                reference(number).map(|(character, length)| (character, length + 2))
            }
            _ => rest.chars().next().map(|character| (character, character.len_utf8())),
        };
        let Some((character, length)) = found.filter(|(it, _)| is_form(*it) || is_combining(*it)) else {
            continue;
        };
        folded.push_str(&text[copied..at]);
        copied = at + length;
        match character {
            '\u{FEE9}' | '\u{FEEA}' if uyghur => folded.push('\u{6D5}'),
            '\u{FEEB}' | '\u{FEEC}' if uyghur => folded.push('\u{6BE}'),
            _ if is_combining(character) => push(&mut folded, character),
            _ => {
                let (from, to) = (FORMS.0[form_index(character)], FORMS.0[form_index(character) + 1]);
                FORMS.1[from as usize..to as usize].chars().for_each(|letter| push(&mut folded, letter));
            }
        }
    }
    folded.push_str(&text[copied..]);
    folded
}

/// The character of a reference, and the length of its number with the semicolon.
fn reference(number: &str) -> Option<(char, usize)> {
    let hexadecimal = number.strip_prefix(['x', 'X']);
    let (digits, radix) = hexadecimal.map_or((number, 10), |digits| (digits, 16));
    let length = digits.bytes().take(8).take_while(|byte| char::from(*byte).is_digit(radix)).count();
    let character = u32::from_str_radix(&digits[..length], radix).ok().and_then(char::from_u32)?;
    let end = number.len() - digits.len() + length;
    Some((character, end + usize::from(number[end..].starts_with(';'))))
}

const FIRST_FORM: u32 = 0xFB50;
const LAST_FORM: u32 = 0xFEFC;

fn form_index(character: char) -> usize {
    (character as u32 - FIRST_FORM) as usize
}

/// The letters of all forms, and where those of each begin.
static FORMS: LazyLock<(Vec<u32>, String)> = LazyLock::new(|| {
    let (mut starts, mut letters) = (vec![0], String::new());
    for form in (FIRST_FORM..=LAST_FORM).map(char::from_u32) {
        let mut is_first = true;
        let mut own = String::new();
        decompose_compatible(form.unwrap_or_default(), |letter| {
            // Vowel marks on a carrier belong to the letter before them.
            if !(is_first && matches!(letter, ' ' | TATWEEL)) {
                push(&mut own, letter);
            }
            is_first = false;
        });
        letters.push_str(&own);
        starts.push(letters.len() as u32);
    }
    (starts, letters)
});

/// Whether text in presentation forms is Uyghur: it has shapes of letters that no other language of the script uses
/// together (U+06D0, U+06C6, U+06C7, U+06C8, U+06CB).
pub fn looks_uyghur(text: &str) -> bool {
    // A sample is enough, from the first place that may have a letter on.
    let start = memchr::memchr3(0xD8, 0xDB, 0xEF, text.as_bytes()).unwrap_or(0);
    let bytes = &text.as_bytes()[start..text.len().min(start + SAMPLE)];
    // Letters from U+0621 on have the first bytes D8 to DB; the typical ones have DB.
    let letters = bytes.iter().filter(|byte| matches!(byte, 0xD8..=0xDB)).count();
    let is_typical_letter = |at: &usize| matches!(bytes.get(at + 1), Some(0x90 | 0x86..=0x88 | 0x8B));
    let typical_letters = memchr::memchr_iter(0xDB, bytes).filter(is_typical_letter).count();
    let forms = || memchr::memchr_iter(0xEF, bytes).filter_map(|at| text.get(start + at..)?.chars().next());
    let is_typical_form = |form: &char| matches!(form, '\u{FBD7}'..='\u{FBDF}' | '\u{FBE4}'..='\u{FBE7}');
    let typical = typical_letters + forms().filter(is_typical_form).count();
    let arabic = letters + forms().filter(|form| is_form(*form)).count();
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
    fn folds_references_of_pages_with_shapes() {
        let page = |source| fold_page(Cow::Borrowed(source));
        assert_eq!(page("\u{FBD8}&#65258;&#xFEEB;&#38; &#x41"), "\u{6C7}\u{6D5}\u{6BE}&#38; &#x41");
        assert_eq!(page("&#65258; a"), "&#65258; a");
        assert_eq!(fold("\u{FEAE}&#65258;", false), "\u{631}&#65258;");
    }

    #[test]
    fn tells_uyghur_from_arabic() {
        assert!(looks_uyghur("ئۇيغۇر كومپيۇتېر ئىلمى"));
        assert!(looks_uyghur("\u{FBD8}\u{FEAD}\u{FEAE}"));
        assert!(!looks_uyghur("السلام عليكم ورحمة الله"));
    }
}
