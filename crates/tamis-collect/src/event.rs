//! Events of a run, for live tables, logs and tests.

use std::sync::Arc;

/// An event of a run.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Event {
    /// Work on a host begins.
    HostOpened {
        /// The host.
        host: String,
    },
    /// Work on a host pauses or ends.
    HostReleased {
        /// The host.
        host: String,
    },
    /// A URL was visited; the result is committed.
    Visited {
        /// The host.
        host: String,
        /// The URL.
        url: String,
        /// The HTTP status; `None` without a response.
        status: Option<u16>,
        /// The outcome, as `collect why` shows it.
        outcome: String,
        /// Whether a new story was stored.
        stored: bool,
    },
    /// Requests to a host are suspended.
    HeldBack {
        /// The host.
        host: String,
        /// The reason.
        reason: String,
        /// The end of the pause, in milliseconds since 1970.
        until: i64,
    },
    /// The host resolves to a private address, which the settings do not allow.
    Private {
        /// The host.
        host: String,
        /// The refused address.
        reason: String,
    },
    /// A warning, such as a trap.
    Warning {
        /// The host.
        host: String,
        /// The text of the warning.
        message: String,
    },
    /// Nothing is due before this time.
    Waiting {
        /// Milliseconds since 1970.
        until: i64,
    },
}

/// Receives events, from any thread.
pub type Observer = Arc<dyn Fn(&Event) + Send + Sync>;
