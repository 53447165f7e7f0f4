//! Whether a block stands in what readers wrote below a text.

use super::{Row, bit};
use crate::comments::Part;
use crate::page::Page;

impl Row<'_> {
    pub(super) fn replies(&mut self, at: usize, page: &Page<'_>) {
        let part = match page.comments().part(at) {
            None => 0.0,
            Some(Part::Around) => 1.0,
            Some(Part::Body) => 2.0,
        };
        self.add("comment", part);
        let sections = page.comments().sections();
        self.add("behind comments", bit(sections.first().is_some_and(|section| section.blocks.end <= at)));
    }
}
