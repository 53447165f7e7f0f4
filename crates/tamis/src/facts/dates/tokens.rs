//! A text as numbers, words and marks: what the reader of dates reads.

use super::numerals::{digit, numeral, numerals};
use crate::characters;

/// How many tokens of a text are looked at. Dates stand in short lines, or at the head of long ones.
const MOST: usize = 160;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A number in digits, or in Chinese numerals.
    Number(u64),
    /// Letters. A Chinese character is a word by itself.
    Word,
    /// Anything else that is no space.
    Mark(char),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    /// Where it begins in the text, in bytes.
    pub(super) start: usize,
    /// How many digits a number has.
    pub(super) digits: u8,
    /// Does white space stand before it?
    pub(super) spaced: bool,
}

impl Token<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn number(&self) -> Option<u64> {
        match self.kind {
            Kind::Number(value) => Some(value),
            _ => None,
        }
    }

    pub(super) fn mark(&self) -> Option<char> {
        match self.kind {
            Kind::Mark(mark) => Some(mark),
            _ => None,
        }
    }

    pub(super) fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }
}

fn is_han(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// A letter, or a mark that belongs to the letter before it.
fn is_letter(character: char) -> bool {
    // Full stops and abbreviation marks of Indian scripts.
    if matches!(character, '।' | '॥' | '॰') {
        return false;
    }
    characters::is_letter(character)
        || matches!(character, '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{dff}' | '\u{e31}'..='\u{e4e}'
            | '\u{eb1}'..='\u{ece}' | '\u{102b}'..='\u{103e}' | '\u{17b4}'..='\u{17d3}' | '\u{200c}' | '\u{200d}')
}

/// Takes a text apart, up to a bound. Bytes are asked before characters: most of what is read is ASCII.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::with_capacity(24);
    let bytes = text.as_bytes();
    let mut start = 0;
    let mut spaced = false;
    while let Some(&byte) = bytes.get(start) {
        if tokens.len() == MOST {
            break;
        }
        let Some(first) = character_at(text, start) else { break };
        if byte == b' '
            || first.is_whitespace()
            || matches!(first, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
        {
            // A mark of direction is no space.
            spaced |= first.is_whitespace();
            start += first.len_utf8();
            continue;
        }
        let mut digits = 0_u8;
        let mut end = start + first.len_utf8();
        let kind = if let Some(value) = digit(first) {
            let mut value = u64::from(value);
            digits = 1;
            while let Some((next, length)) = digit_at(text, end) {
                value = value.saturating_mul(10).saturating_add(u64::from(next));
                digits = digits.saturating_add(1);
                end += length;
            }
            Kind::Number(value)
        } else if byte.is_ascii_alphabetic() {
            end = end_of_word(text, end);
            Kind::Word
        } else if byte.is_ascii() {
            Kind::Mark(plain(first))
        } else if numeral(first).is_some() {
            digits = 1;
            while let Some(next) =
                character_at(text, end).filter(|&next| numeral(next).is_some() || next == '百')
            {
                digits = digits.saturating_add(1);
                end += next.len_utf8();
            }
            numerals(&text[start..end]).map_or(Kind::Word, Kind::Number)
        } else if is_han(first) {
            Kind::Word
        } else if is_letter(first) {
            end = end_of_word(text, end);
            Kind::Word
        } else {
            Kind::Mark(plain(first))
        };
        tokens.push(Token { kind, text: &text[start..end], start, digits, spaced });
        spaced = false;
        start = end;
    }
    tokens
}

fn character_at(text: &str, at: usize) -> Option<char> {
    match text.as_bytes().get(at) {
        Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
        _ => text[at..].chars().next(),
    }
}

/// The value of the digit at a place, and how many bytes it takes.
fn digit_at(text: &str, at: usize) -> Option<(u32, usize)> {
    let character = character_at(text, at)?;
    digit(character).map(|value| (value, character.len_utf8()))
}

/// Where a word ends that has letters up to a place.
fn end_of_word(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = from;
    loop {
        while bytes.get(end).is_some_and(u8::is_ascii_alphabetic) {
            end += 1;
        }
        if bytes.get(end).is_none_or(u8::is_ascii) {
            return end;
        }
        let next = character_at(text, end).filter(|&c| is_letter(c) && !is_han(c) && digit(c).is_none());
        let Some(next) = next else { return end };
        end += next.len_utf8();
    }
}

/// Marks that mean the same brought to one.
fn plain(mark: char) -> char {
    match mark {
        '－' | '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
        '．' | '。' | '۔' => '.',
        '／' | '⁄' | '∕' => '/',
        '，' | '、' | '،' => ',',
        '：' | '﹕' | '∶' => ':',
        '＋' => '+',
        '（' => '(',
        '）' => ')',
        '’' | '‘' | 'ʼ' | '´' | '`' => '\'',
        mark => mark,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_words_and_marks() {
        let kinds = |text| tokens(text).iter().map(|token| token.kind).collect::<Vec<_>>();
        use Kind::{Mark, Number, Word};
        assert_eq!(kinds("15. Dez 2010"), [Number(15), Mark('.'), Word, Number(2010)]);
        assert_eq!(kinds("二零一零年十二月"), [Number(2010), Word, Number(12), Word]);
        assert_eq!(kinds("15ธันวาคม๒๕๕๓"), [Number(15), Word, Number(2553)]);
        assert_eq!(kinds("１２：３０"), [Number(12), Mark(':'), Number(30)]);
        assert_eq!(kinds(""), []);
        assert_eq!(tokens(&"1 ".repeat(5_000)).len(), MOST);
    }
}
