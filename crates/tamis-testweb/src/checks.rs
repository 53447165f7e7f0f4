//! Checks of a client's politeness in the servers' log.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use crate::kinds::Kind;
use crate::server::Web;
use crate::{robots, traps};

/// Largest delay between a client's request and its arrival at the server on a busy machine.
const MAX_JITTER_MS: u64 = 15;

/// A request as a server saw it. Times count from the start of the web.
#[derive(Clone, Debug, Default)]
pub struct Hit {
    /// `127.0.0.N:PORT`
    pub host: String,
    /// Path and query.
    pub path: String,
    /// The time when the request head was complete.
    pub start_ms: u64,
    /// The time when the server started to send the end of the reply, or the start of an endless body.
    pub end_ms: u64,
    /// The HTTP status; 0 if the reply was not completed (dropped connection, endless body, no answer, client gone).
    pub status: u16,
    /// Whether the request had `If-None-Match` or `If-Modified-Since`.
    pub conditional: bool,
    /// As the client sent it.
    pub user_agent: String,
    /// The end of `Retry-After`.
    pub retry_until_ms: Option<u64>,
}

impl Web {
    /// Requests that robots.txt does not allow, or that precede the request for robots.txt.
    pub fn forbidden(&self) -> Vec<String> {
        let mut asked = self.asked_robots();
        let mut violations = Vec::new();
        for hit in in_order(self.log()) {
            let Hit { host, path, start_ms, .. } = hit;
            // The redirect target of a robots.txt is part of it.
            let is_robots = path == "/robots.txt" || path == robots::MOVED_PATH;
            if !is_robots && !robots::allows(self.kind_of(&host), &path) {
                violations.push(format!("{host}{path} is disallowed (at {start_ms} ms)"));
            }
            if !is_robots && !asked.contains(&host) {
                violations.push(format!("{host}{path} was fetched before robots.txt"));
            }
            if is_robots {
                asked.insert(host);
            }
        }
        violations
    }

    /// Requests to a host that overlap, or follow each other faster than `default_delay` and its `Crawl-delay`.
    pub fn too_fast(&self, default_delay: Duration) -> Vec<String> {
        let mut last: HashMap<String, Hit> = HashMap::new();
        let mut violations = Vec::new();
        for hit in in_order(self.log()) {
            let delay = match self.kind_of(&hit.host) {
                Kind::CrawlDelay => default_delay.max(self.settings().crawl_delay),
                _ => default_delay,
            };
            let delay = delay.as_millis() as u64;
            if let Some(previous) = last.get(&hit.host) {
                let gap = hit.start_ms - previous.start_ms;
                let pair = format!("{}: {} and then {}", hit.host, previous.path, hit.path);
                if gap + MAX_JITTER_MS.min(delay / 4) < delay {
                    violations.push(format!("{pair} after {gap} ms instead of {delay}"));
                }
                if hit.start_ms < previous.end_ms {
                    violations.push(format!("{pair} while the first was being answered"));
                }
            }
            last.insert(hit.host.clone(), hit);
        }
        violations
    }

    /// Requests to a host before its `Retry-After` was over.
    pub fn ignored_retry_after(&self) -> Vec<String> {
        let mut until: HashMap<String, u64> = HashMap::new();
        let mut violations = Vec::new();
        for Hit { host, path, start_ms, retry_until_ms, .. } in in_order(self.log()) {
            let wanted = until.get(&host).copied().unwrap_or(0);
            // Milliseconds are rounded down on both sides.
            if start_ms + 2 < wanted {
                violations.push(format!("{host}{path} came {} ms too early", wanted - start_ms));
            }
            until.insert(host, wanted.max(retry_until_ms.unwrap_or(0)));
        }
        violations
    }

    /// URLs fetched completely more than once by unconditional requests. Ignores robots.txt and the pages of `Hostile`
    /// under `/odd/`, which a client may be unable to read.
    pub fn fetched_twice(&self) -> Vec<String> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for hit in self.log().iter().filter(|hit| hit.status == 200 && !hit.conditional) {
            if hit.path != "/robots.txt" && !hit.path.starts_with("/odd/") {
                *counts.entry(format!("{}{}", hit.host, hit.path)).or_default() += 1;
            }
        }
        let repeated = counts.into_iter().filter(|(_, count)| *count > 1);
        repeated.map(|(address, count)| format!("{address} was fetched {count} times")).collect()
    }

    /// How many requests went into the traps of `Traps`.
    pub fn trap_hits(&self) -> usize {
        self.log().iter().filter(|hit| traps::is_trap(self.kind_of(&hit.host), &hit.path)).count()
    }
}

/// Sorts by request, since the log is in the order of replies.
fn in_order(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_by_key(|hit| hit.start_ms);
    hits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::Settings;

    /// A web of one host whose log has these requests: path, start, end.
    fn web(kind: Kind, requests: &[(&str, u64, u64)]) -> (Web, String) {
        let web = Web::start(Settings::of(&[kind], 8));
        let host = format!("127.0.0.10:{}", web.port());
        for (path, start_ms, end_ms) in requests {
            let (path, start_ms, end_ms) = ((*path).to_owned(), *start_ms, *end_ms);
            web.plant(Hit { host: host.clone(), path, start_ms, end_ms, status: 200, ..Hit::default() });
        }
        (web, host)
    }

    #[test]
    fn forbidden_finds_disallowed_and_premature_requests() {
        let requests = [("/world/", 0, 1), ("/robots.txt", 10, 11), ("/sport/", 20, 21), ("/world/", 30, 31)];
        for (kind, skipped, expected) in
            [(Kind::RobotsHuge, 0, 2), (Kind::RobotsDenied, 1, 2), (Kind::Plain, 1, 0)]
        {
            assert_eq!(web(kind, &requests[skipped..]).0.forbidden().len(), expected, "{kind:?}");
        }
        let (web, host) = web(Kind::Plain, &requests[1..]);
        web.clear_log();
        web.plant(Hit { host, path: "/world/".into(), ..Hit::default() });
        assert!(web.forbidden().is_empty(), "robots.txt stays known when the log is cleared");
    }

    #[test]
    fn too_fast_finds_short_gaps_and_overlaps() {
        let requests = [("/a", 0, 5), ("/b", 100, 150), ("/c", 140, 141)];
        for (kind, delay, expected) in
            [(Kind::Plain, 0, 1), (Kind::Plain, 50, 1), (Kind::Plain, 80, 2), (Kind::CrawlDelay, 0, 3)]
        {
            let found = web(kind, &requests).0.too_fast(Duration::from_millis(delay));
            assert_eq!(found.len(), expected, "{kind:?} {delay}: {found:?}");
        }
    }

    #[test]
    fn retry_after_holds_for_the_whole_host() {
        let (web, host) = web(Kind::Limited, &[("/b", 500, 501), ("/a", 1_000, 1_001)]);
        web.plant(Hit { host: host.clone(), status: 429, retry_until_ms: Some(1_000), ..Hit::default() });
        assert_eq!(web.ignored_retry_after(), [format!("{host}/b came 500 ms too early")]);
    }

    #[test]
    fn fetched_twice_ignores_failures_conditions_and_robots() {
        let (web, host) =
            web(Kind::Plain, &[("/a", 0, 0), ("/b", 1, 1), ("/robots.txt", 2, 2), ("/robots.txt", 3, 3)]);
        let again =
            |path: &str| Hit { host: host.clone(), path: path.to_owned(), status: 200, ..Hit::default() };
        web.plant(Hit { conditional: true, ..again("/a") });
        web.plant(Hit { status: 500, ..again("/b") });
        assert!(web.fetched_twice().is_empty());
        web.plant(again("/a"));
        assert_eq!(web.fetched_twice(), [format!("{host}/a was fetched 2 times")]);
    }
}
