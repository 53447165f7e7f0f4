//! A memory counted out, ready to be asked: on how many pages a text stands, exactly or nearly, and where.
//!
//! Counting comes first and deciding after, so the order of pages plays no part. A page that was learned does not count
//! when it is asked about itself: [`Known::site_for`] and [`Known::evidence`] leave out the page with its address, and the
//! page with its content. Pages with the same content under several addresses count once.

mod evidence;
mod groups;
mod places;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use tamis::site::{LeafTag, LineTable, NearIndex, Settings, SiteCounts};
use tamis::{Page, Site};
use xxhash_rust::xxh3::Xxh3;

pub use self::evidence::Evidence;
pub(crate) use self::groups::Groups;
use self::groups::Unit;
use self::places::PlaceSeen;
use crate::hashing::AsItIs;
use crate::memory::SiteMemory;
use crate::record::PageRecord;
use crate::verdicts::{Decision, Verdicts};

/// From how many pages on a leaf tag that stands on all of them (exactly or nearly) is a template.
///
/// The paper asks for 3 pages of a batch of 10. Counting knows more pages than ten, and over many batches a leaf tag of
/// every tenth page gets its three sooner or later; so the share that is asked for here is smaller.
///
/// ```
/// let rule = tamis_site::Rule::default();
/// assert_eq!((rule.least(4), rule.least(20), rule.least(128)), (3, 3, 13));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rule {
    /// On fewer pages nothing is a template: the paper's N2.
    pub pages: u32,
    /// On a smaller share of the known pages nothing is a template.
    pub share: f64,
}

impl Default for Rule {
    fn default() -> Self {
        Rule { pages: 3, share: 0.1 }
    }
}

impl Rule {
    /// The number of pages that it takes where so many are known.
    pub fn least(&self, known: u32) -> u32 {
        self.pages.max((f64::from(known) * self.share).ceil() as u32).max(1)
    }
}

/// A page of the sample, by its number in it.
pub(crate) type PageNumber = u16;

/// Where a text stood as a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Sight {
    place: u32,
    page: PageNumber,
    in_link: bool,
}

/// What the pages of the sample have in common. Cheap to clone.
///
/// ```
/// use tamis::{Method, Page};
/// use tamis_site::SiteMemory;
///
/// let mut memory = SiteMemory::default();
/// for (number, text) in ["It rained.", "It snowed.", "It was hot."].into_iter().enumerate() {
///     memory.observe(&Page::parse(&format!("<p>{text}</p><p>Page {number} of our archive.</p>")));
/// }
/// let known = memory.known();
/// assert_eq!((known.pages(), known.pages_with("It rained."), known.pages_near("Page 7 of our archive.")), (3, 1, 3));
/// assert_eq!(known.judged("It rained."), None, "nobody has said anything");
///
/// let page = Page::parse("<p>It was cold.</p><p>Page 7 of our archive.</p>");
/// let removed = tamis::methods::template_svm::removed(&page, &known.site_for(&page));
/// assert_eq!(removed.len(), 1);
/// assert_eq!(known.evidence(&page)[1].near, 3);
/// ```
#[derive(Clone, Debug)]
pub struct Known {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    rule: Rule,
    /// The number of different pages.
    pages: u32,
    by_key: HashMap<u64, PageNumber, AsItIs>,
    by_content: HashMap<u64, PageNumber, AsItIs>,
    /// Sightings as blocks, by the digests of texts; sorted.
    blocks: HashMap<u128, Vec<Sight>, AsItIs>,
    places: HashMap<u32, PlaceSeen, AsItIs>,
    /// The records, for what is worked out only when it is asked for.
    records: Vec<PageRecord>,
    leaf_tags: OnceLock<Groups>,
    near_blocks: OnceLock<Groups>,
    verdicts: Verdicts,
    judged: NearIndex,
    judged_digests: Vec<u128>,
}

impl Known {
    pub(crate) fn new(memory: &SiteMemory, rule: Rule) -> Known {
        let mut by_key: HashMap<u64, PageNumber, AsItIs> = HashMap::default();
        let mut by_content: HashMap<u64, PageNumber, AsItIs> = HashMap::default();
        let mut blocks: HashMap<u128, Vec<Sight>, AsItIs> = HashMap::default();
        let mut records = Vec::with_capacity(memory.len());
        for record in memory.records() {
            let next = records.len() as PageNumber;
            let page = *by_content.entry(record.content).or_insert(next);
            by_key.insert(record.key, page);
            if page != next {
                continue;
            }
            for sight in &record.blocks {
                let Some(text) = record.text(sight.text) else { continue };
                let sight = Sight { place: sight.place, page, in_link: sight.in_link };
                blocks.entry(text.digest).or_default().push(sight);
            }
            records.push(record.clone());
        }
        blocks.values_mut().for_each(|sights| sights.sort_unstable());
        let places = places::of(&blocks);
        let mut judged = NearIndex::default();
        let mut judged_digests = Vec::new();
        for (digest, word) in &memory.verdicts().0 {
            if word.whole
                && word.decision.is_some()
                && judged.add("", &word.text) as usize == judged_digests.len()
            {
                judged_digests.push(*digest);
            }
        }
        Known {
            inner: Arc::new(Inner {
                rule,
                pages: records.len() as u32,
                by_key,
                by_content,
                blocks,
                places,
                records,
                leaf_tags: OnceLock::new(),
                near_blocks: OnceLock::new(),
                verdicts: memory.verdicts().clone(),
                judged,
                judged_digests,
            }),
        }
    }

    /// How many different pages are known.
    pub fn pages(&self) -> u32 {
        self.inner.pages
    }

    /// On how many pages a text stands as a block.
    pub fn pages_with(&self, text: &str) -> u32 {
        self.inner.pages_with(LineTable::digest(text), &Left::default())
    }

    /// On how many pages a text stands as a block, exactly or nearly.
    pub fn pages_near(&self, text: &str) -> u32 {
        self.inner.near_blocks().pages_near("", text, &Left::default())
    }

    /// What a person has said of a text, or of one near to it.
    pub fn judged(&self, text: &str) -> Option<Decision> {
        self.inner.judged(text, LineTable::digest(text))
    }

    /// What the methods of `tamis` need to know of the site to judge this page: it is left out itself.
    pub fn site_for(&self, page: &Page<'_>) -> Site {
        let counts = Counts { inner: self.inner.clone(), left: self.inner.left_out(page) };
        Site::counted(Settings::default(), Arc::new(counts))
    }

    /// What the other pages of the site say of each block of a page.
    pub fn evidence(&self, page: &Page<'_>) -> Vec<Evidence> {
        evidence::of(&self.inner, page)
    }

    pub(crate) fn rule(&self) -> Rule {
        self.inner.rule
    }

    pub(crate) fn leaf_tags(&self) -> &Groups {
        self.inner.leaf_tags()
    }

    pub(crate) fn records(&self) -> &[PageRecord] {
        &self.inner.records
    }

    /// The texts that stand as blocks, with the number of pages that carry each.
    pub(crate) fn block_texts(&self) -> impl Iterator<Item = (u128, u32)> {
        let none = Left::default();
        self.inner.blocks.keys().map(move |digest| (*digest, self.inner.pages_with(*digest, &none)))
    }
}

/// The pages that do not count, since they are the one that is asked about: by its address, by its content.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Left([Option<PageNumber>; 2]);

impl Left {
    fn has(&self, page: PageNumber) -> bool {
        self.0.contains(&Some(page))
    }

    fn pages(&self) -> impl Iterator<Item = PageNumber> {
        self.0.into_iter().flatten()
    }
}

impl Inner {
    fn left_out(&self, page: &Page<'_>) -> Left {
        let mut content = Xxh3::new();
        for block in page.blocks().iter().filter(|block| block.hidden.is_none()) {
            content.update(&LineTable::digest(page.text(block)).to_le_bytes());
        }
        self.left_out_by(page.url(), content.digest())
    }

    fn left_out_by(&self, url: Option<&str>, content: u64) -> Left {
        let by_key = url.and_then(|url| self.by_key.get(&PageRecord::key_of_url(url))).copied();
        let by_content = self.by_content.get(&content).copied().filter(|page| Some(*page) != by_key);
        Left([by_key, by_content])
    }

    fn pages_without(&self, left: &Left) -> u32 {
        self.pages - left.pages().count() as u32
    }

    fn pages_with(&self, digest: u128, left: &Left) -> u32 {
        self.blocks.get(&digest).map_or(0, |sights| evidence::pages(sights, left, |_| true))
    }

    fn judged(&self, text: &str, digest: u128) -> Option<Decision> {
        if self.verdicts.0.is_empty() {
            return None;
        }
        self.verdicts.on(digest).or_else(|| {
            let near = self.judged.find("", text)?;
            self.verdicts.on(*self.judged_digests.get(near as usize)?)
        })
    }

    fn leaf_tags(&self) -> &Groups {
        self.leaf_tags.get_or_init(|| {
            let units = self.records.iter().enumerate().flat_map(|(page, record)| {
                record.tags.iter().filter_map(move |sight| {
                    let text = record.text(sight.text)?;
                    let name = record.names.get(usize::from(sight.name))?;
                    Some(Unit { name, text, page: page as PageNumber })
                })
            });
            Groups::of(units)
        })
    }

    fn near_blocks(&self) -> &Groups {
        self.near_blocks.get_or_init(|| {
            let units = self.records.iter().enumerate().flat_map(|(page, record)| {
                record.blocks.iter().filter_map(move |sight| {
                    let text = record.text(sight.text)?;
                    Some(Unit { name: "", text, page: page as PageNumber })
                })
            });
            Groups::of(units)
        })
    }
}

/// The counts for one page: without itself.
#[derive(Clone, Debug)]
struct Counts {
    inner: Arc<Inner>,
    left: Left,
}

impl SiteCounts for Counts {
    fn pages(&self) -> u32 {
        self.inner.pages_without(&self.left)
    }

    fn line(&self, line: &str) -> u32 {
        let digest = LineTable::digest(line);
        match self.inner.judged(line, digest) {
            Some(Decision::Keep) => 0,
            Some(Decision::Drop) => u32::MAX,
            None => self.inner.pages_with(digest, &self.left),
        }
    }

    fn is_template(&self, tag: &LeafTag<'_>) -> bool {
        let digest = LineTable::digest(&tag.text);
        match self.inner.judged(&tag.text, digest) {
            Some(decision) => decision == Decision::Drop,
            None => {
                let pages = self.inner.leaf_tags().pages_near_digest(tag.name, &tag.text, digest, &self.left);
                pages >= self.inner.rule.least(self.pages())
            }
        }
    }
}
