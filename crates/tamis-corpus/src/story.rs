//! Reads stories: the current version, earlier versions, parts, comments, near-duplicates.

use jiff::Timestamp;
use serde::{Serialize, Serializer};

use crate::database::{Row, Transaction};
use crate::error::Error;
use crate::params;

/// A stored story. Times are milliseconds since 1970, and RFC 3339 in JSON.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Story {
    /// Number of the story in this corpus.
    pub id: i64,
    /// The URL of the current text.
    pub url: String,
    /// The canonical URL that the page declares.
    pub canonical: Option<String>,
    /// Its host.
    pub host: String,
    /// The outlet that the story was taken from.
    pub source: Option<String>,
    /// Name of the site.
    pub site_name: Option<String>,
    /// Title.
    pub title: Option<String>,
    /// ISO 8601, as precise as the page.
    pub published: Option<String>,
    /// The publication time.
    #[serde(serialize_with = "optional_time")]
    pub published_at: Option<i64>,
    /// ISO 8601.
    pub modified: Option<String>,
    /// When it was first fetched.
    #[serde(serialize_with = "time")]
    pub fetched: i64,
    /// When title or text last changed.
    #[serde(serialize_with = "time")]
    pub updated: i64,
    /// When the page was last fetched or found unchanged.
    #[serde(serialize_with = "time")]
    pub checked: i64,
    /// Names.
    pub authors: Vec<String>,
    /// BCP 47 tag.
    pub language: Option<String>,
    /// Name of the page type.
    pub page_type: Option<String>,
    /// The confidence of the extraction, from 0 to 1.
    pub confidence: Option<f64>,
    /// The main text.
    pub text: String,
    /// The main text as Markdown.
    pub markdown: String,
    /// Digest of title and text.
    pub digest: String,
    /// Number of its pages.
    pub parts: u32,
    /// Number of earlier versions.
    pub revisions: u32,
    /// Robots directives of page or server, such as `noarchive`.
    pub robots: Option<String>,
    /// Id of the group of near-duplicates it belongs to.
    pub duplicates: Option<i64>,
    /// The version of Tamis that extracted it.
    pub extractor: String,
}

/// An earlier version of a story.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Revision {
    /// 1 is the first version.
    pub number: u32,
    /// When this version was first seen.
    #[serde(serialize_with = "time")]
    pub fetched: i64,
    /// Title.
    pub title: Option<String>,
    /// The main text.
    pub text: String,
    /// The main text as Markdown.
    pub markdown: String,
    /// Digest of title and text.
    pub digest: String,
}

/// One page of a story in several parts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Part {
    /// From 1.
    pub number: u32,
    /// The URL of its page.
    pub url: String,
}

/// A reader comment.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comment {
    /// Number in the order of first occurrence, from 1.
    pub number: u32,
    /// Name of the author.
    pub author: Option<String>,
    /// ISO 8601, as precise as the page.
    pub time: Option<String>,
    /// The text.
    pub text: String,
    /// Number of the comment it answers.
    pub reply_to: Option<u32>,
    /// The page that contains it.
    pub url: String,
}

/// A near-duplicate of a story.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Duplicate {
    /// Its id.
    pub id: i64,
    /// Its URL.
    pub url: String,
    /// Its title.
    pub title: Option<String>,
}

const COLUMNS: &str = "id, url, canonical, host, source, site_name, title, published, published_at, modified, fetched, \
    updated, checked, authors, language, page_type, confidence, text, markdown, digest, parts, revisions, robots, \
    group_id, extractor";

impl Story {
    /// The story with this id.
    pub fn load(tx: &mut Transaction<'_>, id: i64) -> Result<Option<Story>, Error> {
        let row = tx.query_first(&format!("SELECT {COLUMNS} FROM story WHERE id = $1"), params![id])?;
        row.map(Story::from_row).transpose()
    }

    fn from_row(mut row: Row) -> Result<Story, Error> {
        let authors: String = row.take(13)?;
        Ok(Story {
            id: row.take(0)?,
            url: row.take(1)?,
            canonical: row.take(2)?,
            host: row.take(3)?,
            source: row.take(4)?,
            site_name: row.take(5)?,
            title: row.take(6)?,
            published: row.take(7)?,
            published_at: row.take(8)?,
            modified: row.take(9)?,
            fetched: row.take(10)?,
            updated: row.take(11)?,
            checked: row.take(12)?,
            authors: serde_json::from_str(&authors).unwrap_or_default(),
            language: row.take(14)?,
            page_type: row.take(15)?,
            confidence: row.take(16)?,
            text: row.take(17)?,
            markdown: row.take(18)?,
            digest: row.take(19)?,
            parts: row.take(20)?,
            revisions: row.take(21)?,
            robots: row.take(22)?,
            duplicates: row.take(23)?,
            extractor: row.take(24)?,
        })
    }
}

/// The id of the story of a URL: its own, its canonical one, or that of a page stored for it.
pub fn find_by_url(tx: &mut Transaction<'_>, url: &str) -> Result<Option<i64>, Error> {
    // Indexed columns first; the last query scans the whole table.
    for sql in [
        "SELECT id FROM story WHERE identity = $1",
        "SELECT story_id FROM url WHERE url = $1 AND story_id IS NOT NULL",
        "SELECT story_id FROM raw WHERE url = $1",
        "SELECT id FROM story WHERE url = $1 OR canonical = $1 ORDER BY id LIMIT 1",
    ] {
        if let Some(row) = tx.query_first(sql, params![url])? {
            return row.get(0).map(Some);
        }
    }
    Ok(None)
}

/// The earlier versions of a story, oldest first.
pub fn revisions(tx: &mut Transaction<'_>, id: i64) -> Result<Vec<Revision>, Error> {
    let sql = "SELECT number, fetched, title, text, markdown, digest FROM revision WHERE story_id = $1 ORDER BY number";
    collect(tx, sql, id, |row| {
        Ok(Revision {
            number: row.take(0)?,
            fetched: row.take(1)?,
            title: row.take(2)?,
            text: row.take(3)?,
            markdown: row.take(4)?,
            digest: row.take(5)?,
        })
    })
}

/// A version of a story, without its text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Version {
    /// 1 is the first version; the highest number is the current one.
    pub number: u32,
    /// When it was first seen.
    #[serde(serialize_with = "time")]
    pub fetched: i64,
    /// Title.
    pub title: Option<String>,
}

/// All versions of a story, oldest first; the last one is the current one.
pub fn versions(tx: &mut Transaction<'_>, id: i64) -> Result<Vec<Version>, Error> {
    let sql = "SELECT number, fetched, title FROM revision WHERE story_id = $1
        UNION ALL SELECT revisions + 1, updated, title FROM story WHERE id = $1 ORDER BY 1";
    collect(tx, sql, id, |row| {
        Ok(Version { number: row.take(0)?, fetched: row.take(1)?, title: row.take(2)? })
    })
}

/// Title and text of a version; `None` if the story has no version of that number.
pub fn version_text(
    tx: &mut Transaction<'_>,
    id: i64,
    number: u32,
) -> Result<Option<(Option<String>, String)>, Error> {
    let sql = "SELECT title, text FROM revision WHERE story_id = $1 AND number = $2
        UNION ALL SELECT title, text FROM story WHERE id = $1 AND revisions + 1 = $2 LIMIT 1";
    let row = tx.query_first(sql, params![id, number])?;
    row.map(|mut row| Ok((row.take(0)?, row.take(1)?))).transpose()
}

/// The pages of a multi-page story; empty for other stories.
pub fn parts(tx: &mut Transaction<'_>, id: i64) -> Result<Vec<Part>, Error> {
    let sql = "SELECT number, url FROM part WHERE story_id = $1 ORDER BY number";
    collect(tx, sql, id, |row| Ok(Part { number: row.take(0)?, url: row.take(1)? }))
}

/// The comments on a story, in the order of first occurrence.
pub fn comments(tx: &mut Transaction<'_>, id: i64) -> Result<Vec<Comment>, Error> {
    let sql =
        "SELECT number, author, time, text, reply_to, url FROM comment WHERE story_id = $1 ORDER BY number";
    collect(tx, sql, id, |row| {
        Ok(Comment {
            number: row.take(0)?,
            author: row.take(1)?,
            time: row.take(2)?,
            text: row.take(3)?,
            reply_to: row.take(4)?,
            url: row.take(5)?,
        })
    })
}

/// The other stories of its group of near-duplicates.
pub fn near_duplicates(tx: &mut Transaction<'_>, id: i64) -> Result<Vec<Duplicate>, Error> {
    let sql = "SELECT id, url, title FROM story WHERE id <> $1
        AND group_id = (SELECT group_id FROM story WHERE id = $1) ORDER BY id";
    collect(tx, sql, id, |row| Ok(Duplicate { id: row.take(0)?, url: row.take(1)?, title: row.take(2)? }))
}

fn collect<T>(
    tx: &mut Transaction<'_>,
    sql: &str,
    id: i64,
    read: impl Fn(&mut Row) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let mut items = Vec::new();
    tx.for_each(sql, params![id], |mut row| {
        items.push(read(&mut row)?);
        Ok(())
    })?;
    Ok(items)
}

/// A time as RFC 3339 in UTC; empty if it is out of range.
pub fn rfc3339(milliseconds: i64) -> String {
    Timestamp::from_millisecond(milliseconds).map(|time| time.to_string()).unwrap_or_default()
}

fn time<S: Serializer>(milliseconds: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&rfc3339(*milliseconds))
}

fn optional_time<S: Serializer>(milliseconds: &Option<i64>, serializer: S) -> Result<S::Ok, S::Error> {
    match milliseconds {
        Some(milliseconds) => time(milliseconds, serializer),
        None => serializer.serialize_none(),
    }
}
