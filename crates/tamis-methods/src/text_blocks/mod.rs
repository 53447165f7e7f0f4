//! `blocks`: a histogram of text-block lengths and two thresholds, with title and report time.
//!
//! Zou Yongqiang and Zhong Zhinong, "An efficient approach to reduce noise in news webpages", 2011. Noise tags are
//! removed with their content, and layout tags split the page into blocks. In the smoothed histogram of block lengths,
//! the compact run of long blocks is the main text. The title is near its first block, the report time near the first
//! or the last.
//!
//! The paper needs no tree but repairs broken markup first. Here the parser does that, and the tags are those of
//! the tree, in order. Left open by the paper and decided here:
//!
//! - Every tag of type II, start or end, is a border, and blocks without text count: the distance between two texts is
//!   part of the histogram. (The paper says "values of zero".)
//! - Link text (`a` with an `href`) is left out of the counts, borders inside of it too, since `a` is of type I. In the
//!   output it stays inside kept blocks, or every sentence with a link would lose words; [`LinkText::Drop`] is the
//!   printed form.
//! - Other tags of type I without a later end tag are ignored, so that an unclosed tag does not remove the rest of the
//!   page.
//! - The blocks i - 2 to i + 2 of the title are counted as they are; reaching further brings in headings of sections.
//!   Those of the report time are counted among blocks with text, since empty ones nearly always separate the line with
//!   the date from the first paragraph.
//! - `title` is neither of type I nor of type II, so its text counts; it is never part of the output.

mod histogram;
mod scan;
mod title;

use std::ops::Range;

use tamis::page::Page;
use tamis::text::whitespace::collapse_whitespace;
use tamis_dates::{Form, Hints, Moment};
use tamis_html::NodeId;

use histogram::Thresholds;
use scan::{Block, Scan};
pub use title::clean_title;

use crate::judgement::{Curves, Judgement, Verdict, score};

/// Distance from the ends of the main text, in blocks, within which title and time are searched.
const NEAR: usize = 2;

/// What happens to link text in kept blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LinkText {
    /// It is kept.
    #[default]
    Keep,
    /// It is removed, as printed in the paper.
    Drop,
}

/// The text blocks of a page as in the paper, empty ones included, and which of them are main text.
#[derive(Clone, Debug)]
pub struct TextBlocks<'p, 's> {
    page: &'p Page<'s>,
    scan: Scan,
    /// s_b of each block: its length smoothed by its neighbours.
    smoothed: Vec<f64>,
    thresholds: Thresholds,
    is_main: Vec<bool>,
}

impl<'p, 's> TextBlocks<'p, 's> {
    /// Splits a page into text blocks and finds the main text.
    pub fn of(page: &'p Page<'s>) -> TextBlocks<'p, 's> {
        let scan = scan::scan(page);
        let lengths: Vec<u32> = scan.blocks.iter().map(|block| block.characters).collect();
        let smoothed = histogram::smooth(&lengths);
        let thresholds = Thresholds::of(&smoothed);
        let is_main = histogram::main_text(&smoothed, &thresholds);
        TextBlocks { page, scan, smoothed, thresholds, is_main }
    }

    /// The main text, one line per line of the page.
    pub fn text(&self, links: LinkText) -> String {
        let line = |block| self.line(self.page.blocks.text_nodes(block).iter().copied(), links);
        self.judge(links).kept().map(line).collect::<Vec<_>>().join("\n")
    }

    /// Texts in one line.
    fn line(&self, texts: impl Iterator<Item = NodeId>, links: LinkText) -> String {
        let (mut line, mut pending_space) = (String::new(), false);
        for node in texts.filter_map(|id| self.page.dom.node(id)) {
            if links == LinkText::Drop && self.scan.text(node.id()).is_none_or(|text| text.in_link) {
                pending_space = true;
            } else {
                collapse_whitespace(&node.text(), &mut line, 0, &mut pending_space);
            }
        }
        line
    }

    /// The texts of the paper's blocks in one line.
    fn scanned_line(&self, texts: Range<usize>) -> String {
        let texts = self.scan.texts.get(texts).unwrap_or_default();
        self.line(texts.iter().map(|text| text.node), LinkText::Keep)
    }

    fn has_text(&self, block: usize) -> bool {
        let Block { characters, link_characters, .. } = self.scan.blocks[block];
        characters + link_characters > 0 && !self.scan.texts_of(block).is_empty()
    }

    /// The first and the last block of the main text with text: the paper's i and j.
    fn ends(&self) -> Option<(usize, usize)> {
        let is_main = |block: &usize| self.is_main[*block] && self.has_text(*block);
        let mut blocks = 0..self.is_main.len();
        Some((blocks.clone().find(is_main)?, blocks.rfind(is_main)?))
    }

    /// The title: the heading of the highest level in blocks i - 2 to i + 2, else `title` without the site's name.
    pub fn title(&self) -> Option<String> {
        if let Some((first, _)) = self.ends() {
            let near = first.saturating_sub(NEAR)..=first + NEAR;
            let mut headings: Vec<_> =
                self.scan.headings.iter().filter(|heading| near.contains(&heading.block)).collect();
            headings.sort_by_key(|heading| heading.level);
            let mut texts = headings.iter().map(|heading| self.scanned_line(heading.texts.clone()));
            if let Some(title) = texts.find(|text| !text.is_empty()) {
                return Some(title);
            }
        }
        Some(clean_title(&self.page.head.title)).filter(|title| !title.is_empty())
    }

    /// The report time: the first date in blocks i - 2 to i + 2, else in j - 2 to j + 2.
    pub fn report_time(&self) -> Option<Moment> {
        let (first, last) = self.ends()?;
        let around = |block: usize| {
            let has_text = |block: &usize| self.has_text(*block);
            let first = (0..block).rev().filter(has_text).take(NEAR).last().unwrap_or(block);
            let last = (block + 1..self.is_main.len()).filter(has_text).take(NEAR).last().unwrap_or(block);
            (first..=last).filter(has_text)
        };
        around(first).chain(around(last)).find_map(|block| {
            let found = tamis_dates::find(&self.scanned_line(self.scan.texts_of(block)), &Hints::default());
            found.into_iter().find(|date| date.form == Form::Full).map(|date| date.moment)
        })
    }

    /// Verdicts on the blocks of the page: a block is kept if kept text blocks have more than half of its characters.
    fn judge(&self, links: LinkText) -> Judgement {
        let Thresholds { n_floor, n_mark, .. } = self.thresholds;
        let verdicts = (0..self.page.blocks.len()).map(|block| {
            let (mut kept, mut home) = (0, (0, None));
            for text in self.page.blocks.text_nodes(block).iter().filter_map(|id| self.scan.text(*id)) {
                let keeps = self.is_main[text.block] && !(text.in_link && links == LinkText::Drop);
                kept += if keeps { text.characters } else { 0 };
                if text.characters > home.0 {
                    home = (text.characters, Some(text.block));
                }
            }
            let Some(home) = home.1 else { return Verdict::default() };
            let keep = 2 * kept > self.page.blocks.counts[block].characters;
            let strength = if n_mark > 0.0 { self.smoothed[home] / n_mark } else { 0.0 };
            let evidence = vec![
                ("n", f64::from(self.scan.blocks[home].characters)),
                ("s", self.smoothed[home]),
                ("N'min", n_floor),
                ("Nmark", n_mark),
            ];
            Verdict { keep, score: score(keep, strength), evidence }
        });
        let verdicts = verdicts.collect();
        let first_text = |block| self.scan.texts[self.scan.texts_of(block)].first().map(|text| text.node);
        let lengths = self.scan.blocks.iter().map(|block| f64::from(block.characters)).collect();
        let curves = Curves {
            nodes: (0..self.is_main.len()).map(first_text).collect(),
            series: vec![("n", lengths), ("s", self.smoothed.clone())],
            thresholds: vec![("N'min", n_floor), ("Nmark", n_mark)],
        };
        Judgement { verdicts, curves }
    }
}

/// Judges a page. With [`LinkText::Drop`] a block that is mostly link text is dropped; one with a link among other
/// words is kept whole. Evidence: `n` and `s` of the text block, N'min and Nmark.
pub fn judge(page: &Page<'_>, links: LinkText) -> Judgement {
    TextBlocks::of(page).judge(links)
}

#[cfg(test)]
mod tests;
