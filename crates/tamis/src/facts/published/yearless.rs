//! Days without a year. They are read as the last such day before the page was fetched; but archives fetch old pages too, and
//! those tell their age by their other dates.

use super::super::Around;
use super::{Candidate, future};

/// Gives such a day the year of another date that names the same day. Where the youngest date of the page, or its copyright, is older
/// than the year before the fetch, nobody knows the year, and the day cannot win.
pub(super) fn settle(around: &Around<'_>, found: &mut [Candidate]) {
    let Some(fetched) = around.fetched else { return };
    if !found.iter().any(|it| it.is_yearless) {
        return;
    }
    let days: Vec<(u16, u8, u8)> = found
        .iter()
        .filter(|it| !it.is_yearless && !it.moment.is_after(&fetched))
        .map(|it| (it.moment.local.year, it.moment.local.month, it.moment.local.day))
        .collect();
    let youngest = days.iter().map(|(year, ..)| *year).chain(future::copyright_year(around)).max();
    let is_old = youngest.is_some_and(|year| year + 1 < fetched.local.year);
    for candidate in found.iter_mut().filter(|it| it.is_yearless) {
        let own = (candidate.moment.local.month, candidate.moment.local.day);
        let same = days.iter().filter(|(_, month, day)| (*month, *day) == own).map(|(year, ..)| *year).max();
        match same {
            Some(year) => candidate.moment.local.year = year,
            None if is_old => {
                candidate.weight = 0.0;
                candidate.detail = format!("{}; of an old page, and without a year", candidate.detail).into();
            }
            None => {}
        }
    }
}
