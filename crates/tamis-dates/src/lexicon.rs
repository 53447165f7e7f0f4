//! The words of `data/*.tsv` and what they mean, in one table.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::locale::Locale;
use crate::tokens::{is_letter, is_unspaced, split_phrase};

const MONTHS: &str = include_str!("../data/months.tsv");
const TABLES: [&str; 2] = [include_str!("../data/words.tsv"), include_str!("../data/relative.tsv")];

/// Longer words, in bytes after folding, are not in the table.
const MAX_WORD: usize = 64;

/// Defines the roles with their names in the tables.
macro_rules! roles {
    ($($role:ident $name:literal),* $(,)?) => {
        /// The role of a word in a date; the data files explain each.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Role { $($role),* }

        fn role(name: &str) -> Option<Role> {
            match name {
                $($name => Some(Role::$role),)*
                _ => None,
            }
        }
    };
}

roles! {
    Month "month", JalaliMonth "jalali-month", MonthPrefix "month-prefix", Era "era", Weekday "weekday",
    YearUnit "year-unit", MonthUnit "month-unit", DayUnit "day-unit",
    DayLink "day-link", MonthLink "month-link", YearLink "year-link",
    Half "half", HourMark "hour-mark", MinuteMark "minute-mark", SecondMark "second-mark", Zone "zone",
    At "at", ClockLabel "clock-label", DottedClockBefore "dotted-clock-before",
    DottedClockAfter "dotted-clock-after", DottedDayBefore "dotted-day-before", Version "version",
    Unit "unit", OneUnit "one-unit", TwoUnits "two-units", SpanAgo "span-ago", Count "count",
    RelativeDay "relative-day", Now "now", AgoBefore "ago-before", AgoAfter "ago-after",
    About "about", And "and", CountLink "count-link", None "none",
}

impl Role {
    pub(crate) const fn bit(self) -> u64 {
        1 << self as u64
    }
}

/// The bits of several roles.
pub(crate) fn bits(roles: &[Role]) -> u64 {
    roles.iter().fold(0, |bits, role| bits | role.bit())
}

/// The words that a search looks up; each level has fewer than the previous one.
#[derive(Clone, Copy)]
pub(crate) struct Filter(usize);

impl Filter {
    pub(crate) const ALL: Filter = Filter(0);
    /// Words that are a date, alone or with a number nearby.
    pub(crate) const DATE: Filter = Filter(1);
    /// Words that need no number.
    pub(crate) const RELATIVE: Filter = Filter(2);

    /// The last filter that accepts a role.
    fn last(role: Role) -> Filter {
        use Role::*;
        match role {
            Now | RelativeDay | SpanAgo | AgoBefore | AgoAfter => Filter::RELATIVE,
            Month | JalaliMonth | MonthPrefix | YearUnit | MonthUnit | Era => Filter::DATE,
            _ => Filter::ALL,
        }
    }
}

/// One meaning of a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sense {
    pub(crate) role: Role,
    pub(crate) value: i32,
    /// Tags separated by spaces, or `*`.
    pub(crate) languages: &'static str,
}

impl Sense {
    pub(crate) fn is_in(&self, language: &str) -> bool {
        self.languages.split(' ').any(|it| it.eq_ignore_ascii_case(language))
    }
}

/// The meanings of a word, and the length in tokens of the longest phrase that starts with it.
#[derive(Default, Debug)]
pub(crate) struct Entry {
    pub(crate) senses: Vec<Sense>,
    pub(crate) roles: u64,
    pub(crate) phrase_tokens: u8,
}

impl Entry {
    pub(crate) fn senses(&self, role: Role) -> impl Iterator<Item = &Sense> {
        self.senses.iter().filter(move |it| it.role == role)
    }

    /// The value in the language of the text, or the one for all languages.
    pub(crate) fn value(&self, role: Role, locale: &Locale<'_>) -> Option<i32> {
        let own = |it: &&Sense| locale.language.is_some_and(|language| it.is_in(language));
        let found = self.senses(role).find(own).or_else(|| self.senses(role).find(|it| it.languages == "*"));
        found.map(|it| it.value)
    }

    /// Like [`value`](Self::value), but falls back to the first language.
    pub(crate) fn any_value(&self, role: Role, locale: &Locale<'_>) -> Option<i32> {
        self.value(role, locale).or_else(|| self.senses(role).next().map(|it| it.value))
    }
}

/// A fast hash: the words of the table are ours, so no text can make them collide.
#[derive(Default)]
struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let word = chunk.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
            self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
    }

    fn write_u8(&mut self, _: u8) {}

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }
}

/// Number of bits in the hash of a word's beginning.
const SLOT_BITS: u32 = 15;
const SLOTS: usize = 1 << SLOT_BITS;

pub(crate) struct Lexicon {
    entries: HashMap<Cow<'static, str>, Entry, BuildHasherDefault<WordHasher>>,
    numerals: Vec<(char, u32)>,
    /// The last bytes of the numerals, a bit each.
    numeral_bits: [u64; 4],
    /// Filters by prefix of a word: rejects most words without folding and hashing them.
    slots: [Box<[u64; SLOTS / 64]>; 3],
    /// The longest word of a script without spaces, in bytes.
    longest: usize,
}

pub(crate) static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::load);

impl Lexicon {
    fn load() -> Lexicon {
        let mut lexicon = Lexicon {
            entries: HashMap::with_capacity_and_hasher(4_000, BuildHasherDefault::default()),
            numerals: Vec::new(),
            numeral_bits: [0; 4],
            slots: std::array::from_fn(|_| Box::new([0; SLOTS / 64])),
            longest: 0,
        };
        for line in MONTHS.lines().filter(|line| !line.starts_with('#')) {
            let mut columns = line.split('\t');
            let languages = columns.next().and_then(|tag| tag.split('-').next()).unwrap_or("*");
            for (names, value) in columns.zip(1..) {
                lexicon.add(Sense { role: Role::Month, value, languages }, names);
            }
        }
        for line in TABLES.iter().flat_map(|table| table.lines()).filter(|line| !line.starts_with('#')) {
            let mut columns = line.split('\t');
            let mut next = || columns.next().unwrap_or_default();
            let (name, value, languages, words) = (next(), next().parse().unwrap_or(0), next(), next());
            if let Some(role) = role(name) {
                lexicon.add(Sense { role, value, languages }, words);
            } else {
                for character in words.split(',').filter_map(|word| word.chars().next()) {
                    lexicon.numerals.push((character, value as u32));
                    let byte = character as usize & 255;
                    lexicon.numeral_bits[byte / 64] |= 1 << (byte % 64);
                }
            }
        }
        lexicon
    }

    fn add(&mut self, sense: Sense, words: &'static str) {
        for word in words.split(',') {
            self.add_word(sense, Cow::Borrowed(word));
            if !word.is_ascii()
                && word.chars().all(|c| matches!(c, ' '..='\u{3ff}' | '\u{1e00}'..='\u{1fff}'))
            {
                let bare: String = word.nfd().filter(|c| !is_combining_mark(*c)).collect();
                // Shortened further, words would coincide with others.
                if bare != word && bare.chars().count() > 2 {
                    self.add_word(sense, Cow::Owned(bare));
                }
            }
        }
    }

    /// Adds a word of the tables, folded.
    fn add_word(&mut self, sense: Sense, word: Cow<'static, str>) {
        let is_phrase = word.bytes().any(|byte| byte.is_ascii() && !byte.is_ascii_alphabetic());
        let mut key = word;
        if is_phrase {
            let tokens = split_phrase(&key);
            let first = self.entries.entry(Cow::Owned(tokens[0].to_owned())).or_default();
            first.phrase_tokens = first.phrase_tokens.max(tokens.len() as u8);
            key = Cow::Owned(tokens.join(" "));
        }
        let slot = slot(&key);
        for filter in 0..=Filter::last(sense.role).0 {
            self.slots[filter][slot / 64] |= 1 << (slot % 64);
        }
        if is_unspaced(key.chars().next().unwrap_or_default()) {
            self.longest = self.longest.max(key.len());
        }
        let entry = self.entries.entry(key).or_default();
        entry.senses.push(sense);
        entry.roles |= sense.role.bit();
    }

    /// The value of a Chinese numeral.
    pub(crate) fn numeral(&self, character: char) -> Option<u32> {
        let byte = character as usize & 255;
        if character < '\u{25cb}' || self.numeral_bits[byte / 64] & 1 << (byte % 64) == 0 {
            return None;
        }
        self.numerals.iter().find(|(it, _)| *it == character).map(|(_, value)| *value)
    }

    fn has_slot(&self, slot: usize, filter: Filter) -> bool {
        self.slots[filter.0][slot / 64] & 1 << (slot % 64) != 0
    }

    fn passes(&self, word: &str, filter: Filter) -> bool {
        // Full-width letters and presentation forms are folded first.
        self.has_slot(slot(word), filter) || word.as_bytes().first() == Some(&0xEF)
    }

    /// Whether a text starts like words of [`Filter::DATE`] and of [`Filter::RELATIVE`].
    pub(crate) fn beginning(&self, text: &str) -> (bool, bool) {
        let (slot, is_wide) = (slot(text), text.as_bytes().first() == Some(&0xEF));
        (is_wide || self.has_slot(slot, Filter::DATE), is_wide || self.has_slot(slot, Filter::RELATIVE))
    }

    /// The entry of a word; the second value is true for a month with an ending that is not in the table.
    pub(crate) fn find(&self, word: &str, filter: Filter) -> Option<(&Entry, bool)> {
        // The shortest stem of a name with an ending has five characters, an ending at most four.
        const MIN_STEM: usize = 5;
        const MAX_ENDING: usize = 4;
        if word.len() > MAX_WORD || !self.passes(word, filter) {
            return None;
        }
        let folded = Folded::of(word)?;
        let folded = folded.as_str()?;
        if let Some(entry) = self.entries.get(folded) {
            return Some((entry, false));
        }
        let ends = folded.char_indices().rev().take(MAX_ENDING).map(|(at, _)| &folded[..at]);
        for stem in ends.take_while(|stem| stem.len() >= MIN_STEM) {
            if let Some(entry) = self.entries.get(stem)
                && entry.roles & Role::Month.bit() != 0
                && stem.chars().count() >= MIN_STEM
            {
                return Some((entry, true));
            }
        }
        None
    }

    /// The entry of a phrase.
    pub(crate) fn find_folded(&self, phrase: &Folded) -> Option<&Entry> {
        self.entries.get(phrase.as_str()?)
    }

    /// The longest word at the start of a text without spaces, and its length in bytes.
    pub(crate) fn longest(&self, text: &str, filter: Filter) -> Option<(&Entry, usize)> {
        if !self.passes(text, filter) {
            return None;
        }
        let most = self.longest.min(text.len());
        (1..=most).rev().filter(|&end| text.is_char_boundary(end)).find_map(|end| {
            let entry = self.entries.get(&text[..end])?;
            (!entry.senses.is_empty()).then_some((entry, end))
        })
    }
}

/// A case-insensitive hash of the prefix of a word: four ASCII letters, or fewer and one other, or two others; one in
/// scripts without spaces.
fn slot(word: &str) -> usize {
    if let Some(first) = word.chars().next().filter(|first| !first.is_ascii() && is_unspaced(*first)) {
        return slot_of(u32::from(first));
    }
    let letters = word.bytes().take(4).take_while(u8::is_ascii_alphabetic);
    let (count, key) = letters.fold((0, 0), |(count, key), it| (count + 1, key << 8 | u32::from(it | 0x20)));
    if count == 4 || (count > 0 && word.as_bytes().get(count).is_none_or(u8::is_ascii)) {
        return slot_of(key);
    }
    let mut letters = word.chars().map(lowercase).take(4);
    let first = letters.next().unwrap_or_default();
    let mut key = u32::from(first);
    for letter in letters {
        if letter.is_ascii_lowercase() && first.is_ascii() {
            key = key << 8 | u32::from(letter);
            continue;
        }
        if !letter.is_ascii() && is_letter(letter) {
            key ^= u32::from(letter) << 12;
        }
        break;
    }
    slot_of(key)
}

fn slot_of(key: u32) -> usize {
    (key.wrapping_mul(0x9E37_79B1) >> (32 - SLOT_BITS)) as usize
}

fn lowercase(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    // Most scripts have no case.
    let is_cased = matches!(character, ..'\u{590}' | '\u{10a0}'..='\u{10ff}' | '\u{1e00}'..='\u{1fff}');
    if is_cased { character.to_lowercase().next().unwrap_or(character) } else { character }
}

/// Whether folding changes nothing but perhaps the case of ASCII, for the letters of common scripts without marks.
fn is_folded(character: char) -> bool {
    matches!(character, '\0'..='\x7f' | '\u{430}'..='\u{44f}' | '\u{5d0}'..='\u{5ea}' | '\u{621}'..='\u{63a}'
        | '\u{641}'..='\u{64a}' | '\u{679}'..='\u{6bf}' | '\u{e01}'..='\u{e2f}' | '\u{4e00}'..='\u{9fff}')
}

/// Folded words with spaces between, on the stack.
pub(crate) struct Folded {
    bytes: [u8; MAX_WORD],
    length: usize,
}

impl Folded {
    pub(crate) fn new() -> Folded {
        Folded { bytes: [0; MAX_WORD], length: 0 }
    }

    pub(crate) fn of(word: &str) -> Option<Folded> {
        let mut folded = Folded::new();
        folded.push(word);
        folded.as_str().is_some().then_some(folded)
    }

    /// Appends a word; texts that are too long are never found.
    pub(crate) fn push(&mut self, word: &str) {
        if self.length > 0 {
            self.push_character(' ');
        }
        let end = self.length.saturating_add(word.len());
        let is_folded = word.is_ascii() || word.chars().all(is_folded);
        if let (true, Some(place)) = (is_folded, self.bytes.get_mut(self.length..end)) {
            place.copy_from_slice(word.as_bytes());
            place.make_ascii_lowercase();
            self.length = end;
        } else {
            // The lower case of a Turkish capital I has a combining dot.
            let lower = word.nfkc().flat_map(char::to_lowercase).filter(|it| *it != '\u{307}');
            lower.for_each(|it| self.push_character(it));
        }
    }

    fn push_character(&mut self, character: char) {
        let end = self.length.saturating_add(character.len_utf8());
        match self.bytes.get_mut(self.length..end) {
            Some(place) => {
                character.encode_utf8(place);
                self.length = end;
            }
            None => self.length = usize::MAX,
        }
    }

    fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(self.bytes.get(..self.length)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn month(word: &str, language: Option<&str>) -> Option<i32> {
        let (entry, _) = LEXICON.find(word, Filter::ALL)?;
        entry.any_value(Role::Month, &Locale::of(language))
    }

    #[test]
    fn names_in_any_case_with_and_without_accents() {
        let table =
            "12 Décembre|12 DECEMBRE|2 fevrier|10 EKİM|3 бер|12 ДЕКАБРЯ|12 ΔΕΚΕΜΒΡΙΟΥ|12 abenduaren|5 ｍａｙ";
        for (value, word) in table.split('|').filter_map(|row| row.split_once(' ')) {
            assert_eq!(month(word, None), value.parse().ok(), "{word}");
        }
        assert_eq!(month("harbour", None), None);
        assert_eq!(month(&"x".repeat(500), None), None);
    }

    #[test]
    fn the_language_decides_where_two_disagree() {
        assert_eq!(month("listopad", Some("pl")), Some(11));
        assert_eq!(month("listopada", Some("hr-HR")), Some(10));
        assert_eq!(month("srpnja", None), Some(7));
        assert_eq!(month("srpna", Some("cs")), Some(8));
    }

    #[test]
    fn the_tables_are_sound() {
        for key in LEXICON.entries.keys() {
            let mut folded = Folded::new();
            key.split(' ').for_each(|word| folded.push(word));
            assert_eq!(folded.as_str(), Some(key.as_ref()));
        }
        let lines: Vec<_> = MONTHS.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.len() >= 76, "{}", lines.len());
        for line in lines {
            assert_eq!(line.split('\t').filter(|column| !column.is_empty()).count(), 13, "{line}");
        }
        for line in TABLES.iter().flat_map(|table| table.lines()).filter(|line| !line.starts_with('#')) {
            let columns: Vec<_> = line.split('\t').collect();
            assert!(role(columns[0]).is_some() || columns[0] == "numeral", "{line}");
            assert!(columns.len() == 4 && columns[1].parse::<i32>().is_ok(), "{line}");
            assert!(columns[3].split(',').all(|word| !word.is_empty() && word.trim() == word), "{line}");
        }
    }
}
