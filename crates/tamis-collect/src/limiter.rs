//! The rate limit of a host, shared by pages, feeds, sitemaps and robots.txt.
//!
//! The pause is from the end of one request to the start of the next, so slow servers get the full pause.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::clock::Clock;
use crate::stop::Stop;

/// Rate limiter of one host.
#[derive(Debug)]
pub(crate) struct Limiter {
    /// No request begins before this time, in milliseconds since 1970.
    next: Mutex<i64>,
    /// One permit per concurrent request.
    turns: Arc<Semaphore>,
    delay: Mutex<i64>,
    /// When the last request ended.
    ended: Mutex<Option<i64>>,
}

impl Limiter {
    pub(crate) fn new(next: i64, delay: Duration, at_once: usize) -> Limiter {
        Limiter {
            next: Mutex::new(next),
            turns: Arc::new(Semaphore::new(at_once.max(1))),
            delay: Mutex::new(millis(delay)),
            ended: Mutex::new(None),
        }
    }

    /// Waits until a request may begin. The turn ends with [`Limiter::end`] or when the permit is dropped.
    /// `None` if the run is asked to stop meanwhile.
    pub(crate) async fn begin(&self, clock: Clock, stop: &Stop) -> Option<OwnedSemaphorePermit> {
        let permit = Arc::clone(&self.turns).acquire_owned().await.ok()?;
        loop {
            let wait = {
                let mut next = lock(&self.next);
                let now = clock.now();
                if *next <= now {
                    // Concurrent requests keep the pause between their starts.
                    *next = now + self.delay();
                    None
                } else {
                    Some(*next - now)
                }
            };
            match wait {
                None => return Some(permit),
                Some(wait) => tokio::select! {
                    () = tokio::time::sleep(Duration::from_millis(wait.max(1) as u64)) => {}
                    () = stop.wait() => return None,
                },
            }
        }
    }

    /// Records the end of a request.
    pub(crate) fn end(&self, clock: Clock) {
        let now = clock.now();
        *lock(&self.ended) = Some(now);
        self.hold_until(now + self.delay());
    }

    /// Suspends requests until this time.
    pub(crate) fn hold_until(&self, time: i64) {
        let mut next = lock(&self.next);
        *next = (*next).max(time);
    }

    pub(crate) fn next(&self) -> i64 {
        *lock(&self.next)
    }

    /// Milliseconds between requests.
    pub(crate) fn delay(&self) -> i64 {
        *lock(&self.delay)
    }

    /// Changes the pause; a longer one also applies after the last request, such as the one for robots.txt.
    pub(crate) fn set_delay(&self, delay: Duration) {
        *lock(&self.delay) = millis(delay);
        if let Some(ended) = *lock(&self.ended) {
            self.hold_until(ended + millis(delay));
        }
    }
}

/// The limiters of the hosts that this process works on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limiters {
    hosts: Arc<Mutex<HashMap<String, Arc<Limiter>>>>,
}

impl Limiters {
    pub(crate) fn get(&self, host: &str) -> Option<Arc<Limiter>> {
        lock(&self.hosts).get(host).cloned()
    }

    pub(crate) fn insert(&self, host: &str, limiter: Arc<Limiter>) {
        lock(&self.hosts).insert(host.to_owned(), limiter);
    }

    pub(crate) fn remove(&self, host: &str) {
        lock(&self.hosts).remove(host);
    }
}

pub(crate) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX / 4)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
