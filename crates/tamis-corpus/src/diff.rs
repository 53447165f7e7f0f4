//! Diffs between two versions of a text: a unified diff by sentence or line, and an inline diff by word.

use std::fmt::Write;

use imara_diff::{Algorithm, Diff, Hunk, InternedInput};
use serde::Serialize;

/// Unchanged lines around a change.
const CONTEXT: usize = 2;

/// A run of words that is in both versions, or in only one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Piece<'t> {
    /// The version that contains it.
    pub change: Change,
    /// The words with trailing white space.
    pub text: &'t str,
}

/// The version that contains a piece of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Both.
    Same,
    /// The older one.
    Removed,
    /// The newer one.
    Added,
}

/// The unified diff of two texts by sentence; empty if they are equal up to white space at line ends.
pub fn unified(before: &str, after: &str) -> String {
    let (old, new) = (sentences(before), sentences(after));
    let hunks = hunks(&old, &new);
    let mut out = String::new();
    let mut rest = hunks.as_slice();
    while let Some(first) = rest.first() {
        // Merge changes whose context would overlap.
        let touching = rest
            .windows(2)
            .take_while(|pair| pair[1].before.start as usize <= pair[0].before.end as usize + 2 * CONTEXT);
        let (group, others) = rest.split_at(touching.count() + 1);
        rest = others;
        let Some(last) = group.last() else { break };
        let lead = (first.before.start as usize).min(CONTEXT);
        let old_start = first.before.start as usize - lead;
        let old_end = (last.before.end as usize + CONTEXT).min(old.len());
        let new_start = first.after.start as usize - lead;
        let new_end = last.after.end as usize + (old_end - last.before.end as usize);
        let _ = writeln!(
            out,
            "@@ -{},{} +{},{} @@",
            old_start + usize::from(old_end > old_start),
            old_end - old_start,
            new_start + usize::from(new_end > new_start),
            new_end - new_start
        );
        let mut at = old_start;
        for hunk in group {
            lines(&mut out, ' ', &old[at..hunk.before.start as usize]);
            lines(&mut out, '-', &old[hunk.before.start as usize..hunk.before.end as usize]);
            lines(&mut out, '+', &new[hunk.after.start as usize..hunk.after.end as usize]);
            at = hunk.before.end as usize;
        }
        lines(&mut out, ' ', &old[at..old_end]);
    }
    out
}

/// The inline diff of two texts by word; scripts without spaces are compared by character.
pub fn words<'t>(before: &'t str, after: &'t str) -> Vec<Piece<'t>> {
    let (old, new) = (split_words(before), split_words(after));
    let mut pieces = Vec::new();
    let (mut old_at, mut new_at) = (0, 0);
    for hunk in hunks(&old, &new) {
        push(&mut pieces, Change::Same, after, &new[new_at..hunk.after.start as usize]);
        push(
            &mut pieces,
            Change::Removed,
            before,
            &old[hunk.before.start as usize..hunk.before.end as usize],
        );
        push(&mut pieces, Change::Added, after, &new[hunk.after.start as usize..hunk.after.end as usize]);
        (old_at, new_at) = (hunk.before.end as usize, hunk.after.end as usize);
    }
    debug_assert_eq!(old.len() - old_at, new.len() - new_at);
    push(&mut pieces, Change::Same, after, &new[new_at..]);
    pieces
}

fn push<'t>(pieces: &mut Vec<Piece<'t>>, change: Change, text: &'t str, words: &[&'t str]) {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
    // Neighbouring words are adjacent in the text, so a run is one slice.
    let start = first.as_ptr() as usize - text.as_ptr() as usize;
    let end = last.as_ptr() as usize - text.as_ptr() as usize + last.len();
    if let Some(text) = text.get(start..end) {
        pieces.push(Piece { change, text });
    }
}

fn hunks(old: &[&str], new: &[&str]) -> Vec<Hunk> {
    let mut input = InternedInput::default();
    input.update_before(old.iter().copied());
    input.update_after(new.iter().copied());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    diff.hunks().collect()
}

fn lines(out: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        out.push(sign);
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// Splits lines after sentences, since a whole paragraph is too long a diff line for one changed word.
fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    for line in text.lines() {
        let mut rest = line;
        while let Some(end) = sentence_end(rest) {
            let (sentence, others) = rest.split_at(end);
            sentences.push(sentence.trim_end());
            rest = others;
        }
        sentences.push(rest.trim_end());
    }
    sentences
}

/// The end of the first sentence of a line, if another one follows.
fn sentence_end(line: &str) -> Option<usize> {
    let mut characters = line.char_indices().peekable();
    while let Some((_, character)) = characters.next() {
        let (ends, needs_space) = match character {
            '.' | '!' | '?' | '؟' | '۔' | '।' => (true, true),
            '。' | '！' | '？' | '．' => (true, false),
            _ => (false, false),
        };
        if let Some((next, following)) = characters.peek().filter(|_| ends) {
            if following.is_whitespace() {
                let rest = line[*next..].trim_start();
                return (!rest.is_empty()).then(|| line.len() - rest.len());
            }
            if !needs_space && following.is_alphanumeric() {
                return Some(*next);
            }
        }
    }
    None
}

/// Words with trailing white space.
fn split_words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut before: Option<char> = None;
    for (at, character) in text.char_indices() {
        let breaks = before.is_some_and(|before| {
            (before.is_whitespace() && !character.is_whitespace())
                || (is_wide(before) && !character.is_whitespace())
                || (is_wide(character) && !before.is_whitespace())
        });
        if breaks {
            words.push(&text[start..at]);
            start = at;
        }
        before = Some(character);
    }
    if start < text.len() {
        words.push(&text[start..]);
    }
    words
}

/// Han, kana and their punctuation.
fn is_wide(character: char) -> bool {
    matches!(character, '\u{3000}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{FF00}'..='\u{FF60}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_changed_line_is_shown_with_its_context() {
        let before = "one\ntwo\nthree\nfour\nfive\nsix\n";
        let after = "one\ntwo\nthree\n4\nfive\nsix\n";
        assert_eq!(unified(before, after), "@@ -2,5 +2,5 @@\n two\n three\n-four\n+4\n five\n six\n");
        assert_eq!(unified(before, before), "");
    }

    #[test]
    fn a_line_is_compared_by_sentence() {
        let sentence = "The bridge over the harbour was closed for repairs on Monday and Tuesday morning.";
        let before = format!("{sentence} It reopens at 8.30 on Friday. {sentence}");
        let after = before.replace("Friday", "Sunday");
        let diff = unified(&before, &after);
        assert!(
            diff.contains("\n-It reopens at 8.30 on Friday.\n+It reopens at 8.30 on Sunday.\n"),
            "{diff}"
        );
        let before = format!("{}。桥梁关闭。{}", "字".repeat(60), "文".repeat(60));
        let diff = unified(&before, &before.replace("关闭", "开放"));
        assert!(diff.contains("-桥梁关闭。\n+桥梁开放。\n"), "{diff}");
    }

    #[test]
    fn words_are_marked_one_by_one() {
        let pieces = words("It rained all day.", "It snowed all day.");
        let changes: Vec<_> = pieces.iter().map(|piece| (piece.change, piece.text)).collect();
        assert_eq!(
            changes,
            [
                (Change::Same, "It "),
                (Change::Removed, "rained "),
                (Change::Added, "snowed "),
                (Change::Same, "all day.")
            ]
        );
    }

    proptest! {
        #[test]
        fn both_versions_can_be_read_back(before in "[a-c中 .\n]{0,40}", after in "[a-c中 .\n]{0,40}") {
            let pieces = words(&before, &after);
            let side = |other| pieces.iter().filter(|it| it.change != other).map(|it| it.text).collect::<String>();
            prop_assert_eq!(side(Change::Removed), after.clone());
            prop_assert_eq!(side(Change::Added), before.clone());
            let diff = unified(&before, &after);
            let new: Vec<&str> = after.lines().collect();
            prop_assert_eq!(diff.is_empty(), sentences(&before) == sentences(&after), "{:?}", new);
        }
    }
}
