//! One transaction per visit: host, URL, story, revision, comments, site memory and discovered URLs change together or
//! not at all.

use tamis_corpus::database::Transaction;
use tamis_corpus::{Change, Error, Saved, params};

use crate::frontier::{self, Added, Found, Kind, REVISIT};
use crate::interval::Revisited;
use crate::limiter::millis;
use crate::plan::{Plan, Verdict};
use crate::settings::Settings;
use crate::{traps, urls};

/// Visits kept per URL.
const MAX_VISITS: i64 = 100;
/// Stories a host must have before it can be closed as a mirror.
const MIRROR_STORIES: i64 = 10;

/// The lease and rate limit of a host, written with every commit.
#[derive(Clone, Debug)]
pub(crate) struct Owner {
    pub(crate) host_id: i64,
    pub(crate) name: String,
    pub(crate) lease_until: i64,
    /// No request to the host before this time.
    pub(crate) next_request: i64,
    /// Milliseconds between requests.
    pub(crate) delay: i64,
    /// Consecutive failed requests.
    pub(crate) failures: u32,
}

/// What a commit did.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Committed {
    pub(crate) outcome: String,
    pub(crate) story: Option<(i64, Change)>,
    /// A pattern that became a trap.
    pub(crate) trap: Option<String>,
    /// Why the host was closed.
    pub(crate) closed: Option<String>,
    /// New URLs on this host.
    pub(crate) added: u64,
    pub(crate) failed: bool,
}

/// Commits a visit. `None` if the lease was lost: another worker owns the host now, and the visit is discarded.
pub(crate) fn apply(
    tx: &mut Transaction<'_>,
    owner: &Owner,
    plan: &Plan,
    settings: &Settings,
    now: i64,
) -> Result<Option<Committed>, Error> {
    if !keep_lease(tx, owner, plan)? {
        return Ok(None);
    }
    let due = &plan.due;
    let mut done = Committed::default();
    let saved = save(tx, plan, now)?;
    let story_id = saved.as_ref().map(|saved| saved.story_id);
    // A new part extends its story, which is already counted.
    let extends = due.kind == Kind::Part;
    done.story = saved.as_ref().map(|saved| match saved.change {
        Change::New if extends => (saved.story_id, Change::Unchanged),
        change => (saved.story_id, change),
    });
    if let Some((site, record)) = &plan.record {
        tamis_corpus::save_page_record(tx, site, record)?;
    }
    let mut found: Vec<Found> = plan.found.clone();
    if let (Verdict::Content { next_part, comments_page, .. }, Some(saved)) = (&plan.verdict, &saved)
        && saved.change != Change::Copy
    {
        found.extend(
            [next_part, comments_page]
                .into_iter()
                .flatten()
                .cloned()
                .map(|found| Found { story_id: Some(saved.story_id), ..found }),
        );
    }
    let added = frontier::add_urls(tx, &found, Some(due.id), now)?;
    done.added = added.iter().filter(|added| added.host_id == owner.host_id).count() as u64;
    // Redirects have a limit of their own, and failures are retried.
    let counts = matches!(
        plan.verdict,
        Verdict::Content { .. } | Verdict::Listing { .. } | Verdict::Skipped { .. } | Verdict::Gone
    );
    if counts && due.fetched.is_none() && matches!(due.kind, Kind::Page | Kind::Story) {
        let barren = is_barren(plan, saved.as_ref(), &added);
        done.trap = traps::count(tx, owner.host_id, &due.url, barren, settings.trap_visits, now)?;
    }
    let schedule = schedule(plan, saved.as_ref(), !added.is_empty(), settings, now);
    done.outcome = schedule.outcome;
    let success = matches!(
        plan.verdict,
        Verdict::Content { .. } | Verdict::Listing { .. } | Verdict::List { .. } | Verdict::Unchanged
    );
    let validators = plan.validators.clone().unwrap_or_default();
    tx.execute(
        "UPDATE url SET due = $1, priority = $2, status = $3, outcome = $4, failures = $5, wait = $6,
             fetched = CASE WHEN $7 = 1 THEN $8 ELSE fetched END,
             etag = CASE WHEN $9 = 1 THEN $10 ELSE etag END,
             last_modified = CASE WHEN $9 = 1 THEN $11 ELSE last_modified END,
             digest = CASE WHEN $9 = 1 THEN $12 ELSE digest END,
             kind = coalesce($13, kind), story_id = coalesce(story_id, $14)
         WHERE id = $15",
        params![
            schedule.due,
            schedule.priority,
            plan.status,
            &done.outcome,
            schedule.failures,
            schedule.wait,
            i64::from(success),
            now,
            i64::from(plan.validators.is_some()),
            &validators.etag,
            &validators.last_modified,
            validators.digest,
            plan.kind.map(Kind::name),
            story_id,
            due.id,
        ],
    )?;
    tx.execute(
        "INSERT INTO visit (url_id, at, status, outcome) VALUES ($1, $2, $3, $4) ON CONFLICT (url_id, at) DO NOTHING",
        params![due.id, now, plan.status, &done.outcome],
    )?;
    if due.fetched.is_some() {
        tx.execute(
            "DELETE FROM visit WHERE url_id = $1
                 AND at < (SELECT at FROM visit WHERE url_id = $1 ORDER BY at DESC LIMIT 1 OFFSET $2)",
            params![due.id, MAX_VISITS],
        )?;
    }
    done.failed = matches!(plan.verdict, Verdict::Failed { .. });
    done.closed = count_host(tx, owner, plan, saved.as_ref(), done.added, settings)?;
    Ok(Some(done))
}

/// Renews the lease and stores the rate limit. False if another worker has the lease.
fn keep_lease(tx: &mut Transaction<'_>, owner: &Owner, plan: &Plan) -> Result<bool, Error> {
    let note = match &plan.verdict {
        Verdict::HeldBack { reason, .. } => Some(reason.as_str()),
        Verdict::Failed { reason, host: true, .. } => Some(reason.as_str()),
        _ => None,
    };
    let kept = tx.execute(
        "UPDATE host SET lease_until = $1, next_request = $2, delay = $3, failures = $4, note = $5,
             private = CASE WHEN $8 = 1 THEN 0 ELSE private END
         WHERE id = $6 AND lease_owner = $7",
        params![
            owner.lease_until,
            owner.next_request,
            owner.delay,
            owner.failures,
            note,
            owner.host_id,
            &owner.name,
            i64::from(plan.status.is_some())
        ],
    )?;
    Ok(kept == 1)
}

/// Stores the content of a page.
fn save(tx: &mut Transaction<'_>, plan: &Plan, now: i64) -> Result<Option<Saved>, Error> {
    let due = &plan.due;
    let (draft, raw) = match &plan.verdict {
        Verdict::Content { draft, raw, .. } => (draft, raw),
        Verdict::Unchanged => {
            if let Some(story_id) = due.story_id {
                tamis_corpus::mark_checked(tx, story_id, now)?;
            }
            return Ok(None);
        }
        _ => return Ok(None),
    };
    let saved = match (due.kind, due.story_id, due.part) {
        (Kind::Part, Some(story_id), Some(part)) => tamis_corpus::save_part(tx, story_id, part, draft, now)?,
        (Kind::Comments, Some(story_id), _) => {
            Saved { story_id, change: Change::Unchanged, same_text_on: None }
        }
        _ => tamis_corpus::save_story(tx, draft, now)?,
    };
    if saved.change == Change::Copy {
        return Ok(Some(saved));
    }
    let new = tamis_corpus::save_comments(tx, saved.story_id, &draft.comments, &draft.url, now)?;
    if let Some(raw) = raw {
        tamis_corpus::save_raw(tx, saved.story_id, raw)?;
    }
    if due.kind == Kind::Comments && new > 0 {
        return Ok(Some(Saved { change: Change::Revised, ..saved }));
    }
    Ok(Some(saved))
}

/// Whether a first visit yielded nothing new: a copy of a story, or a page whose new URLs all have its own pattern.
fn is_barren(plan: &Plan, saved: Option<&Saved>, added: &[Added]) -> bool {
    if saved.is_some_and(|saved| saved.change != Change::Copy) {
        return false;
    }
    let pattern = |url: &str| urls::parse(url).map(|url| urls::pattern(&url));
    let own = pattern(&plan.due.url);
    added.iter().all(|added| pattern(&added.url) == own)
}

/// When to visit the URL next, and the recorded outcome of this visit.
struct Schedule {
    due: Option<i64>,
    priority: i64,
    failures: u32,
    wait: Option<i64>,
    outcome: String,
}

fn schedule(plan: &Plan, saved: Option<&Saved>, found_new: bool, settings: &Settings, now: i64) -> Schedule {
    let due = &plan.due;
    let kind = plan.kind.unwrap_or(due.kind);
    let previous = due.wait.map(|wait| std::time::Duration::from_millis(wait.max(0) as u64));
    let once = |outcome: String| Schedule {
        due: None,
        priority: kind.priority(),
        failures: 0,
        wait: due.wait,
        outcome,
    };
    let again = |revisited: Revisited, changed: bool, priority: i64, outcome: String| {
        let wait = millis(settings.interval.next(revisited, previous, changed));
        Schedule { due: Some(now + wait), priority, failures: 0, wait: Some(wait), outcome }
    };
    let revisited = match kind {
        Kind::Feed => Revisited::Feed,
        Kind::Sitemap => Revisited::Sitemap,
        Kind::Seed => Revisited::Listing,
        _ => Revisited::Story,
    };
    let lasting = due.depth == 0 || due.fetched.is_some();
    match &plan.verdict {
        Verdict::Content { draft, .. } => {
            let change = saved.map_or(Change::Unchanged, |saved| saved.change);
            let what = match kind {
                Kind::Part => format!("part {}", due.part.unwrap_or_default()),
                Kind::Comments => "comments".to_owned(),
                _ => "story".to_owned(),
            };
            match change {
                Change::Copy => once(format!("copy of {}", draft.identity)),
                Change::New => again(Revisited::Story, false, REVISIT, format!("{what} stored")),
                Change::Revised => again(Revisited::Story, true, REVISIT, format!("{what} changed")),
                Change::Unchanged => again(Revisited::Story, false, REVISIT, format!("{what} unchanged")),
            }
        }
        Verdict::Listing { page_type } => {
            again(Revisited::Listing, found_new, 0, format!("links followed ({page_type})"))
        }
        Verdict::List { what, entries, damage } => {
            let damage = damage.as_ref().map_or(String::new(), |damage| format!("; {damage}"));
            again(revisited, found_new, 0, format!("{what} with {entries} entries{damage}"))
        }
        Verdict::Unchanged => {
            let priority = if due.story_id.is_some() { REVISIT } else { 0 };
            let revisited = if due.story_id.is_some() { Revisited::Story } else { revisited };
            again(revisited, false, priority, "not modified".to_owned())
        }
        Verdict::Redirect { to, permanent, refused } => {
            let refused = refused.as_ref().map_or(String::new(), |why| format!(", not followed: {why}"));
            let outcome = format!("redirect to {to}{refused}");
            if *permanent || refused.is_empty() && due.kind != Kind::Seed {
                once(outcome)
            } else {
                again(revisited, false, kind.priority(), outcome)
            }
        }
        // Errors may be temporary: seeds and stored pages are visited again.
        Verdict::Gone if lasting => again(revisited, false, kind.priority(), "gone".to_owned()),
        Verdict::Gone => once("gone".to_owned()),
        Verdict::Skipped { reason } | Verdict::Refused { reason, until: None } if lasting => {
            again(revisited, false, kind.priority(), reason.clone())
        }
        Verdict::Skipped { reason } => once(reason.clone()),
        Verdict::Refused { reason, until } => {
            Schedule { due: *until, priority: REVISIT, failures: 0, wait: due.wait, outcome: reason.clone() }
        }
        Verdict::Failed { reason, retry, .. } => {
            let failures = due.failures + 1;
            if *retry && failures < settings.max_failures {
                let pause = millis(settings.retry).saturating_mul(1 << due.failures.min(16));
                let due_again = now.saturating_add(pause.min(millis(settings.interval.max)));
                let outcome = format!("failed: {reason}");
                return Schedule {
                    due: Some(due_again),
                    priority: kind.priority(),
                    failures,
                    wait: due.wait,
                    outcome,
                };
            }
            let outcome = if *retry {
                format!("given up after {failures} failures: {reason}")
            } else {
                format!("failed: {reason}")
            };
            if lasting { again(revisited, false, kind.priority(), outcome) } else { once(outcome) }
        }
        Verdict::HeldBack { reason, until } => Schedule {
            due: Some(*until),
            priority: kind.priority(),
            failures: due.failures,
            wait: due.wait,
            outcome: reason.clone(),
        },
    }
}

/// Updates the counts of `collect status`, and closes mirrors and hosts over their page limit.
fn count_host(
    tx: &mut Transaction<'_>,
    owner: &Owner,
    plan: &Plan,
    saved: Option<&Saved>,
    added: u64,
    settings: &Settings,
) -> Result<Option<String>, Error> {
    let is_new = saved.is_some_and(|saved| saved.change == Change::New) && plan.due.kind != Kind::Part;
    let same_text_on = saved.filter(|_| is_new).and_then(|saved| saved.same_text_on.as_deref());
    let failed = matches!(plan.verdict, Verdict::Failed { .. } | Verdict::HeldBack { .. });
    let row = tx.query_first(
        "UPDATE host SET pages = pages + $1, stories = stories + $2, duplicates = duplicates + $3,
             errors = errors + $4, urls = urls + $5
         WHERE id = $6 RETURNING pages, stories, duplicates",
        params![plan.status.is_some(), is_new, same_text_on.is_some(), failed, added as i64, owner.host_id],
    )?;
    let Some(row) = row else { return Ok(None) };
    let (pages, stories, duplicates): (i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let closed = if let Some(original) = same_text_on
        && stories >= MIRROR_STORIES
        && duplicates * 10 >= stories * 9
    {
        Some(format!("mirror of {original}: {duplicates} of {stories} stories have the same text"))
    } else if pages as u64 >= settings.max_host_pages {
        Some(format!("reached the limit of {} pages", settings.max_host_pages))
    } else {
        None
    };
    if let Some(reason) = &closed {
        tx.execute("UPDATE host SET closed = $1 WHERE id = $2", params![reason, owner.host_id])?;
    }
    Ok(closed)
}
