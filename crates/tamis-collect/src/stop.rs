//! A stop request: visits in flight are finished, no new ones are started.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// A flag set by a signal handler or another thread.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    inner: Arc<(AtomicBool, Notify)>,
}

impl Stop {
    /// Requests a stop.
    pub fn request(&self) {
        self.inner.0.store(true, Ordering::SeqCst);
        self.inner.1.notify_waiters();
    }

    /// Whether a stop was requested.
    pub fn requested(&self) -> bool {
        self.inner.0.load(Ordering::SeqCst)
    }

    /// Waits for a stop request.
    pub(crate) async fn wait(&self) {
        let notified = self.inner.1.notified();
        if !self.requested() {
            notified.await;
        }
    }
}
