//! `tamis collect run` under `kill -9`: the corpus ends up as if nothing had happened, and the servers see a polite client.
//!
//! Every process has a contact of its own, so the servers' logs tell which process sent a request. The short form runs
//! with all tests; `cargo xtask collect-kills` runs the long form.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "figures, and what is skipped")]

#[path = "../../tamis-collect/tests/common/mod.rs"]
mod common;
#[allow(dead_code, reason = "shared with the other tests of the command")]
#[path = "it/run.rs"]
mod run;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{DELAY, Place, assert_none, compare, count, stored};
use run::command;
use tamis_corpus::database::Target;
use tamis_testweb::{Hit, Kind, Settings, Web};

const FLAGS: &str = "--delay 20ms --allow-private --retry 200ms --timeout 2s --max-wait 4s --max-bytes 4194304 \
                     --trap-visits 20 -q";

/// Kinds that neither hang nor hold back for long, for the form that every test run has time for.
const QUICK: [Kind; 12] = [
    Kind::Plain,
    Kind::Rss,
    Kind::Atom,
    Kind::Sitemap,
    Kind::Failing,
    Kind::RobotsRules,
    Kind::CrawlDelay,
    Kind::RobotsMoved,
    Kind::Redirects,
    Kind::Parts,
    Kind::Comments,
    Kind::Copies,
];

/// How a web is collected, and how often that goes wrong.
#[derive(Clone, Copy)]
struct Form {
    kinds: &'static [Kind],
    stories: usize,
    workers: usize,
    kills: usize,
    /// Milliseconds from one kill to the next.
    pause: (u64, u64),
    lease: &'static str,
    /// What `CrawlDelay` asks for: it decides how long collecting takes at least, so that every kill hits.
    crawl_delay: Duration,
    first_address: u8,
}

const SHORT: Form = Form {
    kinds: &QUICK,
    stories: 240,
    workers: 1,
    kills: 8,
    pause: (100, 900),
    lease: "5s",
    crawl_delay: Duration::from_millis(400),
    first_address: 90,
};

const LONG: Form = Form {
    kinds: &Kind::ALL,
    stories: 4_000,
    kills: 100,
    pause: (50, 500),
    crawl_delay: Duration::from_millis(1_500),
    first_address: 130,
    ..SHORT
};

#[test]
fn kills_lose_and_repeat_nothing_in_sqlite() {
    collect_and_kill(&Place::sqlite(), SHORT);
}

#[test]
fn kills_of_one_of_three_workers_lose_and_repeat_nothing_in_postgres() {
    if let Some(place) = Place::postgres("killed") {
        let form = Form { workers: 3, kills: 6, lease: "2s", first_address: 110, ..SHORT };
        collect_and_kill(&place, form);
    }
}

#[test]
#[ignore = "takes minutes: cargo xtask collect-kills"]
fn a_hundred_kills_lose_and_repeat_nothing_in_sqlite() {
    collect_and_kill(&Place::sqlite(), LONG);
}

#[test]
#[ignore = "takes minutes: cargo xtask collect-kills"]
fn a_hundred_kills_of_one_of_three_workers_lose_and_repeat_nothing_in_postgres() {
    if let Some(place) = Place::postgres("killed_often") {
        collect_and_kill(&place, Form { workers: 3, lease: "2s", first_address: 170, ..LONG });
    }
}

fn collect_and_kill(place: &Place, form: Form) {
    let web = Web::start(Settings {
        first_address: form.first_address,
        crawl_delay: form.crawl_delay,
        change_on_refetch: false,
        ..Settings::of(form.kinds, form.stories)
    });
    let start = Instant::now();
    let mut fleet = Fleet::new(place, form.lease);
    fleet.add(&web.seeds());
    let mut random = Random(1);
    let mut workers: Vec<Worker> = (0..form.workers).map(|_| fleet.start()).collect();
    for kill in 0..form.kills {
        sleep(Duration::from_millis(random.between(form.pause)));
        let victim = &mut workers[random.between((0, form.workers as u64)) as usize];
        assert!(victim.is_running(), "all was done after {kill} kills; {}", fleet.said());
        victim.kill();
        fleet.killed.insert(victim.contact.clone());
        *victim = fleet.start();
    }
    for worker in &mut workers {
        assert!(worker.ends_well(), "a worker failed; {}", fleet.said());
    }
    let seconds = start.elapsed().as_secs_f64();

    let log = web.log();
    let (lost, mut faults) = repeated(&log, &fleet.killed);
    faults.extend(web.forbidden());
    // A Crawl-delay whose robots.txt was lost with its process is not known to the next one.
    let crawl_delay = format!("instead of {}", form.crawl_delay.as_millis());
    let is_unknown =
        |fault: &String| fault.contains("/robots.txt and then /robots.txt") && fault.ends_with(&crawl_delay);
    faults.extend(web.too_fast(DELAY).into_iter().filter(|fault| !is_unknown(fault)));
    faults.extend(ignored_retry_after(&log, &fleet.killed));
    faults.extend(broken_rows(place));
    println!(
        "{} kills in {seconds:.1} s, {} requests, {lost} answers lost and fetched again",
        form.kills,
        log.len()
    );

    let undisturbed = Place::sqlite();
    let mut fleet = Fleet::new(&undisturbed, form.lease);
    fleet.add(&web.seeds());
    assert!(fleet.start().ends_well(), "{}", fleet.said());
    // Where the extraction itself errs, other tests say so.
    let known = compare(&stored(&undisturbed), web.truth());
    let wrong = compare(&stored(place), web.truth());
    faults.extend(wrong.into_iter().filter(|fault| !known.contains(fault)));
    faults.extend(differences(&contents(place, &web), &contents(&undisturbed, &web)));
    assert_none("after kills", &faults);
}

/// Starts processes that collect into one corpus.
struct Fleet {
    db: String,
    lease: &'static str,
    started: usize,
    /// Contacts of the processes that were killed.
    killed: HashSet<String>,
    /// What the processes say.
    log: tempfile::NamedTempFile,
}

impl Fleet {
    fn new(place: &Place, lease: &'static str) -> Fleet {
        let db = match &place.target {
            Target::Sqlite(path) => path.display().to_string(),
            Target::Postgres { url, .. } => url.clone(),
        };
        let log = tempfile::NamedTempFile::new().unwrap();
        Fleet { db, lease, started: 0, killed: HashSet::new(), log }
    }

    fn add(&self, seeds: &[String]) {
        let mut add = command(&format!("collect add --db {}", self.db));
        assert!(add.args(seeds).stderr(self.to_log()).status().unwrap().success(), "{}", self.said());
    }

    fn start(&mut self) -> Worker {
        self.started += 1;
        let contact = format!("worker{}@example.org", self.started);
        let mut run = command(&format!(
            "collect run --db {} --lease {} --contact {contact} {FLAGS}",
            self.db, self.lease
        ));
        run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(self.to_log());
        Worker { child: run.spawn().unwrap(), contact }
    }

    fn to_log(&self) -> File {
        File::options().append(true).open(self.log.path()).unwrap()
    }

    /// The last lines of the processes.
    fn said(&self) -> String {
        let said = fs::read_to_string(self.log.path()).unwrap();
        let skipped = said.lines().count().saturating_sub(20);
        said.lines().skip(skipped).collect::<Vec<_>>().join("\n")
    }
}

/// A process, which does not outlive the test.
struct Worker {
    child: Child,
    contact: String,
}

impl Worker {
    fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for the end; false after an error, or if it takes too long. Code 1 says that nothing was left to fetch.
    fn ends_well(&mut self) -> bool {
        let start = Instant::now();
        while self.is_running() && start.elapsed() < Duration::from_secs(180) {
            sleep(Duration::from_millis(20));
        }
        let status = self.child.try_wait().unwrap();
        status.and_then(|status| status.code()).is_some_and(|code| code < 2)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The process that sent a request, by its contact.
fn contact(hit: &Hit) -> &str {
    hit.user_agent.rsplit("(+").next().unwrap_or_default().trim_end_matches(')')
}

/// When each process sent its last request to each host. A process finishes a page before it asks its host for another,
/// so what it loses when it is killed is the answer to that request.
fn last_requests(log: &[Hit]) -> HashMap<(&str, &str), u64> {
    let mut last = HashMap::new();
    for hit in log {
        let time = last.entry((contact(hit), hit.host.as_str())).or_default();
        *time = hit.start_ms.max(*time);
    }
    last
}

/// Pages that were fetched again: how many because the answer was lost with its process, and which without that reason.
fn repeated(log: &[Hit], killed: &HashSet<String>) -> (usize, Vec<String>) {
    let last = last_requests(log);
    let mut fetched: BTreeMap<(&str, &str), Vec<&Hit>> = BTreeMap::new();
    for hit in log.iter().filter(|hit| hit.status == 200 && !hit.conditional) {
        // As in `Web::fetched_twice`.
        if hit.path != "/robots.txt" && !hit.path.starts_with("/odd/") {
            fetched.entry((&hit.host, &hit.path)).or_default().push(hit);
        }
    }
    let mut lost = 0;
    let mut faults = Vec::new();
    for ((host, path), mut hits) in fetched {
        hits.sort_by_key(|hit| hit.start_ms);
        for hit in &hits[..hits.len() - 1] {
            if killed.contains(contact(hit)) && last[&(contact(hit), host)] == hit.start_ms {
                lost += 1;
            } else {
                faults.push(format!(
                    "{host}{path} was fetched again after {} ms, {}",
                    hit.start_ms,
                    contact(hit)
                ));
            }
        }
    }
    (lost, faults)
}

/// Requests before a `Retry-After` was over, unless the answer that had it was lost with its process.
fn ignored_retry_after(log: &[Hit], killed: &HashSet<String>) -> Vec<String> {
    let last = last_requests(log);
    let known = |hit: &&Hit| {
        let is_last = last[&(contact(hit), hit.host.as_str())] == hit.start_ms;
        hit.retry_until_ms.is_some() && !(is_last && killed.contains(contact(hit)))
    };
    let mut faults = Vec::new();
    for asked in log.iter().filter(known) {
        let until = asked.retry_until_ms.unwrap_or_default();
        // Milliseconds are rounded down on both sides.
        let early =
            |hit: &&Hit| hit.host == asked.host && hit.start_ms > asked.start_ms && hit.start_ms + 2 < until;
        faults.extend(
            log.iter()
                .filter(early)
                .map(|hit| format!("{}{} came {} ms too early", hit.host, hit.path, until - hit.start_ms)),
        );
    }
    faults
}

#[test]
fn only_the_last_answer_of_a_killed_process_may_be_lost() {
    let hit = |start_ms, path: &str, worker: &str, retry_until_ms| Hit {
        host: "127.0.0.90:80".to_owned(),
        path: path.to_owned(),
        start_ms,
        status: 200,
        user_agent: format!("tamis/1 (+{worker})"),
        retry_until_ms,
        ..Hit::default()
    };
    let killed = HashSet::from(["killed".to_owned()]);
    for (path, worker, lost, faults) in [
        ("/last", "killed", 1, 0),
        ("/first", "killed", 0, 1),
        ("/last", "alive", 0, 1),
        ("/new", "killed", 0, 0),
    ] {
        let again = hit(30, path, "next", None);
        let log = [hit(10, "/first", worker, None), hit(20, "/last", worker, None), again];
        let (found, wrong) = repeated(&log, &killed);
        assert_eq!((found, wrong.len()), (lost, faults), "{path} {worker}");
    }
    for (worker, faults) in [("killed", 0), ("alive", 1)] {
        let log = [hit(10, "/busy", worker, Some(1_000)), hit(500, "/early", "next", None)];
        assert_eq!(ignored_retry_after(&log, &killed).len(), faults, "{worker}");
    }
}

/// Queries that count rows which contradict others.
const CONTRADICTIONS: [(&str, &str); 9] = [
    ("addresses that nobody will visit", "SELECT count(*) FROM url WHERE outcome IS NULL AND due IS NULL"),
    (
        "addresses that were left out",
        "SELECT count(*) FROM url JOIN host ON host.id = host_id
         WHERE outcome IS NULL AND note IS NULL AND closed IS NULL",
    ),
    (
        "addresses of stories that are not there",
        "SELECT count(*) FROM url WHERE story_id NOT IN (SELECT id FROM story)",
    ),
    (
        "stories that were stored twice",
        "SELECT count(*) FROM (SELECT 1 FROM visit WHERE outcome = 'story stored' GROUP BY url_id HAVING count(*) > 1) AS x",
    ),
    (
        "stories whose hosts did not count them",
        "SELECT abs((SELECT count(*) FROM story) - (SELECT CAST(sum(stories) AS BIGINT) FROM host))",
    ),
    (
        "hosts whose pages differ from their visits",
        "SELECT count(*) FROM host WHERE pages <>
         (SELECT count(*) FROM visit JOIN url ON url.id = url_id WHERE host_id = host.id AND visit.status IS NOT NULL)",
    ),
    (
        "stories with gaps in their parts",
        "SELECT count(*) FROM story LEFT JOIN
         (SELECT story_id, count(*) AS n, max(number) AS last FROM part GROUP BY story_id) AS p ON story_id = id
         WHERE coalesce(n, 1) <> parts OR coalesce(last, 1) <> parts",
    ),
    (
        "stories with gaps in their revisions",
        "SELECT count(*) FROM story LEFT JOIN
         (SELECT story_id, count(*) AS n, max(number) AS last FROM revision GROUP BY story_id) AS r ON story_id = id
         WHERE coalesce(n, 0) <> revisions OR coalesce(last, 0) <> revisions",
    ),
    (
        "stories with gaps in their comments",
        "SELECT count(*) FROM (SELECT 1 FROM comment GROUP BY story_id HAVING count(*) <> max(number)) AS c",
    ),
];

fn broken_rows(place: &Place) -> Vec<String> {
    let counted = CONTRADICTIONS.map(|(what, sql)| (count(place, sql), what));
    counted.iter().filter(|(rows, _)| *rows != 0).map(|(rows, what)| format!("{what}: {rows}")).collect()
}

/// Columns of stories by their identity.
type Contents = BTreeMap<String, [(&'static str, String); 6]>;

/// What the corpus says of every story. Those that a mirror has too are left out: the quicker host decides.
fn contents(place: &Place, web: &Web) -> Contents {
    let mirrored = web.truth().iter().filter(|story| !story.duplicates.is_empty());
    let mirrored: HashSet<&String> =
        mirrored.flat_map(|story| std::iter::once(&story.url).chain(&story.duplicates)).collect();
    let stories = stored(place).into_iter().filter(|story| !mirrored.contains(&story.identity));
    stories
        .map(|story| {
            let content = [
                ("title", format!("{:?}", story.title)),
                ("text", story.text),
                ("published", format!("{:?}", story.published)),
                ("parts", story.parts.to_string()),
                ("revisions", story.revisions.to_string()),
                ("comments", format!("{:?}", story.comments)),
            ];
            (story.identity, content)
        })
        .collect()
}

/// Where two corpora differ.
fn differences(one: &Contents, other: &Contents) -> Vec<String> {
    let identities: HashSet<&String> = one.keys().chain(other.keys()).collect();
    let differ =
        identities.into_iter().filter_map(|identity| match (one.get(identity), other.get(identity)) {
            (Some(one), Some(other)) => {
                let columns = one.iter().zip(other).filter(|(one, other)| one != other);
                let columns: Vec<&str> = columns.map(|((column, _), _)| *column).collect();
                (!columns.is_empty())
                    .then(|| format!("{identity} differs from an undisturbed run: {columns:?}"))
            }
            (None, _) => Some(format!("{identity} is missing, but not after an undisturbed run")),
            (_, None) => Some(format!("{identity} is stored, but not after an undisturbed run")),
        });
    differ.collect()
}

/// Xorshift: the same moments in every run.
struct Random(u64);

impl Random {
    /// A number from the first up to the second, without it.
    fn between(&mut self, (low, high): (u64, u64)) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) % (high - low)
    }
}
