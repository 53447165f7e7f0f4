//! A cheap look at a text before it is taken apart: most texts have no date.

use super::numerals::digit;

/// Could there be a date? Most texts have nothing of one: no four digits, no numerals with a year.
pub(super) fn may_hold(text: &str) -> bool {
    let bytes = text.as_bytes();
    // By chunks without a way out, which the compiler turns into vector code.
    let (mut digits, mut highest) = (0_usize, 0_u8);
    for chunk in bytes.chunks(128) {
        digits += usize::from(chunk.iter().fold(0_u8, |sum, byte| sum + u8::from(byte.is_ascii_digit())));
        highest = chunk.iter().fold(highest, |highest, byte| highest.max(*byte));
    }
    if digits >= 4 {
        return true;
    }
    // Digits of other scripts, and Chinese numerals before 年.
    highest >= 0xD9 && text.chars().any(|c| c == '年' || (!c.is_ascii() && digit(c).is_some()))
}

/// Could there be words that count from the time the page was fetched? They stand in short lines.
pub(super) fn may_count_back(text: &str) -> bool {
    text.len() <= 120 || text.bytes().any(|byte| byte.is_ascii_digit())
}
