//! The figures that a report shows.

use crate::figure::Figure;

/// The columns of tables, in their order: those of `tamis eval`. Those that no page has a say in are left out.
pub(super) const SHOWN: [Figure; 23] = [
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
    Figure::Complete,
    Figure::LeafTagPrecision,
    Figure::LeafTagRecall,
    Figure::Failed,
    Figure::Empty,
    Figure::SegmentF1,
    Figure::SegmentPresent,
    Figure::SegmentAbsent,
    Figure::SegmentAccuracy,
    Figure::SegmentPrecision,
    Figure::TitleEqual,
    Figure::TitleContains,
    Figure::SameDay,
];

/// What it is called in a sentence.
pub(super) fn name(figure: Figure) -> &'static str {
    match figure {
        Figure::TokenF1 => "F1",
        Figure::SegmentF1 => "F1 of segments",
        other => other.heading(),
    }
}

/// Is the figure of a single page a yes or no?
pub(super) fn is_yes_or_no(figure: Figure) -> bool {
    matches!(
        figure,
        Figure::Qualified
            | Figure::Excellent
            | Figure::Correct
            | Figure::Complete
            | Figure::Failed
            | Figure::Empty
            | Figure::TitleEqual
            | Figure::TitleContains
            | Figure::SameDay
    )
}
