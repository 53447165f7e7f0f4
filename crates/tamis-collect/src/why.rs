//! `collect why URL`: the history of a URL, or why it was not visited.

use tamis_corpus::database::Transaction;
use tamis_corpus::{Corpus, params};
use url::Url;

use crate::error::Error;
use crate::robots_cache::{self, Access};
use crate::scope::{Decision, Scope};
use crate::settings::{AGENT, Settings};
use crate::{interpret, seeds, urls};

/// Most visits shown.
const MAX_VISITS: i64 = 50;
/// Most steps shown on the path back to a seed.
const MAX_STEPS: usize = 20;

/// The history of a URL.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct History {
    /// The normalised URL.
    pub url: String,
    /// Its expected kind; `None` if the URL is unknown.
    pub kind: Option<String>,
    /// When it was discovered, in milliseconds since 1970.
    pub found: Option<i64>,
    /// The chain of pages that link to it, nearest first.
    pub found_on: Vec<String>,
    /// Number of links from a seed.
    pub depth: u32,
    /// The next due time.
    pub due: Option<i64>,
    /// Consecutive failed visits.
    pub failures: u32,
    /// The last outcome, visited or not.
    pub outcome: Option<String>,
    /// Its story.
    pub story_id: Option<i64>,
    /// The latest visits, oldest first.
    pub visits: Vec<Visit>,
    /// Reasons why it would not be fetched now.
    pub obstacles: Vec<String>,
}

/// A visit.
#[derive(Clone, PartialEq, Debug)]
pub struct Visit {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The HTTP status, if there was a response.
    pub status: Option<u16>,
    /// The result.
    pub outcome: String,
}

/// Looks up a URL, with the settings of a future run.
pub fn history(corpus: &mut Corpus, url: &str, settings: &Settings, now: i64) -> Result<History, Error> {
    let parsed = urls::parse(url).ok_or_else(|| Error::Seed(seeds::shown(url)))?;
    let seeds = corpus.read(seeds::all)?;
    let scope = Scope::new(&seeds, &settings.include, &settings.exclude)?;
    Ok(corpus.read(|tx| {
        let mut history = known(tx, parsed.as_str())?;
        history.obstacles = obstacles(tx, &parsed, &scope, &history, now)?;
        Ok(history)
    })?)
}

fn known(tx: &mut Transaction<'_>, url: &str) -> Result<History, tamis_corpus::Error> {
    let mut history = History { url: url.to_owned(), ..History::default() };
    let row = tx.query_first(
        "SELECT id, kind, found, found_on, depth, due, failures, story_id, outcome FROM url WHERE url = $1",
        params![url],
    )?;
    let Some(row) = row else { return Ok(history) };
    let id: i64 = row.get(0)?;
    history.kind = row.get(1)?;
    history.found = row.get(2)?;
    history.depth = row.get(4)?;
    history.due = row.get(5)?;
    history.failures = row.get(6)?;
    history.story_id = row.get(7)?;
    history.outcome = row.get(8)?;
    let mut parent: Option<i64> = row.get(3)?;
    while let Some(id) = parent.filter(|_| history.found_on.len() < MAX_STEPS) {
        let Some(row) = tx.query_first("SELECT url, found_on FROM url WHERE id = $1", params![id])? else {
            break;
        };
        history.found_on.push(row.get(0)?);
        parent = row.get(1)?;
    }
    let visits = tx.query(
        "SELECT at, status, outcome FROM visit WHERE url_id = $1 ORDER BY at DESC LIMIT $2",
        params![id, MAX_VISITS],
    )?;
    for row in visits.iter().rev() {
        history.visits.push(Visit { at: row.get(0)?, status: row.get(1)?, outcome: row.get(2)? });
    }
    Ok(history)
}

fn obstacles(
    tx: &mut Transaction<'_>,
    url: &Url,
    scope: &Scope,
    history: &History,
    now: i64,
) -> Result<Vec<String>, tamis_corpus::Error> {
    let mut obstacles = Vec::new();
    match scope.decide(url) {
        Decision::InScope => {}
        Decision::OutOfScope if history.kind.is_some() => {}
        decision => obstacles.push(interpret::reason(&decision)),
    }
    if let Some(original) = urls::folded(url).filter(|_| history.kind.is_none()) {
        obstacles.push(format!("a copy of {original}, which is fetched instead"));
    }
    if let Some(reason) = urls::is_trap_shaped(url) {
        obstacles.push(format!("looks like a trap: {reason}"));
    }
    let host = tx.query_first(
        "SELECT id, closed, note, next_request, private FROM host WHERE name = $1",
        params![urls::host_key(url).as_str()],
    )?;
    if let Some(host) = host {
        if let Some(closed) = host.get::<Option<String>>(1)? {
            obstacles.push(format!("the host is closed: {closed}"));
        }
        if let (Some(note), true) = (host.get::<Option<String>>(2)?, host.get::<i64>(3)? > now) {
            obstacles.push(format!("the host is held back: {note}"));
        }
        if host.get::<bool>(4)? {
            obstacles.push("the host has a private address".to_owned());
        }
        let pattern = urls::pattern(url);
        let trap = tx.query_first(
            "SELECT fetched FROM pattern WHERE host_id = $1 AND pattern = $2 AND closed IS NOT NULL",
            params![host.get::<i64>(0)?, &pattern],
        )?;
        if let Some(trap) = trap {
            let fetched: i64 = trap.get(0)?;
            obstacles.push(format!("trap: {fetched} addresses like {pattern} led to nothing new"));
        }
    }
    match robots_cache::remembered(tx, url)? {
        Some((Access::Rules { robots, .. }, until)) if until > now && !robots.allows(AGENT, url) => {
            obstacles.push("disallowed by robots.txt".to_owned());
        }
        Some((Access::Unreachable { reason, .. }, until)) if until > now => obstacles.push(reason),
        _ => {}
    }
    Ok(obstacles)
}
