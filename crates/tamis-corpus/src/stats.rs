//! Counts of a corpus.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::database::{Dialect, Row, Transaction};
use crate::error::Error;
use crate::filter::{Conditions, Filter};
use crate::params;

/// Number of days with separate counts.
const DAYS: i64 = 30;
const DAY: i64 = 86_400_000;
/// Most hosts listed.
const MAX_HOSTS: usize = 50;
/// Most rows of days and sources read for a timeline.
const MAX_DAY_ROWS: usize = 200_000;

/// Counts of a corpus.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stats {
    /// Stories.
    pub stories: i64,
    /// Earlier versions of stories.
    pub revisions: i64,
    /// Comments.
    pub comments: i64,
    /// Near-duplicates: the stories of all groups, minus one per group.
    pub duplicates: i64,
    /// Stored pages.
    pub raw_pages: i64,
    /// Size of the database on disk, in bytes.
    pub bytes: i64,
    /// Number of hosts.
    pub host_count: i64,
    /// The hosts with the most stories.
    pub hosts: Vec<Count>,
    /// Stories by language; `und` for unknown.
    pub languages: Vec<Count>,
    /// Stories by page type.
    pub page_types: Vec<Count>,
    /// Stories first fetched on each of the last 30 days (UTC), newest first.
    pub days: Vec<Count>,
}

/// The number of stories with a property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Count {
    /// The value of the property.
    pub name: String,
    /// Their number.
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

/// Most sources with separate counts in a timeline.
const MAX_SOURCES: usize = 8;

/// Stories by day and source, and the values to filter by.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Timeline {
    /// Number of stories.
    pub stories: i64,
    /// The sources with the most stories; the last count of each day is for all others.
    pub sources: Vec<Count>,
    /// Days (UTC) with a story, oldest first.
    pub days: Vec<Day>,
    /// Stories by language; `und` for unknown.
    pub languages: Vec<Count>,
    /// Stories by page type.
    pub page_types: Vec<Count>,
}

/// The stories of a day.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Day {
    /// Such as `2026-11-01`.
    pub day: String,
    /// One count per source of the timeline, and one for all others.
    pub stories: Vec<i64>,
}

/// Counts the stories that match a filter, by day of publication, or else of fetching.
pub fn timeline(tx: &mut Transaction<'_>, filter: &Filter) -> Result<Timeline, Error> {
    let conditions = Conditions::new(filter);
    let mut by = |columns: &str, order: &str, limit: usize| -> Result<Vec<Row>, Error> {
        let mut sql = format!("SELECT {columns}, count(*) FROM story s WHERE 1 = 1");
        let mut parameters = Vec::new();
        conditions.append(&mut sql, &mut parameters);
        sql.push_str(&format!(" GROUP BY {order} LIMIT {limit}"));
        tx.query(&sql, &parameters)
    };
    let counts = |rows: Vec<Row>| -> Result<Vec<Count>, Error> {
        rows.into_iter().map(|row| Ok(Count { name: row.get(0)?, stories: row.get(1)? })).collect()
    };
    let most = "1 ORDER BY 2 DESC, 1";
    let source = "coalesce(s.source, s.site_name, s.host)";
    let sources = counts(by(source, most, MAX_SOURCES)?)?;
    let languages = counts(by("coalesce(s.language, 'und')", most, MAX_HOSTS)?)?;
    let page_types = counts(by("coalesce(s.page_type, 'unknown')", most, MAX_HOSTS)?)?;
    let time = "coalesce(s.published_at, s.fetched)";
    // Division rounds towards zero in both databases, also before 1970.
    let day = format!("({time} - (({time} % {DAY}) + {DAY}) % {DAY}) / {DAY}");
    let mut days: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for row in by(&format!("{day}, {source}"), "1, 2 ORDER BY 1", MAX_DAY_ROWS)? {
        let (day, name, count): (i64, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let place = sources.iter().position(|source| source.name == name).unwrap_or(sources.len());
        days.entry(day).or_insert_with(|| vec![0; sources.len() + 1])[place] += count;
    }
    let named = |(day, stories): (i64, Vec<i64>)| {
        let day = crate::story::rfc3339(day.saturating_mul(DAY)).chars().take(10).collect();
        Day { day, stories }
    };
    let days: Vec<Day> = days.into_iter().map(named).collect();
    let stories = days.iter().flat_map(|day| &day.stories).sum();
    Ok(Timeline { stories, sources, days, languages, page_types })
}

fn counts(tx: &mut Transaction<'_>, sql: &str) -> Result<Vec<Count>, Error> {
    let mut counts = Vec::new();
    tx.for_each(sql, &[], |row| {
        counts.push(Count { name: row.get(0)?, stories: row.get(1)? });
        Ok(())
    })?;
    Ok(counts)
}
