//! A request to end: what is in flight is finished, nothing new is begun.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// A flag that a signal handler or another thread raises.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    inner: Arc<(AtomicBool, Notify)>,
}

impl Stop {
    /// Asks the run to end.
    pub fn request(&self) {
        self.inner.0.store(true, Ordering::SeqCst);
        self.inner.1.notify_waiters();
    }

    /// Whether the run was asked to end.
    pub fn requested(&self) -> bool {
        self.inner.0.load(Ordering::SeqCst)
    }

    /// Waits until the run is asked to end.
    pub(crate) async fn wait(&self) {
        let notified = self.inner.1.notified();
        if !self.requested() {
            notified.await;
        }
    }
}
