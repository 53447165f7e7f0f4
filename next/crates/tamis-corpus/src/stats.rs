//! What a corpus holds, in numbers.

use serde::Serialize;

use crate::database::{Dialect, Transaction};
use crate::error::Error;
use crate::params;

/// Days that are counted one by one.
const DAYS: i64 = 30;
const DAY: i64 = 86_400_000;
/// Hosts that are named, those with most stories first.
const MAX_HOSTS: usize = 50;

/// Counts of a corpus.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stats {
    /// Stories.
    pub stories: i64,
    /// Earlier versions of stories.
    pub revisions: i64,
    /// Comments.
    pub comments: i64,
    /// Stories that are near-duplicates of another one: those of all groups, without one for each group.
    pub duplicates: i64,
    /// Pages that are kept as they were fetched.
    pub raw_pages: i64,
    /// Bytes of the database on the disk.
    pub bytes: i64,
    /// Hosts in all.
    pub host_count: i64,
    /// The hosts with most stories.
    pub hosts: Vec<Count>,
    /// Stories by language; `und` for unknown.
    pub languages: Vec<Count>,
    /// Stories by page type.
    pub page_types: Vec<Count>,
    /// Stories first fetched on each of the last 30 days (UTC), newest first.
    pub days: Vec<Count>,
}

/// How many stories have something in common.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Count {
    /// What they have in common.
    pub name: String,
    /// How many they are.
    pub stories: i64,
}

/// Counts a corpus. `now` is the end of the last day, in milliseconds since 1970.
pub fn stats(tx: &mut Transaction<'_>, now: i64) -> Result<Stats, Error> {
    let bytes = match tx.dialect() {
        Dialect::Sqlite => "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
        Dialect::Postgres => "SELECT pg_database_size(current_database())",
    };
    let mut count = |sql: &str| tx.query_value::<i64>(sql, &[]);
    let (stories, revisions) =
        (count("SELECT count(*) FROM story")?, count("SELECT count(*) FROM revision")?);
    let (comments, raw_pages) = (count("SELECT count(*) FROM comment")?, count("SELECT count(*) FROM raw")?);
    let duplicates = count("SELECT count(group_id) - count(DISTINCT group_id) FROM story")?;
    let host_count = count("SELECT count(DISTINCT host) FROM story")?;
    let bytes = count(bytes)?;
    let by = |column: &str, limit: usize| {
        format!("SELECT {column}, count(*) FROM story GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {limit}")
    };
    let hosts = counts(tx, &by("host", MAX_HOSTS))?;
    let languages = counts(tx, &by("coalesce(language, 'und')", MAX_HOSTS))?;
    let page_types = counts(tx, &by("coalesce(page_type, 'unknown')", MAX_HOSTS))?;
    let mut days = Vec::new();
    let since = (now.div_euclid(DAY) - DAYS + 1) * DAY;
    let sql = format!(
        "SELECT fetched / {DAY}, count(*) FROM story WHERE fetched >= $1 AND fetched <= $2 GROUP BY 1 ORDER BY 1 DESC"
    );
    tx.for_each(&sql, params![since, now], |row| {
        let day = crate::story::rfc3339(row.get::<i64>(0)?.saturating_mul(DAY));
        days.push(Count { name: day.chars().take(10).collect(), stories: row.get(1)? });
        Ok(())
    })?;
    Ok(Stats {
        stories,
        revisions,
        comments,
        duplicates,
        raw_pages,
        bytes,
        host_count,
        hosts,
        languages,
        page_types,
        days,
    })
}

fn counts(tx: &mut Transaction<'_>, sql: &str) -> Result<Vec<Count>, Error> {
    let mut counts = Vec::new();
    tx.for_each(sql, &[], |row| {
        counts.push(Count { name: row.get(0)?, stories: row.get(1)? });
        Ok(())
    })?;
    Ok(counts)
}
