//! The full-text index: the segmented title and text, written in the transaction that stores the story.

use std::fmt::Write;

use crate::database::{Dialect, Transaction};
use crate::error::Error;
use crate::params;
use crate::segment::{Segments, segment};

/// Positions per tsvector. PostgreSQL stores positions up to 16,383; longer texts get several rows.
const CHUNK_POSITIONS: usize = 15_000;
/// Size limit of a chunk's literal, and of the words repeated in the first chunk. PostgreSQL limits tsvectors to 1 MiB.
const MAX_CHUNK_BYTES: usize = 400_000;

/// Adds a story to the index.
pub fn index(tx: &mut Transaction<'_>, story_id: i64, title: Option<&str>, text: &str) -> Result<(), Error> {
    match tx.dialect() {
        Dialect::Sqlite => {
            let (title, text) = (segment(title.unwrap_or_default()), segment(text));
            tx.execute(
                "INSERT INTO story_search (rowid, title, text) VALUES ($1, $2, $3)",
                params![story_id, &title, &text],
            )?;
        }
        Dialect::Postgres => {
            for (chunk, words) in chunks(title.unwrap_or_default(), text).iter().enumerate() {
                tx.execute(
                    // Cast from TEXT: the driver would send a tsvector in its binary form.
                    "INSERT INTO story_search (story_id, chunk, words) VALUES ($1, $2, $3::text::tsvector)",
                    params![story_id, chunk as i64, words],
                )?;
            }
        }
    }
    Ok(())
}

/// Removes a story from the index.
pub fn unindex(tx: &mut Transaction<'_>, story_id: i64) -> Result<(), Error> {
    let sql = match tx.dialect() {
        Dialect::Sqlite => "DELETE FROM story_search WHERE rowid = $1",
        Dialect::Postgres => "DELETE FROM story_search WHERE story_id = $1",
    };
    tx.execute(sql, params![story_id])?;
    Ok(())
}

/// Literals of the tsvectors of a story. Phrases do not cross chunks. The first chunk repeats the words of the others
/// without positions, so that a query matches words of different chunks.
fn chunks(title: &str, text: &str) -> Vec<String> {
    let mut chunks = vec![String::with_capacity(text.len() * 2)];
    let mut position = 0;
    let mut segments = Segments::new(title);
    while let Some(segment) = segments.next_segment() {
        position += 1;
        if position < CHUNK_POSITIONS / 2 {
            // Words contain letters, digits and marks only, so nothing needs escaping.
            let _ = write!(chunks[0], "'{}':{position}A ", segment.word);
        }
    }
    // A gap, so that no phrase crosses from the title into the text.
    position = position.min(CHUNK_POSITIONS / 2) + 1;
    let mut repeated = String::new();
    let mut segments = Segments::new(text);
    while let Some(segment) = segments.next_segment() {
        position += 1;
        if position > CHUNK_POSITIONS || chunks.last().is_some_and(|chunk| chunk.len() > MAX_CHUNK_BYTES) {
            chunks.push(String::new());
            position = 1;
        }
        if chunks.len() > 1 && repeated.len() < MAX_CHUNK_BYTES {
            let _ = write!(repeated, "'{}' ", segment.word);
        }
        if let Some(chunk) = chunks.last_mut() {
            let _ = write!(chunk, "'{}':{position} ", segment.word);
        }
    }
    chunks[0].push_str(&repeated);
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_split_into_chunks_whose_first_one_has_all_words() {
        let text: String = (0..40_000).map(|number| format!("word{number} ")).collect();
        let chunks = chunks("A title", &text);
        assert_eq!(chunks.len(), 3);
        assert!(chunks[0].starts_with("'a':1A 'title':2A 'word0':4 'word1':5 "));
        assert!(chunks[0].contains(" 'word39999' ") && chunks[2].contains("'word39999':"));
        assert!(!chunks.iter().any(|chunk| chunk.contains(":15001")));
    }
}
