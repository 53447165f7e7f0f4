//! The metrics of a report.

use crate::figure::Figure;

/// The columns of tables, as in `tamis eval`. Columns without values are omitted.
pub(super) const SHOWN: [Figure; 28] = [
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
    Figure::RightAuthor,
    Figure::RightLanguage,
    Figure::PostF1,
    Figure::PostAuthors,
    Figure::PostTimes,
];

/// The name in a sentence.
pub(super) fn name(figure: Figure) -> &'static str {
    match figure {
        Figure::TokenF1 => "F1",
        Figure::SegmentF1 => "F1 of segments",
        other => other.heading(),
    }
}

/// Whether the value of a single page is yes or no.
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
            | Figure::RightAuthor
            | Figure::RightLanguage
    )
}
