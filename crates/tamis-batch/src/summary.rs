//! The counts of a run.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::filter::Removed;

/// The counts of a run. Rows and removals together are all pages.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// All pages, failed ones included.
    pub pages: u64,
    /// Written rows.
    pub rows: u64,
    /// Rows of failed pages.
    pub failed: u64,
    /// Failed pages that are unreadable: a file is missing or damaged.
    pub damaged: u64,
    /// Failed pages that were read in part: they have a text and an error.
    #[serde(default)]
    pub partial: u64,
    /// Rows of pages that have no text and did not fail.
    pub empty: u64,
    /// Removed by language.
    pub language: u64,
    /// Removed by length.
    pub length: u64,
    /// Removed by confidence.
    pub confidence: u64,
    /// Removed duplicates.
    pub duplicate: u64,
    /// Removed near-duplicates.
    pub near_duplicate: u64,
    /// WARC records other than responses.
    pub no_answers: u64,
    /// Files in directories that are not inputs.
    pub other_files: u64,
    /// Decompressed bytes of all pages.
    pub bytes: u64,
}

impl Summary {
    pub(crate) fn remove(&mut self, why: Removed) {
        match why {
            Removed::Language => self.language += 1,
            Removed::Length => self.length += 1,
            Removed::Confidence => self.confidence += 1,
            Removed::Duplicate => self.duplicate += 1,
            Removed::NearDuplicate => self.near_duplicate += 1,
        }
    }

    /// All removed rows.
    pub fn removed(&self) -> u64 {
        self.language + self.length + self.confidence + self.duplicate + self.near_duplicate
    }

    /// Whether no page could be read, not even in part.
    pub fn nothing_read(&self) -> bool {
        self.failed - self.partial == self.pages
    }

    /// Rows with a text and without an error.
    pub fn texts(&self) -> u64 {
        self.rows - self.failed - self.empty
    }
}

/// A number with its noun.
///
/// ```
/// use tamis_batch::counted;
///
/// assert_eq!([counted(1, "page"), counted(2, "page"), counted(0, "story")], ["1 page", "2 pages", "0 stories"]);
/// ```
pub fn counted(count: u64, noun: &str) -> String {
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {noun}s"),
    }
}

/// One line of totals, and one per further count that is not zero.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (size, unit) = match self.bytes as f64 {
            bytes if bytes < 1e6 => (bytes / 1e3, "kB"),
            bytes => (bytes / 1e6, "MB"),
        };
        write!(
            f,
            "{} ({size:.1} {unit}): {} with text, {} without, {} failed",
            counted(self.pages, "page"),
            self.texts(),
            self.empty,
            self.failed
        )?;
        if self.damaged > 0 {
            write!(f, " ({} could not be read)", self.damaged)?;
        }
        if self.partial > 0 {
            write!(f, " ({} with partial text)", self.partial)?;
        }
        let removed = [
            (self.language, Removed::Language),
            (self.length, Removed::Length),
            (self.confidence, Removed::Confidence),
            (self.duplicate, Removed::Duplicate),
            (self.near_duplicate, Removed::NearDuplicate),
        ];
        if self.removed() > 0 {
            write!(f, ", {} removed (", self.removed())?;
            let some: Vec<String> = removed
                .iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, why)| format!("{}: {count}", why.name()))
                .collect();
            write!(f, "{})", some.join(", "))?;
        }
        if self.no_answers > 0 {
            write!(f, "\n{} skipped: not a response", counted(self.no_answers, "archive record"))?;
        }
        if self.other_files > 0 {
            write!(f, "\n{} skipped: not a page by name", counted(self.other_files, "file"))?;
        }
        Ok(())
    }
}
