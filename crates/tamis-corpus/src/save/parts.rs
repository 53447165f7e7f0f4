//! Multi-page stories: the text of a story is the joined text of its parts.

use super::record::{self, NewText, replace_text};
use super::{Change, Saved, mark_checked};
use crate::database::{Row, Transaction};
use crate::draft::{Draft, bounded_url, digest, join};
use crate::error::Error;
use crate::{near, params};

/// Saves part `number` (2 or more) of a story whose first page is stored.
///
/// A new part extends the current version; a changed one creates a revision. A page with the URL or text of another
/// part is [`Change::Copy`], since some sites serve their last page for every number.
pub fn save_part(
    tx: &mut Transaction<'_>,
    story_id: i64,
    number: u32,
    draft: &Draft,
    fetched: i64,
) -> Result<Saved, Error> {
    let draft = draft.sealed();
    let stored = record::lock(tx, story_id)?.ok_or(Error::Schema("a part belongs to no story"))?;
    let saved = |change| Ok(Saved { story_id, change, same_text_on: None });
    let url = bounded_url(&draft.url);
    let is_story =
        stored.url == url || record::own_digest(tx, &stored)? == digest(stored.title.as_deref(), &draft.text);
    let (known, others): (Vec<_>, Vec<_>) =
        load(tx, story_id)?.into_iter().partition(|part| part.number == number);
    if is_story || others.iter().any(|part| part.url == url || part.text == draft.text) {
        mark_checked(tx, story_id, fetched)?;
        return saved(Change::Copy);
    }
    let change = match known.first() {
        Some(part) if part.text == draft.text => {
            mark_checked(tx, story_id, fetched)?;
            return saved(Change::Unchanged);
        }
        Some(_) => {
            record::keep_revision(tx, story_id)?;
            Change::Revised
        }
        None => Change::New,
    };
    if stored.parts == 1 {
        tx.execute(
            "INSERT INTO part (story_id, number, url, text, markdown) \
             SELECT id, 1, url, text, markdown FROM story WHERE id = $1",
            params![story_id],
        )?;
    }
    replace_part(tx, story_id, number, &draft)?;
    let new = joined(tx, story_id, stored.title.as_deref(), fetched.max(stored.updated))?;
    replace_text(tx, &stored, &new)?;
    mark_checked(tx, story_id, fetched)?;
    saved(change)
}

/// Writes one part, without joining.
pub(crate) fn replace_part(
    tx: &mut Transaction<'_>,
    story_id: i64,
    number: u32,
    draft: &Draft,
) -> Result<(), Error> {
    tx.execute(
        "INSERT INTO part (story_id, number, url, text, markdown) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (story_id, number) DO UPDATE SET url = excluded.url, text = excluded.text, \
         markdown = excluded.markdown",
        params![story_id, number, &*bounded_url(&draft.url), &draft.text, &draft.markdown],
    )?;
    Ok(())
}

/// The version made of the parts of a story.
pub(crate) fn joined(
    tx: &mut Transaction<'_>,
    story_id: i64,
    title: Option<&str>,
    updated: i64,
) -> Result<NewText, Error> {
    let parts = load(tx, story_id)?;
    let count = parts.len() as u32;
    let (texts, markdowns): (Vec<_>, Vec<_>) =
        parts.into_iter().map(|part| (part.text, part.markdown)).unzip();
    let (text, markdown) = (join(texts.into_iter()), join(markdowns.into_iter()));
    let (digest, near) = (digest(title, &text), near::of(&text));
    Ok(NewText { title: title.map(str::to_owned), text, markdown, digest, near, parts: count, updated })
}

struct Part {
    number: u32,
    url: String,
    text: String,
    markdown: String,
}

fn load(tx: &mut Transaction<'_>, story_id: i64) -> Result<Vec<Part>, Error> {
    let sql = "SELECT number, url, text, markdown FROM part WHERE story_id = $1 ORDER BY number";
    let part = |mut row: Row| {
        Ok(Part { number: row.get(0)?, url: row.take(1)?, text: row.take(2)?, markdown: row.take(3)? })
    };
    tx.query(sql, params![story_id])?.into_iter().map(part).collect()
}
