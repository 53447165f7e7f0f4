//! All figures of one page: what a tool made of it against the truth.

use serde::Serialize;

use crate::overlap::Overlap;
use crate::segments::SegmentScore;
use crate::title::TitleScore;

/// The figures of one page. What the truth does not tell has no figure.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct PageScore {
    /// Of the main text, where the truth has one with at least one token.
    pub text: Option<TextScore>,
    /// Of the segments that must and must not be there, where the truth has some.
    pub segments: Option<SegmentScore>,
    /// Of the title, where the truth has one.
    pub title: Option<TitleScore>,
    /// Is the date the same day, where the truth has one?
    pub date: Option<bool>,
    /// Of the leaf tags of the page, where the truth has a text and the page is there.
    pub leaf_tags: Option<Overlap>,
}

/// The figures of a main text.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct TextScore {
    /// Tokens, as a bag.
    pub tokens: Overlap,
    /// Runs of four tokens, as a bag.
    pub shingles: Overlap,
    /// Runs of five tokens, as a bag (ROUGE-5).
    pub rouge_5: Overlap,
    /// The longest common subsequence of tokens (ROUGE-L).
    pub rouge_l: Overlap,
    /// The longest common subsequence of characters.
    pub characters: Overlap,
}
