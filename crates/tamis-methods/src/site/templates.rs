//! The template library of a site: leaf tags that recur from page to page.
//!
//! Section 4 of Yan and Wang 2020 ([`template_svm`](crate::template_svm)). Pages are processed in batches; within a
//! batch, the cache S counts leaf tags, and frequent ones become templates.

use super::leaf_tags::LeafTag;
use super::near_index::NearIndex;

/// Most templates per site; further ones are ignored.
const MAX_TEMPLATES: usize = 20_000;
/// Most leaf tags in the cache of a batch.
const MAX_CACHED: usize = 50_000;

/// The meaning of F.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Frequency {
    /// Number of pages, since a word repeated on one page is not a template.
    #[default]
    Pages,
    /// Number of occurrences, as printed in the paper.
    Occurrences,
}

/// The constants of the paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TemplateSettings {
    /// N1: pages in a batch.
    pub n1: u32,
    /// N2: the frequency in one batch that makes a template.
    pub n2: u32,
    /// What is counted.
    pub frequency: Frequency,
}

impl Default for TemplateSettings {
    fn default() -> Self {
        TemplateSettings { n1: 10, n2: 3, frequency: Frequency::Pages }
    }
}

/// Leaf tags that recur on a site.
///
/// The paper creates templates at the end of a batch. Here an entry becomes a template as soon as it reaches N2. As F
/// only grows, the result is the same, and an unfinished last batch is not lost.
#[derive(Clone, Debug, Default)]
pub(super) struct TemplateLibrary {
    settings: TemplateSettings,
    templates: NearIndex,
    /// S.
    cache: NearIndex,
    /// F of each entry of S, and the last page that raised it.
    counts: Vec<(u32, u32)>,
    pages_in_batch: u32,
}

impl TemplateLibrary {
    pub(super) fn new(settings: TemplateSettings) -> TemplateLibrary {
        TemplateLibrary { settings, ..TemplateLibrary::default() }
    }

    /// Counts the leaf tags of a page.
    pub(super) fn observe(&mut self, tags: &[LeafTag<'_>]) {
        for tag in tags {
            self.count(tag, self.pages_in_batch);
        }
        self.pages_in_batch += 1;
        if self.pages_in_batch >= self.settings.n1 {
            self.pages_in_batch = 0;
            self.cache = NearIndex::default();
            self.counts.clear();
        }
    }

    fn count(&mut self, tag: &LeafTag<'_>, page: u32) {
        let entry = match self.cache.find(tag.name, &tag.text) {
            Some(entry) => entry,
            None if self.cache.len() >= MAX_CACHED => return,
            None => {
                self.counts.push((0, page));
                self.cache.add(tag.name, &tag.text)
            }
        };
        let Some((frequency, last_page)) = self.counts.get_mut(entry as usize) else { return };
        if *frequency > 0 && *last_page == page && self.settings.frequency == Frequency::Pages {
            return;
        }
        *frequency = frequency.saturating_add(1);
        *last_page = page;
        if *frequency == self.settings.n2.max(1)
            && self.templates.len() < MAX_TEMPLATES
            && let Some((name, text)) = self.cache.get(entry)
        {
            self.templates.add(name, text);
        }
    }

    /// Whether a leaf tag is near a template of its tag name.
    pub(super) fn contains_near(&self, name: &str, text: &str) -> bool {
        self.templates.find(name, text).is_some()
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
            tags.extend((page < 3).then(|| tag("a", "Three")));
            tags.extend((page < 2).then(|| tag("a", "Two")));
            library.observe(&tags);
        }
        assert!(library.contains_near("a", "Three"));
        assert!(!library.contains_near("a", "Two"));
        assert!(!library.contains_near("b", "Three"), "the tag name counts");
    }

    #[test]
    fn a_batch_forgets_the_one_before_but_templates_stay() {
        let mut library = TemplateLibrary::default();
        for page in 0..20 {
            let split = if (8..12).contains(&page) { "Two in each batch" } else { "Never mind" };
            let first = if page < 3 { "First batch" } else { "Later" };
            library.observe(&[tag("p", split), tag("p", first)]);
        }
        assert!(!library.contains_near("p", "Two in each batch"));
        assert!(library.contains_near("p", "First batch"));
    }

    #[test]
    fn pages_or_occurrences_are_counted() {
        let repeated = [tag("li", "Ha"), tag("li", "Ha"), tag("li", "Ha")];
        for (frequency, is_template) in [(Frequency::Pages, false), (Frequency::Occurrences, true)] {
            let settings = TemplateSettings { frequency, ..TemplateSettings::default() };
            let mut library = TemplateLibrary::new(settings);
            library.observe(&repeated);
            assert_eq!(library.contains_near("li", "Ha"), is_template, "{frequency:?}");
        }
    }

    #[test]
    fn near_texts_count_together() {
        let mut library = TemplateLibrary::default();
        for page in ["Editor of the day: Ann", "Editor of the day: Bob", "Editor of the day: Eve"] {
            library.observe(&[tag("p", page)]);
        }
        assert_eq!(library.templates.len(), 0, "three edits are too many for twenty-two characters");
        for page in ["Page 17 of this site", "Page 18 of this site", "Page 20 of this site"] {
            library.observe(&[tag("p", page)]);
        }
        assert!(library.contains_near("p", "Page 99 of this site"));
    }
}
