//! Lists stories without a query, newest first, with pagination.

use super::{Candidate, Hit, load};
use crate::database::{Param, Transaction};
use crate::error::Error;
use crate::filter::{Conditions, Filter};

/// A pagination cursor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// Publication time, or else fetch time, in milliseconds since 1970.
    pub time: i64,
    /// The story.
    pub id: i64,
}

/// The newest stories that match a filter, after the cursor `after`, and the cursor of the last one. Their snippets are
/// the beginnings of their texts.
pub fn newest(
    tx: &mut Transaction<'_>,
    filter: &Filter,
    after: Option<Position>,
    limit: usize,
) -> Result<(Vec<Hit>, Option<Position>), Error> {
    let conditions = Conditions::new(filter);
    let mut sql =
        "SELECT s.id, s.group_id, coalesce(s.published_at, s.fetched) FROM story s WHERE 1 = 1".to_owned();
    let mut parameters = Vec::new();
    conditions.append(&mut sql, &mut parameters);
    if let Some(Position { time, id }) = after {
        parameters.extend([Param::Integer(time), Param::Integer(id)]);
        let (time, id) = (parameters.len() - 1, parameters.len());
        sql.push_str(&format!(
            " AND (coalesce(s.published_at, s.fetched) < ${time}
            OR (coalesce(s.published_at, s.fetched) = ${time} AND s.id < ${id}))"
        ));
    }
    sql.push_str(&format!(" ORDER BY 3 DESC, 1 DESC LIMIT {limit}"));
    let mut candidates = Vec::new();
    tx.for_each(&sql, &parameters, |row| {
        let id = row.get(0)?;
        let group: Option<i64> = row.get(1)?;
        candidates.push(Candidate { id, group: group.unwrap_or(id), time: row.get(2)?, score: 0.0 });
        Ok(())
    })?;
    let last = candidates.last().map(|last| Position { time: last.time, id: last.id });
    let hits = candidates.iter().filter_map(|candidate| load(tx, candidate, &[]).transpose());
    Ok((hits.collect::<Result<_, _>>()?, last))
}
