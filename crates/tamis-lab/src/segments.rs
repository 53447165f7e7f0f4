//! Segments that must and must not be in the text.
//!
//! The evaluation of trafilatura goes by a few segments a page: some of the main text, some of what stands around it.

use serde::Serialize;

/// How many segments of a page are where they should be, with case as it is and with case ignored.
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
