//! Counting and copying the characters that a reader sees, quickly.
//!
//! Most text of a page is ASCII or letters of one script. Only five lead bytes of UTF-8 begin characters that show
//! nothing or show as space, so everything else is counted by its lead byte and copied without a look.

use crate::characters::{Class, class};

/// How many characters of `text` are no white space: what the paper counts.
#[inline]
pub(crate) fn count(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let seen = bytes.iter().map(|&byte| u32::from(begins_ink(byte))).sum::<u32>();
    if seen == 0 || text.is_ascii() { seen } else { seen - blanks_beyond_ascii(text) }
}

/// A byte that begins a character and is neither an ASCII blank nor a control character.
#[inline(always)]
fn begins_ink(byte: u8) -> bool {
    byte > b' ' && (byte as i8) > -65
}

/// Bytes that need no look: all but ASCII blanks and controls, and the leads of characters that may be white space or
/// show nothing.
pub(crate) static PLAIN: [bool; 256] = {
    let mut plain = [true; 256];
    let mut byte = 0;
    while byte < 256 {
        plain[byte] = byte > 0x20 && !may_be_blank(byte as u8);
        byte += 1;
    }
    plain
};

/// May a character with this lead byte be white space, or show nothing?
#[inline(always)]
const fn may_be_blank(lead: u8) -> bool {
    matches!(lead, 0xC2 | 0xE1..=0xE3 | 0xEF)
}

#[inline(never)]
fn blanks_beyond_ascii(text: &str) -> u32 {
    let mut blanks = 0;
    for (at, &byte) in text.as_bytes().iter().enumerate() {
        if may_be_blank(byte)
            && character_at(text, at).is_some_and(|character| class(character) == Class::Space)
        {
            blanks += 1;
        }
    }
    blanks
}

fn character_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

/// Does a text show nothing?
#[inline]
pub(crate) fn is_blank(text: &str) -> bool {
    // Of ASCII, only these show nothing.
    match text.as_bytes().iter().find(|byte| !is_ascii_blank(**byte)) {
        None => true,
        Some(0..0x80) => false,
        Some(_) => text.chars().all(|character| class(character) == Class::Space),
    }
}

fn is_ascii_blank(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

/// Is there nothing to fold: only ASCII that shows, and single spaces in it? Told without a branch a character. What the
/// last one is, the caller knows.
#[inline]
fn is_folded(text: &[u8]) -> bool {
    let next = text.get(1..).unwrap_or_default();
    let mut is_odd = false;
    for (byte, next) in text.iter().zip(next) {
        // As numbers with a sign, those beyond ASCII are below all others.
        is_odd |= ((*byte == b' ') & (*next == b' ')) | ((*byte as i8) < b' ' as i8);
    }
    !is_odd
}

/// Adds `text` to `into` with its white space folded to single spaces. `due` says whether a space is due before the
/// next character, and afterwards whether one is due behind the last. `start` is where the line begins: no space
/// stands there.
pub(crate) fn fold(text: &str, into: &mut String, start: usize, due: &mut bool) {
    let bytes = text.as_bytes();
    // Most texts are words with single spaces, perhaps with white space before and behind them.
    let first = bytes.iter().position(|byte| !is_ascii_blank(*byte));
    let last = bytes.iter().rposition(|byte| !is_ascii_blank(*byte));
    if let (Some(first), Some(last)) = (first, last)
        && bytes[last].is_ascii_graphic()
        && is_folded(&bytes[first..=last])
    {
        *due |= first > 0;
        put(&text[first..=last], into, start, due);
        *due |= last + 1 < bytes.len();
        return;
    }
    let mut copied = 0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if PLAIN[usize::from(byte)] {
            at += 1;
            continue;
        }
        let (is_blank, is_space, length) = match byte {
            // A single space between two words stands as it is.
            b' ' if at > copied && bytes.get(at + 1).is_some_and(|next| matches!(next, 0x21..=0x7E)) => {
                (false, false, 1)
            }
            b'\t'..=b'\r' | b' ' => (true, true, 1),
            // The tree has no NUL; other control characters stay, as they do there.
            0..b' ' => (byte == 0, false, 1),
            _ => match character_at(text, at) {
                Some(character) => {
                    (class(character) == Class::Space, character.is_whitespace(), character.len_utf8())
                }
                None => (false, false, 1),
            },
        };
        if is_blank {
            put(&text[copied..at], into, start, due);
            *due |= is_space;
            copied = at + length;
        }
        at += length;
    }
    put(&text[copied..], into, start, due);
}

/// Adds a stretch without white space to fold.
#[inline]
fn put(stretch: &str, into: &mut String, start: usize, due: &mut bool) {
    if stretch.is_empty() {
        return;
    }
    if *due && into.len() > start {
        into.push(' ');
    }
    *due = false;
    into.push_str(stretch);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        let (mut into, mut due) = (String::new(), false);
        fold(text, &mut into, 0, &mut due);
        into
    }

    #[test]
    fn white_space_of_every_kind_is_not_counted() {
        for (text, characters) in [
            ("", 0),
            (" \r\n\t ", 0),
            ("two words", 8),
            ("\u{3000}\u{3000}新闻，正文。", 6),
            ("a\u{A0}b\u{200B}c\u{FEFF}", 3),
            ("ئۇيغۇر تىلى", 10),
            ("né à", 3),
            ("🦀 x", 2),
        ] {
            assert_eq!(count(text), characters, "{text}");
            assert_eq!(crate::characters::count(text).characters, characters, "{text}");
        }
    }

    #[test]
    fn white_space_is_folded_and_what_shows_nothing_dropped() {
        assert_eq!(folded("  one  two\n three "), "one two three");
        assert_eq!(folded("\u{3000}\u{3000}新闻 正文\u{A0}\u{A0}x"), "新闻 正文 x");
        assert_eq!(folded("a\0b\x0B\x14c"), "ab \x14c");
        assert_eq!(folded("so\u{AD}lo \u{200B}x"), "solo x");
        assert_eq!(folded("a é \u{201C}b\u{201D}  c"), "a é \u{201C}b\u{201D} c");
    }

    #[test]
    fn texts_with_nothing_to_fold_are_folded_as_all_others() {
        let one_by_one = |text: &str| {
            let (mut into, mut due) = ("x".to_owned(), false);
            for character in text.chars() {
                if class(character) == Class::Space {
                    due |= character.is_whitespace();
                    continue;
                }
                into.extend(std::mem::take(&mut due).then_some(' '));
                into.push(character);
            }
            (into, due)
        };
        let letters = [' ', '\n', 'a', '\u{AD}', 'é', '\u{7F}', '\u{14}'];
        let mut texts = vec![String::new()];
        for _ in 0..5 {
            let longer = |text: &String| letters.map(|letter| format!("{text}{letter}"));
            texts = texts.iter().flat_map(longer).collect();
            for text in &texts {
                let (mut into, mut due) = ("x".to_owned(), false);
                fold(text, &mut into, 0, &mut due);
                assert_eq!((into, due), one_by_one(text), "{text:?}");
                assert_eq!(
                    is_blank(text),
                    text.chars().all(|letter| class(letter) == Class::Space),
                    "{text:?}"
                );
            }
        }
    }

    #[test]
    fn a_space_is_due_between_two_texts_only_if_one_of_them_has_it() {
        let (mut into, mut due) = (String::new(), false);
        for text in ["un", "believ", "able ", "tale", " ends"] {
            fold(text, &mut into, 0, &mut due);
        }
        assert_eq!(into, "unbelievable tale ends");
    }
}
