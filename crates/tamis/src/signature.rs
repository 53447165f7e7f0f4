//! Signatures: the few lines that somebody puts below what he wrote, parted from it by a line of dashes.
//!
//! Dashes part sections as well. So what stands below them is a signature only if it is short, and the last of what is said.

use tamis_html::{Name, NodeRef};

use crate::block::Block;

/// Lines and words of a signature.
pub(crate) const LINES: usize = 5;
const WORDS: u32 = 30;
/// Words that stand in one line above it at least, or it signs nothing.
pub(crate) const TEXT: u32 = 12;

/// Is it a line that signatures begin with?
pub(crate) fn is_line_of_dashes(text: &str) -> bool {
    let is_dash = |it: char| matches!(it, '-' | '_' | '=' | '~' | '–' | '—' | '―' | '─' | '━' | ' ');
    // One dash, however wide, is a pause or a sum.
    text.chars().nth(1).is_some() && text.chars().all(is_dash)
}

/// The number of lines, if these are the ones of a signature: all that stands below a line of dashes.
pub(crate) fn lines<'b>(below: impl Iterator<Item = &'b Block>) -> Option<usize> {
    let (lines, words) = below.take(LINES + 1).fold((0, 0_u32), |(lines, words), block| {
        (lines + 1, words.saturating_add(block.measures.text.words))
    });
    ((1..=LINES).contains(&lines) && words <= WORDS).then_some(lines)
}

/// Does an element stand among the words of others? What they signed is quoted.
pub(crate) fn is_in_quote(element: NodeRef<'_>) -> bool {
    std::iter::once(element).chain(element.ancestors().take(4)).any(|node| node.is(Name::BLOCKQUOTE))
}
