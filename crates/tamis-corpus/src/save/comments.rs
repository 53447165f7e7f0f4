//! Comments of a story. Author and text identify a comment; comments that vanish from the page are kept.

use std::collections::HashMap;

use super::record;
use crate::database::Transaction;
use crate::draft::{CommentDraft, bounded_url};
use crate::error::Error;
use crate::params;

/// Adds new comments in order and returns their number. `url` is the page that contains them.
pub fn save_comments(
    tx: &mut Transaction<'_>,
    story_id: i64,
    comments: &[CommentDraft],
    url: &str,
    fetched: i64,
) -> Result<usize, Error> {
    if comments.is_empty() {
        return Ok(0);
    }
    // The lock prevents two writers from using the same numbers.
    record::lock(tx, story_id)?.ok_or(Error::Schema("comments belong to no story"))?;
    let mut known: HashMap<String, u32> = HashMap::new();
    for mut row in tx.query("SELECT digest, number FROM comment WHERE story_id = $1", params![story_id])? {
        known.insert(row.take(0)?, row.get(1)?);
    }
    let url = bounded_url(url);
    let mut next = known.values().max().map_or(1, |last| last + 1);
    let mut added = 0;
    let mut numbers: Vec<Option<u32>> = Vec::with_capacity(comments.len());
    for comment in comments {
        let Some(comment) = comment.cleaned() else {
            numbers.push(None);
            continue;
        };
        let digest = comment.digest();
        if let Some(number) = known.get(&digest) {
            numbers.push(Some(*number));
            continue;
        }
        // Replies come after the comment they answer.
        let reply_to = comment.reply_to.and_then(|index| numbers.get(index as usize).copied().flatten());
        tx.execute(
            "INSERT INTO comment (story_id, number, author, time, text, reply_to, url, fetched, digest) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            params![
                story_id,
                next,
                &comment.author,
                &comment.time,
                &comment.text,
                reply_to,
                &*url,
                fetched,
                &digest
            ],
        )?;
        known.insert(digest, next);
        numbers.push(Some(next));
        next += 1;
        added += 1;
    }
    Ok(added)
}
