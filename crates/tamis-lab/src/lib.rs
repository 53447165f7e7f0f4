//! Where an extractor stands: evaluation sets, metrics with their intervals, and reports.
//!
//! Any tool can be measured, ours and others', on the same pages in the same run. A [`Set`] is a folder of pages with
//! the text that a person would keep of each; a [`Tool`] is a name and what it made of them; every page gets a
//! [`PageScore`] for every tool, and an [`Evaluation`] holds them all. [`Summary`] makes figures with intervals of it,
//! [`Pair`] says whether two tools differ.
//!
//! ```
//! use tamis_lab::{Output, Truth, score::Reference};
//!
//! let truth = Truth { text: Some("It rained in the harbour.".into()), ..Truth::default() };
//! let output = Output { text: Some("Home. It rained in the harbour.".into()), ..Output::default() };
//! let score = Reference::new(&truth, false).score(Some(&output));
//! assert_eq!(score.text.unwrap().tokens.recall(), 1.0);
//! ```
//!
//! Nothing here prints, and nothing is needed to extract text.

pub mod author;
pub mod date;
pub mod day_on_page;
pub mod evaluation;
pub mod figure;
pub mod gate;
pub mod headline;
pub mod json;
mod json_lines;
pub mod label;
pub mod lcs;
pub mod leaf_tags;
mod letters;
pub mod outputs;
pub mod overlap;
pub mod pages;
pub mod pair;
mod parallel;
pub mod problem;
pub mod report;
pub mod run;
pub mod sample;
pub mod score;
pub mod segments;
pub mod set;
pub mod shingles;
pub mod summary;
pub mod table;
pub mod tables;
pub mod title;
pub mod tokens;
pub mod train;
pub mod whole_file;

pub use evaluation::{Evaluation, SetResult, Settings, Step, ToolResult};
pub use figure::Figure;
pub use outputs::{Output, OutputsError, Tool};
pub use overlap::Overlap;
pub use pair::Pair;
pub use problem::Problem;
pub use run::Trial;
pub use score::{PageScore, TextScore};
pub use segments::{SegmentCounts, SegmentScore};
pub use set::{PageError, Set, SetError, Truth};
pub use summary::{By, Estimate, Summary};
pub use table::Table;
pub use title::TitleScore;
