//! Saves stories: new ones, revisions, copies, parts and comments.
//!
//! All functions run in the caller's transaction and are idempotent.

mod comments;
mod parts;
mod record;
#[cfg(test)]
mod tests;

pub use comments::save_comments;
pub use parts::save_part;
pub(crate) use parts::{joined, replace_part};
pub(crate) use record::{Metadata, NewText, Stored, lock, replace_metadata, replace_text};

use crate::database::{Param, Transaction};
use crate::draft::{Draft, bounded_url};
use crate::error::Error;
use crate::params;
use crate::{near, search};

/// The effect of saving a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// A new story.
    New,
    /// Title or text changed.
    Revised,
    /// Neither changed; metadata may have.
    Unchanged,
    /// The page is a copy of a story stored under a better URL; nothing was stored.
    Copy,
}

/// The outcome of saving a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Saved {
    /// The story.
    pub story_id: i64,
    /// The effect.
    pub change: Change,
    /// Another host with a story of the same title and text; only determined if the story is new or revised.
    pub same_text_on: Option<String>,
}

/// Saves the page of a story, or the first of its parts, under its identity.
///
/// - A page with the stored URL replaces the stored one; if title or text differ, the old version becomes a revision.
/// - A page with another URL is a copy, unless its URL is the identity: then it replaces a stored copy without a
///   revision.
/// - A page with the same title and text as another story of its host is a copy.
pub fn save_story(tx: &mut Transaction<'_>, draft: &Draft, fetched: i64) -> Result<Saved, Error> {
    let draft = draft.sealed();
    let identity = bounded_url(if draft.identity.is_empty() { &draft.url } else { &draft.identity });
    if let Some(stored) = record::lock_identity(tx, &identity)? {
        return save_again(tx, &stored, &identity, &draft, fetched);
    }
    if let Some(story_id) = same_text_here(tx, &draft)? {
        mark_checked(tx, story_id, fetched)?;
        return Ok(Saved { story_id, change: Change::Copy, same_text_on: None });
    }
    if let Some(story_id) = insert(tx, &identity, &draft, fetched)? {
        let same_text_on = same_text_on(tx, draft.digest(), story_id)?;
        return Ok(Saved { story_id, change: Change::New, same_text_on });
    }
    // Another writer inserted it meanwhile.
    let stored =
        record::lock_identity(tx, &identity)?.ok_or(Error::Schema("a story vanished while it was saved"))?;
    save_again(tx, &stored, &identity, &draft, fetched)
}

/// Records that a page was fetched or found unchanged.
pub fn mark_checked(tx: &mut Transaction<'_>, story_id: i64, at: i64) -> Result<(), Error> {
    tx.execute("UPDATE story SET checked = $2 WHERE id = $1 AND checked < $2", params![story_id, at])?;
    Ok(())
}

fn insert(
    tx: &mut Transaction<'_>,
    identity: &str,
    draft: &Draft,
    fetched: i64,
) -> Result<Option<i64>, Error> {
    let metadata = Metadata::of(draft);
    let mut parameters = metadata.parameters();
    let near = draft.near();
    parameters.extend([
        identity.into(),
        Param::from(&draft.title),
        Param::from(&draft.text),
        Param::from(&draft.markdown),
        Param::from(draft.digest()),
        Param::from(near.map(|near| near.bins.as_slice())),
        Param::from(fetched),
    ]);
    let inserted = tx.query_first(
        "INSERT INTO story (url, host, canonical, source, site_name, published, published_at, modified, authors, \
         language, page_type, confidence, robots, memory_pages, extractor, identity, title, text, markdown, digest, \
         near, fetched, updated, checked) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, \
         $16, $17, $18, $19, $20, $21, $22, $22, $22) ON CONFLICT (identity) DO NOTHING RETURNING id",
        &parameters,
    )?;
    let Some(row) = inserted else { return Ok(None) };
    let story_id = row.get(0)?;
    search::index(tx, story_id, draft.title.as_deref(), &draft.text)?;
    near::insert(tx, story_id, near, None)?;
    Ok(Some(story_id))
}

fn save_again(
    tx: &mut Transaction<'_>,
    stored: &Stored,
    identity: &str,
    draft: &Draft,
    fetched: i64,
) -> Result<Saved, Error> {
    let story_id = stored.id;
    let url = bounded_url(&draft.url);
    let same_url = url == stored.url;
    let replaces_copy = url == identity && !same_url;
    if !same_url && !replaces_copy {
        mark_checked(tx, story_id, fetched)?;
        return Ok(Saved { story_id, change: Change::Copy, same_text_on: None });
    }
    let has_parts = stored.parts > 1 && same_url;
    if same_url && record::own_digest(tx, stored)? == draft.digest() {
        replace_metadata(tx, story_id, draft, Some(fetched))?;
        return Ok(Saved { story_id, change: Change::Unchanged, same_text_on: None });
    }
    if same_url {
        record::keep_revision(tx, story_id)?;
    } else {
        // The stored parts belong to the copy.
        tx.execute("DELETE FROM part WHERE story_id = $1", params![story_id])?;
    }
    let title = draft.title.as_deref();
    let updated = fetched.max(stored.updated);
    let new = if has_parts {
        replace_part(tx, story_id, 1, draft)?;
        joined(tx, story_id, title, updated)?
    } else {
        NewText::of(draft, updated)
    };
    let change = if new.digest == stored.digest { Change::Unchanged } else { Change::Revised };
    // After the text, since the Markdown of a story with parts is joined.
    replace_text(tx, stored, &new)?;
    replace_metadata(tx, story_id, draft, Some(fetched))?;
    let same_text_on = same_text_on(tx, &new.digest, story_id)?;
    Ok(Saved { story_id, change, same_text_on })
}

/// A story of the same host with the same title and text, since insignificant parameters give a page many URLs.
fn same_text_here(tx: &mut Transaction<'_>, draft: &Draft) -> Result<Option<i64>, Error> {
    let sql = "SELECT id FROM story WHERE digest = $1 AND host = $2 ORDER BY id LIMIT 1";
    tx.query_first(sql, params![draft.digest(), &draft.host])?.map(|row| row.get(0)).transpose()
}

fn same_text_on(tx: &mut Transaction<'_>, digest: &str, story_id: i64) -> Result<Option<String>, Error> {
    let sql = "SELECT host FROM story WHERE digest = $1 AND id <> $2 \
               AND host <> (SELECT host FROM story WHERE id = $2) ORDER BY id LIMIT 1";
    tx.query_first(sql, params![digest, story_id])?.map(|row| row.get(0)).transpose()
}
