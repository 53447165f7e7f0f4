//! Permission for a single request to a host. A robots.txt may be redirected to a host that another task or worker
//! owns.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::OwnedSemaphorePermit;

use crate::error::Error;
use crate::frontier;
use crate::host::Host;
use crate::limiter::{Limiter, millis};

/// Longest wait for a turn at another host.
const FOREIGN_PATIENCE: Duration = Duration::from_secs(10);

/// A turn at a host.
pub(crate) struct Turn {
    limiter: Arc<Limiter>,
    permit: OwnedSemaphorePermit,
    /// The id of the host, if it was leased only for this request.
    borrowed: Option<i64>,
}

impl Turn {
    /// Ends the request.
    pub(crate) async fn end(self, host: &Host) -> Result<(), Error> {
        self.limiter.end(host.run.clock);
        drop(self.permit);
        let Some(host_id) = self.borrowed else { return Ok(()) };
        let (owner, next) = (host.run.owner.clone(), self.limiter.next());
        let release = host.run.store.call(move |corpus| {
            Ok(corpus.transaction(|tx| frontier::release_host(tx, &owner, host_id, next))?)
        });
        release.await
    }
}

impl Host {
    /// Waits for a turn at a host: this one, another one of this process, or a free one. `None` if another worker has
    /// it.
    pub(crate) async fn turn_at(&self, host: &str) -> Result<Option<Turn>, Error> {
        let start = Instant::now();
        loop {
            let limiter = if host == self.lease.host {
                Some(Arc::clone(&self.limiter))
            } else {
                self.run.limiters.get(host)
            };
            if let Some(limiter) = limiter {
                let permit = limiter.begin(self.run.clock, &self.run.stop).await;
                return Ok(permit.map(|permit| Turn { limiter, permit, borrowed: None }));
            }
            let (name, owner, clock) = (host.to_owned(), self.run.owner.clone(), self.run.clock);
            let (lease, delay) = (millis(self.run.settings.lease), self.run.settings.delay);
            let borrowed = self.run.store.call(move |corpus| {
                let now = clock.now();
                Ok(corpus.transaction(|tx| {
                    frontier::lease_host(tx, &name, &owner, now, now + lease, millis(delay))
                })?)
            });
            if let Some(lease) = borrowed.await? {
                let limiter = Arc::new(Limiter::new(lease.next_request, delay, 1));
                let permit = limiter.begin(self.run.clock, &self.run.stop).await;
                return Ok(permit.map(|permit| Turn { limiter, permit, borrowed: Some(lease.host_id) }));
            }
            if start.elapsed() > FOREIGN_PATIENCE {
                return Ok(None);
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }
}
