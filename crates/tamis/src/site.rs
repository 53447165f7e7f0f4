//! What is known of a site from its other pages.
//!
//! Two of the methods need to know what a site repeats: `lines` asks how often a line was seen, `template-svm` which
//! leaf tags are templates. A [`Site`] learns both from the pages that are shown to it, in their order; or it asks
//! [`SiteCounts`], a memory that has counted before anything is decided, whatever the order.

mod edit_distance;
mod leaf_tags;
mod line_table;
mod near_index;
mod templates;

use std::fmt::Debug;
use std::sync::Arc;

pub use leaf_tags::{LeafTag, leaf_tags};
pub use line_table::LineTable;
pub use near_index::NearIndex;
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

/// What a memory of a site answers, in place of what a [`Site`] learns itself: the form that counts first and decides
/// after, so that the order of pages does not matter.
///
/// ```
/// use std::sync::Arc;
/// use tamis::site::{LeafTag, Settings, SiteCounts};
/// use tamis::{Page, Site, methods::lines};
///
/// #[derive(Debug)]
/// struct Notices(u32);
///
/// impl SiteCounts for Notices {
///     fn pages(&self) -> u32 {
///         self.0
///     }
///     fn line(&self, line: &str) -> u32 {
///         if line.starts_with("All rights") { self.0 } else { 0 }
///     }
///     fn is_template(&self, tag: &LeafTag<'_>) -> bool {
///         self.line(&tag.text) > 0
///     }
/// }
///
/// let site = Site::counted(Settings::default(), Arc::new(Notices(40)));
/// let page = Page::parse("<p>It rained, and rained.<p>All rights reserved.");
/// assert_eq!(lines::judge(&page, &site).kept().collect::<Vec<_>>(), [0]);
/// ```
pub trait SiteCounts: Debug + Send + Sync {
    /// How many other pages of the site are known.
    fn pages(&self) -> u32;

    /// On how many of them a line stands.
    fn line(&self, line: &str) -> u32;

    /// Is a leaf tag near a template of the site?
    fn is_template(&self, tag: &LeafTag<'_>) -> bool;
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
    /// Answers instead of the two where it is there.
    counts: Option<Arc<dyn SiteCounts>>,
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
            counts: None,
        }
    }

    /// A site that a memory knows. What is observed later is not asked for. An example is at [`SiteCounts`].
    ///
    /// ```
    /// # use tamis::site::{LeafTag, Settings, SiteCounts};
    /// # #[derive(Debug)]
    /// # struct Memory;
    /// # impl SiteCounts for Memory {
    /// #     fn pages(&self) -> u32 { 120 }
    /// #     fn line(&self, _: &str) -> u32 { 0 }
    /// #     fn is_template(&self, _: &LeafTag<'_>) -> bool { false }
    /// # }
    /// let site = tamis::Site::counted(Settings::default(), std::sync::Arc::new(Memory));
    /// assert_eq!((site.pages(), site.allowed_lines()), (120, 3));
    /// ```
    pub fn counted(settings: Settings, counts: Arc<dyn SiteCounts>) -> Site {
        Site { counts: Some(counts), ..Site::new(settings) }
    }

    /// Takes in a page of the site.
    pub fn observe(&mut self, page: &Page<'_>) {
        self.pages = self.pages.saturating_add(1);
        self.lines.page(lines::kept_by_punctuation(page, &self.settings.lines));
        self.templates.observe(&leaf_tags(page));
    }

    /// Takes in a page of which only the [digests](LineTable::digest) of its lines and its leaf tags are at hand.
    ///
    /// ```
    /// use tamis::{Page, Site, site::{LineTable, leaf_tags}};
    ///
    /// let page = Page::parse("<p>All rights reserved.");
    /// let mut site = Site::default();
    /// site.observe_parts([LineTable::digest("All rights reserved.")], &leaf_tags(&page));
    /// assert_eq!(site.line_counts(&["All rights reserved."]), [2]);
    /// ```
    pub fn observe_parts(&mut self, lines: impl IntoIterator<Item = u128>, tags: &[LeafTag<'_>]) {
        self.pages = self.pages.saturating_add(1);
        self.lines.page_of_digests(lines);
        self.templates.observe(tags);
    }

    /// How many pages have been taken in.
    pub fn pages(&self) -> u32 {
        self.counts.as_ref().map_or(self.pages, |counts| counts.pages())
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

    /// LC of each line of a page, were it the next one: sightings on the other pages, and on this page so far.
    ///
    /// ```
    /// assert_eq!(tamis::Site::default().line_counts(&["Ha!", "Ha!"]), [1, 2]);
    /// ```
    pub fn line_counts(&self, lines: &[&str]) -> Vec<u32> {
        let mut counted = self.lines.counts(lines.iter().copied());
        if let Some(counts) = &self.counts {
            for (count, line) in counted.iter_mut().zip(lines) {
                *count = count.saturating_add(counts.line(line));
            }
        }
        counted
    }

    /// The largest LC with which a line of the next page is kept: `int(1 + RC / L)`.
    ///
    /// ```
    /// assert_eq!(tamis::Site::default().allowed_lines(), 1);
    /// ```
    pub fn allowed_lines(&self) -> u32 {
        match &self.counts {
            Some(counts) => 1 + counts.pages() / self.settings.lines.l.max(1),
            None => self.lines.allowed(),
        }
    }

    /// Is a leaf tag near one of its templates?
    ///
    /// ```
    /// use tamis::{Page, Site, site::leaf_tags};
    ///
    /// let page = Page::parse("<li>Home");
    /// let mut site = Site::default();
    /// assert!(!site.is_template(&leaf_tags(&page)[0]));
    /// (0..10).for_each(|_| site.observe(&page));
    /// assert!(site.is_template(&leaf_tags(&page)[0]));
    /// ```
    pub fn is_template(&self, tag: &LeafTag<'_>) -> bool {
        match &self.counts {
            Some(counts) => counts.is_template(tag),
            None => self.templates.has_near(tag),
        }
    }

    /// Does it know nothing that a leaf tag could be near to?
    pub(crate) fn has_no_templates(&self) -> bool {
        self.counts.is_none() && self.templates.is_empty()
    }
}
