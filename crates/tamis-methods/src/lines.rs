//! `lines`: text nodes by their share of punctuation, then lines that recur across a site.
//!
//! Li Xia and Jiang Shengyi, "Content extraction from web page based on the DOM tree and line-text statistical
//! noise-elimination", 2012. Stage 1: navigation has no punctuation, prose has some. Stage 2: copyright notices and
//! house rules have some too, but occur on every page of the site.
//!
//! - A text node of the paper is a block: the paper strips inline tags, so a paragraph is one text node.
//! - "All characters" excludes white space; the paper even deletes `&nbsp;`.
//! - The paper keeps ratios in [0, p]. With 0 every link of a menu would pass, against its own argument, so the lower
//!   end is open; see [`Settings::min_ratio`].
//!
//! Weaknesses: main text without punctuation (headings, captions, verse, code), and noise written in sentences if no
//! other page of the site is known.

use std::collections::HashMap;

use tamis::classify::SiteMemory;
use tamis::page::Page;

use crate::judgement::{Curves, Judgement, Verdict};
use crate::punctuation;

/// The constants of the paper.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Lower bound of the share of punctuation, exclusive. Default: 0; a negative value gives the interval as printed.
    pub min_ratio: f64,
    /// p: upper bound of the share of punctuation, inclusive (section 2.1).
    pub p: f64,
    /// L: a line may recur once more per this many pages (section 2.2).
    pub l: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { min_ratio: 0.0, p: 0.3, l: 50 }
    }
}

impl Settings {
    fn accepts(&self, ratio: f64) -> bool {
        self.min_ratio < ratio && ratio <= self.p
    }

    /// The largest LC with which a line is kept after `pages` pages: `int(1 + RC / L)`.
    pub fn allowed(&self, pages: u32) -> u32 {
        1 + pages / self.l.max(1)
    }
}

/// Judges a page as the next one of its site.
///
/// Evidence: `r`, and for lines that pass stage 1 `LC`, `RC` and the LC that RC allows.
pub fn judge(page: &Page<'_>, site: Option<&dyn SiteMemory>, settings: &Settings) -> Judgement {
    let pages = site.map_or(0, SiteMemory::pages);
    let allowed = settings.allowed(pages);
    let ratios = ratios(page);
    let mut seen_here: HashMap<&str, u32> = HashMap::new();
    let verdicts = ratios.iter().enumerate().map(|(block, &ratio)| {
        let mut evidence = vec![("r", ratio)];
        if !settings.accepts(ratio) {
            return Verdict { keep: false, score: 0.0, evidence };
        }
        let line = page.blocks.text(block);
        let here = seen_here.entry(line).or_insert(0);
        *here += 1;
        let lc = site.map_or(0, |site| site.pages_with_line(line)).saturating_add(*here);
        evidence.extend([("LC", f64::from(lc)), ("RC", f64::from(pages)), ("allowed", f64::from(allowed))]);
        // The paper decides without a score. A rejected line scores less the more often it occurs.
        let keep = lc <= allowed;
        let score = if keep { 1.0 } else { 0.5 * allowed as f32 / lc as f32 };
        Verdict { keep, score, evidence }
    });
    let verdicts = verdicts.collect();
    let nodes = (0..page.blocks.len()).map(|block| page.blocks.text_nodes(block).first().copied()).collect();
    let curves = Curves { nodes, series: vec![("r", ratios)], thresholds: vec![("p", settings.p)] };
    Judgement { verdicts, curves }
}

/// Stage 1 alone: for each block whether it is a line that stage 2 counts.
pub fn first_stage(page: &Page<'_>, settings: &Settings) -> Vec<bool> {
    ratios(page).into_iter().map(|ratio| settings.accepts(ratio)).collect()
}

/// r of each block: punctuation characters to all characters.
fn ratios(page: &Page<'_>) -> Vec<f64> {
    let blocks = &page.blocks;
    let ratio = |block: usize| {
        f64::from(punctuation::count(blocks.text(block))) / f64::from(blocks.counts[block].characters.max(1))
    };
    (0..blocks.len()).map(ratio).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement;
    use crate::site::Site;

    fn kept(html: &str, site: &Site) -> Vec<String> {
        judgement::kept(html, |page| judge(page, Some(site), &Settings::default()))
    }

    const PAGE: &str = "<ul><li><a href=/>首页</a><li><a href=/n>新闻</a></ul><h1>河水上涨</h1>\
        <p>昨夜，河水涨了<b>两米</b>。</p><p>（！？）</p><p hidden>藏起来的一句话。</p>\
        <div>版权归河边报所有，请勿转载。</div>";

    #[test]
    fn separates_prose_from_menus_and_with_other_pages_from_notices() {
        assert_eq!(kept(PAGE, &Site::default()), ["昨夜，河水涨了两米。", "版权归河边报所有，请勿转载。"]);
        let mut site = Site::default();
        site.observe(&Page::parse("<p>今天，太阳出来了。</p><div>版权归河边报所有，请勿转载。</div>"));
        assert_eq!(kept(PAGE, &site), ["昨夜，河水涨了两米。"]);
    }

    #[test]
    fn a_line_may_recur_once_more_for_every_fifty_pages() {
        let mut site = Site::default();
        for page in 1..=50 {
            let html = format!("<p>On every page.<p>Line of page {page}.");
            let fresh = format!("Line of page {page}.");
            let expected = if page == 1 { vec!["On every page.", &fresh] } else { vec![&*fresh] };
            assert_eq!(kept(&html, &site), expected, "page {page}");
            site.observe(&Page::parse(&html));
        }
        assert_eq!(kept("<p>Line of page 7.<p>Line of page 7.", &site), ["Line of page 7."]);
        assert_eq!([0, 49, 50, 120].map(|pages| Settings::default().allowed(pages)), [1, 1, 2, 3]);
    }

    #[test]
    fn p_is_inclusive_and_zero_is_not() {
        // Three marks among ten characters, and four.
        let page = Page::parse("<p>abcdefg,,,<p>abcdef,,,,<p>abcdefghij");
        let verdicts = judge(&page, None, &Settings::default()).verdicts;
        let seen: Vec<_> = verdicts.iter().map(|verdict| (verdict.evidence[0].1, verdict.keep)).collect();
        assert_eq!(seen, [(0.3, true), (0.4, false), (0.0, false)]);
        let printed = Settings { min_ratio: -1.0, ..Settings::default() };
        assert_eq!(first_stage(&page, &printed), [true, false, true]);
    }

    #[test]
    fn evidence_has_the_papers_names() {
        let page = Page::parse("<p>One, two: 3456.<p>Ha!<p>Ha!");
        let judgement = judge(&page, None, &Settings { p: 0.4, ..Settings::default() });
        assert_eq!(judgement.verdicts[0].evidence[0], ("r", 3.0 / 13.0));
        assert_eq!(judgement.verdicts[0].evidence[1..], [("LC", 1.0), ("RC", 0.0), ("allowed", 1.0)]);
        assert_eq!(judgement.verdicts[2].evidence[1], ("LC", 2.0));
        assert_eq!(judgement.kept().collect::<Vec<_>>(), [0, 1]);
        assert_eq!(judgement.curves.get("r").unwrap().len(), 3);
    }
}
