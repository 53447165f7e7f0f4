//! Character classes and per-text character counts.

use std::borrow::Cow;

/// The classes of a character, as a bit set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flags(pub u8);

impl Flags {
    pub const SPACE: u8 = 1;
    /// Letters and combining marks that form words with their neighbours.
    pub const LETTER: u8 = 2;
    pub const CAPITAL: u8 = 4;
    pub const DIGIT: u8 = 8;
    pub const PUNCTUATION: u8 = 16;
    /// Sentence-final punctuation.
    pub const SENTENCE_END: u8 = 32;
    /// Scripts written without spaces (Han, Kana, Thai): each character counts as a word.
    pub const UNSEGMENTED: u8 = 64;

    pub fn has(self, flags: u8) -> bool {
        self.0 & flags != 0
    }
}

/// Character and word counts of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Non-whitespace characters.
    pub characters: u32,
    pub words: u32,
    pub punctuation: u32,
    pub sentence_ends: u32,
    pub digits: u32,
    pub capitals: u32,
    pub letters: u32,
    /// Characters of scripts written without spaces.
    pub unsegmented: u32,
}

const ASCII: [u8; 128] = {
    let mut table = [0_u8; 128];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = match byte {
            0..=b' ' | 127 => Flags::SPACE,
            b'a'..=b'z' => Flags::LETTER,
            b'A'..=b'Z' => Flags::LETTER | Flags::CAPITAL,
            b'0'..=b'9' => Flags::DIGIT,
            b'.' | b'!' | b'?' => Flags::PUNCTUATION | Flags::SENTENCE_END,
            b',' | b';' | b':' | b'"' | b'\'' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'%' => {
                Flags::PUNCTUATION
            }
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// Classifies a character.
#[inline]
pub fn flags(character: char) -> Flags {
    match ASCII.get(character as usize) {
        Some(flags) => Flags(*flags),
        None => Flags(classify_non_ascii(character)),
    }
}

/// Like [`char::is_alphanumeric`], which searches its tables for scripts beyond Latin.
#[inline]
pub(crate) fn is_alphanumeric(character: char) -> bool {
    match character {
        '\0'..='\x7f' => character.is_ascii_alphanumeric(),
        '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{3041}'..='\u{3096}' => true,
        '\u{410}'..='\u{44f}' | '\u{620}'..='\u{64a}' | '\u{671}'..='\u{6d3}' => true,
        '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{2010}'..='\u{2027}' => false,
        _ => character.is_alphanumeric(),
    }
}

/// A text in lower case; borrowed where that changes nothing, as in scripts without case.
pub(crate) fn lowercase(text: &str) -> Cow<'_, str> {
    let may_change = |character: char| match character {
        '\0'..='\x7f' => character.is_ascii_uppercase(),
        '\u{80}'..='\u{bf}' | '\u{590}'..='\u{109f}' | '\u{2000}'..='\u{2101}' => false,
        '\u{3000}'..='\u{a63f}' | '\u{ac00}'..='\u{ff20}' => false,
        _ => !character.is_lowercase(),
    };
    if text.chars().any(may_change) { Cow::Owned(text.to_lowercase()) } else { Cow::Borrowed(text) }
}

/// Flags of all characters below U+3100, so that most scripts need a single lookup.
static TABLE: [u8; 0x3100] = {
    let mut table = [0; 0x3100];
    let mut code_point = 0x80;
    while code_point < 0x3100 {
        table[code_point] = classify_by_range(code_point as u32);
        code_point += 1;
    }
    table
};

#[inline]
fn classify_non_ascii(character: char) -> u8 {
    match character as u32 {
        // Fast path for Chinese: U+4E00 and above lies outside the table.
        0x4E00..=0x9FFF => Flags::UNSEGMENTED,
        code_point => match TABLE.get(code_point as usize) {
            Some(flags) => *flags,
            None => classify_by_range(code_point),
        },
    }
}

const fn classify_by_range(code_point: u32) -> u8 {
    match code_point {
        0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0x3041..=0x30FF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF => {
            Flags::UNSEGMENTED
        }
        0x0E01..=0x0E4E => Flags::UNSEGMENTED,
        0x80..=0xA0
        | 0xAD
        | 0x1680
        | 0x2000..=0x200B
        | 0x200E
        | 0x200F
        | 0x2028..=0x202F
        | 0x205F..=0x2064
        | 0x3000
        | 0xFEFF
        // Tag characters are invisible and can carry a hidden message.
        | 0xE_0000..=0xE_007F => Flags::SPACE,
        // Joiners are part of words in Persian and Indic scripts.
        0x200C | 0x200D => Flags::LETTER,
        0xA1 | 0xAB | 0xBB | 0xBF | 0x2018..=0x201F | 0x2039 | 0x203A => Flags::PUNCTUATION,
        0x2026 | 0x203D | 0x3002 | 0xFF01 | 0xFF0E | 0xFF1F | 0x061F | 0x06D4 | 0x0964 => {
            Flags::PUNCTUATION | Flags::SENTENCE_END
        }
        0x060C
        | 0x061B
        | 0x3001
        | 0x3008..=0x3011
        | 0x3014..=0x301F
        | 0xFF08
        | 0xFF09
        | 0xFF0C
        | 0xFF1A
        | 0xFF1B => Flags::PUNCTUATION,
        0x0660..=0x0669 | 0x06F0..=0x06F9 | 0x0966..=0x096F | 0xFF10..=0xFF19 => Flags::DIGIT,
        0xC0..=0xDE | 0x0391..=0x03A9 | 0x0400..=0x042F => Flags::LETTER | Flags::CAPITAL,
        0xAA
        | 0xB5
        | 0xBA
        | 0xDF..=0x02FF
        | 0x0300..=0x1FFF
        | 0xA640..=0xD7FF
        | 0xFB00..=0xFDFF
        | 0xFE70..=0xFEFC => Flags::LETTER,
        _ => 0,
    }
}

/// Packed increments per flag set: eight 8-bit counters, flushed before they overflow.
const PACKED: [u64; 128] = {
    let mut table = [0_u64; 128];
    let mut flags = 0;
    while flags < 128 {
        let f = flags as u8;
        let mut packed = 0;
        if f & Flags::SPACE == 0 {
            packed |= 1;
        }
        if f & Flags::PUNCTUATION != 0 {
            packed |= 1 << 8;
        }
        if f & Flags::SENTENCE_END != 0 {
            packed |= 1 << 16;
        }
        if f & Flags::DIGIT != 0 {
            packed |= 1 << 24;
        }
        if f & Flags::CAPITAL != 0 {
            packed |= 1 << 32;
        }
        if f & Flags::LETTER != 0 {
            packed |= 1 << 40;
        }
        if f & Flags::UNSEGMENTED != 0 {
            packed |= 1 << 48;
        }
        table[flags] = packed;
        flags += 1;
    }
    table
};

/// `PACKED` indexed by ASCII byte; the top counter is 1 for bytes that are part of a word.
const ASCII_PACKED: [u64; 256] = {
    let mut table = [0_u64; 256];
    let mut byte = 0;
    while byte < 128 {
        let f = ASCII[byte];
        table[byte] = PACKED[f as usize] | if f & (Flags::LETTER | Flags::DIGIT) != 0 { 1 << 56 } else { 0 };
        byte += 1;
    }
    table
};

const WORD_COUNTER: u64 = 1 << 56;

impl Counts {
    /// Counts `text` in one pass.
    pub fn of(text: &str) -> Counts {
        let mut counts = Counts::default();
        let bytes = text.as_bytes();
        let mut in_word = 0_u64;
        let mut at = 0;
        while at < bytes.len() {
            // An ASCII run, capped at what the 8-bit counters hold.
            let mut packed = 0_u64;
            let end = bytes.len().min(at + 250);
            for byte in &bytes[at..end] {
                if *byte >= 0x80 {
                    break;
                }
                let increment = ASCII_PACKED[usize::from(*byte)];
                // Count a word at its first character.
                packed += increment ^ (increment & in_word);
                in_word = increment & WORD_COUNTER;
                at += 1;
            }
            counts.flush(packed);
            if at < end {
                at = counts.count_non_ascii(text, at, &mut in_word);
            }
        }
        counts
    }

    /// Counts up to the next ASCII character and returns its offset.
    fn count_non_ascii(&mut self, text: &str, from: usize, in_word: &mut u64) -> usize {
        let mut packed = 0_u64;
        let mut remaining = 250;
        let mut at = from;
        for character in text[from..].chars() {
            if character.is_ascii() || remaining == 0 {
                break;
            }
            remaining -= 1;
            at += character.len_utf8();
            let flags = classify_non_ascii(character);
            packed += PACKED[usize::from(flags & 127)];
            let is_word = if flags & (Flags::LETTER | Flags::DIGIT) != 0 { WORD_COUNTER } else { 0 };
            let word_start = if flags & Flags::UNSEGMENTED != 0 { WORD_COUNTER } else { is_word & !*in_word };
            packed += word_start;
            *in_word = is_word;
        }
        self.flush(packed);
        at
    }

    fn flush(&mut self, packed: u64) {
        let counter = |index: u32| (packed >> (8 * index)) as u32 & 0xFF;
        self.characters += counter(0);
        self.punctuation += counter(1);
        self.sentence_ends += counter(2);
        self.digits += counter(3);
        self.capitals += counter(4);
        self.letters += counter(5);
        self.unsegmented += counter(6);
        self.words += counter(7);
    }
}

/// Counts characters above U+0020. Cheaper than [`Counts::of`]: no classification, so Unicode spaces count too.
#[inline]
pub fn count_visible(text: &str) -> u32 {
    text.as_bytes().iter().map(|&byte| u32::from(byte > b' ' && (byte as i8) > -65)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_letters_agree_with_the_tables() {
        for character in '\0'..=char::MAX {
            assert_eq!(is_alphanumeric(character), character.is_alphanumeric(), "{character:?}");
            let text = character.encode_utf8(&mut [0; 4]).to_owned();
            assert_eq!(lowercase(&text), text.to_lowercase());
        }
    }

    #[test]
    fn counts_words_in_mixed_scripts() {
        let counts = Counts::of("The ferry, at 9:30, runs. 天氣好。");
        assert_eq!((counts.words, counts.punctuation, counts.sentence_ends, counts.digits), (9, 5, 2, 3));
        assert_eq!((counts.capitals, counts.unsegmented), (1, 3));
        assert_eq!(Counts::of(&"ab ".repeat(1000)).words, 1000);
        assert_eq!(Counts::of(&"при вет ".repeat(1000)).words, 2000);
    }
}
