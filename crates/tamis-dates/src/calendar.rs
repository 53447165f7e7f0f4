//! Years and days of other calendars.

use jiff::ToSpan;
use jiff::civil::{Date, date};

/// Years 2443 to 2642 of the Buddhist calendar, as ours.
pub(crate) fn from_buddhist(year: u32) -> Option<u32> {
    (2443..=2642).contains(&year).then(|| year - 543)
}

/// Whether a number may be a year of the Persian calendar.
pub(crate) fn is_persian_year(year: u32) -> bool {
    (1250..=1450).contains(&year)
}

/// A day of the Persian solar calendar, by the cycle of 33 years, which is right from 1799 to 2256.
pub(crate) fn from_persian(year: u32, month: u32, day: u32) -> Option<Date> {
    let is_leap = |year: u32| matches!(year % 33, 1 | 5 | 9 | 13 | 17 | 22 | 26 | 30);
    let last = match month {
        1..=6 => 31,
        7..=11 => 30,
        12 => 29 + u32::from(is_leap(year)),
        _ => return None,
    };
    if !(1..=last).contains(&day) || !is_persian_year(year) {
        return None;
    }
    let before_month = if month <= 7 { (month - 1) * 31 } else { 186 + (month - 7) * 30 };
    // The year 1200 began on 1821-03-21.
    let leaps = (1200..year).filter(|&year| is_leap(year)).count() as u32;
    let days = (year - 1200) * 365 + leaps + before_month + day - 1;
    date(1821, 3, 21).checked_add(i64::from(days).days()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn persian_days() {
        let table = "1399-01-01 2020-03-20|1398-01-01 2019-03-21|1400-01-01 2021-03-21|1403-01-01 2024-03-20|1404-01-01 2025-03-21|\
            1389-09-24 2010-12-15|1399-12-30 2021-03-20|1375-01-01 1996-03-20|1357-11-22 1979-02-11";
        for row in table.split('|') {
            let part = |range: std::ops::Range<usize>| row[range].parse().unwrap();
            let found = from_persian(part(0..4), part(5..7), part(8..10)).map(|date| date.to_string());
            assert_eq!(found.as_deref(), row.get(11..), "{row}");
        }
        assert_eq!(from_persian(1400, 12, 30), None, "no leap year");
        assert_eq!(from_persian(1400, 7, 31), None);
        assert_eq!(from_persian(1400, 13, 1), None);
    }
}
