//! What other pages of the site repeat.

use std::collections::HashMap;
use std::fmt::Debug;

use crate::page::Page;
use crate::text::hash::hash_bytes;

/// Knowledge about a site, gathered from its other pages.
pub trait SiteMemory: Debug + Send + Sync {
    /// Number of other pages known.
    fn pages(&self) -> u32;

    /// Number of those pages that contain this line.
    fn pages_with_line(&self, line: &str) -> u32;

    /// Whether an element with this tag and own text is a template of the site (paper 001).
    fn is_template(&self, tag: &str, text: &str) -> bool {
        let _ = (tag, text);
        false
    }

    /// A person's word on this line: whether to keep it, however often it repeats.
    fn decision(&self, line: &str) -> Option<bool> {
        let _ = line;
        None
    }

    /// The same knowledge without what `page` itself contributed, so that it does not count as its own repetition.
    /// `None` where it contributed nothing.
    fn excluding(&self, page: &Page<'_>, url: Option<&str>) -> Option<Box<dyn SiteMemory + '_>> {
        let _ = (page, url);
        None
    }
}

/// Pages needed before repetition counts as evidence.
const MIN_PAGES: u32 = 3;

/// Lowers the probability of blocks that many pages of the site repeat.
pub(super) fn apply(page: &Page<'_>, site: &dyn SiteMemory, probabilities: &mut [f32]) {
    let pages = site.pages();
    if pages < MIN_PAGES {
        return;
    }
    for (block, probability) in probabilities.iter_mut().enumerate() {
        let share = site.pages_with_line(page.blocks.text(block)) as f32 / pages as f32;
        // At a share of 0.6 the odds fall by a factor of 400; a line seen once in ten pages is hardly evidence.
        if share > 0.1 {
            let odds = *probability / (1.0 - *probability).max(1e-6);
            let odds = odds * libm::expf(-10.0 * share);
            *probability = odds / (1.0 + odds);
        }
    }
}

/// A site memory that counts lines, for callers that have several pages of a site at hand.
#[derive(Clone, Debug, Default)]
pub struct RepeatedLines {
    pages: u32,
    lines: HashMap<u64, u32>,
}

impl RepeatedLines {
    /// Counts each line of a page once. The page to extract should not be among the counted ones.
    pub fn observe(&mut self, page: &Page<'_>) {
        self.pages = self.pages.saturating_add(1);
        let hash = |block: usize| hash_bytes(page.blocks.text(block).as_bytes());
        let mut lines: Vec<u64> = (0..page.blocks.len()).map(hash).collect();
        lines.sort_unstable();
        lines.dedup();
        for line in lines {
            *self.lines.entry(line).or_default() += 1;
        }
    }
}

impl SiteMemory for RepeatedLines {
    fn pages(&self) -> u32 {
        self.pages
    }

    fn pages_with_line(&self, line: &str) -> u32 {
        self.lines.get(&hash_bytes(line.as_bytes())).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_lines_lose_probability() {
        let mut site = RepeatedLines::default();
        for text in ["one", "two", "three"] {
            site.observe(&Page::parse(&format!("<p>All rights reserved.<p>{text}")));
        }
        let mut probabilities = [0.9, 0.9];
        apply(&Page::parse("<p>All rights reserved.<p>four"), &site, &mut probabilities);
        assert!(probabilities[0] < 0.01 && probabilities[1] == 0.9, "{probabilities:?}");
    }
}
