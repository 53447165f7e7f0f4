//! Full-text search over titles and texts, with filters, on both databases.
//!
//! Of all matches, the [`MAX_CANDIDATES`] stories that were stored last are ranked. A word that most stories have would
//! otherwise cost a score for each of them, and nobody reads that far.

mod index;
mod query;
mod snippet;

use std::collections::HashSet;

use serde::Serialize;

pub use index::{index, unindex};
pub use snippet::Snippet;

use crate::database::{Dialect, Param, Transaction};
use crate::error::Error;
use crate::filter::{Conditions, Filter};
use crate::params;
use query::{Parsed, Term};

/// How many matches are ranked, newest first.
pub const MAX_CANDIDATES: usize = 1000;
/// How many of the newest matches of the words are tried first, before filters and the order of phrases count.
const WINDOW: usize = 2000;
/// Characters of a text in which the words of a snippet are looked for.
const SNIPPET_SEARCH: i64 = 50_000;

/// What to search for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// Words are ANDed; `"a phrase"`, `-excluded`, `prefix*` and `OR` between neighbours. Any text is a valid query; one
    /// without a word to look for finds nothing.
    pub text: String,
    /// Which stories to search.
    pub filter: Filter,
    /// Whether only the best hit of a group of near-duplicates is returned. Default: yes.
    pub group_duplicates: bool,
    /// The order of hits.
    pub sort: Sort,
    /// How many hits to return.
    pub limit: usize,
    /// How many hits to skip.
    pub offset: usize,
}

/// The order of hits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sort {
    /// Best first; words in titles count more.
    #[default]
    Relevance,
    /// Newest first, by the time of publication or else of fetching.
    Newest,
}

impl Query {
    /// A query without filters for the 20 best hits.
    pub fn new(text: impl Into<String>) -> Query {
        Query {
            text: text.into(),
            filter: Filter::default(),
            group_duplicates: true,
            sort: Sort::default(),
            limit: 20,
            offset: 0,
        }
    }
}

/// A story that was found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Hit {
    /// The story's id.
    pub id: i64,
    /// Its URL.
    pub url: String,
    /// Its title.
    pub title: Option<String>,
    /// Its host.
    pub host: String,
    /// The outlet, as the page or its site names it.
    pub source: Option<String>,
    /// When it was published, as precisely as the page says.
    pub published: Option<String>,
    /// Its language.
    pub language: Option<String>,
    /// How well it matches. Scores compare within one result only.
    pub score: f64,
    /// Where the words occur.
    pub snippet: Snippet,
    /// How many other stories are near-duplicates of it.
    pub duplicates: u32,
}

struct Candidate {
    id: i64,
    group: i64,
    time: i64,
    score: f64,
}

/// The stories that match, in order.
pub fn search(tx: &mut Transaction<'_>, query: &Query) -> Result<Vec<Hit>, Error> {
    let parsed = Parsed::new(&query.text);
    let conditions = Conditions::new(&query.filter);
    let wanted = query.limit.saturating_add(query.offset).min(MAX_CANDIDATES);
    let mut candidates = find_candidates(tx, &parsed, &conditions, wanted)?;
    match query.sort {
        Sort::Relevance => candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.id.cmp(&a.id))),
        Sort::Newest => candidates.sort_by_key(|candidate| (-candidate.time, -candidate.id)),
    }
    // A long text has a candidate for each chunk.
    let (mut seen, mut groups) = (HashSet::new(), HashSet::new());
    candidates.retain(|candidate| {
        seen.insert(candidate.id) && (!query.group_duplicates || groups.insert(candidate.group))
    });
    let terms: Vec<&Term> = parsed.all.iter().flatten().collect();
    let page = candidates.iter().skip(query.offset).take(query.limit);
    page.filter_map(|candidate| load(tx, candidate, &terms).transpose()).collect()
}

/// Looks through the newest matches first, and through all only where too few of those pass.
fn find_candidates(
    tx: &mut Transaction<'_>,
    parsed: &Parsed,
    conditions: &Conditions,
    wanted: usize,
) -> Result<Vec<Candidate>, Error> {
    let dialect = tx.dialect();
    let (words, exact) = match dialect {
        Dialect::Sqlite => (parsed.fts5(), parsed.fts5()),
        Dialect::Postgres => (parsed.words_tsquery(), parsed.tsquery()),
    };
    let (Some(words), Some(exact)) = (words, exact) else { return Ok(Vec::new()) };
    let excluded = parsed.excluded_tsquery();
    if dialect == Dialect::Postgres {
        // The planner takes the test of a tsvector for cheap and would rather walk back from the newest story.
        tx.execute_script("SET LOCAL enable_indexscan = off; SET LOCAL enable_seqscan = off")?;
    }
    // The index alone answers the first step: it hands out matches of words by descending id.
    let mut sql = match dialect {
        Dialect::Sqlite => format!(
            "SELECT s.id, s.group_id, coalesce(s.published_at, s.fetched), f.score
            FROM (SELECT rowid AS id, -bm25(story_search, 5.0, 1.0) AS score FROM story_search
                WHERE story_search MATCH $1 ORDER BY rowid DESC LIMIT {WINDOW}) f
            CROSS JOIN story s ON s.id = f.id WHERE $1 = $2"
        ),
        Dialect::Postgres => format!(
            "SELECT s.id, s.group_id, coalesce(s.published_at, s.fetched), ts_rank(f.words, $2::text::tsquery, 1)
            FROM (SELECT story_id, chunk FROM story_search WHERE words @@ $1::text::tsquery
                ORDER BY story_id DESC, chunk DESC LIMIT {WINDOW}) w
            JOIN story_search f ON f.story_id = w.story_id AND f.chunk = w.chunk JOIN story s ON s.id = w.story_id
            WHERE f.words @@ $2::text::tsquery"
        ),
    };
    let mut parameters: Vec<Param<'_>> = vec![Param::Text(&words), Param::Text(&exact)];
    exclude(dialect, &excluded, &mut sql, &mut parameters);
    conditions.append(&mut sql, &mut parameters);
    sql.push_str(&format!(" ORDER BY s.id DESC LIMIT {MAX_CANDIDATES}"));
    let mut found = candidates(tx, &sql, &parameters)?;
    let narrowed = !conditions.is_empty() || (dialect == Dialect::Postgres && parsed.needs_recheck());
    if found.len() >= wanted || !narrowed {
        return Ok(found);
    }
    let mut sql = match dialect {
        // The plus keeps SQLite from running the query once for each story that the filter admits.
        Dialect::Sqlite => "SELECT s.id, s.group_id, coalesce(s.published_at, s.fetched), -bm25(story_search, 5.0, 1.0)
            FROM story_search CROSS JOIN story s ON s.id = story_search.rowid
            WHERE story_search MATCH $1 AND $1 = $2 AND +story_search.rowid IN (SELECT s.id FROM story s WHERE 1 = 1"
            .to_owned(),
        Dialect::Postgres => "SELECT s.id, s.group_id, coalesce(s.published_at, s.fetched),
                ts_rank(f.words, $2::text::tsquery, 1)
            FROM story_search f JOIN story s ON s.id = f.story_id
            WHERE f.words @@ $1::text::tsquery AND f.words @@ $2::text::tsquery"
            .to_owned(),
    };
    let mut parameters: Vec<Param<'_>> = vec![Param::Text(&words), Param::Text(&exact)];
    exclude(dialect, &excluded, &mut sql, &mut parameters);
    conditions.append(&mut sql, &mut parameters);
    let (close, id) = if dialect == Dialect::Sqlite { (")", "story_search.rowid") } else { ("", "s.id") };
    sql.push_str(&format!("{close} ORDER BY {id} DESC LIMIT {MAX_CANDIDATES}"));
    found = candidates(tx, &sql, &parameters)?;
    Ok(found)
}

/// PostgreSQL looks for excluded words in all chunks of a text; FTS5 has them in its expression.
fn exclude<'a>(
    dialect: Dialect,
    excluded: &'a Option<String>,
    sql: &mut String,
    parameters: &mut Vec<Param<'a>>,
) {
    if let Some(excluded) = excluded.as_deref().filter(|_| dialect == Dialect::Postgres) {
        parameters.push(Param::Text(excluded));
        sql.push_str(
            " AND NOT EXISTS (SELECT 1 FROM story_search x WHERE x.story_id = s.id AND x.words @@ $3::text::tsquery)",
        );
    }
}

fn candidates(
    tx: &mut Transaction<'_>,
    sql: &str,
    parameters: &[Param<'_>],
) -> Result<Vec<Candidate>, Error> {
    let mut candidates = Vec::new();
    tx.for_each(sql, parameters, |row| {
        let id = row.get(0)?;
        let group: Option<i64> = row.get(1)?;
        candidates.push(Candidate {
            id,
            group: group.unwrap_or(id),
            time: row.get(2)?,
            score: row.get(3)?,
        });
        Ok(())
    })?;
    Ok(candidates)
}

fn load(tx: &mut Transaction<'_>, candidate: &Candidate, terms: &[&Term]) -> Result<Option<Hit>, Error> {
    let sql = "SELECT s.url, s.title, s.host, coalesce(s.source, s.site_name), s.published, s.language,
            substr(s.text, 1, CAST($2 AS INTEGER)), (SELECT count(*) FROM story g WHERE g.group_id = s.group_id)
        FROM story s WHERE s.id = $1";
    let Some(mut row) = tx.query_first(sql, params![candidate.id, SNIPPET_SEARCH])? else { return Ok(None) };
    let text: String = row.take(6)?;
    let group: u32 = row.get(7)?;
    Ok(Some(Hit {
        id: candidate.id,
        url: row.take(0)?,
        title: row.take(1)?,
        host: row.take(2)?,
        source: row.take(3)?,
        published: row.take(4)?,
        language: row.take(5)?,
        score: candidate.score,
        snippet: Snippet::new(&text, terms),
        duplicates: group.saturating_sub(1),
    }))
}

#[cfg(test)]
mod tests;
