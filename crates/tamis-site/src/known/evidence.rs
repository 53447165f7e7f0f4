//! What the other pages of a site say of a block: numbers to weigh, not a verdict.
//!
//! That a text repeats does not make it noise. The numbers tell the cases apart:
//!
//! | case | `pages` | `at_place` | `place_pages`, `place_texts`, `place_once` |
//! |---|---|---|---|
//! | furniture (notice, menu) | most of `of` | as `pages` | few texts, hardly any only once |
//! | an article's sentence that a listing quotes | few | 0: it stands elsewhere there | nearly all texts once |
//! | a byline, a dateline | some | as `pages` | as many pages as `of`, several texts that each recur |
//! | a paragraph that a series repeats | some | as `pages` | many texts, nearly all of them once |

use tamis::Page;
use tamis::site::LineTable;
use xxhash_rust::xxh3::Xxh3;

use super::{Inner, Left, Sight};
use crate::place::Places;
use crate::verdicts::Decision;

/// What the other pages of the site say of a block.
///
/// ```
/// use tamis::Page;
/// use tamis_site::SiteMemory;
///
/// let page = |text: &str| format!("<div class=story><p>{text}</p></div><div class=foot>All rights reserved.</div>");
/// let mut memory = SiteMemory::default();
/// for text in ["It rained.", "It snowed.", "It was hot."] {
///     memory.observe(&Page::parse(&page(text)));
/// }
/// let html = page("It was cold.");
/// let evidence = memory.known().evidence(&Page::parse(&html));
/// assert_eq!((evidence[0].pages, evidence[0].place_texts, evidence[0].place_once), (0, 3, 3));
/// assert_eq!((evidence[1].pages, evidence[1].place_texts, evidence[1].place_once), (3, 1, 0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Evidence {
    /// How many other pages are known.
    pub of: u32,
    /// How many of them carry this text as a block.
    pub pages: u32,
    /// How many carry it, or a text near to it that at least two pages have.
    pub near: u32,
    /// How many carry it at the same place: in elements of the same names and classes.
    pub at_place: u32,
    /// How many have it in a link.
    pub in_links: u32,
    /// At how many different places it stands.
    pub places: u32,
    /// How many have something at the block's place.
    pub place_pages: u32,
    /// How many different texts they have there.
    pub place_texts: u32,
    /// How many of these texts only one page has there.
    pub place_once: u32,
    /// What a person has said of the text.
    pub judged: Option<Decision>,
}

impl Evidence {
    /// How much the block looks like furniture of the site, from 0 to 1: the share of those pages that have something at
    /// its place which have this text there, less where most texts of the place are met only once. A person's word is 0
    /// or 1.
    ///
    /// A sentence that is quoted elsewhere gets 0, a paragraph of a series among paragraphs nearly 0, a byline the share of
    /// its author.
    ///
    /// ```
    /// use tamis_site::Evidence;
    ///
    /// let notice = Evidence { of: 40, pages: 40, at_place: 40, place_pages: 40, place_texts: 1, ..Default::default() };
    /// let quoted = Evidence { of: 40, pages: 1, place_pages: 39, place_texts: 80, place_once: 80, ..Default::default() };
    /// let byline = Evidence { of: 40, pages: 8, at_place: 8, place_pages: 40, place_texts: 5, ..Default::default() };
    /// assert_eq!((notice.furniture(), quoted.furniture(), byline.furniture()), (1.0, 0.0, 0.2));
    /// ```
    pub fn furniture(&self) -> f64 {
        match self.judged {
            Some(Decision::Drop) => return 1.0,
            Some(Decision::Keep) => return 0.0,
            None => {}
        }
        // Two pages may agree by chance; a single one always does.
        if self.at_place < 2 || self.place_texts == 0 {
            return 0.0;
        }
        let share = f64::from(self.at_place) / f64::from(self.place_pages.max(self.at_place));
        share * (1.0 - f64::from(self.place_once) / f64::from(self.place_texts)).max(0.0)
    }
}

pub(super) fn of(inner: &Inner, page: &Page<'_>) -> Vec<Evidence> {
    let mut content = Xxh3::new();
    let mut digests = Vec::with_capacity(page.blocks().len());
    for block in page.blocks() {
        let digest = LineTable::digest(page.text(block));
        if block.hidden.is_none() {
            content.update(&digest.to_le_bytes());
        }
        digests.push(digest);
    }
    let left = inner.left_out_by(page.url(), content.digest());
    let of = inner.pages_without(&left);
    let near = inner.near_blocks();
    let mut places = Places::new(page);
    let blocks = page.blocks().iter().zip(digests);
    blocks
        .map(|(block, digest)| {
            let text = page.text(block);
            let place = places.of(block.element);
            let numbers = inner.places.get(&place).map(|seen| seen.without(&left)).unwrap_or_default();
            let sights = inner.blocks.get(&digest).map_or(&[][..], Vec::as_slice);
            Evidence {
                of,
                pages: pages(sights, &left, |_| true),
                near: near.pages_near_digest("", text, digest, &left),
                at_place: pages(sights, &left, |sight| sight.place == place),
                in_links: pages(sights, &left, |sight| sight.in_link),
                places: different_places(sights, &left),
                place_pages: numbers.pages,
                place_texts: numbers.texts,
                place_once: numbers.once,
                judged: inner.judged(text, digest),
            }
        })
        .collect()
}

/// How many pages have such a sighting.
pub(super) fn pages(sights: &[Sight], left: &Left, such: impl Fn(&Sight) -> bool) -> u32 {
    // Nearly every text stands at one place, where the pages come in their order; else a set of bits takes them.
    let counted = || sights.iter().filter(|sight| such(sight) && !left.has(sight.page));
    if sights.first().map(|sight| sight.place) == sights.last().map(|sight| sight.place) {
        let mut last = None;
        return counted().filter(|sight| last.replace(sight.page) != Some(sight.page)).count() as u32;
    }
    let mut bits: Vec<u64> = Vec::new();
    for sight in counted() {
        let word = usize::from(sight.page) / 64;
        if bits.len() <= word {
            bits.resize(word + 1, 0);
        }
        bits[word] |= 1 << (sight.page % 64);
    }
    bits.iter().map(|word| word.count_ones()).sum()
}

fn different_places(sights: &[Sight], left: &Left) -> u32 {
    let mut last = None;
    let kept = sights.iter().filter(|sight| !left.has(sight.page));
    kept.filter(|sight| last.replace(sight.place) != Some(sight.place)).count() as u32
}
