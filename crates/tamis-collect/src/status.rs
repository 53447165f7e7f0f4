//! `collect status`: results, queue and obstacles of each host.

use tamis_corpus::{Corpus, params};

use crate::error::Error;

/// The state of a host.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HostStatus {
    /// The host.
    pub host: String,
    /// Pages fetched.
    pub pages: u64,
    /// Stories stored.
    pub stories: u64,
    /// Visits that failed.
    pub errors: u64,
    /// Queued URLs, revisits included.
    pub queued: u64,
    /// When the next one is due, in milliseconds since 1970.
    pub next_due: Option<i64>,
    /// The last pause between requests, in milliseconds.
    pub delay: i64,
    /// Pages fetched within the last hour.
    pub last_hour: u64,
    /// The worker that has the host's lease.
    pub worker: Option<String>,
    /// Why requests are suspended.
    pub note: Option<String>,
    /// Why the host was closed.
    pub closed: Option<String>,
    /// Whether its address is private.
    pub private: bool,
    /// URL patterns closed as traps.
    pub traps: Vec<String>,
}

/// The state of all hosts, those with the most stories first.
pub fn hosts(corpus: &mut Corpus, now: i64) -> Result<Vec<HostStatus>, Error> {
    Ok(corpus.read(|tx| {
        let rows = tx.query(
            "SELECT host.id, name, pages, stories, errors, coalesce(queued, 0), due, delay,
                 CASE WHEN lease_until > $1 THEN lease_owner END, CASE WHEN next_request > $1 THEN note END, closed,
                 next_request, coalesce(recent, 0), private
             FROM host
             LEFT JOIN (SELECT host_id, count(*) AS queued, min(due) AS due FROM url WHERE due IS NOT NULL
                 GROUP BY host_id) AS queue ON queue.host_id = host.id
             LEFT JOIN (SELECT host_id, count(*) AS recent FROM visit JOIN url ON url.id = visit.url_id
                 WHERE visit.at > $2 AND visit.status IS NOT NULL GROUP BY host_id) AS visits
                 ON visits.host_id = host.id
             ORDER BY stories DESC, pages DESC, name",
            params![now, now - 3_600_000],
        )?;
        let mut hosts = Vec::with_capacity(rows.len());
        for row in rows {
            let host_id: i64 = row.get(0)?;
            let traps = tx.query(
                "SELECT pattern FROM pattern WHERE host_id = $1 AND closed IS NOT NULL ORDER BY pattern LIMIT 20",
                params![host_id],
            )?;
            let count = |column| row.get::<i64>(column).map(|count| count.max(0) as u64);
            let next_request: i64 = row.get(11)?;
            hosts.push(HostStatus {
                host: row.get(1)?,
                pages: count(2)?,
                stories: count(3)?,
                errors: count(4)?,
                queued: count(5)?,
                next_due: row.get::<Option<i64>>(6)?.map(|due| due.max(next_request)),
                delay: row.get(7)?,
                worker: row.get(8)?,
                note: row.get(9)?,
                closed: row.get(10)?,
                last_hour: count(12)?,
                private: row.get(13)?,
                traps: traps.iter().map(|row| row.get(0)).collect::<Result<_, _>>()?,
            });
        }
        Ok(hosts)
    })?)
}
