//! The template library of a site: leaf tags that recur from page to page, so they are not what a page is about.
//!
//! From the paper on templates and support vector machines (section 4). Pages are taken in batches; within a batch the
//! cache S counts on how many pages a leaf tag was met, and those met often enough become templates.

use super::leaf_tags::LeafTag;
use super::near_index::NearIndex;

/// How often a leaf tag counts.
///
/// ```
/// use tamis::{Page, site::{Frequency, TemplateLibrary, TemplateSettings, leaf_tags}};
///
/// let page = Page::parse("<i>wow!</i><i>wow!</i><i>wow!</i>");
/// let templates_by = |frequency| {
///     let mut library = TemplateLibrary::new(TemplateSettings { frequency, ..Default::default() });
///     library.observe(&leaf_tags(&page));
///     library.len()
/// };
/// assert_eq!((templates_by(Frequency::Pages), templates_by(Frequency::Occurrences)), (0, 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Frequency {
    /// Once for every page it is on: a word repeated on one page is no template.
    #[default]
    Pages,
    /// Every time it is met, as the paper's steps have it.
    Occurrences,
}

/// The numbers of the paper, section 4.
///
/// ```
/// let settings = tamis::site::TemplateSettings::default();
/// assert_eq!((settings.n1, settings.n2), (10, 3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// N1: pages in a batch. Too few, and templates cannot be told from prose.
    pub n1: u32,
    /// N2: a leaf tag met so often in one batch is a template. Prose stays below 3 in a batch of 10.
    pub n2: u32,
    /// What "met" means.
    pub frequency: Frequency,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { n1: 10, n2: 3, frequency: Frequency::Pages }
    }
}

/// What the leaf tags of a site's pages have in common.
///
/// The paper makes templates when a batch is full. A frequency only grows, so what has reached N2 will be a template
/// whatever comes: it is one here at once, and the pages of a last batch that is never filled are not lost.
///
/// ```
/// use tamis::{Page, site::{TemplateLibrary, leaf_tags}};
///
/// let mut library = TemplateLibrary::default();
/// for text in ["It rained all day.", "It snowed at night.", "It was hot and dry."] {
///     let html = format!("<a href=/>Home</a><p>{text}</p><p>All rights reserved, page {}</p>", text.len());
///     library.observe(&leaf_tags(&Page::parse(&html)));
/// }
/// assert_eq!(library.len(), 2);
/// let page = Page::parse("<a href=/>Home</a><p>Wind today.</p><p>All rights reserved, page 99</p>");
/// let found: Vec<_> = leaf_tags(&page).iter().map(|tag| library.has_near(tag)).collect();
/// assert_eq!(found, [true, false, true]);
/// assert!(!library.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct TemplateLibrary {
    settings: Settings,
    templates: NearIndex,
    /// S, and F with the last page of each entry.
    cache: NearIndex,
    counts: Vec<Count>,
    /// Pages in the batch so far.
    in_batch: u32,
}

#[derive(Clone, Copy, Debug)]
struct Count {
    frequency: u32,
    last_page: u32,
}

impl TemplateLibrary {
    /// A library that knows nothing yet.
    ///
    /// ```
    /// use tamis::site::{TemplateLibrary, TemplateSettings};
    ///
    /// assert!(TemplateLibrary::new(TemplateSettings { n1: 20, ..Default::default() }).is_empty());
    /// ```
    pub fn new(settings: Settings) -> TemplateLibrary {
        TemplateLibrary { settings, ..TemplateLibrary::default() }
    }

    /// Takes in the leaf tags of a page.
    pub fn observe(&mut self, tags: &[LeafTag<'_>]) {
        let page = self.in_batch;
        for tag in tags {
            self.count(tag, page);
        }
        self.in_batch += 1;
        if self.in_batch >= self.settings.n1 {
            self.in_batch = 0;
            self.cache = NearIndex::default();
            self.counts.clear();
        }
    }

    fn count(&mut self, tag: &LeafTag<'_>, page: u32) {
        let known = self.cache.find(tag.name, &tag.text);
        let entry = known.unwrap_or_else(|| self.cache.add(tag.name, &tag.text));
        if known.is_none() {
            self.counts.push(Count { frequency: 0, last_page: page });
        }
        let Some(count) = self.counts.get_mut(entry as usize) else { return };
        let is_met_again = count.last_page == page && count.frequency > 0;
        if is_met_again && self.settings.frequency == Frequency::Pages {
            return;
        }
        count.frequency = count.frequency.saturating_add(1);
        count.last_page = page;
        if count.frequency == self.settings.n2.max(1)
            && let Some((name, text)) = self.cache.get(entry)
        {
            self.templates.add(name, text);
        }
    }

    /// Is the leaf tag near a template of its tag name?
    pub fn has_near(&self, tag: &LeafTag<'_>) -> bool {
        self.templates.find(tag.name, &tag.text).is_some()
    }

    /// How many templates there are.
    pub fn len(&self) -> usize {
        self.templates.len()
    }

    /// Are there no templates yet?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use tamis_html::NodeId;

    use super::*;

    fn tag(name: &'static str, text: &str) -> LeafTag<'static> {
        LeafTag { element: NodeId::from_index(0), name, text: text.to_owned().into() }
    }

    #[test]
    fn three_pages_of_ten_make_a_template() {
        let mut library = TemplateLibrary::default();
        for page in 0..10 {
            let mut tags = vec![tag("p", &format!("A sentence of page {page}, {}.", "x".repeat(page)))];
            if page < 3 {
                tags.push(tag("a", "Three"));
            }
            if page < 2 {
                tags.push(tag("a", "Two"));
            }
            library.observe(&tags);
        }
        assert!(library.has_near(&tag("a", "Three")));
        assert!(!library.has_near(&tag("a", "Two")));
        assert!(!library.has_near(&tag("b", "Three")), "the tag name counts");
    }

    #[test]
    fn a_batch_forgets_the_one_before_but_templates_stay() {
        let mut library = TemplateLibrary::default();
        for page in 0..20 {
            let split = if (8..12).contains(&page) { "Two in each batch" } else { "Never mind" };
            let first = if page < 3 { "First batch" } else { "Later" };
            library.observe(&[tag("p", split), tag("p", first)]);
        }
        assert!(!library.has_near(&tag("p", "Two in each batch")));
        assert!(library.has_near(&tag("p", "First batch")));
    }

    #[test]
    fn pages_or_occurrences_are_counted() {
        let repeated = [tag("li", "Ha"), tag("li", "Ha"), tag("li", "Ha")];
        let mut library = TemplateLibrary::default();
        library.observe(&repeated);
        assert!(library.is_empty());
        let mut library =
            TemplateLibrary::new(Settings { frequency: Frequency::Occurrences, ..Settings::default() });
        library.observe(&repeated);
        assert_eq!(library.len(), 1);
    }

    #[test]
    fn near_texts_count_together() {
        let mut library = TemplateLibrary::default();
        for page in ["Editor of the day: Ann", "Editor of the day: Bob", "Editor of the day: Eve"] {
            library.observe(&[tag("p", page)]);
        }
        assert!(library.is_empty(), "three edits are too many for twenty-two characters");
        for page in ["Page 17 of this site", "Page 18 of this site", "Page 20 of this site"] {
            library.observe(&[tag("p", page)]);
        }
        assert!(library.has_near(&tag("p", "Page 99 of this site")));
    }
}
