//! Events of a run, for live tables, logs and tests.

use std::sync::Arc;

/// Something that happened.
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
        /// The HTTP status; `None` if no answer came or no request was made.
        status: Option<u16>,
        /// The result, as `collect why` shows it.
        outcome: String,
        /// Whether a new story was stored.
        stored: bool,
    },
    /// Requests to a host are held back.
    HeldBack {
        /// The host.
        host: String,
        /// Why.
        reason: String,
        /// Until when, in milliseconds since 1970.
        until: i64,
    },
    /// The host has a private address, which the settings do not allow.
    Private {
        /// The host.
        host: String,
        /// Which address.
        reason: String,
    },
    /// A warning, such as a trap.
    Warning {
        /// The host.
        host: String,
        /// What it is.
        message: String,
    },
    /// Nothing can be done before this time.
    Waiting {
        /// Milliseconds since 1970.
        until: i64,
    },
}

/// Receives events, from any thread.
pub type Observer = Arc<dyn Fn(&Event) + Send + Sync>;
