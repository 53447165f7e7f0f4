//! What is wrong with the material: named with file and line, so that it can be mended, and never in the way of
//! scoring the rest.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

/// Something wrong in a set or in a file of outputs.
///
/// ```
/// use tamis_lab::Problem;
///
/// let problem = Problem { file: "gne/truth.jsonl".into(), line: 7, what: "the id \"a\" was there before".into() };
/// assert_eq!(problem.to_string(), "gne/truth.jsonl:7: the id \"a\" was there before");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Problem {
    /// The file it is in.
    pub file: PathBuf,
    /// The line, counted from one; 0 where the whole file is meant.
    pub line: usize,
    /// What is wrong, and what became of it.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file.display(), self.what),
            line => write!(f, "{}:{line}: {}", self.file.display(), self.what),
        }
    }
}
