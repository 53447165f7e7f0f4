//! Dates that lie too far ahead to be those of a page, where nobody says when it was fetched. There is no clock here: the
//! same page gives the same document at any time. So the page itself must tell: by its other dates and its copyright.

use super::super::Around;
use super::super::evidence::{Field, Origin};
use super::Candidate;

/// Years that are too far ahead. They are fixed, since no clock is asked, and have room: a page that is read some years from now
/// must not lose its day. Up to `FROM` nothing is looked at, as dates of today's pages are sound; behind it a date may be
/// `AHEAD` years ahead of all others and of the copyright, as announcements are, or more where the page says it in two ways:
/// copyrights grow old, and no year is for ever today's. Behind `LAST` it is a slip of the pen.
const FROM: u16 = 2027;
const AHEAD: u16 = 5;
const LAST: u16 = 2050;

/// Takes the weight from such dates.
pub(super) fn refuse(around: &Around<'_>, found: &mut [Candidate]) {
    if around.fetched.is_some() || found.iter().all(|it| it.moment.local.year < FROM) {
        return;
    }
    let copyright = copyright_year(around);
    let years: Vec<u16> = found.iter().filter(|it| it.weight > 0.0).map(|it| it.moment.local.year).collect();
    let said: Vec<(i64, Origin)> = found
        .iter()
        .filter(|it| it.weight >= 30.0 && it.field == Field::Published)
        .map(|it| (it.moment.day_number(), it.origin))
        .collect();
    let is_said_twice = |day: i64, origin: Origin| {
        said.iter().any(|(other, by)| *other == day && *by != origin)
            && said.iter().any(|(other, by)| *other == day && *by == origin)
    };
    for candidate in found.iter_mut().filter(|it| it.weight > 0.0) {
        let year = candidate.moment.local.year;
        let last = years.iter().copied().filter(|other| *other < year).chain(copyright).max();
        let is_ahead = last.is_some_and(|last| year > last.saturating_add(AHEAD));
        let is_sure = is_said_twice(candidate.moment.day_number(), candidate.origin);
        if year > LAST || (is_ahead && !is_sure) {
            candidate.weight = 0.0;
            candidate.detail = format!("{}; too far ahead", candidate.detail).into();
        }
    }
}

/// The last year that a line with a copyright names.
pub(super) fn copyright_year(around: &Around<'_>) -> Option<u16> {
    let page = around.page;
    let lines = page.blocks().iter().rev().take(60).map(|block| page.text(block));
    let lines = lines.filter(|text| text.len() <= 300 && (text.contains('©') || text.contains("opyright")));
    let years = lines.flat_map(|text| text.split(|c: char| !c.is_ascii_digit()));
    years
        .filter(|year| year.len() == 4)
        .filter_map(|year| year.parse().ok())
        .filter(|year| (1990..2100).contains(year))
        .max()
}
