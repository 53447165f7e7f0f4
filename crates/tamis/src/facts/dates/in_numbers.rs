//! Days in numbers alone, the year last: 15.12.2010, 12/15/2010, 15-12-10.

use super::Form;
use super::calendar::from_jalali;
use super::clock::Clock;
use super::other_years::is_jalali_year;
use super::reader::{Day, Reader};

impl Reader<'_, '_> {
    /// 15.12.2010, 12/15/2010, 15-12-10
    pub(super) fn numbers(&self, at: usize) -> Option<Day> {
        let first = self.small_number(at)?;
        let separator =
            self.tokens.get(at + 1)?.mark().filter(|mark| matches!(mark, '.' | '/' | '-' | '|'))?;
        let second = self.small_number(at + 2)?;
        if self.tokens.get(at + 3)?.mark() != Some(separator) || self.tokens.len() < at + 5 {
            return None;
        }
        let spaced = |place: usize| self.tokens[place].spaced;
        if spaced(at + 1) != spaced(at + 3) || spaced(at + 2) != spaced(at + 4) && separator != '.' {
            return None;
        }
        if self.goes_on(at + 5, separator) {
            return None;
        }
        if let Some(found) = self.clock_in_year(at) {
            return Some(found);
        }
        if let Some(found) = self.short_year_first(at, separator) {
            return Some(found);
        }
        let (year, form) = match self.number_of(at + 4, 4) {
            Some(year) => (year, Form::Whole),
            None => {
                let year = self.number_of(at + 4, 2).and_then(short_year)?;
                // 1.2.10 is a version as soon as a date.
                let is_long = self.tokens[at].digits == 2 && self.tokens[at + 2].digits == 2;
                let is_day = is_long || separator == '/' || (separator == '.' && self.says_day(at));
                // 15.12. 10:30 has an hour there.
                let is_hour =
                    spaced(at + 4) && self.tokens.get(at + 5).is_some_and(|it| it.mark() == Some(':'));
                (!spaced(at + 2) && is_day && !is_hour).then_some((year, Form::ShortYear))?
            }
        };
        let is_thai = self.hints.language.is_some_and(|it| it.starts_with("th"))
            || self.tokens[at + 4].text.starts_with('๒');
        let year = if is_thai && (2443..=2642).contains(&year) { year - 543 } else { year };
        // 25/09/1389: the day comes first, whatever other dates of the page say.
        if is_jalali_year(year) && (self.counts_as_persians_do() || self.tokens[at + 4].text.starts_with('۱'))
        {
            let (year, month, day) = from_jalali(year, second, first)?;
            return self.whole(year, month, day, at + 5);
        }
        let may_swap = first <= 12 && second <= 12 && first != second;
        let month_first = match (first > 12, second > 12) {
            (true, _) => false,
            (_, true) => true,
            _ => separator != '.' && self.hints.month_first.unwrap_or(false),
        };
        let (month, day) = if month_first { (first, second) } else { (second, first) };
        let found = self.whole(year, month, day, at + 5)?;
        Some(Day { form, swapped: may_swap && separator != '.', ..found })
    }

    /// 18-03-08 in Chinese, Japanese and Korean, which always put the year first.
    fn short_year_first(&self, at: usize, separator: char) -> Option<Day> {
        let two = |place: usize| self.number_of(place, 2);
        if !self.is_eastern() || !matches!(separator, '-' | '/' | '.') || self.is_value {
            return None;
        }
        let (year, month, day) = (short_year(two(at)?)?, two(at + 2)?, two(at + 4)?);
        let found = self.whole(year, month, day, at + 5)?;
        Some(Day { form: Form::ShortYear, ..found })
    }

    /// Does a page that writes days with full stops say that 4.3.21 is one: at the head of a line, or behind "am"?
    fn says_day(&self, at: usize) -> bool {
        const LANGUAGES: [&str; 12] =
            ["de", "cs", "sk", "pl", "da", "nb", "no", "fi", "hr", "sl", "et", "is"];
        const BEFORE: [&str; 12] =
            ["am", "vom", "den", "dem", "ab", "bis", "stand", "datum", "dne", "dnia", "kl", "pvm"];
        let language = self.hints.language.unwrap_or_default();
        let base = language.split(['-', '_']).next().unwrap_or_default();
        if !LANGUAGES.contains(&base) {
            return false;
        }
        let before = self.tokens[..at].iter().rev().find(|it| !matches!(it.mark(), Some(':' | ',' | '.')));
        before.is_none_or(|it| BEFORE.contains(&it.text.to_lowercase().as_str()))
    }

    /// 28.09.1912:44 is 28.09.19, 12:44 without the space between; nothing else has a clock that begins with its year. In Chinese,
    /// Japanese and Korean, 18-03-0823:16 is 18-03-08, 23:16.
    fn clock_in_year(&self, at: usize) -> Option<Day> {
        let both = self.number_of(at + 4, 4).filter(|_| !self.is_value)?;
        let (last, hour) = (both / 100, both % 100);
        let colon = self.tokens.get(at + 5).filter(|it| it.mark() == Some(':') && !it.spaced)?;
        let minute = self.number_of(at + 6, 2).filter(|minute| *minute < 60 && hour < 24)?;
        if self.tokens[at].digits != 2 || self.tokens[at + 2].digits != 2 || colon.start == 0 {
            return None;
        }
        let (first, month) = (self.small_number(at)?, self.small_number(at + 2)?);
        let of = |year: u32, day: u32| self.whole(short_year(year)?, month, day, at + 7);
        // Nobody writes of years to come.
        let is_past = |day: &Day| self.hints.fetched.is_none_or(|it| day.year <= u32::from(it.local.year));
        let year_first = self.is_eastern().then(|| of(first, last)).flatten().filter(is_past);
        let found = year_first.or_else(|| of(last, first))?;
        let clock = Clock { hour: hour as u8, minute: Some(minute as u8), ..Clock::default() };
        Some(Day { form: Form::ShortYear, clock: Some(clock), ..found })
    }

    /// Is the text in a language that puts the year first always?
    fn is_eastern(&self) -> bool {
        let language = self.hints.language.unwrap_or_default();
        ["zh", "ja", "ko"].iter().any(|it| language.starts_with(it))
    }
}

/// Is there one or two digits between two marks of a kind, with a digit before them? Without, no day in numbers is there: a
/// cheap look, since most texts have none.
pub(crate) fn may_have_order(text: &str) -> bool {
    let bytes = text.as_bytes();
    let at = |place: usize| bytes.get(place).copied().unwrap_or_default();
    memchr::memchr2_iter(b'/', b'-', bytes).any(|mark| {
        mark > 0
            && at(mark - 1).is_ascii_digit()
            && at(mark + 1).is_ascii_digit()
            && (at(mark + 2) == bytes[mark] || at(mark + 3) == bytes[mark])
    })
}

/// Does the month come first in the days in numbers of a text? Nothing where each of them may be read both ways.
pub(crate) fn order(text: &str) -> Option<bool> {
    if !may_have_order(text) {
        return None;
    }
    text.split(|c: char| !(c.is_ascii_digit() || c == '/' || c == '-')).find_map(|word| {
        let mark = if word.contains('/') { '/' } else { '-' };
        let mut parts = word.trim_matches('-').split(mark);
        let (first, second, year) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() || !matches!(year.len(), 2 | 4) || first.len() > 2 || second.len() > 2 {
            return None;
        }
        let year: u32 = year.parse().ok()?;
        if year >= 100 && !(1990..=2099).contains(&year) {
            return None;
        }
        match (first.parse::<u32>().ok()?, second.parse::<u32>().ok()?) {
            (13..=31, 1..=12) => Some(false),
            (1..=12, 13..=31) => Some(true),
            _ => None,
        }
    })
}

/// The year of two digits.
pub(super) fn short_year(year: u32) -> Option<u32> {
    match year {
        0..=39 => Some(2_000 + year),
        90..=99 => Some(1_900 + year),
        _ => None,
    }
}
