//! Days without a year. They are read as the last such day before the page was fetched; but archives fetch old pages too, and
//! those tell their age by their other dates.

use super::super::Around;
use super::super::dates::Form;
use super::{Candidate, future};

/// Gives such a day the year of another date that names the same day. Where the youngest date of the page, or its copyright, is older
/// than the year before the fetch, nobody knows the year, and the day cannot win.
pub(super) fn settle(around: &Around<'_>, found: &mut [Candidate]) {
    let Some(fetched) = around.fetched else { return };
    if !found.iter().any(|it| it.form == Form::NoYear) {
        return;
    }
    let days: Vec<(u16, u8, u8)> = found
        .iter()
        .filter(|it| it.form != Form::NoYear && !it.moment.is_after(&fetched))
        .map(|it| (it.moment.local.year, it.moment.local.month, it.moment.local.day))
        .collect();
    let youngest = days.iter().map(|(year, ..)| *year).chain(future::copyright_year(around)).max();
    let is_old = youngest.is_some_and(|year| year + 1 < fetched.local.year);
    // Two of them, from one to the other, are when something takes place.
    let mut own: Vec<i64> =
        found.iter().filter(|it| it.form == Form::NoYear).map(|it| it.moment.day_number()).collect();
    own.sort_unstable();
    own.dedup();
    let is_many = own.len() > 1;
    for candidate in found.iter_mut().filter(|it| it.form == Form::NoYear) {
        let own = (candidate.moment.local.month, candidate.moment.local.day);
        let same = days.iter().filter(|(_, month, day)| (*month, *day) == own).map(|(year, ..)| *year).max();
        match same {
            Some(year) => candidate.moment.local.year = year,
            None if is_many => {
                candidate.weight = 0.0;
                candidate.detail = format!("{}; one of several without a year", candidate.detail).into();
            }
            None if is_old => {
                candidate.weight = 0.0;
                candidate.detail = format!("{}; of an old page, and without a year", candidate.detail).into();
            }
            None => {}
        }
    }
}
