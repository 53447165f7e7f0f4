//! Times as HTTP, feeds and pages write them.

/// Seconds since 1970 as (year, month, day, hour, minute, second, weekday from Sunday).
fn civil(seconds: u64) -> (u64, u64, u64, u64, u64, u64, usize) {
    // Gregorian calendar counted from 1 March of year 0, in eras of 400 years.
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let weekday = ((seconds / 86_400 + 4) % 7) as usize;
    (year, month, day, seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60, weekday)
}

/// `2025-03-14T09:26:00Z`
pub(crate) fn iso(seconds: u64) -> String {
    let (year, month, day, hour, minute, second, _) = civil(seconds);
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// `Fri, 14 Mar 2025 09:26:00 GMT`, for HTTP and RSS.
pub(crate) fn http(seconds: u64) -> String {
    const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (year, month, day, hour, minute, second, weekday) = civil(seconds);
    let (weekday, month) = (DAYS[weekday], MONTHS[month as usize - 1]);
    format!("{weekday}, {day:02} {month} {year} {hour:02}:{minute:02}:{second:02} GMT")
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_instants_are_written_right() {
        for (seconds, iso, http) in [
            (0, "1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
            (1_709_210_096, "2024-02-29T12:34:56Z", "Thu, 29 Feb 2024 12:34:56 GMT"),
            (1_767_225_599, "2025-12-31T23:59:59Z", "Wed, 31 Dec 2025 23:59:59 GMT"),
        ] {
            assert_eq!((super::iso(seconds).as_str(), super::http(seconds).as_str()), (iso, http));
        }
    }
}
