//! What dates say of each other, before they are weighed. Each function is one such thing.

use super::super::Around;
use super::super::dates::Moment;
use super::super::evidence::{Field, Origin};
use super::Candidate;

/// Data that are meant for machines.
const DATA: &[Origin] =
    &[Origin::JsonLd, Origin::OpenGraph, Origin::Microdata, Origin::Meta, Origin::DublinCore, Origin::Feed];
/// Data that mark what readers see.
const MARKED: &[Origin] = &[Origin::Microdata, Origin::Rdfa];
/// What readers see.
const SEEN: &[Origin] = &[Origin::Near, Origin::Time];

/// All of it.
pub(super) fn all(around: &Around<'_>, found: &mut [Candidate]) {
    lists_of_pieces(found);
    vague_dates(found);
    later_posts(around, found);
    let declared = found.iter().filter(|it| is_published(it, DATA) && it.weight >= 60.0);
    let Some(declared) = declared.max_by(|a, b| a.weight.total_cmp(&b.weight)).map(|it| it.moment) else {
        return;
    };
    day_of_readers(found, &declared);
    last_change_as_publication(found, &declared);
}

fn is_published(candidate: &Candidate, origins: &[Origin]) -> bool {
    candidate.field == Field::Published && origins.contains(&candidate.origin)
}

/// A list of pieces has as many dates: none of them is this page's more than another.
fn lists_of_pieces(found: &mut [Candidate]) {
    let marked = found.iter().filter(|it| is_published(it, MARKED));
    let mut days: Vec<i64> = marked.map(|it| it.moment.day_number()).collect();
    days.sort_unstable();
    days.dedup();
    if days.len() > 2 {
        found.iter_mut().filter(|it| is_published(it, MARKED)).for_each(|it| it.weight -= 36.0);
    }
}

/// Data that say no more than "date" may mean any: an older day by the headline is better.
fn vague_dates(found: &mut [Candidate]) {
    let seen = found.iter().filter(|it| is_published(it, SEEN) && it.weight >= 50.0);
    let Some(seen) = seen.map(|it| it.moment.day_number()).min() else { return };
    // So is one some days later, which an element marks as a time: until then it was made ready.
    let shown = found.iter().filter(|it| is_published(it, &[Origin::Time]) && it.weight >= 70.0);
    let shown = shown.map(|it| it.moment.day_number()).min();
    let vague = found.iter_mut().filter(|it| it.is_vague && it.field == Field::Published);
    for candidate in vague {
        let own = candidate.moment.day_number();
        let is_made_ready = shown == Some(seen) && (own + 1..own + 15).contains(&seen);
        if seen + 1 < own || is_made_ready {
            candidate.weight -= 30.0;
        }
    }
}

/// Data of a thread may be those of the post that an address points to: the very time of a later post is not the thread's.
fn later_posts(around: &Around<'_>, found: &mut [Candidate]) {
    let posts = around.page.posts();
    let [first, later @ ..] = posts else { return };
    let Some(start) = first.time.as_deref().filter(|_| !crate::posts::begin_later(posts)) else { return };
    for candidate in found.iter_mut().filter(|it| is_published(it, DATA)) {
        let own = candidate.moment.to_string();
        let is_exact = own.contains('T') && own != start;
        if is_exact && later.iter().any(|post| post.time.as_deref() == Some(own.as_str())) {
            candidate.weight -= 60.0;
        }
    }
}

/// Data may give the day in Greenwich; the address and the line by the headline give the one where it was written.
fn day_of_readers(found: &mut [Candidate], declared: &Moment) {
    let local = found.iter().filter(|it| {
        let is_beside = (it.moment.day_number() - declared.day_number()).abs() == 1;
        let is_seen = it.origin == Origin::Url || (is_published(it, SEEN) && it.weight >= 58.0);
        is_beside && is_seen && it.moment.may_be(declared)
    });
    let Some(local) = local.max_by(|a, b| a.weight.total_cmp(&b.weight)).map(|it| it.moment) else { return };
    let is_elsewhere = match declared.offset {
        Some(offset) => offset == 0,
        // So does a clock without an offset that shows the same minute.
        None => local.local.minute.is_some() && local.local.minute == declared.local.minute,
    };
    if is_elsewhere {
        let same = |it: &&mut Candidate| {
            it.field == Field::Published && it.moment.day_number() == local.day_number()
        };
        found.iter_mut().filter(same).for_each(|it| it.weight += 40.0);
    }
}

/// Data that were changed on the day of publication, or before it, may know only the last change: an older day by the
/// headline or in other data is better.
fn last_change_as_publication(found: &mut [Candidate], declared: &Moment) {
    let day = declared.day_number();
    let changed = found.iter().filter(|it| it.field == Field::Modified && DATA.contains(&it.origin));
    let changed = changed.map(|it| it.moment.day_number()).min();
    let has_older = found.iter().any(|it| {
        let is_sound =
            (is_published(it, SEEN) && it.weight >= 60.0) || (is_published(it, DATA) && it.weight >= 70.0);
        let own = it.moment.day_number();
        // A piece may be made ready before the day on which it is shown; then its last change is the older day.
        is_sound && own + 1 < day && Some(own) != changed
    });
    if has_older && changed.is_some_and(|changed| changed <= day) {
        let same = |it: &&mut Candidate| is_published(it, DATA) && it.moment.day_number() == day;
        found.iter_mut().filter(same).for_each(|it| it.weight -= 45.0);
    }
}
