//! The time of day and the offset that stand beside a date.

use super::tokens::Token;

/// A time of day, as far as it is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Clock {
    pub(super) hour: u8,
    pub(super) minute: Option<u8>,
    pub(super) second: Option<u8>,
    pub(super) offset: Option<i16>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    First,
    Noon,
    Second,
    /// From dusk on: its twelfth hour is the first of the next day.
    Night,
}

/// The clock that begins at a token, and the place behind it.
pub(super) fn clock(tokens: &[Token<'_>], at: usize, language: Option<&str>) -> Option<(Clock, usize)> {
    let mut at = at;
    let mut half = half_at(tokens, &mut at);
    let token = tokens.get(at)?;
    let hour = token.number().filter(|_| token.digits <= 2)?;
    let at_hour = at;
    at += 1;
    let (mut minute, mut second) = (None, None);
    let unit = tokens.get(at)?;
    // 083000 is read by `compact`.
    match (unit.mark(), unit.text) {
        (Some(':'), _) => {
            // 2:1 is a result.
            minute = Some(two_digits(tokens, at + 1).filter(|_| tokens[at + 1].digits == 2)?);
            at += 2;
            if tokens.get(at).is_some_and(|it| it.mark() == Some(':'))
                && let Some(value) = two_digits(tokens, at + 1)
            {
                second = Some(value);
                at += 2;
                if tokens.get(at).is_some_and(|it| matches!(it.mark(), Some('.' | ',')))
                    && tokens.get(at + 1).is_some_and(|it| it.number().is_some() && !it.spaced)
                {
                    at += 2;
                }
            }
        }
        (Some('.'), _) if !unit.spaced => {
            // 8.30 is a clock only where a word says so.
            minute = Some(two_digits(tokens, at + 1)?);
            at += 2;
            // The word may have a full stop of its own: kl. 8.30
            let before = tokens[..at - 3].iter().rev().find(|it| it.is_word() || it.number().is_some());
            let before = before.map(|it| it.text.to_lowercase());
            let said = before.is_some_and(|word| {
                ["klo", "kl", "ore", "um", "pukul", "saat", "ob"].contains(&word.as_str())
            });
            let follows = tokens.get(at).is_some_and(|it| {
                let word = it.text.to_lowercase();
                ["uhr", "uur", "wib", "wita", "wit", "am", "pm", "hs", "h", "gmt", "bst", "utc"]
                    .contains(&word.as_str())
            });
            (said || follows).then_some(())?;
        }
        (_, "时" | "時" | "点" | "點" | "시" | "ч") => {
            at += 1;
            if let Some(value) = before_unit(tokens, at, &["分", "분"]) {
                minute = Some(value);
                at += 2;
                if let Some(value) = before_unit(tokens, at, &["秒", "초"]) {
                    second = Some(value);
                    at += 2;
                }
            }
        }
        (_, "h" | "H" | "u" | "hs")
            if !unit.spaced || tokens.get(at + 1).is_none() || is_spaced_minute(tokens, at + 1) =>
        {
            let is_spaced = unit.spaced;
            at += 1;
            if let Some(value) =
                two_digits(tokens, at).filter(|_| tokens.get(at).is_some_and(|it| it.spaced == is_spaced))
            {
                minute = Some(value);
                at += 1;
            }
        }
        (_, word) if is_half(word) => {}
        _ => return None,
    }
    if half.is_none() {
        half = half_at(tokens, &mut at);
    }
    let hour = match half {
        Some(Half::First) if hour == 12 => 0,
        // Whoever writes so means midnight, and the day before or behind it.
        Some(Half::Night) if hour == 12 => return None,
        Some(Half::Second | Half::Night) if hour < 12 => hour + 12,
        // 中午11点 is before noon, 中午1点 behind it.
        Some(Half::Noon) if hour < 6 => hour + 12,
        _ => hour,
    };
    let goes_on = tokens.get(at).is_some_and(|it| it.number().is_some() && !it.spaced);
    if hour > 23 || minute.unwrap_or(0) > 59 || second.unwrap_or(0) > 60 || goes_on {
        return None;
    }
    // A leap second is told as the one before it.
    let second = second.map(|second| second.min(59));
    let mut clock = Clock { hour: hour as u8, minute, second, offset: None };
    // With seconds or a T before it, whatever is signed behind it is an offset.
    let is_plain = second.is_none() && !is_behind_t(tokens, at_hour);
    let now = i64::from(clock.hour) * 60 + i64::from(clock.minute.unwrap_or(0));
    if let Some((offset, behind)) = offset(tokens, at, language)
        && !(is_plain && is_range_or_count(tokens, at, behind, now))
    {
        clock.offset = Some(offset);
        at = behind;
    }
    Some((clock, at))
}

/// Does a T stand right before an hour: 2010-12-15T08:30?
fn is_behind_t(tokens: &[Token<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    before.is_some_and(|it| it.text == "T") && tokens.get(at).is_some_and(|it| !it.spaced)
}

/// Is what looks like an offset the end of a span (10:00-11:30), or a number of something (8:30 +12 votes)?
fn is_range_or_count(tokens: &[Token<'_>], at: usize, behind: usize, now: i64) -> bool {
    let Some(sign) = tokens.get(at).and_then(Token::mark).filter(|mark| matches!(mark, '+' | '-')) else {
        return false;
    };
    let number = |place: usize| tokens.get(place).and_then(Token::number).map_or(0, |it| it as i64);
    // With its minutes it ends where they do.
    if behind == at + 4 {
        return sign == '-' && number(at + 1) * 60 + number(at + 3) > now;
    }
    tokens.get(behind).is_some_and(|it| it.is_word() && it.spaced && zone(it.text, None).is_none())
}

/// The clock of `20101215T083000Z`.
pub(super) fn compact(tokens: &[Token<'_>], at: usize) -> Option<(Clock, usize)> {
    let token = tokens.get(at).filter(|token| matches!(token.digits, 4 | 6))?;
    let value = token.number()?;
    let (hour, minute, second) = match token.digits {
        4 => (value / 100, value % 100, None),
        _ => (value / 10_000, value / 100 % 100, Some(value % 100)),
    };
    if hour > 23 || minute > 59 || second.unwrap_or(0) > 59 {
        return None;
    }
    let mut clock = Clock {
        hour: hour as u8,
        minute: Some(minute as u8),
        second: second.map(|it| it as u8),
        offset: None,
    };
    let mut behind = at + 1;
    if let Some((offset, end)) = offset(tokens, behind, None) {
        clock.offset = Some(offset);
        behind = end;
    }
    Some((clock, behind))
}

fn two_digits(tokens: &[Token<'_>], at: usize) -> Option<u8> {
    let token = tokens.get(at).filter(|token| (1..=2).contains(&token.digits))?;
    token.number().filter(|&value| value < 100).map(|value| value as u8)
}

/// The minutes of 8 h 30.
fn is_spaced_minute(tokens: &[Token<'_>], at: usize) -> bool {
    tokens
        .get(at)
        .is_some_and(|it| it.spaced && it.digits == 2 && it.number().is_some_and(|value| value < 60))
}

fn before_unit(tokens: &[Token<'_>], at: usize, units: &[&str]) -> Option<u8> {
    let value = two_digits(tokens, at)?;
    tokens.get(at + 1).filter(|unit| units.contains(&unit.text)).map(|_| value)
}

fn is_half(word: &str) -> bool {
    half(word).is_some()
}

fn half(word: &str) -> Option<Half> {
    Some(match word {
        "am" | "AM" | "Am" | "오전" | "ص" | "SA" | "πμ" | "पूर्वाह्न" => Half::First,
        "pm" | "PM" | "Pm" | "오후" | "م" | "CH" | "μμ" | "अपराह्न" => Half::Second,
        _ => return None,
    })
}

/// A word for a half of the day; steps behind it.
fn half_at(tokens: &[Token<'_>], at: &mut usize) -> Option<Half> {
    // Every token of a text is asked. In ASCII, such a word has two letters at most.
    let token = tokens.get(*at).filter(|token| token.is_word())?;
    if token.text.len() > 2 && token.text.as_bytes()[0].is_ascii() {
        return None;
    }
    if let Some(half) = half(token.text) {
        *at += 1;
        return Some(half);
    }
    let next = tokens.get(*at + 1)?;
    // a.m., p. m.
    if matches!(token.text, "a" | "A" | "p" | "P" | "π" | "μ") && next.mark() == Some('.') {
        tokens.get(*at + 2).filter(|last| matches!(last.text, "m" | "M" | "μ"))?;
        *at += 3;
        if tokens.get(*at).is_some_and(|it| it.mark() == Some('.')) {
            *at += 1;
        }
        return Some(if matches!(token.text, "a" | "A" | "π") { Half::First } else { Half::Second });
    }
    let half = match (token.text, next.text) {
        ("上", "午") | ("凌", "晨") | ("清", "晨") | ("早", "上" | "晨") | ("午", "前") => {
            Half::First
        }
        ("中" | "正", "午") => Half::Noon,
        ("下", "午") | ("傍", "晚") | ("午", "後" | "后") => Half::Second,
        ("晚" | "深", "上" | "夜") | ("晚" | "夜", "间" | "間") => Half::Night,
        _ => return None,
    };
    *at += 2;
    Some(half)
}

/// Minutes ahead of UTC: Z, +08:00, GMT+8, CET.
fn offset(tokens: &[Token<'_>], at: usize, language: Option<&str>) -> Option<(i16, usize)> {
    let mut at = at;
    if tokens.get(at).is_some_and(|token| token.mark() == Some('(')) {
        at += 1;
    }
    let token = tokens.get(at)?;
    if token.is_word() {
        let named = zone(token.text, language)?;
        // GMT+8, UTC+01:00
        if named == 0
            && let Some((signed, behind)) = signed_offset(tokens, at + 1)
        {
            return Some((signed, behind));
        }
        return Some((named, at + 1));
    }
    signed_offset(tokens, at)
}

fn signed_offset(tokens: &[Token<'_>], at: usize) -> Option<(i16, usize)> {
    let sign = match tokens.get(at)?.mark()? {
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    let number = tokens.get(at + 1).filter(|it| !it.spaced)?;
    let value = number.number()? as i64;
    let (minutes, behind) = match number.digits {
        4 => (value / 100 * 60 + value % 100, at + 2),
        1 | 2 => {
            let rest = tokens.get(at + 2).filter(|it| it.mark() == Some(':') && !it.spaced);
            match rest.and_then(|_| two_digits(tokens, at + 3)) {
                Some(rest) => (value * 60 + i64::from(rest), at + 4),
                // A dash and a number are a range, not an offset.
                None if sign < 0 && tokens[at].spaced => return None,
                None => (value * 60, at + 2),
            }
        }
        _ => return None,
    };
    (minutes <= 14 * 60).then_some((sign * minutes as i16, behind))
}

fn zone(name: &str, language: Option<&str>) -> Option<i16> {
    let chinese = language.is_some_and(|language| language.starts_with("zh"));
    Some(match name {
        "Z" | "z" | "UTC" | "UT" | "GMT" | "WET" => 0,
        "CET" | "MEZ" | "BST" | "WAT" => 60,
        "CEST" | "MESZ" | "EET" | "SAST" | "CAT" => 120,
        "EEST" | "MSK" | "EAT" | "TRT" | "МСК" => 180,
        "IST" => 330,
        "WIB" | "ICT" => 420,
        "HKT" | "SGT" | "PHT" | "WITA" | "AWST" => 480,
        "CST" if chinese => 480,
        "JST" | "KST" | "WIT" => 540,
        "AEST" => 600,
        "AEDT" => 660,
        "NZST" => 720,
        "NZDT" => 780,
        "EDT" => -240,
        "EST" | "CDT" => -300,
        "CST" | "MDT" => -360,
        "MST" | "PDT" => -420,
        "PST" => -480,
        "BRT" | "ART" => -180,
        _ => return None,
    })
}
