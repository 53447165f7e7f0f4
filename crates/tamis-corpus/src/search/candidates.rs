//! Finds and scores the newest matches, up to the number that is ranked.
//!
//! Filters and phrases are tested on the newest matches of the words; all matches are tested only if too few of these
//! pass.

use super::MAX_CANDIDATES;
use super::query::Parsed;
use crate::database::{Dialect, Param, Transaction};
use crate::error::Error;
use crate::filter::Conditions;

/// Number of newest matches of the words that are tested first.
const WINDOW: usize = 1000;
/// Filters that match at most this many stories are evaluated before the words.
const NARROW: usize = 3000;
/// Number of newest rows used to estimate the frequency of matches, and of matches among them that count as frequent.
const PROBE: i64 = 200;
const FREQUENT: i64 = 60;

pub(super) struct Candidate {
    pub(super) id: i64,
    /// The group of near-duplicates, or else the story itself.
    pub(super) group: i64,
    pub(super) time: i64,
    pub(super) score: f64,
}

pub(super) fn find(
    tx: &mut Transaction<'_>,
    parsed: &Parsed,
    conditions: &Conditions,
    wanted: usize,
) -> Result<Vec<Candidate>, Error> {
    match tx.dialect() {
        Dialect::Sqlite => sqlite(tx, parsed, conditions, wanted),
        Dialect::Postgres => postgres(tx, parsed, conditions, wanted),
    }
}

fn sqlite(
    tx: &mut Transaction<'_>,
    parsed: &Parsed,
    conditions: &Conditions,
    wanted: usize,
) -> Result<Vec<Candidate>, Error> {
    let Some(expression) = parsed.fts5() else { return Ok(Vec::new()) };
    let window = if conditions.is_empty() { MAX_CANDIDATES } else { WINDOW };
    // FTS5 returns matches by descending id and stops at the limit.
    let mut sql = format!(
        "SELECT s.id, s.group_id, coalesce(s.published_at, s.fetched), f.score
        FROM (SELECT rowid AS id, -bm25(story_search, 5.0, 1.0) AS score FROM story_search
            WHERE story_search MATCH $1 ORDER BY rowid DESC LIMIT {window}) f
        CROSS JOIN story s ON s.id = f.id WHERE 1 = 1"
    );
    let mut parameters: Vec<Param<'_>> = vec![Param::Text(&expression)];
    conditions.append(&mut sql, &mut parameters);
    sql.push_str(&format!(" LIMIT {MAX_CANDIDATES}"));
    let found = load(tx, &sql, &parameters)?;
    if found.len() >= wanted || conditions.is_empty() {
        return Ok(found);
    }
    // The unary plus prevents SQLite from running the query once per story that the filter matches.
    let mut sql =
        "SELECT s.id, s.group_id, coalesce(s.published_at, s.fetched), -bm25(story_search, 5.0, 1.0)
        FROM story_search CROSS JOIN story s ON s.id = story_search.rowid
        WHERE story_search MATCH $1 AND +story_search.rowid IN (SELECT s.id FROM story s WHERE 1 = 1"
            .to_owned();
    let mut parameters: Vec<Param<'_>> = vec![Param::Text(&expression)];
    conditions.append(&mut sql, &mut parameters);
    sql.push_str(&format!(") ORDER BY story_search.rowid DESC LIMIT {MAX_CANDIDATES}"));
    load(tx, &sql, &parameters)
}

/// Reading a tsvector takes some ten microseconds, which the planner does not account for. So the index alone finds the
/// matches of words, unless they are so frequent that a scan backwards from the newest story finds enough of them.
fn postgres(
    tx: &mut Transaction<'_>,
    parsed: &Parsed,
    conditions: &Conditions,
    wanted: usize,
) -> Result<Vec<Candidate>, Error> {
    let (Some(words), Some(exact)) = (parsed.words_tsquery(), parsed.tsquery()) else {
        return Ok(Vec::new());
    };
    let narrowed = !conditions.is_empty() || parsed.needs_recheck();
    let window = if narrowed { WINDOW } else { MAX_CANDIDATES };
    let test = "words @@ $1::text::tsquery AND words @@ $2::text::tsquery";
    let probe = format!(
        "SELECT count(*) FROM (SELECT words FROM story_search ORDER BY story_id DESC, chunk DESC LIMIT {PROBE}) newest
        WHERE {test}"
    );
    let both = [Param::Text(&words), Param::Text(&exact)];
    let frequent = tx.query_value::<i64>(&probe, &both)? >= FREQUENT;
    let (setting, test, parameters) = match frequent {
        true => ("enable_bitmapscan", test, &both[..]),
        false => ("enable_indexscan", "words @@ $1::text::tsquery", &both[..1]),
    };
    // Plans made with the other setting must not be reused.
    tx.execute_script(&format!(
        "SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL enable_seqscan = off; SET LOCAL {setting} = off"
    ))?;
    let sql = format!(
        "SELECT story_id, chunk FROM story_search WHERE {test} ORDER BY story_id DESC, chunk DESC LIMIT {window}"
    );
    let newest = tx.query(&sql, parameters)?;
    tx.execute_script(&format!("SET LOCAL {setting} = on"))?;
    let (mut ids, mut chunks) = (Vec::with_capacity(newest.len()), Vec::with_capacity(newest.len()));
    for row in &newest {
        ids.push(row.get::<i64>(0)?);
        chunks.push(row.get::<i64>(1)?);
    }
    let (ids, chunks) = (array(&ids), array(&chunks));
    let tables = "unnest($2::text::bigint[], $3::text::integer[]) AS w (story_id, chunk)
        CROSS JOIN LATERAL (SELECT * FROM story_search x WHERE x.story_id = w.story_id AND x.chunk = w.chunk OFFSET 0) f";
    let parameters = vec![Param::Text(&exact), Param::Text(&ids), Param::Text(&chunks)];
    let matched = !parsed.needs_recheck() || (frequent && parsed.excluded_tsquery().is_none());
    let found = ranked(tx, tables, matched, parsed, conditions, parameters)?;
    if found.len() >= wanted || newest.len() < window || !narrowed {
        return Ok(found);
    }
    let mut sql = "SELECT s.id FROM story s WHERE 1 = 1".to_owned();
    let mut parameters = Vec::new();
    conditions.append(&mut sql, &mut parameters);
    sql.push_str(&format!(" LIMIT {}", NARROW + 1));
    let admitted = tx.query(&sql, &parameters)?;
    if admitted.len() <= NARROW {
        let ids = array(&admitted.iter().map(|row| row.get(0)).collect::<Result<Vec<i64>, Error>>()?);
        let tables = "unnest($2::text::bigint[]) AS w (story_id)
            CROSS JOIN LATERAL (SELECT * FROM story_search x WHERE x.story_id = w.story_id OFFSET 0) f";
        return ranked(tx, tables, false, parsed, conditions, vec![Param::Text(&exact), Param::Text(&ids)]);
    }
    let tables = "(SELECT * FROM story_search WHERE words @@ $2::text::tsquery) f";
    ranked(
        tx,
        tables,
        !parsed.needs_recheck(),
        parsed,
        conditions,
        vec![Param::Text(&exact), Param::Text(&words)],
    )
}

/// Scores the rows `f` of `tables` that match `$1`. If they are `matched` already, `$1` is not tested again, since that
/// would read every tsvector a second time.
fn ranked<'a>(
    tx: &mut Transaction<'_>,
    tables: &str,
    matched: bool,
    parsed: &Parsed,
    conditions: &'a Conditions,
    mut parameters: Vec<Param<'a>>,
) -> Result<Vec<Candidate>, Error> {
    // Words contain no quotes, so they cannot close the literal.
    let excluded = parsed.excluded_tsquery().map(|query| format!("'{}'::tsquery", query.replace('\'', "''")));
    // IS TRUE prevents the use of the index on words, and OFFSET 0 above prevents the planner from testing every row
    // before the join; it would do either because it expects few matches.
    let mut test = match &excluded {
        _ if matched => "TRUE".to_owned(),
        Some(excluded) => format!("(f.words @@ ($1::text::tsquery && !! {excluded})) IS TRUE"),
        None => "(f.words @@ $1::text::tsquery) IS TRUE".to_owned(),
    };
    if let Some(excluded) = &excluded {
        // No other chunk may contain it either. A count, since NOT EXISTS would become a join that reads all rows.
        test += &format!(
            " AND (SELECT count(*) FROM story_search x WHERE x.story_id = f.story_id AND x.chunk <> f.chunk
            AND (x.words @@ {excluded}) IS TRUE) = 0"
        );
    }
    let mut sql = format!(
        "SELECT s.id, s.group_id, coalesce(s.published_at, s.fetched), ts_rank(f.words, $1::text::tsquery, 1)
        FROM {tables} JOIN story s ON s.id = f.story_id WHERE {test}"
    );
    conditions.append(&mut sql, &mut parameters);
    sql.push_str(&format!(" ORDER BY s.id DESC LIMIT {MAX_CANDIDATES}"));
    load(tx, &sql, &parameters)
}

/// An array literal.
fn array(numbers: &[i64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    format!("{{{}}}", numbers.join(","))
}

fn load(tx: &mut Transaction<'_>, sql: &str, parameters: &[Param<'_>]) -> Result<Vec<Candidate>, Error> {
    let mut candidates = Vec::new();
    tx.for_each(sql, parameters, |row| {
        let id = row.get(0)?;
        let group: Option<i64> = row.get(1)?;
        candidates.push(Candidate { id, group: group.unwrap_or(id), time: row.get(2)?, score: row.get(3)? });
        Ok(())
    })?;
    Ok(candidates)
}
