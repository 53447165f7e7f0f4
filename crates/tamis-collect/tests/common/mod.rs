//! A corpus for a test web, and the invariants after a run.

#![allow(dead_code, reason = "every test uses a part of it")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "test support outside of test functions")]

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tamis_collect::{Event, Settings, Stop, Summary, run, seeds, system_time};
use tamis_corpus::database::Target;
use tamis_corpus::{Corpus, Engine, EngineSettings, params};
use tamis_testweb::{Story, Web};

/// The pause between requests in the tests.
pub(crate) const DELAY: Duration = Duration::from_millis(20);

/// A fresh corpus: in a temporary folder, or in its own database on the server of `TAMIS_POSTGRES`.
pub(crate) struct Place {
    pub(crate) target: Target,
    _folder: Option<tempfile::TempDir>,
    database: Option<(String, String)>,
}

impl Place {
    pub(crate) fn sqlite() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus.db");
        Place { target: Target::Sqlite(path), _folder: Some(folder), database: None }
    }

    /// `None` without a server.
    pub(crate) fn postgres(name: &str) -> Option<Place> {
        let Ok(server) = std::env::var("TAMIS_POSTGRES") else {
            eprintln!("skipped: TAMIS_POSTGRES is not set");
            return None;
        };
        let name = format!("tamis_collect_{name}_{}", std::process::id());
        let mut client = postgres::Client::connect(&server, postgres::NoTls).unwrap();
        client.batch_execute(&format!("DROP DATABASE IF EXISTS {name}")).unwrap();
        client.batch_execute(&format!("CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")).unwrap();
        let mut url = url::Url::parse(&server).unwrap();
        url.set_path(&name);
        let target = url.as_str().parse().unwrap();
        Some(Place { target, _folder: None, database: Some((server, name)) })
    }

    pub(crate) fn corpus(&self) -> Corpus {
        Corpus::open_or_create(&self.target).unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some((server, name)) = &self.database {
            let client = postgres::Client::connect(server, postgres::NoTls);
            let _ =
                client.map(|mut client| client.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)")));
        }
    }
}

/// Fast settings for loopback.
pub(crate) fn settings() -> Settings {
    Settings {
        contact: Some("mailto:test@example.org".to_owned()),
        delay: DELAY,
        allow_private: true,
        retry: Duration::from_millis(200),
        timeout: Duration::from_secs(2),
        max_bytes: 4 << 20,
        max_wait: Duration::from_secs(4),
        trap_visits: 20,
        lease: Duration::from_secs(5),
        ..Settings::default()
    }
}

pub(crate) fn collect(place: &Place, settings: Settings) -> Summary {
    let verbose = std::env::var_os("TAMIS_VERBOSE").is_some();
    let observer = move |event: &Event| {
        if verbose {
            eprintln!("{event:?}");
        }
    };
    let engine = Engine::new(EngineSettings::default());
    run(&place.target, engine, settings, &Stop::default(), Arc::new(observer)).unwrap()
}

pub(crate) fn add_seeds(place: &Place, web: &Web) {
    seeds::add(&mut place.corpus(), &web.seeds(), system_time()).unwrap();
}

/// The fields of a stored story that tests compare.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub(crate) id: i64,
    pub(crate) identity: String,
    pub(crate) url: String,
    pub(crate) title: Option<String>,
    pub(crate) text: String,
    pub(crate) language: Option<String>,
    pub(crate) published: Option<String>,
    pub(crate) parts: i64,
    pub(crate) revisions: i64,
    pub(crate) robots: Option<String>,
    pub(crate) group: Option<i64>,
    pub(crate) comments: Vec<(Option<String>, String)>,
}

pub(crate) fn stored(place: &Place) -> Vec<Stored> {
    let mut corpus = place.corpus();
    corpus
        .read(|tx| {
            let mut comments: HashMap<i64, Vec<(Option<String>, String)>> = HashMap::new();
            for row in tx.query("SELECT story_id, author, text FROM comment ORDER BY story_id, number", &[])? {
                comments.entry(row.get(0)?).or_default().push((row.get(1)?, row.get(2)?));
            }
            let rows = tx.query(
                "SELECT id, identity, url, title, text, language, published, parts, revisions, robots, group_id
                 FROM story ORDER BY identity",
                &[],
            )?;
            rows.iter()
                .map(|row| {
                    let id = row.get(0)?;
                    Ok(Stored {
                        id,
                        identity: row.get(1)?,
                        url: row.get(2)?,
                        title: row.get(3)?,
                        text: row.get(4)?,
                        language: row.get(5)?,
                        published: row.get(6)?,
                        parts: row.get(7)?,
                        revisions: row.get(8)?,
                        robots: row.get(9)?,
                        group: row.get(10)?,
                        comments: comments.remove(&id).unwrap_or_default(),
                    })
                })
                .collect()
        })
        .unwrap()
}

/// Compares the stored stories with the truth. Returns the differences.
pub(crate) fn compare(stored: &[Stored], truth: &[Story]) -> Vec<String> {
    let mut wrong = Vec::new();
    let by_identity: HashMap<&str, &Stored> = stored.iter().map(|it| (it.identity.as_str(), it)).collect();
    let mut expected: HashMap<&str, &Story> = HashMap::new();
    for story in truth {
        expected.insert(&story.url, story);
        // Of two hosts with the same pages, the faster one counts as the original.
        let copies = story.duplicates.iter().map(String::as_str);
        let found = std::iter::once(story.url.as_str()).chain(copies).find_map(|url| by_identity.get(url));
        match (story.allowed, found) {
            (true, None) => wrong.push(format!("missing: {} ({:?})", story.url, story.kind)),
            (false, Some(_)) => wrong.push(format!("forbidden: {} ({:?})", story.url, story.kind)),
            (true, Some(stored)) => wrong.extend(compare_one(stored, story)),
            (false, None) => {}
        }
    }
    let duplicates: HashMap<&str, &Story> = truth
        .iter()
        .flat_map(|story| story.duplicates.iter().map(move |url| (url.as_str(), story)))
        .collect();
    let odd = |stored: &&Stored| stored.identity.contains("/odd/");
    for stored in
        stored.iter().filter(|stored| !expected.contains_key(stored.identity.as_str()) && !odd(stored))
    {
        match duplicates.get(stored.identity.as_str()) {
            // Without a group if the slower host was closed as a mirror.
            Some(story) if stored.group.is_some() || !by_identity.contains_key(story.url.as_str()) => {}
            Some(_) => wrong.push(format!("not grouped with its original: {}", stored.identity)),
            None => wrong.push(format!("not a story: {} {:?}", stored.identity, stored.title)),
        }
    }
    wrong
}

fn compare_one(stored: &Stored, story: &Story) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut check = |holds: bool, what: &str| {
        if !holds {
            wrong.push(format!("{what}: {} ({:?})", story.url, story.kind));
        }
    };
    check(stored.title.as_deref() == Some(&story.title), "title");
    check(stored.text.contains(&story.marker), "text lacks its marker");
    check(!stored.text.contains(story.boilerplate), "text has boilerplate");
    for marker in &story.part_markers {
        check(stored.text.contains(marker), "text lacks a part");
        check(stored.text.matches(marker.as_str()).count() <= 1, "text has a part twice");
    }
    check(stored.parts == story.parts as i64, "number of parts");
    let day = |time: &str| time.get(..10).map(str::to_owned);
    check(stored.published.as_deref().and_then(day) == day(&story.published), "day");
    check(stored.language.as_deref().is_some_and(|it| it.starts_with(story.language)), "language");
    check(
        !story.noindex || stored.robots.as_deref().is_some_and(|it| it.contains("noindex")),
        "noindex is recorded",
    );
    for (author, text) in &story.comments {
        let mut found =
            stored.comments.iter().filter(|(_, stored)| stored.contains(text.as_str())).peekable();
        check(found.peek().is_some(), "lacks a comment");
        check(found.any(|(by, _)| by.as_deref() == Some(author)), "author of a comment");
    }
    check(stored.comments.len() == story.comments.len(), "number of comments");
    wrong
}

/// Violations of politeness in the servers' logs.
pub(crate) fn manners(web: &Web, delay: Duration) -> Vec<String> {
    let mut wrong = web.forbidden();
    wrong.extend(web.too_fast(delay));
    wrong.extend(web.ignored_retry_after());
    wrong
}

/// Fails with the first faults of each kind and their number.
pub(crate) fn assert_none(what: &str, faults: &[String]) {
    let mut kinds: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for fault in faults {
        kinds.entry(fault.split(':').next().unwrap_or_default()).or_default().push(fault);
    }
    let shown: Vec<_> =
        kinds.values().map(|kind| (kind.len(), kind.iter().take(4).collect::<Vec<_>>())).collect();
    assert!(faults.is_empty(), "{what}: {} faults: {shown:#?}", faults.len());
}

/// The number that a query returns.
pub(crate) fn count(place: &Place, sql: &str) -> i64 {
    place.corpus().read(|tx| tx.query_value(sql, params![])).unwrap()
}
