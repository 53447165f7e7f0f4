//! Days in numbers alone, the year last: 15.12.2010, 12/15/2010, 15-12-10.

use crate::Form;
use crate::calendar::from_buddhist;
use crate::lexicon::Role;
use crate::moment::{Clock, Moment, Precision};
use crate::reader::{Day, Reader, date, short_year};

impl Reader<'_> {
    /// 15.12.2010, 12/15/2010, 15-12-10
    pub(crate) fn year_last(&self, at: usize) -> Option<Day> {
        let first = self.small_number(at)?;
        let separator = self.token(at + 1)?.mark().filter(|mark| matches!(mark, '.' | '/' | '-' | '|'))?;
        let second = self.small_number(at + 2)?;
        let year_at = at + 4;
        if !self.is_mark(at + 3, separator)
            || self.token(year_at).is_none()
            || self.goes_on(at + 5, separator)
        {
            return None;
        }
        let spaced = |place: usize| self.tokens[place].spaced;
        if spaced(at + 1) != spaced(at + 3) || spaced(at + 2) != spaced(year_at) && separator != '.' {
            return None;
        }
        if let Some(found) = self.clock_glued_to_year(at).or_else(|| self.short_year_first(at, separator)) {
            return Some(found);
        }
        let (year, form) = match self.number_of(year_at, 4) {
            Some(year) => (year, Form::Full),
            None => (self.short_year_last(at, separator)?, Form::ShortYear),
        };
        // The day comes first, independent of other dates of the page.
        if self.is_persian_year(year_at) {
            return self.persian_day(year, second, first, at + 5);
        }
        let is_buddhist = self.locale.habits.buddhist || self.tokens[year_at].text.starts_with('\u{e52}');
        let year = from_buddhist(year).filter(|_| is_buddhist).unwrap_or(year);
        let day_first = date(year, second, first);
        let month_first = date(year, first, second);
        let prefers_month = separator != '.' && self.month_first;
        let (date, swapped) = match (day_first, month_first) {
            (Some(day_first), Some(month_first)) if prefers_month => (month_first, Some(day_first)),
            (Some(day_first), month_first) => (day_first, month_first),
            (None, month_first) => (month_first?, None),
        };
        let swapped = swapped.filter(|swapped| separator != '.' && *swapped != date);
        Some(Day { date, swapped, form, clock: None, end: at + 5 })
    }

    /// A year of two digits at the end of a day, unless it looks like a version or an hour.
    fn short_year_last(&self, at: usize, separator: char) -> Option<u32> {
        let year = self.number_of(at + 4, 2).and_then(short_year)?;
        let is_long = self.tokens[at].digits == 2 && self.tokens[at + 2].digits == 2;
        let is_day = is_long || separator == '/' || (separator == '.' && self.begins_dotted_day(at));
        // 15.12. 10:30
        let is_hour = self.tokens[at + 4].spaced && self.is_mark(at + 5, ':');
        (!self.tokens[at + 2].spaced && is_day && !is_hour).then_some(year)
    }

    /// Whether 4.3.21 is a date: in a language that writes dates with full stops, at the start of a line or after a
    /// word for a date.
    fn begins_dotted_day(&self, at: usize) -> bool {
        let is_mark = |mark: Option<char>| matches!(mark, Some(':' | ',' | '.'));
        let before = self.tokens[..at].iter().rev().take(4).find(|it| !is_mark(it.mark()));
        self.locale.habits.full_stops && before.is_none_or(|it| it.is(Role::DottedDayBefore))
    }

    /// 18-03-08 in languages that always put the year first.
    fn short_year_first(&self, at: usize, separator: char) -> Option<Day> {
        if !self.locale.habits.year_first || separator == '|' || self.is_value {
            return None;
        }
        let part = |place: usize| self.number_of(place, 2);
        let found = self.day(short_year(part(at)?)?, part(at + 2)?, part(at + 4)?, at + 5)?;
        Some(Day { form: Form::ShortYear, ..found })
    }

    /// 28.09.1912:44 is 28.09.19, 12:44 without a space between. With the year first, 18-03-0823:16 is 18-03-08, 23:16.
    fn clock_glued_to_year(&self, at: usize) -> Option<Day> {
        let both = self.number_of(at + 4, 4).filter(|_| !self.is_value)?;
        self.token(at + 5).filter(|it| it.is_mark(':') && !it.spaced)?;
        let minute = self.number_of(at + 6, 2)?;
        let (first, month) = (self.number_of(at, 2)?, self.number_of(at + 2, 2)?);
        let clock = Clock::new(u64::from(both % 100), u64::from(minute), None)?;
        let last = both / 100;
        let is_past = |day: &Day| !self.is_future(&Moment::of(day.date, Precision::Day));
        let of = |year: u32, day: u32| self.day(short_year(year)?, month, day, at + 7).filter(is_past);
        let year_first = if self.locale.habits.year_first { of(first, last) } else { None };
        let found = year_first.or_else(|| of(last, first))?;
        Some(Day { form: Form::ShortYear, clock: Some(clock), ..found })
    }
}
