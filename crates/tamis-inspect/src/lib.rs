//! Why a page was extracted as it was: [`Inspection`], one JSON with every block, every method and every candidate, and the
//! web page that shows it.
//!
//! ```
//! use tamis::{Extractor, Input};
//! use tamis_inspect::{InspectOptions, inspect};
//!
//! let input = Input::text("<ul><li><a href=/>Home</a></ul><p>It rained for nine days, and the river rose by two metres.");
//! let inspection = inspect(&Extractor::new(), input, &InspectOptions::default())?;
//! let block = &inspection.blocks[1];
//! assert!(block.kept && block.methods["correlation"].keep);
//! assert!(tamis_inspect::standalone(&inspection).starts_with("<!doctype html>"));
//! # Ok::<(), tamis::ExtractError>(())
//! ```
//!
//! [`inspect`] does everything. Callers that learn something from the analysis first, such as what a feed says of the page,
//! call [`Extractor::explain_with`](tamis::Extractor::explain_with) and then [`of_analysis`].
//!
//! The crate does no I/O and starts no threads, so that it also runs as WebAssembly.

#![forbid(unsafe_code)]

mod assets;
mod build;
mod curves;
mod inspection;
mod metadata;
mod view;

pub use assets::{Asset, CONTENT_SECURITY_POLICY, assets, standalone};
pub use build::{InspectOptions, inspect, of_analysis};
pub use inspection::{
    Block, BlockClass, BlockSite, Candidate, Curve, FieldReport, Inspection, MethodSummary, Output,
    PageSummary, PageView, SCHEMA, Series, Sign, Threshold, Verdict,
};
