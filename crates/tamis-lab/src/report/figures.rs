//! The figures of a page that a report shows, by name, and the one that pages are ranked by.

use crate::score::{PageScore, TextScore};
use crate::set::Truth;

/// A figure: what it is called, what it says, and how it is read from a page's scores.
pub(super) struct Figure {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) of: fn(&PageScore) -> Option<f64>,
}

/// All that are shown, in the order of the columns.
pub(super) const FIGURES: &[Figure] = &[
    Figure { name: "F1", about: "harmonic mean of precision and recall of tokens", of: f1 },
    Figure {
        name: "precision",
        about: "share of the tool's tokens that are in the truth",
        of: |score| Some(score.text?.tokens.precision()),
    },
    Figure {
        name: "recall",
        about: "share of the truth's tokens that the tool found",
        of: |score| Some(score.text?.tokens.recall()),
    },
    Figure {
        name: "shingles",
        about: "F1 of runs of four tokens",
        of: |score| Some(score.text?.shingles.f1()),
    },
    Figure {
        name: "ROUGE-L",
        about: "F1 of the longest common subsequence of tokens",
        of: |score| Some(score.text?.rouge_l.f1()),
    },
    Figure {
        name: "ROUGE-5",
        about: "F1 of runs of five tokens",
        of: |score| Some(score.text?.rouge_5.f1()),
    },
    Figure {
        name: "LCS",
        about: "F1 of the longest common subsequence of characters",
        of: |score| Some(score.text?.characters.f1()),
    },
    Figure {
        name: "leaf tags",
        about: "F1 of the page's leaf tags",
        of: |score| Some(score.leaf_tags?.f1()),
    },
    Figure {
        name: "segments",
        about: "share of the given segments that are where they should be",
        of: segments,
    },
    Figure {
        name: "title",
        about: "pages whose title has the letters and digits of the true one",
        of: |score| Some(one(score.title?.equal)),
    },
    Figure { name: "date", about: "pages whose date is the true day", of: |score| Some(one(score.date?)) },
];

fn f1(score: &PageScore) -> Option<f64> {
    score.text.as_ref().map(|text: &TextScore| text.tokens.f1())
}

fn segments(score: &PageScore) -> Option<f64> {
    let counts = score.segments?.any_case;
    let right = counts.present + counts.absent;
    let all = right + counts.missing + counts.intruding;
    (all > 0).then(|| right as f64 / all as f64)
}

fn one(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

/// What pages are ranked by: F1 where the truth has a text, else the share of segments.
pub(super) fn rank(score: &PageScore) -> Option<f64> {
    f1(score).or_else(|| segments(score))
}

/// What tells to which part of a set a page belongs.
pub(super) type Part = fn(&Truth) -> Option<&str>;

/// The parts that a set is looked at by.
pub(super) const PARTS: [(&str, Part); 2] =
    [("page type", |truth| truth.page_type.as_deref()), ("language", |truth| truth.lang.as_deref())];

/// What a page without a known type or language is filed under.
pub(super) const UNKNOWN: &str = "unknown";

/// Pages that differ by less count as equal.
pub(super) const EQUAL: f64 = 0.000_5;
