//! Extracts stored pages again, with a newer version of Tamis or a larger site memory.
//!
//! The pages did not change, so a changed text replaces the old one without a revision. Comments are not updated, since
//! the stored page lacks those that had vanished by then.

use std::collections::HashMap;

use tamis::SiteMemory;
use tamis_batch::PageError;
use tamis_site::{Known, SiteKey};
use url::Url;

use crate::corpus::Corpus;
use crate::database::{Param, Transaction};
use crate::draft::Draft;
use crate::error::Error;
use crate::extraction::{Engine, PageInput};
use crate::parallel::in_parallel;
use crate::params;
use crate::raw::{RawDraft, RawRole, decompress, load_raw, load_story_raws};
use crate::save::{NewText, joined, lock, replace_metadata, replace_part, replace_text};
use crate::site_pages::load_profile;

/// Stories per batch, extracted concurrently.
const BATCH: i64 = 64;
/// Compressed size of pages after which a batch is closed, in bytes.
const BATCH_BYTES: usize = 16 << 20;
/// Most site memories cached.
const SITES_HELD: usize = 24;
/// Most ids returned by [`ripe_stories`].
const MAX_RIPE: i64 = 1_000;
/// Size limit when decompressing a stored page.
const MAX_PAGE: u64 = 256 << 20;

/// Which stories to extract again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReextractFilter {
    /// Only stories of this host.
    pub host: Option<String>,
    /// Only stories with this or a larger id.
    pub from_id: i64,
    /// Also stories that are up to date.
    pub all: bool,
}

/// Counts of a [`reextract`] run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReextractSummary {
    /// Stories examined.
    pub stories: u64,
    /// Stories whose title or text changed.
    pub changed: u64,
    /// Stories extracted without a change.
    pub unchanged: u64,
    /// Stories whose page could not be extracted; they are unchanged.
    pub failed: u64,
    /// Stories that were up to date.
    pub current: u64,
    /// Stories whose page was not stored.
    pub without_page: u64,
}

/// The result of extracting a story again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reextracted {
    /// Title or text changed.
    Changed,
    /// Neither changed.
    Unchanged,
    /// The page could not be extracted; the story is unchanged.
    Failed(PageError),
    /// The page was not stored.
    WithoutPage,
}

/// The stored pages of a story: its own, then its parts.
pub struct StoryPages {
    story_id: i64,
    pages: Vec<(Url, RawDraft)>,
}

/// A story extracted again, ready to replace the stored text.
pub struct Replacement {
    story_id: i64,
    /// The fetch time of the pages, to detect later fetches.
    fetched: i64,
    drafts: Vec<(u32, Draft)>,
}

/// Loads the pages of a story; `None` if its own page was not stored.
pub fn load_pages(tx: &mut Transaction<'_>, story_id: i64) -> Result<Option<StoryPages>, Error> {
    let Some(row) = tx.query_first("SELECT url, parts FROM story WHERE id = $1", params![story_id])? else {
        return Ok(None);
    };
    let (url, parts): (String, u32) = (row.get(0)?, row.get(1)?);
    let Some(own) = load_raw(tx, &url)? else { return Ok(None) };
    let mut raws = vec![RawDraft { role: RawRole::Story, part: 1, ..own }];
    if parts > 1 {
        let others = load_story_raws(tx, story_id)?;
        raws.extend(others.into_iter().filter(|raw| raw.role == RawRole::Part && raw.part > 1));
    }
    let pages =
        raws.into_iter().filter_map(|raw| Some((Url::parse(&raw.url).ok()?, raw))).collect::<Vec<_>>();
    Ok((!pages.is_empty()).then_some(StoryPages { story_id, pages }))
}

impl StoryPages {
    fn bytes(&self) -> usize {
        self.pages.iter().map(|(_, raw)| raw.body.len()).sum()
    }

    /// Extracts the pages, without using the database.
    pub fn extract(&self, engine: &Engine, site: Option<&Known>) -> Result<Replacement, PageError> {
        let mut drafts = Vec::with_capacity(self.pages.len());
        let mut fetched = i64::MIN;
        for (url, raw) in &self.pages {
            let body =
                decompress(&raw.body, MAX_PAGE).map_err(|error| PageError::NotAPage(error.to_string()))?;
            let content_type = raw.content_type.as_deref();
            let input = PageInput { body: &body, url, content_type, fetched: raw.fetched };
            let (draft, ()) = engine.extract(&input, site, None, |_, _| ())?;
            if draft.text.trim().is_empty() {
                return Err(PageError::NotAPage("no main text".to_owned()));
            }
            fetched = fetched.max(raw.fetched);
            drafts.push((raw.part, draft));
        }
        Ok(Replacement { story_id: self.story_id, fetched, drafts })
    }
}

/// Replaces title, text and metadata of a story without a revision. Does nothing if the page was fetched again
/// meanwhile. Returns whether title or text changed.
pub fn replace_story(tx: &mut Transaction<'_>, replacement: &Replacement) -> Result<bool, Error> {
    let story_id = replacement.story_id;
    let (Some(stored), Some((_, draft))) = (lock(tx, story_id)?, replacement.drafts.first()) else {
        return Ok(false);
    };
    let latest = "SELECT max(fetched) FROM raw WHERE story_id = $1 AND role <> 'comments'";
    let latest: Option<i64> = tx.query_value(latest, params![story_id])?;
    if stored.url != draft.url || latest.is_some_and(|latest| latest > replacement.fetched) {
        return Ok(false);
    }
    // The page did not change, so `updated`, to which revisions refer, must not either.
    let new = if stored.parts > 1 {
        for (number, draft) in &replacement.drafts {
            replace_part(tx, story_id, *number, draft)?;
        }
        joined(tx, story_id, draft.title.as_deref(), stored.updated)?
    } else {
        NewText::of(draft, stored.updated)
    };
    let changed = new.digest != stored.digest;
    if changed {
        replace_text(tx, &stored, &new)?;
    }
    replace_metadata(tx, story_id, draft, None)?;
    Ok(changed)
}

/// Extracts one story again.
pub fn reextract_one(
    corpus: &mut Corpus,
    engine: &Engine,
    story_id: i64,
    site: Option<&Known>,
) -> Result<Reextracted, Error> {
    let Some(pages) = corpus.read(|tx| load_pages(tx, story_id))? else {
        return Ok(Reextracted::WithoutPage);
    };
    match pages.extract(engine, site) {
        Err(error) => Ok(Reextracted::Failed(error)),
        Ok(replacement) => match corpus.transaction(|tx| replace_story(tx, &replacement))? {
            true => Ok(Reextracted::Changed),
            false => Ok(Reextracted::Unchanged),
        },
    }
}

/// Stories of a site with a stored page that were extracted when fewer than `below` pages of the site were known; at
/// most the oldest 1,000.
pub fn ripe_stories(
    tx: &mut Transaction<'_>,
    host: &str,
    site: &SiteKey,
    below: u32,
) -> Result<Vec<i64>, Error> {
    let mut stories = Vec::new();
    tx.for_each(
        "SELECT id, url FROM story WHERE host = $1 AND memory_pages < $2 \
         AND EXISTS (SELECT 1 FROM raw WHERE raw.url = story.url) ORDER BY id LIMIT $3",
        params![host, below, MAX_RIPE],
        |row| {
            if SiteKey::from_url(&row.get::<String>(1)?).as_ref() == Some(site) {
                stories.push(row.get(0)?);
            }
            Ok(())
        },
    )?;
    Ok(stories)
}

/// Extracts again every story with a stored page that was extracted by another version or with another site memory. An
/// interrupted run continues where it stopped. `progress` is called after every batch.
pub fn reextract(
    corpus: &mut Corpus,
    engine: &Engine,
    filter: &ReextractFilter,
    progress: &mut dyn FnMut(&ReextractSummary),
) -> Result<ReextractSummary, Error> {
    let mut summary = ReextractSummary::default();
    let mut sites = Sites::default();
    let mut next = filter.from_id;
    loop {
        let batch = corpus.read(|tx| load_batch(tx, engine, filter, &mut sites, next))?;
        let Some(last) = batch.last else { return Ok(summary) };
        next = last + 1;
        summary.stories += batch.stories;
        summary.current += batch.current;
        summary.without_page += batch.stories - batch.current - batch.work.len() as u64;
        let extracted = in_parallel(&batch.work, |(pages, site)| pages.extract(engine, site.as_ref()));
        let (good, bad): (Vec<_>, Vec<_>) = extracted.into_iter().partition(Result::is_ok);
        summary.failed += bad.len() as u64;
        let good: Vec<_> = good.into_iter().flatten().collect();
        let changed = corpus.transaction(|tx| {
            let mut changed = 0;
            for replacement in &good {
                changed += u64::from(replace_story(tx, replacement)?);
            }
            Ok(changed)
        })?;
        summary.changed += changed;
        summary.unchanged += good.len() as u64 - changed;
        progress(&summary);
    }
}

/// A batch of stories in the order of their ids.
#[derive(Default)]
struct Batch {
    last: Option<i64>,
    stories: u64,
    current: u64,
    work: Vec<(StoryPages, Option<Known>)>,
}

fn load_batch(
    tx: &mut Transaction<'_>,
    engine: &Engine,
    filter: &ReextractFilter,
    sites: &mut Sites,
    from: i64,
) -> Result<Batch, Error> {
    let mut sql = "SELECT id, url, extractor, memory_pages FROM story WHERE id >= $1".to_owned();
    let mut parameters = vec![Param::from(from), Param::from(BATCH)];
    if let Some(host) = &filter.host {
        sql += " AND host = $3";
        parameters.push(host.into());
    }
    sql += " ORDER BY id LIMIT $2";
    let mut batch = Batch::default();
    let mut bytes = 0;
    for row in tx.query(&sql, &parameters)? {
        let (id, url, extractor): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        batch.last = Some(id);
        batch.stories += 1;
        let site = sites.known(tx, &url)?;
        let is_current =
            extractor == engine.version() && row.get::<u32>(3)? == site.as_ref().map_or(0, SiteMemory::pages);
        if is_current && !filter.all {
            batch.current += 1;
        } else if let Some(pages) = load_pages(tx, id)? {
            bytes += pages.bytes();
            batch.work.push((pages, site));
            if bytes >= BATCH_BYTES {
                break;
            }
        }
    }
    Ok(batch)
}

/// Cached site memories, which do not change during a run.
#[derive(Default)]
struct Sites(HashMap<SiteKey, Option<Known>>);

impl Sites {
    fn known(&mut self, tx: &mut Transaction<'_>, url: &str) -> Result<Option<Known>, Error> {
        let Some(site) = SiteKey::from_url(url) else { return Ok(None) };
        if let Some(known) = self.0.get(&site) {
            return Ok(known.clone());
        }
        let profile = load_profile(tx, &site)?;
        let known = (!profile.is_empty()).then(|| profile.known());
        if self.0.len() >= SITES_HELD {
            self.0.clear();
        }
        self.0.insert(site, known.clone());
        Ok(known)
    }
}

#[cfg(test)]
mod tests;
