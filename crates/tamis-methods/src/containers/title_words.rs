//! Words of a page's titles, and their occurrences in texts.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use tamis::page::{Page, Region};

use crate::data;
use crate::punctuation::{is_unsegmented, is_word_character};

/// Maximum number of title words, since some pages mark up everything as a heading.
const MAX_WORDS: usize = 256;

static STOP_WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| data::rows(data::STOP_WORDS).map(|(_, word)| word).collect());

/// The content words of `title` and `h1` to `h6` in lowercase, numbered in page order.
#[derive(Default)]
pub(super) struct TitleWords {
    numbers: HashMap<String, usize>,
    /// Finds the words of scripts without spaces, with their numbers.
    unsegmented: Option<(AhoCorasick, Vec<usize>)>,
}

impl TitleWords {
    pub(super) fn of(page: &Page<'_>) -> TitleWords {
        let mut words = TitleWords::default();
        words.add_title(&page.head.title);
        for block in 0..page.blocks.len() {
            if words.len() >= MAX_WORDS {
                break;
            }
            if page.elements.regions[page.blocks.element[block] as usize] & Region::Heading.bit() != 0 {
                words.add_title(page.blocks.text(block));
            }
        }
        let unsegmented = words.numbers.iter().filter(|(word, _)| !word.chars().all(is_word_character));
        let (patterns, numbers): (Vec<&String>, Vec<usize>) = unsegmented.unzip();
        if !numbers.is_empty() {
            words.unsegmented = AhoCorasick::new(patterns).ok().map(|automaton| (automaton, numbers));
        }
        words
    }

    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Calls `found` with the number of a word for each of its occurrences: as a whole word, or in scripts without
    /// spaces anywhere.
    pub(super) fn find(&self, text: &str, mut found: impl FnMut(usize)) {
        let text = text.to_lowercase();
        for_each_run(&text, |run, is_unsegmented| {
            if !is_unsegmented && let Some(number) = self.numbers.get(run) {
                found(*number);
            }
        });
        if let Some((automaton, numbers)) = &self.unsegmented {
            let hits = automaton.find_overlapping_iter(text.as_str());
            hits.for_each(|hit| found(numbers[hit.pattern().as_usize()]));
        }
    }

    fn add(&mut self, word: &str) {
        let next = self.len();
        if next < MAX_WORDS {
            self.numbers.entry(word.to_owned()).or_insert(next);
        }
    }

    fn add_title(&mut self, title: &str) {
        let title = title.to_lowercase();
        #[cfg(feature = "jieba")]
        if self.add_by_dictionary(&title) {
            return;
        }
        for_each_run(&title, |run, is_unsegmented| match is_unsegmented {
            true => self.add_pairs(run),
            false => self.add_word(run),
        });
    }

    fn add_word(&mut self, word: &str) {
        let is_number = word.chars().all(char::is_numeric);
        if word.chars().nth(1).is_some() && !is_number && !STOP_WORDS.contains(word) {
            self.add(word);
        }
    }

    /// Adds every two neighbours of a run without spaces.
    fn add_pairs(&mut self, run: &str) {
        let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
        for bounds in starts.windows(3) {
            let (first, second) = (&run[bounds[0]..bounds[1]], &run[bounds[1]..bounds[2]]);
            if !STOP_WORDS.contains(first) && !STOP_WORDS.contains(second) {
                self.add(&run[bounds[0]..bounds[2]]);
            }
        }
    }

    /// Adds nouns and names of two or more characters. Returns false if the title is not Chinese: text with kana is
    /// Japanese, which the dictionary does not cover.
    #[cfg(feature = "jieba")]
    fn add_by_dictionary(&mut self, title: &str) -> bool {
        static DICTIONARY: LazyLock<jieba_rs::Jieba> = LazyLock::new(jieba_rs::Jieba::new);
        let has = |range: std::ops::RangeInclusive<char>| title.chars().any(|c| range.contains(&c));
        if !has('\u{3400}'..='\u{9FFF}') || has('\u{3041}'..='\u{30FF}') {
            return false;
        }
        for tag in DICTIONARY.tag(title, true) {
            if tag.word.chars().all(is_word_character) {
                self.add_word(tag.word);
            } else if tag.tag.starts_with('n') && tag.word.chars().nth(1).is_some() {
                self.add(tag.word);
            }
        }
        true
    }
}

/// Calls `visit` with each run of letters: words, and runs of scripts written without spaces.
fn for_each_run<'t>(text: &'t str, mut visit: impl FnMut(&'t str, bool)) {
    let mut rest = text;
    while let Some(start) = rest.find(|c| is_word_character(c) || is_unsegmented(c)) {
        rest = &rest[start..];
        let unsegmented = rest.chars().next().is_some_and(is_unsegmented);
        let is_in_run = |c: char| if unsegmented { is_unsegmented(c) } else { is_word_character(c) };
        let end = rest.find(|c| !is_in_run(c)).unwrap_or(rest.len());
        visit(&rest[..end], unsegmented);
        rest = &rest[end..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(html: &str) -> Vec<String> {
        let mut words: Vec<_> = TitleWords::of(&Page::parse(html)).numbers.into_iter().collect();
        words.sort_by_key(|(_, number)| *number);
        words.into_iter().map(|(word, _)| word).collect()
    }

    #[test]
    fn content_words_of_all_titles_occur_once() {
        let html = "<title>The Harbour of Brest - 2014</title><h2>A harbour, an old TOWN</h2><p>no title";
        assert_eq!(words(html), ["harbour", "brest", "old", "town"]);
    }

    #[cfg(not(feature = "jieba"))]
    #[test]
    fn pairs_stand_in_for_chinese_words() {
        assert_eq!(words("<h1>北京的地铁 A1</h1>"), ["北京", "地铁", "a1"]);
    }

    #[cfg(feature = "jieba")]
    #[test]
    fn the_dictionary_finds_nouns_and_names() {
        let found = words("<title>北京新开的地铁线路图</title>");
        assert!(found.contains(&"北京".to_owned()) && found.contains(&"地铁".to_owned()), "{found:?}");
        assert!(!found.contains(&"新开".to_owned()), "{found:?}");
    }

    #[test]
    fn words_are_counted_whole_and_pairs_anywhere() {
        let words = TitleWords::of(&Page::parse("<title>Art 地铁 Ärger</title>"));
        let mut counts = [0; 3];
        let text = "ART, parts and art; 坐地铁去地铁站 Ärger “ÄRGER” Ärgernis";
        words.find(text, |word| counts[word] += 1);
        assert_eq!(counts, [2, 2, 2]);
    }

    #[test]
    fn a_page_of_headings_is_limited() {
        let html: String = (0..2000).map(|i| format!("<h3>word{i}</h3>")).collect();
        assert_eq!(words(&html).len(), MAX_WORDS);
    }
}
