//! Months and years without a day: `2010-12`, December 2010, `2010`. They are asked for only where a page says no more, for in a
//! text such words tell when something happened.

use super::calendar::days_in;
use super::months::month;
use super::{Moment, Precision};
use crate::report_time::ReportTime;

/// The month or the year that a value is, all of it.
pub(crate) fn rough(value: &str, language: Option<&str>) -> Option<Moment> {
    if value.len() > 60 {
        return None;
    }
    let value = value.trim().trim_end_matches('.').replace(['年', '月'], " ");
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '-' | '/' | '.' | ',');
    let is_between = |word: &&str| !word.is_empty() && !["de", "del", "of", "di"].contains(word);
    let words: Vec<&str> = value.split(is_mark).filter(is_between).collect();
    let year = |word: &str| (word.len() == 4).then(|| word.parse().ok()).flatten().filter(is_near);
    let month = |word: &str| match word.parse::<u8>() {
        Ok(number) => Some(number).filter(|_| word.len() <= 2),
        Err(_) => month(word, language),
    };
    let (year, month) = match words[..] {
        [one] => (year(one)?, None),
        [one, two] => match (year(one), year(two)) {
            (Some(year), _) => (year, Some(month(two)?)),
            (None, year) => (year?, Some(month(one)?)),
        },
        _ => return None,
    };
    days_in(u32::from(year), u32::from(month.unwrap_or(1)))?;
    let rough = if month.is_some() { Precision::Month } else { Precision::Year };
    Some(Moment { local: ReportTime::of_day(year, month.unwrap_or(1), 1), offset: None, rough: Some(rough) })
}

/// Older pages are few.
fn is_near(year: &u16) -> bool {
    (1990..=2099).contains(year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_and_years() {
        for (value, expected) in [
            ("2010-12", Some("2010-12")),
            ("2010/3", Some("2010-03")),
            ("12/2010", Some("2010-12")),
            ("2010年12月", Some("2010-12")),
            ("December 2010", Some("2010-12")),
            ("diciembre de 2010", Some("2010-12")),
            ("Dec. 2010", Some("2010-12")),
            ("2010 december", Some("2010-12")),
            ("2010", Some("2010")),
            ("2010-13", None),
            ("2010-00", None),
            ("1/2", None),
            ("77", None),
            ("1875", None),
            ("20101", None),
            ("Rain 2010", None),
            ("in December 2010", None),
            ("", None),
        ] {
            assert_eq!(rough(value, None).map(|it| it.to_string()).as_deref(), expected, "{value}");
        }
    }
}
