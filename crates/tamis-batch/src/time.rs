//! Times in microseconds since 1970, parsed from the forms found in archives.

use std::time::{SystemTime, UNIX_EPOCH};

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Unit};
use tamis_dates::Moment;

/// Parses `2024-05-01T10:00:00Z` with any precision and offset, or a date, as microseconds since 1970. Default: UTC.
///
/// ```
/// assert_eq!(tamis_batch::parse_time("1970-01-01T01:00:01+01:00"), Some(1_000_000));
/// assert_eq!(tamis_batch::parse_time("2024-02-31"), None);
/// ```
pub fn parse(text: &str) -> Option<i64> {
    let text = text.trim();
    let time = text.parse::<Timestamp>().or_else(|error| {
        let without_offset = text.parse::<DateTime>().map_err(|_| error)?;
        without_offset.to_zoned(TimeZone::UTC).map(|time| time.timestamp())
    });
    time.ok().map(|time| time.as_microsecond())
}

/// In UTC, with a fraction if there is one. `None` beyond the year 9999.
pub(crate) fn write(micros: i64) -> Option<String> {
    let time = Timestamp::from_microsecond(micros).ok()?;
    let is_whole = time.round(Unit::Second).is_ok_and(|rounded| rounded == time);
    Some(if is_whole { format!("{time:.0}") } else { format!("{time:.6}") })
}

/// The current time, for [`WorkOptions::now`](crate::WorkOptions::now).
pub fn now() -> Option<Moment> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    Moment::from_unix(since.as_secs().try_into().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_written() {
        for (text, written) in [
            ("1970-01-01", "1970-01-01T00:00:00Z"),
            ("2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"),
            ("2024-03-01 00:30:00+01:00", "2024-02-29T23:30:00Z"),
            ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500000Z"),
            ("2000-01-01T00:00:00.123456789-0530", "2000-01-01T05:30:00.123456Z"),
            ("2024-05-01T10:00:00", "2024-05-01T10:00:00Z"),
        ] {
            assert_eq!(parse(text).and_then(write).as_deref(), Some(written), "{text}");
        }
        for text in [
            "",
            "yesterday",
            "2024-13-01",
            "2024-02-31",
            "2023-02-29T10:00:00Z",
            "2024-02-01T25:00:00Z",
            "2024-02-01Tx",
            "2024-02-01T10:00:00+x",
            "2024-02-01T10:00:00+99:99",
            "2024-02-01T10:00:00+-1:00",
            "２０２４-01-01",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(write(i64::MAX), None);
    }
}
