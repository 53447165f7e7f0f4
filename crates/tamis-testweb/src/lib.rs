//! A small web on loopback with known stories, failures and traps, for the collector's tests.
//!
//! [`Web::start`] serves some 30 hosts on 127.0.0.N, all on one port. Every page is generated from a seed, so two webs
//! with the same settings have the same stories. [`Web::truth`] lists what a collector should find. The checks
//! [`Web::forbidden`], [`Web::too_fast`], [`Web::ignored_retry_after`] and [`Web::fetched_twice`] return violations
//! found in the servers' log, as messages.
//!
//! The table of hosts is in [`Kind`]. Linux answers on all of 127.0.0.0/8; other systems may need aliases.

// Test support: a broken invariant should stop the test where it happens.
#![allow(clippy::unwrap_used)]

mod checks;
mod date;
mod discovery;
mod hostile;
mod http;
mod kinds;
mod pages;
mod redirects;
mod robots;
mod server;
mod site;
mod story;
mod traps;
mod words;

pub use checks::Hit;
pub use kinds::Kind;
pub use server::Web;
pub use story::{Settings, Story};
