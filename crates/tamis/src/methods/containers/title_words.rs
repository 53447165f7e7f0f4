//! The words of a page's titles, and how often a text has them.

use std::borrow::Cow;

use super::Words;
use crate::characters::{Class, class, has_small};
use crate::hashing::{NumberMap, TextSet};
use crate::page::Page;

/// More words than this no title has; pages that make everything a heading would.
const MOST_WORDS: usize = 256;

/// The content words of `title` and `h1` to `h6`, each once, in page order, in lower case.
pub(super) fn title_words(page: &Page<'_>, words: Words) -> Vec<String> {
    let mut found = Found { list: Vec::with_capacity(64), seen: TextSet::default() };
    split(&page.title(), words, &mut found);
    for block in page.blocks().iter().filter(|block| block.hidden.is_none()) {
        if found.list.len() >= MOST_WORDS {
            break;
        }
        if page.element(block).heading_level().is_some() {
            split(page.text(block), words, &mut found);
        }
    }
    found.list
}

struct Found {
    list: Vec<String>,
    seen: TextSet<String>,
}

impl Found {
    fn add(&mut self, word: &str) {
        if self.list.len() < MOST_WORDS && !self.seen.contains(word) {
            self.seen.insert(word.to_owned());
            self.list.push(word.to_owned());
        }
    }
}

fn split(title: &str, words: Words, found: &mut Found) {
    let title = title.to_lowercase();
    #[cfg(feature = "jieba")]
    if words == Words::Dictionary && is_chinese(&title) {
        return by_dictionary(&title, found);
    }
    #[cfg(not(feature = "jieba"))]
    let _ = words;
    for run in runs(&title) {
        match run {
            TextRun::Word(word) => add_plain(word, found),
            TextRun::Unspaced(run) => pairs(run, found),
        }
    }
}

/// Every two neighbours of a run without spaces.
fn pairs(run: &str, found: &mut Found) {
    let characters: Vec<(usize, char)> = run.char_indices().collect();
    for two in characters.windows(2) {
        let ((start, first), (second_start, second)) = (two[0], two[1]);
        if !(FUNCTION_CHARACTERS.contains(first) || FUNCTION_CHARACTERS.contains(second)) {
            found.add(&run[start..second_start + second.len_utf8()]);
        }
    }
}

fn add_plain(word: &str, found: &mut Found) {
    let is_number = word.chars().all(char::is_numeric);
    if word.chars().nth(1).is_some() && !is_number && !is_stop_word(word) {
        found.add(word);
    }
}

fn is_stop_word(word: &str) -> bool {
    let begins_alike =
        |stop: &&&str| stop.len() == word.len() && stop.as_bytes().first() == word.as_bytes().first();
    word.len() <= LONGEST_STOP_WORD && STOP_WORDS.iter().filter(begins_alike).any(|stop| *stop == word)
}

/// Han without Kana: a text with both is Japanese, for which the dictionary has no words.
#[cfg(feature = "jieba")]
fn is_chinese(text: &str) -> bool {
    let is_kana = |character| matches!(character, '\u{3041}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}');
    text.chars().any(|character| matches!(character, '\u{3400}'..='\u{9FFF}')) && !text.chars().any(is_kana)
}

/// Nouns and names of two characters and more; a noun of one character is in every second sentence.
#[cfg(feature = "jieba")]
fn by_dictionary(title: &str, found: &mut Found) {
    /// The one thing that outlives a call: a table that is read from the program on first use and never changes.
    static DICTIONARY: std::sync::LazyLock<jieba_rs::Jieba> = std::sync::LazyLock::new(jieba_rs::Jieba::new);
    for tag in DICTIONARY.tag(title, true) {
        if tag.word.chars().all(|character| class(character) == Class::PartOfWord) {
            add_plain(tag.word, found);
        } else if tag.tag.starts_with('n') && tag.word.chars().nth(1).is_some() {
            found.add(tag.word);
        }
    }
}

enum TextRun<'t> {
    Word(&'t str),
    Unspaced(&'t str),
}

/// The stretches of letters in a text: words, and runs of scripts that put no spaces between words.
fn runs(text: &str) -> impl Iterator<Item = TextRun<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_letter = |character: char| matches!(class(character), Class::PartOfWord | Class::WholeWord);
        rest = &rest[rest.find(is_letter)?..];
        let kind = class(rest.chars().next()?);
        let end = rest.find(|character| class(character) != kind).unwrap_or(rest.len());
        let (run, behind) = rest.split_at(end);
        rest = behind;
        Some(if kind == Class::WholeWord { TextRun::Unspaced(run) } else { TextRun::Word(run) })
    })
}

/// Finds words in texts: words of letters as a whole, others wherever their characters stand.
pub(super) struct Finder<'w> {
    /// Words of letters with their numbers, by their first byte.
    whole: Vec<(&'w str, usize)>,
    /// For each first byte, where its words begin in `whole`.
    starts: [u16; 257],
    /// By the [`ends`] of the words in `whole` their lengths, as bits: most words of a text need no other look.
    lengths: [u64; 256],
    by_first: NumberMap<char, Vec<(&'w str, usize)>>,
    /// Bits of the characters in `by_first`, a few to a bit.
    firsts: [u64; 16],
    /// Are all of `by_first` beyond ASCII?
    not_in_ascii: bool,
    /// Are all of `by_first` of characters that have no small letters, nor are any?
    without_case: bool,
}

/// A number for the first and the last byte of a word, the same for large and small letters of ASCII.
#[inline]
fn ends(word: &[u8]) -> usize {
    let (first, last) =
        (word.first().map_or(0, |byte| byte | 0x20), word.last().map_or(0, |byte| byte | 0x20));
    usize::from(first.wrapping_mul(37).wrapping_add(last))
}

/// The last bit stands for all longer words.
#[inline]
fn length_bit(length: usize) -> u64 {
    1 << length.min(63)
}

fn first_bit(character: char) -> (usize, u64) {
    let number = character as usize;
    (number >> 6 & 15, 1 << (number & 63))
}

impl<'w> Finder<'w> {
    pub(super) fn new(words: impl Iterator<Item = &'w str>) -> Finder<'w> {
        let mut finder = Finder {
            whole: Vec::new(),
            starts: [0; 257],
            lengths: [0; 256],
            by_first: NumberMap::default(),
            firsts: [0; 16],
            not_in_ascii: true,
            without_case: true,
        };
        for (number, word) in words.enumerate() {
            let Some(first) = word.chars().next() else { continue };
            if word.chars().all(|character| class(character) == Class::PartOfWord) {
                finder.whole.push((word, number));
                finder.lengths[ends(word.as_bytes())] |= length_bit(word.len());
            } else {
                finder.by_first.entry(first).or_default().push((word, number));
                let (at, bit) = first_bit(first);
                finder.firsts[at] |= bit;
                finder.not_in_ascii &= !word.is_ascii();
                finder.without_case &= word.chars().all(|character| class(character) == Class::WholeWord);
            }
        }
        let first = |word: &str| usize::from(word.as_bytes()[0]);
        finder.whole.sort_by_key(|(word, _)| first(word));
        finder.whole.iter().for_each(|(word, _)| finder.starts[first(word) + 1] += 1);
        (0..256).for_each(|byte| finder.starts[byte + 1] += finder.starts[byte]);
        finder
    }

    /// Calls `found` with the number of a word for every time that `text` has it.
    pub(super) fn find(&self, text: &str, found: impl FnMut(usize)) {
        // Elsewhere every letter has its small one whatever stands around it, and letters stay letters: it makes no
        // difference whether the whole text is put into lower case or each word, when it is looked up.
        if text.is_ascii() && self.not_in_ascii || self.without_case && !text.contains(SIGMA) {
            self.find_in_any_case(text, found);
        } else {
            self.find_in_small(&in_lower_case(text), found);
        }
    }

    /// As [`find`](Self::find), in a text in lower case.
    fn find_in_small(&self, text: &str, mut found: impl FnMut(usize)) {
        // Where the word of letters begins that is being read.
        let mut start = None;
        for (at, character) in text.char_indices() {
            if class(character) == Class::PartOfWord {
                start.get_or_insert(at);
            } else if let Some(start) = start.take() {
                self.find_word(&text[start..at], &mut found);
            }
            self.find_at(at, character, text, &mut found);
        }
        if let Some(start) = start {
            self.find_word(&text[start..], &mut found);
        }
    }

    /// As [`find`](Self::find), where the words that are no words of letters have no case, and none begins with ASCII.
    fn find_in_any_case(&self, text: &str, mut found: impl FnMut(usize)) {
        let bytes = text.as_bytes();
        // Where the word of letters begins that is being read, if it is not of ASCII alone.
        let (mut at, mut start) = (0, None);
        while let Some(byte) = bytes.get(at) {
            if IN_WORD[usize::from(*byte)] {
                let length = bytes[at..].iter().position(|byte| !IN_WORD[usize::from(*byte)]);
                let end = length.map_or(bytes.len(), |length| at + length);
                if start.is_some() || bytes.get(end).is_some_and(|byte| !byte.is_ascii()) {
                    start.get_or_insert(at);
                } else if self.may_have(&bytes[at..end]) {
                    self.find_ascii_word(&text[at..end], &mut found);
                }
                at = end;
                continue;
            }
            let (is_letter, length) = if byte.is_ascii() {
                (false, 1)
            } else {
                let Some(character) = text[at..].chars().next() else { break };
                self.find_at(at, character, text, &mut found);
                (class(character) == Class::PartOfWord, character.len_utf8())
            };
            if is_letter {
                start.get_or_insert(at);
            } else if let Some(start) = start.take() {
                self.find_any_word(&text[start..at], &mut found);
            }
            at += length;
        }
        if let Some(start) = start {
            self.find_any_word(&text[start..], &mut found);
        }
    }

    /// Calls `found` for the words of characters that begin at one of them.
    #[inline]
    fn find_at(&self, at: usize, character: char, text: &str, found: &mut impl FnMut(usize)) {
        let (place, bit) = first_bit(character);
        if self.firsts[place] & bit != 0 {
            let words = self.by_first.get(&character).into_iter().flatten();
            words.filter(|(word, _)| text[at..].starts_with(word)).for_each(|(_, number)| found(*number));
        }
    }

    /// Calls `found` if a word of letters, in lower case, is one of those that are looked for.
    fn find_word(&self, word: &str, found: &mut impl FnMut(usize)) {
        if self.may_have(word.as_bytes()) {
            let known = self.beginning_with(word.as_bytes()[0]).iter().filter(|(known, _)| *known == word);
            known.for_each(|(_, number)| found(*number));
        }
    }

    /// As [`find_word`](Self::find_word), for a word in any case.
    fn find_any_word(&self, word: &str, found: &mut impl FnMut(usize)) {
        if !word.is_ascii() {
            self.find_word(&in_lower_case(word), found);
        } else if self.may_have(word.as_bytes()) {
            self.find_ascii_word(word, found);
        }
    }

    fn find_ascii_word(&self, word: &str, found: &mut impl FnMut(usize)) {
        let known = self.beginning_with(word.as_bytes()[0].to_ascii_lowercase()).iter();
        known.filter(|(known, _)| known.eq_ignore_ascii_case(word)).for_each(|(_, number)| found(*number));
    }

    /// May a word of letters be one of those that are looked for? Never one without letters.
    #[inline]
    fn may_have(&self, word: &[u8]) -> bool {
        !word.is_empty() && self.lengths[ends(word)] & length_bit(word.len()) != 0
    }

    fn beginning_with(&self, first: u8) -> &[(&'w str, usize)] {
        let first = usize::from(first);
        &self.whole[usize::from(self.starts[first])..usize::from(self.starts[first + 1])]
    }
}

/// The letters and digits of ASCII.
static IN_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    table
};

/// The one letter whose small one depends on what stands around it.
const SIGMA: char = 'Σ';

/// Most scripts have no small letters.
fn in_lower_case(text: &str) -> Cow<'_, str> {
    if text.chars().any(has_small) { text.to_lowercase().into() } else { text.into() }
}

/// Characters that tie Chinese words together: a pair with one of them is no word.
const FUNCTION_CHARACTERS: &str = "的了在是和与之为对等将被把也都及或于从到而";

/// Words that say nothing about a page, in the languages that the web has most of.
#[rustfmt::skip]
const STOP_WORDS: &[&str] = &[
    "about", "after", "all", "an", "and", "are", "as", "at", "be", "but", "by", "can", "com", "do", "for", "from",
    "has", "have", "he", "her", "his", "home", "how", "if", "in", "into", "is", "it", "its", "more", "my", "new",
    "no", "not", "of", "on", "or", "our", "out", "page", "re", "she", "so", "that", "the", "their", "they", "this",
    "to", "up", "us", "was", "we", "what", "when", "who", "why", "will", "with", "www", "you", "your",
    "au", "aux", "avec", "ce", "dans", "de", "des", "du", "en", "est", "et", "la", "le", "les", "ne", "par", "pas",
    "pour", "que", "qui", "se", "sur", "un", "une",
    "auf", "aus", "bei", "das", "dem", "den", "der", "die", "ein", "eine", "für", "im", "ist", "mit", "nach", "nicht",
    "sich", "sie", "und", "von", "wie", "zu", "zum", "zur",
    "al", "con", "del", "el", "es", "las", "los", "por", "su", "da", "di", "do", "em", "il", "per", "na", "os",
    "в", "и", "на", "не", "по", "с", "что", "для", "из", "как", "от",
    "ۋە", "بىلەن", "بۇ", "بىر", "ئۈچۈن", "في", "من", "على", "إلى", "از", "به", "در", "که", "را",
];

/// How many bytes the longest of them has: most words of titles are longer than most of these.
const LONGEST_STOP_WORD: usize = {
    let (mut longest, mut at) = (0, 0);
    while at < STOP_WORDS.len() {
        let length = STOP_WORDS[at].len();
        longest = if length > longest { length } else { longest };
        at += 1;
    }
    longest
};

#[cfg(test)]
mod tests {
    use super::*;

    fn words(html: &str, words: Words) -> Vec<String> {
        title_words(&Page::parse(html), words)
    }

    #[test]
    fn content_words_of_all_titles_once() {
        let html = "<title>The Harbour of Brest - 2014</title><h2>A harbour, an old TOWN</h2><p>no title";
        assert_eq!(words(html, Words::Pairs), ["harbour", "brest", "old", "town"]);
    }

    #[test]
    fn without_a_dictionary_pairs_stand_for_words() {
        assert_eq!(words("<h1>北京的地铁 A1</h1>", Words::Pairs), ["北京", "地铁", "a1"]);
    }

    #[cfg(feature = "jieba")]
    #[test]
    fn with_a_dictionary_nouns_and_names() {
        let found = words("<title>北京新开的地铁线路图</title>", Words::Dictionary);
        assert!(found.contains(&"北京".to_owned()) && found.contains(&"地铁".to_owned()), "{found:?}");
        assert!(!found.contains(&"新开".to_owned()), "{found:?}");
    }

    #[test]
    fn words_are_counted_whole_and_pairs_anywhere() {
        let list = ["art", "地铁"];
        let mut counts = [0; 2];
        Finder::new(list.into_iter())
            .find("Art, parts and art; 坐地铁去地铁站", |word| counts[word] += 1);
        assert_eq!(counts, [2, 2]);
    }

    #[test]
    fn lower_case_is_that_of_all_letters() {
        for text in ["Art “ART” 地铁 ABC。", "Ärger ΟΔΟΣ Ａ", "カタカナ ㈱ №", "地铁"] {
            assert_eq!(in_lower_case(text), text.to_lowercase());
        }
    }

    #[test]
    fn words_are_found_whatever_the_case_of_the_text() {
        let list = ["ärger", "οδος", "km", "i\u{307}zmir"];
        let find = |text: &str| {
            let mut counts = [0; 4];
            Finder::new(list.into_iter()).find(text, |word| counts[word] += 1);
            counts
        };
        assert_eq!(find("ÄRGER, Ärger und ärger; “Ärgernis”"), [3, 0, 0, 0]);
        assert_eq!(find("ΟΔΟΣ ΟΔΟΣΑ οδος"), [0, 2, 0, 0]);
        assert_eq!(find("5 KM, 5 \u{212A}M – İZMİR"), [0, 0, 2, 0]);
        assert_eq!(find("İzmir"), [0, 0, 0, 1]);
    }

    #[test]
    fn small_letters_are_letters_as_the_large_ones_are() {
        for character in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let is_word = |character: char| class(character) == Class::PartOfWord;
            let mut small = character.to_lowercase();
            assert!(small.all(|small| is_word(small) == is_word(character)), "{character:?}");
            assert!(!(has_small(character) && class(character) == Class::WholeWord), "{character:?}");
        }
    }

    #[test]
    fn ascii_is_read_as_other_texts_are() {
        let list = ["art", "a1", "x"];
        let find = |text: &str| {
            let mut counts = [0; 3];
            Finder::new(list.into_iter()).find(text, |word| counts[word] += 1);
            counts
        };
        for text in ["ART's a1-art", "x", "-x_A1", "artx part", "", "'"] {
            assert_eq!(find(text), find(&format!("{text} \u{2014}")), "{text}");
        }
        assert_eq!(find("ART's a1-art, X"), [2, 1, 1]);
    }

    #[test]
    fn a_page_of_headings_has_its_limit() {
        let html: String = (0..2000).map(|i| format!("<h3>word{i}</h3>")).collect();
        assert_eq!(words(&html, Words::Pairs).len(), MOST_WORDS);
    }
}
