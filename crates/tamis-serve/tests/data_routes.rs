//! The routes on things that are kept, over HTTP: corpus, site memory, labels and training.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test that fails by `unwrap` names its line")]

#[path = "data_routes/corpus.rs"]
mod corpus;
#[path = "data_routes/fixture.rs"]
mod fixture;
#[path = "data_routes/harness.rs"]
mod harness;
#[path = "data_routes/labels.rs"]
mod labels;
#[path = "data_routes/sites.rs"]
mod sites;
