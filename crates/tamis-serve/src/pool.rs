//! Where pages are worked on: as many at a time as there are threads, and a bounded number that wait.
//!
//! A request that is dropped, because its client went away or its time is over, leaves the queue at once.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::config::Limits;
use crate::problem::{Answer, Problem};

/// The threads and the queue before them.
#[derive(Debug)]
pub struct Pool {
    places: Arc<Semaphore>,
    threads: Arc<Semaphore>,
    limits: Limits,
}

impl Pool {
    pub(crate) fn new(limits: Limits) -> Pool {
        let places = Arc::new(Semaphore::new(limits.threads.saturating_add(limits.queue)));
        Pool { places, threads: Arc::new(Semaphore::new(limits.threads)), limits }
    }

    /// Runs what takes processor time or blocks; refuses it if the queue is full.
    pub async fn run<R: Send + 'static>(&self, work: impl FnOnce() -> R + Send + 'static) -> Answer<R> {
        let place = self.places.clone().try_acquire_owned().map_err(|_| {
            Problem::busy(format!(
                "{} pages are waiting: try again, or start the server with a larger --queue",
                self.limits.queue
            ))
        })?;
        self.run_in(place, work).await
    }

    /// Like [`run`](Self::run), but waits for a place in the queue: for clients that are read no faster than served.
    pub async fn run_patiently<R: Send + 'static>(
        &self,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Answer<R> {
        let place = self.places.clone().acquire_owned().await.map_err(|_| closed())?;
        self.run_in(place, work).await
    }

    async fn run_in<R: Send + 'static>(
        &self,
        place: tokio::sync::OwnedSemaphorePermit,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Answer<R> {
        let thread = self.threads.clone().acquire_owned().await.map_err(|_| closed())?;
        let done = spawn_blocking(move || {
            // Kept until the work is done, whether anybody waits for it or not.
            let _held = (place, thread);
            work()
        });
        done.await.map_err(|_| Problem::internal("internal error on this request (please report it)"))
    }

    /// Pages that are worked on or wait.
    pub fn in_use(&self) -> usize {
        self.limits.threads.saturating_add(self.limits.queue) - self.places.available_permits()
    }
}

fn closed() -> Problem {
    Problem::busy("the server is shutting down")
}
