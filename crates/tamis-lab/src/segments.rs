//! Segments that must be present in or absent from the text.
//!
//! The evaluation of trafilatura uses a few segments per page: some of the main text, some of the surrounding
//! boilerplate. A segment is present if the text contains it, with white space collapsed on both sides.

use serde::Serialize;
use unicode_normalization::UnicodeNormalization;

use crate::letters::fold_space;

/// The segments of a page, compared case-sensitively and case-insensitively.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SegmentScore {
    /// Case-sensitive.
    pub exact: SegmentCounts,
    /// Case-insensitive.
    pub any_case: SegmentCounts,
}

/// Counts of segments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SegmentCounts {
    /// Required and present.
    pub present: usize,
    /// Required but absent.
    pub missing: usize,
    /// Forbidden but present.
    pub intruding: usize,
    /// Forbidden and absent.
    pub absent: usize,
}

impl SegmentScore {
    /// Searches a text for required (`with`) and forbidden (`without`) segments.
    pub fn of(text: &str, with: &[String], without: &[String]) -> SegmentScore {
        let text = fold_space(text.nfc());
        let fold = |segments: &[String]| -> Vec<String> {
            segments.iter().map(|segment| fold_space(segment.nfc()).trim_matches(' ').to_owned()).collect()
        };
        let lower = |segments: &[String]| -> Vec<String> {
            segments.iter().map(|segment| segment.to_lowercase()).collect()
        };
        let (with, without) = (fold(with), fold(without));
        SegmentScore {
            exact: SegmentCounts::of(&text, &with, &without),
            any_case: SegmentCounts::of(&text.to_lowercase(), &lower(&with), &lower(&without)),
        }
    }
}

impl SegmentCounts {
    fn of(text: &str, with: &[String], without: &[String]) -> SegmentCounts {
        let count = |segments: &[String]| segments.iter().filter(|it| text.contains(it.as_str())).count();
        let (present, intruding) = (count(with), count(without));
        SegmentCounts { present, missing: with.len() - present, intruding, absent: without.len() - intruding }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn composed_and_decomposed_letters_are_the_same() {
        let score =
            SegmentScore::of("cafe\u{301}\u{A0}noir", &["café noir".into(), "Café".into()], &["noir".into()]);
        assert_eq!(score.exact, SegmentCounts { present: 1, missing: 1, intruding: 1, absent: 0 });
        assert_eq!(score.any_case, SegmentCounts { present: 2, missing: 0, intruding: 1, absent: 0 });
    }
}
