//! Signatures: the few lines that somebody puts below what he wrote, parted from it by a line of dashes.
//!
//! Lines part sections, quoted words from an answer, and sums from what they come to as well. So only lines are taken that signatures
//! have: the row of underscores that the programs of forums put there, of a length of its own, and the two hyphens of letters. Below
//! others, and below hyphens, people write what they have to say.

use tamis_html::{Name, NodeRef};

use crate::block::Block;

/// Lines and words of a signature.
pub(crate) const LINES: usize = 5;
const WORDS: u32 = 30;
/// Words that stand in one line above it at least, or it signs nothing.
pub(crate) const TEXT: u32 = 12;
/// Underscores that programs of forums put above a signature, and those that may be a signature's at all.
const BY_PROGRAM: std::ops::RangeInclusive<usize> = 16..=20;
const UNDERSCORES: usize = 4;
/// What sentences end with; and what announces something.
const ENDS: [char; 14] = ['.', '!', '?', '。', '！', '？', '…', '؟', '۔', '।', ':', '：', ',', '，'];

/// Who put the line there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    /// A program: what stands below is a signature, whatever it says.
    Program,
    /// A person, who may have meant something else.
    Person,
}

/// The mark that a line is, if it is one that signatures begin with.
pub(crate) fn mark(text: &str) -> Option<Mark> {
    let text = text.trim();
    if text == "--" {
        return Some(Mark::Person);
    }
    let is_row = text.len() >= UNDERSCORES && text.bytes().all(|byte| byte == b'_');
    is_row.then(|| if BY_PROGRAM.contains(&text.len()) { Mark::Program } else { Mark::Person })
}

/// Is it a line of any dashes? Where there are several, they part sections.
pub(crate) fn is_line_of_dashes(text: &str) -> bool {
    let is_dash = |it: char| matches!(it, '-' | '_' | '=' | '~' | '–' | '—' | '―' | '─' | '━' | ' ');
    // One dash, however wide, is a pause or a sum.
    text.chars().nth(1).is_some() && text.chars().all(is_dash)
}

/// The number of lines, if these are the ones of a signature: all that stands below the mark, each with its text.
pub(crate) fn lines<'b>(mark: Mark, below: impl Iterator<Item = (&'b Block, &'b str)>) -> Option<usize> {
    let (mut lines, mut words) = (0, 0_u32);
    for (block, text) in below.take(LINES + 1) {
        lines += 1;
        words = words.saturating_add(block.measures.text.words);
        if is_line_of_dashes(text) || (mark == Mark::Person && says_something(text)) {
            return None;
        }
    }
    ((1..=LINES).contains(&lines) && words <= WORDS).then_some(lines)
}

/// Is a line a sentence, what one says, or a number?
fn says_something(line: &str) -> bool {
    let line = line.trim_end_matches(['”', '"', '“', '」', '»', ')', '）', ' ']);
    let is_number = !line.contains(char::is_alphabetic) && line.contains(char::is_numeric);
    is_number || line.ends_with(ENDS)
}

/// Does an element stand among the words of others? What they signed is quoted.
pub(crate) fn is_in_quote(element: NodeRef<'_>) -> bool {
    std::iter::once(element).chain(element.ancestors().take(4)).any(|node| node.is(Name::BLOCKQUOTE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_some_lines_are_those_of_signatures() {
        assert_eq!(mark("_________________"), Some(Mark::Program));
        for own in ["--", "__________", "-- "] {
            assert_eq!(mark(own), Some(Mark::Person), "{own}");
        }
        for other in ["-", "—", "---", "----------", "====", "———", "~~~~", ""] {
            assert_eq!(mark(other), None, "{other}");
        }
    }

    #[test]
    fn sentences_and_sums_say_something() {
        for line in ["So it is.", "“去坐渡轮。”", "165", "رەھمەت!", "As follows:", "and so,"] {
            assert!(says_something(line), "{line}");
        }
        for line in ["Ada Moss", "ada@post.example", "Pier 4"] {
            assert!(!says_something(line), "{line}");
        }
    }
}
