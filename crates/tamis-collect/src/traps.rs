//! Crawler traps: calendars, endless parameters and the like generate endless URLs without new content.
//!
//! The URLs of a host are counted by pattern. A pattern whose last visits all found nothing new is closed: its URLs are
//! neither visited nor added any more, and `collect status` shows it.

use std::collections::HashSet;

use tamis_corpus::database::Transaction;
use tamis_corpus::{Error, params};

use crate::urls;

/// Counts a first visit. Returns the pattern if this visit closed it.
pub(crate) fn count(
    tx: &mut Transaction<'_>,
    host_id: i64,
    url: &str,
    barren: bool,
    limit: u32,
    now: i64,
) -> Result<Option<String>, Error> {
    let Some(url) = urls::parse(url) else { return Ok(None) };
    let pattern = urls::pattern(&url);
    let row = tx.query_first(
        "INSERT INTO pattern (host_id, pattern, fetched, barren) VALUES ($1, $2, 1, $3)
         ON CONFLICT (host_id, pattern) DO UPDATE SET fetched = pattern.fetched + 1,
             barren = CASE WHEN $3 = 0 THEN 0 ELSE pattern.barren + 1 END
         RETURNING barren, closed",
        params![host_id, &pattern, i64::from(barren)],
    )?;
    let Some(row) = row else { return Ok(None) };
    if row.get::<i64>(0)? < i64::from(limit) || row.get::<Option<i64>>(1)?.is_some() {
        return Ok(None);
    }
    tx.execute(
        "UPDATE pattern SET closed = $1 WHERE host_id = $2 AND pattern = $3",
        params![now, host_id, &pattern],
    )?;
    Ok(Some(pattern))
}

/// The closed patterns of a host.
pub(crate) fn closed(tx: &mut Transaction<'_>, host_id: i64) -> Result<HashSet<String>, Error> {
    let rows =
        tx.query("SELECT pattern FROM pattern WHERE host_id = $1 AND closed IS NOT NULL", params![host_id])?;
    rows.iter().map(|row| row.get(0)).collect()
}
