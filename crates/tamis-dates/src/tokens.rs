//! Splits a text into numbers, words and marks. Words and phrases of the lexicon are one token, with their entry.

use crate::lexicon::{Entry, Filter, Folded, LEXICON, Role};
use crate::locale::Locale;
use crate::numerals::{digit, numerals_value};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A number in digits, or in Chinese numerals.
    Number(u64),
    /// Letters. In scripts without spaces, a word of the lexicon, or else one character or run.
    Word,
    /// Anything else except white space; similar marks are unified.
    Mark(char),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) kind: Kind,
    pub(crate) text: &'t str,
    /// Its start in bytes.
    pub(crate) start: usize,
    /// The number of digits.
    pub(crate) digits: u8,
    /// Whether white space precedes it.
    pub(crate) spaced: bool,
    pub(crate) entry: Option<&'static Entry>,
    /// Whether it is a month with an ending that the lexicon does not have; it has no other role then.
    pub(crate) has_ending: bool,
}

impl Token<'_> {
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(crate) fn number(&self) -> Option<u64> {
        match self.kind {
            Kind::Number(value) => Some(value),
            _ => None,
        }
    }

    /// A number of one or two digits, or Chinese numerals below 100.
    pub(crate) fn small_number(&self) -> Option<u32> {
        let is_numeral = !self.text.starts_with(|c| digit(c).is_some());
        let value = self.number().filter(|&value| value < 100 && self.digits <= 2 + u8::from(is_numeral))?;
        Some(value as u32)
    }

    pub(crate) fn mark(&self) -> Option<char> {
        match self.kind {
            Kind::Mark(mark) => Some(mark),
            _ => None,
        }
    }

    pub(crate) fn is_mark(&self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }

    pub(crate) fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }

    pub(crate) fn roles(&self) -> u64 {
        let roles = self.entry.map_or(0, |entry| entry.roles);
        if self.has_ending { roles & Role::Month.bit() } else { roles }
    }

    pub(crate) fn is(&self, role: Role) -> bool {
        self.roles() & role.bit() != 0
    }

    /// The value of a role in the language of the text.
    pub(crate) fn value(&self, role: Role, locale: &Locale<'_>) -> Option<i32> {
        self.entry.filter(|_| self.is(role))?.value(role, locale)
    }
}

/// The tokens of a text, in order. Linear in its length.
#[derive(Clone)]
pub(crate) struct Tokens<'t> {
    text: &'t str,
    at: usize,
    filter: Filter,
}

impl<'t> Tokens<'t> {
    pub(crate) fn new(text: &'t str, filter: Filter) -> Tokens<'t> {
        Tokens { text, at: 0, filter }
    }

    /// The next token, phrases not joined.
    fn next_single(&mut self) -> Option<Token<'t>> {
        let mut spaced = false;
        let first = loop {
            let first = character_at(self.text, self.at)?;
            if !first.is_whitespace() && !is_invisible(first) {
                break first;
            }
            spaced |= first.is_whitespace();
            self.at += first.len_utf8();
        };
        let start = self.at;
        let (kind, end, digits) = token_at(self.text, start, first, Some(self.filter));
        self.at = end;
        let text = &self.text[start..end];
        let found = if kind == Kind::Word { LEXICON.find(text, self.filter) } else { None };
        let (entry, has_ending) = found.unzip();
        Some(Token { kind, text, start, digits, spaced, entry, has_ending: has_ending == Some(true) })
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        let mut token = self.next_single()?;
        let most = token.entry.filter(|_| !token.has_ending).map_or(0, |entry| entry.phrase_tokens);
        if most < 2 {
            return Some(token);
        }
        let mut folded = Folded::new();
        folded.push(token.text);
        let mut ahead = self.clone();
        for _ in 1..most {
            let Some(next) = ahead.next_single() else { break };
            folded.push(next.text);
            if let Some(entry) = LEXICON.find_folded(&folded).filter(|entry| !entry.senses.is_empty()) {
                token.entry = Some(entry);
                token.text = &self.text[token.start..next.end()];
                self.at = next.end();
            }
        }
        Some(token)
    }
}

/// The texts of the tokens of a phrase, without the lexicon.
pub(crate) fn split_phrase(phrase: &str) -> Vec<&str> {
    let (mut parts, mut at) = (Vec::new(), 0);
    while let Some(first) = character_at(phrase, at) {
        let end = token_at(phrase, at, first, None).1;
        if !first.is_whitespace() {
            parts.push(&phrase[at..end]);
        }
        at = end;
    }
    parts
}

/// Kind, end and number of digits of the token that starts with a character. Without a filter, scripts without spaces
/// are split by runs only.
fn token_at(text: &str, start: usize, first: char, filter: Option<Filter>) -> (Kind, usize, u8) {
    let mut end = start + first.len_utf8();
    if let Some(value) = digit(first) {
        let (mut value, mut digits) = (u64::from(value), 1_u8);
        while let Some((next, digit)) = character_at(text, end).and_then(|it| Some((it, digit(it)?))) {
            value = value.saturating_mul(10).saturating_add(u64::from(digit));
            digits = digits.saturating_add(1);
            end += next.len_utf8();
        }
        return (Kind::Number(value), end, digits);
    }
    if first.is_ascii_alphabetic() {
        return (Kind::Word, end_of_word(text, end, is_spaced_letter), 0);
    }
    if first.is_ascii() {
        return (Kind::Mark(first), end, 0);
    }
    let Some(filter) = filter else {
        let end = if is_letter(first) { end_of_word(text, end, is_letter) } else { end };
        return (Kind::Word, end, 0);
    };
    if LEXICON.numeral(first).is_some() {
        let mut digits = 1_u8;
        while let Some(next) = character_at(text, end).filter(|it| LEXICON.numeral(*it).is_some()) {
            digits = digits.saturating_add(1);
            end += next.len_utf8();
        }
        let kind = numerals_value(&text[start..end]).map_or(Kind::Word, Kind::Number);
        return (kind, end, digits);
    }
    if is_ideograph(first) {
        return (
            Kind::Word,
            LEXICON.longest(&text[start..], filter).map_or(end, |(_, length)| start + length),
            0,
        );
    }
    if is_hangul(first) {
        return (Kind::Word, end_of_hangul(text, start), 0);
    }
    if is_thai(first) {
        let known = LEXICON.longest(&text[start..], Filter::ALL).map(|(_, length)| start + length);
        return (Kind::Word, known.unwrap_or_else(|| end_of_word(text, end, is_thai)), 0);
    }
    if is_letter(first) {
        return (Kind::Word, end_of_word(text, end, is_spaced_letter), 0);
    }
    (Kind::Mark(plain_mark(first)), end, 0)
}

/// The end of the first word of a run that is made of words of the lexicon, else of the run.
fn end_of_hangul(text: &str, start: usize) -> usize {
    const MAX_RUN: usize = 48;
    let run = end_of_word(text, start, is_hangul);
    let mut first = None;
    let mut at = start;
    while at < run && run - start <= MAX_RUN {
        let Some((_, length)) = LEXICON.longest(&text[at..run], Filter::ALL) else { return run };
        at += length;
        first.get_or_insert(at);
    }
    first.unwrap_or(run)
}

fn character_at(text: &str, at: usize) -> Option<char> {
    match text.as_bytes().get(at) {
        Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
        _ => text.get(at..)?.chars().next(),
    }
}

fn end_of_word(text: &str, from: usize, is_part: fn(char) -> bool) -> usize {
    let bytes = text.as_bytes();
    let mut end = from;
    loop {
        while bytes.get(end).is_some_and(u8::is_ascii_alphabetic) {
            end += 1;
        }
        match character_at(text, end).filter(|it| !it.is_ascii() && is_part(*it)) {
            Some(next) => end += next.len_utf8(),
            None => return end,
        }
    }
}

/// A letter, or a mark that belongs to the letter before it. Ranges first: the table of the standard library is slow.
#[rustfmt::skip]
pub(crate) fn is_letter(character: char) -> bool {
    match character {
        '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{373}' | '\u{388}'..='\u{481}' | '\u{5d0}'..='\u{5ea}' | '\u{620}'..='\u{65f}'
        | '\u{671}'..='\u{6d3}' | '\u{e01}'..='\u{e3a}' | '\u{e40}'..='\u{e4e}' | '\u{eb1}'..='\u{ece}' | '\u{102b}'..='\u{103e}' | '\u{17b4}'..='\u{17d3}'
        | '\u{1e00}'..='\u{1eff}' | '\u{200c}' | '\u{200d}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' | '\u{fe70}'..='\u{fefc}' => true,
        // Ordinal marks, punctuation, symbols, private use; full stops and abbreviation marks of Indian scripts.
        '\u{80}'..='\u{bf}' | '\u{964}' | '\u{965}' | '\u{970}' | '\u{2000}'..='\u{2070}' | '\u{20a0}'..='\u{20ff}' | '\u{2190}'..='\u{2bff}'
        | '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{e000}'..='\u{f8ff}' | '\u{ff00}'..='\u{ff20}' | '\u{fffd}' => false,
        '\u{900}'..='\u{dff}' => digit(character).is_none(),
        _ => digit(character).is_none() && character.is_alphabetic(),
    }
}

fn is_spaced_letter(character: char) -> bool {
    is_letter(character) && !is_unspaced(character)
}

fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

fn is_hangul(character: char) -> bool {
    matches!(character, '\u{ac00}'..='\u{d7af}')
}

fn is_thai(character: char) -> bool {
    matches!(character, '\u{e01}'..='\u{eff}') && is_letter(character)
}

/// Whether a character belongs to a script without spaces between words.
pub(crate) fn is_unspaced(character: char) -> bool {
    is_ideograph(character) || is_hangul(character) || is_thai(character)
}

/// Direction marks.
pub(crate) fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Normalises equivalent marks.
pub(crate) fn plain_mark(mark: char) -> char {
    match mark {
        '\u{2010}'..='\u{2014}' | '\u{2212}' | '\u{ff0d}' => '-',
        '\u{ff0e}' | '\u{3002}' | '\u{6d4}' => '.',
        '\u{ff0f}' | '\u{2044}' | '\u{2215}' => '/',
        '\u{ff0c}' | '\u{3001}' | '\u{60c}' => ',',
        '\u{ff1a}' | '\u{fe55}' | '\u{2236}' => ':',
        '\u{aa}' | '\u{ba}' => '\u{b0}',
        '\u{ff0b}' => '+',
        '\u{ff08}' => '(',
        '\u{ff09}' => ')',
        '\u{2018}' | '\u{2019}' | '\u{2bc}' | '\u{b4}' => '\'',
        mark => mark,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        Tokens::new(text, Filter::ALL).map(|token| token.kind).collect()
    }

    fn texts(text: &str) -> Vec<&str> {
        Tokens::new(text, Filter::ALL).map(|token| token.text).collect()
    }

    #[test]
    fn numbers_words_and_marks() {
        use Kind::{Mark, Number, Word};
        assert_eq!(kinds("15. Dez 2010"), [Number(15), Mark('.'), Word, Number(2010)]);
        assert_eq!(kinds("二零一零年十二月"), [Number(2010), Word, Number(12), Word]);
        assert_eq!(kinds("15ธันวาคม๒๕๕๓"), [Number(15), Word, Number(2553)]);
        assert_eq!(kinds("１２：３０"), [Number(12), Mark(':'), Number(30)]);
        assert_eq!(kinds(""), []);
    }

    #[test]
    fn phrases_and_words_without_spaces() {
        assert_eq!(texts("il y a 3 heures"), ["il", "y a", "3", "heures"]);
        assert_eq!(texts("15 ธ.ค. 53"), ["15", "ธ.ค", ".", "53"]);
        assert_eq!(texts("3 ชั่วโมงที่แล้ว"), ["3", "ชั่วโมง", "ที่แล้ว"]);
        assert_eq!(texts("3시간전"), ["3", "시간", "전"]);
        assert_eq!(texts("3년 전국"), ["3", "년", "전국"]);
        assert_eq!(texts("3个月前后"), ["3", "个月", "前后"]);
        assert_eq!(texts("15 كانون الأول 2010"), ["15", "كانون الأول", "2010"]);
    }
}
