//! A profile with its counts: on how many pages a text occurs, exactly or nearly.
//!
//! All pages are counted before any decision, so their order does not matter. A learned page does not count as its own
//! repetition: [`SiteMemory::excluding`] excludes the page with the same URL and the page with the same content. Pages
//! with the same content at several URLs count once.

mod groups;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use tamis::SiteMemory;
use tamis::page::Page;
use tamis_methods::site::{LineTable, NearIndex};

pub(crate) use self::groups::Groups;
use self::groups::Unit;
use crate::hashing::IdentityHasher;
use crate::overrides::{Decision, Overrides};
use crate::profile::SiteProfile;
use crate::record::{PageRecord, content_digest};

/// The minimum number of pages of a template: the paper's N2.
const MIN_TEMPLATE_PAGES: u32 = 3;
/// A template occurs on at least one page in this many. The paper requires 3 pages of a batch of 10; over many batches,
/// a leaf tag of every tenth page reaches 3 eventually, so a smaller share is required here.
const PAGES_PER_TEMPLATE: u32 = 10;

/// The minimum number of pages of a template among `known` pages.
pub(crate) fn min_template_pages(known: u32) -> u32 {
    MIN_TEMPLATE_PAGES.max(known.div_ceil(PAGES_PER_TEMPLATE))
}

/// The index of a page in the sample.
pub(crate) type PageNumber = u16;

/// A counted profile. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Known {
    inner: Arc<Inner>,
    /// Pages that do not count.
    excluded: Excluded,
}

#[derive(Debug)]
struct Inner {
    by_key: HashMap<u64, PageNumber, IdentityHasher>,
    by_content: HashMap<u64, PageNumber, IdentityHasher>,
    /// The pages of each block text, by digest; ascending.
    blocks: HashMap<u128, Vec<PageNumber>, IdentityHasher>,
    /// One record per distinct content.
    records: Vec<PageRecord>,
    /// Computed on first use.
    leaf_tags: OnceLock<Groups>,
    overrides: Overrides,
    judged: NearIndex,
    judged_digests: Vec<u128>,
}

impl Known {
    pub(crate) fn new(profile: &SiteProfile) -> Known {
        let mut by_key: HashMap<u64, PageNumber, IdentityHasher> = HashMap::default();
        let mut by_content: HashMap<u64, PageNumber, IdentityHasher> = HashMap::default();
        let mut blocks: HashMap<u128, Vec<PageNumber>, IdentityHasher> = HashMap::default();
        let mut records = Vec::with_capacity(profile.len());
        for record in profile.records() {
            let next = records.len() as PageNumber;
            let page = *by_content.entry(record.content).or_insert(next);
            by_key.insert(record.key, page);
            if page != next {
                continue;
            }
            for text in record.blocks.iter().filter_map(|occurrence| record.text(occurrence.text)) {
                let pages = blocks.entry(text.digest).or_default();
                if pages.last() != Some(&page) {
                    pages.push(page);
                }
            }
            records.push(record.clone());
        }
        let mut judged = NearIndex::default();
        let mut judged_digests = Vec::new();
        for (digest, entry) in &profile.overrides().0 {
            if entry.whole
                && entry.decision.is_some()
                && judged.add("", &entry.text) as usize == judged_digests.len()
            {
                judged_digests.push(*digest);
            }
        }
        let (leaf_tags, overrides) = (OnceLock::new(), profile.overrides().clone());
        let inner =
            Inner { by_key, by_content, blocks, records, leaf_tags, overrides, judged, judged_digests };
        Known { inner: Arc::new(inner), excluded: Excluded::default() }
    }

    /// The override of a text or of a similar one.
    pub fn judged(&self, text: &str) -> Option<Decision> {
        self.inner.judged(text, LineTable::digest(text))
    }

    pub(crate) fn leaf_tags(&self) -> &Groups {
        self.inner.leaf_tags()
    }

    pub(crate) fn records(&self) -> &[PageRecord] {
        &self.inner.records
    }

    /// The texts of blocks with their numbers of pages.
    pub(crate) fn block_texts(&self) -> impl Iterator<Item = (u128, u32)> {
        self.inner.blocks.iter().map(|(digest, pages)| (*digest, pages.len() as u32))
    }
}

impl SiteMemory for Known {
    fn pages(&self) -> u32 {
        self.inner.pages_excluding(&self.excluded)
    }

    fn pages_with_line(&self, line: &str) -> u32 {
        self.inner.pages_with_line(line, &self.excluded)
    }

    fn is_template(&self, tag: &str, text: &str) -> bool {
        self.inner.is_template(tag, text, &self.excluded)
    }

    fn decision(&self, line: &str) -> Option<bool> {
        self.judged(line).map(|decision| decision == Decision::Keep)
    }

    fn excluding(&self, page: &Page<'_>, url: Option<&str>) -> Option<Box<dyn SiteMemory + '_>> {
        let excluded = self.inner.excluded(page, url);
        let any = excluded.pages().next().is_some();
        any.then(|| Box::new(Known { inner: Arc::clone(&self.inner), excluded }) as Box<dyn SiteMemory>)
    }
}

/// The excluded pages: with the same URL, and with the same content.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Excluded([Option<PageNumber>; 2]);

impl Excluded {
    fn pages(&self) -> impl Iterator<Item = PageNumber> {
        self.0.into_iter().flatten()
    }

    /// The number of pages that are not excluded; `pages` is ascending.
    fn count(&self, pages: &[PageNumber]) -> u32 {
        let own = self.pages().filter(|page| pages.binary_search(page).is_ok()).count();
        (pages.len() - own) as u32
    }
}

impl Inner {
    fn excluded(&self, page: &Page<'_>, url: Option<&str>) -> Excluded {
        let by_key = url.and_then(|url| self.by_key.get(&PageRecord::key_of_url(url))).copied();
        let by_content = self.by_content.get(&content_digest(page)).copied();
        Excluded([by_key, by_content.filter(|page| Some(*page) != by_key)])
    }

    fn pages_excluding(&self, excluded: &Excluded) -> u32 {
        (self.records.len() - excluded.pages().count()) as u32
    }

    fn pages_with_line(&self, line: &str, excluded: &Excluded) -> u32 {
        let digest = LineTable::digest(line);
        match self.judged(line, digest) {
            Some(Decision::Keep) => 0,
            Some(Decision::Drop) => u32::MAX,
            None => self.blocks.get(&digest).map_or(0, |pages| excluded.count(pages)),
        }
    }

    fn is_template(&self, tag: &str, text: &str, excluded: &Excluded) -> bool {
        let digest = LineTable::digest(text);
        match self.judged(text, digest) {
            Some(decision) => decision == Decision::Drop,
            None => {
                let pages = self.leaf_tags().pages_near(tag, text, digest, excluded);
                pages >= min_template_pages(self.pages_excluding(excluded))
            }
        }
    }

    fn judged(&self, text: &str, digest: u128) -> Option<Decision> {
        if self.overrides.0.is_empty() {
            return None;
        }
        self.overrides.on(digest).or_else(|| {
            let near = self.judged.find("", text)?;
            self.overrides.on(*self.judged_digests.get(near as usize)?)
        })
    }

    fn leaf_tags(&self) -> &Groups {
        self.leaf_tags.get_or_init(|| {
            let units = self.records.iter().enumerate().flat_map(|(page, record)| {
                record.tags.iter().filter_map(move |occurrence| {
                    let text = record.text(occurrence.text)?;
                    let name = record.names.get(usize::from(occurrence.name))?;
                    Some(Unit { name, text, page: page as PageNumber })
                })
            });
            Groups::of(units)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(own: &str) -> String {
        format!("<p>{own} was found, and it was good.</p><p>All rights reserved, also those of readers.</p>")
    }

    fn url(number: usize) -> String {
        format!("https://example.com/{number}")
    }

    const STORIES: [&str; 4] = ["A harbour", "Some rain", "The old bridge", "Nothing"];

    fn profile() -> SiteProfile {
        let mut profile = SiteProfile::default();
        for (number, story) in STORIES.into_iter().enumerate() {
            profile.observe(&Page::parse(&page(story)), Some(&url(number)));
        }
        profile
    }

    #[test]
    fn templates_need_three_pages_and_a_tenth_of_all() {
        assert_eq!([4, 20, 30, 31, 128].map(min_template_pages), [3, 3, 3, 4, 13]);
    }

    #[test]
    fn a_page_does_not_count_as_its_own_repetition() {
        let known = profile().known();
        let line = "Some rain was found, and it was good.";
        let notice = "All rights reserved, also those of readers.";
        assert_eq!((known.pages(), known.pages_with_line(line), known.pages_with_line(notice)), (4, 1, 4));
        let html = page(STORIES[1]);
        let older = html.replace("Some rain", "Old rain");
        for (html, address) in [(&html, None), (&older, Some(url(1))), (&html, Some(url(1)))] {
            let page = Page::parse(html);
            let others = known.excluding(&page, address.as_deref()).unwrap();
            assert_eq!((others.pages(), others.pages_with_line(line)), (3, 0));
            assert_eq!(others.pages_with_line(notice), 3);
            assert!(others.is_template("p", notice) && !others.is_template("p", line));
        }
        assert!(known.excluding(&Page::parse("<p>Unknown."), Some("https://example.com/9")).is_none());
    }

    #[test]
    fn one_page_at_many_urls_counts_once() {
        let mut profile = profile();
        for copy in 0..20 {
            profile.observe(&Page::parse(&page(STORIES[0])), Some(&format!("{}?from={copy}", url(0))));
        }
        let known = profile.known();
        assert_eq!((known.pages(), known.pages_with_line("A harbour was found, and it was good.")), (4, 1));
    }

    #[test]
    fn overrides_win_over_counts() {
        let mut profile = profile();
        profile.judge("All rights reserved, also those of readers.", Some(Decision::Keep));
        profile.judge("Nothing was found, and it was good.", Some(Decision::Drop));
        let known = profile.known();
        assert_eq!(
            known.pages_with_line("All rights reserved, also those of readers!"),
            0,
            "similar texts as well"
        );
        assert!(!known.is_template("p", "All rights reserved, also those of readers."));
        assert_eq!(known.pages_with_line("Nothing was found, and it was good."), u32::MAX);
        assert!(known.is_template("p", "Nothing was found, and it was good."));
    }
}
