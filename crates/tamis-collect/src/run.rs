//! A run: leases hosts with due URLs and works on them until nothing is due or a stop is requested.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use tamis_corpus::database::{Dialect, Target};
use tamis_corpus::{Change, Corpus, Engine, params};
use tamis_fetch::Client;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use url::Url;

use crate::clock::Clock;
use crate::commit::Committed;
use crate::error::Error;
use crate::event::{Event, Observer};
use crate::frontier::{self, Horizon, Outlook};
use crate::host;
use crate::limiter::{Limiters, millis};
use crate::scope::Scope;
use crate::settings::Settings;
use crate::stop::Stop;
use crate::store::Store;
use crate::{seeds, urls};

/// Connections to PostgreSQL. SQLite has a single writer.
const CONNECTIONS: usize = 4;
/// Hosts leased at once by a worker that shares the corpus with others.
const HOSTS_AT_A_TIME: usize = 4;
/// Interval between checks of the frontier if no task ends.
const TICK: Duration = Duration::from_millis(250);
/// If the corpus was updated further in the future than this, the clock is wrong.
const MAX_FUTURE_DAYS: i64 = 1;
const DAY: i64 = 24 * 3600 * 1000;

/// The counts of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Requests for pages, feeds and sitemaps.
    pub pages: u64,
    /// New stories.
    pub stories: u64,
    /// Stories that changed.
    pub revised: u64,
    /// Visits that failed.
    pub failed: u64,
}

/// State shared by all tasks of a run.
pub(crate) struct Run {
    pub(crate) settings: Arc<Settings>,
    pub(crate) clock: Clock,
    pub(crate) store: Store,
    pub(crate) client: Client,
    pub(crate) engine: Engine,
    pub(crate) scope: Arc<RwLock<Scope>>,
    pub(crate) limiters: Limiters,
    pub(crate) owner: String,
    pub(crate) stop: Stop,
    observer: Observer,
    processors: Arc<Semaphore>,
    /// Whether other processes may work on the same corpus.
    shares: bool,
    began: Instant,
    leases_until: AtomicI64,
    pages: AtomicU64,
    stories: AtomicU64,
    revised: AtomicU64,
    failed: AtomicU64,
}

/// Collects into the corpus at `target` until nothing is due, a limit is reached or `stop` is requested. With
/// [`Settings::watch`] it keeps going.
pub fn run(
    target: &Target,
    engine: Engine,
    settings: Settings,
    stop: &Stop,
    observer: Observer,
) -> Result<Summary, Error> {
    let mut corpus = Corpus::open(target)?;
    let _lock = lock(target)?;
    let clock = Clock::of(&mut corpus)?;
    let seeds = corpus.read(seeds::all)?;
    if seeds.is_empty() {
        return Err(Error::NoSeeds);
    }
    check_clock(&mut corpus, clock.now())?;
    if corpus.dialect() == Dialect::Sqlite {
        // We have the lock, so the previous owner of these hosts is dead.
        corpus.transaction(frontier::expire_leases)?;
    }
    let scope = Scope::new(&seeds, &settings.include, &settings.exclude)?;
    let mut fetching = tamis_fetch::Settings::default();
    fetching.user_agent = settings.user_agent();
    fetching.timeout = settings.timeout;
    fetching.max_body = settings.max_bytes;
    fetching.allow_private = settings.allow_private;
    let client = Client::new(fetching)?;
    let connections = if corpus.dialect() == Dialect::Sqlite { 1 } else { CONNECTIONS };
    let shares = corpus.dialect() == Dialect::Postgres;
    let run = Arc::new(Run {
        shares,
        clock,
        store: Store::start(corpus, target, connections)?,
        client,
        engine,
        scope: Arc::new(RwLock::new(scope)),
        limiters: Limiters::default(),
        owner: owner(clock.now()),
        stop: stop.clone(),
        observer,
        processors: Arc::new(Semaphore::new(settings.threads.max(1))),
        began: Instant::now(),
        leases_until: AtomicI64::new(clock.now() + millis(settings.lease)),
        pages: AtomicU64::new(0),
        stories: AtomicU64::new(0),
        revised: AtomicU64::new(0),
        failed: AtomicU64::new(0),
        settings: Arc::new(settings),
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(run.settings.threads.max(1) + 2)
        .enable_all()
        .build()?;
    runtime.block_on(collect(&run))?;
    Ok(run.summary())
}

/// Prevents two processes from collecting into one SQLite file. Workers on PostgreSQL share hosts by leases.
fn lock(target: &Target) -> Result<Option<File>, Error> {
    let Target::Sqlite(path) = target else { return Ok(None) };
    let mut name = path.as_os_str().to_owned();
    name.push("-collect");
    let file = File::options().create(true).truncate(false).write(true).open(Path::new(&name))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(std::fs::TryLockError::WouldBlock) => Err(Error::Running(target.to_string())),
        Err(std::fs::TryLockError::Error(error)) => Err(error.into()),
    }
}

/// With a clock that is behind, nothing would be due and every story would be in the future.
fn check_clock(corpus: &mut Corpus, now: i64) -> Result<(), Error> {
    let newest: Option<i64> = corpus.read(|tx| tx.query_value("SELECT max(checked) FROM story", &[]))?;
    let ahead = (newest.unwrap_or(now) - now) / DAY;
    if ahead > MAX_FUTURE_DAYS { Err(Error::Clock(ahead)) } else { Ok(()) }
}

/// A unique name of this process.
fn owner(now: i64) -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    format!("{}:{}:{now}", host.trim(), std::process::id())
}

async fn collect(run: &Arc<Run>) -> Result<(), Error> {
    let renewing = tokio::spawn(renew(Arc::clone(run)));
    let mut hosts = JoinSet::new();
    let mut result = Ok(());
    loop {
        while let Some(ended) = hosts.try_join_next() {
            keep_first_error(&mut result, ended);
        }
        if run.stop.requested() || !run.may_fetch() || result.is_err() {
            break;
        }
        let free = run.settings.hosts.max(1).saturating_sub(hosts.len());
        // Workers that share hosts lease a few at a time, so that each gets some.
        let free = if run.shares { free.min(HOSTS_AT_A_TIME) } else { free };
        let leased = match run.lease(free).await {
            Ok(leased) => leased,
            Err(error) => {
                result = Err(error);
                break;
            }
        };
        let leased_none = leased.is_empty();
        for lease in leased {
            hosts.spawn(host::work(Arc::clone(run), lease));
        }
        if hosts.is_empty() && leased_none {
            let outlook = match run.outlook().await {
                Ok(outlook) => outlook,
                Err(error) => {
                    result = Err(error);
                    break;
                }
            };
            match outlook.next {
                Some(next) => run.pause(next).await,
                // Others may find URLs for us to fetch, or die and leave their hosts to us.
                None if outlook.others => run.pause(run.clock.now() + 1_000).await,
                None if run.settings.watch => run.pause(run.clock.now() + 60_000).await,
                None => break,
            }
        } else if leased_none || run.shares {
            tokio::select! {
                ended = hosts.join_next() => if let Some(ended) = ended { keep_first_error(&mut result, ended) },
                () = tokio::time::sleep(TICK) => {}
                () = run.stop.wait() => {}
            }
        }
    }
    if result.is_err() {
        run.stop.request();
    }
    while let Some(ended) = hosts.join_next().await {
        keep_first_error(&mut result, ended);
    }
    renewing.abort();
    result
}

fn keep_first_error(
    result: &mut Result<(), Error>,
    ended: Result<Result<(), Error>, tokio::task::JoinError>,
) {
    if let (Ok(()), Ok(Err(error))) = (&result, ended) {
        *result = Err(error);
    }
}

/// Renews the leases of this process, three times per lease period.
async fn renew(run: Arc<Run>) {
    loop {
        tokio::time::sleep(run.settings.lease / 3).await;
        let (owner, now) = (run.owner.clone(), run.clock.now());
        let until = now + millis(run.settings.lease);
        let renewed = run
            .store
            .call(move |corpus| Ok(corpus.transaction(|tx| frontier::renew_leases(tx, &owner, now, until))?))
            .await;
        if renewed.is_ok() {
            run.leases_until.store(until, Ordering::SeqCst);
        }
    }
}

impl Run {
    pub(crate) fn horizon(&self) -> Horizon {
        host::horizon(self.clock.now(), self.clock.began(), &self.settings)
    }

    async fn lease(&self, limit: usize) -> Result<Vec<frontier::Lease>, Error> {
        if limit == 0 {
            return Ok(Vec::new());
        }
        let (owner, horizon) = (self.owner.clone(), self.horizon());
        let (until, pause) = (horizon.now + millis(self.settings.lease), millis(self.settings.delay));
        self.store
            .call(move |corpus| {
                Ok(corpus
                    .transaction(|tx| frontier::lease_hosts(tx, &owner, horizon, until, pause, limit))?)
            })
            .await
    }

    async fn outlook(&self) -> Result<Outlook, Error> {
        let (owner, horizon) = (self.owner.clone(), self.horizon());
        let until = match self.settings.watch {
            true => i64::MAX,
            false => horizon.now + millis(self.settings.max_wait),
        };
        self.store
            .call(move |corpus| Ok(corpus.read(|tx| frontier::outlook(tx, &owner, horizon, until))?))
            .await
    }

    /// Waits until work is due, but checks every minute, since another process may add seeds.
    async fn pause(&self, until: i64) {
        let wait = (until - self.clock.now()).clamp(1, 60_000);
        if wait > 1_000 {
            self.tell(&Event::Waiting { until });
        }
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(wait as u64)) => {}
            () = self.stop.wait() => {}
        }
    }

    /// Runs CPU-bound work. `None` if it panicked.
    pub(crate) async fn compute<R: Send + 'static>(
        &self,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Option<R> {
        let _permit = self.processors.acquire().await.ok()?;
        tokio::task::spawn_blocking(work).await.ok()
    }

    /// Whether the limits of the run allow another page.
    pub(crate) fn may_fetch(&self) -> bool {
        self.settings.max_pages.is_none_or(|most| self.pages.load(Ordering::SeqCst) < most)
            && self.settings.max_time.is_none_or(|most| self.began.elapsed() < most)
    }

    /// Counts a request; false if the limit is reached.
    pub(crate) fn count_page(&self) -> bool {
        let before = self.pages.fetch_add(1, Ordering::SeqCst);
        let allowed = self.settings.max_pages.is_none_or(|most| before < most);
        if !allowed {
            self.pages.fetch_sub(1, Ordering::SeqCst);
        }
        allowed
    }

    /// Whether the leases of this process are still valid by its own clock.
    pub(crate) fn lease_is_valid(&self) -> bool {
        self.clock.now() < self.leases_until.load(Ordering::SeqCst)
    }

    pub(crate) fn count(&self, done: &Committed) {
        match done.story {
            Some((_, Change::New)) => _ = self.stories.fetch_add(1, Ordering::Relaxed),
            Some((_, Change::Revised)) => _ = self.revised.fetch_add(1, Ordering::Relaxed),
            _ if done.failed => _ = self.failed.fetch_add(1, Ordering::Relaxed),
            _ => {}
        }
    }

    /// Adds the target of a seed's redirect as a seed.
    pub(crate) async fn add_seed(&self, seed: Url) -> Result<(), Error> {
        self.scope.write().unwrap_or_else(PoisonError::into_inner).add_seed(&seed);
        let now = self.clock.now();
        self.store
            .call(move |corpus| {
                Ok(corpus.transaction(|tx| {
                    tx.execute(
                        "INSERT INTO seed (url, added) VALUES ($1, $2) ON CONFLICT (url) DO NOTHING",
                        params![urls::origin(&seed).as_str(), now],
                    )
                    .map(|_| ())
                })?)
            })
            .await
    }

    pub(crate) fn tell(&self, event: &Event) {
        (self.observer)(event);
    }

    fn summary(&self) -> Summary {
        Summary {
            pages: self.pages.load(Ordering::SeqCst),
            stories: self.stories.load(Ordering::Relaxed),
            revised: self.revised.load(Ordering::Relaxed),
            failed: self.failed.load(Ordering::Relaxed),
        }
    }
}
