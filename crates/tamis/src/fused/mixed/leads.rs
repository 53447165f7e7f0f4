//! Links that lead on, and the words before them: `... let them pass. Related: <a>Why the bridge closed</a>`.

use std::ops::Range;

use tamis_html::NodeId;

use super::row::{Row, link_of};
use super::words::{MORE, NEIGHBOURS, NO_NEIGHBOUR, REFERS, begins, is_unspaced};
use super::{ENDS, begins_anew, is_letter, label_at_end};
use crate::block::{Block, Run};
use crate::characters::count;
use crate::page::Page;

/// Characters of a label at most, behind the words that say what it is: "Related articles". With more it says something itself.
const LABEL: usize = 16;
/// Words of a headline at least, and of all that is left out together at most.
const HEADLINE: u32 = 3;
const WORDS: u32 = 60;
/// Characters of a headline at least, where a word has no spaces around it.
const UNSPACED: usize = 4;
/// What stands between links of one row.
const BETWEEN: &str = ",;|·•/、，；–—-&.>»";

/// Is it a label of links to more? A colon or an arrow stands behind it.
pub(super) fn says_more(label: &str) -> bool {
    // Behind a comma a sentence goes on.
    let label = label.trim_start_matches(|it: char| !it.is_alphanumeric() && !",;，；、".contains(it));
    begins(label, MORE).is_some_and(|length| label[length..].chars().nth(LABEL).is_none())
}

/// A label without the mark at its end that says that something follows.
pub(super) fn without_mark(label: &str) -> Option<&str> {
    let label = label.trim_end();
    label.strip_suffix([':', '：', '»', '→', '▶', '►', '>']).map(str::trim_end)
}

/// Does a text say that a label, and links to more, may end it? That is seen by its last byte or two.
pub(super) fn may_lead(text: &str) -> bool {
    without_mark(text).is_some()
}

/// The label behind a sentence and the links behind it, where the first of these is the run at a place.
pub(super) fn labelled(row: &Row<'_>, runs: &[Run], first: usize) -> Option<Range<usize>> {
    let before = without_mark(&row.text[..row.place(first).start])?;
    let (mut start, mut label) = label_at_end(before)?;
    let opening = row.text[..start].chars().next_back().filter(|it| matches!(it, '(' | '（' | '[' | '【'));
    if let Some(opening) = opening {
        // The bracket goes with it, and must stand behind a sentence itself.
        start -= opening.len_utf8();
        let (sentence, rest) = label_at_end(&row.text[..start])?;
        (start, label) = (sentence, if rest.is_empty() { label } else { return None });
    }
    if !says_more(label) {
        return None;
    }
    let end = end_of_links(row, runs, first, opening.is_some())?;
    if refers(label) && !all_are_headlines(row, runs, first, end) {
        return None;
    }
    // An address that is shown is told for its own sake.
    let piece = &row.text[start..end];
    (count(piece).words <= WORDS && !piece.contains("://")).then_some(start..end)
}

/// Is it a label by which works refer to parts of themselves as well? "See also: § 433", "See also: strlen".
fn refers(label: &str) -> bool {
    let label = label.trim_start_matches(|it: char| !it.is_alphanumeric());
    begins(label, REFERS).is_some()
}

/// Is every link from a run on, up to a place, long enough for a headline?
fn all_are_headlines(row: &Row<'_>, runs: &[Run], first: usize, end: usize) -> bool {
    // What stands behind is not looked at: there may be many such rows in one block.
    let runs = runs.iter().enumerate().skip(first).take_while(|(at, _)| row.place(*at).start < end);
    runs.filter(|(_, run)| run.in_link).all(|(at, _)| may_be_headline(row.run(at)))
}

/// Has a text as many words as a headline? A name has one or two, and so has what a work calls its parts.
fn may_be_headline(text: &str) -> bool {
    let unspaced = text.chars().filter(|it| is_unspaced(*it)).count();
    let words = || text.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count();
    if unspaced > 0 { unspaced >= UNSPACED } else { words() >= HEADLINE as usize }
}

/// Where a row of links ends: with the block, with the bracket around it, or where a sentence begins.
fn end_of_links(row: &Row<'_>, runs: &[Run], first: usize, is_in_brackets: bool) -> Option<usize> {
    for (at, run) in runs.iter().enumerate().skip(first + 1) {
        if run.in_link {
            continue;
        }
        let text = row.run(at);
        let rest = text.trim_start_matches(|it: char| it.is_whitespace() || BETWEEN.contains(it));
        let behind = row.place(at).end - rest.len();
        if rest.is_empty() {
            continue;
        }
        if is_in_brackets {
            let rest = rest.strip_prefix([')', '）', ']', '】'])?.trim_start_matches(['.', '。']);
            let end = row.place(at).end - rest.len();
            return (rest.trim().is_empty() || begins_anew(rest.trim_start())).then_some(end);
        }
        // Without capitals, only white space parts a sentence from a link before it.
        let is_parted = rest.starts_with(char::is_uppercase) || text.starts_with(char::is_whitespace);
        // "Related: <a>Ada Lind</a> Is the daughter of the captain": without a mark between, a name begins the sentence.
        let is_headline = rest.len() < text.trim_start().len() || may_be_headline(row.run(at - 1));
        return (is_parted && is_headline && begins_anew(rest)).then_some(behind);
    }
    (!is_in_brackets).then_some(row.text.len())
}

/// Several headlines behind the last sentence, each a link, and nothing between them.
pub(super) fn headlines(page: &Page<'_>, row: &Row<'_>, runs: &[Run]) -> Option<Range<usize>> {
    let first = runs.iter().rposition(|run| !run.in_link)? + 1;
    if runs.len() - first < 2 {
        return None;
    }
    let before = row.text[..row.place(first).start].trim_end();
    // Titles may answer what a sentence asks or calls out: "Which songs did we sing?"
    if !before.ends_with(ENDS) || before.ends_with(['?', '!', '？', '！', '؟']) {
        return None;
    }
    let mut links: Vec<(Option<NodeId>, Range<usize>)> = Vec::new();
    for (at, run) in runs.iter().enumerate().skip(first) {
        let link = link_of(page, run.node);
        match links.last_mut().filter(|(last, _)| *last == link) {
            Some((_, place)) => place.end = row.place(at).end,
            None => links.push((link, row.place(at))),
        }
    }
    let is_headline = |text: &str| {
        count(text).words >= HEADLINE
            && begins_anew(text)
            && !text.contains("://")
            && !text.ends_with(['.', '。', ',', '，'])
    };
    let all = links.len() >= 2 && links.iter().all(|(_, place)| is_headline(row.text[place.clone()].trim()));
    let piece = row.place(first).start..row.text.len();
    (all && count(&row.text[piece.clone()]).words <= WORDS).then_some(piece)
}

/// Does a block say of itself that it leads on, all of it a link? `<a>Related: Why the bridge closed</a>`
pub(super) fn is_link_with_label(page: &Page<'_>, block: &Block) -> bool {
    let label = page.text(block).split_once([':', '：']).map(|(label, rest)| (label, rest.trim()));
    label.is_some_and(|(label, rest)| !rest.is_empty() && !rest.contains("://") && says_more(label))
}

/// Is a block a line of the page's neighbours? `上一篇：<a>…</a> 下一篇：<a>…</a>`
pub(super) fn names_neighbours(row: &Row<'_>, runs: &[Run]) -> bool {
    const MARKS: &str = ":：|·•[]【】()（）<>《》«»←→‹›/,，-–—";
    let is_mark = |it: char| it.is_whitespace() || MARKS.contains(it);
    let label = |text: &str| begins(text, NEIGHBOURS);
    let (mut labels, mut links) = (0, 0);
    for (at, run) in runs.iter().enumerate() {
        let mut rest = row.run(at).trim_start_matches(is_mark);
        if run.in_link {
            links += 1;
            // The label may stand in the link: "上一篇：旧闻", "[下一篇]".
            let behind = label(rest).map(|length| rest[length..].trim_start());
            let has_label = behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(is_mark));
            labels += usize::from(has_label);
            if at == 0 && !has_label {
                return false;
            }
            continue;
        }
        while !rest.is_empty() {
            let behind = if let Some(length) = label(rest) {
                labels += 1;
                &rest[length..]
            } else if let Some(none) = NO_NEIGHBOUR.iter().find(|none| rest.starts_with(**none)) {
                &rest[none.len()..]
            } else {
                return false;
            };
            if behind.starts_with(is_letter) && !NO_NEIGHBOUR.iter().any(|none| behind.starts_with(none)) {
                return false;
            }
            rest = behind.trim_start_matches(is_mark);
        }
    }
    labels > 0 && (links > 0 || labels > 1)
}

/// Could a block be such a line? Its first letter tells that of most.
pub(super) fn may_name_neighbours(text: &str) -> bool {
    let text = text.trim_start_matches(|it: char| !it.is_alphanumeric());
    begins(text, NEIGHBOURS).is_some()
}

/// Are the words before the links of a block a label of more, and the links what such a label leads to?
pub(super) fn is_label(label: &str, row: &Row<'_>, runs: &[Run], first: usize) -> bool {
    without_mark(label).is_some_and(|label| {
        says_more(label) && (!refers(label) || all_are_headlines(row, runs, first, row.text.len()))
    })
}
