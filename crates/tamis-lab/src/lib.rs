//! Where an extractor stands: evaluation sets, metrics with their intervals, and reports.
//!
//! Any tool can be measured, ours and others', on the same pages in the same run. A [`Set`] is a folder of pages with
//! the text that a person would keep of each; a [`Tool`] is a name and what it made of them; every page gets a
//! [`PageScore`] for every tool, and an [`Evaluation`] holds them all.
//!
//! Nothing here prints, and nothing is needed to extract text.

pub mod evaluation;
mod json_lines;
mod letters;
pub mod outputs;
pub mod overlap;
pub mod problem;
pub mod report;
pub mod score;
pub mod segments;
pub mod set;
pub mod title;

pub use evaluation::{Evaluation, SetResult, ToolResult};
pub use outputs::{Output, OutputsError, Tool};
pub use overlap::Overlap;
pub use problem::Problem;
pub use score::{PageScore, TextScore};
pub use segments::{SegmentCounts, SegmentScore};
pub use set::{PageError, Set, SetError, Truth};
pub use title::TitleScore;
