//! Reads and replaces the row of a story.

use tamis_batch::Near;

use crate::database::{Dialect, Param, Row, Transaction};
use crate::draft::{Draft, bounded_url, digest, milliseconds, short_line};
use crate::error::Error;
use crate::{near, params, search};

/// The stored fields that a change needs. Without the text, since most visits find nothing new.
pub(crate) struct Stored {
    pub(crate) id: i64,
    pub(crate) url: String,
    pub(crate) title: Option<String>,
    pub(crate) digest: String,
    pub(crate) updated: i64,
    pub(crate) parts: u32,
    pub(crate) group: Option<i64>,
}

/// Reads a story and locks it until the end of the transaction.
pub(crate) fn lock(tx: &mut Transaction<'_>, story_id: i64) -> Result<Option<Stored>, Error> {
    lock_where(tx, "id = $1", story_id.into())
}

pub(super) fn lock_identity(tx: &mut Transaction<'_>, identity: &str) -> Result<Option<Stored>, Error> {
    lock_where(tx, "identity = $1", identity.into())
}

fn lock_where(tx: &mut Transaction<'_>, condition: &str, key: Param<'_>) -> Result<Option<Stored>, Error> {
    // In SQLite, a write transaction locks the whole file.
    let locking = if tx.dialect() == Dialect::Postgres { " FOR UPDATE" } else { "" };
    let sql = format!(
        "SELECT id, url, title, digest, updated, parts, group_id FROM story WHERE {condition}{locking}"
    );
    let read = |mut row: Row| {
        Ok(Stored {
            id: row.get(0)?,
            url: row.take(1)?,
            title: row.take(2)?,
            digest: row.take(3)?,
            updated: row.get(4)?,
            parts: row.get(5)?,
            group: row.get(6)?,
        })
    };
    tx.query_first(&sql, &[key])?.map(read).transpose()
}

/// Digest of the story's own page, without further parts.
pub(super) fn own_digest(tx: &mut Transaction<'_>, stored: &Stored) -> Result<String, Error> {
    if stored.parts > 1 {
        let first = "SELECT text FROM part WHERE story_id = $1 AND number = 1";
        if let Some(mut row) = tx.query_first(first, params![stored.id])? {
            return Ok(digest(stored.title.as_deref(), &row.take::<String>(0)?));
        }
    }
    Ok(stored.digest.clone())
}

/// Copies the current version to the revisions, with the time of the last update as the time when it was first seen.
pub(super) fn keep_revision(tx: &mut Transaction<'_>, story_id: i64) -> Result<(), Error> {
    tx.execute(
        "INSERT INTO revision (story_id, number, fetched, title, text, markdown, digest) \
         SELECT id, revisions + 1, updated, title, text, markdown, digest FROM story WHERE id = $1",
        params![story_id],
    )?;
    tx.execute("UPDATE story SET revisions = revisions + 1 WHERE id = $1", params![story_id])?;
    Ok(())
}

/// A new version of a story.
pub(crate) struct NewText {
    pub(crate) title: Option<String>,
    pub(crate) text: String,
    pub(crate) markdown: String,
    pub(crate) digest: String,
    pub(crate) near: Option<Box<Near>>,
    pub(crate) parts: u32,
    pub(crate) updated: i64,
}

impl NewText {
    /// The version of a sealed draft of one part.
    pub(crate) fn of(draft: &Draft, updated: i64) -> NewText {
        NewText {
            title: draft.title.clone(),
            text: draft.text.clone(),
            markdown: draft.markdown.clone(),
            digest: draft.digest().to_owned(),
            near: draft.near().cloned().map(Box::new),
            parts: 1,
            updated,
        }
    }
}

/// Replaces title and text of a story, with its search index and its near-duplicates.
pub(crate) fn replace_text(tx: &mut Transaction<'_>, stored: &Stored, new: &NewText) -> Result<(), Error> {
    let near = new.near.as_deref();
    tx.execute(
        "UPDATE story SET title = $2, text = $3, markdown = $4, digest = $5, near = $6, parts = $7, updated = $8 \
         WHERE id = $1",
        params![
            stored.id,
            &new.title,
            &new.text,
            &new.markdown,
            &new.digest,
            near.map(|near| near.bins.as_slice()),
            new.parts,
            new.updated
        ],
    )?;
    search::unindex(tx, stored.id)?;
    search::index(tx, stored.id, new.title.as_deref(), &new.text)?;
    near::replace(tx, stored.id, near, stored.group)
}

/// The other columns, truncated to their limits.
pub(crate) struct Metadata<'d> {
    draft: &'d Draft,
    url: String,
    canonical: Option<String>,
    source: Option<String>,
    site_name: Option<String>,
    published: Option<String>,
    modified: Option<String>,
    authors: String,
    language: Option<String>,
    page_type: Option<String>,
    robots: Option<String>,
}

impl<'d> Metadata<'d> {
    pub(crate) fn of(draft: &'d Draft) -> Metadata<'d> {
        Metadata {
            draft,
            url: bounded_url(&draft.url).into_owned(),
            canonical: draft.canonical.as_deref().map(|url| bounded_url(url).into_owned()),
            source: short_line(&draft.source),
            site_name: short_line(&draft.site_name),
            published: short_line(&draft.published),
            modified: short_line(&draft.modified),
            authors: draft.authors_json(),
            language: short_line(&draft.language),
            page_type: short_line(&draft.page_type),
            robots: short_line(&draft.robots),
        }
    }

    /// From `url` to `extractor`, in the order of the statements.
    pub(crate) fn parameters(&self) -> Vec<Param<'_>> {
        vec![
            Param::from(&self.url),
            Param::from(&self.draft.host),
            Param::from(&self.canonical),
            Param::from(&self.source),
            Param::from(&self.site_name),
            Param::from(&self.published),
            Param::from(self.published.as_deref().and_then(milliseconds)),
            Param::from(&self.modified),
            Param::from(&self.authors),
            Param::from(&self.language),
            Param::from(&self.page_type),
            Param::from(self.draft.confidence),
            Param::from(&self.robots),
            Param::from(self.draft.memory_pages),
            Param::from(&self.draft.extractor),
        ]
    }
}

/// Replaces the metadata of a story. Missing values keep the stored ones, such as a date from a feed. `checked` is the
/// fetch time.
pub(crate) fn replace_metadata(
    tx: &mut Transaction<'_>,
    story_id: i64,
    draft: &Draft,
    checked: Option<i64>,
) -> Result<(), Error> {
    let metadata = Metadata::of(draft);
    let mut parameters = metadata.parameters();
    parameters.extend([
        story_id.into(),
        Param::from(&draft.markdown),
        Param::from(checked.unwrap_or(i64::MIN)),
    ]);
    tx.execute(
        "UPDATE story SET url = $1, host = $2, canonical = $3, source = coalesce($4, source), \
         site_name = coalesce($5, site_name), published = coalesce($6, published), \
         published_at = coalesce($7, published_at), modified = coalesce($8, modified), authors = $9, \
         language = coalesce($10, language), page_type = $11, confidence = $12, robots = $13, memory_pages = $14, \
         extractor = $15, markdown = CASE WHEN parts = 1 THEN $17 ELSE markdown END, \
         checked = CASE WHEN checked < $18 THEN $18 ELSE checked END WHERE id = $16",
        &parameters,
    )?;
    Ok(())
}
