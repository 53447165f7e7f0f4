//! Limits of a run, and its errors.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of tests are outside of test functions"
)]

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{Place, add_seeds, collect, count, settings, stored};
use tamis_collect::{Error, Settings, Stop, run, seeds, status, system_time, why};
use tamis_corpus::{Engine, EngineSettings, params};
use tamis_testweb::{Kind, Web};

fn web(address: u8, kinds: &[Kind], stories: usize) -> Web {
    Web::start(tamis_testweb::Settings {
        first_address: address,
        ..tamis_testweb::Settings::of(kinds, stories)
    })
}

fn try_run(place: &Place, settings: Settings, stop: &Stop) -> Result<tamis_collect::Summary, Error> {
    run(&place.target, Engine::new(EngineSettings::default()), settings, stop, Arc::new(|_| {}))
}

#[test]
fn a_corpus_without_seeds_cannot_be_run() {
    let place = Place::sqlite();
    place.corpus();
    assert!(matches!(try_run(&place, settings(), &Stop::default()), Err(Error::NoSeeds)));
}

#[test]
fn seeds_are_normalised_and_lose_their_credentials() {
    let place = Place::sqlite();
    let written =
        ["https://ada:secret@example.com:443/news?utm_source=x#top", "example.org"].map(str::to_owned);
    let added = seeds::add(&mut place.corpus(), &written, 0).unwrap();
    let urls: Vec<&str> = added.iter().map(|seed| seed.url.as_str()).collect();
    assert_eq!(urls, ["https://example.com/news", "https://example.org/"]);
    assert!(added[0].had_credentials && !added[1].had_credentials && added[0].new);
    assert!(!seeds::add(&mut place.corpus(), &written, 1).unwrap()[0].new);
    for wrong in ["ftp://example.com/", "javascript:alert(1)", "https://", "http://a b/"] {
        let error = seeds::add(&mut place.corpus(), &[wrong.to_owned()], 0).unwrap_err();
        assert!(matches!(error, Error::Seed(_)), "{wrong}");
    }
    let all = "SELECT count(*) FROM url WHERE url LIKE '%secret%'";
    assert_eq!((count(&place, all), count(&place, "SELECT count(*) FROM seed")), (0, 2));
}

#[test]
fn one_process_at_a_time_collects_into_a_file() {
    let place = Place::sqlite();
    let web = web(130, &[Kind::Slow], 20);
    add_seeds(&place, &web);
    let stop = Stop::default();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| try_run(&place, settings(), &stop));
        while web.log().is_empty() {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(matches!(try_run(&place, settings(), &Stop::default()), Err(Error::Running(_))));
        stop.request();
        first.join().unwrap().unwrap();
    });
    assert!(
        count(&place, "SELECT count(*) FROM host WHERE lease_owner IS NOT NULL") == 0,
        "hosts are given back"
    );
}

#[test]
fn private_addresses_wait_for_permission() {
    let place = Place::sqlite();
    let web = web(131, &[Kind::Plain], 20);
    add_seeds(&place, &web);
    let summary = collect(&place, Settings { allow_private: false, ..settings() });
    assert_eq!((summary.pages, web.log().len()), (0, 0));
    let hosts = status::hosts(&mut place.corpus(), system_time()).unwrap();
    assert!(hosts[0].private && hosts[0].queued == 1);
    assert_eq!(collect(&place, settings()).stories, 20);
}

#[test]
fn pages_and_time_are_limited() {
    let place = Place::sqlite();
    let web = web(132, &[Kind::Plain, Kind::Rss], 40);
    add_seeds(&place, &web);
    let pages = |web: &Web| web.log().iter().filter(|hit| hit.path != "/robots.txt").count();
    let summary = collect(&place, Settings { max_pages: Some(7), ..settings() });
    assert_eq!((summary.pages, pages(&web)), (7, 7));
    collect(&place, Settings { max_time: Some(Duration::ZERO), ..settings() });
    assert_eq!(pages(&web), 7);
    collect(&place, settings());
    assert_eq!(stored(&place).len(), 40);
}

#[test]
fn patterns_depth_and_languages_narrow_a_collection() {
    let web = web(134, &[Kind::Plain, Kind::Chinese], 60);
    let stories = |settings: Settings| {
        let place = Place::sqlite();
        add_seeds(&place, &web);
        collect(&place, settings);
        stored(&place)
    };
    let world = stories(Settings { include: vec!["*/world/*".to_owned(), "*:*/".to_owned()], ..settings() });
    assert!(!world.is_empty() && world.iter().all(|story| story.url.contains("/world/")));
    let rest = stories(Settings { exclude: vec!["*/world/*".to_owned()], ..settings() });
    assert!(!rest.is_empty() && rest.iter().all(|story| !story.url.contains("/world/")));
    let chinese = stories(Settings { languages: vec!["zh".to_owned()], ..settings() });
    assert!(!chinese.is_empty() && chinese.iter().all(|story| story.language.as_deref() == Some("zh")));
    assert!(stories(Settings { depth: 0, ..settings() }).is_empty());
}

#[test]
fn a_clock_that_is_far_behind_is_noticed() {
    let place = Place::sqlite();
    let web = web(136, &[Kind::Plain], 20);
    add_seeds(&place, &web);
    collect(&place, settings());
    let future = system_time() + 10 * 24 * 3600 * 1000;
    place.corpus().transaction(|tx| tx.execute("UPDATE story SET checked = $1", params![future])).unwrap();
    assert!(matches!(try_run(&place, settings(), &Stop::default()), Err(Error::Clock(9 | 10))));
}

#[test]
fn the_history_of_a_url_says_how_it_was_found_and_what_became_of_it() {
    let place = Place::sqlite();
    let web = web(137, &[Kind::RobotsRules], 40);
    add_seeds(&place, &web);
    collect(&place, settings());
    let history = |url: &str| why::history(&mut place.corpus(), url, &settings(), system_time()).unwrap();
    let allowed = web.truth().iter().find(|story| story.allowed).unwrap();
    let found = history(&format!("{}?utm_source=mail#top", allowed.url));
    assert_eq!(found.kind.as_deref(), Some("page"));
    assert_eq!(found.visits.last().unwrap().outcome, "story stored");
    assert_eq!(found.found_on.last(), Some(&web.seeds()[0]));
    assert!(found.story_id.is_some() && found.due.is_some() && found.obstacles.is_empty());
    let denied = web.truth().iter().find(|story| !story.allowed).unwrap();
    let found = history(&denied.url);
    assert_eq!(found.outcome.as_deref(), Some("disallowed by robots.txt"));
    assert_eq!(found.obstacles, ["disallowed by robots.txt"]);
    let unknown = history("https://example.com/elsewhere");
    assert_eq!((unknown.kind, unknown.obstacles), (None, vec!["outside of the collected sites".to_owned()]));
}

#[test]
fn the_first_stories_are_extracted_again_once_their_site_is_known() {
    for keep_raw in [true, false] {
        let place = Place::sqlite();
        let web = web(138, &[Kind::Plain], 40);
        add_seeds(&place, &web);
        collect(&place, Settings { keep_raw, ..settings() });
        assert_eq!(stored(&place).len(), 40);
        let unaware = "SELECT count(*) FROM story WHERE memory_pages < 10";
        assert_eq!(count(&place, unaware), 0, "keep_raw {keep_raw}");
        assert!(web.fetched_twice().is_empty());
        let kept = count(&place, "SELECT count(*) FROM raw");
        assert_eq!(kept, if keep_raw { 40 } else { 0 });
    }
}

#[test]
fn what_is_added_again_is_visited_again() {
    let place = Place::sqlite();
    let web = web(139, &[Kind::Plain], 20);
    add_seeds(&place, &web);
    collect(&place, settings());
    for _ in 0..2 {
        web.clear_log();
        add_seeds(&place, &web);
        collect(&place, settings());
        let paths: Vec<String> = web.log().into_iter().map(|hit| hit.path).collect();
        assert_eq!(paths, ["/"]);
    }
}

/// A server that answers every request for a page with this status.
fn answering(status: &str) -> (String, std::net::TcpListener) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let (server, status) = (listener.try_clone().unwrap(), status.to_owned());
    std::thread::spawn(move || {
        for connection in server.incoming().take(20).flatten() {
            use std::io::{Read, Write};
            let (mut connection, mut request) = (connection, [0; 4096]);
            let length = connection.read(&mut request).unwrap_or(0);
            let robots = request[..length].starts_with(b"GET /robots.txt");
            let status = if robots { "404 Not Found" } else { status.as_str() };
            let _ = write!(connection, "HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        }
    });
    (url, listener)
}

#[test]
fn a_seed_that_is_refused_once_stays_due() {
    for status in ["403 Forbidden", "404 Not Found", "410 Gone", "451 Unavailable"] {
        let place = Place::sqlite();
        let (url, _listener) = answering(status);
        seeds::add(&mut place.corpus(), std::slice::from_ref(&url), system_time()).unwrap();
        collect(&place, settings());
        let history = why::history(&mut place.corpus(), &url, &settings(), system_time()).unwrap();
        assert!(history.due.is_some() && history.visits.len() == 1, "{status}: {history:?}");
    }
}

#[test]
fn only_a_seed_may_lead_to_another_site() {
    let (elsewhere, _listener) = answering("200 OK");
    for (path, collected) in [("/", 2), ("/next", 1)] {
        let place = Place::sqlite();
        let listener = std::net::TcpListener::bind("127.0.0.2:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let target = elsewhere.clone();
        std::thread::spawn(move || {
            for connection in listener.incoming().take(20).flatten() {
                use std::io::{Read, Write};
                let (mut connection, mut request) = (connection, [0; 4096]);
                let length = connection.read(&mut request).unwrap_or(0);
                let head = String::from_utf8_lossy(&request[..length]).into_owned();
                let asked = head.split(' ').nth(1).unwrap_or_default();
                let close = "connection: close\r\n";
                let _ = if asked == path {
                    write!(
                        connection,
                        "HTTP/1.1 302 Found\r\nlocation: {target}\r\ncontent-length: 0\r\n{close}\r\n"
                    )
                } else if asked == "/" {
                    let page = "<link rel=next href=/next><title>Front</title><p><a href=/next>Next page</a>";
                    let length = page.len();
                    write!(
                        connection,
                        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {length}\r\n{close}\r\n{page}"
                    )
                } else {
                    write!(connection, "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n{close}\r\n")
                };
            }
        });
        seeds::add(&mut place.corpus(), &[format!("{base}/")], system_time()).unwrap();
        collect(&place, settings());
        assert_eq!(count(&place, "SELECT count(*) FROM seed"), collected, "{path}");
    }
}
