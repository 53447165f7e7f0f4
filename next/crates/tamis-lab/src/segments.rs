//! Segments that must and must not be in the text.
//!
//! The evaluation of trafilatura goes by a few segments a page: some of the main text, some of what stands around it.
//! A segment is there if the text contains it, white space folded on both sides.

use serde::Serialize;
use unicode_normalization::UnicodeNormalization;

use crate::letters::fold_space;

/// How many segments of a page are where they should be, with case as it is and with case ignored.
///
/// ```
/// use tamis_lab::SegmentScore;
///
/// let score = SegmentScore::of("Rain  at last.", &["rain at".into()], &["Home".into()]);
/// assert_eq!((score.exact.present, score.any_case.present, score.exact.absent), (0, 1, 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SegmentScore {
    /// Case as it is.
    pub exact: SegmentCounts,
    /// Case ignored.
    pub any_case: SegmentCounts,
}

/// Counts of segments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SegmentCounts {
    /// Must be there, and are.
    pub present: usize,
    /// Must be there, and are not.
    pub missing: usize,
    /// Must not be there, and are.
    pub intruding: usize,
    /// Must not be there, and are not.
    pub absent: usize,
}

impl SegmentScore {
    /// Looks for the segments in a text.
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
