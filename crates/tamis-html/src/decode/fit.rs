//! How well bytes fit an encoding, comparable between encodings.
//!
//! The measure is a code length in tenths of a bit: the cost of encoding the non-ASCII bytes under a model of ordinary
//! text in that encoding. Frequent characters are cheap, rare ones expensive, and invalid bytes most expensive. The
//! encoding with the lowest cost fits best.
//!
//! No language tables are needed: the East Asian sets have common characters in separate areas, and for alphabets a
//! line of frequent letters is enough.

use std::sync::OnceLock;

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, IBM866, ISO_2022_JP, ISO_8859_2, ISO_8859_5, ISO_8859_6,
    ISO_8859_7, KOI8_R, KOI8_U, SHIFT_JIS, UTF_8, WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
    WINDOWS_1253, WINDOWS_1255, WINDOWS_1256,
};

/// The cost of one bit.
pub(super) const BIT: u64 = 10;

/// The cost of an invalid byte.
const BROKEN: u32 = 240;

/// The candidates: one per script and encoding scheme. Encodings that decode ordinary text alike (windows-1250 and
/// windows-1252, …) have one entry, since costs cannot distinguish them.
pub(super) const RIVALS: [&Encoding; 17] = [
    UTF_8,
    GBK,
    BIG5,
    SHIFT_JIS,
    EUC_JP,
    EUC_KR,
    WINDOWS_1251,
    KOI8_U,
    ISO_8859_5,
    IBM866,
    WINDOWS_1252,
    WINDOWS_1253,
    ISO_8859_7,
    WINDOWS_1255,
    WINDOWS_1256,
    ISO_8859_6,
    WINDOWS_874,
];

/// The most common single-byte encoding of pages in the script of `encoding`.
pub(super) fn usual_sibling(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == ISO_8859_2 {
        WINDOWS_1250
    } else if encoding == ISO_8859_7 {
        WINDOWS_1253
    } else if encoding == KOI8_R {
        KOI8_U
    } else if encoding.is_single_byte() && Alphabet::with(encoding, |alphabet| alphabet.latin) {
        WINDOWS_1252
    } else {
        encoding
    }
}

/// Whether two encodings are the same for most pages.
pub(super) fn are_siblings(one: &'static Encoding, other: &'static Encoding) -> bool {
    usual_sibling(one) == usual_sibling(other)
}

/// The cost of the non-ASCII bytes in `encoding`. Only comparable for the same bytes.
pub(super) fn cost(bytes: &[u8], encoding: &'static Encoding) -> u64 {
    if encoding == UTF_8 {
        characters(bytes, utf_8)
    } else if encoding == GBK || encoding == GB18030 {
        characters(bytes, gbk)
    } else if encoding == BIG5 {
        characters(bytes, big5)
    } else if encoding == EUC_KR {
        characters(bytes, euc_kr)
    } else if encoding == EUC_JP {
        characters(bytes, euc_jp)
    } else if encoding == SHIFT_JIS {
        characters(bytes, shift_jis)
    } else if encoding.is_single_byte() {
        Alphabet::with(encoding, |alphabet| letters(bytes, alphabet))
    } else if encoding == ISO_2022_JP {
        bytes.iter().filter(|b| !b.is_ascii()).count() as u64 * u64::from(BROKEN)
    } else {
        u64::MAX
    }
}

/// The length and cost of the first character.
type Character = (usize, u32);

/// The cost in a multi-byte encoding.
fn characters(bytes: &[u8], read: impl Fn(&[u8]) -> Character) -> u64 {
    /// A single ideograph or syllable between ASCII is unusual: these scripts form runs.
    const ALONE: u32 = 40;
    /// A byte of markup or English.
    const ASCII: u32 = 40;
    let mut total = 0;
    let mut rest = bytes;
    loop {
        rest = &rest[Encoding::ascii_valid_up_to(rest)..];
        if rest.is_empty() {
            return total;
        }
        let (mut before, mut run, mut run_cost) = (&rest[..0], 0, 0);
        while rest.first().is_some_and(|b| !b.is_ascii()) {
            let (length, cost) = read(rest);
            let (character, after) = rest.split_at(length.clamp(1, rest.len()));
            // ASCII bytes within a character have a cost too, as they have in other encodings.
            let ascii = character.iter().filter(|b| b.is_ascii()).count() as u32;
            let cost = if cost < BROKEN { cost.saturating_sub(ascii * ASCII) } else { cost };
            // A line of one repeated character counts once.
            if character != before || cost >= BROKEN {
                run += 1;
                run_cost += u64::from(cost);
            }
            (before, rest) = (character, after);
        }
        if run == 1 && run_cost >= 90 {
            run_cost += u64::from(ALONE);
        }
        total += run_cost;
    }
}

/// A character truncated by the end of the bytes costs nothing: the page was truncated, not misread.
const CUT_OFF: Character = (usize::MAX, 0);

fn utf_8(bytes: &[u8]) -> Character {
    let length = match bytes[0] {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return (1, BROKEN),
    };
    let sequence = &bytes[..length.min(bytes.len())];
    let character = match std::str::from_utf8(sequence) {
        Ok(text) => text.chars().next().unwrap_or_default(),
        Err(error) if error.error_len().is_none() && sequence.len() < length => return CUT_OFF,
        Err(_) => return (1, BROKEN),
    };
    let cost = match u32::from(character) {
        // Control characters, which careless conversions leave for the quotes of windows-1252.
        0x80..=0x9F => 100,
        0xA0..=0xFF | 0x384..=0x3CE | 0x400..=0x45F | 0x5D0..=0x5EA | 0x60C..=0x6AF | 0x900..=0xEFF => 60,
        0x100..=0x17F => 90,
        0x6B0..=0x6FF | 0x1E00..=0x206F => 80,
        0x180..=0x8FF => 160,
        0x3040..=0x30FF => 89,
        0xFFFD => 60,
        0x3000..=0x303F | 0xAC00..=0xD7A3 | 0xFB50..=0xFDFF | 0xFE70..=0xFFEF => 110,
        0x4E00..=0x9FFF => 125,
        _ => 150,
    };
    (length, cost)
}

/// The first two bytes of a character, unless it is truncated.
fn pair(bytes: &[u8]) -> Option<(u8, u8)> {
    bytes.first_chunk().map(|&[lead, trail]| (lead, trail))
}

fn gbk(bytes: &[u8]) -> Character {
    // 宋体, a typeface in the styles of Chinese pages: often the only Chinese word if the text is in another language, or
    // in numeric references.
    const TYPEFACE: &[u8] = b"\xCB\xCE\xCC\xE5";
    if matches!(bytes[0], 0x80 | 0xFF) {
        return (1, BROKEN);
    }
    if bytes.starts_with(TYPEFACE) {
        return (TYPEFACE.len(), 80);
    }
    let Some(pair) = pair(bytes) else { return CUT_OFF };
    match pair {
        // Clause punctuation: 、。—…“”《》, then full-width ！（），：；？.
        (0xA1, 0xA2 | 0xA3 | 0xAA | 0xAD | 0xB0 | 0xB1 | 0xB6 | 0xB7) => (2, 70),
        (0xA3, 0xA1 | 0xA8 | 0xA9 | 0xAC | 0xBA | 0xBB | 0xBF) => (2, 70),
        // The 3755 common characters of GB 2312 in order of pronunciation (the last rows have the most frequent ones),
        // then its other symbols, kana and rare characters.
        (0xB0..=0xCF, 0xA1..=0xFE) => (2, 123),
        (0xD0..=0xD7, 0xA1..=0xFE) => (2, 112),
        (0xA1..=0xA3, 0xA1..=0xFE) => (2, 89),
        (0xA4..=0xA5, 0xA1..=0xF6) => (2, 117),
        (0xD8..=0xF7, 0xA1..=0xFE) => (2, 170),
        (0xA6..=0xA9, 0xA1..=0xFE) => (2, 175),
        (0x81..=0xA0 | 0xAA..=0xFE, 0x40..=0x7E | 0x80..=0xA0)
        | (0x81..=0xA0, 0xA1..=0xFE)
        | (0xA8..=0xA9, 0x40..=0x7E | 0x80..=0xA0) => (2, 200),
        // The rest of the two-byte area is for private use.
        (_, 0x40..=0x7E | 0x80..=0xFE) => (2, 230),
        (_, 0x30..=0x39) => match bytes.get(2..4) {
            Some([0x81..=0xFE, 0x30..=0x39]) => (4, 230),
            Some(_) => (1, BROKEN),
            None => CUT_OFF,
        },
        _ => (1, BROKEN),
    }
}

fn big5(bytes: &[u8]) -> Character {
    if matches!(bytes[0], 0x80 | 0xFF) {
        return (1, BROKEN);
    }
    let Some(pair) = pair(bytes) else { return CUT_OFF };
    match pair {
        (_, 0x00..=0x3F | 0x7F..=0xA0 | 0xFF) => (1, BROKEN),
        // Clause punctuation: ，、。；：？！（）《》「」.
        (0xA1, 0x41..=0x43 | 0x46..=0x49 | 0x5D | 0x5E | 0x6D | 0x6E | 0x75 | 0x76) => (2, 70),
        // The 5401 common characters, other symbols, rare characters, additions of Hong Kong.
        (0xA4..=0xC5, _) | (0xC6, 0x40..=0x7E) => (2, 125),
        (0xA1..=0xA3, _) => (2, 89),
        (0xC9..=0xF9, _) => (2, 195),
        (0x87..=0xA0 | 0xC6..=0xC8 | 0xFA..=0xFE, _) => (2, 215),
        _ => (2, BROKEN),
    }
}

fn euc_kr(bytes: &[u8]) -> Character {
    if matches!(bytes[0], 0x80 | 0xFF) {
        return (1, BROKEN);
    }
    let Some(pair) = pair(bytes) else { return CUT_OFF };
    match pair {
        // The 2350 common syllables, the punctuation, the ideographs, the rest of the syllables.
        (0xB0..=0xC8, 0xA1..=0xFE) => (2, 113),
        (0xA1..=0xA3, 0xA1..=0xFE) => (2, 89),
        (0xCA..=0xFD, 0xA1..=0xFE) => (2, 190),
        (0xA4..=0xAC, 0xA1..=0xFE) => (2, 190),
        (0x81..=0xC6, 0x41..=0x5A | 0x61..=0x7A | 0x81..=0xFE) => (2, 200),
        (_, 0x80..=0xFE) => (2, BROKEN),
        _ => (1, BROKEN),
    }
}

/// The costs of the rows of the Japanese set, independent of their byte encoding.
fn japanese_row(row: u8) -> u32 {
    match row {
        4 => 75,           // hiragana
        5 => 92,           // katakana
        1..=3 => 89,       // punctuation, digits and letters in full width
        16..=47 => 133,    // the common characters
        48..=84 => 194,    // the rare ones
        6..=8 | 13 => 194, // Greek, Cyrillic, lines; the signs of NEC
        89..=120 => 210,   // the additions of NEC and IBM
        _ => BROKEN,
    }
}

fn euc_jp(bytes: &[u8]) -> Character {
    if !matches!(bytes[0], 0x8E | 0x8F | 0xA1..=0xFE) {
        return (1, BROKEN);
    }
    let Some(pair) = pair(bytes) else { return CUT_OFF };
    match pair {
        (0x8E, 0xA1..=0xDF) => (2, 160),
        (0x8F, 0xA1..=0xFE) => match bytes.get(2) {
            Some(0xA1..=0xFE) => (3, 225),
            Some(_) => (1, BROKEN),
            None => CUT_OFF,
        },
        // 、。ー「」
        (0xA1, 0xA2 | 0xA3 | 0xBC | 0xD6 | 0xD7) => (2, 70),
        (0xA1..=0xFE, 0xA1..=0xFE) => (2, japanese_row(pair.0 - 0xA0)),
        _ => (1, BROKEN),
    }
}

fn shift_jis(bytes: &[u8]) -> Character {
    let lead = match bytes[0] {
        0xA1..=0xDF => return (1, 116),
        lead @ 0x81..=0x9F => lead - 0x81,
        lead @ 0xE0..=0xFC => lead - 0xC1,
        _ => return (1, BROKEN),
    };
    let Some((_, trail)) = pair(bytes) else { return CUT_OFF };
    match trail {
        0x41 | 0x42 | 0x5B | 0x75 | 0x76 if lead == 0 => (2, 70),
        // Two rows to a first byte.
        0x40..=0x7E | 0x80..=0x9E => (2, japanese_row(lead * 2 + 1)),
        0x9F..=0xFC => (2, japanese_row(lead * 2 + 2)),
        _ => (1, BROKEN),
    }
}

/// The class of a non-ASCII byte in a single-byte encoding.
#[derive(Clone, Copy, PartialEq)]
enum Sign {
    /// A small letter of the script, or a letter of a script without cases; `true` if it is frequent.
    Small(bool),
    Capital,
    /// A letter of another script, such as the French ones in the Arabic set.
    Foreign,
    Punctuation,
    /// Characters that are rare in prose: box drawing, fractions, symbols.
    Rare,
    Broken,
}

/// A single-byte encoding.
struct Alphabet {
    signs: [Sign; 128],
    /// Non-ASCII Latin letters occur among ASCII letters; letters of other scripts among themselves.
    latin: bool,
    has_case: bool,
}

/// The letters that make up most of a text: Cyrillic, Greek, Arabic, Hebrew, Thai.
const FREQUENT: [&str; 5] = [
    "оеаинтсрвлкмдпуі",
    "αοιετνσηρπκμυλςόίά",
    "اليومنرتبدهسعف",
    "יוהלאתרמבשנם",
    "นารอกเงมยลวดทส\u{E31}\u{E34}\u{E35}\u{E48}\u{E49}",
];

impl Alphabet {
    /// The alphabet of an encoding; common ones are cached, since building one is slow.
    fn with<T>(encoding: &'static Encoding, ask: impl FnOnce(&Alphabet) -> T) -> T {
        static KEPT: [OnceLock<Alphabet>; RIVALS.len()] = [const { OnceLock::new() }; RIVALS.len()];
        match RIVALS.iter().position(|rival| *rival == encoding) {
            Some(rival) => ask(KEPT[rival].get_or_init(|| Alphabet::of(encoding))),
            None => ask(&Alphabet::of(encoding)),
        }
    }

    fn of(encoding: &'static Encoding) -> Self {
        let bytes: Vec<u8> = (0x80..=0xFF).collect();
        let (text, _) = encoding.decode_without_bom_handling(&bytes);
        let own = |c: char| !is_latin(c) && c.is_alphabetic();
        let latin = text.chars().filter(|&c| own(c)).count() < 20;
        let mut signs = [Sign::Broken; 128];
        for (sign, c) in signs.iter_mut().zip(text.chars()) {
            let is_mark = matches!(c, '\u{591}'..='\u{5C7}' | '\u{64B}'..='\u{652}' | '\u{E31}'..='\u{E4E}');
            *sign = match c {
                '\u{FFFD}' | '\u{80}'..='\u{9F}' | '\u{E000}'..='\u{F8FF}' => Sign::Broken,
                _ if c.is_alphabetic() && is_latin(c) != latin => Sign::Foreign,
                _ if c.is_uppercase() => Sign::Capital,
                _ if c.is_alphabetic() || is_mark => {
                    Sign::Small(FREQUENT.iter().any(|letters| letters.contains(c)))
                }
                '\u{A0}'
                | '\u{AD}'
                | '©'
                | '®'
                | '«'
                | '»'
                | '°'
                | '·'
                | '£'
                | '§'
                | '¡'
                | '¿'
                | '´'
                | '№'
                | '€'
                | '،'
                | '؟'
                | '؛'
                | '\u{200B}'..='\u{203A}' => Sign::Punctuation,
                _ => Sign::Rare,
            };
        }
        Self { signs, latin, has_case: signs.contains(&Sign::Capital) }
    }
}

/// Greek, Cyrillic, Hebrew, Arabic and Thai follow the Latin letters in Unicode.
fn is_latin(c: char) -> bool {
    c < '\u{370}' || ('\u{1E00}'..'\u{1F00}').contains(&c)
}

/// The cost in a single-byte encoding.
fn letters(bytes: &[u8], alphabet: &Alphabet) -> u64 {
    let sign_of =
        |byte: u8| if byte.is_ascii() { None } else { Some(alphabet.signs[usize::from(byte & 0x7F)]) };
    let mut total = 0;
    let mut at = 0;
    loop {
        at += Encoding::ascii_valid_up_to(&bytes[at..]);
        let Some(&byte) = bytes.get(at) else { return total };
        let before = if at == 0 { b' ' } else { bytes[at - 1] };
        let after = bytes.get(at + 1).copied().unwrap_or(b' ');
        at += 1;
        if byte == before {
            // As above: a line of one repeated character counts once.
            total += 30;
            continue;
        }
        let sign = alphabet.signs[usize::from(byte & 0x7F)];
        let is_letter = matches!(sign, Sign::Small(_) | Sign::Capital);
        let is_own_letter = |byte| matches!(sign_of(byte), Some(Sign::Small(_) | Sign::Capital));
        let beside_letter = is_own_letter(before) || is_own_letter(after);
        let beside_ascii_letter = before.is_ascii_alphabetic() || after.is_ascii_alphabetic();
        let after_small = before.is_ascii_lowercase() || matches!(sign_of(before), Some(Sign::Small(_)));
        let mut cost: u32 = match sign {
            Sign::Small(true) => 43,
            Sign::Small(false) if alphabet.latin => 55,
            Sign::Small(false) if alphabet.has_case => 70,
            Sign::Small(false) => 60,
            Sign::Capital if sign_of(before) == Some(Sign::Capital) => 85,
            Sign::Capital => 90,
            Sign::Punctuation => 60,
            Sign::Foreign => 120,
            Sign::Rare => 100,
            Sign::Broken => BROKEN,
        };
        // Accented Latin letters occur among ASCII letters, others among themselves.
        let out_of_place = match (is_letter, alphabet.latin) {
            (true, true) => is_own_letter(before) || !beside_letter && !beside_ascii_letter,
            (true, false) => beside_ascii_letter || !beside_letter,
            // A symbol within a word.
            (false, true) => {
                sign == Sign::Rare && before.is_ascii_alphabetic() && after.is_ascii_alphabetic()
            }
            (false, false) => sign != Sign::Punctuation && beside_letter,
        };
        if out_of_place {
            cost += 60;
        }
        if sign == Sign::Capital && after_small {
            cost += 50;
        }
        total += u64::from(cost);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cheapest(text: &str, encoding: &'static Encoding) -> &'static Encoding {
        let (bytes, _, _) = encoding.encode(text);
        RIVALS.into_iter().min_by_key(|rival| cost(&bytes, rival)).unwrap()
    }

    #[test]
    fn ordinary_text_is_cheapest_in_its_own_encoding() {
        let chinese = "昨天下午我们在图书馆里看了一本关于历史的书，大家都觉得很有意思。";
        let traditional = "昨天下午我們在圖書館裡看了一本關於歷史的書，大家都覺得很有意思。";
        let japanese = "きのうの午後、わたしたちは図書館で歴史についての本を読みました。";
        let korean = "어제 오후에 우리는 도서관에서 역사에 관한 책을 읽었습니다.";
        let russian = "Вчера днём мы читали в библиотеке книгу об истории нашего города.";
        let hebrew = "אתמול אחר הצהריים קראנו בספרייה ספר על תולדות העיר שלנו";
        let thai = "เมื่อวานตอนบ่ายเราอ่านหนังสือเกี่ยวกับประวัติศาสตร์ในห้องสมุด";
        let german = "Gestern haben wir in der Bücherei über die schöne Geschichte gelesen, für später.";
        for (text, encodings) in [
            (chinese, &[UTF_8, GBK][..]),
            (traditional, &[UTF_8, BIG5]),
            (japanese, &[UTF_8, SHIFT_JIS, EUC_JP]),
            (korean, &[UTF_8, EUC_KR]),
            (russian, &[UTF_8, WINDOWS_1251, KOI8_U, ISO_8859_5, IBM866]),
            (hebrew, &[UTF_8, WINDOWS_1255]),
            (thai, &[UTF_8, WINDOWS_874]),
            (german, &[UTF_8, WINDOWS_1252]),
        ] {
            for &encoding in encodings {
                assert_eq!(cheapest(text, encoding), encoding, "{text}");
            }
        }
    }

    #[test]
    fn a_truncated_character_costs_nothing() {
        for (encoding, bytes) in [
            (UTF_8, &b"a\xE4\xB8"[..]),
            (GBK, b"a\xD6"),
            (BIG5, b"a\xA4"),
            (SHIFT_JIS, b"a\x82"),
            (EUC_JP, b"a\xA4"),
            (EUC_KR, b"a\xB0"),
        ] {
            assert_eq!(cost(bytes, encoding), 0, "{}", encoding.name());
        }
    }

    #[test]
    fn a_line_drawn_of_one_character_counts_once() {
        let (short, _, _) = GBK.encode("——");
        let (long, _, _) = GBK.encode("————————————————");
        assert_eq!(cost(&short, GBK), cost(&long, GBK));
    }

    #[test]
    fn german_with_soft_hyphens_is_not_big5() {
        let german = "Ver\u{AD}brauch\u{AD}steuer auf Tabak\u{AD}waren und Zoll\u{AD}gebühren";
        assert_eq!(cheapest(german, WINDOWS_1252), WINDOWS_1252);
    }
}
