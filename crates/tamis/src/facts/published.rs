//! When a page was published and changed: every date that may say so, and which to believe.
//!
//! What the page says about itself in data weighs most, then dates beside the headline and the text, then the rest.
//! Dates of one day support each other; the day with most support wins, and of its candidates the most exact one.

mod address;
mod compare;
pub(super) mod elsewhere;
mod fetched;
mod future;
mod labels;
mod metadata;
mod order;
mod qualified;
mod rough;
mod visible;
mod yearless;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use tamis_html::{NodeId, NodeRef};

use super::Around;
use super::dates::{Form, Hints, Moment, find, read};
use super::evidence::{Evidence, Field, Origin};
pub(crate) use order::month_first;

/// Longer blocks are running text: a date in it says when something happened.
const LONGEST_LINE: usize = 240;

/// A date that may be that of the page.
pub(super) struct Candidate {
    moment: Moment,
    /// The other reading of 3/4/2021.
    other: Option<Moment>,
    field: Field,
    origin: Origin,
    detail: Cow<'static, str>,
    weight: f32,
    /// Do data say no more of it than `date`?
    is_vague: bool,
    /// How it is written: some forms are made out from when the page was fetched.
    form: Form,
}

/// What the searches for dates share.
pub(super) struct Search<'p> {
    around: &'p Around<'p>,
    hints: Hints<'p>,
    found: Vec<Candidate>,
    /// Which elements stand beside the text, as far as it was asked.
    asides: HashMap<NodeId, bool>,
    /// The blocks below headings of other stories.
    others: Vec<Range<usize>>,
    /// Which of the candidates stand where readers see them, and whether away from the headline.
    shown: Vec<(usize, NodeRef<'p>, bool)>,
}

impl Search<'_> {
    fn add(
        &mut self,
        field: Field,
        moment: Moment,
        origin: Origin,
        detail: impl Into<Cow<'static, str>>,
        weight: f32,
    ) {
        self.found.push(Candidate {
            moment,
            other: None,
            field,
            origin,
            detail: detail.into(),
            weight,
            is_vague: false,
            form: Form::Whole,
        });
    }
}

/// Do these words, all that stands before a day, say that it is the day of a page's publication or change?
pub(crate) fn labels_a_day(label: &str) -> bool {
    labels::label(label, "").is_some_and(|label| label != labels::Label::Other)
}

/// Is it the name of a property that tells when a page was published or changed?
pub(crate) fn tells_its_time(key: &str) -> bool {
    metadata::meaning(key).is_some()
}

/// Puts the candidates for both times among the evidence, and says which won.
pub(super) fn gather(
    around: &Around<'_>,
    language: Option<&str>,
    evidence: &mut Evidence,
) -> (Option<Moment>, Option<Moment>) {
    let page = around.page;
    let (month_first, why) = month_first(page, page.posts(), around.url.as_deref(), language);
    let hints = Hints { language, fetched: around.fetched, month_first };
    let others = around.other_stories().to_vec();
    let mut search =
        Search { around, hints, found: Vec::new(), asides: HashMap::new(), others, shown: Vec::new() };
    metadata::declared(&mut search);
    metadata::told(&mut search);
    address::gather(&mut search);
    visible::times(&mut search);
    visible::blocks(&mut search);
    first_post(&mut search);
    visible::carried(&mut search);
    // What counts from the fetch is no better than data of scripts.
    let is_better = |it: &Candidate| {
        it.field == Field::Published && it.weight >= 50.0 && !matches!(it.form, Form::NoYear | Form::Relative)
    };
    if !search.found.iter().any(is_better) {
        metadata::scripts(&mut search);
    }
    elsewhere::cards(&mut search);
    rough::gather(&mut search);
    let mut found = search.found;
    settle_order(&mut found);
    yearless::settle(around, &mut found);
    not_ahead(around, &mut found);
    compare::all(around, &mut found);
    future::refuse(around, &mut found);
    fetched::whole_dates_first(around, &mut found);
    for candidate in &mut found {
        let year = candidate.moment.local.year;
        if around.fetched.is_some_and(|fetched| candidate.moment.is_after(&fetched)) {
            candidate.weight = 0.0;
            candidate.detail = format!("{}; later than the page was fetched", candidate.detail).into();
        } else if (year, candidate.moment.local.month, candidate.moment.local.day) == (1970, 1, 1) {
            // What counts from there had nothing to count.
            candidate.weight = 0.0;
        } else if year < 1990 {
            // Few pages are that old; most such dates stand for "unknown".
            candidate.weight *= 0.2;
        }
    }
    // Better the day of the last change than none.
    let lasts: Vec<Candidate> = found
        .iter()
        .filter(|it| it.field == Field::Modified)
        .map(|it| Candidate {
            field: Field::Published,
            detail: format!("{}, for want of better", it.detail).into(),
            weight: it.weight * 0.3,
            ..*it
        })
        .collect();
    found.extend(lasts);
    let published = decide(&found, Field::Published);
    // What was changed before it was published was made ready: that is no change.
    let modified = decide(&found, Field::Modified)
        .filter(|(modified, _)| !published.is_some_and(|(published, _)| is_before(modified, &published)));
    for (place, candidate) in found.into_iter().enumerate() {
        evidence.add(
            candidate.field,
            candidate.moment.to_string(),
            candidate.origin,
            candidate.detail,
            candidate.weight,
        );
        if (published.map(|(_, place)| place) == Some(place)
            || modified.map(|(_, place)| place) == Some(place))
            && let Some(last) = evidence.candidates.last_mut()
        {
            last.chosen = true;
        }
    }
    evidence.date_order = why;
    (published.map(|(moment, _)| moment), modified.map(|(moment, _)| moment))
}

/// A thread begins with its first post, where that stands on this page.
fn first_post(search: &mut Search<'_>) {
    let page = search.around.page;
    let posts = crate::posts::without_head(page, page.posts());
    let [first, _, ..] = posts else { return };
    if crate::posts::begin_later(posts) {
        return;
    }
    let told = first.time_text.as_deref().and_then(|text| read(text, &search.hints));
    let found = first.time_text.as_deref().and_then(|text| find(text, &search.hints).into_iter().next());
    let form = found.as_ref().map(|found| found.form);
    let other = found.filter(|found| Some(found.moment) == told).and_then(|found| found.other);
    let known = first.time.as_deref().and_then(|time| read(time, &search.hints));
    // What data give stays; words are read anew, by what is known of the page.
    let (moment, other) = match (told, known) {
        (Some(told), Some(known)) if told.precision() >= known.precision() => (told, other),
        (told, known) => match known.or(told) {
            Some(moment) => (moment, None),
            None => return,
        },
    };
    search.add(Field::Published, moment, Origin::Near, "the first post", 70.0);
    if let Some(last) = search.found.last_mut() {
        last.other = other;
        // "1 year ago" is that here too.
        last.form = form.filter(|_| Some(moment) == told).unwrap_or(Form::Whole);
    }
}

/// Where a date can be read in two ways, another date of the page decides.
fn settle_order(found: &mut [Candidate]) {
    // Those of other stories too: a list of them may hold this one.
    let sure: Vec<i64> =
        found.iter().filter(|it| it.other.is_none()).map(|it| it.moment.day_number()).collect();
    for candidate in found.iter_mut() {
        if let Some(other) = candidate.other
            && !sure.contains(&candidate.moment.day_number())
            && sure.contains(&other.day_number())
        {
            candidate.moment = other;
        }
    }
}

/// A day that can be read in two ways, and lies behind the fetch in one of them, is meant in the other.
fn not_ahead(around: &Around<'_>, found: &mut [Candidate]) {
    let Some(fetched) = around.fetched else { return };
    for candidate in found.iter_mut().filter(|it| it.moment.is_after(&fetched)) {
        if let Some(other) = candidate.other.filter(|other| !other.is_after(&fetched)) {
            candidate.moment = other;
        }
    }
}

/// Is a moment before another, as far as both are known?
fn is_before(one: &Moment, other: &Moment) -> bool {
    match (one.offset, other.offset) {
        (Some(_), Some(_)) => other.is_after(one),
        _ => one.day_number() < other.day_number(),
    }
}

/// The day with most support, and its best candidate.
fn decide(found: &[Candidate], field: Field) -> Option<(Moment, usize)> {
    let own = || found.iter().enumerate().filter(move |(_, it)| it.field == field && it.weight > 0.0);
    let mut days: Vec<(i64, f32, Vec<Origin>)> = Vec::new();
    for (_, candidate) in own() {
        let day = candidate.moment.day_number();
        match days.iter_mut().find(|(known, ..)| *known == day) {
            Some((_, weight, origins)) => {
                let bonus = if origins.contains(&candidate.origin) {
                    0.2
                } else {
                    8.0_f32.min(candidate.weight * 0.15)
                };
                *weight = weight.max(candidate.weight) + bonus;
                origins.push(candidate.origin);
            }
            None => days.push((day, candidate.weight, vec![candidate.origin])),
        }
    }
    let best = days.iter().fold(None, |best: Option<&(i64, f32, Vec<Origin>)>, day| match best {
        Some(best) if best.1 >= day.1 => Some(best),
        _ => Some(day),
    })?;
    // The heaviest says when; a more exact one that is nearly as heavy says it better.
    let heaviest =
        own().filter(|(_, it)| it.moment.day_number() == best.0).map(|(_, it)| it.weight).fold(0.0, f32::max);
    let exact = |moment: &Moment| (moment.precision(), moment.offset.is_some());
    let mut winner: Option<(usize, &Candidate)> = None;
    for (place, candidate) in
        own().filter(|(_, it)| it.moment.day_number() == best.0 && it.weight >= heaviest * 0.6)
    {
        let better = winner.is_none_or(|(_, other)| {
            (exact(&candidate.moment), candidate.weight) > (exact(&other.moment), other.weight)
        });
        if better {
            winner = Some((place, candidate));
        }
    }
    winner.map(|(place, candidate)| (candidate.moment, place))
}
