//! A date with an optional time of day and offset, and its precision.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::Offset;

/// The precision of a [`Moment`]: its smallest known part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Precision {
    /// The year.
    Year,
    /// The month.
    Month,
    /// The day.
    Day,
    /// The minute.
    Minute,
    /// The second.
    Second,
}

/// A date with an optional time of day and offset from UTC.
///
/// ```
/// use tamis_dates::{Moment, Precision};
///
/// let moment: Moment = "2010-12-15T08:30+01:00".parse()?;
/// assert_eq!((moment.year(), moment.month(), moment.hour()), (2010, Some(12), Some(8)));
/// assert_eq!((moment.precision(), moment.offset_minutes()), (Precision::Minute, Some(60)));
/// assert!("2010-02-31".parse::<Moment>().is_err());
/// # Ok::<(), tamis_dates::InvalidMoment>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Moment {
    /// Parts below the precision have their minimum.
    local: DateTime,
    precision: Precision,
    offset: Option<i16>,
}

/// A time of day, without its day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clock {
    pub(crate) hour: i8,
    pub(crate) minute: i8,
    pub(crate) second: Option<i8>,
    pub(crate) offset: Option<i16>,
}

impl Clock {
    /// Checks the ranges; a leap second counts as the one before it.
    pub(crate) fn new(hour: u64, minute: u64, second: Option<u64>) -> Option<Clock> {
        if hour > 23 || minute > 59 || second.is_some_and(|second| second > 60) {
            return None;
        }
        let second = second.map(|second| second.min(59) as i8);
        Some(Clock { hour: hour as i8, minute: minute as i8, second, offset: None })
    }
}

impl Moment {
    /// A day, if the calendar has it.
    pub fn from_date(year: i16, month: u8, day: u8) -> Option<Moment> {
        let date = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
        Some(Moment::of(date, Precision::Day))
    }

    /// From Unix seconds, for years 1 to 9999.
    pub fn from_unix(seconds: i64) -> Option<Moment> {
        let local = Offset::UTC.to_datetime(Timestamp::from_second(seconds).ok()?);
        let moment = Moment { local, precision: Precision::Second, offset: Some(0) };
        (local.year() > 0).then_some(moment)
    }

    /// Reads ISO 8601 strictly, in the forms that [`Display`](fmt::Display) writes: `2010`, `2010-12`, `2010-12-15`,
    /// `2010-12-15T08:30`, `2010-12-15T08:30:15`, the last two with `Z` or `+01:00`. A space for the `T`, fractions of
    /// a second and `+0100` are accepted.
    pub fn parse_iso(text: &str) -> Option<Moment> {
        let bytes = text.as_bytes();
        let number = |at: usize, length: usize| -> Option<u16> {
            let digits = bytes.get(at..at + length)?;
            let is_number = digits.iter().all(u8::is_ascii_digit);
            is_number.then(|| digits.iter().fold(0, |sum, digit| sum * 10 + u16::from(digit - b'0')))
        };
        let behind = |at: usize, marks: &[u8], length: usize| {
            bytes.get(at).filter(|byte| marks.contains(byte)).and_then(|_| number(at + 1, length))
        };
        let year = number(0, 4).filter(|year| *year > 0)? as i16;
        let first = Date::new(year, 1, 1).ok()?;
        if bytes.len() == 4 {
            return Some(Moment::of(first, Precision::Year));
        }
        let month = behind(4, b"-", 2)?;
        if bytes.len() == 7 {
            return Some(Moment::of(Date::new(year, month as i8, 1).ok()?, Precision::Month));
        }
        let day = behind(7, b"-", 2)?;
        let date = Moment::from_date(year, month as u8, day as u8)?;
        if bytes.len() == 10 {
            return Some(date);
        }
        let (hour, minute) = (behind(10, b"T ", 2)?, behind(13, b":", 2)?);
        let second = behind(16, b":", 2);
        let mut at = if second.is_some() { 19 } else { 16 };
        if second.is_some() && bytes.get(at) == Some(&b'.') {
            let digits = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            at += if (1..=9).contains(&digits) { 1 + digits } else { 0 };
        }
        let mut clock = Clock::new(hour.into(), minute.into(), second.map(u64::from))?;
        clock.offset = match &bytes[at..] {
            [] => None,
            [b'Z'] => Some(0),
            [sign @ (b'+' | b'-'), rest @ ..] => {
                let minutes = match rest.len() {
                    4 => number(at + 3, 2)?,
                    5 => behind(at + 3, b":", 2)?,
                    _ => return None,
                };
                let total = (number(at + 1, 2)? * 60 + minutes) as i16;
                (minutes < 60 && total <= 14 * 60).then_some(if *sign == b'-' { -total } else { total })
            }
            _ => return None,
        };
        (clock.offset.is_some() || at == bytes.len()).then(|| date.with_clock(clock))
    }

    pub(crate) fn of(date: Date, precision: Precision) -> Moment {
        Moment { local: date.at(0, 0, 0, 0), precision, offset: None }
    }

    /// The same day at a valid time of day.
    pub(crate) fn with_clock(self, clock: Clock) -> Moment {
        let precision = if clock.second.is_some() { Precision::Second } else { Precision::Minute };
        let local = self.local.date().at(clock.hour, clock.minute, clock.second.unwrap_or(0), 0);
        Moment { local, precision, offset: clock.offset }
    }

    /// Another time with the offset of this one, to the minute.
    pub(crate) fn at_minute(self, local: DateTime) -> Option<Moment> {
        let local = local.with().second(0).subsec_nanosecond(0).build().ok()?;
        Some(Moment { local, precision: Precision::Minute, offset: self.offset })
    }

    pub(crate) fn local(&self) -> DateTime {
        self.local
    }

    /// The precision.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// The year.
    pub fn year(&self) -> i16 {
        self.local.year()
    }

    /// The month, from 1 to 12.
    pub fn month(&self) -> Option<u8> {
        (self.precision >= Precision::Month).then_some(self.local.month() as u8)
    }

    /// The day of the month.
    pub fn day(&self) -> Option<u8> {
        (self.precision >= Precision::Day).then_some(self.local.day() as u8)
    }

    /// The hour, from 0 to 23; with it, the minute is known too.
    pub fn hour(&self) -> Option<u8> {
        (self.precision >= Precision::Minute).then_some(self.local.hour() as u8)
    }

    /// The minute.
    pub fn minute(&self) -> Option<u8> {
        (self.precision >= Precision::Minute).then_some(self.local.minute() as u8)
    }

    /// The second.
    pub fn second(&self) -> Option<u8> {
        (self.precision == Precision::Second).then_some(self.local.second() as u8)
    }

    /// The offset in minutes east of Greenwich, if given; only with a time of day.
    pub fn offset_minutes(&self) -> Option<i16> {
        self.offset
    }

    /// Seconds since 1970 in UTC of its earliest reading; a time without an offset is taken as UTC.
    pub fn to_unix(&self) -> i64 {
        let seconds = Offset::UTC.to_timestamp(self.local).map_or(0, |it| it.as_second());
        seconds - i64::from(self.offset.unwrap_or(0)) * 60
    }

    /// Days since 1970 of its local date.
    pub fn day_number(&self) -> i64 {
        (self.to_unix() + i64::from(self.offset.unwrap_or(0)) * 60).div_euclid(86_400)
    }

    /// Whether it is certainly later than another. If an offset is unknown, the difference must exceed a day.
    pub fn is_after(&self, other: &Moment) -> bool {
        if self.offset.is_some() && other.offset.is_some() {
            return self.to_unix() > other.to_unix();
        }
        self.day_number() > other.day_number() + 1
    }

    /// Whether both may be the same time: equal in all parts that both have, or hours apart if an offset is unknown.
    pub fn may_equal(&self, other: &Moment) -> bool {
        match self.precision.min(other.precision) {
            Precision::Year => self.year() == other.year(),
            Precision::Month => self.year() == other.year() && self.month() == other.month(),
            Precision::Day => self.day_number() == other.day_number(),
            _ => {
                let known = self.offset.is_some() == other.offset.is_some();
                let seconds = if known { 60 } else { 14 * 3_600 };
                (self.to_unix() - other.to_unix()).abs() <= seconds
            }
        }
    }
}

impl fmt::Display for Moment {
    /// ISO 8601 with its precision.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let local = &self.local;
        write!(f, "{:04}", local.year())?;
        let parts = [
            (Precision::Month, '-', local.month()),
            (Precision::Day, '-', local.day()),
            (Precision::Minute, 'T', local.hour()),
            (Precision::Minute, ':', local.minute()),
            (Precision::Second, ':', local.second()),
        ];
        for (_, mark, part) in parts.into_iter().filter(|(precision, ..)| self.precision >= *precision) {
            write!(f, "{mark}{part:02}")?;
        }
        match self.offset {
            None => Ok(()),
            Some(0) => f.write_str("Z"),
            Some(offset) => {
                let sign = if offset < 0 { '-' } else { '+' };
                write!(f, "{sign}{:02}:{:02}", offset.abs() / 60, offset.abs() % 60)
            }
        }
    }
}

/// The text is not an ISO 8601 date that [`Moment::parse_iso`] accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidMoment;

impl fmt::Display for InvalidMoment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an ISO 8601 date such as 2010-12-15 or 2010-12-15T08:30:00+01:00")
    }
}

impl std::error::Error for InvalidMoment {}

impl FromStr for Moment {
    type Err = InvalidMoment;

    fn from_str(text: &str) -> Result<Moment, InvalidMoment> {
        Moment::parse_iso(text).ok_or(InvalidMoment)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Moment {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Moment {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Moment, D::Error> {
        let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Moment {
        text.parse().unwrap()
    }

    #[test]
    fn iso_is_written_as_it_is_read() {
        let sound = "2010|2010-12|2010-12-15|2010-12-15T08:30|2010-12-15T08:30Z|2010-12-15T08:30-05:30|2010-12-15T08:30:15|\
            2012-02-29T08:30:15+01:00";
        for text in sound.split('|') {
            assert_eq!(moment(text).to_string(), text);
        }
        assert_eq!(moment("2010-12-15 08:30:15.123+0100").to_string(), "2010-12-15T08:30:15+01:00");
        let other = "|201|20101|2010-1|2010-13|2010-02-29|2010-12-15T|2010-12-15T08|2010-12-15T24:00|2010-12-15T08:60|\
            2010-12-15T08:30:15+1|2010-12-15T08:30+15:00|2010-12-15T08:30x|2010-12-15x| 2010|２０１０|0000|2010-12-15T08:30:15.";
        for text in other.split('|') {
            assert_eq!(Moment::parse_iso(text), None, "{text}");
        }
    }

    #[test]
    fn unix_seconds() {
        assert_eq!(Moment::from_unix(1_292_401_815).unwrap().to_string(), "2010-12-15T08:30:15Z");
        assert_eq!(Moment::from_unix(-1).unwrap().to_string(), "1969-12-31T23:59:59Z");
        assert_eq!(Moment::from_unix(i64::MAX), None);
        assert_eq!(moment("2010-12-15T08:30:15+01:00").to_unix(), 1_292_398_215);
        assert_eq!(moment("2010-12-15T00:30:15+01:00").day_number(), moment("2010-12-15").day_number());
    }

    #[test]
    fn later_and_equal() {
        assert!(moment("2010-12-15T08:30Z").is_after(&moment("2010-12-15T08:30+01:00")));
        assert!(!moment("2010-12-16").is_after(&moment("2010-12-15T08:30Z")), "somewhere it is the 16th");
        assert!(moment("2010-12-17").is_after(&moment("2010-12-15")));
        assert!(moment("2010-12").may_equal(&moment("2010-12-15")));
        assert!(moment("2010-12-15T08:30").may_equal(&moment("2010-12-15T13:30Z")));
        assert!(!moment("2010-12-15T08:30Z").may_equal(&moment("2010-12-15T13:30Z")));
    }

    #[cfg(feature = "serde")]
    #[test]
    fn serialised_as_its_string() {
        let json = serde_json::to_string(&moment("2010-12-15T08:30Z")).unwrap();
        assert_eq!(json, "\"2010-12-15T08:30Z\"");
        assert_eq!(serde_json::from_str::<Moment>(&json).unwrap(), moment("2010-12-15T08:30Z"));
        assert!(serde_json::from_str::<Moment>("\"today\"").is_err());
    }
}
