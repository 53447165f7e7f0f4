//! Problems of sets and outputs, with file and line. They do not stop the rest from being scored.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;

/// A problem in a set or in a file of outputs.
///
/// ```
/// use tamis_lab::Problem;
///
/// let problem = Problem { file: "gne/truth.jsonl".into(), line: 7, what: "duplicate id \"a\"".into() };
/// assert_eq!(problem.to_string(), "gne/truth.jsonl:7: duplicate id \"a\"");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1; 0 for the whole file.
    pub line: usize,
    /// What is wrong and how it was handled.
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

/// Formats problems, one per line: all that concern whole files, and up to `most` lines per file with a count of the
/// rest.
///
/// ```
/// use tamis_lab::{Problem, problem::listed};
///
/// let problem = |line| Problem { file: "theirs.jsonl".into(), line, what: "no JSON".into() };
/// let problems: Vec<Problem> = (1..=5).map(problem).collect();
/// assert_eq!(
///     listed(problems.iter(), 2),
///     ["theirs.jsonl:1: no JSON", "theirs.jsonl:2: no JSON", "theirs.jsonl: 3 more of its lines"]
/// );
/// ```
pub fn listed<'p>(problems: impl Iterator<Item = &'p Problem>, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let (mut file, mut seen): (Option<&Path>, usize) = (None, 0);
    let more = |file: Option<&Path>, seen: usize| {
        let file = file.filter(|_| seen > most)?;
        Some(format!("{}: {} more of its lines", file.display(), seen - most))
    };
    for problem in problems {
        if file != Some(&problem.file) {
            lines.extend(more(file, seen));
            (file, seen) = (Some(problem.file.as_path()), 0);
        }
        seen += usize::from(problem.line > 0);
        if seen <= most || problem.line == 0 {
            lines.push(problem.to_string());
        }
    }
    lines.extend(more(file, seen));
    lines
}
