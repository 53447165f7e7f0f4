//! The command as a user runs it. One binary, because linking the command's dependencies takes longer than the tests.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]
#![allow(clippy::print_stderr, reason = "a skipped step is reported")]

mod batch;
mod batch_again;
mod batch_interrupted;
#[cfg(all(feature = "collect", unix))]
mod collector_tutorial;
#[cfg(feature = "collect")]
mod corpus;
mod crawl;
mod eval;
mod extract;
mod feeds;
#[cfg(feature = "fetch")]
mod fetch;
mod fuzz;
mod help;
mod inputs;
mod label;
mod rules;
mod run;
#[cfg(feature = "fetch")]
#[allow(dead_code, reason = "shared with the tests of the client")]
#[path = "../../../tamis-fetch/src/client/test_server.rs"]
mod server;
mod site;
mod train;
mod tree;
mod tutorials;
