//! What a site repeats from page to page, learned as the papers describe.
//!
//! `lines` asks how often a line was seen, `template-svm` which leaf tags are templates. [`Site`] learns both from
//! pages in order, as published. A memory that counts first and decides later, so that the order of pages does not
//! matter, implements [`SiteMemory`] itself.

mod edit_distance;
mod grams;
mod leaf_tags;
mod line_table;
mod near_index;
mod templates;

use tamis::classify::SiteMemory;
use tamis::page::Page;

pub use leaf_tags::{LeafTag, leaf_tags};
pub use line_table::LineTable;
pub use near_index::NearIndex;
pub use templates::{Frequency, TemplateLibrary, TemplateSettings};

use crate::lines;

/// Settings of the methods that learn from a site.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Settings {
    /// For `lines`.
    pub lines: lines::Settings,
    /// For `template-svm`.
    pub templates: TemplateSettings,
}

/// A site learned from its pages in order, as published. Early pages keep their noise.
#[derive(Clone, Debug)]
pub struct Site {
    settings: Settings,
    pages: u32,
    lines: LineTable,
    templates: TemplateLibrary,
}

impl Default for Site {
    fn default() -> Self {
        Site::new(Settings::default())
    }
}

impl Site {
    /// A site without pages.
    pub fn new(settings: Settings) -> Site {
        let lines = LineTable::new(settings.lines.l);
        Site { settings, pages: 0, lines, templates: TemplateLibrary::new(settings.templates) }
    }

    /// Learns a page of the site.
    pub fn observe(&mut self, page: &Page<'_>) {
        let passes = lines::first_stage(page, &self.settings.lines);
        let blocks = passes.into_iter().enumerate().filter(|(_, passes)| *passes);
        let digests: Vec<u128> =
            blocks.map(|(block, _)| LineTable::digest(page.blocks.text(block))).collect();
        self.observe_parts(digests, &leaf_tags(page));
    }

    /// Learns a page from the [digests](LineTable::digest) of its lines and its leaf tags.
    pub fn observe_parts(&mut self, lines: impl IntoIterator<Item = u128>, tags: &[LeafTag<'_>]) {
        self.pages = self.pages.saturating_add(1);
        self.lines.page_of_digests(lines);
        self.templates.observe(tags);
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The lines seen so far.
    pub fn lines(&self) -> &LineTable {
        &self.lines
    }

    /// The templates found so far.
    pub fn templates(&self) -> &TemplateLibrary {
        &self.templates
    }
}

impl SiteMemory for Site {
    fn pages(&self) -> u32 {
        self.pages
    }

    /// LC of a line so far. The paper counts sightings: two on one page count twice.
    fn pages_with_line(&self, line: &str) -> u32 {
        self.lines.count(line)
    }

    fn is_template(&self, tag: &str, text: &str) -> bool {
        self.templates.contains_near(tag, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_learns_lines_and_templates() {
        let mut site = Site::default();
        let page = Page::parse("<li>Home</li><p>Welcome to our site.</p>");
        assert!(!site.is_template("li", "Home"));
        (0..3).for_each(|_| site.observe(&page));
        assert_eq!((site.pages(), site.lines().len(), site.templates().len()), (3, 1, 2));
        assert_eq!((site.pages_with_line("Welcome to our site."), site.pages_with_line("Home")), (3, 0));
        assert!(site.is_template("li", "Home") && !site.is_template("p", "Home"));
    }
}
