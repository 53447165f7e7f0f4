//! What a character is to the methods: white space, part of a word, a word by itself, punctuation.
//!
//! Every method counts characters, and each paper counts them a little differently. The classes are decided here,
//! once, so that a count means the same everywhere.

use std::borrow::Cow;
use std::sync::OnceLock;

/// The class of a character.
///
/// ```
/// use tamis::characters::{Class, class};
///
/// assert_eq!(class('字'), Class::WholeWord);
/// assert_eq!(class('ئ'), Class::PartOfWord);
/// assert_eq!(class('，'), Class::Punctuation);
/// assert_eq!(class('\u{3000}'), Class::Space);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// White space of any kind, no-break spaces included, and characters that show nothing.
    Space,
    /// A letter, digit or mark: neighbours of this class are one word.
    PartOfWord,
    /// A word by itself: Han, Kana, Thai.
    WholeWord,
    /// Punctuation of prose: full stops, commas, brackets, quotation marks of every script.
    Punctuation,
    /// Anything else: symbols, dashes and bars that stand between links more than between words.
    Other,
}

/// The class of a character.
///
/// ```
/// use tamis::characters::{Class, class};
///
/// assert_eq!(class('a'), Class::PartOfWord);
/// assert_eq!(class('|'), Class::Other);
/// ```
#[inline]
pub fn class(character: char) -> Class {
    if character.is_ascii() { ASCII[character as usize] } else { kind(character).class }
}

/// What the tables know of a character.
#[derive(Clone, Copy)]
struct Kind {
    class: Class,
    /// What else is so, a bit each.
    bits: u8,
}

/// Han is many tables, and all of it is alike: letters that are neither numbers nor have small forms.
const HAN: Kind = Kind { class: Class::WholeWord, bits: Kind::LETTER };

/// Is it one of those? They are all that a text in Chinese asks for, so they are told without a table.
#[inline(always)]
fn is_han(character: char) -> bool {
    matches!(character as u32, 0x3400..=0x4DBF | 0x4E00..=0x9FFF)
}

/// Does one of Han stand here, most of which is known by its first bytes? From U+4E00 on; all of it is three bytes long.
#[inline(always)]
pub(crate) fn is_han_at(bytes: &[u8], at: usize) -> bool {
    matches!(bytes[at], 0xE5..=0xE9) || (bytes[at] == 0xE4 && bytes.get(at + 1) >= Some(&0xB8))
}

impl Kind {
    const NUMBER: u8 = 1;
    const LETTER: u8 = 2;
    const CAPITAL: u8 = 4;
    /// It is another one in small letters.
    const HAS_SMALL: u8 = 8;

    fn of(character: char) -> Kind {
        let bit = |bit: u8, is_so: bool| if is_so { bit } else { 0 };
        let bits = bit(Kind::NUMBER, character.is_numeric())
            | bit(Kind::LETTER, character.is_alphabetic())
            | bit(Kind::CAPITAL, character.is_uppercase())
            | bit(Kind::HAS_SMALL, !character.to_lowercase().eq([character]));
        Kind { class: class_beyond_ascii(character), bits }
    }

    #[inline]
    fn is(self, bits: u8) -> bool {
        self.bits & bits != 0
    }
}

/// Characters that share all but their last eight bits.
type Neighbours = [Kind; 256];

/// The first plane. Asking what a letter is takes hundreds of instructions in some scripts, and texts ask it of every letter
/// several times; so neighbours are asked once, when the first of them is seen.
static TABLES: [OnceLock<Box<Neighbours>>; 256] = [const { OnceLock::new() }; 256];

fn kind(character: char) -> Kind {
    if is_han(character) {
        return HAN;
    }
    let number = character as u32;
    let Some(table) = TABLES.get((number >> 8) as usize) else { return Kind::of(character) };
    let first = number & !0xFF;
    // Halves of surrogate pairs are no characters, and are never asked for.
    let of =
        |last: usize| Kind::of(char::from_u32(first | last as u32).unwrap_or(char::REPLACEMENT_CHARACTER));
    table.get_or_init(|| Box::new(std::array::from_fn(of)))[(number & 0xFF) as usize]
}

/// A text with one space wherever white space stands, and none at its ends.
pub(crate) fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

/// Is it a letter, as Unicode says?
#[inline]
pub(crate) fn is_letter(character: char) -> bool {
    if character.is_ascii() { character.is_ascii_alphabetic() } else { kind(character).is(Kind::LETTER) }
}

/// Is it a letter or a number, as Unicode says?
#[inline]
pub(crate) fn is_letter_or_number(character: char) -> bool {
    if character.is_ascii() {
        character.is_ascii_alphanumeric()
    } else {
        kind(character).is(Kind::LETTER | Kind::NUMBER)
    }
}

/// As [`char::is_uppercase`].
#[inline]
pub(crate) fn is_capital(character: char) -> bool {
    if character.is_ascii() { character.is_ascii_uppercase() } else { kind(character).is(Kind::CAPITAL) }
}

/// As [`char::is_numeric`].
#[inline]
pub(crate) fn is_number(character: char) -> bool {
    if character.is_ascii() { character.is_ascii_digit() } else { kind(character).is(Kind::NUMBER) }
}

/// Is a character another one in small letters?
#[inline]
pub(crate) fn has_small(character: char) -> bool {
    if character.is_ascii() { character.is_ascii_uppercase() } else { kind(character).is(Kind::HAS_SMALL) }
}

/// A text in small letters, as [`str::to_lowercase`] has it; the text itself where it has no others, which most words are.
#[inline]
pub(crate) fn small(text: &str) -> Cow<'_, str> {
    // Without a way out, which the compiler turns into vector code.
    let is_small = text.bytes().fold(true, |all, byte| all & byte.is_ascii() & !byte.is_ascii_uppercase());
    if is_small {
        return Cow::Borrowed(text);
    }
    // A capital sigma becomes one of two letters, by where it stands.
    if text.is_ascii() || text.contains('Σ') {
        return Cow::Owned(text.to_lowercase());
    }
    let mut small = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() {
            small.push(character.to_ascii_lowercase());
        } else if has_small(character) {
            small.extend(character.to_lowercase());
        } else {
            small.push(character);
        }
    }
    Cow::Owned(small)
}

static ASCII: [Class; 128] = {
    let mut table = [Class::Other; 128];
    let mut i = 0;
    while i < 128 {
        let byte = i as u8;
        table[i] = match byte {
            b'\t' | b'\n' | b'\r' | 0x0B | 0x0C | b' ' => Class::Space,
            b'!' | b'"' | b'%' | b'\'' | b'(' | b')' | b',' | b'.' | b':' | b';' | b'?' | b'[' | b']'
            | b'{' | b'}' => Class::Punctuation,
            _ if byte.is_ascii_alphanumeric() => Class::PartOfWord,
            _ => Class::Other,
        };
        i += 1;
    }
    table
};

fn class_beyond_ascii(character: char) -> Class {
    match character as u32 {
        // Han and its iteration marks, Kana, Thai: no spaces between words, so every character counts as one.
        0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_23AF | 0x3005 | 0x3007 => {
            Class::WholeWord
        }
        0x3041..=0x3096 | 0x309D..=0x309F | 0x30A1..=0x30FA | 0x30FC..=0x30FF | 0x31F0..=0x31FF => {
            Class::WholeWord
        }
        0xFF66..=0xFF9D => Class::WholeWord,
        0x0E01..=0x0E3A | 0x0E40..=0x0E4E | 0x0E50..=0x0E59 => Class::WholeWord,
        // Shows nothing: joiners, direction marks, soft hyphen, byte order mark, variation selectors.
        0x00AD | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x2069 | 0xFEFF | 0xFE00..=0xFE0F => {
            Class::Space
        }
        // Punctuation of prose, by script. Dashes and middle dots are left out: they part links as often as words.
        0x00A1 | 0x00AB | 0x00BF => Class::Punctuation,
        0x055A..=0x055F | 0x0589 | 0x05BE | 0x05C0 | 0x05C3 | 0x05F3 | 0x05F4 => Class::Punctuation,
        0x060C | 0x060D | 0x061B | 0x061E | 0x061F | 0x066A..=0x066D | 0x06D4 => Class::Punctuation,
        0x0964 | 0x0965 | 0x0E5A | 0x0E5B | 0x0F0D..=0x0F12 | 0x104A..=0x104F | 0x1361..=0x1368 => {
            Class::Punctuation
        }
        0x17D4..=0x17D6 | 0x1802 | 0x1803 | 0x1808 | 0x1809 => Class::Punctuation,
        0x2018..=0x201F | 0x2026 | 0x2030..=0x203A | 0x203C | 0x203D | 0x2045..=0x2049 => Class::Punctuation,
        0x3001..=0x3003 | 0x3008..=0x3011 | 0x3014..=0x301F => Class::Punctuation,
        0xFE30 | 0xFE33..=0xFE44 | 0xFE50..=0xFE57 | 0xFE59..=0xFE5E => Class::Punctuation,
        0xFF01
        | 0xFF02
        | 0xFF05
        | 0xFF07..=0xFF09
        | 0xFF0C
        | 0xFF0E
        | 0xFF1A
        | 0xFF1B
        | 0xFF1F
        | 0xFF3B
        | 0xFF3D => Class::Punctuation,
        0xFF5B | 0xFF5D | 0xFF5F..=0xFF65 => Class::Punctuation,
        _ if character.is_whitespace() => Class::Space,
        _ if character.is_alphanumeric() || is_mark(character) => Class::PartOfWord,
        _ => Class::Other,
    }
}

/// Marks that belong to the letter before them and that `char::is_alphanumeric` does not count.
fn is_mark(character: char) -> bool {
    matches!(character as u32, 0x0300..=0x036F | 0x0591..=0x05C7 | 0x0610..=0x061A | 0x064B..=0x065F | 0x0670
        | 0x06D6..=0x06DC | 0x06DF..=0x06E8 | 0x06EA..=0x06ED | 0x0900..=0x0DFF | 0x0EB1..=0x0ECD | 0x0F18..=0x0F87
        | 0x102B..=0x103E | 0x17B4..=0x17D3 | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xA8E0..=0xA8F1)
}

/// Counts of a text: what the methods ask of every element and block.
///
/// ```
/// use tamis::characters::{Counts, count};
///
/// let mut counts = count("One, two.");
/// counts += count("三。");
/// assert_eq!(counts, Counts { characters: 10, words: 3, punctuation: 3 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Characters, white space left out.
    pub characters: u32,
    /// Words: every Han, Kana and Thai character is one, elsewhere runs of letters and digits.
    pub words: u32,
    /// Punctuation marks of prose.
    pub punctuation: u32,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.characters += other.characters;
        self.words += other.words;
        self.punctuation += other.punctuation;
    }
}

/// Counts a text.
///
/// ```
/// let counts = tamis::characters::count("Hello, world! 你好。");
/// assert_eq!((counts.characters, counts.words, counts.punctuation), (15, 4, 3));
/// ```
pub fn count(text: &str) -> Counts {
    if text.is_ascii() {
        return count_ascii(text.as_bytes());
    }
    let bytes = text.as_bytes();
    let mut counts = Counts::default();
    let (mut at, mut in_word) = (0, 0);
    while at < bytes.len() {
        // So much at a time that no sum reaches the next one.
        let end = bytes.len().min(at + MOST_COUNTED);
        let mut sums = 0;
        while at < end {
            let byte = bytes[at];
            if byte.is_ascii() {
                let counted = COUNTED[usize::from(byte) | in_word];
                in_word = (counted & IN_WORD) as usize;
                sums += counted;
                at += 1;
                continue;
            }
            if is_han_at(bytes, at) {
                sums += 1 << CHARACTERS | 1 << WORDS;
                in_word = 0;
                at += 3;
                continue;
            }
            let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) else { return counts };
            at += character.len_utf8();
            let goes_on = match kind(character).class {
                Class::Space => false,
                Class::PartOfWord => {
                    sums += 1 << CHARACTERS | u64::from(in_word == 0) << WORDS;
                    true
                }
                Class::WholeWord => {
                    sums += 1 << CHARACTERS | 1 << WORDS;
                    false
                }
                Class::Punctuation => {
                    sums += 1 << CHARACTERS | 1 << PUNCTUATION;
                    // An apostrophe does not end a word.
                    in_word != 0 && character == '\u{2019}'
                }
                Class::Other => {
                    sums += 1 << CHARACTERS;
                    false
                }
            };
            in_word = usize::from(goes_on) * IN_WORD as usize;
        }
        counts += Counts::summed(sums);
    }
    counts
}

/// As [`count`], with one look into a table a character and no branch.
fn count_ascii(text: &[u8]) -> Counts {
    let mut counts = Counts::default();
    let mut in_word = 0;
    // So much at a time that no sum reaches the next one.
    for part in text.chunks(MOST_COUNTED) {
        let mut sums = 0;
        for &byte in part {
            let counted = COUNTED[usize::from(byte & 0x7F) | in_word];
            in_word = (counted & IN_WORD) as usize;
            sums += counted;
        }
        counts += Counts::summed(sums);
    }
    counts
}

impl Counts {
    /// From the sums of [`COUNTED`].
    fn summed(sums: u64) -> Counts {
        Counts {
            characters: (sums >> CHARACTERS) as u32 & SUM,
            words: (sums >> WORDS) as u32 & SUM,
            punctuation: (sums >> PUNCTUATION) as u32 & SUM,
        }
    }
}

/// Where the sums stand of what is counted in one number. The lowest bits say whether a word goes on; they are summed up as
/// well, and have room for that.
const CHARACTERS: u32 = 24;
const PUNCTUATION: u32 = 37;
const WORDS: u32 = 50;
const SUM: u32 = (1 << 13) - 1;
const IN_WORD: u64 = 128;
/// Less than a sum can hold, and times [`IN_WORD`] less than the lowest bits can.
const MOST_COUNTED: usize = 1 << 12;

/// What a character of ASCII adds to the sums and whether a word goes on behind it: first for what stands outside of words,
/// then for what follows on one.
static COUNTED: [u64; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let (byte, in_word) = ((i & 0x7F) as u8, i as u64 & IN_WORD);
        table[i] = match ASCII[byte as usize] {
            Class::Space => 0,
            Class::PartOfWord => {
                let begins = if in_word == 0 { 1 } else { 0 };
                1 << CHARACTERS | begins << WORDS | IN_WORD
            }
            Class::Punctuation => {
                // An apostrophe does not end a word.
                let goes_on = if byte == b'\'' { in_word } else { 0 };
                1 << CHARACTERS | 1 << PUNCTUATION | goes_on
            }
            _ => 1 << CHARACTERS,
        };
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_letters_are_those_of_the_library() {
        for text in ["rain", "Rain", "ÜBER ALLES", "ΔΕΚΕΜΒΡΙΟΣ ΣΑΣ", "İstanbul", "ДОЩ", "港口 News", "ǅ", ""]
        {
            assert_eq!(small(text), text.to_lowercase(), "{text}");
        }
        let all: String = ('\0'..=char::MAX).filter(|c| *c != 'Σ').collect();
        assert!(small(&all) == all.to_lowercase());
    }

    #[test]
    fn the_tables_say_what_characters_say() {
        for character in '\u{80}'..=char::MAX {
            assert_eq!(is_number(character), character.is_numeric(), "{character:?}");
            assert_eq!(is_letter(character), character.is_alphabetic(), "{character:?}");
            assert_eq!(is_capital(character), character.is_uppercase(), "{character:?}");
            assert_eq!(is_letter_or_number(character), character.is_alphanumeric(), "{character:?}");
            assert_eq!(has_small(character), !character.to_lowercase().eq([character]), "{character:?}");
            assert_eq!(class(character), class_beyond_ascii(character), "{character:?}");
        }
    }

    #[test]
    fn bytes_are_counted_as_characters_are() {
        let plainly = |text: &str| {
            let (mut counts, mut in_word) = (Counts::default(), false);
            for character in text.chars() {
                let class = class(character);
                counts.characters += u32::from(class != Class::Space);
                counts.punctuation += u32::from(class == Class::Punctuation);
                let is_word = matches!(class, Class::PartOfWord | Class::WholeWord);
                counts.words += u32::from(is_word && !(in_word && class == Class::PartOfWord));
                in_word = class == Class::PartOfWord || (in_word && matches!(character, '\'' | '\u{2019}'));
            }
            counts
        };
        for first in ('\u{80}'..=char::MAX).step_by(3).chain('\u{3300}'..'\u{A100}') {
            let text = format!("a{first}b {first}\u{2019}{first}'c");
            assert_eq!(count(&text), plainly(&text), "{text:?}");
        }
        let long = "ئۇيغۇر’s 北京 l'été, “x”".repeat(900);
        assert_eq!(count(&long), plainly(&long));
    }

    #[test]
    fn long_texts_are_counted_as_short_ones() {
        let counts = count("Don't stop, 'it' said. - ");
        let many = count(&"Don't stop, 'it' said. - ".repeat(1000));
        let times = |number: u32| number * 1000;
        assert_eq!(many.characters, times(counts.characters));
        assert_eq!((many.words, many.punctuation), (times(counts.words), times(counts.punctuation)));
    }

    #[test]
    fn words_are_counted_in_every_script() {
        for (text, words) in [
            ("one two  three", 3),
            ("don't stop", 2),
            ("2010年12月15日", 6),
            ("ئۇيغۇر تىلى", 2),
            ("สวัสดี", 6),
            ("カタカナ", 4),
            ("한국어 문장", 2),
            ("हिन्दी भाषा", 2),
            ("", 0),
            (" — | » ", 0),
        ] {
            assert_eq!(count(text).words, words, "{text}");
        }
    }

    #[test]
    fn tables_hold_what_rules_say() {
        for character in ('\u{80}'..=char::MAX).step_by(7) {
            assert_eq!(class(character), class_beyond_ascii(character), "U+{:04X}", character as u32);
            assert_eq!(is_number(character), character.is_numeric(), "U+{:04X}", character as u32);
            assert_eq!(
                has_small(character),
                !character.to_lowercase().eq([character]),
                "U+{:04X}",
                character as u32
            );
        }
    }

    #[test]
    fn ascii_is_counted_as_other_texts_are() {
        let all: String = (0..=127_u8).map(char::from).collect();
        for text in [all.as_str(), "don't 'stop' it''s 1st", "'a' b'", "\u{1}x\u{7F}"] {
            // The last character, beyond ASCII, is one character and nothing else.
            let mut counts = count(text);
            counts.characters += 1;
            assert_eq!(counts, count(&format!("{text}\u{2014}")), "{text:?}");
        }
    }

    #[test]
    fn what_parts_links_is_no_punctuation_of_prose() {
        assert_eq!(count("Home | News / Sport » A - B · C _ # & @ * \\").punctuation, 0);
        assert_eq!(count("，。！？、；：“”（）《》").punctuation, 13);
        assert_eq!(count("، ؛ ؟").punctuation, 3);
    }
}
