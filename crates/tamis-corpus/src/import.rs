//! Imports pages and extracted rows into a corpus: archives, directories, JSON lines, Parquet files.
//!
//! The calling thread reads and stores pages in order, while all cores extract the next ones. Importing the same input
//! again changes nothing.

mod row;

use std::thread;

use tamis_batch::{Bounds, InputFields, Inputs, RawContent, RawPage, RawPages, ReadError};
use tamis_site::{PageRecord, SiteKey};
use url::Url;

use crate::corpus::Corpus;
use crate::database::Transaction;
use crate::draft::{Draft, bare_url, bounded_url};
use crate::error::Error;
use crate::extraction::{Engine, PageInput};
use crate::parallel::in_parallel;
use crate::params;
use crate::raw::{RawDraft, RawRole, compress, load_raw, save_raw};
use crate::save::{Change, save_comments, save_story};
use crate::site_pages::save_page_record;

/// Pages extracted concurrently and stored in one transaction.
const BATCH: usize = 64;
/// Size of pages after which a batch is closed, in bytes.
const BATCH_BYTES: usize = 16 << 20;
/// Most failures in a summary.
const MAX_QUOTED: usize = 20;

/// Settings of an [`import`].
#[derive(Clone, Debug)]
pub struct ImportSettings {
    /// Also store pages that are not stories, such as listings. Default: no.
    pub all: bool,
    /// Keep the pages, for [`reextract`](crate::reextract()). Default: yes.
    pub keep_raw: bool,
    /// Names of fields and columns.
    pub fields: InputFields,
    /// Size limit of a page. Default: 16 MiB.
    pub max_bytes: u32,
    /// Fetch time, in milliseconds since 1970, for pages whose record has none.
    pub now: i64,
}

impl ImportSettings {
    /// The default settings.
    pub fn new(now: i64) -> ImportSettings {
        let max_bytes = Bounds::default().bytes;
        ImportSettings { all: false, keep_raw: true, fields: InputFields::default(), max_bytes, now }
    }
}

/// Counts of an [`import`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ImportSummary {
    /// Pages and rows read.
    pub pages: u64,
    /// New stories.
    pub new: u64,
    /// Stories whose title or text changed.
    pub revised: u64,
    /// Stories already in the corpus, in this or a later version.
    pub unchanged: u64,
    /// Duplicates of stories.
    pub copies: u64,
    /// Pages that are not stories: listings, error pages, pages without text.
    pub not_stories: u64,
    /// Pages that could not be read or extracted.
    pub failed: u64,
    /// Messages of the first failures.
    pub failures: Vec<String>,
}

/// The progress of an import.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ImportProgress {
    /// Bytes read, of [`Inputs::bytes`].
    pub bytes_read: u64,
    /// The counts so far.
    pub summary: ImportSummary,
}

/// Imports all pages and rows of the inputs. Pages that fail are counted. `progress` is called after every transaction.
pub fn import(
    corpus: &mut Corpus,
    engine: &Engine,
    inputs: &Inputs,
    settings: &ImportSettings,
    progress: &mut dyn FnMut(&ImportProgress),
) -> Result<ImportSummary, Error> {
    let mut pages = RawPages::with_max_bytes(inputs, settings.fields.clone(), settings.max_bytes);
    let mut state = ImportProgress::default();
    let mut batch = next_batch(&mut pages);
    let mut found = Vec::new();
    while !batch.is_empty() || !found.is_empty() {
        let (extracted, next) = thread::scope(|scope| {
            let work = scope.spawn(|| in_parallel(&batch, |page| Found::of(page, engine, settings)));
            save_batch(corpus, &found, &mut state.summary)?;
            let next = next_batch(&mut pages);
            match work.join() {
                Ok(extracted) => Ok::<_, Error>((extracted, next)),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })?;
        (found, batch) = (extracted, next);
        state.bytes_read = pages.bytes_read();
        progress(&state);
    }
    Ok(state.summary)
}

fn next_batch(pages: &mut RawPages) -> Vec<Result<RawPage, ReadError>> {
    let (mut batch, mut bytes) = (Vec::new(), 0);
    while batch.len() < BATCH
        && bytes < BATCH_BYTES
        && let Some(page) = pages.next()
    {
        bytes += match page.as_ref().map(|page| &page.content) {
            Ok(RawContent::Bytes(body)) => body.len(),
            Ok(RawContent::Text(html)) => html.len(),
            Ok(RawContent::Row(_)) | Err(_) => 0,
        };
        batch.push(page);
    }
    batch
}

/// The outcome of a page.
enum Found {
    Story(Box<Story>),
    NotAStory(Option<Observed>),
    Failed(String),
}

type Observed = (SiteKey, PageRecord);

struct Story {
    draft: Draft,
    observed: Option<Observed>,
    raw: Option<RawDraft>,
    fetched: i64,
    /// Whether the fetch time is from the record.
    is_dated: bool,
}

impl Found {
    fn of(page: &Result<RawPage, ReadError>, engine: &Engine, settings: &ImportSettings) -> Found {
        let page = match page {
            Ok(page) => page,
            Err(error) => return Found::Failed(error.to_string()),
        };
        Found::extract(page, engine, settings).unwrap_or_else(|what| {
            Found::Failed(format!("{}: {what}", page.url.as_deref().unwrap_or(&page.place.file)))
        })
    }

    fn extract(page: &RawPage, engine: &Engine, settings: &ImportSettings) -> Result<Found, String> {
        if page.status.is_some_and(|status| !(200..300).contains(&status)) {
            return Ok(Found::NotAStory(None));
        }
        // A truncated story could not be distinguished from a complete one later.
        if let Some(fault) = &page.fault {
            return Err(fault.clone());
        }
        let is_dated = page.fetched.is_some();
        let fetched = page.fetched.map_or(settings.now, |micros| micros.div_euclid(1_000));
        let (body, content_type) = match &page.content {
            RawContent::Row(row) => {
                let draft = row::draft(row, page.url.as_deref())?;
                let story = Story { draft, observed: None, raw: None, fetched, is_dated };
                return Ok(story.if_wanted(settings.all));
            }
            RawContent::Bytes(body) => (body.as_slice(), page.content_type.clone()),
            RawContent::Text(html) => {
                // Already decoded, so the declared encoding does not apply.
                let kind = page
                    .content_type
                    .as_deref()
                    .and_then(|kind| kind.split(';').next())
                    .unwrap_or("text/html");
                (html.as_bytes(), Some(format!("{}; charset=utf-8", kind.trim())))
            }
        };
        let url = address(page)?;
        let input = PageInput { body, url: &url, content_type: content_type.as_deref(), fetched };
        let observe = |page: &tamis::page::Page<'_>, _: &tamis::Document| {
            let url = url.has_host().then(|| bare_url(url.clone()))?;
            Some((SiteKey::from_url(&url)?, PageRecord::of(page, Some(&url))))
        };
        let (mut draft, observed) =
            engine.extract(&input, None, None, observe).map_err(|error| error.to_string())?;
        match draft.canonical.clone() {
            Some(canonical) if page.url.is_none() => draft.move_to(&canonical),
            _ => draft.trust_canonical(),
        }
        let mut story = Story { draft, observed, raw: None, fetched, is_dated };
        if settings.keep_raw && (settings.all || story.draft.is_story()) {
            let (url, body) = (story.draft.url.clone(), compress(body));
            story.raw = Some(RawDraft { url, role: RawRole::Story, part: 1, fetched, content_type, body });
        }
        Ok(story.if_wanted(settings.all))
    }
}

impl Story {
    fn if_wanted(self, all: bool) -> Found {
        if self.draft.is_story() || (all && !self.draft.text.trim().is_empty()) {
            Found::Story(Box::new(self))
        } else {
            Found::NotAStory(self.observed)
        }
    }
}

/// The URL of a page, or else one made from its file path.
fn address(page: &RawPage) -> Result<Url, String> {
    if let Some(url) = &page.url {
        return Url::parse(url).map_err(|error| format!("malformed URL: {error}"));
    }
    let path = std::path::absolute(&*page.place.file).map_err(|error| error.to_string())?;
    let mut url = Url::from_file_path(path).map_err(|()| "the page has no URL".to_owned())?;
    if let Some(offset) = page.place.offset {
        url.set_query(Some(&format!("offset={offset}")));
    }
    Ok(url)
}

fn save_batch(corpus: &mut Corpus, found: &[Found], summary: &mut ImportSummary) -> Result<(), Error> {
    if found.is_empty() {
        return Ok(());
    }
    // The transaction may be retried, so counting restarts from the last committed state.
    let before = summary.clone();
    *summary = corpus.transaction(|tx| {
        let mut summary = before.clone();
        for found in found {
            summary.pages += 1;
            let observed = match found {
                Found::Story(story) => {
                    *match save_page(tx, story)? {
                        Change::New => &mut summary.new,
                        Change::Revised => &mut summary.revised,
                        Change::Unchanged => &mut summary.unchanged,
                        Change::Copy => &mut summary.copies,
                    } += 1;
                    &story.observed
                }
                Found::NotAStory(observed) => {
                    summary.not_stories += 1;
                    observed
                }
                Found::Failed(what) => {
                    summary.failed += 1;
                    if summary.failures.len() < MAX_QUOTED {
                        summary.failures.push(what.clone());
                    }
                    &None
                }
            };
            if let Some((site, record)) = observed {
                save_page_record(tx, site, record)?;
            }
        }
        Ok(summary)
    })?;
    Ok(())
}

fn save_page(tx: &mut Transaction<'_>, story: &Story) -> Result<Change, Error> {
    if is_known(tx, story)? {
        return Ok(Change::Unchanged);
    }
    let saved = save_story(tx, &story.draft, story.fetched)?;
    if saved.change != Change::Copy {
        save_comments(tx, saved.story_id, &story.draft.comments, &story.draft.url, story.fetched)?;
        if let Some(raw) = &story.raw {
            save_raw(tx, saved.story_id, raw)?;
        }
    }
    Ok(saved.change)
}

/// Whether the corpus has this fetch of the page, or a later one. Comparing texts does not suffice: the stored one may
/// have been extracted with a larger site memory.
fn is_known(tx: &mut Transaction<'_>, story: &Story) -> Result<bool, Error> {
    let url = bounded_url(&story.draft.url);
    let sql = "SELECT checked FROM story WHERE identity = $1 AND url = $2";
    let Some(row) = tx.query_first(sql, params![&*bounded_url(&story.draft.identity), &*url])? else {
        return Ok(false);
    };
    if story.is_dated && row.get::<i64>(0)? >= story.fetched {
        return Ok(true);
    }
    let Some(raw) = &story.raw else { return Ok(false) };
    Ok(load_raw(tx, &url)?.is_some_and(|known| known.body == raw.body))
}

#[cfg(test)]
mod tests;
