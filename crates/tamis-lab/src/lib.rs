//! Evaluation, labelling and training: evaluation sets, metrics with confidence intervals, reports, models.
//!
//! A [`Set`] is a folder of pages with their true texts, and a [`Tool`] holds the outputs of an extractor, ours or
//! another. [`SetResult::of`] scores every page for every tool, and an [`Evaluation`] holds the results of all sets.
//! [`Summary`] computes metrics with confidence intervals.
//!
//! ```no_run
//! use tamis_lab::{Figure, Set, SetResult, Settings, Tool};
//!
//! let set = Set::open("sets/news".as_ref())?;
//! let (theirs, problems) = Tool::read("theirs", "theirs.jsonl".as_ref(), &set)?;
//! let settings = Settings { methods: tamis_methods::Selection::all().collect(), ..Settings::default() };
//! let result = SetResult::of(set, vec![theirs], problems, &settings, &|_| ());
//! for tool in &result.tools {
//!     println!("{}: {:?}", tool.name, tool.summary().figure(Figure::TokenF1));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod author;
pub mod date;
mod evaluation;
mod figure;
pub mod gate;
mod headline;
pub mod json;
mod json_lines;
pub mod label;
mod lcs;
mod leaf_tags;
mod letters;
pub mod outputs;
mod overlap;
mod pages;
mod pair;
mod parallel;
mod posts;
pub mod problem;
pub mod report;
pub mod run;
mod sample;
mod score;
mod segments;
mod set;
mod shingles;
mod summary;
mod table;
pub mod tables;
mod title;
mod tokens;
pub mod train;
pub mod whole_file;

pub use evaluation::{Evaluation, SetResult, Settings, Step, ToolResult};
pub use figure::Figure;
pub use outputs::{Output, OutputsError, Tool};
pub use overlap::Overlap;
pub use pair::Pair;
pub use posts::{Post, PostScore};
pub use problem::Problem;
pub use run::Trial;
pub use score::{PageScore, TextScore};
pub use segments::{SegmentCounts, SegmentScore};
pub use set::{PageError, Set, SetError, Truth};
pub use summary::{By, Estimate, Summary};
pub use table::Table;
pub use title::TitleScore;
