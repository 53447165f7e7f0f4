//! The date in the path of a URL: `/2010/12/15/`, `/2010/december/15/`, `/2010-12/15/`, `/2010-12-15-`, `/20101215`.

use std::ops::RangeInclusive;

use crate::lexicon::{Filter, LEXICON, Role};
use crate::locale::Locale;
use crate::moment::{Clock, Moment, Precision};
use crate::reader::date;
use crate::{Form, Found, Hints};

/// Longer paths are not searched.
const MAX_PATH: usize = 2_000;

/// The date in the path of a URL. Of the hints, only the reference and the order of day and month are used: years in
/// URLs are Gregorian in all languages.
///
/// ```
/// use tamis_dates::{Hints, read_url_date};
///
/// let date = |path| read_url_date(path, &Hints::default()).map(|found| found.moment.to_string());
/// assert_eq!(date("/news/2021/03/04/rain").as_deref(), Some("2021-03-04"));
/// assert_eq!(date("/t20210304_77.html").as_deref(), Some("2021-03-04"));
/// assert_eq!(date("/2021/03/rain"), None);
/// ```
pub fn read_url_date(path: &str, hints: &Hints<'_>) -> Option<Found> {
    if path.len() > MAX_PATH {
        return None;
    }
    let mut parts: Vec<(usize, &str)> = Vec::new();
    let mut start = 0;
    for part in path.split('/') {
        if !part.is_empty() {
            parts.push((start, part));
        }
        start += part.len() + 1;
    }
    // A URL within a URL is preceded by the time at which it was archived.
    let inner = parts.iter().rposition(|(_, part)| matches!(*part, "http:" | "https:"));
    let archived = || parts.windows(2).position(|two| is_stamp(two[0].1) && two[1].1.contains('.'));
    let parts = &parts[inner.or_else(archived).map_or(0, |at| at + 1)..];
    let month_first = hints.month_first.unwrap_or_else(|| Locale::of(hints.language).habits.month_first);
    let is_past = |it: &Moment| hints.reference.is_none_or(|now| it.day_number() <= now.day_number() + 1);
    let found = |at: usize, count: usize, readings: Readings| {
        let last = parts[at + count - 1];
        let range = parts[at].0..last.0 + last.1.len();
        let mut readings = readings.into_iter().flatten().filter(is_past);
        Some(Found { moment: readings.next()?, range, form: Form::Full, alternative: readings.next() })
    };
    let whole = |at: usize| {
        let (count, readings) = in_parts(&parts[at..]).or_else(|| Some((1, in_part(parts[at].1)?)))?;
        found(at, count, readings)
    };
    // Last, since a date at the end of a name may belong to the name.
    let at_end = |at: usize| found(at, 1, at_end_of_name(parts[at].1, month_first)?);
    (0..parts.len()).find_map(whole).or_else(|| (0..parts.len()).find_map(at_end))
}

/// A date and its alternative reading.
type Readings = [Option<Moment>; 2];

fn day(year: u32, month: u32, day: u32) -> Option<Readings> {
    let date = date(year, month, day).filter(|_| year >= 1990)?;
    Some([Some(Moment::of(date, Precision::Day)), None])
}

fn number(text: &str, digits: RangeInclusive<usize>) -> Option<u32> {
    let is_number = digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// A date that starts with the first of these parts and continues in the next, and its number of parts.
fn in_parts(parts: &[(usize, &str)]) -> Option<(usize, Readings)> {
    let (first, next) = (parts.first()?.1, parts.get(1)?.1);
    // The day may be followed by a name: /2010/12/15-rain
    let start = |part: &str| number(&part[..part.bytes().take_while(u8::is_ascii_digit).count()], 1..=2);
    if let Some((year, month)) = first.split_once('-') {
        return Some((2, day(number(year, 4..=4)?, number(month, 1..=2)?, start(next)?)?));
    }
    let year = number(first, 4..=4)?;
    if let Some(both) = number(next, 4..=4) {
        return Some((2, day(year, both / 100, both % 100)?));
    }
    let named = || {
        let (entry, has_ending) = LEXICON.find(next, Filter::DATE).filter(|_| next.len() >= 3)?;
        entry.any_value(Role::Month, &Locale::default()).filter(|_| !has_ending).map(|it| it as u32)
    };
    let month = number(next, 1..=2).or_else(named)?;
    Some((3, day(year, month, start(parts.get(2)?.1)?)?))
}

/// `2010-12-15`, `20101215` or `20101215083000` in a part of a path.
fn in_part(part: &str) -> Option<Readings> {
    let is_other = |c: char| !c.is_ascii_digit();
    let mut end = 0;
    part.split_inclusive(is_other).find_map(|piece| {
        let run = piece.trim_end_matches(is_other);
        let behind = &part[end + run.len()..];
        end += piece.len();
        let year = number(run.get(..4)?, 4..=4).filter(|year| (1990..=2099).contains(year))?;
        if run.len() == 8 || is_clock(run.get(8..).unwrap_or_default()) {
            return day(year, number(&run[4..6], 2..=2)?, number(&run[6..8], 2..=2)?);
        }
        let mut numbers = behind.strip_prefix(['-', '_'])?.split(['-', '_', '.']);
        let mut next = || number(numbers.next()?, 1..=2);
        if run.len() == 4 { day(year, next()?, next()?) } else { None }
    })
}

/// `15-12-2010`, alone or at the end of a name: `rain-15-12-2010.html`.
fn at_end_of_name(part: &str, month_first: bool) -> Option<Readings> {
    let name = part.split('.').next().unwrap_or(part);
    let mut words = name.rsplit(['-', '_']);
    let (year, second, first) = (words.next()?, words.next()?, words.next()?);
    let (first, second, year) = (number(first, 1..=2)?, number(second, 1..=2)?, number(year, 4..=4)?);
    let reading = |month: u32, month_day: u32| day(year, month, month_day).and_then(|readings| readings[0]);
    let swapped = reading(first, second).filter(|_| first != second);
    let readings = [reading(second, first), swapped];
    Some(if month_first && swapped.is_some() { [readings[1], readings[0]] } else { readings })
}

/// The time at which an archive stored a page: `20140226083000`, `20140226083000id_`.
fn is_stamp(part: &str) -> bool {
    let digits = part.bytes().take_while(u8::is_ascii_digit).count();
    digits == 14 && (part.len() == 14 || part.ends_with('_'))
}

/// Hours, minutes and optional seconds without marks between; other numbers rarely look like it.
fn is_clock(digits: &str) -> bool {
    let value = number(digits, 4..=6).map(u64::from);
    value.is_some_and(|value| match digits.len() {
        4 => Clock::new(value / 100, value % 100, None).is_some(),
        6 => Clock::new(value / 10_000, value / 100 % 100, Some(value % 100)).is_some(),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_choose_the_reading() {
        let read = |hints| read_url_date("/news/03-04-2021/rain", &hints).unwrap();
        let (march, april) = (Moment::parse_iso("2021-03-04"), Moment::parse_iso("2021-04-03"));
        let found = read(Hints { month_first: Some(true), ..Hints::default() });
        assert_eq!((Some(found.moment), found.alternative, found.range), (march, april, 6..16));
        let found = read(Hints::default());
        assert_eq!((Some(found.moment), found.alternative), (april, march));
        let found = read(Hints { reference: Moment::parse_iso("2021-03-20"), ..Hints::default() });
        assert_eq!((Some(found.moment), found.alternative), (march, None));
    }
}
