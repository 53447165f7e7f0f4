//! Splitting texts into lines and words for the diff.

use std::collections::HashMap;

use crate::tokens;

/// Numbers of words; words that score as equal have the same number.
#[derive(Default)]
pub(super) struct Numbers {
    /// By verbatim word: a cache, to avoid normalisation.
    written: HashMap<String, u32>,
    /// By normalised word.
    compared: HashMap<String, u32>,
}

impl Numbers {
    fn of(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.written.get(word) {
            return number;
        }
        let next = self.compared.len() as u32;
        let number = *self.compared.entry(tokens::normal(word)).or_insert(next);
        self.written.insert(word.to_owned(), number);
        number
    }
}

/// A word of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word {
    /// Its range, including punctuation and spaces after it, and for the first word of a line also before it. So the
    /// ranges of consecutive words are contiguous.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The line.
    pub(super) line: usize,
}

/// A text, split into words.
#[derive(Default)]
pub(super) struct Words<'t> {
    pub(super) text: &'t str,
    /// The number of each word.
    pub(super) numbers: Vec<u32>,
    /// The range of each word.
    pub(super) list: Vec<Word>,
    /// The non-blank lines, with the index of their first word.
    pub(super) lines: Vec<(&'t str, usize)>,
    /// The number of truncated characters.
    pub(super) cut: usize,
}

impl<'t> Words<'t> {
    /// Splits a text, truncated to `limit` bytes.
    pub(super) fn of(text: &'t str, limit: usize, numbers: &mut Numbers) -> Words<'t> {
        let mut end = text.len().min(limit);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let mut words = Words { text, cut: text[end..].chars().count(), ..Words::default() };
        let mut begin = 0;
        for line in text[..end].split(['\n', '\r']) {
            let (from, to) = (begin, begin + line.len());
            begin = to + 1;
            if !line.trim().is_empty() {
                words.lines.push((line.trim(), words.list.len()));
                words.line(from, to, numbers);
            }
        }
        words
    }

    /// Splits the line at a range of the text by the tokens of scores.
    fn line(&mut self, from: usize, to: usize, numbers: &mut Numbers) {
        let text = &self.text[from..to];
        let line = self.lines.len() - 1;
        let first = self.list.len();
        for token in tokens::tokens(text) {
            // A token is a slice of the line, so its address gives its offset.
            let at = from + (token.as_ptr() as usize - text.as_ptr() as usize);
            let mut start = at;
            if self.list.len() == first {
                start = from;
            } else if let Some(before) = self.list.last_mut() {
                before.end = at;
            }
            self.numbers.push(numbers.of(token));
            self.list.push(Word { start, end: to, line });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<Vec<&str>> {
        let words = Words::of(text, 1000, &mut Numbers::default());
        let mut lines = vec![Vec::new(); words.lines.len()];
        for word in &words.list {
            lines[word.line].push(&text[word.start..word.end]);
        }
        lines
    }

    #[test]
    fn words_include_the_punctuation_around_them() {
        assert_eq!(
            shown("\u{201C}Hello,  world!\u{201D}\n\n***\n end."),
            [vec!["\u{201C}Hello,  ", "world!\u{201D}"], vec![], vec![" end."]]
        );
        assert_eq!(shown("2010年12月，雨。"), [vec!["2010", "年", "12", "月，", "雨。"]]);
        assert_eq!(shown("ئۇيغۇر تىلى"), [vec!["ئۇيغۇر ", "تىلى"]]);
        assert!(shown("").is_empty());
    }

    #[test]
    fn words_that_score_as_equal_have_the_same_number() {
        let mut numbers = Numbers::default();
        let words = Words::of("Rain rain ＲＡＩＮ ﷺ x", 1000, &mut numbers);
        assert_eq!(words.numbers[..3], [0, 0, 0]);
        assert_eq!(Words::of("RAIN", 1000, &mut numbers).numbers, [0]);
    }

    #[test]
    fn long_texts_are_truncated_between_characters() {
        let words = Words::of("港口新闻", 7, &mut Numbers::default());
        assert_eq!((words.list.len(), words.cut), (2, 2));
    }
}
