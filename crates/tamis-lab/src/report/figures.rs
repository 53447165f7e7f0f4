//! The figures that a report shows, and the one that pages are ranked by.

use crate::evaluation::SetResult;
use crate::figure::Figure;
use crate::score::PageScore;

/// The columns of tables, in their order. Those that no page has a say in are left out.
pub(super) const SHOWN: [Figure; 15] = [
    Figure::TokenF1,
    Figure::TokenPrecision,
    Figure::TokenRecall,
    Figure::ShingleF1,
    Figure::Rouge5F1,
    Figure::RougeLF1,
    Figure::CharacterF1,
    Figure::Qualified,
    Figure::Excellent,
    Figure::Correct,
    Figure::LeafTagF1,
    Figure::SegmentF1,
    Figure::SegmentAccuracy,
    Figure::TitleEqual,
    Figure::SameDay,
];

/// The figure of a single page.
pub(super) fn of_page(figure: Figure, score: &PageScore) -> Option<f64> {
    let (above, below) = figure.share(score)?;
    Some(if below == 0.0 { 0.0 } else { above / below })
}

/// What the pages of a set are ranked by: the F1 of tokens where the set has texts, else the share of segments.
pub(super) fn main_of(result: &SetResult) -> Figure {
    let has_text = |score: &PageScore| score.text.is_some();
    let texts = result.tools.iter().any(|tool| tool.scores.iter().any(has_text));
    let segments = result.set.truths.iter().any(|truth| !truth.with.is_empty() || !truth.without.is_empty());
    if segments && !texts { Figure::SegmentAccuracy } else { Figure::TokenF1 }
}

/// What it is called in a sentence.
pub(super) fn name(figure: Figure) -> &'static str {
    match figure {
        Figure::TokenF1 => "F1",
        Figure::SegmentAccuracy => "share of right segments",
        other => other.heading(),
    }
}

/// Is the figure of a single page a yes or no?
pub(super) fn is_yes_or_no(figure: Figure) -> bool {
    matches!(
        figure,
        Figure::Qualified | Figure::Excellent | Figure::Correct | Figure::TitleEqual | Figure::SameDay
    )
}
