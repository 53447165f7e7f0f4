//! Moments, as archives write them and tables keep them: microseconds since 1970.

/// Reads `2024-05-01T10:00:00Z` with more or fewer digits, any offset, or the date alone. Nothing where it is no date.
pub(crate) fn parse(text: &str) -> Option<i64> {
    let text = text.trim();
    let number = |range: std::ops::Range<usize>| -> Option<i64> {
        let digits = text.get(range)?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
    };
    let is = |at: usize, signs: &[u8]| text.as_bytes().get(at).is_some_and(|byte| signs.contains(byte));
    if !is(4, b"-") || !is(7, b"-") {
        return None;
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let midnight = days(year, month, day) * 86_400_000_000;
    let Some(rest) = text.get(10..).filter(|rest| !rest.is_empty()) else { return Some(midnight) };
    if !rest.starts_with(['T', 't', ' ']) || !is(13, b":") || !is(16, b":") {
        return None;
    }
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let mut micros = (hour * 3600 + minute * 60 + second) * 1_000_000;
    let mut rest = text.get(19..)?;
    if let Some(fraction) = rest.strip_prefix('.') {
        let length = fraction.bytes().take_while(u8::is_ascii_digit).count();
        let digits = &fraction[..length.min(6)];
        micros += format!("{digits:0<6}").parse::<i64>().ok()?;
        rest = &fraction[length..];
    }
    let offset = match rest {
        "" | "Z" | "z" => 0,
        _ => {
            let sign = if rest.starts_with('-') { -1 } else { 1 };
            let digits: String = rest.strip_prefix(['+', '-'])?.chars().filter(|c| *c != ':').collect();
            let hours: i64 = digits.get(..2)?.parse().ok()?;
            let minutes: i64 =
                digits.get(2..).filter(|it| !it.is_empty()).map_or(Some(0), |it| it.parse().ok())?;
            sign * (hours * 60 + minutes)
        }
    };
    Some(midnight + micros - offset * 60_000_000)
}

/// As JSON has it: in UTC, with a fraction where there is one.
pub(crate) fn write(micros: i64) -> String {
    let (day, rest) = (micros.div_euclid(86_400_000_000), micros.rem_euclid(86_400_000_000));
    let (year, month, date) = date(day);
    let (second, fraction) = (rest / 1_000_000, rest % 1_000_000);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let fraction = if fraction == 0 { String::new() } else { format!(".{fraction:06}") };
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

/// Days since 1970 of a date; years begin in March, so that the leap day is the last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_and_written() {
        for (text, written) in [
            ("1970-01-01", "1970-01-01T00:00:00Z"),
            ("2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"),
            ("2024-03-01 00:30:00+01:00", "2024-02-29T23:30:00Z"),
            ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500000Z"),
            ("2000-01-01T00:00:00.123456789-0530", "2000-01-01T05:30:00.123456Z"),
        ] {
            assert_eq!(parse(text).map(write).as_deref(), Some(written), "{text}");
        }
        for text in [
            "",
            "yesterday",
            "2024-13-01",
            "2024-02-01T25:00:00Z",
            "2024-02-01Tx",
            "2024-02-01T10:00:00+x",
            "２０２４-01-01",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn every_day_is_the_one_it_was() {
        for day in (-800_000..800_000).step_by(97) {
            let (year, month, date) = date(day);
            assert_eq!(days(year, month, date), day);
        }
    }
}
