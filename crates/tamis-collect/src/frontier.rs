//! The frontier: known URLs, their due times, and the leases of hosts.
//!
//! All of it is in the database. A worker leases a host, and only the lease's owner changes the host's rows; a lease
//! that is not renewed expires. A host's rate limit is in its row, so it applies across restarts and workers.

use tamis_corpus::Error;
use tamis_corpus::database::{Dialect, Param, Row, Transaction};
use tamis_corpus::params;

/// What a URL is expected to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A page that the user named: its links are followed.
    Seed,
    /// A linked page, handled by its page type.
    Page,
    /// A page that a feed or a news sitemap announces as a story.
    Story,
    /// A feed.
    Feed,
    /// A sitemap.
    Sitemap,
    /// A further part of a story.
    Part,
    /// A page with the comments of a story.
    Comments,
}

impl Kind {
    const ALL: [Kind; 7] =
        [Kind::Seed, Kind::Page, Kind::Story, Kind::Feed, Kind::Sitemap, Kind::Part, Kind::Comments];

    /// The name in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Seed => "seed",
            Kind::Page => "page",
            Kind::Story => "story",
            Kind::Feed => "feed",
            Kind::Sitemap => "sitemap",
            Kind::Part => "part",
            Kind::Comments => "comments",
        }
    }

    fn named(name: &str) -> Kind {
        Kind::ALL.into_iter().find(|kind| kind.name() == name).unwrap_or(Kind::Page)
    }

    /// Lower numbers are visited first.
    pub(crate) fn priority(self) -> i64 {
        match self {
            Kind::Seed | Kind::Feed | Kind::Sitemap => 0,
            Kind::Part | Kind::Comments => 1,
            Kind::Page | Kind::Story => 2,
        }
    }
}

/// Priority of revisits.
pub(crate) const REVISIT: i64 = 3;
const PRIORITIES: [i64; 4] = [0, 1, 2, REVISIT];

/// A URL that is due.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Due {
    pub(crate) id: i64,
    pub(crate) url: String,
    pub(crate) kind: Kind,
    pub(crate) depth: u32,
    pub(crate) redirects: u32,
    pub(crate) story_id: Option<i64>,
    pub(crate) part: Option<u32>,
    pub(crate) fetched: Option<i64>,
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
    pub(crate) digest: Option<i64>,
    pub(crate) wait: Option<i64>,
    pub(crate) failures: u32,
}

impl Due {
    /// Whether the user added it, as a page, feed or sitemap.
    pub(crate) fn is_seed(&self) -> bool {
        self.depth == 0 && matches!(self.kind, Kind::Seed | Kind::Feed | Kind::Sitemap)
    }
}

/// A host leased by this worker.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Lease {
    pub(crate) host_id: i64,
    pub(crate) host: String,
    pub(crate) next_request: i64,
    pub(crate) failures: u32,
    pub(crate) pages: u64,
    pub(crate) urls: u64,
}

/// Which URLs count as due. Without [`Settings::watch`](crate::Settings::watch), revisits that became due after the
/// start of the run do not, so that it visits each page once and ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Horizon {
    pub(crate) now: i64,
    pub(crate) revisits: i64,
    /// Include hosts with private addresses.
    pub(crate) private: bool,
}

/// SQL condition; `$n` is the current time and `$n+1` the limit for revisits.
fn due_condition(alias: &str, n: usize) -> String {
    let m = n + 1;
    format!(
        "{alias}.due <= ${n} AND ({alias}.fetched IS NULL OR {alias}.failures > 0 OR {alias}.due <= ${m})"
    )
}

/// Leases hosts that have due URLs and whose rate limit permits a request now.
pub(crate) fn lease_hosts(
    tx: &mut Transaction<'_>,
    owner: &str,
    horizon: Horizon,
    until: i64,
    pause: i64,
    limit: usize,
) -> Result<Vec<Lease>, Error> {
    let due = PRIORITIES.map(|priority| {
        let due = due_condition("u", 1);
        format!(
            "EXISTS (SELECT 1 FROM url u WHERE u.host_id = host.id AND u.priority = {priority} AND {due})"
        )
    });
    let lock = if tx.dialect() == Dialect::Postgres { "FOR NO KEY UPDATE SKIP LOCKED" } else { "" };
    let sql = format!(
        "SELECT {LEASE_COLUMNS} FROM host WHERE closed IS NULL AND (lease_until IS NULL OR lease_until <= $1)
         AND next_request <= $1 AND private <= $4 AND ({}) ORDER BY next_request, id LIMIT $3 {lock}",
        due.join(" OR ")
    );
    let parameters = params![horizon.now, horizon.revisits, limit as i64, i64::from(horizon.private)];
    let rows = tx.query(&sql, parameters)?;
    rows.iter().map(|row| take_lease(tx, row, owner, horizon.now, until, pause)).collect()
}

/// Leases one host by name, even if none of its URLs is due; `None` if another worker has it.
pub(crate) fn lease_host(
    tx: &mut Transaction<'_>,
    host: &str,
    owner: &str,
    now: i64,
    until: i64,
    pause: i64,
) -> Result<Option<Lease>, Error> {
    ensure_hosts(tx, &[host])?;
    let lock = if tx.dialect() == Dialect::Postgres { "FOR NO KEY UPDATE SKIP LOCKED" } else { "" };
    let sql = format!(
        "SELECT {LEASE_COLUMNS} FROM host WHERE name = $1 AND (lease_until IS NULL OR lease_until <= $2) {lock}"
    );
    let row = tx.query_first(&sql, params![host, now])?;
    row.map(|row| take_lease(tx, &row, owner, now, until, pause)).transpose()
}

const LEASE_COLUMNS: &str = "id, name, next_request, failures, pages, urls, lease_owner, delay";

fn take_lease(
    tx: &mut Transaction<'_>,
    row: &Row,
    owner: &str,
    now: i64,
    until: i64,
    pause: i64,
) -> Result<Lease, Error> {
    let mut lease = Lease {
        host_id: row.get(0)?,
        host: row.get(1)?,
        next_request: row.get(2)?,
        failures: row.get(3)?,
        pages: row.get::<i64>(4)?.max(0) as u64,
        urls: row.get::<i64>(5)?.max(0) as u64,
    };
    if row.get::<Option<String>>(6)?.is_some() {
        // The previous owner died without releasing the host, perhaps just after a request.
        lease.next_request = lease.next_request.max(now + row.get::<i64>(7)?.max(pause));
    }
    tx.execute(
        "UPDATE host SET lease_owner = $1, lease_until = $2, next_request = $3 WHERE id = $4",
        params![owner, until, lease.next_request, lease.host_id],
    )?;
    Ok(lease)
}

/// Renews the leases of an owner.
pub(crate) fn renew_leases(tx: &mut Transaction<'_>, owner: &str, now: i64, until: i64) -> Result<(), Error> {
    tx.execute(
        "UPDATE host SET lease_until = $1 WHERE lease_owner = $2 AND lease_until > $3",
        params![until, owner, now],
    )?;
    Ok(())
}

/// Releases a host.
pub(crate) fn release_host(
    tx: &mut Transaction<'_>,
    owner: &str,
    host_id: i64,
    next_request: i64,
) -> Result<(), Error> {
    tx.execute(
        "UPDATE host SET lease_owner = NULL, lease_until = NULL, next_request = $1
         WHERE id = $2 AND lease_owner = $3",
        params![next_request, host_id, owner],
    )?;
    Ok(())
}

/// Ends all leases. For SQLite files, which one process at a time collects into: any remaining lease is of a dead
/// process.
pub(crate) fn expire_leases(tx: &mut Transaction<'_>) -> Result<(), Error> {
    // The owner is kept, as a sign that the host was not released.
    tx.execute("UPDATE host SET lease_until = 0 WHERE lease_until IS NOT NULL", &[])?;
    Ok(())
}

/// The next due URLs of a host.
pub(crate) fn next_urls(
    tx: &mut Transaction<'_>,
    host_id: i64,
    horizon: Horizon,
    limit: usize,
) -> Result<Vec<Due>, Error> {
    // One query per priority, so that each uses the index and skips URLs that are due later.
    let searches = PRIORITIES.map(|priority| {
        let due = due_condition("url", 2);
        format!(
            "SELECT * FROM (SELECT {DUE_COLUMNS}, priority, due FROM url WHERE host_id = $1
             AND priority = {priority} AND {due} ORDER BY due, id LIMIT $4) AS p{priority}"
        )
    });
    let sql = format!("{} ORDER BY priority, due, id LIMIT $4", searches.join(" UNION ALL "));
    let rows = tx.query(&sql, params![host_id, horizon.now, horizon.revisits, limit as i64])?;
    rows.iter().map(due).collect()
}

const DUE_COLUMNS: &str =
    "id, url, kind, depth, redirects, story_id, part, fetched, etag, last_modified, digest, wait, failures";

fn due(row: &Row) -> Result<Due, Error> {
    Ok(Due {
        id: row.get(0)?,
        url: row.get(1)?,
        kind: Kind::named(&row.get::<String>(2)?),
        depth: row.get(3)?,
        redirects: row.get(4)?,
        story_id: row.get(5)?,
        part: row.get(6)?,
        fetched: row.get(7)?,
        etag: row.get(8)?,
        last_modified: row.get(9)?,
        digest: row.get(10)?,
        wait: row.get(11)?,
        failures: row.get(12)?,
    })
}

/// A URL that is not visited, the reason, and the time to reconsider it, if any.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Refusal {
    pub(crate) id: i64,
    pub(crate) reason: String,
    pub(crate) until: Option<i64>,
}

/// Removes URLs from the queue without visiting them; in bulk, since traps and robots.txt refuse thousands.
pub(crate) fn refuse(tx: &mut Transaction<'_>, refusals: &[Refusal]) -> Result<(), Error> {
    let alike = |one: &Refusal, other: &Refusal| (&one.reason, one.until) == (&other.reason, other.until);
    for group in refusals.chunk_by(alike) {
        let Refusal { reason, until, .. } = &group[0];
        let ids: Vec<String> = group.iter().map(|refusal| refusal.id.to_string()).collect();
        let sql = format!(
            "UPDATE url SET due = $1, outcome = $2, priority = {REVISIT} WHERE id IN ({})",
            ids.join(",")
        );
        tx.execute_once(&sql, params![*until, reason])?;
    }
    Ok(())
}

/// A URL that was discovered.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Found {
    pub(crate) url: String,
    pub(crate) host: String,
    pub(crate) kind: Kind,
    pub(crate) depth: u32,
    pub(crate) redirects: u32,
    pub(crate) story_id: Option<i64>,
    pub(crate) part: Option<u32>,
    /// Announced time of the last change; an already fetched page is then visited again.
    pub(crate) changed: Option<i64>,
}

/// A URL that was not known before.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Added {
    pub(crate) url: String,
    pub(crate) host_id: i64,
}

/// Adds URLs that are not known yet, and returns them.
pub(crate) fn add_urls(
    tx: &mut Transaction<'_>,
    found: &[Found],
    found_on: Option<i64>,
    now: i64,
) -> Result<Vec<Added>, Error> {
    if found.is_empty() {
        return Ok(Vec::new());
    }
    // The same order in all workers prevents deadlocks between transactions that insert the same URLs.
    let mut found: Vec<&Found> = found.iter().collect();
    found.sort_by(|one, other| one.url.cmp(&other.url));
    found.dedup_by(|one, other| one.url == other.url);
    let mut names: Vec<&str> = found.iter().map(|found| found.host.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let hosts = ensure_hosts(tx, &names)?;
    let mut parameters = Vec::with_capacity(found.len() * 11);
    for found in &found {
        let Ok(place) = names.binary_search(&found.host.as_str()) else { continue };
        parameters.extend([
            Param::from(found.url.as_str()),
            hosts[place].into(),
            found.kind.name().into(),
            found.kind.priority().into(),
            now.into(),
            found.depth.into(),
            found.redirects.into(),
            found_on.into(),
            now.into(),
            found.story_id.into(),
            found.part.into(),
        ]);
    }
    let rows = tx.insert_many_returning(
        "INSERT INTO url (url, host_id, kind, priority, due, depth, redirects, found_on, found, story_id, part)",
        11,
        "ON CONFLICT (url) DO NOTHING RETURNING url, host_id",
        &parameters,
    )?;
    let mut new = Vec::with_capacity(rows.len());
    for mut row in rows {
        new.push(Added { url: row.take(0)?, host_id: row.get(1)? });
    }
    for found in found.iter().filter(|found| found.story_id.is_some()) {
        // Not visited yet, and known as a plain page until now: it belongs to a story.
        tx.execute(
            "UPDATE url SET kind = $1, priority = $2, story_id = $3, part = $4
             WHERE url = $5 AND fetched IS NULL AND story_id IS NULL",
            params![found.kind.name(), found.kind.priority(), found.story_id, found.part, &found.url],
        )?;
    }
    for found in found.iter().filter(|found| found.kind == Kind::Story) {
        // Linked before it was announced: it is a story.
        tx.execute(
            "UPDATE url SET kind = $1, due = CASE WHEN fetched IS NULL THEN due ELSE $2 END, digest = NULL,
                 etag = NULL, last_modified = NULL
             WHERE url = $3 AND kind = $4 AND story_id IS NULL",
            params![Kind::Story.name(), now, &found.url, Kind::Page.name()],
        )?;
    }
    // A time in the future is an error, and would keep the page due for ever.
    for found in found.iter().filter(|found| found.changed.is_some_and(|changed| changed <= now)) {
        tx.execute(
            "UPDATE url SET due = $1 WHERE url = $2 AND fetched < $3 AND (due IS NULL OR due > $1)",
            params![now, &found.url, found.changed],
        )?;
    }
    Ok(new)
}

/// The ids of hosts, in the order of `names`; unknown hosts are added.
fn ensure_hosts(tx: &mut Transaction<'_>, names: &[&str]) -> Result<Vec<i64>, Error> {
    let mut ids = Vec::with_capacity(names.len());
    for name in names {
        let find = "SELECT id FROM host WHERE name = $1";
        let id = match tx.query_first(find, params![*name])? {
            Some(row) => row.get(0)?,
            None => {
                tx.execute(
                    "INSERT INTO host (name) VALUES ($1) ON CONFLICT (name) DO NOTHING",
                    params![*name],
                )?;
                tx.query_value(find, params![*name])?
            }
        };
        ids.push(id);
    }
    Ok(ids)
}

/// The remaining work if no host can be leased.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Outlook {
    /// The earliest time at which a URL may be visited.
    pub(crate) next: Option<i64>,
    /// Another worker has leases.
    pub(crate) others: bool,
}

/// Finds work that becomes due before `until`.
pub(crate) fn outlook(
    tx: &mut Transaction<'_>,
    owner: &str,
    horizon: Horizon,
    until: i64,
) -> Result<Outlook, Error> {
    let now = horizon.now;
    let earliest = PRIORITIES.map(|priority| {
        let due = due_condition("u", 1);
        format!(
            "SELECT (SELECT min(u.due) FROM url u WHERE u.host_id = host.id AND u.priority = {priority} AND {due}) AS due,
             next_request FROM host
             WHERE closed IS NULL AND private <= $4 AND (lease_until IS NULL OR lease_until <= $3)"
        )
    });
    let sql = format!(
        "SELECT min(CASE WHEN due > next_request THEN due ELSE next_request END) FROM ({}) AS earliest
         WHERE due IS NOT NULL",
        earliest.join(" UNION ALL ")
    );
    let next: Option<i64> =
        tx.query_value(&sql, params![until, horizon.revisits, now, i64::from(horizon.private)])?;
    let others: i64 = tx.query_value(
        "SELECT count(*) FROM host WHERE lease_until > $1 AND lease_owner <> $2",
        params![now, owner],
    )?;
    Ok(Outlook { next: next.filter(|next| *next <= until), others: others > 0 })
}
