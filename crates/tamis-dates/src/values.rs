//! Formats of values only: a date in one number, seconds since 1970, a month or a year alone.

use crate::lexicon::Role;
use crate::moment::{Clock, Moment, Precision};
use crate::reader::{Day, Reader, date};

impl Reader<'_> {
    /// 20101215, 201012150830, 20101215083000, 20101215T083000Z, seconds and milliseconds since 1970
    pub(crate) fn in_one_number(&self, at: usize, value: u64) -> Option<Day> {
        let digits = self.tokens[at].digits;
        let (date, rest) = match digits {
            8 => (value, None),
            12 => (value / 10_000, Some(value % 10_000 * 100)),
            14 => (value / 1_000_000, Some(value % 1_000_000)),
            10 | 13 if self.tokens.len() == 1 => {
                return self.unix_time(if digits == 13 { value / 1_000 } else { value });
            }
            _ => return None,
        };
        let mut found =
            self.day((date / 10_000) as u32, (date / 100 % 100) as u32, (date % 100) as u32, at + 1)?;
        let clock = rest.and_then(|rest| {
            Clock::new(rest / 10_000, rest / 100 % 100, (digits == 14).then_some(rest % 100))
        });
        if clock.is_some() {
            found.clock = clock;
        } else if self.token(at + 1).is_some_and(|it| it.text.eq_ignore_ascii_case("t"))
            && let Some((clock, end)) = self.compact_clock(at + 2)
        {
            (found.clock, found.end) = (Some(clock), end);
        }
        Some(found)
    }

    fn unix_time(&self, seconds: u64) -> Option<Day> {
        let local = Moment::from_unix(i64::try_from(seconds).ok()?)?.local();
        let found = self.day(local.year() as u32, local.month() as u32, local.day() as u32, 1)?;
        let clock = Clock {
            hour: local.hour(),
            minute: local.minute(),
            second: Some(local.second()),
            offset: Some(0),
        };
        Some(Day { clock: Some(clock), ..found })
    }

    /// A value that is only a month or a year: `2010-12`, December 2010, `2010`.
    pub(crate) fn month_or_year(&self) -> Option<Moment> {
        const MAX_TOKENS: usize = 8;
        let links = [Role::YearUnit, Role::MonthUnit, Role::YearLink, Role::DayLink];
        if self.tokens.len() > MAX_TOKENS {
            return None;
        }
        let (mut year, mut month) = (None, None);
        for (at, token) in self.tokens.iter().enumerate() {
            let is_year = token.digits == 4 && token.number().is_some_and(|it| (1990..=2099).contains(&it));
            if is_year && year.is_none() {
                year = token.number().map(|it| it as u32);
            } else if let Some(number) = token.small_number().filter(|_| month.is_none()) {
                month = Some(number);
            } else if let Some((named, _)) = self.month_at(at).filter(|_| month.is_none()) {
                month = Some(named);
            } else if !matches!(token.mark(), Some('-' | '/' | '.' | ','))
                && !links.iter().any(|it| token.is(*it))
            {
                return None;
            }
        }
        let date = date(year?, month.unwrap_or(1), 1)?;
        let precision = if month.is_some() { Precision::Month } else { Precision::Year };
        Some(Moment::of(date, precision)).filter(|moment| !self.is_future(moment))
    }
}
