//! Raw pages: the fetched bytes, compressed, for later re-extraction.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::Serialize;

use crate::database::{Row, Transaction};
use crate::draft::{bounded_url, line};
use crate::error::Error;
use crate::params;
use crate::story::rfc3339;

/// The role of a raw page in its story.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RawRole {
    /// The page of the story, or its first part.
    Story,
    /// A further page of the story.
    Part,
    /// A page with its comments.
    Comments,
}

impl RawRole {
    /// The name in the database.
    pub fn name(self) -> &'static str {
        match self {
            RawRole::Story => "story",
            RawRole::Part => "part",
            RawRole::Comments => "comments",
        }
    }
}

/// A fetched page to be stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawDraft {
    /// Where it was fetched.
    pub url: String,
    /// Its role in the story.
    pub role: RawRole,
    /// Number of the part; 1 for other roles.
    pub part: u32,
    /// When, in milliseconds since 1970.
    pub fetched: i64,
    /// The `Content-Type` header.
    pub content_type: Option<String>,
    /// The body, as [`compress`] returns it.
    pub body: Vec<u8>,
}

/// Compresses a body with gzip at a fast level.
pub fn compress(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 4), Compression::fast());
    // Writing to memory does not fail.
    let _ = encoder.write_all(body);
    encoder.finish().unwrap_or_default()
}

/// Decompresses a body, at most `max_bytes` of it.
pub fn decompress(body: &[u8], max_bytes: u64) -> Result<Vec<u8>, Error> {
    let mut whole = Vec::new();
    GzDecoder::new(body).take(max_bytes).read_to_end(&mut whole)?;
    Ok(whole)
}

/// Stores a page of a story, replacing an earlier fetch of its URL.
pub fn save_raw(tx: &mut Transaction<'_>, story_id: i64, raw: &RawDraft) -> Result<(), Error> {
    let content_type = line(raw.content_type.as_deref(), 200);
    tx.execute(
        "INSERT INTO raw (url, story_id, role, part, fetched, content_type, body) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) \
         ON CONFLICT (url) DO UPDATE SET story_id = excluded.story_id, role = excluded.role, part = excluded.part, \
         fetched = excluded.fetched, content_type = excluded.content_type, body = excluded.body",
        params![
            &*bounded_url(&raw.url),
            story_id,
            raw.role.name(),
            raw.part,
            raw.fetched,
            &content_type,
            &raw.body
        ],
    )?;
    Ok(())
}

/// The stored page of a URL.
pub fn load_raw(tx: &mut Transaction<'_>, url: &str) -> Result<Option<RawDraft>, Error> {
    let sql = "SELECT url, role, part, fetched, content_type, body FROM raw WHERE url = $1";
    tx.query_first(sql, params![&*bounded_url(url)])?.map(raw_of).transpose()
}

/// A stored page, without its body.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RawPage {
    /// Where it was fetched.
    pub url: String,
    /// `story`, `part` or `comments`.
    pub role: String,
    /// Number of the part; 1 for other roles.
    pub part: u32,
    /// When, as RFC 3339.
    pub fetched: String,
}

/// The stored pages of a story: its own first, then its parts and comments.
pub fn raw_pages(tx: &mut Transaction<'_>, story_id: i64) -> Result<Vec<RawPage>, Error> {
    let sql = "SELECT url, role, part, fetched FROM raw WHERE story_id = $1
        ORDER BY CASE role WHEN 'story' THEN 0 WHEN 'part' THEN 1 ELSE 2 END, part, url";
    let page = |mut row: Row| {
        let fetched = rfc3339(row.get(3)?);
        Ok(RawPage { url: row.take(0)?, role: row.take(1)?, part: row.get(2)?, fetched })
    };
    tx.query(sql, params![story_id])?.into_iter().map(page).collect()
}

/// All pages of a story, in order of their part numbers and URLs.
pub fn load_story_raws(tx: &mut Transaction<'_>, story_id: i64) -> Result<Vec<RawDraft>, Error> {
    let sql =
        "SELECT url, role, part, fetched, content_type, body FROM raw WHERE story_id = $1 ORDER BY part, url";
    tx.query(sql, params![story_id])?.into_iter().map(raw_of).collect()
}

fn raw_of(mut row: Row) -> Result<RawDraft, Error> {
    let role: String = row.take(1)?;
    let role =
        [RawRole::Story, RawRole::Part, RawRole::Comments].into_iter().find(|known| known.name() == role);
    Ok(RawDraft {
        url: row.take(0)?,
        role: role.ok_or(Error::Schema("a raw page has an unknown role"))?,
        part: row.get(2)?,
        fetched: row.get(3)?,
        content_type: row.take(4)?,
        body: row.take(5)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::save::save_story;
    use crate::testing::{for_each_database, story};

    #[test]
    fn pages_come_back_and_later_ones_replace_them() {
        for_each_database(|mut corpus| {
            let url = "https://example.com/rain";
            let mut raw = RawDraft {
                url: url.to_owned(),
                role: RawRole::Story,
                part: 1,
                fetched: 10,
                content_type: Some("text/html".to_owned()),
                body: compress(b"<p>Rain"),
            };
            let part = RawDraft { url: format!("{url}?p=2"), role: RawRole::Part, part: 2, ..raw.clone() };
            let stored = corpus
                .transaction(|tx| {
                    let id = save_story(tx, &story(url, "Rain", "It rained."), 10)?.story_id;
                    save_raw(tx, id, &part)?;
                    save_raw(tx, id, &raw)?;
                    raw.fetched = 20;
                    save_raw(tx, id, &raw)?;
                    load_story_raws(tx, id)
                })
                .unwrap();
            assert_eq!(stored, [raw.clone(), part.clone()]);
            let kept = corpus.read(|tx| raw_pages(tx, 1)).unwrap();
            let kept: Vec<(&str, u32)> = kept.iter().map(|page| (page.role.as_str(), page.part)).collect();
            assert_eq!(kept, [("story", 1), ("part", 2)]);
            assert_eq!(corpus.read(|tx| load_raw(tx, url)).unwrap(), Some(raw));
            assert_eq!(corpus.read(|tx| load_raw(tx, "https://example.com/")).unwrap(), None);
        });
    }

    #[test]
    fn decompression_is_bounded() {
        let bomb = compress(&vec![0; 10 << 20]);
        assert!(bomb.len() < 100 << 10);
        assert_eq!(decompress(&bomb, 1_000).unwrap().len(), 1_000);
        assert!(decompress(b"no gzip", 1_000).is_err());
    }
}
