//! Times beside posts: whether a line tells one, and which.
//!
//! A line of a text may have a number and the name of a month as well; so what is asked for here is a day, a time of day or
//! a span of time ("3 days ago"), not a word that begins like one.

use crate::report_time::ReportTime;

/// The one place where times are read.
pub(super) fn read(text: &str) -> Option<String> {
    ReportTime::find(text).map(|time| time.to_string())
}

/// Does a short text tell when something was said?
pub(super) fn tells(text: &str) -> bool {
    if !text.chars().any(char::is_numeric) {
        return false;
    }
    has_clock(text) || has_day_in_numbers(text) || ReportTime::find(text).is_some() || has_month_or_span(text)
}

/// `8:30`.
fn has_clock(text: &str) -> bool {
    text.as_bytes().windows(4).any(|four| {
        four[0].is_ascii_digit() && four[1] == b':' && four[2].is_ascii_digit() && four[3].is_ascii_digit()
    })
}

/// `3/14/2010`, `14.3.10`.
fn has_day_in_numbers(text: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_digit() || "/.-".contains(c))).any(|word| {
        ['/', '.', '-'].into_iter().any(|mark| {
            let parts: Vec<&str> = word.trim_matches(['.', '-']).split(mark).collect();
            let is_number = |part: &&str| (1..=4).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
            matches!(parts.as_slice(), [day, month, year] if day.len() <= 2 && month.len() <= 2 && (year.len() == 2 || year.len() == 4)
                && parts.iter().all(is_number))
        })
    })
}

/// `3 May`, `May 3, 2010`, `2 days ago`, `3小时前`.
fn has_month_or_span(text: &str) -> bool {
    let small = text.to_lowercase();
    if SPANS.iter().any(|span| small.contains(span)) {
        return true;
    }
    let words: Vec<&str> =
        small.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_number = |word: Option<&&str>| {
        word.is_some_and(|word| {
            let digits = word.bytes().take_while(u8::is_ascii_digit).count();
            (1..=2).contains(&digits) && word.len() <= digits + 2 || (digits == 4 && word.len() == 4)
        })
    };
    words.iter().enumerate().any(|(at, word)| {
        let is_month = word.chars().count() <= 10 && MONTHS.iter().any(|month| word.starts_with(month));
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        is_month && (is_number(before) || is_number(words.get(at + 1)))
    })
}

/// Spans of time that have gone by.
const SPANS: [&str; 27] = [
    " ago",
    "秒前",
    "小时前",
    "分钟前",
    "天前",
    "个月前",
    "年前",
    "小時前",
    "分鐘前",
    "日前",
    "時間前",
    "昨天",
    "前天",
    "昨日",
    "today",
    "yesterday",
    "분 전",
    "시간 전",
    "назад",
    "il y a ",
    "vor ",
    "hace ",
    "há ",
    "منذ",
    "بۇرۇن",
    "ئىلگىرى",
    "hier",
];

/// How the names of months begin, where letters have case; other scripts write months with numbers.
const MONTHS: [&str; 40] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mär", "mai", "okt",
    "dez", "fév", "avr", "juin", "juil", "aoû", "déc", "ene", "abr", "ago", "dic", "янв", "фев", "мар",
    "апр", "мая", "июн", "июл", "авг", "сен", "окт", "ноя", "дек", "gen", "mag",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_tell_a_time() {
        for yes in [
            "Posted: Sun May 02, 2010 4:41 pm",
            "3 days ago",
            "发表于 2010-3-4 11:22",
            "3小时前",
            "14 мая 2012",
            "1 Mar",
            "5/21/2024",
            "昨天 12:30",
        ] {
            assert!(tells(yes), "{yes}");
        }
        for no in [
            "Is $100,000 Enough to Renovate a House?",
            "6. Track Usage with Smart Plugs",
            "2. Check The Market",
            "Subscriptions start at $149/month",
            "10 Best Screen Recorders",
            "version 1.2.3",
            "",
        ] {
            assert!(!tells(no), "{no}");
        }
    }
}
