//! `lines`: text nodes by their share of punctuation, then lines that recur across a site.
//!
//! Li Xia and Jiang Shengyi, "Content extraction from web page based on the DOM tree and line-text statistical
//! noise-elimination", 2012. Navigation has no punctuation, prose has some: that is the first stage. Copyright notices
//! and house rules have some too, but stand on every page of the site: that is the second.
//!
//! - A text node is a [`Block`]: the paper strips the tags of inline markup, so that a paragraph is one.
//! - "All characters" are those that the paper lists, Chinese characters, letters and punctuation. White space is not
//!   among them (it even deletes `&nbsp;`), and indentation of the source must not make prose look less like prose.
//! - The paper keeps ratios in [0, p]. With 0 every link of a menu would pass, against its own argument, so a node
//!   without punctuation is dropped; see [`Settings::min_ratio`].
//! - Hidden text is not on the page that readers see; it is dropped.
//!
//! Weak where prose has no punctuation (headings, captions, verse, code), and where noise is written in sentences and
//! no other page of the site is known.

use crate::block::Block;
use crate::judgement::{Judgement, Verdict};
use crate::page::Page;
use crate::site::Site;

/// The numbers of the paper.
///
/// ```
/// use tamis::{Page, Site, methods::lines, site};
///
/// let lines = lines::Settings { min_ratio: -1.0, ..Default::default() };
/// let to_the_letter = Site::new(site::Settings { lines, ..Default::default() });
/// let page = Page::parse("<p>No punctuation");
/// assert!(!lines::judge(&page, &Site::default()).keeps(0));
/// assert!(lines::judge(&page, &to_the_letter).keeps(0));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// A node is kept when its share of punctuation is over this; 0 in the paper's argument. A value below 0 gives the
    /// interval as it is printed, with nodes that have no punctuation.
    pub min_ratio: f64,
    /// p: a node is kept when its share of punctuation is at most this; up to 0.3 all pages of the paper's experiment
    /// kept their text (section 2.1).
    pub p: f64,
    /// L: a line may recur once more for every so many pages (section 2.2).
    pub l: u32,
    /// Are paragraphs that follow each other in one element a single text node? The paper deletes the tags of `p` as it
    /// does those of `strong` and `font`; read to the letter, that joins them.
    pub join_paragraphs: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { min_ratio: 0.0, p: 0.3, l: 50, join_paragraphs: false }
    }
}

/// Judges a page as the next one of its site, with the site's settings.
///
/// In `why`: `r`, and for text that passes the first stage `LC`, with `RC` and what LC it allows.
///
/// ```
/// use tamis::{Page, Site, methods::lines};
///
/// let mut site = Site::default();
/// site.observe(&Page::parse("<p>It snowed.<p>Mail us, or call."));
/// let page = Page::parse("<a href=/>Home</a><p>It rained, and rained.<p>Mail us, or call.");
/// let kept: Vec<_> = lines::judge(&page, &site).kept().collect();
/// assert_eq!(kept, [1]);
/// ```
pub fn judge(page: &Page<'_>, site: &Site) -> Judgement {
    let said = each(page, site);
    let allowed = site.allowed_lines();
    let verdicts = said.map(|Said { r, score, lc }| {
        let mut why = vec![("r", r)];
        if let Some(lc) = lc {
            let rc = f64::from(site.pages());
            why.extend([("LC", f64::from(lc)), ("RC", rc), ("allowed", f64::from(allowed))]);
        }
        Verdict { keep: lc.is_some_and(|lc| lc <= allowed), score, why }
    });
    Judgement { verdicts: verdicts.collect(), ..Judgement::default() }
}

/// What is said of a block.
pub(crate) struct Said {
    r: f64,
    pub(crate) score: f32,
    /// LC, for text that passes the first stage.
    pub(crate) lc: Option<u32>,
}

/// What is said of each block, in order.
pub(crate) fn each<'p>(page: &'p Page<'_>, site: &Site) -> impl Iterator<Item = Said> + use<'p> {
    let settings = site.settings().lines;
    let ratios = ratios(page, &settings);
    let passed = move |block: &Block, r: f64| block.hidden.is_none() && passes(r, &settings);
    let pairs = page.blocks().iter().zip(&ratios);
    let lines: Vec<&str> =
        pairs.filter(|(block, r)| passed(block, **r)).map(|(block, _)| page.text(block)).collect();
    let mut counts = site.line_counts(&lines).into_iter();
    let allowed = site.allowed_lines();
    page.blocks().iter().zip(ratios).map(move |(block, r)| {
        let lc = passed(block, r).then(|| counts.next().unwrap_or(1));
        // The paper says yes or no. A line within its allowance is surer the less it uses of it.
        let score = match lc {
            Some(lc) if lc <= allowed => 1.0,
            Some(lc) => 0.5 * allowed as f32 / lc as f32,
            None => 0.0,
        };
        Said { r, score, lc }
    })
}

/// The first stage alone: for every block, whether it is a line that the second stage counts.
///
/// ```
/// use tamis::{Page, methods::lines};
///
/// let page = Page::parse("<a href=/>Home</a><p>It rained, and rained.");
/// assert_eq!(lines::first_stage(&page, &lines::Settings::default()), [false, true]);
/// ```
pub fn first_stage(page: &Page<'_>, settings: &Settings) -> Vec<bool> {
    let pairs = page.blocks().iter().zip(ratios(page, settings));
    pairs.map(|(block, r)| block.hidden.is_none() && passes(r, settings)).collect()
}

/// The lines of a page that the second stage counts.
pub(crate) fn kept_by_punctuation<'p>(page: &'p Page<'_>, settings: &Settings) -> Vec<&'p str> {
    let kept = first_stage(page, settings);
    page.blocks().iter().zip(kept).filter(|(_, kept)| *kept).map(|(block, _)| page.text(block)).collect()
}

fn passes(r: f64, settings: &Settings) -> bool {
    settings.min_ratio < r && r <= settings.p
}

/// r of the text node that each block is, or is part of.
fn ratios(page: &Page<'_>, settings: &Settings) -> Vec<f64> {
    let joined = |before: &Block, block: &Block| settings.join_paragraphs && joins(page, before, block);
    let mut ratios = Vec::with_capacity(page.blocks().len());
    for node in page.blocks().chunk_by(joined) {
        let sum = |part: fn(&Block) -> u32| node.iter().map(|block| f64::from(part(block))).sum::<f64>();
        let characters = sum(|block| block.measures.text.characters);
        let r = sum(|block| block.measures.text.punctuation) / characters.max(1.0);
        ratios.resize(ratios.len() + node.len(), r);
    }
    ratios
}

/// Would two blocks that follow each other be one text node if the tags of paragraphs were not there?
fn joins(page: &Page<'_>, before: &Block, block: &Block) -> bool {
    use tamis_html::Name;

    let outside = |block: &Block| {
        let element = page.element(block);
        if element.is(Name::P) { element.parent().map(|parent| parent.id()) } else { Some(block.element) }
    };
    block.breaks_before == 0 && before.hidden == block.hidden && outside(before) == outside(block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site;

    fn kept<'p>(page: &'p Page<'_>, site: &Site) -> Vec<&'p str> {
        judge(page, site).kept().map(|block| page.text(&page.blocks()[block])).collect()
    }

    const PAGE: &str = "<ul><li><a href=/>首页</a><li><a href=/n>新闻</a></ul><h1>河水上涨</h1>\
        <p>昨夜，河水涨了<b>两米</b>。</p><p>（！？）</p><p hidden>藏起来的一句话。</p>\
        <div>版权归河边报所有，请勿转载。</div>";

    #[test]
    fn prose_is_told_from_menus_and_with_other_pages_from_notices() {
        let page = Page::parse(PAGE);
        assert_eq!(kept(&page, &Site::default()), ["昨夜，河水涨了两米。", "版权归河边报所有，请勿转载。"]);
        let mut site = Site::default();
        site.observe(&Page::parse("<p>今天，太阳出来了。</p><div>版权归河边报所有，请勿转载。</div>"));
        assert_eq!(kept(&page, &site), ["昨夜，河水涨了两米。"]);
    }

    #[test]
    fn prose_without_punctuation_is_lost() {
        // The named weakness: nothing in the heading or the verse tells them from a menu.
        let page = Page::parse(
            "<h2>An old song</h2><p>Row row row your boat<br>gently down the stream</p><p>So it goes.",
        );
        assert_eq!(kept(&page, &Site::default()), ["So it goes."]);
    }

    #[test]
    fn the_first_pages_of_a_site_keep_their_noise() {
        // The other named weakness, of the form that reads pages in order.
        let mut site = Site::default();
        let html =
            |n: u32| format!("<p>Story number {n}, told.</p><p>Opinions are those of readers, not ours.</p>");
        for n in 0..3 {
            let html = html(n);
            let page = Page::parse(&html);
            assert_eq!(kept(&page, &site).len(), if n == 0 { 2 } else { 1 });
            site.observe(&page);
        }
    }

    #[test]
    fn the_numbers_are_given() {
        let page = Page::parse("<p>One, two: 3456.");
        let why = &judge(&page, &Site::default()).verdicts[0].why;
        assert_eq!(why[0], ("r", 3.0 / 13.0));
        assert_eq!(why[1..], [("LC", 1.0), ("RC", 0.0), ("allowed", 1.0)]);
    }

    #[test]
    fn settings_reach_both_stages() {
        let lines = Settings { min_ratio: -1.0, p: 1.0, l: 1, join_paragraphs: false };
        let mut site = Site::new(site::Settings { lines, ..site::Settings::default() });
        let page = Page::parse("<p>No mark<p>...");
        assert_eq!(kept(&page, &site).len(), 2);
        site.observe(&page);
        assert_eq!(kept(&page, &site).len(), 2, "L = 1 allows one more sighting a page");
    }

    #[test]
    fn paragraphs_can_be_joined_as_the_paper_does() {
        let lines = Settings { join_paragraphs: true, ..Settings::default() };
        let site = Site::new(site::Settings { lines, ..site::Settings::default() });
        let page =
            Page::parse("<div><p>A heading</p><p>A sentence, and so on.</p></div><div><p>Menu</p></div>");
        assert_eq!(kept(&page, &site), ["A heading", "A sentence, and so on."]);
    }
}
