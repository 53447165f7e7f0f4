//! Days of dates, and whether two dates are of the same day.

use crate::letters::digit;

/// Today in UTC, as `2026-11-16`.
pub fn today() -> String {
    jiff::Timestamp::now().strftime("%F").to_string()
}

/// Year, month and day of the first date in a text: four digits, then twice one or two digits, separated by one or two
/// other characters. Clock time and time zone are ignored.
pub fn day(text: &str) -> Option<(u32, u32, u32)> {
    let digits: Vec<Option<u32>> = text.chars().map(digit).collect();
    (0..digits.len()).find_map(|start| {
        let (year, rest) = number(&digits[start..], 4, 4)?;
        let (month, rest) = number(gap(rest)?, 1, 2)?;
        let (day, _) = number(gap(rest)?, 1, 2)?;
        Some((year, month, day))
    })
}

/// Whether the extracted date is on the day of the truth. `None` if the truth names no day.
pub fn same_day(found: Option<&str>, wanted: &str) -> Option<bool> {
    let wanted = day(wanted)?;
    Some(found.and_then(day) == Some(wanted))
}

/// A number of `least` to `most` digits, and the characters after it.
fn number(from: &[Option<u32>], least: usize, most: usize) -> Option<(u32, &[Option<u32>])> {
    let digits: Vec<u32> = from.iter().take(most).map_while(|digit| *digit).collect();
    (digits.len() >= least).then(|| {
        let value = digits.iter().fold(0, |value, digit| value * 10 + digit);
        (value, &from[digits.len()..])
    })
}

/// The characters after one or two non-digits.
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
    fn a_truth_without_a_day_is_not_scored() {
        assert_eq!(day(&today()).map(|(year, ..)| year >= 2026), Some(true));
        assert_eq!(same_day(Some("2025-01-01"), "spring"), None);
        assert_eq!(same_day(None, "2025-01-01"), Some(false));
        assert_eq!(same_day(Some("1 2025-1-1"), "2025-01-01"), Some(true));
    }
}
