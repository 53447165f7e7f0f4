//! A cheap look at a text before it is taken apart: most texts have no date.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::numerals::{digit, numeral};
use super::{Hints, relative};

/// Could there be a date? Most texts have nothing of one: no four digits, no numerals with a year.
pub(super) fn may_hold(text: &str, hints: &Hints<'_>, is_value: bool) -> bool {
    let bytes = text.as_bytes();
    // By chunks without a way out, which the compiler turns into vector code.
    let mut digits = 0_usize;
    for chunk in bytes.chunks(128) {
        digits += usize::from(chunk.iter().fold(0_u8, |sum, byte| sum + u8::from(byte.is_ascii_digit())));
    }
    if digits >= 4 {
        // A value may be one number, and Thai years may have two digits.
        let is_thai = hints.language.is_some_and(|it| it.starts_with("th") || it.starts_with("lo"));
        if is_value || is_thai || may_be_day(bytes) {
            return true;
        }
    }
    if text.is_ascii() {
        return false;
    }
    // Digits of other scripts, and Chinese numerals before 年; with other digits, anywhere.
    let is_number = |c: char| !c.is_ascii() && (digit(c).is_some() || (digits >= 4 && numeral(c).is_some()));
    ((digits >= 4 || may_be_other_digits(bytes)) && text.chars().any(is_number)) || has_year_word(bytes)
}

/// Could there be digits of another script, by their bytes? Chinese has none but wide ones, and is not read for others. Without a way
/// out of the loops, as above.
fn may_be_other_digits(bytes: &[u8]) -> bool {
    let is_first = |byte: &u8| matches!(byte, 0xD9 | 0xDB | 0xDF | 0xE0 | 0xE1);
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    bytes.iter().fold(false, |any, byte| any | is_first(byte))
        || pairs.fold(false, |any, (one, next)| any | ((*one == 0xBC) & matches!(next, 0x90..=0x99)))
}

fn has_year_word(bytes: &[u8]) -> bool {
    static YEAR: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("年"));
    YEAR.find(bytes).is_some()
}

/// Could two numbers in digits of ASCII be parts of a day with its year? A year has four digits and is one of a calendar, or stands
/// behind a mark, as one of two digits always does; or other characters than those of ASCII stand beside it and mean anything.
fn may_be_day(bytes: &[u8]) -> bool {
    let (mut numbers, mut has_year) = (0, false);
    let mut end = 0;
    while let Some(start) = bytes[end..].iter().position(u8::is_ascii_digit).map(|at| end + at) {
        end = start + bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        numbers += 1;
        has_year = has_year || {
            let before = bytes[..start].iter().rev().find(|byte| **byte > b' ').copied().unwrap_or_default();
            let behind = bytes.get(end).copied().unwrap_or_default();
            let is_marked = matches!(before, b'.' | b'/' | b'-' | b'|' | b'\'' | b'`');
            let is_beside_other = !before.is_ascii() || !behind.is_ascii();
            match end - start {
                // Our own years, Persian and Thai ones.
                4 => {
                    is_marked
                        || is_beside_other
                        || matches!(
                            &bytes[start..start + 2],
                            b"19" | b"20" | b"12" | b"13" | b"14" | b"24" | b"25" | b"26"
                        )
                }
                2 => is_marked || is_beside_other,
                // 民國109.5.3
                1 | 3 => is_beside_other,
                _ => false,
            }
        };
        if has_year && numbers >= 2 {
            return true;
        }
    }
    false
}

/// Could there be a day without a year, or words that count from the time the page was fetched? They stand in short lines, beside a number or
/// with a word of a short list.
pub(super) fn may_count_back(text: &str) -> bool {
    const LONGEST: usize = 300;
    let bytes = text.as_bytes();
    text.len() <= LONGEST
        && (bytes.iter().fold(false, |any, byte| any | byte.is_ascii_digit() | !byte.is_ascii())
            || bytes.split(|byte| !byte.is_ascii_alphabetic()).any(relative::is_telling))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_all_scripts_pass_the_first_look() {
        for c in ('\u{80}'..=char::MAX).filter(|c| digit(*c).is_some()) {
            assert!(may_be_other_digits(c.to_string().as_bytes()), "{c}");
        }
        assert!(!may_be_other_digits("“港口”，下了雨 – ещё".as_bytes()));
    }

    #[test]
    fn what_may_be_a_day() {
        for yes in [
            "15 December 2010",
            "Dec 15 08:30:00 UTC 2010",
            "15.12.10 8",
            "28.09.1912:44",
            "24 Azar 1389",
            "15/12/2553",
            "15 Dec '10, 83",
            "民國109.5.3",
            "18年3月8日",
            "二零一零-12-15 5",
        ] {
            assert!(may_hold(yes, &Hints::default(), false), "{yes}");
        }
        for no in ["© 2010 Harbour Gazette", "1,234,567 readers", "20101215", "Call 555 12345", "December"] {
            assert!(!may_hold(no, &Hints::default(), false), "{no}");
        }
        assert!(may_hold("20101215", &Hints::default(), true));
        let thai = Hints { language: Some("th"), ..Hints::default() };
        assert!(may_hold("15 Dec 53, 1 h", &thai, false));
    }
}
