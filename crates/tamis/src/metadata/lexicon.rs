//! Words around metadata, from `data/lexicon/*.tsv`: category, language, phrase, flags.

use std::sync::LazyLock;

use crate::text::characters::{self, flags};
use crate::text::hash::FastMap;

/// Flags of a phrase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    /// Counts only before a colon.
    pub(crate) colon: bool,
    /// Counts only on pages in one of its languages.
    pub(crate) only: bool,
    /// Stands before people alone.
    pub(crate) sure: bool,
    /// Counts only when written in capitals.
    pub(crate) capitals: bool,
    /// Joins whole names only.
    pub(crate) whole: bool,
    /// Counts only as the whole text.
    pub(crate) alone: bool,
}

/// A phrase of a category.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Phrase {
    pub(crate) text: &'static str,
    languages: &'static str,
    pub(crate) flags: Flags,
}

impl Phrase {
    /// Whether the phrase counts on a page in `language`.
    pub(crate) fn applies(&self, language: Option<&str>) -> bool {
        !self.flags.only || language.is_some_and(|own| self.languages.split(',').any(|known| known == own))
    }
}

/// The low bits of the first two bytes of phrases.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Starts([u64; 64]);

impl Starts {
    fn add(&mut self, phrase: &str) {
        let (first, second) = (phrase.as_bytes()[0], phrase.as_bytes().get(1));
        self.0[usize::from(first & 63)] |= second.map_or(u64::MAX, |second| 1 << (second & 63));
    }

    pub(crate) fn union(self, other: &Starts) -> Starts {
        Starts(std::array::from_fn(|row| self.0[row] | other.0[row]))
    }

    /// Places where a phrase may start. In scripts with spaces it starts at a word.
    pub(crate) fn places(&self, lowercase: &str) -> impl Iterator<Item = usize> {
        let bytes = lowercase.as_bytes();
        let (mut at, mut in_word) = (0, false);
        std::iter::from_fn(move || {
            while let Some(byte) = bytes.get(at) {
                let (start, was_in_word) = (at, in_word);
                if byte.is_ascii() {
                    (at, in_word) = (at + 1, byte.is_ascii_alphabetic());
                } else {
                    let character = lowercase[at..].chars().next()?;
                    (at, in_word) = (at + character.len_utf8(), is_spaced(character));
                }
                if !(was_in_word && in_word) && self.may_start(&bytes[start..]) {
                    return Some(start);
                }
            }
            None
        })
    }

    /// Whether a phrase may start with these bytes; a cheap test that some others pass.
    pub(crate) fn may_start(&self, lowercase: &[u8]) -> bool {
        let second = lowercase.get(1).copied().unwrap_or_default();
        lowercase.first().is_some_and(|first| self.0[usize::from(first & 63)] >> (second & 63) & 1 == 1)
    }
}

/// The phrases of a category, lowercase.
#[derive(Debug)]
pub(crate) struct Phrases {
    by_text: FastMap<&'static str, Phrase>,
    /// How phrases start and, by low bits, their last characters, to skip most lookups.
    starts: Starts,
    last_bits: u64,
    /// By first character, the longest first.
    by_first: FastMap<char, Vec<Phrase>>,
}

impl Default for Phrases {
    fn default() -> Phrases {
        let (by_text, by_first) = (FastMap::default(), FastMap::default());
        Phrases { by_text, starts: Starts([0; 64]), last_bits: 0, by_first }
    }
}

impl Phrases {
    /// The phrase that is exactly `text`.
    pub(crate) fn get(&self, text: &str) -> Option<&Phrase> {
        self.by_text.get(text)
    }

    pub(crate) fn contains(&self, text: &str) -> bool {
        self.by_text.contains_key(text)
    }

    /// How the phrases start.
    pub(crate) fn starts(&self) -> &Starts {
        &self.starts
    }

    /// The longest phrase that `lowercase` starts with and that `accept` takes.
    pub(crate) fn at_start(&self, lowercase: &str, accept: impl Fn(&Phrase) -> bool) -> Option<&Phrase> {
        let first = lowercase.chars().next().filter(|_| self.starts.may_start(lowercase.as_bytes()))?;
        let candidates = self.by_first.get(&first)?;
        candidates.iter().find(|phrase| lowercase.starts_with(phrase.text) && accept(phrase))
    }

    /// The longest phrase that `lowercase` ends with.
    pub(crate) fn at_end(&self, lowercase: &str) -> Option<&Phrase> {
        let last = lowercase.chars().next_back()?;
        if self.last_bits >> (last as u32 & 63) & 1 == 0 {
            return None;
        }
        let longest = 40.min(lowercase.len());
        let start = lowercase.floor_char_boundary(lowercase.len() - longest);
        let starts = lowercase[start..].char_indices().map(|(at, _)| start + at);
        starts.filter_map(|at| self.by_text.get(&lowercase[at..])).next()
    }

    /// Phrases in `lowercase` with their offsets, leftmost and longest first, not overlapping. In scripts with spaces
    /// a phrase starts at a word.
    pub(crate) fn find(&self, lowercase: &str) -> Vec<(usize, &Phrase)> {
        let mut found = Vec::new();
        let mut until = 0;
        for at in self.starts.places(lowercase) {
            if at < until {
                continue;
            }
            if let Some(phrase) = self.at_start(&lowercase[at..], |_| true) {
                until = at + phrase.text.len();
                found.push((at, phrase));
            }
        }
        found
    }

    /// Whether a phrase occurs in `lowercase`.
    pub(crate) fn occurs(&self, lowercase: &str) -> bool {
        !self.find(lowercase).is_empty()
    }
}

/// Letters of scripts that put spaces between words.
pub(crate) fn is_spaced(character: char) -> bool {
    let has_spaces = character < '\u{590}' || matches!(character, '\u{1e00}'..='\u{1fff}');
    has_spaces && flags(character).has(characters::Flags::LETTER)
}

/// Characters of Chinese, Japanese and Korean.
pub(crate) fn is_east_asian(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{9fff}' | '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7a3}')
}

static CATEGORIES: LazyLock<FastMap<&'static str, Phrases>> = LazyLock::new(|| {
    let files = [
        include_str!("../../data/lexicon/byline.tsv"),
        include_str!("../../data/lexicon/people.tsv"),
        include_str!("../../data/lexicon/date-labels.tsv"),
        include_str!("../../data/lexicon/source.tsv"),
        include_str!("../../data/lexicon/title.tsv"),
        include_str!("../../data/lexicon/links.tsv"),
    ];
    let mut categories: FastMap<&'static str, Phrases> = FastMap::default();
    for line in files.iter().flat_map(|file| file.lines()).filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        let (Some(category), Some(languages), Some(text)) = (columns.next(), columns.next(), columns.next())
        else {
            continue;
        };
        let Some(first) = text.chars().next() else { continue };
        let mut flags = Flags::default();
        for flag in columns.next().unwrap_or_default().split(' ') {
            match flag {
                "colon" => flags.colon = true,
                "only" => flags.only = true,
                "sure" => flags.sure = true,
                "capitals" => flags.capitals = true,
                "whole" => flags.whole = true,
                "alone" => flags.alone = true,
                _ => {}
            }
        }
        let phrase = Phrase { text, languages, flags };
        let phrases = categories.entry(category).or_default();
        phrases.by_text.insert(text, phrase);
        phrases.starts.add(text);
        phrases.last_bits |= 1 << (text.chars().next_back().unwrap_or_default() as u32 & 63);
        phrases.by_first.entry(first).or_default().push(phrase);
    }
    let lists = categories.values_mut().flat_map(|phrases| phrases.by_first.values_mut());
    lists.for_each(|list| list.sort_by_key(|phrase| std::cmp::Reverse(phrase.text.len())));
    categories
});

static EMPTY: LazyLock<Phrases> = LazyLock::new(Phrases::default);

/// The phrases of a category.
pub(crate) fn phrases(category: &str) -> &'static Phrases {
    let found = CATEGORIES.get(category);
    debug_assert!(found.is_some(), "no phrases for {category}");
    found.unwrap_or(&EMPTY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_at_words() {
        let modified = phrases("modified");
        assert_eq!(modified.find("posted 3 may, updated 4 may")[0].1.text, "updated");
        assert!(!modified.occurs("outdated, unmodified"));
        assert!(modified.occurs("最后更新时间"));
        assert!(
            phrases("byline")
                .get("door")
                .is_some_and(|door| door.applies(Some("nl")) && !door.applies(Some("en")))
        );
        assert_eq!(phrases("blog_ending").at_end("ada's blog").map(|phrase| phrase.text), Some("'s blog"));
    }

    #[test]
    fn every_phrase_is_lowercase_and_has_a_known_flag() {
        for (category, phrases) in CATEGORIES.iter() {
            for phrase in phrases.by_text.values() {
                assert_eq!(phrase.text.trim(), phrase.text, "{category}");
                assert_eq!(phrase.text.to_lowercase(), phrase.text, "{category}");
            }
        }
    }
}
