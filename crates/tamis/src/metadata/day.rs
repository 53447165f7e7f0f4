//! Days of publication: the mentions of a date joined by day, and what they say together.

use tamis_dates::{Moment, Precision};

use super::candidate::{Evidence, Pool, Signs};
use super::date::DateSign::{self, *};
use super::date::Mention;
use super::view::View;
use crate::classify::PageType;

/// Days kept.
const MAX_DAYS: usize = 64;

/// A day and the most precise moment on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Day {
    pub(crate) moment: Moment,
    /// Signs of dates of something else; they count only where there are no others.
    weak: Signs,
}

pub(crate) type DayPool = Pool<(i64, Precision), Day>;

const DATA: [DateSign; 7] = [Rule, Hint, Json, JsonPage, MetaStrong, MetaMedium, Microdata];
const SEEN: [DateSign; 3] = [TimeHead, LineHead, Address];

/// A day by the headline that data call the last change, while they have another day of publication, is that change.
pub(super) fn recognise_changes(mentions: &mut [Mention]) {
    let is_declared = |mention: &&Mention| !mention.is_weak && mention.signs.has_any(&DATA);
    let published: Vec<i64> = mentions
        .iter()
        .filter(|it| !it.is_modified)
        .filter(is_declared)
        .map(|it| it.moment.day_number())
        .collect();
    let modified: Vec<i64> =
        mentions.iter().filter(|it| it.signs.has(Modified)).map(|it| it.moment.day_number()).collect();
    for mention in mentions.iter_mut().filter(|mention| !mention.signs.has_any(&DATA)) {
        let day = mention.moment.day_number();
        mention.is_modified |= !published.is_empty() && !published.contains(&day) && modified.contains(&day);
    }
}

/// Where a date can be read in two ways, another date of the page decides.
pub(super) fn settle_order(mentions: &mut [Mention]) {
    let declared: Vec<i64> =
        mentions.iter().filter(|it| it.signs.has_any(&DATA)).map(|it| it.moment.day_number()).collect();
    let sure: Vec<i64> =
        mentions.iter().filter(|it| it.alternative.is_none()).map(|it| it.moment.day_number()).collect();
    for mention in mentions.iter_mut() {
        if let Some(other) = mention.alternative {
            let is_known = sure.contains(&mention.moment.day_number());
            if declared.contains(&other.day_number()) || (!is_known && sure.contains(&other.day_number())) {
                mention.moment = other;
            } else if !is_known {
                mention.signs.add(Ambiguous);
            }
        }
    }
}

/// The last change: by data, else by a label near the text.
pub(super) fn last_change(mentions: &[Mention]) -> Option<(Moment, Evidence)> {
    let own = || mentions.iter().filter(|mention| mention.is_modified && !mention.is_weak);
    let is_near = |mention: &&Mention| mention.signs.has_any(&[TimeHead, LineHead, LineTail, TimeTail]);
    let data =
        own().filter(|mention| mention.signs.has(Modified)).max_by_key(|mention| mention.moment.precision());
    data.or_else(|| own().find(is_near)).map(|mention| (mention.moment, mention.evidence))
}

/// Joins the mentions of each day, and adds what they say together.
pub(super) fn join(view: &View<'_>, mentions: &[Mention]) -> DayPool {
    let mut pool: DayPool = Pool::new(MAX_DAYS);
    let is_seen = |mention: &Mention| mention.signs.has_any(&[TimeHead, LineHead, LineInside, TimeInside]);
    let first_near = mentions
        .iter()
        .find(|it| !it.is_weak && !it.is_modified && it.signs.has_any(&[TimeHead, LineHead]))
        .map(|it| it.moment.day_number());
    let first_seen = mentions
        .iter()
        .find(|it| !it.is_weak && !it.is_modified && is_seen(it))
        .map(|it| it.moment.day_number());
    for mention in mentions {
        let key = (mention.moment.day_number(), mention.moment.precision().min(Precision::Day));
        let fresh = Day { moment: mention.moment, weak: Signs::default() };
        let Some(day) = pool.candidate(key, fresh, mention.evidence) else { continue };
        if mention.is_weak {
            day.value.weak.merge(mention.signs);
            continue;
        }
        if mention.is_modified {
            // Its position is no evidence of publication.
            let kind = if mention.signs.has(Modified) { Modified } else { ModifiedLabel };
            day.signs.add(kind);
        } else {
            day.signs.merge(mention.signs);
        }
        let exact = |moment: &Moment| (moment.precision(), moment.offset_minutes().is_some());
        if exact(&mention.moment) > exact(&day.value.moment)
            && (!mention.is_modified || day.signs == mention.signs)
        {
            day.value.moment = mention.moment;
        }
    }
    let strongest =
        mentions.iter().filter(|it| !it.is_modified && it.signs.has_any(&DATA)).map(|it| it.moment).next();
    let seen: Vec<i64> = pool
        .candidates
        .iter()
        .filter(|it| it.signs.has_any(&SEEN) && !it.signs.has(ModifiedLabel))
        .map(|it| it.key.0)
        .collect();
    let modified: Vec<i64> =
        mentions.iter().filter(|it| it.is_modified).map(|it| it.moment.day_number()).collect();
    let strong: Vec<i64> =
        pool.candidates.iter().filter(|it| it.signs != Signs::default()).map(|it| it.key.0).collect();
    let (oldest, newest) = (strong.iter().min().copied(), strong.iter().max().copied());
    let has_meta = pool.candidates.iter().any(|it| it.signs.has(MetaStrong));
    let data_days: Vec<i64> =
        pool.candidates.iter().filter(|it| it.signs.has_any(&DATA)).map(|it| it.key.0).collect();
    let has_label = mentions.iter().any(|it| !it.is_modified && it.signs.has(Labelled));
    let items = pool.candidates.iter().filter(|it| it.signs.has(Microdata)).count();
    for candidate in &mut pool.candidates {
        let signs = &mut candidate.signs;
        if *signs == Signs::default() {
            *signs = candidate.value.weak;
        }
        let (day, precision) = candidate.key;
        signs.add(Any);
        signs.add_if(precision < Precision::Day, Rough);
        signs.add_if(candidate.value.moment.hour().is_some(), HasTime);
        signs.add_if(first_near == Some(day), FirstNear);
        signs.add_if(first_seen == Some(day), FirstSeen);
        signs.add_if(first_seen == Some(day) && view.prediction.page_type == PageType::Forum, ForumFirst);
        signs.add_if(view.prediction.page_type == PageType::Listing, Listing);
        signs.add_if(modified.contains(&day), ModifiedToo);
        signs.add_if(strong.len() > 1 && oldest == Some(day), Oldest);
        signs.add_if(strong.len() > 1 && newest == Some(day), Newest);
        if let Some(data) = strongest {
            let declared = data.day_number();
            let is_utc = data.offset_minutes() == Some(0)
                || (data.offset_minutes().is_none() && data.hour().is_some());
            let is_data = signs.has_any(&DATA);
            signs.add_if(!is_data && signs.has_any(&SEEN) && is_utc && (day - declared).abs() == 1, LocalDay);
            signs.add_if(
                is_data
                    && is_utc
                    && data_days.len() == 1
                    && seen.iter().any(|other| (other - day).abs() == 1),
                UtcDay,
            );
            signs.add_if(!is_data && day + 1 < declared, OlderThanData);
            signs.add_if(!is_data && day > declared + 1, NewerThanData);
            signs.add_if(is_data && seen.iter().any(|other| other + 1 < day), NewerThanSeen);
        }
        let (data, shown, address) = (
            signs.has_any(&DATA),
            signs.has_any(&[TimeHead, LineHead, ClassDate]),
            signs.has_any(&[Address, AddressAmbiguous]),
        );
        let (json, meta) = (signs.has(Json), signs.has(MetaStrong));
        signs.add_if(data && address, DataAndAddress);
        signs.add_if(shown && address, ShownAndAddress);
        signs.add_if(items > 2 && signs.has(Microdata), ManyItems);
        let is_change = modified.contains(&day) && !signs.has(Labelled);
        signs.add_if(shown && !data && is_change, ShownChange);
        let against = !data && strongest.is_some();
        signs.add_if(shown && against, ShownAgainstData);
        signs.add_if(!shown && against && signs.has_any(&[LineInside, TimeInside]), InsideAgainstData);
        signs.add_if(json && !meta && has_meta, JsonAgainstMeta);
        signs.add_if(strong.len() == 1, OnlyDay);
        signs.add_if(data && data_days.iter().any(|other| *other < day), NewerOfData);
        signs.add_if(!data && signs.has_any(&[Modified, ModifiedLabel]) && has_label, ChangeBesideLabel);
    }
    // A day in 1970 is an empty timestamp. A date in running prose is not a date of publication.
    pool.candidates.retain(|it| it.key.0 != 0 && !it.signs.has_any(&[Sentence, Other]));
    pool
}
