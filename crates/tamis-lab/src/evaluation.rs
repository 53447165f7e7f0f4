//! An evaluation: sets, the tools that were tried on them, and every figure of every page.

use crate::outputs::Output;
use crate::problem::Problem;
use crate::score::PageScore;
use crate::set::Set;

/// Sets with the tools that were tried on them.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// A set each.
    pub sets: Vec<SetResult>,
}

/// What the tools made of one set.
#[derive(Clone, Debug)]
pub struct SetResult {
    /// The set.
    pub set: Set,
    /// The tools, in the order in which they were named.
    pub tools: Vec<ToolResult>,
    /// What is wrong with the outputs; what is wrong with the set is in [`Set::problems`].
    pub problems: Vec<Problem>,
}

/// What one tool made of one set. Its lists go along with [`Set::truths`].
#[derive(Clone, Debug)]
pub struct ToolResult {
    /// The tool's name.
    pub name: String,
    /// The method of ours that it is, if it is one.
    pub method: Option<tamis::Method>,
    /// What it made of each page; nothing where there is no output.
    pub outputs: Vec<Option<Output>>,
    /// The figures of each page.
    pub scores: Vec<PageScore>,
}
