//! Detects texts shaped like a date or time, without parsing them.

use crate::text::lexicon::{AGO, MONTH};

/// The signs of years and months behind numbers in Chinese and Japanese.
const YEAR: &str = "\u{5E74}";
const MONTH_SIGN: &str = "\u{6708}";

/// Whether a short text looks like a date or time. `categories` are its lexicon categories.
pub(super) fn looks_like_date(text: &str, categories: u32) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    let (mut digit_runs, mut has_year, mut separators) = (0, false, 0);
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && bytes[at].is_ascii_digit() {
            at += 1;
        }
        let length = at - start;
        digit_runs += 1;
        has_year |= length == 4 && (bytes[start..].starts_with(b"19") || bytes[start..].starts_with(b"20"));
        if length <= 4
            && at + 1 < bytes.len()
            && matches!(bytes[at], b'-' | b'/' | b'.' | b':')
            && bytes[at + 1].is_ascii_digit()
        {
            separators += 1;
            if bytes[at] == b':' {
                return true;
            }
        }
        if [YEAR, MONTH_SIGN].iter().any(|sign| bytes[at..].starts_with(sign.as_bytes())) {
            return true;
        }
    }
    separators >= 2
        || (digit_runs > 0
            && (categories & AGO != 0 || (categories & MONTH != 0 && (has_year || digit_runs <= 3))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinguishes_dates_from_other_numbers() {
        let is_date = |text| looks_like_date(text, crate::text::lexicon::PHRASES.bits(text));
        for text in ["12 May 2019", "2019-05-12", "12.5.2019", "3 hours ago", "10:35 pm", "2019年5月"] {
            assert!(is_date(text), "{text}");
        }
        for text in ["3 comments", "version 1.2", "in 2019"] {
            assert!(!is_date(text), "{text}");
        }
    }
}
