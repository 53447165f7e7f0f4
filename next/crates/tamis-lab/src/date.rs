//! Is it the same day? And which one is today?

use std::time::{SystemTime, UNIX_EPOCH};

use crate::letters::digit;

/// Today in UTC, as `2026-11-16`.
///
/// ```
/// assert_eq!(tamis_lab::date::today().len(), "2026-11-16".len());
/// ```
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    civil(seconds / 86_400)
}

/// The day that is so many days after 1970-01-01.
fn civil(mut days: u64) -> String {
    let leap = |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}

/// Year, month and day of the first date in a text: four digits, then twice one or two digits, with one or two other
/// characters between. Clock time and time zone are left alone.
///
/// ```
/// use tamis_lab::date::day;
///
/// assert_eq!(day("2026-11-15T08:00:00Z"), Some((2026, 11, 15)));
/// assert_eq!(day("2026年1月5日"), Some((2026, 1, 5)));
/// assert_eq!(day("15 November 2026"), None);
/// ```
pub fn day(text: &str) -> Option<(u32, u32, u32)> {
    let digits: Vec<Option<u32>> = text.chars().map(digit).collect();
    (0..digits.len()).find_map(|start| {
        let (year, rest) = number(&digits[start..], 4, 4)?;
        let (month, rest) = number(gap(rest)?, 1, 2)?;
        let (day, _) = number(gap(rest)?, 1, 2)?;
        Some((year, month, day))
    })
}

/// Is the date that a tool gives the day of the truth? Nothing where the truth names no day.
pub fn same_day(found: Option<&str>, wanted: &str) -> Option<bool> {
    let wanted = day(wanted)?;
    Some(found.and_then(day) == Some(wanted))
}

/// A number of so many digits, and what stands behind it.
fn number(from: &[Option<u32>], least: usize, most: usize) -> Option<(u32, &[Option<u32>])> {
    let digits: Vec<u32> = from.iter().take(most).map_while(|digit| *digit).collect();
    (digits.len() >= least).then(|| {
        let value = digits.iter().fold(0, |value, digit| value * 10 + digit);
        (value, &from[digits.len()..])
    })
}

/// What stands behind one or two characters that are no digits.
fn gap(from: &[Option<u32>]) -> Option<&[Option<u32>]> {
    let length = from.iter().take(3).take_while(|digit| digit.is_none()).count();
    (1..=2).contains(&length).then(|| &from[length..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_in_many_forms() {
        assert_eq!(day("am 2025/6/30, 7:00"), Some((2025, 6, 30)));
        assert_eq!(day("120250-1-2 2024. 3. 4"), Some((250, 1, 2)));
        assert_eq!(day("20250630"), None);
        assert_eq!(day("2025-123-1 ٢٠٢٥-٠٦-٣٠"), Some((2025, 6, 30)));
        assert_eq!(day("2025 - 6 - 30"), None);
        assert_eq!(day("2025-06-301"), Some((2025, 6, 30)));
    }

    #[test]
    fn days_become_dates() {
        assert_eq!(civil(0), "1970-01-01");
        assert_eq!(civil(11_016), "2000-02-29");
        assert_eq!(civil(20_453), "2025-12-31");
        assert_eq!(civil(20_772), "2026-11-15");
    }

    #[test]
    fn a_truth_without_a_day_is_no_figure() {
        assert_eq!(same_day(Some("2025-01-01"), "spring"), None);
        assert_eq!(same_day(None, "2025-01-01"), Some(false));
        assert_eq!(same_day(Some("1 2025-1-1"), "2025-01-01"), Some(true));
    }
}
