//! Learns what a site repeats from page to page, as the papers describe.
//!
//! `lines` needs the counts of lines, `template-svm` the leaf tags that are templates. [`Site`] learns both from pages
//! in order, as published. `tamis-site` counts all pages first, so that their order does not matter.

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
pub use templates::{Frequency, TemplateSettings};

use crate::lines;
use templates::TemplateLibrary;

/// A site learned from its pages in order, as published. The first pages are thus judged without knowledge of the site.
#[derive(Clone, Debug, Default)]
pub struct Site {
    settings: lines::Settings,
    lines: LineTable,
    templates: TemplateLibrary,
}

impl Site {
    /// A site without pages, with the settings for `lines` and for `template-svm`.
    pub fn new(lines: lines::Settings, templates: TemplateSettings) -> Site {
        Site { settings: lines, lines: LineTable::default(), templates: TemplateLibrary::new(templates) }
    }

    /// Learns a page of the site.
    pub fn observe(&mut self, page: &Page<'_>) {
        let passes = lines::first_stage(page, &self.settings);
        let blocks = (0..page.blocks.len()).filter(|block| passes[*block]);
        self.lines.observe(blocks.map(|block| page.blocks.text(block)));
        self.templates.observe(&leaf_tags(page));
    }
}

impl SiteMemory for Site {
    fn pages(&self) -> u32 {
        self.lines.pages()
    }

    /// LC of a line so far. The paper counts occurrences, so two on one page count twice.
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
        assert_eq!((site.pages(), site.pages_with_line("Welcome to our site.")), (3, 3));
        assert_eq!(site.pages_with_line("Home"), 0, "it has no punctuation");
        assert!(site.is_template("li", "Home") && !site.is_template("p", "Home"));
    }
}
