//! The worker loop of one host: take a due URL, wait for the rate limit, fetch, interpret, commit.

use std::collections::{HashSet, VecDeque};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tamis_feeds::Feed;
use tamis_fetch::{Accept, Request};
use tokio::task::JoinSet;
use url::Url;

use crate::commit::{self, Committed, Owner};
use crate::error::Error;
use crate::event::Event;
use crate::frontier::{self, Due, Found, Horizon, Kind, Lease, Refusal};
use crate::interpret::{self, Context, Interpreted};
use crate::limiter::{Limiter, millis};
use crate::plan::{Plan, Verdict};
use crate::robots::Robots;
use crate::robots_cache::{self, Access};
use crate::run::Run;
use crate::settings::{AGENT, Settings};
use crate::site_memory::{SiteMemories, revise_first_stories};
use crate::{sitemap, traps, urls};

/// Time after which a host is released, so that others get their turn.
const TURN: Duration = Duration::from_secs(60);
/// Longest pause between requests to wait for before releasing the host, in milliseconds.
const MAX_PAUSE_IN_TURN: i64 = 5_000;
/// URLs read from the frontier at once.
const READ_AHEAD: usize = 16;
/// The same after refusals, since thousands of URLs may be part of a trap or disallowed by robots.txt.
const READ_AHEAD_OF_REFUSED: usize = 512;
const DISALLOWED: &str = "disallowed by robots.txt";
/// Feeds of a host that are kept as evidence.
const MAX_FEEDS: usize = 4;
/// Longest back-off of a host.
const MAX_PAUSE: Duration = Duration::from_secs(3600);

/// A host that this worker has leased.
pub(crate) struct Host {
    pub(crate) run: Arc<Run>,
    pub(crate) lease: Lease,
    pub(crate) memories: SiteMemories,
    pub(crate) limiter: Arc<Limiter>,
    failures: AtomicU32,
    urls: AtomicU64,
    began: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Due>,
    in_flight: HashSet<i64>,
    robots: Vec<(String, Access)>,
    traps: HashSet<String>,
    feeds: VecDeque<Arc<Feed>>,
    /// Whether some of the URLs read last were refused.
    refuses: bool,
    /// Whether this turn of the host is over.
    over: bool,
}

/// Works on a host until none of its URLs is due or its turn is over, then releases it.
pub(crate) async fn work(run: Arc<Run>, lease: Lease) -> Result<(), Error> {
    let limiter = Arc::new(Limiter::new(lease.next_request, run.settings.delay, run.settings.per_host));
    run.limiters.insert(&lease.host, Arc::clone(&limiter));
    run.tell(&Event::HostOpened { host: lease.host.clone() });
    let host = Arc::new(Host {
        memories: SiteMemories::default(),
        failures: AtomicU32::new(lease.failures),
        urls: AtomicU64::new(lease.urls),
        began: Instant::now(),
        state: Mutex::default(),
        limiter,
        lease,
        run,
    });
    let worked = host.work().await;
    let run = &host.run;
    let (owner, host_id, next) = (run.owner.clone(), host.lease.host_id, host.limiter.next());
    let released = run
        .store
        .call(move |corpus| Ok(corpus.transaction(|tx| frontier::release_host(tx, &owner, host_id, next))?));
    let released = released.await;
    run.limiters.remove(&host.lease.host);
    run.tell(&Event::HostReleased { host: host.lease.host.clone() });
    worked.and(released)
}

impl Host {
    async fn work(self: &Arc<Host>) -> Result<(), Error> {
        let host_id = self.lease.host_id;
        let traps =
            self.run.store.call(move |corpus| Ok(corpus.read(|tx| traps::closed(tx, host_id))?)).await?;
        self.state().traps = traps;
        let mut workers = JoinSet::new();
        for _ in 0..self.run.settings.per_host.max(1) {
            let host = Arc::clone(self);
            workers.spawn(async move {
                while let Some(due) = host.take().await? {
                    let id = due.id;
                    let visited = host.visit(due).await;
                    host.state().in_flight.remove(&id);
                    visited?;
                }
                Ok::<(), Error>(())
            });
        }
        let mut result = Ok(());
        while let Some(worker) = workers.join_next().await {
            // A panic costs the worker only its page.
            if let Ok(Err(error)) = worker {
                self.state().over = true;
                result = Err(error);
            }
        }
        result
    }

    /// The next URL; `None` when the turn is over.
    async fn take(&self) -> Result<Option<Due>, Error> {
        loop {
            if !self.may_go_on() {
                return Ok(None);
            }
            if let Some(due) = self.pop() {
                return Ok(Some(due));
            }
            let refused = self.refill().await?;
            if refused.is_empty() {
                return Ok(self.pop());
            }
            let refuse = self
                .run
                .store
                .call(move |corpus| Ok(corpus.transaction(|tx| frontier::refuse(tx, &refused))?));
            refuse.await?;
        }
    }

    /// Reads ahead from the frontier. Returns the URLs that need no visit.
    async fn refill(&self) -> Result<Vec<Refusal>, Error> {
        let limit = {
            let state = self.state();
            state.in_flight.len() + if state.refuses { READ_AHEAD_OF_REFUSED } else { READ_AHEAD }
        };
        let (host_id, horizon) = (self.lease.host_id, self.run.horizon());
        let next = self
            .run
            .store
            .call(move |corpus| Ok(corpus.read(|tx| frontier::next_urls(tx, host_id, horizon, limit))?));
        let next = next.await?;
        let mut state = self.state();
        if !state.queue.is_empty() {
            return Ok(Vec::new());
        }
        let mut refused = Vec::new();
        for due in next {
            match self.refusal(&state, &due) {
                Some(refusal) => refused.push(refusal),
                None if state.in_flight.contains(&due.id) => {}
                None => state.queue.push_back(due),
            }
        }
        state.refuses = !refused.is_empty();
        Ok(refused)
    }

    /// Why a URL is not visited, if that is known without a request.
    fn refusal(&self, state: &State, due: &Due) -> Option<Refusal> {
        let url = urls::parse(&due.url)?;
        let refusal = |reason: String, until| Some(Refusal { id: due.id, reason, until });
        if due.kind != Kind::Seed && !state.traps.is_empty() {
            let pattern = urls::pattern(&url);
            if state.traps.contains(&pattern) {
                return refusal(format!("trap: addresses like {pattern} lead to nothing new"), None);
            }
        }
        let origin = urls::origin(&url);
        match state.robots.iter().find(|(known, _)| *known == origin) {
            Some((_, Access::Rules { robots, until })) if !robots.allows(AGENT, &url) => {
                refusal(DISALLOWED.to_owned(), Some(*until))
            }
            _ => None,
        }
    }

    fn pop(&self) -> Option<Due> {
        let mut state = self.state();
        let due = state.queue.pop_front()?;
        state.in_flight.insert(due.id);
        Some(due)
    }

    fn may_go_on(&self) -> bool {
        let run = &self.run;
        !self.state().over
            && !run.stop.requested()
            && run.may_fetch()
            && run.lease_is_valid()
            && self.began.elapsed() < TURN
    }

    /// Visits a URL and commits the result.
    async fn visit(self: &Arc<Host>, due: Due) -> Result<(), Error> {
        let Some(url) = urls::parse(&due.url) else {
            return self.commit(refused(due, "not a web address".to_owned(), None)).await;
        };
        let context = self.context(&due).await?;
        if !due.is_seed()
            && let Err(decision) = interpret::admits(&context, &url, due.kind)
        {
            return self.commit(refused(due, interpret::reason(&decision), None)).await;
        }
        match self.robots(&url).await? {
            Access::LeaseLost => {
                self.state().over = true;
                return Ok(());
            }
            Access::Private { reason } => return self.mark_private(reason).await,
            Access::Unreachable { reason, until } => {
                self.hold_back(&reason, until);
                return self.commit(Plan::new(due, None, Verdict::HeldBack { reason, until })).await;
            }
            Access::Rules { robots, until } => {
                self.keep_crawl_delay(&robots);
                if !robots.allows(AGENT, &url) {
                    return self.commit(refused(due, DISALLOWED.to_owned(), Some(until))).await;
                }
            }
        }
        if self.limiter.next() - self.run.clock.now() > MAX_PAUSE_IN_TURN {
            // Release the host meanwhile, so that another one can be worked on.
            self.state().over = true;
            return Ok(());
        }
        let Some(permit) = self.limiter.begin(self.run.clock, &self.run.stop).await else { return Ok(()) };
        if !self.may_go_on() || !self.run.count_page() {
            // Not visited, so it stays due.
            self.state().over = true;
            return Ok(());
        }
        let answer = self.run.client.get(&request(&due, &url)).await;
        self.limiter.end(self.run.clock);
        drop(permit);
        let now = self.run.clock.now();
        let interpreted = match answer {
            Ok(response) => {
                let (status, visited) = (response.status, due.clone());
                let interpret = move || interpret::response(&context, due, &url, &response, now);
                self.run.compute(interpret).await.unwrap_or_else(|| {
                    // A panic counts as a failure of this page.
                    let reason = "internal error (please report it)".to_owned();
                    let verdict = Verdict::Failed { reason, retry: true, host: false };
                    Interpreted {
                        plan: Plan::new(visited, Some(status), verdict),
                        feed: None,
                        new_seed: None,
                    }
                })
            }
            Err(error @ tamis_fetch::Error::Refused { .. }) => {
                return self.mark_private(error.to_string()).await;
            }
            Err(error) => {
                let host = error.is_transient();
                let verdict = Verdict::Failed { reason: error.to_string(), retry: host, host };
                Interpreted { plan: Plan::new(due, None, verdict), feed: None, new_seed: None }
            }
        };
        self.follow_up(interpreted).await
    }

    /// Records that the host has a private address. Its URLs stay due for a run with `allow_private`.
    async fn mark_private(&self, reason: String) -> Result<(), Error> {
        self.state().over = true;
        let host_id = self.lease.host_id;
        let mark = self.run.store.call(move |corpus| {
            Ok(corpus.transaction(|tx| {
                tx.execute("UPDATE host SET private = 1 WHERE id = $1", tamis_corpus::params![host_id])
            })?)
        });
        mark.await?;
        self.run.tell(&Event::Private { host: self.lease.host.clone(), reason });
        Ok(())
    }

    async fn follow_up(self: &Arc<Host>, interpreted: Interpreted) -> Result<(), Error> {
        let Interpreted { plan, feed, new_seed } = interpreted;
        if let Some(feed) = feed {
            let mut state = self.state();
            state.feeds.push_back(feed);
            if state.feeds.len() > MAX_FEEDS {
                state.feeds.pop_front();
            }
        }
        if let Some(seed) = new_seed {
            let message = format!("a seed leads to {}, which is collected, too", urls::origin(&seed));
            self.run.tell(&Event::Warning { host: self.lease.host.clone(), message });
            self.run.add_seed(seed).await?;
        }
        match &plan.verdict {
            Verdict::HeldBack { reason, until } => self.hold_back(&reason.clone(), *until),
            Verdict::Failed { reason, host: true, .. } => self.hold_back(&reason.clone(), 0),
            _ => self.failures.store(0, Ordering::Relaxed),
        }
        self.commit(plan).await
    }

    /// Commits a visit and reports it.
    async fn commit(self: &Arc<Host>, plan: Plan) -> Result<(), Error> {
        let (owner, settings) = (self.owner(), Arc::clone(&self.run.settings));
        let now = self.run.clock.now();
        let full = self.urls.load(Ordering::Relaxed) >= settings.max_host_urls;
        let plan = if full { Plan { found: Vec::new(), ..plan } } else { self.without_traps(plan) };
        let plan = Arc::new(plan);
        let committing = Arc::clone(&plan);
        let committed =
            self.run.store.commit(move |tx| commit::apply(tx, &owner, &committing, &settings, now)).await?;
        let Some(done) = committed else {
            self.state().over = true;
            return Ok(());
        };
        self.report(&plan, &done);
        if let Some((site, record)) = &plan.record {
            self.memories.observe(site, record.clone());
        }
        revise_first_stories(self).await
    }

    fn report(&self, plan: &Plan, done: &Committed) {
        let host = || self.lease.host.clone();
        self.urls.fetch_add(done.added, Ordering::Relaxed);
        let stored = matches!(done.story, Some((_, tamis_corpus::Change::New)));
        self.run.count(done);
        self.run.tell(&Event::Visited {
            host: host(),
            url: plan.due.url.clone(),
            status: plan.status,
            outcome: done.outcome.clone(),
            stored,
        });
        if let Some(pattern) = &done.trap {
            let mut state = self.state();
            state.traps.insert(pattern.clone());
            // URLs read ahead may belong to the trap.
            state.queue.clear();
            drop(state);
            let message =
                format!("trap: addresses like {pattern} lead to nothing new and are no longer visited");
            self.run.tell(&Event::Warning { host: host(), message });
        }
        if let Some(reason) = &done.closed {
            self.state().over = true;
            self.run.tell(&Event::Warning { host: host(), message: format!("closed: {reason}") });
        }
    }

    /// Removes URLs of this host whose pattern is closed.
    fn without_traps(&self, mut plan: Plan) -> Plan {
        let state = self.state();
        if !state.traps.is_empty() {
            let is_trap = |found: &Found| {
                found.host == self.lease.host
                    && urls::parse(&found.url).is_some_and(|url| state.traps.contains(&urls::pattern(&url)))
            };
            plan.found.retain(|found| !is_trap(found));
        }
        plan
    }

    async fn context(self: &Arc<Host>, due: &Due) -> Result<Context, Error> {
        let run = &self.run;
        let knowledge = match due.kind {
            Kind::Feed | Kind::Sitemap => Default::default(),
            _ => self.memories.of(self, &due.url).await?,
        };
        Ok(Context {
            settings: Arc::clone(&run.settings),
            scope: Arc::clone(&run.scope),
            engine: run.engine.clone(),
            keep_raw: run.settings.keep_raw || knowledge.unripe,
            site: knowledge.known,
            observe: knowledge.observe,
            feeds: self.state().feeds.iter().cloned().collect(),
        })
    }

    async fn robots(&self, url: &Url) -> Result<Access, Error> {
        let origin = urls::origin(url);
        let now = self.run.clock.now();
        let known = self.state().robots.iter().find(|(known, _)| *known == origin).map(|(_, it)| it.clone());
        if let Some(Access::Rules { until, .. } | Access::Unreachable { until, .. }) = &known
            && *until > now
        {
            return Ok(known.unwrap_or(Access::LeaseLost));
        }
        let access = robots_cache::access(self, url).await?;
        let mut state = self.state();
        state.robots.retain(|(known, _)| *known != origin);
        state.robots.push((origin, access.clone()));
        Ok(access)
    }

    /// Applies the `Crawl-delay` of a robots.txt.
    pub(crate) fn keep_crawl_delay(&self, robots: &Robots) {
        let delay = robots.crawl_delay(AGENT).unwrap_or_default();
        self.limiter.set_delay(self.run.settings.delay.max(delay));
    }

    /// The sitemaps in scope that a robots.txt declares.
    pub(crate) fn sitemaps(&self, base: &Url, robots: &Robots, limit: usize) -> Vec<Found> {
        let scope = self.run.scope.read().unwrap_or_else(PoisonError::into_inner);
        let all = robots.sitemaps().iter().filter_map(|sitemap| urls::resolve(sitemap, base));
        let wanted = all.filter(|sitemap| scope.decide(sitemap) == crate::scope::Decision::InScope);
        wanted.take(limit).map(|sitemap| robots_cache::found_sitemap(&sitemap)).collect()
    }

    /// Suspends requests to the host, for twice as long with every consecutive failure.
    fn hold_back(&self, reason: &str, until: i64) {
        let failures = self.failures.fetch_add(1, Ordering::Relaxed).min(16);
        let pause = self.run.settings.retry.saturating_mul(1 << failures).min(MAX_PAUSE);
        let until = until.max(self.run.clock.now() + millis(pause));
        self.limiter.hold_until(until);
        self.state().over = true;
        self.run.tell(&Event::HeldBack {
            host: self.lease.host.clone(),
            reason: reason.to_owned(),
            until: self.limiter.next(),
        });
    }

    /// Consecutive failures of the host.
    pub(crate) fn failed(&self) -> u32 {
        self.failures.load(Ordering::Relaxed)
    }

    pub(crate) fn owner(&self) -> Owner {
        Owner {
            host_id: self.lease.host_id,
            name: self.run.owner.clone(),
            lease_until: self.run.clock.now() + millis(self.run.settings.lease),
            next_request: self.limiter.next(),
            delay: self.limiter.delay(),
            failures: self.failed(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn refused(due: Due, reason: String, until: Option<i64>) -> Plan {
    Plan::new(due, None, Verdict::Refused { reason, until })
}

fn request(due: &Due, url: &Url) -> Request {
    let accept = match due.kind {
        Kind::Feed => Accept::Feed,
        Kind::Sitemap => Accept::Sitemap,
        Kind::Seed => Accept::Any,
        _ => Accept::Page,
    };
    let mut request = Request::new(url.clone(), accept);
    if matches!(due.kind, Kind::Seed | Kind::Sitemap) {
        // Longer sitemaps are truncated.
        request.max_body = Some(sitemap::Limits::default().bytes);
        request.truncate = due.kind == Kind::Sitemap;
    }
    if due.fetched.is_some() {
        request.etag.clone_from(&due.etag);
        request.last_modified.clone_from(&due.last_modified);
    }
    request
}

/// Which URLs are due for a run that began at `began`.
pub(crate) fn horizon(now: i64, began: i64, settings: &Settings) -> Horizon {
    Horizon { now, revisits: if settings.watch { i64::MAX } else { began }, private: settings.allow_private }
}
