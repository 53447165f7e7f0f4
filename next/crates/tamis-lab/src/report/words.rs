//! A text as the diff sees it: lines of words, each with the number of what it says and the stretch that shows it.

use std::collections::HashMap;

use crate::tokens;

/// The numbers of words: two words that count as the same have the same.
#[derive(Default)]
pub(super) struct Numbers {
    /// Words as they are written: most have been met before, and need no more than a look.
    written: HashMap<String, u32>,
    /// Words as they are compared.
    compared: HashMap<String, u32>,
}

impl Numbers {
    fn of(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.written.get(word) {
            return number;
        }
        // Only what differs in more than case and compatibility forms costs a tool anything.
        let next = self.compared.len() as u32;
        let number = *self.compared.entry(tokens::normal(word)).or_insert(next);
        self.written.insert(word.to_owned(), number);
        number
    }
}

/// A word of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word {
    /// Where it is shown from and to: the marks and spaces behind it are its own, and the first of a line has those
    /// before it too. So words that follow one another are shown by one stretch.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Its line.
    pub(super) line: usize,
}

/// A text, cut up.
#[derive(Default)]
pub(super) struct Words<'t> {
    pub(super) text: &'t str,
    /// What each word says.
    pub(super) numbers: Vec<u32>,
    /// Where each word is.
    pub(super) list: Vec<Word>,
    /// The lines that are not blank, with the place of their first word.
    pub(super) lines: Vec<(&'t str, usize)>,
    /// Characters that are not shown since the text is too long.
    pub(super) cut: usize,
}

impl<'t> Words<'t> {
    /// Cuts a text up, and off after `limit` bytes.
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

    /// Cuts up the line that stands at these places of the text, by the tokens that texts are scored by.
    fn line(&mut self, from: usize, to: usize, numbers: &mut Numbers) {
        let text = &self.text[from..to];
        let line = self.lines.len() - 1;
        let first = self.list.len();
        for token in tokens::tokens(text) {
            // A token is a stretch of the line, so its address tells its place.
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
    fn words_own_the_marks_around_them() {
        assert_eq!(
            shown("\u{201C}Hello,  world!\u{201D}\n\n***\n end."),
            [vec!["\u{201C}Hello,  ", "world!\u{201D}"], vec![], vec![" end."]]
        );
        assert_eq!(shown("2010年12月，雨。"), [vec!["2010", "年", "12", "月，", "雨。"]]);
        assert_eq!(shown("ئۇيغۇر تىلى"), [vec!["ئۇيغۇر ", "تىلى"]]);
        assert!(shown("").is_empty());
    }

    #[test]
    fn words_that_count_as_the_same_have_the_same_number() {
        let mut numbers = Numbers::default();
        let words = Words::of("Rain rain ＲＡＩＮ ﷺ x", 1000, &mut numbers);
        assert_eq!(words.numbers[..3], [0, 0, 0]);
        assert_eq!(Words::of("RAIN", 1000, &mut numbers).numbers, [0]);
    }

    #[test]
    fn a_long_text_is_cut_between_characters_and_says_so() {
        let words = Words::of("港口新闻", 7, &mut Numbers::default());
        assert_eq!((words.list.len(), words.cut), (2, 2));
    }
}
