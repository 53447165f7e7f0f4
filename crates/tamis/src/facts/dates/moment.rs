//! A day, a time of day and an offset, each as far as they are said.

use std::fmt;

use super::calendar::{day_number, from_day_number};
use crate::report_time::ReportTime;

/// How exactly a time is known.
///
/// ```
/// use tamis::facts::dates::{Moment, Precision};
///
/// assert_eq!(Moment::read("2010-12-15").unwrap().precision(), Precision::Day);
/// assert_eq!(Moment::read("2010-12-15 08:30").unwrap().precision(), Precision::Minute);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Precision {
    /// The year: "3 years ago".
    Year,
    /// The month: "2 months ago".
    Month,
    /// The day.
    Day,
    /// The hour.
    Hour,
    /// The minute.
    Minute,
    /// The second.
    Second,
}

/// When something happened, as far as a page says it: a day, a time of day, and how far that is from UTC.
///
/// ```
/// use tamis::facts::dates::Moment;
///
/// let moment = Moment::read("Wed, 15 Dec 2010 08:30:00 +0100").unwrap();
/// assert_eq!(moment.to_string(), "2010-12-15T08:30:00+01:00");
/// assert_eq!((moment.local.day, moment.offset), (15, Some(60)));
/// assert_eq!(Moment::read("15 décembre 2010").unwrap().to_string(), "2010-12-15");
/// assert_eq!(Moment::read("no date"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Moment {
    /// The day and time where it was said.
    pub local: ReportTime,
    /// Minutes ahead of UTC, where known; only with an hour.
    pub offset: Option<i16>,
    /// Where not even the day is known, what is; the day of `local` is then a guess.
    pub rough: Option<Precision>,
}

impl fmt::Display for Moment {
    /// As ISO 8601 has it, as long as it is exact.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rough {
            Some(Precision::Year) => return write!(f, "{:04}", self.local.year),
            Some(Precision::Month) => return write!(f, "{:04}-{:02}", self.local.year, self.local.month),
            _ => {}
        }
        self.local.fmt(f)?;
        match self.offset.filter(|_| self.local.hour.is_some()) {
            None => Ok(()),
            Some(0) => f.write_str("Z"),
            Some(offset) => {
                let sign = if offset < 0 { '-' } else { '+' };
                write!(f, "{sign}{:02}:{:02}", offset.abs() / 60, offset.abs() % 60)
            }
        }
    }
}

impl Moment {
    /// The first date in a text, without hints: see [`read`](super::read).
    ///
    /// ```
    /// let moment = tamis::facts::dates::Moment::read("2010年12月15日 08:30").unwrap();
    /// assert_eq!(moment.to_string(), "2010-12-15T08:30");
    /// ```
    pub fn read(text: &str) -> Option<Moment> {
        super::read(text, &super::Hints::default())
    }

    /// The moment of so many seconds since 1970, in UTC.
    ///
    /// ```
    /// let moment = tamis::facts::dates::Moment::from_unix(1_292_401_800).unwrap();
    /// assert_eq!(moment.to_string(), "2010-12-15T08:30:00Z");
    /// ```
    pub fn from_unix(seconds: i64) -> Option<Moment> {
        let (day, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        if day.abs() > 100_000 {
            return None;
        }
        let mut moment = Moment::of_day_number(day)?;
        moment.local.hour = Some((rest / 3_600) as u8);
        moment.local.minute = Some((rest / 60 % 60) as u8);
        moment.local.second = Some((rest % 60) as u8);
        moment.offset = Some(0);
        Some(moment)
    }

    /// How exactly it is known.
    ///
    /// ```
    /// use tamis::facts::dates::{Moment, Precision};
    ///
    /// assert_eq!(Moment::read("15.12.2010, 8:30:01").unwrap().precision(), Precision::Second);
    /// ```
    pub fn precision(&self) -> Precision {
        if let Some(rough) = self.rough {
            return rough;
        }
        match (self.local.hour, self.local.minute, self.local.second) {
            (_, _, Some(_)) => Precision::Second,
            (_, Some(_), _) => Precision::Minute,
            (Some(_), ..) => Precision::Hour,
            _ => Precision::Day,
        }
    }

    /// The day alone, as a number that counts days.
    pub(crate) fn day_number(&self) -> i64 {
        let time = &self.local;
        day_number(i64::from(time.year), i64::from(time.month), i64::from(time.day))
    }

    pub(super) fn of_day_number(number: i64) -> Option<Moment> {
        let (year, month, day) = from_day_number(number);
        let year = u16::try_from(year).ok().filter(|year| (1900..=2099).contains(year))?;
        Some(Moment { local: ReportTime::of_day(year, month as u8, day as u8), offset: None, rough: None })
    }

    /// Minutes since 1970 in UTC; a time without an offset counts as if it were said there.
    pub(super) fn minutes(&self) -> i64 {
        let clock = i64::from(self.local.hour.unwrap_or(0)) * 60 + i64::from(self.local.minute.unwrap_or(0));
        self.day_number() * 1_440 + clock - i64::from(self.offset.unwrap_or(0))
    }

    /// Is it later than another, for sure? Where offsets are not known, a day's difference is not enough.
    pub(crate) fn is_after(&self, other: &Moment) -> bool {
        if self.offset.is_some() && other.offset.is_some() {
            return self.minutes() > other.minutes();
        }
        self.day_number() > other.day_number() + 1
    }

    /// What an attribute tells, beside the words that readers see: where both are twelve hours apart on one day, the program
    /// that wrote the attribute has lost the half of the day.
    pub(crate) fn corrected_by(self, words: Option<Moment>) -> Moment {
        let Some(words) = words.filter(|words| words.day_number() == self.day_number()) else { return self };
        let same_minute = words.local.minute.is_some() && words.local.minute == self.local.minute;
        match (self.local.hour, words.local.hour) {
            (Some(told), Some(seen)) if told.abs_diff(seen) == 12 && same_minute && self.offset.is_none() => {
                let mut right = self;
                right.local.hour = Some(seen);
                right
            }
            _ => self,
        }
    }

    /// Could it be the same moment as another, said with another offset or none?
    pub(crate) fn may_be(&self, other: &Moment) -> bool {
        let apart = (self.minutes() - other.minutes()).abs();
        match (self.local.hour, self.offset) {
            (None, _) => true,
            (Some(_), None) => apart <= 14 * 60,
            (Some(_), Some(_)) => apart <= 60,
        }
    }
}
