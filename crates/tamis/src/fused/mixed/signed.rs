//! Lines that sign a text at its end without a line of dashes: a name, a function and an address; "(Reporting by ...)";
//! （责任编辑：…）.
//!
//! A name alone signs nothing here, since a line of two words may be anything. What names those who edited a text is left out only
//! in brackets or below the text in one element with it: many sites put it on a line of its own, and count it as their text.

use std::ops::Range;

use tamis_html::NodeId;

use super::words::{ANY_WORK, FOLLOW, MADE_BY, REPORTED_BY, WRITE_TO, begins};
use super::{ENDS, TEXT};
use crate::block::{Block, Run};
use crate::characters::is_capital;
use crate::page::Page;

/// Lines and words of a signature at most, its last line left aside.
const LINES: usize = 3;
const WORDS: u32 = 6;
/// Words and bytes of a line that tells who made a text.
const CREDIT: u32 = 24;
const CREDIT_BYTES: usize = 160;
/// Characters of the names behind such a label.
const NAMES: usize = 20;

/// The blocks of a signature that ends with the block at a place.
pub(super) fn lines(page: &Page<'_>, place: usize) -> Range<usize> {
    let blocks = page.blocks();
    let block = &blocks[place];
    let is_in = |block: &Block| block.element == block_element(blocks, place);
    if block.measures.text.words > CREDIT
        || block.breaks_before == 0
        || blocks.get(place + 1).is_some_and(is_in)
        || !place.checked_sub(1).is_some_and(|above| is_in(&blocks[above]))
    {
        return 0..0;
    }
    let text = page.text(block);
    let start = if is_address(text) {
        named_above(page, place)
    } else if sends_to_pages(text) {
        Some(if place > 1 && presents_writer(page.text(&blocks[place - 1])) { place - 1 } else { place })
    } else {
        names_makers(text).then_some(place)
    };
    let has_text = |start: &usize| {
        let above = blocks[..*start].iter().rev().take_while(|block| is_in(block));
        above.take(2 * LINES).any(|block| block.measures.text.words >= TEXT)
    };
    start.filter(has_text).map_or(0..0, |start| start..place + 1)
}

fn block_element(blocks: &[Block], place: usize) -> NodeId {
    blocks[place].element
}

/// The first line of a signature that ends with an address: a name, and perhaps what its bearer is.
fn named_above(page: &Page<'_>, place: usize) -> Option<usize> {
    let blocks = page.blocks();
    let element = blocks[place].element;
    let is_line = |block: &Block| {
        block.element == element && block.measures.text.words <= WORDS && !page.text(block).ends_with(ENDS)
    };
    let lines = blocks[..place].iter().rev().take(LINES).take_while(|block| is_line(block)).count();
    let first = place - lines;
    let says_write = first.checked_sub(1).is_some_and(|above| {
        blocks[above].element == element && speaks_of_writing(page.text(&blocks[above]))
    });
    (lines > 0 && !says_write && is_name(page.text(&blocks[first]))).then_some(first)
}

/// Does the last that is said ask readers to write to somebody? Then it is told below to whom.
fn speaks_of_writing(text: &str) -> bool {
    /// So much of a text is looked at.
    const END: usize = 400;
    let end = text[text.ceil_char_boundary(text.len().saturating_sub(END))..].to_lowercase();
    WRITE_TO.iter().any(|word| end.contains(word))
}

/// Two to four words, each with a capital.
fn is_name(text: &str) -> bool {
    let mut words = 0;
    text.split_whitespace().all(|word| {
        words += 1;
        word.starts_with(is_capital) && !word.ends_with([':', ','])
    }) && (2..=4).contains(&words)
}

/// An address of mail, perhaps with a label.
fn is_address(line: &str) -> bool {
    // One byte is looked for in most lines.
    let Some((before, behind)) = line.split_once('@') else { return false };
    let host = behind.trim_end_matches(|it: char| !it.is_alphanumeric());
    line.split_whitespace().count() <= 3
        && before.ends_with(|it: char| it.is_ascii_alphanumeric())
        && host.contains('.')
        && !host.contains(char::is_whitespace)
}

/// "Follow her on Twitter @adalind". "Follow the signs @ pier 4" sends elsewhere.
fn sends_to_pages(line: &str) -> bool {
    let is_account = |word: &str| {
        let name =
            word.trim_start_matches('(').strip_prefix('@').map(|it| it.trim_end_matches(['.', ')', ',']));
        name.is_some_and(|name| {
            name.len() > 2 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(&byte))
        })
    };
    begins(line, FOLLOW).is_some()
        && line.contains('@')
        && line.split_whitespace().count() <= 10
        && line.split_whitespace().any(is_account)
}

/// "Ada Lind is a reporter for the Island Post."
fn presents_writer(line: &str) -> bool {
    let is = [" is a ", " is an ", " is the ", " writes ", " covers "]
        .iter()
        .filter_map(|verb| line.find(verb))
        .min();
    is.is_some_and(|at| is_name(&line[..at])) && line.split_whitespace().count() <= CREDIT as usize
}

/// "(Reporting by Ada Lind; Editing by Ben Moss)", 责任编辑：张三.
fn names_makers(line: &str) -> bool {
    if line.len() > CREDIT_BYTES {
        return false;
    }
    let bare = line.trim_start_matches(['(', '（', '[', '【', ' ']);
    let names = |length: usize| are_names(&bare[length..]);
    is_edited(bare) || (bare.len() < line.len() && begins(bare, REPORTED_BY).is_some_and(names))
}

/// Names are written large, and small words join them: "(Writing by hand is good for ...)" names nobody, nor does "[Editing by
/// Ada's rules takes ...]".
fn are_names(text: &str) -> bool {
    const JOIN: [&str; 9] = ["and", "in", "at", "from", "for", "of", "the", "de", "van"];
    let first = text.split([';', ',', ')', ']', '）', '】', '.']).next().unwrap_or(text);
    let is_part = |word: &str| {
        (word.starts_with(is_capital) && !word.ends_with("'s") && !word.ends_with("’s"))
            || JOIN.contains(&word)
    };
    text.trim_start().starts_with(is_capital) && first.split_whitespace().all(is_part)
}

/// 责任编辑：张三, without its brackets.
fn is_edited(text: &str) -> bool {
    let named = |length: usize| text[length..].trim_start().strip_prefix([':', '：']);
    begins(text, MADE_BY).and_then(named).is_some_and(|names| {
        // A sentence is no name, nor is what says by whom something is done.
        names.chars().nth(NAMES).is_none() && !names.contains(['由', '，', '。', '！', '？'])
    })
}

/// Is a block nothing but such a credit, in brackets? Words for a step of any work are one only below the whole text.
pub(super) fn is_credit(text: &str, is_below: bool) -> bool {
    let names_a_step =
        |text: &str| begins(text.trim_start_matches(['(', '（', '[', '【', ' ']), ANY_WORK).is_some();
    text.starts_with(['(', '（', '[', '【'])
        && (is_below || !names_a_step(text))
        && text.len() <= CREDIT_BYTES
        && text.find([')', '）', ']', '】']).is_some_and(|end| text[end..].chars().nth(1).is_none())
        && is_edited(text.trim_start_matches(['(', '（', '[', '【', ' ']))
}

/// A credit in brackets behind the last sentence.
pub(super) fn tail(
    page: &Page<'_>,
    block: &Block,
    runs: &[Run],
    is_below: bool,
) -> Option<(NodeId, Range<usize>)> {
    // Most texts end with something else, which their last bytes tell.
    if !page.text(block).ends_with([')', '）', ']', '】']) {
        return None;
    }
    let last = runs.last()?;
    let text = page.node(last.node).text();
    let start = text.rfind(['(', '（', '[', '【'])?;
    let is_behind = text[..start].trim_end().ends_with(ENDS);
    (is_behind && is_credit(text[start..].trim_end(), is_below)).then(|| (last.node, start..text.len()))
}
