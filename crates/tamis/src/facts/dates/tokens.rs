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

/// Takes a text apart, up to a bound.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::with_capacity(24);
    let mut rest = text.char_indices().peekable();
    let mut spaced = false;
    while let Some(&(start, first)) = rest.peek() {
        if tokens.len() == MOST {
            break;
        }
        if first.is_whitespace()
            || matches!(first, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
        {
            // A mark of direction is no space.
            spaced |= first.is_whitespace();
            rest.next();
            continue;
        }
        let mut digits = 0_u8;
        let kind = if digit(first).is_some() {
            let mut value = 0_u64;
            while let Some(next) = rest.next_if(|&(_, next)| digit(next).is_some()) {
                value = value.saturating_mul(10).saturating_add(u64::from(digit(next.1).unwrap_or(0)));
                digits = digits.saturating_add(1);
            }
            Kind::Number(value)
        } else if numeral(first).is_some() {
            while rest.next_if(|&(_, next)| numeral(next).is_some() || next == '百').is_some() {
                digits = digits.saturating_add(1);
            }
            Kind::Number(0)
        } else if is_han(first) {
            rest.next();
            Kind::Word
        } else if is_letter(first) {
            while rest
                .next_if(|&(_, next)| is_letter(next) && !is_han(next) && digit(next).is_none())
                .is_some()
            {}
            Kind::Word
        } else {
            rest.next();
            Kind::Mark(plain(first))
        };
        let end = rest.peek().map_or(text.len(), |&(end, _)| end);
        let slice = &text[start..end];
        let kind = match kind {
            Kind::Number(0) if numeral(first).is_some() && digit(first).is_none() => {
                numerals(slice).map_or(Kind::Word, Kind::Number)
            }
            kind => kind,
        };
        tokens.push(Token { kind, text: slice, start, digits, spaced });
        spaced = false;
    }
    tokens
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
