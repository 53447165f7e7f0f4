//! `blocks`: main text by the statistics of text blocks, without a tree.
//!
//! Zou Yongqiang and Zhong Zhinong, "An efficient approach to reduce noise in news webpages", 2011. The page is cut at
//! its layout tags; noise tags go with their content; and of the histogram of block lengths, smoothed, the compact
//! stretch of long blocks is the main text. The title stands near its first block, the report time near the first or
//! the last.
//!
//! Where the paper leaves something open:
//!
//! - Every tag of type II, start or end, is a border, and blocks without text count: the distance between two texts is
//!   part of the histogram. (The paper speaks of values of zero.)
//! - Link text is left out of the counts, since `a` is of type I. In the output it stays inside the kept blocks, or
//!   every sentence with a link would lose words; [`Form::Paper`] leaves it out.
//! - The blocks i - 2 to i + 2, where the title is looked for, are counted as they stand: reaching further brings in the
//!   headings of sections. For the report time they are counted among the blocks that have text, since empty ones
//!   nearly always part the line with the date from the first paragraph.
//! - `title` is neither of type I nor of type II, so its text counts; it is never part of the output.
//! - How broken markup is read is said in the head of `scan.rs`.

mod end_tags;
mod histogram;
mod scan;
mod tags;
mod title;

use std::ops::{Range, RangeInclusive};

use tamis_html::Span;

use crate::block::Block;
use crate::judgement::{Judgement, Verdict};
use crate::page::Page;
use crate::report_time::ReportTime;
use crate::visible;

pub use histogram::Thresholds;
use scan::{Run, Scan};
pub use title::clean_title;

/// What becomes of link text.
///
/// ```
/// use tamis::methods::text_blocks::{Form, TextBlocks};
///
/// let blocks = TextBlocks::of("<p>It rained for <a href=/d>nine days</a>, and the river rose.");
/// assert!(blocks.text(Form::default()).contains("nine days"));
/// assert!(!blocks.text(Form::Paper).contains("nine days"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// It stays inside the kept blocks.
    #[default]
    WithLinks,
    /// It is left out, as the paper has it.
    Paper,
}

/// One of the paper's blocks.
///
/// ```
/// use tamis::methods::text_blocks::TextBlocks;
///
/// let page = "<p>Nine days of <a href=/r>rain</a></p>";
/// let blocks = TextBlocks::of(page);
/// let block = blocks.list().iter().find(|block| block.characters > 0).unwrap();
/// assert_eq!(block.span.of(page), "Nine days of <a href=/r>rain</a>");
/// assert_eq!((block.characters, block.link_characters), (10, 4));
/// assert!(block.smoothed > 0.0 && block.kept);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TextBlock {
    /// Where it stands in the source, without its borders.
    pub span: Span,
    /// n_b: characters outside links, white space left out.
    pub characters: u32,
    /// Characters inside links.
    pub link_characters: u32,
    /// s_b: the length smoothed by its neighbours.
    pub smoothed: f64,
    /// Does it belong to the main text?
    pub kept: bool,
}

/// A page as the paper sees it.
///
/// ```
/// use tamis::methods::text_blocks::TextBlocks;
///
/// let page = "<ul><li><a href=/>Home</a><li><a href=/b>Sport</a></ul><div>\
///             <p>It rained for nine days, and the river rose by two metres.\
///             <p>On the tenth day the sun came out.</div><p>(c)";
/// let blocks = TextBlocks::of(page);
/// let kept: Vec<_> = blocks.list().iter().filter(|block| block.kept && block.characters > 0).collect();
/// assert_eq!(kept.len(), 2);
/// assert!(kept[0].span.of(page).starts_with("It rained"));
/// let thresholds = blocks.thresholds();
/// assert!(kept.iter().all(|block| block.smoothed > 0.0) && format!("{thresholds:?}").contains("Thresholds"));
/// ```
#[derive(Clone, Debug)]
pub struct TextBlocks<'s> {
    scan: Scan<'s>,
    list: Vec<TextBlock>,
    thresholds: Thresholds,
}

impl<'s> TextBlocks<'s> {
    /// Reads a page in one pass over its tokens.
    pub fn of(source: &'s str) -> TextBlocks<'s> {
        TextBlocks::of_scan(scan::scan(source))
    }

    /// The same of a page that has been parsed.
    fn of_page(page: &'s Page<'_>) -> TextBlocks<'s> {
        TextBlocks::of_scan(scan::scan_again(page.dom()))
    }

    fn of_scan(scan: Scan<'s>) -> TextBlocks<'s> {
        let lengths: Vec<u32> = scan.blocks.iter().map(|block| block.characters).collect();
        let smoothed = histogram::smooth(&lengths);
        let thresholds = histogram::thresholds(&smoothed);
        let main = histogram::main_text(&smoothed, &thresholds);
        let list = scan.blocks.iter().zip(smoothed).zip(main);
        let list = list.map(|((block, smoothed), kept)| TextBlock {
            span: block.span,
            characters: block.characters,
            link_characters: block.link_characters,
            smoothed,
            kept,
        });
        TextBlocks { list: list.collect(), scan, thresholds }
    }

    /// The blocks in source order, those without text included: the paper's histogram.
    pub fn list(&self) -> &[TextBlock] {
        &self.list
    }

    /// The thresholds that decided.
    pub fn thresholds(&self) -> &Thresholds {
        &self.thresholds
    }

    /// The main text: a line for what a reader sees on a line of its own, white space folded, references read.
    ///
    /// ```
    /// use tamis::methods::text_blocks::{Form, TextBlocks};
    ///
    /// let blocks = TextBlocks::of("<h1>Rain</h1>It <a href=/r>rained</a> &amp; <b>rain</b>ed.");
    /// assert_eq!(blocks.text(Form::WithLinks), "Rain\nIt rained & rained.");
    /// assert_eq!(blocks.text(Form::Paper), "Rain\nIt & rained.");
    /// ```
    pub fn text(&self, form: Form) -> String {
        let mut text = String::new();
        let mut line = Line::default();
        for (number, _) in self.list.iter().enumerate().filter(|(_, block)| block.kept) {
            for run in &self.scan.runs[self.scan.runs_of(number)] {
                line.add(run, &self.scan, form, &mut text);
            }
        }
        text
    }

    /// The text of one block, in one line.
    fn text_of(&self, runs: Range<usize>) -> String {
        let mut text = String::new();
        let mut due = false;
        for run in self.scan.runs.get(runs).unwrap_or_default() {
            due |= run.space_before || run.new_line;
            visible::fold(&self.scan.tokenizer.text(run.piece), &mut text, 0, &mut due);
        }
        text
    }

    /// Has the block any text, in links or outside?
    fn has_text(&self, block: usize) -> bool {
        !self.scan.runs_of(block).is_empty()
    }

    /// The first and the last block of the main text that have text: the paper's i and j.
    fn ends(&self) -> Option<(usize, usize)> {
        let is_main = |&block: &usize| self.list[block].kept && self.has_text(block);
        let mut blocks = 0..self.list.len();
        Some((blocks.clone().find(is_main)?, blocks.rfind(is_main)?))
    }

    /// The blocks from `NEAR` before to `NEAR` behind, counting those that have text.
    fn around(&self, block: usize) -> RangeInclusive<usize> {
        let has_text = |&block: &usize| self.has_text(block);
        let first = (0..block).rev().filter(has_text).take(NEAR).last().unwrap_or(block);
        let last = (block + 1..self.list.len()).filter(has_text).take(NEAR).last().unwrap_or(block);
        first..=last
    }

    /// The title: of the headings in the blocks i - 2 to i + 2 the one of the highest level, else `title` without the
    /// name of the site.
    ///
    /// ```
    /// use tamis::methods::text_blocks::TextBlocks;
    ///
    /// let page = "<title>Rain | The Daily News</title><body><h2>Nine days of rain</h2><p>It rained for nine days.";
    /// assert_eq!(TextBlocks::of(page).title().as_deref(), Some("Nine days of rain"));
    /// let page = "<title>Rain | The Daily News</title><body><p>It rained for nine days.";
    /// assert_eq!(TextBlocks::of(page).title().as_deref(), Some("Rain"));
    /// ```
    pub fn title(&self) -> Option<String> {
        if let Some((first, _)) = self.ends() {
            let near = first.saturating_sub(NEAR)..=first + NEAR;
            let mut headings: Vec<_> =
                self.scan.headings.iter().filter(|heading| near.contains(&heading.block)).collect();
            headings.sort_by_key(|heading| heading.level);
            let mut texts = headings.iter().map(|heading| self.text_of(heading.runs.clone()));
            if let Some(title) = texts.find(|text| !text.is_empty()) {
                return Some(title);
            }
        }
        let raw = self.scan.tokenizer.text(self.scan.title?);
        Some(clean_title(&raw)).filter(|title| !title.is_empty())
    }

    /// The report time: the first date in the blocks i - 2 to i + 2, else in j - 2 to j + 2.
    ///
    /// ```
    /// use tamis::methods::text_blocks::TextBlocks;
    ///
    /// let page = "<p>2010年12月15日 08:30<p>It rained for nine days, and the river rose by two metres.";
    /// assert_eq!(TextBlocks::of(page).report_time().unwrap().to_string(), "2010-12-15T08:30");
    /// ```
    pub fn report_time(&self) -> Option<ReportTime> {
        let (first, last) = self.ends()?;
        let mut candidates =
            self.around(first).chain(self.around(last)).filter(|&block| self.has_text(block));
        candidates.find_map(|block| ReportTime::find(&self.text_of(self.scan.runs_of(block))))
    }
}

/// How many blocks around the ends of the main text may hold title and time.
const NEAR: usize = 2;

/// The line of the output that is being written.
#[derive(Default)]
struct Line {
    start: usize,
    space_due: bool,
}

impl Line {
    fn add(&mut self, run: &Run, scan: &Scan<'_>, form: Form, text: &mut String) {
        if run.new_line && text.len() > self.start {
            text.push('\n');
            self.start = text.len();
            self.space_due = false;
        }
        self.space_due |= run.space_before;
        if run.in_link && form == Form::Paper {
            // Something stood here: the words around it stay two.
            self.space_due = true;
            return;
        }
        visible::fold(&scan.tokenizer.text(run.piece), text, self.start, &mut self.space_due);
    }
}

/// Judges a page by the paper's rules; link text stays.
///
/// ```
/// use tamis::{Page, methods::text_blocks};
///
/// let page = Page::parse(
///     "<ul><li><a href=/>Home</a><li><a href=/b>Sport</a></ul>\
///      <p>It rained for nine days, and the river rose by two metres.",
/// );
/// let judgement = text_blocks::judge(&page);
/// assert_eq!(judgement.kept().collect::<Vec<_>>(), [2]);
/// ```
pub fn judge(page: &Page<'_>) -> Judgement {
    judge_in(page, Form::WithLinks)
}

/// Judges a page by the paper's rules. In [`Form::Paper`] a block of the tree that is mostly link text is dropped; one
/// that holds a link among other words is kept whole.
///
/// ```
/// use tamis::{Page, methods::text_blocks::{Form, judge_in}};
///
/// let page = Page::parse("<p>It rained for nine days, and the river rose by a lot.<p><a href=/d>And so on, at length</a>");
/// assert!(judge_in(&page, Form::WithLinks).keeps(0));
/// assert_eq!(judge_in(&page, Form::Paper).kept().collect::<Vec<_>>(), [0]);
/// ```
pub fn judge_in(page: &Page<'_>, form: Form) -> Judgement {
    let blocks = TextBlocks::of_page(page);
    let verdicts = blocks.each(page, form, |keep, home| {
        let Some(block) = home else { return Verdict::default() };
        let Thresholds { n_floor, n_mark, .. } = blocks.thresholds;
        let why = vec![
            ("n", f64::from(block.characters)),
            ("s", block.smoothed),
            ("N'min", n_floor),
            ("Nmark", n_mark),
        ];
        Verdict { keep, score: blocks.score(keep, block), why }
    });
    Judgement { verdicts, ..Judgement::default() }
}

/// The scores of [`judge`] alone.
pub(crate) fn scores(page: &Page<'_>) -> Vec<f32> {
    let blocks = TextBlocks::of_page(page);
    blocks.each(page, Form::WithLinks, |keep, home| home.map_or(0.0, |block| blocks.score(keep, block)))
}

impl TextBlocks<'_> {
    /// For each block of a page whether it is kept, and the block of the paper where most of its text stands.
    fn each<T>(&self, page: &Page<'_>, form: Form, say: impl Fn(bool, Option<&TextBlock>) -> T) -> Vec<T> {
        let mut at = At::default();
        let of_block = |block: &Block| {
            let (mut kept, mut all, mut home) = (0, 0, (0, None));
            for run in page.runs(block) {
                for span in page.node(run.node).text_spans() {
                    match self.run_at(span, &mut at) {
                        Some((number, run)) => {
                            let keeps = self.list[number].kept && !(run.in_link && form == Form::Paper);
                            kept += if keeps { run.characters } else { 0 };
                            all += run.characters;
                            home = home.max((run.characters, Some(number)));
                        }
                        // Taken out with a tag of type I.
                        None => all += visible::count(span.of(page.dom().source())),
                    }
                }
            }
            say(2 * kept > all, home.1.and_then(|number| self.list.get(number)))
        };
        page.blocks().iter().map(of_block).collect()
    }

    /// The run that a text of the tree comes from, with the number of its block.
    fn run_at(&self, text: Span, at: &mut At) -> Option<(usize, &Run)> {
        let runs = &self.scan.runs;
        at.run = forward(runs, at.run, |run| run.piece.span.end <= text.start);
        let run = runs.get(at.run).filter(|run| run.piece.span.start < text.end)?;
        at.block = forward(&self.scan.blocks, at.block, |block| block.runs_start as usize <= at.run);
        Some((at.block.checked_sub(1)?, run))
    }

    /// The score is s_b as a share of Nmark, in the upper half for what is kept and in the lower for what is not.
    fn score(&self, keep: bool, block: &TextBlock) -> f32 {
        let n_mark = self.thresholds.n_mark;
        let share = if n_mark > 0.0 { (block.smoothed / n_mark).min(1.0) } else { 0.0 };
        (share as f32 + f32::from(u8::from(keep))) / 2.0
    }
}

/// Where the last text was found: nearly always the next one follows it.
#[derive(Clone, Copy, Default)]
struct At {
    run: usize,
    block: usize,
}

/// As `partition_point` of the whole list, looked for near `from` first.
fn forward<T>(list: &[T], from: usize, is_before: impl Fn(&T) -> bool) -> usize {
    /// How far is near.
    const STEPS: usize = 8;
    if from == 0 || list.get(from - 1).is_some_and(&is_before) {
        let near = &list[from..list.len().min(from + STEPS)];
        if let Some(step) = near.iter().position(|item| !is_before(item)) {
            return from + step;
        }
    }
    list.partition_point(is_before)
}

#[cfg(test)]
mod tests;
