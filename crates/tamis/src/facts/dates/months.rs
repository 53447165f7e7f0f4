//! Names of months in 76 languages, found by their spelling.

use std::borrow::Cow;
use std::sync::OnceLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::characters::small;
use crate::hashing::TextMap;

/// A language a line; how it was made, its head says.
const TABLE: &str = include_str!("months.txt");

/// A name and what it means, in the languages of the table's order.
type Meanings = Vec<(&'static str, u8)>;

fn names() -> &'static TextMap<Cow<'static, str>, Meanings> {
    static NAMES: OnceLock<TextMap<Cow<'static, str>, Meanings>> = OnceLock::new();
    NAMES.get_or_init(|| {
        // There are some fifteen hundred.
        let mut names: TextMap<Cow<'static, str>, Meanings> =
            TextMap::with_capacity_and_hasher(2_000, Default::default());
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let mut parts = line.split('|');
            let language = parts.next().unwrap_or_default();
            for (months, month) in parts.zip(1..) {
                for name in months.split(',') {
                    names.entry(Cow::Borrowed(name)).or_default().push((language, month));
                    let bare = if name.is_ascii() { String::new() } else { without_marks(name) };
                    if !bare.is_empty() && bare != name {
                        names.entry(Cow::Owned(bare)).or_default().push((language, month));
                    }
                }
            }
        }
        names
    })
}

/// Latin and Greek letters without their accents: pages write `fevrier` and `ΔΕΚΕΜΒΡΙΟΥ`. Other scripts stay as they
/// are: their marks tell words apart.
fn without_marks(name: &str) -> String {
    if !name.chars().all(|c| matches!(c, ' '..='\u{3ff}' | '\u{1e00}'..='\u{1fff}')) {
        return name.to_owned();
    }
    name.nfd().filter(|c| !is_combining_mark(*c)).collect()
}

/// The month that a word names. A page's language decides where languages disagree.
pub(super) fn month(word: &str, language: Option<&str>) -> Option<u8> {
    // The longest name of the table has 30 bytes.
    if word.len() < 2 || word.len() > 40 {
        return None;
    }
    let small = fold(word);
    if let Some(meanings) = names().get(small.as_ref()) {
        return Some(meaning(meanings, language));
    }
    // Endings: `abenduaren`, `decemberben`, `Aralıkta`. Only names long enough to be no accident.
    let mut stem = small.as_ref();
    for _ in 0..4 {
        let (end, _) = stem.char_indices().next_back()?;
        stem = &stem[..end];
        if stem.len() < 5 || stem.chars().count() < 5 {
            return None;
        }
        if let Some(meanings) = names().get(stem) {
            return Some(meaning(meanings, language));
        }
    }
    None
}

/// Does a word beside a number name a month, where no year says so too? Short names of most languages are words of others:
/// "10 out of 10", "set 2".
pub(super) fn is_month_beside_number(word: &str) -> bool {
    const PLAIN: [&str; 4] = ["en", "de", "fr", "ru"];
    if word.len() < 2 || word.len() > 40 {
        return false;
    }
    let small = fold(word);
    names().get(small.as_ref()).is_some_and(|meanings| {
        small.chars().count() >= 5 || meanings.iter().any(|(language, _)| PLAIN.contains(language))
    })
}

/// Is a word in small letters the name of a month in one of these languages, or short for one?
pub(in super::super) fn is_month_in(small: &str, languages: &[&str]) -> bool {
    names().get(small).is_some_and(|meanings| meanings.iter().any(|(its, _)| languages.contains(its)))
}

/// Does a word name a month in the language of its page, or in English, which templates speak everywhere? A year beside it
/// makes a month of any name; without one, names of other languages are other words: "10 pro tips", "3 led lights", "4.5 out of 5".
/// English and German months have a capital: "16 may not". Where the language is not known, only names of some length, and English ones,
/// are sure enough. Scripts other than Latin are those of few languages each.
pub(super) fn is_spoken(word: &str, language: Option<&str>) -> bool {
    const WITH_CAPITAL: [&str; 3] = ["en", "de", "lb"];
    const LONG: usize = 5;
    if word.chars().any(|c| c.is_alphabetic() && c >= '\u{370}' && !matches!(c, '\u{1e00}'..='\u{1eff}')) {
        return true;
    }
    let base = language.map(base);
    // Macrolanguages, and tags of one language that CLDR lists under another.
    let base = match base.as_deref() {
        Some("no" | "nn") => Some("nb"),
        Some("sh") => Some("sr"),
        Some("tl") => Some("fil"),
        other => other,
    };
    let has_capital = word.starts_with(char::is_uppercase);
    let folded = fold(word);
    let is_in = |meanings: &Meanings, is_long: bool| {
        meanings.iter().any(|(tag, _)| {
            let tag = tag.split('-').next().unwrap_or_default();
            let is_spoken = match base {
                Some(base) => tag == base || tag == "en",
                None => tag == "en" || is_long,
            };
            is_spoken && (has_capital || !WITH_CAPITAL.contains(&tag))
        })
    };
    let length = folded.chars().count();
    if let Some(meanings) = names().get(folded.as_ref()) {
        return is_in(meanings, length >= LONG);
    }
    // With an ending, only in the page's own language: "Generic" is no Catalan January.
    let ends = folded.char_indices().rev().take(4).map(|(at, _)| &folded[..at]);
    base.is_some_and(|base| base != "en")
        && ends.filter(|stem| stem.chars().count() >= LONG).any(|stem| {
            names().get(stem).is_some_and(|meanings| {
                meanings.iter().any(|(tag, _)| tag.split('-').next() == base) && is_in(meanings, true)
            })
        })
}

fn base(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase()
}

/// Small letters, one form for each letter; the dot that a Turkish capital I leaves behind goes.
fn fold(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return small(word);
    }
    let small: String = word.nfkc().flat_map(char::to_lowercase).filter(|&c| c != '\u{307}').collect();
    // Hebrew puts "in" before the name.
    match small.strip_prefix('ב') {
        Some(rest) if names().contains_key(rest) => rest.to_owned().into(),
        _ => small.into(),
    }
}

fn meaning(meanings: &Meanings, language: Option<&str>) -> u8 {
    let own = language.and_then(|language| meanings.iter().find(|(tag, _)| base(tag) == base(language)));
    own.or(meanings.first()).map_or(1, |(_, month)| *month)
}

/// The month of the Persian solar calendar that a word names; Iranian and Afghan names.
pub(super) fn jalali_month(word: &str) -> Option<u8> {
    const NAMES: [&[&str]; 12] = [
        &["فروردین", "فروردين", "حمل"],
        &["اردیبهشت", "ارديبهشت", "ثور"],
        &["خرداد", "جوزا"],
        &["تیر", "تير", "سرطان"],
        &["مرداد", "امرداد", "اسد"],
        &["شهریور", "شهريور", "سنبله"],
        &["مهر", "میزان"],
        &["آبان", "ابان", "عقرب"],
        &["آذر", "اذر", "قوس"],
        &["دی", "دي", "جدی"],
        &["بهمن", "دلو"],
        &["اسفند", "حوت"],
    ];
    NAMES.iter().position(|names| names.contains(&word)).map(|place| place as u8 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_any_case_with_and_without_accents() {
        assert_eq!(month("Décembre", None), Some(12));
        assert_eq!(month("DECEMBRE", None), Some(12));
        assert_eq!(month("fevrier", None), Some(2));
        assert_eq!(month("EKİM", None), Some(10));
        assert_eq!(month("бер", None), Some(3));
        assert_eq!(month("abenduaren", None), Some(12), "an ending");
        assert_eq!(month("harbour", None), None);
    }

    #[test]
    fn the_language_decides_where_two_disagree() {
        assert_eq!(month("listopad", Some("pl")), Some(11));
        assert_eq!(month("listopada", Some("hr-HR")), Some(10));
        assert_eq!(month("srpnja", None), Some(7));
        assert_eq!(month("srpna", Some("cs")), Some(8));
    }

    #[test]
    fn months_of_other_languages_made_days_of_plain_words() {
        for word in ["out", "pro", "Pro", "led", "api", "set", "lip", "mac", "Generic", "may", "march", "gen"]
        {
            assert!(!is_spoken(word, Some("en")), "{word}");
        }
        assert!(!is_spoken("hier", None) && !is_spoken("out", None) && !is_spoken("mai", Some("de-AT")));
        for (word, language) in [
            ("May", "en"),
            ("Dec", "fr"),
            ("out", "pt-BR"),
            ("décembre", "fr"),
            ("Dezember", "de"),
            ("mai", "no"),
            ("декабря", "ru"),
            ("abenduaren", "eu"),
        ] {
            assert!(is_spoken(word, Some(language)), "{word}");
        }
        assert!(is_spoken("Dec", None) && is_spoken("décembre", None));
    }

    #[test]
    fn every_language_has_twelve_months() {
        let lines: Vec<_> = TABLE.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.len() >= 40);
        for line in lines {
            assert_eq!(line.split('|').count(), 13, "{line}");
            assert!(line.split('|').all(|part| !part.is_empty()), "{line}");
        }
    }
}
