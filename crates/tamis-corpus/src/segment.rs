//! Splits a text into words for full-text search, in any language.
//!
//! Index and query use the same segmentation, and both databases store its output: their own tokenisers disagree with
//! each other and do not support scripts without spaces. Words are folded: NFKD without diacritics, recomposed, in
//! lower case. `Café`, `cafe` and full-width `ｃａｆｅ` are thus one word, as are Arabic letters and their presentation
//! forms.
//!
//! Han, kana, Thai, Lao, Khmer and Burmese are split into overlapping pairs of characters, and the last character of a
//! run. Any substring of two or more characters is then a phrase of pairs, and a single character is a prefix. A
//! dictionary would give a smaller index, but misses unknown words and words that it splits differently in context;
//! `examples/segmenters.rs` measures this.

use std::ops::Range;

use unicode_normalization::char::{compose, decompose_compatible, is_combining_mark};

/// Longest word in bytes; the rest is ignored, both in the index and in queries.
const MAX_WORD_BYTES: usize = 64;

/// An indexed word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment<'s> {
    /// The folded word: letters, digits and marks only.
    pub word: &'s str,
    /// Its byte range in the text.
    pub range: Range<usize>,
    /// Its kind.
    pub kind: SegmentKind,
}

/// The kind of a [`Segment`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SegmentKind {
    /// A word between spaces or punctuation.
    Word,
    /// Two neighbouring characters of a script without spaces.
    Pair,
    /// The last character of a run of such characters.
    Last,
}

/// The words of a text, separated by spaces.
pub fn segment(text: &str) -> String {
    let mut words = String::with_capacity(text.len() + text.len() / 2);
    let mut segments = Segments::new(text);
    while let Some(segment) = segments.next_segment() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(segment.word);
    }
    words
}

/// A lending iterator over the words of a text, which allocates nothing per word.
pub struct Segments<'t> {
    text: &'t str,
    at: usize,
    /// The last unit, to be emitted or to become the first half of a pair.
    current: Unit,
    next: Unit,
    pair: String,
    started: bool,
}

/// A word, or one character of a script without spaces with its marks.
#[derive(Default)]
struct Unit {
    word: String,
    range: Range<usize>,
    unspaced: bool,
}

impl<'t> Segments<'t> {
    /// Starts at the beginning of `text`.
    pub fn new(text: &'t str) -> Segments<'t> {
        Segments {
            text,
            at: 0,
            current: Unit::default(),
            next: Unit::default(),
            pair: String::new(),
            started: false,
        }
    }

    /// The next word.
    pub fn next_segment(&mut self) -> Option<Segment<'_>> {
        if !self.started {
            self.started = true;
            read_unit(self.text, &mut self.at, &mut self.next);
        }
        std::mem::swap(&mut self.current, &mut self.next);
        if self.current.word.is_empty() {
            return None;
        }
        read_unit(self.text, &mut self.at, &mut self.next);
        let (current, next) = (&self.current, &self.next);
        let range = current.range.clone();
        if !current.unspaced {
            return Some(Segment { word: &current.word, range, kind: SegmentKind::Word });
        }
        if !next.unspaced || next.range.start != range.end {
            return Some(Segment { word: &current.word, range, kind: SegmentKind::Last });
        }
        self.pair.clear();
        self.pair.push_str(&current.word);
        self.pair.push_str(&next.word);
        Some(Segment { word: &self.pair, range: range.start..next.range.end, kind: SegmentKind::Pair })
    }
}

/// Reads the unit that starts at or after `at`; an empty one at the end of the text.
fn read_unit(text: &str, at: &mut usize, unit: &mut Unit) {
    unit.word.clear();
    unit.unspaced = false;
    for (offset, character) in text.get(*at..).unwrap_or_default().char_indices() {
        let start = *at + offset;
        let end = start + character.len_utf8();
        if unit.word.is_empty() {
            unit.range = start..end;
        }
        if is_ignorable(character) || (character == ZERO_WIDTH_SPACE && unit.unspaced) {
            unit.range.end = end;
            continue;
        }
        if !is_word_character(character) {
            if unit.word.is_empty() {
                continue;
            }
            *at = start;
            return;
        }
        // A mark belongs to the preceding character of any script.
        let unspaced = is_unspaced(character);
        let begins = !is_combining_mark(character) && !is_voicing_mark(character);
        if !unit.word.is_empty() && begins && (unspaced || unit.unspaced) {
            *at = start;
            return;
        }
        fold(character, &mut unit.word);
        unit.unspaced |= unspaced;
        unit.range.end = end;
    }
    *at = text.len();
}

/// Appends the folded form of a character.
fn fold(character: char, word: &mut String) {
    match character {
        'a'..='z' | '0'..='9' | '\u{4E00}'..='\u{9FFF}' => push(character, word),
        'A'..='Z' => push(character.to_ascii_lowercase(), word),
        _ => decompose_compatible(character, |part| {
            if is_dropped(part) || !is_word_character(part) {
                return;
            }
            for lower in part.to_lowercase() {
                let lower = if lower == 'ς' { 'σ' } else { lower };
                // Recomposes Hangul, kana with voicing marks and Arabic letters with hamza.
                let composed = word.chars().next_back().and_then(|last| Some((last, compose(last, lower)?)));
                match composed {
                    Some((last, both)) => {
                        word.truncate(word.len() - last.len_utf8());
                        push(both, word);
                    }
                    None if is_dropped(lower) => (),
                    None => push(lower, word),
                }
            }
        }),
    }
}

fn push(character: char, word: &mut String) {
    if word.len() + character.len_utf8() <= MAX_WORD_BYTES {
        word.push(character);
    }
}

const ZERO_WIDTH_SPACE: char = '\u{200B}';

fn is_word_character(character: char) -> bool {
    match character {
        '\0'..='\x7F' => character.is_ascii_alphanumeric(),
        _ => character.is_alphanumeric() || is_combining_mark(character) || is_voicing_mark(character),
    }
}

/// Soft hyphens, joiners and variation selectors, which only affect the display of a word.
fn is_ignorable(character: char) -> bool {
    matches!(
        character,
        '\u{AD}' | '\u{200C}' | '\u{200D}' | '\u{2060}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
    )
}

/// Latin, Greek and Cyrillic diacritics; Arabic vowel marks and the tatweel.
fn is_dropped(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36F}' | '\u{640}' | '\u{64B}'..='\u{652}' | '\u{670}')
}

/// Voicing marks of half-width kana, which are separate characters in the category of letters.
fn is_voicing_mark(character: char) -> bool {
    matches!(character, '\u{FF9E}' | '\u{FF9F}')
}

fn is_unspaced(character: char) -> bool {
    matches!(character,
        '\u{0E01}'..='\u{0E4E}'                             // Thai, without digits
        | '\u{0E81}'..='\u{0ECE}' | '\u{0EDC}'..='\u{0EDF}' // Lao
        | '\u{1000}'..='\u{103F}' | '\u{1050}'..='\u{108F}' // Myanmar
        | '\u{A9E0}'..='\u{A9EF}' | '\u{AA60}'..='\u{AA7F}'
        | '\u{1780}'..='\u{17D3}'                           // Khmer
        | '\u{2E80}'..='\u{2FDF}' | '\u{3005}'..='\u{3007}' // Han
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}'
        | '\u{3041}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' // kana
        | '\u{FF66}'..='\u{FF9F}' | '\u{1B000}'..='\u{1B16F}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_folded_and_unspaced_scripts_are_paired() {
        for (text, words) in [
            ("The Harbour-Bridge, 1932!", "the harbour bridge 1932"),
            ("Café CRÈME brûlée", "cafe creme brulee"),
            ("Cafe\u{301}", "cafe"),
            ("ＦＵＬＬ width ２０", "full width 20"),
            ("ΟΔΟΣ οδός", "οδοσ οδοσ"),
            ("İstanbul", "istanbul"),
            ("soft\u{AD}hyphen", "softhyphen"),
            ("한국어 \u{1112}\u{1161}\u{11AB}", "한국어 한"),
            ("हिन्दी भाषा", "हिन्दी भाषा"),
            ("北京大学", "北京 京大 大学 学"),
            ("中", "中"),
            ("iPhone发布会2024年", "iphone 发布 布会 会 2024 年"),
            ("東京タワー", "東京 京タ タワ ワー ー"),
            ("ｶﾞｽ ガス カ\u{3099}ス", "ガス ス ガス ス ガス ス"),
            ("ที่นี่", "ที่นี่ นี่"),
            ("ក\u{200B}ខ", "កខ ខ"),
            // Uyghur yeh-hamza with alef, as one presentation form, decomposed, and composed.
            ("\u{FBEA} \u{64A}\u{654}\u{627} \u{626}\u{627}", "\u{626}\u{627} \u{626}\u{627} \u{626}\u{627}"),
            ("مُحَمَّد محـــمد", "محمد محمد"),
            ("", ""),
            ("… \u{301} !", ""),
        ] {
            assert_eq!(segment(text), words, "{text}");
        }
    }

    #[test]
    fn long_words_are_cut_to_the_same_word() {
        assert_eq!(segment(&"x".repeat(500)), "x".repeat(MAX_WORD_BYTES));
        assert_eq!(segment(&"é".repeat(500)), "e".repeat(MAX_WORD_BYTES));
    }

    #[test]
    fn arabic_presentation_forms_are_the_letters_they_stand_for() {
        for form in ('\u{FB50}'..='\u{FDFF}').chain('\u{FE70}'..='\u{FEFC}') {
            // Ligatures of several words count as one word.
            let text = format!("ب{form}ب");
            let prepared = tamis::text::arabic::fold(&text, false).replace(' ', "");
            if form.is_alphanumeric() || is_combining_mark(form) {
                assert_eq!(segment(&text), segment(&prepared), "{form:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn segments_lie_in_order_on_character_boundaries(text in "\\PC{0,40}|[a-zé中日本ไทยที่\u{301}\u{200B} ]{0,40}") {
            let mut segments = Segments::new(&text);
            let mut start = 0;
            while let Some(segment) = segments.next_segment() {
                prop_assert!(segment.range.start >= start && text.get(segment.range.clone()).is_some());
                prop_assert!(!segment.word.is_empty() && segment.word.len() <= 2 * MAX_WORD_BYTES);
                prop_assert!(segment.word.chars().all(is_word_character), "{:?}", segment.word);
                start = segment.range.start;
            }
        }
    }
}
