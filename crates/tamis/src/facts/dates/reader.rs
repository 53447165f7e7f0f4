//! Dates among the tokens of a text: what is tried at each of them, and the dates that begin with their year.
//!
//! The forms, each with a clock before or behind it: year first (2010-12-15, 2010年12月15日, 2010. december 15.,
//! 2010-يىلى 15-دېكابىر), day first (15 December 2010, 15 de diciembre de 2010, 15.12.2010), month first (Dec 15, 2010;
//! 12/15/2010), years by an era (民國99年), and in values 20101215 and seconds since 1970. Beside our own years, those
//! of Persian (1389) and Thai (2553) pages. Those with the month by name are in `by_name.rs`, those in numbers with the year
//! last in `in_numbers.rs`.

use super::calendar::days_in;
use super::clock::{Clock, clock, compact};
use super::gate::{may_count_back, may_hold};
use super::tokens::{Token, tokens};
use super::words::{CONNECTORS, DAY_WORDS, MONTH_WORDS, ORDINALS, YEAR_WORDS};
use super::{Dated, Form, Hints, Moment, is_weekday, relative};
use crate::characters::small;
use crate::report_time::ReportTime;

pub(super) fn first(text: &str, hints: &Hints<'_>, is_value: bool) -> Option<Dated> {
    Reader::new(text, hints, is_value)?.dates(1).pop()
}

pub(super) fn all(text: &str, hints: &Hints<'_>, is_value: bool) -> Vec<Dated> {
    Reader::new(text, hints, is_value).map(|reader| reader.dates(16)).unwrap_or_default()
}

/// A day that was read, and the place of the token behind it.
#[derive(Clone, Copy)]
pub(super) struct Day {
    pub(super) year: u32,
    pub(super) month: u32,
    pub(super) day: u32,
    pub(super) swapped: bool,
    pub(super) form: Form,
    pub(super) clock: Option<Clock>,
    pub(super) behind: usize,
}

pub(super) struct Reader<'t, 'h> {
    pub(super) text: &'t str,
    pub(super) tokens: Vec<Token<'t>>,
    pub(super) hints: &'h Hints<'h>,
    /// Is the text meant as a date, as an attribute is?
    pub(super) is_value: bool,
}

impl<'t, 'h> Reader<'t, 'h> {
    fn new(text: &'t str, hints: &'h Hints<'h>, is_value: bool) -> Option<Reader<'t, 'h>> {
        (may_hold(text, hints, is_value) || (hints.fetched.is_some() && may_count_back(text)))
            .then(|| Reader { text, tokens: tokens(text), hints, is_value })
    }

    fn dates(&self, most: usize) -> Vec<Dated> {
        let mut found = Vec::new();
        let mut at = 0;
        // A clock that stands before the date.
        let mut before: Option<(Clock, usize, usize)> = None;
        while at < self.tokens.len() && found.len() < most {
            // 4d ago is no fourth of August.
            let told = |day: &Day| {
                day.form == Form::NoYear && relative::at(self.text, &self.tokens, at, self.hints).is_some()
            };
            if let Some(day) = self.day_at(at).filter(|day| !told(day)) {
                let start = self.tokens[at].start;
                let (clock, behind) = match day.clock {
                    Some(clock) => (Some(clock), day.behind),
                    None => match self.clock_behind(day.behind) {
                        Some((clock, behind)) => (Some(clock), behind),
                        None => (None, day.behind),
                    },
                };
                let near = before.take().filter(|&(_, _, end)| at - end <= 3);
                let start = match (clock, near) {
                    (None, Some((_, first, _))) => self.tokens[first].start,
                    _ => start,
                };
                let clock = clock.or(near.map(|(clock, ..)| clock));
                if let Some(moment) = moment(day.year, day.month, day.day, clock) {
                    let other = day.swapped.then(|| moment_swapped(&day, clock)).flatten();
                    let place = start..self.tokens[behind - 1].end();
                    found.push(Dated { moment, place, other, form: day.form });
                    at = behind;
                    continue;
                }
            }
            if let Some((moment, behind)) = relative::at(self.text, &self.tokens, at, self.hints) {
                let place = self.tokens[at].start..self.tokens[behind - 1].end();
                found.push(Dated { moment, place, other: None, form: Form::Relative });
                at = behind;
                continue;
            }
            match clock(&self.tokens, at, self.hints.language) {
                Some((clock, behind)) => {
                    before = Some((clock, at, behind));
                    at = behind;
                }
                None => at += 1,
            }
        }
        found
    }

    fn day_at(&self, at: usize) -> Option<Day> {
        let token = &self.tokens[at];
        match token.number() {
            Some(_) if self.is_part_of_a_number(at) => None,
            Some(_) if token.digits == 4 => self.year_first(at).or_else(|| self.thai_or_persian(at)),
            Some(_) if token.digits <= 2 => (self.day_then_month(at).or_else(|| self.numbers(at)))
                .or_else(|| self.han_short_year(at))
                .or_else(|| self.han_without_year(at)),
            Some(value) if self.is_value => self.in_one_number(at, value),
            Some(_) => None,
            None if token.is_word() => self.era(at).or_else(|| self.month_first(at)),
            None => None,
        }
    }

    /// Is a number the tail of another, as in 1.2010 or 7-2010?
    fn is_part_of_a_number(&self, at: usize) -> bool {
        if at < 2 || self.is_value {
            return false;
        }
        let (number, mark) = (&self.tokens[at - 2], &self.tokens[at - 1]);
        matches!(mark.mark(), Some('.' | '-' | '/' | ':'))
            && !mark.spaced
            && !self.tokens[at].spaced
            && number.number().is_some()
    }

    /// Does a number go on behind this place, as in 1.2.3.4?
    pub(super) fn goes_on(&self, behind: usize, separator: char) -> bool {
        !self.is_value
            && self.tokens.get(behind).is_some_and(|it| it.mark() == Some(separator) && !it.spaced)
            && self.tokens.get(behind + 1).is_some_and(|it| it.number().is_some() && !it.spaced)
    }

    fn year_first(&self, at: usize) -> Option<Day> {
        let year = self.tokens[at].number().filter(|year| (1900..=2099).contains(year))? as u32;
        self.behind_year(at, year)
    }

    /// Month and day behind a year.
    pub(super) fn behind_year(&self, at: usize, year: u32) -> Option<Day> {
        let (mut next, unit, separator) = self.skip(at + 1, YEAR_WORDS, 4);
        // 2010. december 15., 2010 m. gruodžio 15 d.
        if let Some((month, behind)) = self.month_at(next) {
            let (behind, ..) = self.skip(behind, CONNECTORS, 3);
            let day = self.small_number(behind)?;
            return self.whole(year, month, day, self.skip_day_words(behind + 1));
        }
        let first = self.small_number(next)?;
        let first_at = next;
        next += 1;
        // 2010-يىلى 15-دېكابىر, 2010. gada 15. decembrī
        let (after, ..) = self.skip(next, ORDINALS, 3);
        if let Some((month, behind)) = self.month_at(after) {
            return self.whole(year, month, first, behind);
        }
        let (second_at, month_unit, second_separator) = self.skip(next, MONTH_WORDS, 4);
        let second = self.small_number(second_at)?;
        let is_plain = !unit && !month_unit;
        if is_plain {
            let agrees = separator == second_separator && matches!(separator, Some('-' | '/' | '.' | ','));
            let spaces = self.is_value && separator.is_none() && second_separator.is_none();
            // A dash with space around it is between numbers that have nothing to do with each other.
            let loose = matches!(separator, Some('-' | ','))
                && self.tokens[first_at].spaced != self.tokens[second_at].spaced;
            if !(agrees || spaces) || loose || self.goes_on(second_at + 1, separator.unwrap_or('-')) {
                return None;
            }
        } else if unit != month_unit && separator.is_none() && second_separator.is_none() {
            return None;
        }
        self.whole(year, first, second, self.skip_day_words(second_at + 1))
    }

    /// A number of one or two digits.
    pub(super) fn small_number(&self, at: usize) -> Option<u32> {
        let token = self.tokens.get(at).filter(|token| (1..=3).contains(&token.digits))?;
        token.number().filter(|&value| value < 100).map(|value| value as u32)
    }

    pub(super) fn number_of(&self, at: usize, digits: u8) -> Option<u32> {
        let token = self.tokens.get(at).filter(|token| token.digits == digits)?;
        token.number().and_then(|value| u32::try_from(value).ok())
    }

    /// Steps over marks between the parts of a date and words of a list: the place behind them, was there such a word,
    /// and the first mark.
    pub(super) fn skip(&self, at: usize, words: &[&str], most: usize) -> (usize, bool, Option<char>) {
        let (mut next, mut word, mut first) = (at, false, None);
        while let Some(token) = self.tokens.get(next).filter(|_| next - at < most) {
            if !self.is_skipped(token, words) {
                break;
            }
            word |= token.is_word();
            first = first.or(token.mark());
            next += 1;
        }
        (next, word, first)
    }

    pub(super) fn is_skipped(&self, token: &Token<'_>, words: &[&str]) -> bool {
        match token.mark() {
            Some(mark) => matches!(mark, '-' | '/' | '.' | ',' | '\'' | '°' | '(' | ')' | '׳' | '॰'),
            None if token.is_word() => {
                words.contains(&token.text)
                    || (token.text.is_ascii()
                        && words.iter().any(|word| word.eq_ignore_ascii_case(token.text)))
            }
            None => false,
        }
    }

    /// 日, 일 and their like; with the mark that some put before them, as in 15-كۈنى.
    pub(super) fn skip_day_words(&self, at: usize) -> usize {
        let is_day =
            |place: usize| self.tokens.get(place).is_some_and(|token| DAY_WORDS.contains(&token.text));
        if is_day(at) {
            return at + 1;
        }
        let is_mark = self.tokens.get(at).is_some_and(|token| matches!(token.mark(), Some('-' | '.')));
        if is_mark && is_day(at + 1) { at + 2 } else { at }
    }

    /// The clock behind a date, with a few words or a weekday between.
    fn clock_behind(&self, behind: usize) -> Option<(Clock, usize)> {
        let end = self.tokens.get(behind.checked_sub(1)?)?.end();
        for at in behind..behind + 9 {
            let token = self.tokens.get(at)?;
            if token.start > end + 32 {
                return None;
            }
            if at == behind + 1
                && self.tokens[behind].text == "T"
                && (self.is_value || !(self.tokens[behind].spaced || token.spaced))
                && let Some(found) = compact(&self.tokens, at)
            {
                return Some(found);
            }
            if let Some(found) = clock(&self.tokens, at, self.hints.language) {
                return Some(found);
            }
            // What lasts so long, or a result, has a word of its own: "Listen 3:45". In other scripts, words are not told apart.
            let is_latin = token.is_word() && token.text.is_ascii();
            if is_latin && !self.is_value && !is_before_clock(token.text) {
                return None;
            }
            // 晚上12点 is on the next day: rather no clock.
            if matches!(token.text, "晚" | "夜" | "深") {
                return None;
            }
            // Weekdays are numbered in Chinese: 星期三.
            if token.number().is_some() && token.text.is_ascii() {
                return None;
            }
        }
        None
    }

    pub(super) fn whole(&self, year: u32, month: u32, day: u32, behind: usize) -> Option<Day> {
        if !(1900..=2099).contains(&year) || !(1..=days_in(year, month)?).contains(&day) {
            return None;
        }
        Some(Day { year, month, day, swapped: false, form: Form::Whole, clock: None, behind })
    }
}

/// May a word stand between a day and its clock: "at", a weekday, a label?
fn is_before_clock(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "time",
        "uhrzeit",
        "uhr",
        "hora",
        "heure",
        "ora",
        "ore",
        "tid",
        "klokken",
        "published",
        "posted",
        "updated",
        "t",
        "of",
        "de",
        "d",
        "h",
        "g",
        "den",
        "roku",
        "r",
        "god",
        "godine",
        "year",
        "an",
        "day",
        "gada",
        "m",
        "sat",
        "from",
        "ab",
        "och",
        "i",
        "and",
        "und",
        "et",
        "y",
        "e",
    ];
    let word = small(word);
    relative::is_at(&word) || is_weekday(&word) || WORDS.contains(&word.as_ref())
}

pub(super) fn moment(year: u32, month: u32, day: u32, clock: Option<Clock>) -> Option<Moment> {
    if !(1..=days_in(year, month)?).contains(&day) {
        return None;
    }
    let mut local = ReportTime::of_day(u16::try_from(year).ok()?, month as u8, day as u8);
    let mut offset = None;
    if let Some(clock) = clock {
        (local.hour, local.minute, local.second) = (Some(clock.hour), clock.minute, clock.second);
        offset = clock.offset;
    }
    Some(Moment { local, offset, rough: None })
}

fn moment_swapped(day: &Day, clock: Option<Clock>) -> Option<Moment> {
    moment(day.year, day.day, day.month, clock)
}
