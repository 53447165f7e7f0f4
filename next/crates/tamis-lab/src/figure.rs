//! The figures that sum up many pages, each of them a share: what the pages add above the line, and what below.
//!
//! A mean over pages is the sum of the pages' values over their number; a figure that counts segments or leaf tags over
//! all pages is one sum over another. That one form for all is what lets a single bootstrap give every interval.

use crate::overlap::Overlap;
use crate::pages::PageQuality;
use crate::score::{PageScore, TextScore};
use crate::segments::SegmentCounts;

/// A figure, by name.
///
/// ```
/// use tamis_lab::Figure;
///
/// assert_eq!(Figure::TokenF1.name(), "token_f1");
/// assert!(Figure::ALL.contains(&Figure::TokenF1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the names say it; `about` explains each")]
pub enum Figure {
    TokenPrecision,
    TokenRecall,
    TokenF1,
    ShinglePrecision,
    ShingleRecall,
    ShingleF1,
    BenchPrecision,
    BenchRecall,
    BenchF1,
    Rouge5Precision,
    Rouge5Recall,
    Rouge5F1,
    RougeLPrecision,
    RougeLRecall,
    RougeLF1,
    CharacterPrecision,
    CharacterRecall,
    CharacterF1,
    Qualified,
    Excellent,
    Correct,
    Complete,
    Failed,
    Empty,
    LeafTagPrecision,
    LeafTagRecall,
    LeafTagF1,
    SegmentPrecision,
    SegmentRecall,
    SegmentF1,
    SegmentAccuracy,
    SegmentPresent,
    SegmentAbsent,
    SegmentF1AnyCase,
    TitleEqual,
    TitleContains,
    SameDay,
}

use Figure::*;

/// Name in JSON, heading of a column, and what it is.
const TABLE: [(Figure, &str, &str, &str); 37] = [
    (TokenPrecision, "token_precision", "tok P", "share of the found tokens that are in the truth"),
    (TokenRecall, "token_recall", "tok R", "share of the true tokens that were found"),
    (TokenF1, "token_f1", "tok F1", "harmonic mean of both, a page at a time"),
    (ShinglePrecision, "shingle_precision", "sh4 P", "likewise for runs of four tokens"),
    (ShingleRecall, "shingle_recall", "sh4 R", "likewise"),
    (ShingleF1, "shingle_f1", "sh4 F1", "likewise"),
    (
        BenchPrecision,
        "bench_precision",
        "bench P",
        "runs of four, counts of each page scaled to 1 and summed",
    ),
    (BenchRecall, "bench_recall", "bench R", "likewise"),
    (BenchF1, "bench_f1", "bench F1", "likewise"),
    (Rouge5Precision, "rouge_5_precision", "R-5 P", "likewise for runs of five tokens"),
    (Rouge5Recall, "rouge_5_recall", "R-5 R", "likewise"),
    (Rouge5F1, "rouge_5_f1", "R-5 F1", "likewise"),
    (RougeLPrecision, "rouge_l_precision", "R-L P", "longest common subsequence of tokens"),
    (RougeLRecall, "rouge_l_recall", "R-L R", "likewise"),
    (RougeLF1, "rouge_l_f1", "R-L F1", "likewise"),
    (CharacterPrecision, "character_precision", "char P", "longest common subsequence of characters"),
    (CharacterRecall, "character_recall", "char R", "likewise"),
    (CharacterF1, "character_f1", "char F1", "likewise"),
    (Qualified, "qualified", "qual.", "pages with all of the text and at most 5 % noise"),
    (Excellent, "excellent", "exc.", "pages with all of the text and at most 2 % noise"),
    (Correct, "correct", "corr.", "pages with the main text and hardly anything else"),
    (Complete, "complete", "compl.", "of the correct pages, those with all of the text"),
    (Failed, "failed", "F1<.3", "pages with a token F1 below 0.3"),
    (Empty, "empty", "empty", "pages without any token"),
    (
        LeafTagPrecision,
        "leaf_tag_precision",
        "leaf P",
        "of the leaf tags kept, those of the text; all pages together",
    ),
    (LeafTagRecall, "leaf_tag_recall", "leaf R", "of the leaf tags of the text, those kept"),
    (LeafTagF1, "leaf_tag_f1", "leaf F1", "harmonic mean of both"),
    (SegmentPrecision, "segment_precision", "seg P", "of all segments found, those that must be there"),
    (SegmentRecall, "segment_recall", "seg R", "of the segments that must be there, those found"),
    (SegmentF1, "segment_f1", "seg F1", "harmonic mean of both"),
    (SegmentAccuracy, "segment_accuracy", "seg acc.", "segments that are where they should be"),
    (SegmentPresent, "segment_present", "with", "of the segments that must be there, those found"),
    (SegmentAbsent, "segment_absent", "without", "of the segments that must not be there, those absent"),
    (SegmentF1AnyCase, "segment_f1_any_case", "seg F1 ci", "segment F1, case ignored"),
    (TitleEqual, "title_equal", "title =", "titles with the same letters and digits"),
    (TitleContains, "title_contains", "title ⊂", "titles of which one contains the other"),
    (SameDay, "same_day", "date", "dates of the same day"),
];

/// What is above the line over what is below it; nothing where nothing is below, for then there is nothing to tell.
///
/// ```
/// use tamis_lab::figure::quotient;
///
/// assert_eq!((quotient(3.0, 4.0), quotient(0.0, 0.0)), (Some(0.75), None));
/// ```
pub fn quotient(above: f64, below: f64) -> Option<f64> {
    (below != 0.0).then(|| above / below)
}

impl Figure {
    /// All figures, in the order of tables.
    pub const ALL: [Figure; 37] = {
        let mut all = [TokenPrecision; 37];
        let mut place = 0;
        while place < all.len() {
            all[place] = TABLE[place].0;
            place += 1;
        }
        all
    };

    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// A short heading for a column.
    pub fn heading(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// What it is, in a line.
    pub fn about(self) -> &'static str {
        TABLE[self as usize].3
    }

    /// Is less of it better?
    pub fn less_is_better(self) -> bool {
        matches!(self, Failed | Empty)
    }

    /// The figure of one page by itself; nothing where it has none.
    ///
    /// ```
    /// use tamis_lab::{Figure, PageScore};
    ///
    /// let page = PageScore { date: Some(true), ..PageScore::default() };
    /// assert_eq!((Figure::SameDay.of_page(&page), Figure::TokenF1.of_page(&page)), (Some(1.0), None));
    /// ```
    pub fn of_page(self, page: &PageScore) -> Option<f64> {
        let (above, below) = self.share(page)?;
        quotient(above, below)
    }

    /// What a page adds above and below the line; nothing where it has no say.
    pub fn share(self, page: &PageScore) -> Option<(f64, f64)> {
        let text = |value: fn(&TextScore) -> f64| page.text.as_ref().map(|text| (value(text), 1.0));
        let quality = |value: fn(&PageQuality) -> bool| {
            page.text.as_ref().map(|text| (f64::from(u8::from(value(&text.quality))), 1.0))
        };
        let bench = |value: fn(&Bench) -> (f64, f64)| {
            page.text.as_ref().map(|text| value(&Bench::of(&text.shingles)))
        };
        let leaf = |value: fn(&Overlap) -> (usize, usize)| page.leaf_tags.as_ref().map(value).map(real);
        let segments = |value: fn(&SegmentCounts) -> (usize, usize)| {
            page.segments.as_ref().map(|segments| real(value(&segments.exact)))
        };
        let yes = |value: bool| (f64::from(u8::from(value)), 1.0);
        match self {
            TokenPrecision => text(|text| text.tokens.precision()),
            TokenRecall => text(|text| text.tokens.recall()),
            TokenF1 => text(|text| text.tokens.f1()),
            ShinglePrecision => text(|text| text.shingles.precision()),
            ShingleRecall => text(|text| text.shingles.recall()),
            ShingleF1 => text(|text| text.shingles.f1()),
            BenchPrecision => bench(|it| (it.common, it.common + it.noise)),
            BenchRecall => bench(|it| (it.common, it.common + it.lost)),
            BenchF1 => bench(|it| (2.0 * it.common, 2.0 * it.common + it.noise + it.lost)),
            Rouge5Precision => text(|text| text.rouge_5.precision()),
            Rouge5Recall => text(|text| text.rouge_5.recall()),
            Rouge5F1 => text(|text| text.rouge_5.f1()),
            RougeLPrecision => text(|text| text.rouge_l.precision()),
            RougeLRecall => text(|text| text.rouge_l.recall()),
            RougeLF1 => text(|text| text.rouge_l.f1()),
            CharacterPrecision => text(|text| text.characters.precision()),
            CharacterRecall => text(|text| text.characters.recall()),
            CharacterF1 => text(|text| text.characters.f1()),
            Qualified => quality(|page| page.qualified),
            Excellent => quality(|page| page.excellent),
            Correct => quality(|page| page.correct),
            Complete => quality(|page| page.complete)
                .zip(quality(|page| page.correct))
                .map(|((complete, _), (correct, _))| (complete, correct)),
            Failed => quality(|page| page.failed),
            Empty => quality(|page| page.empty),
            LeafTagPrecision => leaf(|tags| (tags.common, tags.found)),
            LeafTagRecall => leaf(|tags| (tags.common, tags.wanted)),
            LeafTagF1 => leaf(|tags| (2 * tags.common, tags.found + tags.wanted)),
            SegmentPrecision => segments(|it| (it.present, it.present + it.intruding)),
            SegmentRecall | SegmentPresent => segments(|it| (it.present, it.present + it.missing)),
            SegmentF1 => segments(segment_f1),
            SegmentAccuracy => {
                segments(|it| (it.present + it.absent, it.present + it.absent + it.missing + it.intruding))
            }
            SegmentAbsent => segments(|it| (it.absent, it.absent + it.intruding)),
            SegmentF1AnyCase => page.segments.as_ref().map(|segments| real(segment_f1(&segments.any_case))),
            TitleEqual => page.title.map(|title| yes(title.equal)),
            TitleContains => page.title.map(|title| yes(title.contains)),
            SameDay => page.date.map(yes),
        }
    }
}

/// Counts of runs, scaled so that each page weighs the same.
struct Bench {
    common: f64,
    noise: f64,
    lost: f64,
}

impl Bench {
    fn of(runs: &Overlap) -> Bench {
        let (noise, lost) = (runs.found - runs.common, runs.wanted - runs.common);
        let all = (runs.common + noise + lost).max(1) as f64;
        Bench { common: runs.common as f64 / all, noise: noise as f64 / all, lost: lost as f64 / all }
    }
}

fn segment_f1(it: &SegmentCounts) -> (usize, usize) {
    (2 * it.present, 2 * it.present + it.missing + it.intruding)
}

fn real((above, below): (usize, usize)) -> (f64, f64) {
    (above as f64, below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_figures() {
        for (place, figure) in Figure::ALL.into_iter().enumerate() {
            assert_eq!(figure as usize, place, "{}", figure.name());
        }
    }

    #[test]
    fn a_page_without_anything_has_no_say() {
        assert!(Figure::ALL.into_iter().all(|figure| figure.share(&PageScore::default()).is_none()));
    }
}
