//! A cheap prefilter: most texts have no date.

use crate::lexicon::{Filter, LEXICON, Role, bits};
use crate::numerals::digit;
use crate::tokens::{Tokens, is_invisible, is_letter, is_unspaced, plain_mark};

/// Longer texts without a number have no date.
const MAX_WORDS_ONLY: usize = 100;
/// Tokens of a longer text that are checked.
const MAX_TOKENS: usize = 4_000;
/// Maximum distance in tokens between a number and the word that makes it a date.
const MAX_DISTANCE: usize = 5;

/// Whether a text may have a date that [`find`](crate::find) finds, a time of day, or a month with its year. Has no
/// false negatives and some false positives. Does not allocate.
///
/// ```
/// use tamis_dates::looks_like_date;
///
/// assert!(looks_like_date("12 May 2019") && looks_like_date("3小时前") && looks_like_date("10:35 pm"));
/// assert!(!looks_like_date("3 comments") && !looks_like_date("version 1.2") && !looks_like_date("in 2019"));
/// ```
pub fn looks_like_date(text: &str) -> bool {
    // Without early exit in a chunk, so it auto-vectorises.
    let may_be_number = |byte: &u8| byte.is_ascii_digit() | !byte.is_ascii();
    let has_number = |chunk: &[u8]| chunk.iter().fold(false, |any, byte| any | may_be_number(byte));
    if text.len() > MAX_WORDS_ONLY && !text.as_bytes().chunks(64).any(has_number) {
        return false;
    }
    let scan = Scan::of(text);
    scan.is_numeric
        || (scan.has_number && scan.has_date_word && has_word_near_number(text))
        || (scan.has_relative_word && text.len() <= MAX_WORDS_ONLY && has_relative_words(text))
}

/// The result of one pass over the bytes of a text.
#[derive(Default)]
struct Scan {
    /// A time of day, or three numbers separated by marks.
    is_numeric: bool,
    has_number: bool,
    /// Words that begin like those of [`Filter::DATE`] and [`Filter::RELATIVE`].
    has_date_word: bool,
    has_relative_word: bool,
    /// The count of consecutive numbers separated by marks, and the mark after the last.
    row: u8,
    mark: Option<char>,
}

impl Scan {
    fn of(text: &str) -> Scan {
        let (lexicon, bytes) = (&*LEXICON, text.as_bytes());
        let mut scan = Scan::default();
        let (mut at, mut spaced) = (0, false);
        while let Some(&byte) = bytes.get(at).filter(|_| !scan.is_numeric) {
            let start = at;
            at += 1;
            if byte.is_ascii_alphabetic() {
                at += bytes[at..].iter().take_while(|it| it.is_ascii_alphabetic()).count();
                scan.word(lexicon.beginning(&text[start..]));
            } else if byte.is_ascii_digit() {
                at += bytes[at..].iter().take_while(|it| it.is_ascii_digit()).count();
                scan.number(at - start, spaced);
            } else if byte.is_ascii() {
                spaced = byte <= b' ';
                if !spaced {
                    scan.mark(char::from(byte));
                }
                continue;
            } else {
                let Some(first) = text[start..].chars().next() else { break };
                at = start + first.len_utf8();
                let rest = || text[at..].chars();
                if is_number(first) {
                    let more = rest().take_while(|it| is_number(*it));
                    let (count, end) =
                        more.fold((1, at), |(count, end), it| (count + 1, end + it.len_utf8()));
                    at = end;
                    scan.number(count, spaced);
                } else if is_letter(first) {
                    scan.word(lexicon.beginning(&text[start..]));
                    if !is_unspaced(first) {
                        at += rest().take_while(|it| is_rest_of_word(*it)).map(char::len_utf8).sum::<usize>();
                    }
                } else if first.is_whitespace() {
                    spaced = true;
                    continue;
                } else if !is_invisible(first) {
                    scan.mark(plain_mark(first));
                }
            }
            spaced = false;
        }
        scan
    }

    fn word(&mut self, (is_date, is_relative): (bool, bool)) {
        self.has_date_word |= is_date;
        self.has_relative_word |= is_relative;
        (self.row, self.mark) = (0, None);
    }

    fn number(&mut self, digits: usize, spaced: bool) {
        self.has_number = true;
        let before = if self.mark.is_some() { self.row } else { 0 };
        self.row = if digits <= 4 { before + 1 } else { 0 };
        self.is_numeric |= self.row >= 3 || (self.mark == Some(':') && digits == 2 && !spaced);
        self.mark = None;
    }

    fn mark(&mut self, mark: char) {
        let is_link = self.mark.is_none() && matches!(mark, '-' | '/' | '.' | ',' | '|' | ':' | '\'');
        self.mark = is_link.then_some(mark);
        self.row = if is_link { self.row } else { 0 };
    }
}

/// Digits of other scripts and Chinese numerals.
fn is_number(character: char) -> bool {
    digit(character).is_some() || LEXICON.numeral(character).is_some()
}

/// Roughly the letters of scripts with spaces.
fn is_rest_of_word(character: char) -> bool {
    let is_mark =
        matches!(character, ..'\u{c0}' | '\u{60c}'..='\u{61f}' | '\u{6d4}' | '\u{2000}'..='\u{2bff}');
    character.is_ascii_alphabetic() || !(is_mark || is_unspaced(character) || digit(character).is_some())
}

/// Whether a word that can make a number a date is near a number.
fn has_word_near_number(text: &str) -> bool {
    let near = bits(&[Role::Month, Role::JalaliMonth, Role::MonthPrefix, Role::AgoBefore, Role::AgoAfter]);
    let alone = bits(&[Role::RelativeDay, Role::Now, Role::SpanAgo, Role::Era]);
    // Positions of the last number, the last word that makes a number a date, and the last unit of a month.
    let (mut number_at, mut word_at, mut month_at) = (None, None, None);
    let mut digits = 0;
    let is_near = |last: Option<usize>, at: usize, most: usize| last.is_some_and(|last| at - last <= most);
    for (at, token) in Tokens::new(text, Filter::DATE).take(MAX_TOKENS).enumerate() {
        let roles = token.roles();
        if token.number().is_some() {
            if is_near(word_at, at, MAX_DISTANCE) || is_near(month_at, at, MAX_DISTANCE) {
                return true;
            }
            (number_at, digits) = (Some(at), token.digits);
        } else if roles & alone != 0 || (roles & near != 0 && is_near(number_at, at, MAX_DISTANCE)) {
            return true;
        } else if roles & near != 0 {
            word_at = Some(at);
        } else if token.text.len() > 1 && is_near(number_at, at, 2) {
            if roles & Role::YearUnit.bit() != 0 && digits == 4 {
                return true;
            }
            month_at = if roles & Role::MonthUnit.bit() != 0 { Some(at) } else { month_at };
        }
    }
    false
}

/// Whether words alone are a relative date: "yesterday", "a day ago".
fn has_relative_words(text: &str) -> bool {
    let alone = bits(&[Role::RelativeDay, Role::Now, Role::SpanAgo]);
    let ago = bits(&[Role::AgoBefore, Role::AgoAfter]);
    let unit = bits(&[Role::Unit, Role::OneUnit, Role::TwoUnits]);
    let said = Tokens::new(text, Filter::ALL).fold(0, |said, token| said | token.roles());
    said & alone != 0 || (said & ago != 0 && said & unit != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_pass_and_other_texts_do_not() {
        let dates = "12 May 2019|2019-05-12|12.5.2019|3 hours ago|10:35 pm|2019年5月|Yesterday|vor einem Tag|a day ago|刚刚|\
            15 Dec '10, 83|民國109.5.3|18年3月8日|二零一零年十二月十五日|24 آذر 1389|28.09.1912:44|15 ธ.ค. 53";
        for text in dates.split('|') {
            assert!(looks_like_date(text), "{text}");
        }
        let other = "3 comments|version 1.2|in 2019|© 2010 Harbour Gazette|20101215|Call 555 12345|December|5(1943)||\
            Vor Ort|About us|一年|今年第一|$1,250|40 %";
        for text in other.split('|') {
            assert!(!looks_like_date(text), "{text}");
        }
    }
}
