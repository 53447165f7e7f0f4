//! Metrics over many pages, each a quotient of two sums: every page adds to the numerator and to the denominator.
//!
//! A mean over pages is the sum of their values over their number; counts of segments or leaf tags over all pages are
//! quotients already. Because all metrics have this form, one bootstrap gives every confidence interval.

use crate::overlap::Overlap;
use crate::pages::PageQuality;
use crate::score::{PageScore, TextScore};
use crate::segments::SegmentCounts;

/// A metric.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "`about` explains each")]
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

/// Name in JSON, column heading and description.
const TABLE: [(Figure, &str, &str, &str); 37] = [
    (TokenPrecision, "token_precision", "tok P", "share of the found tokens that are in the truth"),
    (TokenRecall, "token_recall", "tok R", "share of the true tokens that were found"),
    (TokenF1, "token_f1", "tok F1", "harmonic mean of both, a page at a time"),
    (ShinglePrecision, "shingle_precision", "sh4 P", "precision of 4-token shingles"),
    (ShingleRecall, "shingle_recall", "sh4 R", "recall of 4-token shingles"),
    (ShingleF1, "shingle_f1", "sh4 F1", "F1 of 4-token shingles, averaged over pages"),
    (
        BenchPrecision,
        "bench_precision",
        "bench P",
        "precision of 4-token shingles, counts of each page scaled to 1 and summed",
    ),
    (BenchRecall, "bench_recall", "bench R", "recall of 4-token shingles, summed in the same way"),
    (BenchF1, "bench_f1", "bench F1", "F1 of 4-token shingles, summed in the same way"),
    (Rouge5Precision, "rouge_5_precision", "R-5 P", "precision of 5-token shingles"),
    (Rouge5Recall, "rouge_5_recall", "R-5 R", "recall of 5-token shingles"),
    (Rouge5F1, "rouge_5_f1", "R-5 F1", "F1 of 5-token shingles (ROUGE-5)"),
    (RougeLPrecision, "rouge_l_precision", "R-L P", "longest common token subsequence, share of the output"),
    (RougeLRecall, "rouge_l_recall", "R-L R", "longest common token subsequence, share of the truth"),
    (RougeLF1, "rouge_l_f1", "R-L F1", "F1 of the longest common token subsequence (ROUGE-L)"),
    (
        CharacterPrecision,
        "character_precision",
        "char P",
        "longest common character subsequence, share of the output",
    ),
    (
        CharacterRecall,
        "character_recall",
        "char R",
        "longest common character subsequence, share of the truth",
    ),
    (CharacterF1, "character_f1", "char F1", "F1 of the longest common character subsequence"),
    (Qualified, "qualified", "qual.", "pages with all of the text and at most 5 % noise"),
    (Excellent, "excellent", "exc.", "pages with all of the text and at most 2 % noise"),
    (Correct, "correct", "corr.", "pages with at most 10 % noise and at least half of the text"),
    (Complete, "complete", "compl.", "of the correct pages, those with all of the text"),
    (Failed, "failed", "F1<.3", "pages with a token F1 below 0.3"),
    (Empty, "empty", "empty", "pages without any token"),
    (
        LeafTagPrecision,
        "leaf_tag_precision",
        "leaf P",
        "of the leaf tags kept, those of the text; over all pages",
    ),
    (LeafTagRecall, "leaf_tag_recall", "leaf R", "of the leaf tags of the text, those kept"),
    (LeafTagF1, "leaf_tag_f1", "leaf F1", "harmonic mean of both"),
    (SegmentPrecision, "segment_precision", "seg P", "of all segments found, those that must be present"),
    (SegmentRecall, "segment_recall", "seg R", "of the segments that must be present, those found"),
    (SegmentF1, "segment_f1", "seg F1", "harmonic mean of both"),
    (SegmentAccuracy, "segment_accuracy", "seg acc.", "segments that are correctly present or absent"),
    (SegmentPresent, "segment_present", "with", "of the segments that must be present, those found"),
    (SegmentAbsent, "segment_absent", "without", "of the segments that must be absent, those absent"),
    (SegmentF1AnyCase, "segment_f1_any_case", "seg F1 ci", "segment F1, case-insensitive"),
    (TitleEqual, "title_equal", "title =", "titles with the same letters and digits"),
    (TitleContains, "title_contains", "title ⊂", "titles of which one contains the other"),
    (SameDay, "same_day", "date", "dates of the same day"),
];

/// A quotient; `None` if the denominator is 0.
pub(crate) fn quotient(above: f64, below: f64) -> Option<f64> {
    (below != 0.0).then(|| above / below)
}

impl Figure {
    /// All metrics, in the order of tables.
    pub const ALL: [Figure; 37] = {
        let mut all = [TokenPrecision; 37];
        let mut place = 0;
        while place < all.len() {
            all[place] = TABLE[place].0;
            place += 1;
        }
        all
    };

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// A short column heading.
    pub fn heading(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// A one-line description.
    pub fn about(self) -> &'static str {
        TABLE[self as usize].3
    }

    /// Whether lower values are better.
    pub fn less_is_better(self) -> bool {
        matches!(self, Failed | Empty)
    }

    /// The value of one page, if it has one.
    pub fn of_page(self, page: &PageScore) -> Option<f64> {
        let (above, below) = self.share(page)?;
        quotient(above, below)
    }

    /// What a page adds to numerator and denominator; `None` if the metric does not apply to it.
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

/// Counts of shingles, scaled so that all pages have the same weight.
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
    fn the_table_is_in_the_order_of_the_enum() {
        for (place, figure) in Figure::ALL.into_iter().enumerate() {
            assert_eq!(figure as usize, place, "{}", figure.name());
        }
    }

    #[test]
    fn an_empty_page_score_has_no_metric() {
        assert!(Figure::ALL.into_iter().all(|figure| figure.share(&PageScore::default()).is_none()));
    }
}
