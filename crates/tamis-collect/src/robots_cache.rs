//! Fetches and caches the robots.txt of an origin according to RFC 9309: cached for a day, redirects followed; while
//! the server fails, nothing may be fetched.

use std::sync::Arc;
use std::time::Duration;

use tamis_corpus::database::Transaction;
use tamis_corpus::params;
use tamis_fetch::{Accept, Request};
use url::Url;

use crate::error::Error;
use crate::frontier::{self, Found, Kind};
use crate::host::Host;
use crate::limiter::millis;
use crate::robots::Robots;
use crate::urls;

const LIFETIME: Duration = Duration::from_secs(24 * 3600);
/// Bytes read of a robots.txt.
const MAX_BYTES: u64 = 500 << 10;
const MAX_REDIRECTS: usize = 5;
/// Pause before an unreachable robots.txt is requested again, as a multiple of the pause before a retry.
const UNREACHABLE: u32 = 20;
/// Sitemaps used per robots.txt.
const MAX_SITEMAPS: usize = 100;

/// The verdict of robots.txt.
#[derive(Clone, Debug)]
pub(crate) enum Access {
    /// These rules apply until the given time.
    Rules { robots: Arc<Robots>, until: i64 },
    /// It could not be fetched, so nothing may be fetched until the given time.
    Unreachable { reason: String, until: i64 },
    /// The host resolves to a private address, which the settings do not allow.
    Private { reason: String },
    /// The lease was lost meanwhile.
    LeaseLost,
}

/// A response to the request for robots.txt; status 0 if there was none.
#[derive(Clone, Debug)]
struct Stored {
    status: u16,
    body: Vec<u8>,
    until: i64,
}

impl Stored {
    fn access(&self) -> Access {
        let until = self.until;
        match self.status {
            200..=299 => Access::Rules { robots: Arc::new(Robots::parse(&self.body)), until },
            // No robots.txt, or a refused request: no rules.
            300..=499 if self.status != 429 => Access::Rules { robots: Arc::new(Robots::allow_all()), until },
            0 => Access::Unreachable { reason: "robots.txt: no answer".to_owned(), until },
            status => Access::Unreachable { reason: format!("robots.txt: status {status}"), until },
        }
    }
}

/// The rules for a URL, from the corpus or from the server.
pub(crate) async fn access(host: &Host, url: &Url) -> Result<Access, Error> {
    let origin = urls::origin(url);
    let now = host.run.clock.now();
    let asked = origin.clone();
    let known = host.run.store.call(move |corpus| Ok(corpus.read(|tx| load(tx, &asked))?)).await?;
    if let Some(known) = known.filter(|known| known.until > now) {
        return Ok(known.access());
    }
    let Ok(first) = Url::parse(&format!("{origin}/robots.txt")) else {
        return Ok(Access::Unreachable { reason: "robots.txt: no address".to_owned(), until: now });
    };
    let (status, body) = match fetch(host, first).await? {
        Answer::Response(status, body) => (status, body),
        Answer::None => (0, Vec::new()),
        Answer::Private(reason) => return Ok(Access::Private { reason }),
    };
    let now = host.run.clock.now();
    let lifetime = match status {
        200..=499 if status != 429 => LIFETIME,
        _ => {
            let failures = host.failed();
            (host.run.settings.retry * UNREACHABLE).saturating_mul(1 << failures.min(10)).min(LIFETIME)
        }
    };
    let stored = Stored { status, body, until: now + millis(lifetime) };
    let access = stored.access();
    let mut sitemaps = Vec::new();
    if let Access::Rules { robots, .. } = &access {
        // Before the rate limit is stored, so that the next owner obeys it even after a crash.
        host.keep_crawl_delay(robots);
        sitemaps = host.sitemaps(url, robots, MAX_SITEMAPS);
    }
    let owner = host.owner();
    let kept = host
        .run
        .store
        .call(move |corpus| {
            Ok(corpus.transaction(|tx| {
                let kept = tx.execute(
                    "UPDATE host SET lease_until = $1, next_request = $2, delay = $3 WHERE id = $4 AND lease_owner = $5",
                    params![owner.lease_until, owner.next_request, owner.delay, owner.host_id, &owner.name],
                )?;
                if kept == 1 {
                    save(tx, &origin, &stored, now)?;
                    frontier::add_urls(tx, &sitemaps, None, now)?;
                }
                Ok(kept == 1)
            })?)
        })
        .await?;
    Ok(if kept { access } else { Access::LeaseLost })
}

/// The result of a request for robots.txt.
enum Answer {
    Response(u16, Vec<u8>),
    None,
    Private(String),
}

/// Fetches robots.txt, following redirects. Every request obeys the rate limit of its host.
async fn fetch(host: &Host, first: Url) -> Result<Answer, Error> {
    let mut url = first;
    for _ in 0..=MAX_REDIRECTS {
        let mut request = Request::new(url.clone(), Accept::Robots);
        request.max_body = Some(MAX_BYTES);
        request.truncate = true;
        let Some(turn) = host.turn_at(&urls::host_key(&url)).await? else { return Ok(Answer::None) };
        let answer = host.run.client.get(&request).await;
        turn.end(host).await?;
        match answer {
            Ok(response) => match response.location().filter(|_| (300..400).contains(&response.status)) {
                Some(next) => url = next,
                None => return Ok(Answer::Response(response.status, response.body)),
            },
            Err(error @ tamis_fetch::Error::Refused { .. }) if urls::host_key(&url) == host.lease.host => {
                return Ok(Answer::Private(error.to_string()));
            }
            Err(_) => return Ok(Answer::None),
        }
    }
    // Too many redirects count as a missing file (RFC 9309).
    Ok(Answer::Response(404, Vec::new()))
}

fn load(tx: &mut Transaction<'_>, origin: &str) -> Result<Option<Stored>, tamis_corpus::Error> {
    let row =
        tx.query_first("SELECT status, body, expires FROM robots WHERE origin = $1", params![origin])?;
    row.map(|mut row| Ok(Stored { status: row.get(0)?, body: row.take(1)?, until: row.get(2)? })).transpose()
}

fn save(
    tx: &mut Transaction<'_>,
    origin: &str,
    stored: &Stored,
    now: i64,
) -> Result<(), tamis_corpus::Error> {
    tx.execute(
        "INSERT INTO robots (origin, fetched, expires, status, body) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (origin) DO UPDATE SET fetched = excluded.fetched, expires = excluded.expires,
             status = excluded.status, body = excluded.body",
        params![origin, now, stored.until, stored.status, &stored.body],
    )?;
    Ok(())
}

/// The last known robots.txt, for `collect why`.
pub(crate) fn remembered(
    tx: &mut Transaction<'_>,
    url: &Url,
) -> Result<Option<(Access, i64)>, tamis_corpus::Error> {
    Ok(load(tx, &urls::origin(url))?.map(|stored| (stored.access(), stored.until)))
}

/// A frontier entry for a sitemap.
pub(crate) fn found_sitemap(url: &Url) -> Found {
    Found {
        url: url.to_string(),
        host: urls::host_key(url),
        kind: Kind::Sitemap,
        depth: 1,
        redirects: 0,
        story_id: None,
        part: None,
        changed: None,
    }
}
