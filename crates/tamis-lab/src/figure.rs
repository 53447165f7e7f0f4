//! Metrics over many pages, each a quotient of two sums: every page adds to the numerator and to the denominator.
//!
//! A mean over pages is the sum of their values over their number; counts of segments or leaf tags over all pages are
//! quotients already. Because all metrics have this form, one bootstrap gives every confidence interval.

use crate::overlap::Overlap;
use crate::pages::PageQuality;
use crate::score::{PageScore, TextScore};
use crate::segments::SegmentCounts;

macro_rules! figures {
    ($page:ident; $($figure:ident $name:literal $heading:literal $about:literal: $share:expr;)*) => {
        /// A metric.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[allow(missing_docs, reason = "`about` explains each")]
        pub enum Figure { $($figure),* }

        impl Figure {
            /// All metrics, in the order of tables.
            pub const ALL: [Figure; [$(Figure::$figure),*].len()] = [$(Figure::$figure),*];

            /// The name in JSON.
            pub fn name(self) -> &'static str {
                match self { $(Figure::$figure => $name),* }
            }

            /// A short column heading.
            pub fn heading(self) -> &'static str {
                match self { $(Figure::$figure => $heading),* }
            }

            /// A one-line description.
            pub fn about(self) -> &'static str {
                match self { $(Figure::$figure => $about),* }
            }

            /// What a page adds to numerator and denominator; `None` if the metric does not apply to it.
            pub fn share(self, $page: &PageScore) -> Option<(f64, f64)> {
                match self { $(Figure::$figure => $share),* }
            }
        }
    };
}

// Name in JSON, column heading, description, and what a page adds to numerator and denominator.
figures! { page;
    TokenPrecision "token_precision" "tok P" "share of the found tokens that are in the truth": text(page, |it| it.tokens.precision());
    TokenRecall "token_recall" "tok R" "share of the true tokens that were found": text(page, |it| it.tokens.recall());
    TokenF1 "token_f1" "tok F1" "harmonic mean of both, a page at a time": text(page, |it| it.tokens.f1());
    ShinglePrecision "shingle_precision" "sh4 P" "precision of 4-token shingles": text(page, |it| it.shingles.precision());
    ShingleRecall "shingle_recall" "sh4 R" "recall of 4-token shingles": text(page, |it| it.shingles.recall());
    ShingleF1 "shingle_f1" "sh4 F1" "F1 of 4-token shingles, averaged over pages": text(page, |it| it.shingles.f1());
    BenchPrecision "bench_precision" "bench P" "precision of 4-token shingles, counts of each page scaled to 1 and summed": bench(page, |it| (it.common, it.common + it.noise));
    BenchRecall "bench_recall" "bench R" "recall of 4-token shingles, summed in the same way": bench(page, |it| (it.common, it.common + it.lost));
    BenchF1 "bench_f1" "bench F1" "F1 of 4-token shingles, summed in the same way": bench(page, |it| (2.0 * it.common, 2.0 * it.common + it.noise + it.lost));
    Rouge5Precision "rouge_5_precision" "R-5 P" "precision of 5-token shingles": text(page, |it| it.rouge_5.precision());
    Rouge5Recall "rouge_5_recall" "R-5 R" "recall of 5-token shingles": text(page, |it| it.rouge_5.recall());
    Rouge5F1 "rouge_5_f1" "R-5 F1" "F1 of 5-token shingles (ROUGE-5)": text(page, |it| it.rouge_5.f1());
    RougeLPrecision "rouge_l_precision" "R-L P" "longest common token subsequence, share of the output": text(page, |it| it.rouge_l.precision());
    RougeLRecall "rouge_l_recall" "R-L R" "longest common token subsequence, share of the truth": text(page, |it| it.rouge_l.recall());
    RougeLF1 "rouge_l_f1" "R-L F1" "F1 of the longest common token subsequence (ROUGE-L)": text(page, |it| it.rouge_l.f1());
    CharacterPrecision "character_precision" "char P" "longest common character subsequence, share of the output": text(page, |it| it.characters.precision());
    CharacterRecall "character_recall" "char R" "longest common character subsequence, share of the truth": text(page, |it| it.characters.recall());
    CharacterF1 "character_f1" "char F1" "F1 of the longest common character subsequence": text(page, |it| it.characters.f1());
    Qualified "qualified" "qual." "pages with all of the text and at most 5 % noise": quality(page, |it| it.qualified);
    Excellent "excellent" "exc." "pages with all of the text and at most 2 % noise": quality(page, |it| it.excellent);
    Correct "correct" "corr." "pages with at most 10 % noise and at least half of the text": quality(page, |it| it.correct);
    Complete "complete" "compl." "of the correct pages, those with all of the text": page.text.map(|text| (one_if(text.quality.complete), one_if(text.quality.correct)));
    Failed "failed" "F1<.3" "pages with a token F1 below 0.3": quality(page, |it| it.failed);
    Empty "empty" "empty" "pages without any token": quality(page, |it| it.empty);
    LeafTagPrecision "leaf_tag_precision" "leaf P" "of the leaf tags kept, those of the text; over all pages": leaf_tags(page, |it| (it.common, it.found));
    LeafTagRecall "leaf_tag_recall" "leaf R" "of the leaf tags of the text, those kept": leaf_tags(page, |it| (it.common, it.wanted));
    LeafTagF1 "leaf_tag_f1" "leaf F1" "harmonic mean of both": leaf_tags(page, |it| (2 * it.common, it.found + it.wanted));
    SegmentPrecision "segment_precision" "seg P" "of all segments found, those that must be present": segments(page, |it| (it.present, it.present + it.intruding));
    SegmentRecall "segment_recall" "seg R" "of the segments that must be present, those found": segments(page, |it| (it.present, it.present + it.missing));
    SegmentF1 "segment_f1" "seg F1" "harmonic mean of both": segments(page, segment_f1);
    SegmentAccuracy "segment_accuracy" "seg acc." "segments that are correctly present or absent": segments(page, |it| (it.present + it.absent, it.present + it.absent + it.missing + it.intruding));
    SegmentPresent "segment_present" "with" "of the segments that must be present, those found": segments(page, |it| (it.present, it.present + it.missing));
    SegmentAbsent "segment_absent" "without" "of the segments that must be absent, those absent": segments(page, |it| (it.absent, it.absent + it.intruding));
    SegmentF1AnyCase "segment_f1_any_case" "seg F1 ci" "segment F1, case-insensitive": page.segments.map(|it| real(segment_f1(&it.any_case)));
    TitleEqual "title_equal" "title =" "titles with the same letters and digits": page.title.map(|it| (one_if(it.equal), 1.0));
    TitleContains "title_contains" "title ⊂" "titles of which one contains the other": page.title.map(|it| (one_if(it.contains), 1.0));
    SameDay "same_day" "date" "dates of the same day": page.date.map(|it| (one_if(it), 1.0));
    RightAuthor "right_author" "author" "pages whose authors are all right": page.author.map(|it| (one_if(it), 1.0));
    RightLanguage "right_language" "lang" "pages with the right language": page.language.map(|it| (one_if(it), 1.0));
    PostF1 "post_f1" "posts" "F1 of the posts of a thread, averaged over pages": page.posts.map(|it| (it.texts.f1(), 1.0));
    PostAuthors "post_authors" "p. author" "of the posts found, those with the right author": page.posts.and_then(|it| Some((it.authors?, 1.0)));
    PostTimes "post_times" "p. time" "of the posts found, those with the right time": page.posts.and_then(|it| Some((it.times?, 1.0)));
}

/// A quotient; `None` if the denominator is 0.
pub(crate) fn quotient(above: f64, below: f64) -> Option<f64> {
    (below != 0.0).then(|| above / below)
}

impl Figure {
    /// Whether lower values are better.
    pub fn less_is_better(self) -> bool {
        matches!(self, Figure::Failed | Figure::Empty)
    }

    /// The value of one page, if it has one.
    pub fn of_page(self, page: &PageScore) -> Option<f64> {
        let (above, below) = self.share(page)?;
        quotient(above, below)
    }
}

fn text(page: &PageScore, value: fn(&TextScore) -> f64) -> Option<(f64, f64)> {
    page.text.map(|text| (value(&text), 1.0))
}

fn quality(page: &PageScore, value: fn(&PageQuality) -> bool) -> Option<(f64, f64)> {
    page.text.map(|text| (one_if(value(&text.quality)), 1.0))
}

fn bench(page: &PageScore, value: fn(&Bench) -> (f64, f64)) -> Option<(f64, f64)> {
    page.text.map(|text| value(&Bench::of(&text.shingles)))
}

fn leaf_tags(page: &PageScore, counts: fn(&Overlap) -> (usize, usize)) -> Option<(f64, f64)> {
    page.leaf_tags.map(|tags| real(counts(&tags)))
}

fn segments(page: &PageScore, counts: fn(&SegmentCounts) -> (usize, usize)) -> Option<(f64, f64)> {
    page.segments.map(|segments| real(counts(&segments.exact)))
}

fn one_if(value: bool) -> f64 {
    f64::from(u8::from(value))
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
    fn an_empty_page_score_has_no_metric() {
        assert!(Figure::ALL.into_iter().all(|figure| figure.share(&PageScore::default()).is_none()));
    }
}
