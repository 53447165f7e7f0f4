//! Times of sitemaps and feeds as milliseconds since 1970: W3C date-times of any precision, and RFC 2822.

use jiff::civil::DateTime;
use jiff::fmt::rfc2822;
use jiff::{Timestamp, tz::TimeZone};

/// Longer texts are no time.
const MAX_BYTES: usize = 80;

/// Reads a time. Where it has no zone, it counts as UTC; where it has no day, it is the first.
pub(crate) fn millis(text: &str) -> Option<i64> {
    let text = text.trim();
    if text.is_empty() || text.len() > MAX_BYTES {
        return None;
    }
    let first_day = match (text.len(), text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')) {
        (4, true) => format!("{text}-01-01"),
        (7, true) => format!("{text}-01"),
        _ => text.to_owned(),
    };
    let parsed = first_day.parse::<Timestamp>().ok();
    let without_zone = || first_day.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok();
    let mail = || rfc2822::DateTimeParser::new().relaxed_weekday(true).parse_timestamp(text).ok();
    let time = parsed.or_else(|| without_zone().map(|zoned| zoned.timestamp())).or_else(mail)?;
    Some(time.as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_feeds_and_sitemaps_are_read() {
        let noon = Some(1_763_467_200_000);
        for (text, expected) in [
            ("2025-11-18T12:00:00Z", noon),
            ("2025-11-18T12:00Z", noon),
            ("2025-11-18T20:00:00.000+08:00", noon),
            ("2025-11-18T20:00:00+0800", noon),
            ("2025-11-18 12:00:00", noon),
            (" 2025-11-18T12:00:00 ", noon),
            ("Tue, 18 Nov 2025 12:00:00 GMT", noon),
            ("Mon, 18 Nov 2025 12:00:00 +0000", noon),
            ("18 Nov 2025 07:00:00 EST", noon),
            ("2025-11-18", Some(1_763_424_000_000)),
            ("2025-11", Some(1_761_955_200_000)),
            ("2025", Some(1_735_689_600_000)),
            ("", None),
            ("2025-13-01", None),
            ("yesterday", None),
        ] {
            assert_eq!(millis(text), expected, "{text}");
        }
    }
}
