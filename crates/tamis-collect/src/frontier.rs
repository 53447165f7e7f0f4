//! The frontier: which URLs are known, which are due, and who works on which host.
//!
//! Everything is in the database. A worker leases a host, and only its owner changes what belongs to the host; a lease
//! that is not renewed expires. The rate limit of a host is part of its row, so it holds across restarts and workers.

use tamis_corpus::Error;
use tamis_corpus::database::{Dialect, Param, Row, Transaction};
use tamis_corpus::params;

/// What a URL is expected to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A page that the user named: its links are followed.
    Seed,
    /// A linked page: its page type decides.
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

/// Priority of pages that were stored before.
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
    /// The user named it: a page, or a feed or sitemap as it turned out.
    pub(crate) fn is_seed(&self) -> bool {
        self.depth == 0 && matches!(self.kind, Kind::Seed | Kind::Feed | Kind::Sitemap)
    }
}

/// A host that this worker may fetch from.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Lease {
    pub(crate) host_id: i64,
    pub(crate) host: String,
    pub(crate) next_request: i64,
    pub(crate) failures: u32,
    pub(crate) pages: u64,
    pub(crate) urls: u64,
}

/// Which URLs are due: those whose time has come. A run that does not watch leaves out revisits that became due after
/// it began, so that it visits a page once and ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Horizon {
    pub(crate) now: i64,
    pub(crate) revisits: i64,
    /// Hosts with private addresses count, too.
    pub(crate) private: bool,
}

/// `$n` is now and `$n+1` the horizon of revisits.
fn due_condition(alias: &str, n: usize) -> String {
    let m = n + 1;
    format!(
        "{alias}.due <= ${n} AND ({alias}.fetched IS NULL OR {alias}.failures > 0 OR {alias}.due <= ${m})"
    )
}

/// Takes over hosts that have due URLs and may be asked now.
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

/// Takes over one host by its name, whether anything of it is due or not; `None` if another worker has it.
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
        // The last owner ended without releasing the host: it may have sent a request just now.
        lease.next_request = lease.next_request.max(now + row.get::<i64>(7)?.max(pause));
    }
    tx.execute(
        "UPDATE host SET lease_owner = $1, lease_until = $2, next_request = $3 WHERE id = $4",
        params![owner, until, lease.next_request, lease.host_id],
    )?;
    Ok(lease)
}

/// Prolongs the leases of an owner.
pub(crate) fn renew_leases(tx: &mut Transaction<'_>, owner: &str, now: i64, until: i64) -> Result<(), Error> {
    tx.execute(
        "UPDATE host SET lease_until = $1 WHERE lease_owner = $2 AND lease_until > $3",
        params![until, owner, now],
    )?;
    Ok(())
}

/// Gives a host back.
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

/// Ends all leases: of a file that only one process collects into, those that are left are of a process that died.
pub(crate) fn expire_leases(tx: &mut Transaction<'_>) -> Result<(), Error> {
    // The owner stays, so that the next one knows that the host was not released.
    tx.execute("UPDATE host SET lease_until = 0 WHERE lease_until IS NOT NULL", &[])?;
    Ok(())
}

/// The URLs of a host that are to be visited next.
pub(crate) fn next_urls(
    tx: &mut Transaction<'_>,
    host_id: i64,
    horizon: Horizon,
    limit: usize,
) -> Result<Vec<Due>, Error> {
    // One search per priority: each uses the index, independent of what is due later.
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

/// A URL that is not visited, and why; looked at again at the time given, if ever.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Refusal {
    pub(crate) id: i64,
    pub(crate) reason: String,
    pub(crate) until: Option<i64>,
}

/// Takes URLs out of the queue without visits, many at once: traps and robots.txt refuse thousands.
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
    /// When the page says it changed: a page that was fetched before is visited again.
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
    // In one order for all workers: transactions that insert the same URLs then cannot wait for each other in a circle.
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
        // Known as a plain page, but not visited yet: now it is known to belong to a story.
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
    // A time in the future is a mistake, and would make the page due for ever.
    for found in found.iter().filter(|found| found.changed.is_some_and(|changed| changed <= now)) {
        tx.execute(
            "UPDATE url SET due = $1 WHERE url = $2 AND fetched < $3 AND (due IS NULL OR due > $1)",
            params![now, &found.url, found.changed],
        )?;
    }
    Ok(new)
}

/// The ids of hosts, in the order of their names; those that are not known are added.
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

/// What is left to do when no host can be leased.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Outlook {
    /// The earliest time at which a URL may be visited.
    pub(crate) next: Option<i64>,
    /// Another worker has hosts.
    pub(crate) others: bool,
}

/// Looks for what becomes due until `until`.
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
