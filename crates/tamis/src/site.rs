//! What is known of a site from its other pages.
//!
//! Two of the methods need to know what a site repeats: `lines` asks how often a line was seen, `template-svm` which
//! leaf tags are templates. A [`Site`] learns both from the pages that are shown to it, in their order.

mod edit_distance;
mod leaf_tags;
mod line_table;
mod near_index;
mod templates;

pub use leaf_tags::{LeafTag, leaf_tags};
pub use line_table::LineTable;
pub use templates::{Frequency, Settings as TemplateSettings, TemplateLibrary};

use crate::methods::lines;
use crate::page::Page;

/// How a site is learned: the settings of the methods that learn from it.
///
/// ```
/// let settings = tamis::site::Settings::default();
/// assert_eq!((settings.lines.l, settings.templates.n1), (50, 10));
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Settings {
    /// For `lines`.
    pub lines: lines::Settings,
    /// For `template-svm`.
    pub templates: TemplateSettings,
}

/// What other pages of the site have shown. Methods that need nothing of the kind leave it alone.
///
/// ```
/// use tamis::{Page, Site};
///
/// let mut site = Site::default();
/// site.observe(&Page::parse("<p>Welcome to our site.<p>First article."));
/// assert_eq!(site.pages(), 1);
///
/// // What it has learned, and how.
/// assert_eq!((site.lines().len(), site.templates().len()), (2, 0));
/// assert_eq!(site.settings().templates.n2, 3);
/// ```
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
    /// A site of which nothing is known.
    ///
    /// ```
    /// use tamis::{Site, site::{Settings, TemplateSettings}};
    ///
    /// let templates = TemplateSettings { n2: 2, ..Default::default() };
    /// let site = Site::new(Settings { templates, ..Default::default() });
    /// assert_eq!(site.pages(), 0);
    /// ```
    pub fn new(settings: Settings) -> Site {
        Site {
            settings,
            pages: 0,
            lines: LineTable::new(settings.lines.l),
            templates: TemplateLibrary::new(settings.templates),
        }
    }

    /// Takes in a page of the site.
    pub fn observe(&mut self, page: &Page<'_>) {
        self.pages = self.pages.saturating_add(1);
        self.lines.page(lines::kept_by_punctuation(page, &self.settings.lines));
        self.templates.observe(&leaf_tags(page));
    }

    /// How many pages have been taken in.
    pub fn pages(&self) -> u32 {
        self.pages
    }

    /// How it learns.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How often its lines were seen.
    pub fn lines(&self) -> &LineTable {
        &self.lines
    }

    /// Its templates.
    pub fn templates(&self) -> &TemplateLibrary {
        &self.templates
    }
}
