//! Annotations shared by all later stages: page metadata, lexicon categories and groups of repeated siblings.

pub(crate) mod cells;
mod dates;
mod head;
pub(crate) mod json_ld;
mod labels;
pub(crate) mod microdata;
mod records;

pub(crate) use cells::{Cell, Cells};
pub use head::Head;
pub(crate) use head::{HeadIndex, MetaField, collapse};
pub use labels::Labels;
pub(crate) use labels::MAX_PHRASE_WORDS;
pub use records::{RecordGroup, Records};

use crate::page::Page;
use crate::text::log_odds::LogOddsTable;

/// Annotations of a page, computed once.
#[derive(Debug, Default)]
pub struct Annotations {
    pub head: Head,
    pub labels: Labels,
    pub records: Records,
}

impl Annotations {
    #[inline(never)]
    pub fn fill(&mut self, page: &Page<'_>, word_log_odds: &LogOddsTable) {
        self.head.fill(&page.dom, page);
        self.labels.fill(page, &self.head, word_log_odds);
        self.records.fill(page, &self.labels);
    }
}
