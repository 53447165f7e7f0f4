//! Decodes the source as the standard specifies: character references, line ends, NUL.
//!
//! Texts and attribute values are stored as spans of the source and decoded on access, borrowing if nothing changes.

use std::borrow::Cow;

use memchr::{memchr2, memchr3};

/// The named character references of the HTML standard, name (without the `&`) and text, sorted by name for binary search.
/// Names without a semicolon are listed only if the standard allows them.
static NAMED: [(&str, &str); 2231] = include!("references/named.in");

/// How a span of the source is decoded. Carriage returns always become line feeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reading(u8);

impl Reading {
    /// Verbatim.
    pub(crate) const PLAIN: Reading = Reading(0);
    /// With character references.
    pub(crate) const REFERENCES: Reading = Reading(1);
    /// With character references, by the rules for attribute values.
    pub(crate) const ATTRIBUTE: Reading = Reading(1 | 2);
    /// NUL becomes U+FFFD.
    pub(crate) const REPLACE_NUL: Reading = Reading(4);

    pub(crate) const fn and(self, other: Reading) -> Reading {
        Reading(self.0 | other.0)
    }

    pub(crate) const fn has(self, other: Reading) -> bool {
        self.0 & other.0 == other.0
    }

    /// Three bits, for packing.
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    pub(crate) const fn from_bits(bits: u8) -> Reading {
        Reading(bits & 7)
    }

    pub(crate) const fn references_if(yes: bool) -> Reading {
        Reading(yes as u8)
    }
}

/// Whether a source has neither carriage returns nor NUL, so that only references need decoding.
pub(crate) fn is_plain(source: &str) -> bool {
    memchr2(b'\r', 0, source.as_bytes()).is_none()
}

/// Decodes a span of a source that may [be plain](is_plain).
#[inline]
pub(crate) fn read_of(raw: &str, reading: Reading, is_plain: bool) -> Cow<'_, str> {
    if is_plain && !reading.has(Reading::REFERENCES) { Cow::Borrowed(raw) } else { read(raw, reading) }
}

/// Decodes a piece of the source.
pub(crate) fn read(raw: &str, reading: Reading) -> Cow<'_, str> {
    match next_special(raw, 0, reading) {
        None => Cow::Borrowed(raw),
        Some(first) => Cow::Owned(read_from(raw, first, reading)),
    }
}

fn read_from(raw: &str, first: usize, reading: Reading) -> String {
    let bytes = raw.as_bytes();
    let mut text = String::with_capacity(raw.len());
    let mut copied = 0;
    let mut special = Some(first);
    while let Some(at) = special {
        text.push_str(&raw[copied..at]);
        copied = at + 1;
        match bytes[at] {
            b'\r' => {
                text.push('\n');
                copied += usize::from(bytes.get(copied) == Some(&b'\n'));
            }
            0 => text.push(char::REPLACEMENT_CHARACTER),
            _ => match reference(&raw[copied..], reading) {
                Some((length, meant)) => {
                    meant.push_to(&mut text);
                    copied += length;
                }
                None => text.push('&'),
            },
        }
        special = next_special(raw, copied, reading);
    }
    text.push_str(&raw[copied..]);
    text
}

/// The next character that needs decoding.
fn next_special(raw: &str, from: usize, reading: Reading) -> Option<usize> {
    let ampersand = if reading.has(Reading::REFERENCES) { b'&' } else { b'\r' };
    let nul = if reading.has(Reading::REPLACE_NUL) { 0 } else { b'\r' };
    memchr3(b'\r', ampersand, nul, &raw.as_bytes()[from..]).map(|offset| from + offset)
}

/// The length of the white space at the start of `raw` in bytes, including references to white space.
pub(crate) fn leading_space(raw: &str, reading: Reading) -> usize {
    let bytes = raw.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if crate::scan::is_space(bytes[at]) {
            at += 1;
        } else if bytes[at] == b'&' && reading.has(Reading::REFERENCES) {
            match reference(&raw[at + 1..], reading) {
                Some((length, meant)) if meant.is_space() => at += 1 + length,
                _ => break,
            }
        } else {
            break;
        }
    }
    at
}

/// The number of bytes before the first white space, or reference to it, in `raw`.
pub(crate) fn leading_ink(raw: &str, reading: Reading) -> usize {
    let mut at = 0;
    while at < raw.len() && leading_space(&raw[at..], reading) == 0 {
        at += raw[at..].chars().next().map_or(1, char::len_utf8);
    }
    at
}

/// The length of the line feed at the start of `raw`, written as a line end or as a reference.
pub(crate) fn leading_line_feed(raw: &str, reading: Reading) -> usize {
    match raw.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        [b'&', ..] if reading.has(Reading::REFERENCES) => match reference(&raw[1..], reading) {
            Some((length, Meant::One('\n'))) => 1 + length,
            Some((length, Meant::Text("\n"))) => 1 + length,
            _ => 0,
        },
        _ => 0,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meant {
    One(char),
    Text(&'static str),
}

impl Meant {
    fn push_to(self, text: &mut String) {
        match self {
            Meant::One(character) => text.push(character),
            Meant::Text(characters) => text.push_str(characters),
        }
    }

    fn is_space(self) -> bool {
        let space = |c: char| c.is_ascii() && crate::scan::is_space(c as u8);
        match self {
            Meant::One(character) => space(character),
            Meant::Text(characters) => characters.chars().all(space),
        }
    }
}

/// The reference after an ampersand: its length and its characters.
fn reference(rest: &str, reading: Reading) -> Option<(usize, Meant)> {
    match rest.as_bytes().first()? {
        b'#' => numeric(rest.as_bytes()),
        byte if byte.is_ascii_alphanumeric() => named(rest, reading.has(Reading::ATTRIBUTE)),
        _ => None,
    }
}

fn numeric(rest: &[u8]) -> Option<(usize, Meant)> {
    let (radix, digits_at) = if matches!(rest.get(1), Some(b'x' | b'X')) { (16, 2) } else { (10, 1) };
    let mut value: u32 = 0;
    let mut end = digits_at;
    while let Some(digit) = rest.get(end).and_then(|&byte| char::from(byte).to_digit(radix)) {
        // Saturates above the highest code point, so that it cannot overflow.
        value = (value * radix + digit).min(0x11_0000);
        end += 1;
    }
    if end == digits_at {
        return None;
    }
    end += usize::from(rest.get(end) == Some(&b';'));
    Some((end, Meant::One(character(value))))
}

/// The character of a numeric reference: windows-1252 for 0x80 to 0x9F, U+FFFD for invalid numbers.
fn character(value: u32) -> char {
    const WINDOWS_1252: [u16; 32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
        0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
        0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ];
    let value = match value {
        0 => 0xFFFD,
        0x80..=0x9F => u32::from(WINDOWS_1252[(value - 0x80) as usize]),
        _ => value,
    };
    char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The longest name that is valid without a semicolon.
const LONGEST_BARE: usize = 6;
/// The longest name of all, without its semicolon.
const LONGEST: usize = 31;

fn named(rest: &str, in_attribute: bool) -> Option<(usize, Meant)> {
    let bytes = rest.as_bytes();
    let run = bytes.iter().take(LONGEST + 1).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if bytes.get(run) == Some(&b';')
        && let Some(text) = lookup(&rest[..=run])
    {
        return Some((run + 1, Meant::Text(text)));
    }
    // No name with a semicolon: the longest name that is valid without one.
    let lengths = bytes.get(1).map_or(0, |second| bare_lengths(bytes[0], *second));
    let (length, text) = (1..=run.min(LONGEST_BARE))
        .rev()
        .filter(|length| lengths >> length & 1 != 0)
        .find_map(|length| Some((length, lookup(&rest[..length])?)))?;
    let goes_on = bytes.get(length).is_some_and(|&next| next == b'=' || next.is_ascii_alphanumeric());
    // `&copy` in the URL `?a=1&copy=2` is not a copyright sign.
    if in_attribute && goes_on { None } else { Some((length, Meant::Text(text))) }
}

/// The lengths of names without semicolons that start with these two letters, as a bit set. It is empty for most
/// parameters of URLs and saves up to six searches.
fn bare_lengths(first: u8, second: u8) -> u8 {
    let of = |place: usize, letter: u8| BARE[place][usize::from(letter & 0x7F)];
    of(0, first) & of(1, second)
}

/// The lengths of names without semicolons by first letter, and by second letter.
static BARE: [[u8; 128]; 2] = {
    let mut lengths = [[0; 128]; 2];
    let mut at = 0;
    while at < NAMED.len() {
        let name = NAMED[at].0.as_bytes();
        if name[name.len() - 1] != b';' {
            lengths[0][name[0] as usize] |= 1 << name.len();
            lengths[1][name[1] as usize] |= 1 << name.len();
        }
        at += 1;
    }
    lengths
};

fn lookup(name: &str) -> Option<&'static str> {
    match name {
        "amp;" => return Some("&"),
        "nbsp;" => return Some("\u{A0}"),
        "quot;" => return Some("\""),
        "lt;" => return Some("<"),
        "gt;" => return Some(">"),
        _ => {}
    }
    NAMED.binary_search_by(|(known, _)| (*known).cmp(name)).ok().map(|at| NAMED[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: Reading = Reading::REFERENCES;

    #[test]
    fn the_table_is_sorted_and_the_lengths_hold() {
        assert_eq!(NAMED.len(), 2231);
        assert!(NAMED.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let bare = NAMED.iter().filter(|(name, _)| !name.ends_with(';')).map(|(name, _)| name.len()).max();
        assert_eq!(bare, Some(LONGEST_BARE));
        let longest =
            NAMED.iter().filter(|(name, _)| name.ends_with(';')).map(|(name, _)| name.len() - 1).max();
        assert_eq!(longest, Some(LONGEST));
    }

    #[test]
    fn plain_text_is_borrowed() {
        assert!(matches!(read("no reference here", TEXT), Cow::Borrowed(_)));
        assert!(matches!(read("R&D", Reading::PLAIN), Cow::Borrowed("R&D")));
    }

    #[test]
    fn references_are_read() {
        for (raw, meant) in [
            ("a &amp; b", "a & b"),
            ("&lt;p&gt", "<p>"),
            ("&#65;&#x42;&#X43;", "ABC"),
            ("&notit; &notin;", "¬it; ∉"),
            ("&#0;&#x110000;&#xD800;&#99999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("&#128;&#150;", "€–"),
            ("& &; &# &#x &unknown; &", "& &; &# &#x &unknown; &"),
            ("&NotEqualTilde;", "≂̸"),
            ("&CounterClockwiseContourIntegral;", "∳"),
            ("&#13;", "\r"),
        ] {
            assert_eq!(read(raw, TEXT), meant, "{raw}");
        }
    }

    #[test]
    fn an_open_reference_in_an_address_is_left_alone() {
        let raw = "?a=1&copy=2&copyright&copy;&copy";
        assert_eq!(read(raw, Reading::ATTRIBUTE), "?a=1&copy=2&copyright©©");
        assert_eq!(read(raw, TEXT), "?a=1©=2©right©©");
    }

    #[test]
    fn line_ends_and_nul() {
        assert_eq!(read("a\r\nb\rc\n\r", Reading::PLAIN), "a\nb\nc\n\n");
        assert_eq!(read("a\0b", Reading::REPLACE_NUL), "a\u{FFFD}b");
        assert_eq!(read("a\0b", Reading::PLAIN), "a\0b");
    }

    #[test]
    fn white_space_may_be_written_as_a_reference() {
        assert_eq!(leading_space(" &#32;&Tab;\r\nx", TEXT), 13);
        assert_eq!(leading_space(" &nbsp;x", TEXT), 1);
        assert_eq!(leading_space(" &#32;", Reading::PLAIN), 1);
        assert_eq!(leading_line_feed("&#10;\n", TEXT), 5);
        assert_eq!(leading_line_feed("\r\nx", TEXT), 2);
        assert_eq!(leading_line_feed("x", TEXT), 0);
    }
}
