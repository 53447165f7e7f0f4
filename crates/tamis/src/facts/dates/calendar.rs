//! Calendars: how many days a month has, days as numbers, and the years of other calendars.

/// How many days a month has, if there is such a month.
pub(crate) fn days_in(year: u32, month: u32) -> Option<u32> {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    Some(match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    })
}

/// Days since the first of January 1970.
pub(super) fn day_number(year: i64, month: i64, day: i64) -> i64 {
    // Years from March to February, so that the leap day is the last.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The day of such a number, as year, month and day.
pub(super) fn from_day_number(number: i64) -> (i64, i64, i64) {
    let number = number + 719_468;
    let era = number.div_euclid(146_097);
    let day_of_era = number.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// A day of the Persian solar calendar as one of ours, by the cycle of 33 years, which is right from 1799 to 2256.
pub(super) fn from_jalali(year: u32, month: u32, day: u32) -> Option<(u32, u32, u32)> {
    let (year, month, day) = (i64::from(year), i64::from(month), i64::from(day));
    let is_leap = |year: i64| matches!(year % 33, 1 | 5 | 9 | 13 | 17 | 22 | 26 | 30);
    let longest = match month {
        1..=6 => 31,
        7..=11 => 30,
        12 => 29 + i64::from(is_leap(year)),
        _ => return None,
    };
    if !(1..=longest).contains(&day) || !(1200..=1500).contains(&year) {
        return None;
    }
    let before_month = if month <= 7 { (month - 1) * 31 } else { 186 + (month - 7) * 30 };
    // The first of Farvardin 1200 was the 21st of March 1821.
    let leaps = (1200..year).filter(|&year| is_leap(year)).count() as i64;
    let new_year = day_number(1821, 3, 21) + (year - 1200) * 365 + leaps;
    let (year, month, day) = from_day_number(new_year + before_month + day - 1);
    Some((u32::try_from(year).ok()?, month as u32, day as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_numbers_are_each_others_inverse() {
        assert_eq!(day_number(1970, 1, 1), 0);
        assert_eq!(day_number(2000, 3, 1), 11_017);
        for number in (-30_000..60_000).step_by(7) {
            let (year, month, day) = from_day_number(number);
            assert_eq!(day_number(year, month, day), number);
        }
    }

    #[test]
    fn the_persian_new_year() {
        // As calendars of those years have it.
        for (persian, ours) in [
            ((1399, 1, 1), (2020, 3, 20)),
            ((1398, 1, 1), (2019, 3, 21)),
            ((1400, 1, 1), (2021, 3, 21)),
            ((1403, 1, 1), (2024, 3, 20)),
            ((1404, 1, 1), (2025, 3, 21)),
            ((1389, 9, 24), (2010, 12, 15)),
            ((1399, 12, 30), (2021, 3, 20)),
            ((1375, 1, 1), (1996, 3, 20)),
            ((1357, 11, 22), (1979, 2, 11)),
        ] {
            assert_eq!(from_jalali(persian.0, persian.1, persian.2), Some(ours), "{persian:?}");
        }
        assert_eq!(from_jalali(1400, 12, 30), None, "no leap year");
        assert_eq!(from_jalali(1400, 7, 31), None);
        assert_eq!(from_jalali(1400, 13, 1), None);
    }
}
