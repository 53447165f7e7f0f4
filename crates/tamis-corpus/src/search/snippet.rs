//! Excerpts of texts around the words of a query.

use std::collections::VecDeque;
use std::ops::Range;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::query::Term;
use crate::segment::Segments;

/// Length of a snippet, and of its part before the first hit, in characters.
const LENGTH: usize = 160;
const LEAD: usize = 40;

/// An excerpt around the first hit, on one line.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Snippet {
    /// The excerpt, with `…` for omitted text.
    pub text: String,
    /// The byte ranges of `text` that match.
    pub hits: Vec<Range<usize>>,
}

impl Snippet {
    pub(super) fn new(text: &str, terms: &[&Term]) -> Snippet {
        let hits = hits(text, terms);
        let first = hits.first().map_or(0, |hit| hit.start);
        let start = match text[..first].char_indices().rev().nth(LEAD - 1) {
            // Begin with a whole word in scripts with spaces.
            Some((start, _)) => {
                text[start..first].find(char::is_whitespace).map_or(start, |space| start + space + 1)
            }
            None => 0,
        };
        let start = text.ceil_char_boundary(start);
        let end = text[start..].char_indices().nth(LENGTH).map_or(text.len(), |(end, _)| start + end);
        let mut snippet = Snippet::default();
        if start > 0 {
            snippet.text.push('…');
        }
        let shift = snippet.text.len();
        // One space per byte of a line break or control character keeps the ranges valid.
        for character in text[start..end].chars() {
            match character.is_control() {
                true => (0..character.len_utf8()).for_each(|_| snippet.text.push(' ')),
                false => snippet.text.push(character),
            }
        }
        if end < text.len() {
            snippet.text.push('…');
        }
        for hit in hits.iter().filter(|hit| hit.start >= start && hit.end <= end) {
            snippet.hits.push(hit.start - start + shift..hit.end - start + shift);
        }
        snippet
    }
}

/// The first hit and further ones within the length of a snippet, in order and without overlaps.
fn hits(text: &str, terms: &[&Term]) -> Vec<Range<usize>> {
    let phrases: Vec<Vec<u64>> =
        terms.iter().map(|term| term.words.iter().map(|word| hash(word)).collect()).collect();
    let longest = phrases.iter().map(Vec::len).max().unwrap_or(0);
    // The last words and their start positions.
    let mut recent: VecDeque<(u64, usize)> = VecDeque::with_capacity(longest + 1);
    let mut hits: Vec<Range<usize>> = Vec::new();
    let mut segments = Segments::new(text);
    while let Some(segment) = segments.next_segment() {
        if hits.first().is_some_and(|first| segment.range.start > first.end + LENGTH * 4) {
            break;
        }
        recent.push_back((hash(segment.word), segment.range.start));
        if recent.len() > longest {
            recent.pop_front();
        }
        for (term, phrase) in terms.iter().zip(&phrases) {
            let Some((last, head)) = phrase.split_last() else { continue };
            let Some(skipped) = recent.len().checked_sub(phrase.len()) else { continue };
            let ends_here = match term.prefix {
                true => term.words.last().is_some_and(|word| segment.word.starts_with(word.as_str())),
                false => recent.back().is_some_and(|(word, _)| word == last),
            };
            if !ends_here || !recent.iter().skip(skipped).zip(head).all(|((word, _), other)| word == other) {
                continue;
            }
            let start = recent.get(skipped).map_or(segment.range.start, |(_, start)| *start);
            match hits.last_mut() {
                Some(before) if before.end >= start => before.end = before.end.max(segment.range.end),
                _ => hits.push(start..segment.range.end),
            }
        }
    }
    hits
}

fn hash(word: &str) -> u64 {
    xxh3_64(word.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::query::Parsed;
    use super::*;

    #[test]
    fn snippets_show_and_mark_the_first_hits() {
        let long = format!("{}harbour bridge {}", "word ".repeat(50), "more ".repeat(50));
        let chinese = format!("{}北京大学发布{}", "字".repeat(60), "文".repeat(200));
        for (text, query, marked, starts) in [
            ("The old bridge.\nA BRIDGE again", "bridge", vec!["bridge", "BRIDGE"], "The old bridge. A"),
            (&long, "\"harbour bridge\"", vec!["harbour bridge"], "…word word"),
            (&chinese, "大学", vec!["大学"], "…字字"),
            ("Crème brûlée", "creme brul*", vec!["Crème", "brûlée"], "Crème"),
            ("nothing of it", "bridge", vec![], "nothing of it"),
            ("", "bridge", vec![], ""),
        ] {
            let parsed = Parsed::new(query);
            let terms: Vec<&Term> = parsed.all.iter().flatten().collect();
            let snippet = Snippet::new(text, &terms);
            let found: Vec<&str> = snippet.hits.iter().map(|hit| &snippet.text[hit.clone()]).collect();
            assert_eq!(found, marked, "{text}");
            assert!(snippet.text.starts_with(starts), "{}", snippet.text);
            assert!(snippet.text.chars().count() <= LENGTH + 2);
        }
    }
}
