//! Differences between two versions of a text: by sentence or line as a unified diff, and by word for terminals.

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;

use serde::Serialize;
use tamis_diff::{Match, matches};

/// Unchanged lines around a change.
const CONTEXT: usize = 2;

/// A run of words that both versions have, or only one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Piece<'t> {
    /// Which version has it.
    pub change: Change,
    /// The words with the white space after them.
    pub text: &'t str,
}

/// Which version has a piece of text.
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
    // Changes whose context would touch are shown as one.
    for group in hunks.chunk_by(|one, next| next.before.start <= one.before.end + 2 * CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let lead = first.before.start.min(CONTEXT);
        let old_range = first.before.start - lead..(last.before.end + CONTEXT).min(old.len());
        let new_range = first.after.start - lead..last.after.end + (old_range.end - last.before.end);
        let start = |range: &Range<usize>| range.start + usize::from(!range.is_empty());
        let (old_start, new_start) = (start(&old_range), start(&new_range));
        let _ = writeln!(out, "@@ -{old_start},{} +{new_start},{} @@", old_range.len(), new_range.len());
        let mut at = old_range.start;
        for hunk in group {
            lines(&mut out, ' ', &old[at..hunk.before.start]);
            lines(&mut out, '-', &old[hunk.before.clone()]);
            lines(&mut out, '+', &new[hunk.after.clone()]);
            at = hunk.before.end;
        }
        lines(&mut out, ' ', &old[at..old_range.end]);
    }
    out
}

/// Both texts as one, word by word; a script without spaces is compared by character.
pub fn words<'t>(before: &'t str, after: &'t str) -> Vec<Piece<'t>> {
    let (old, new) = (split_words(before), split_words(after));
    let mut pieces = Vec::new();
    let mut at = 0;
    for hunk in hunks(&old, &new) {
        push(&mut pieces, Change::Same, after, &new[at..hunk.after.start]);
        push(&mut pieces, Change::Removed, before, &old[hunk.before]);
        at = hunk.after.end;
        push(&mut pieces, Change::Added, after, &new[hunk.after]);
    }
    push(&mut pieces, Change::Same, after, &new[at..]);
    pieces
}

fn push<'t>(pieces: &mut Vec<Piece<'t>>, change: Change, text: &'t str, words: &[&'t str]) {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
    // Neighbouring words are neighbours in the text, so a run is one slice of it.
    let start = first.as_ptr() as usize - text.as_ptr() as usize;
    let end = last.as_ptr() as usize - text.as_ptr() as usize + last.len();
    if let Some(text) = text.get(start..end) {
        pieces.push(Piece { change, text });
    }
}

/// A place where two versions differ.
struct Hunk {
    before: Range<usize>,
    after: Range<usize>,
}

/// What lies between the matches.
fn hunks<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Hunk> {
    let mut numbers = HashMap::new();
    let mut number = |token: &&'t str| {
        let next = numbers.len() as u32;
        *numbers.entry(*token).or_insert(next)
    };
    let first: Vec<u32> = old.iter().map(&mut number).collect();
    let second: Vec<u32> = new.iter().map(&mut number).collect();
    let end = Match { first: old.len(), second: new.len(), length: 0 };
    let (mut a, mut b) = (0, 0);
    let between = matches(&first, &second).into_iter().chain([end]).map(|it| {
        let hunk = Hunk { before: a..it.first, after: b..it.second };
        (a, b) = (it.first + it.length, it.second + it.length);
        hunk
    });
    between.filter(|hunk| !hunk.before.is_empty() || !hunk.after.is_empty()).collect()
}

fn lines(out: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        out.push(sign);
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// Lines, split after the marks that end sentences: a paragraph is too long to be shown for a changed word.
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

/// Where the first sentence of a line ends, if another one follows.
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

/// Words with the white space behind them.
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

    /// Where words repeat, other diffs take minutes: `imara-diff` 0.2 took 62 s for the half of this.
    #[test]
    fn repetitive_texts_are_compared_in_time() {
        let text = |seed: u64| -> String {
            let mut state = seed;
            let next = |_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                if state >> 63 == 0 { "so. " } else { "on. " }
            };
            (0..320_000).map(next).collect()
        };
        let (before, after) = (text(1), text(2));
        let begin = std::time::Instant::now();
        assert!(!words(&before, &after).is_empty() && !unified(&before, &after).is_empty());
        assert!(begin.elapsed().as_secs() < 30, "{:?}", begin.elapsed());
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
