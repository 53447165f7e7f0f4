//! Times beside posts: whether a line tells one, and which.
//!
//! A line of a text may have a number and the name of a month as well; so what is asked for here is a day, a time of day or
//! a span of time ("3 days ago"), not a word that begins like one.

use super::Post;
use crate::characters::{is_letter_or_number, is_number};
use crate::facts::dates::{Dated, Hints, Moment, find, order};
use crate::report_time::ReportTime;

/// The time that a text tells, in any of the forms that the facts of a page are read in.
pub(super) fn read(text: &str) -> Option<String> {
    find(text, &Hints::default()).first().map(|dated| dated.moment.to_string())
}

/// The time that an attribute tells beside the words of its element.
pub(super) fn read_beside(told: &str, words: &str) -> Option<String> {
    let first = |text: &str| find(text, &Hints::default()).first().map(|dated| dated.moment);
    first(told).map(|moment| moment.corrected_by(first(words)).to_string())
}

/// The same, counted from when the page was fetched.
pub(super) fn read_since(text: &str, fetched: Moment, language: Option<&str>) -> Option<String> {
    let hints = Hints { fetched: Some(fetched), language, ..Hints::default() };
    find(text, &hints).first().map(|dated| dated.moment.to_string())
}

/// Settles 3/4/2021 by the other posts of a thread: where one of them says 3/14/2021, the month comes first in all; where
/// none says anything, the language of the page does.
pub(super) fn settle(posts: &mut [Post], language: Option<&str>) {
    let dated = |post: &Post, month_first: bool| {
        let text = post.time_text.as_deref()?;
        find(text, &Hints { month_first: Some(month_first), ..Hints::default() }).into_iter().next()
    };
    // Only what was read from the words themselves: data are clear.
    let is_own = |post: &Post, dated: &Dated| post.time.as_deref() == Some(dated.moment.to_string().as_str());
    let open: Vec<usize> = (0..posts.len())
        .filter(|&place| {
            dated(&posts[place], false).is_some_and(|it| it.other.is_some() && is_own(&posts[place], &it))
        })
        .collect();
    if open.is_empty() {
        return;
    }
    let is_american =
        language.is_some_and(|it| it.eq_ignore_ascii_case("en-us") || it.eq_ignore_ascii_case("en"));
    let month_first =
        posts.iter().filter_map(|post| order(post.time_text.as_deref()?)).next().unwrap_or(is_american);
    if !month_first {
        return;
    }
    for place in open {
        if let Some(dated) = dated(&posts[place], true) {
            posts[place].time = Some(dated.moment.to_string());
        }
    }
}

/// The time that a text tells in numbers, year first. This is what structure is known by: it is asked of every element.
pub(super) fn read_numbers(text: &str) -> Option<String> {
    ReportTime::find(text).map(|time| time.to_string())
}

/// Does a short text tell when something was said?
pub(super) fn tells(text: &str) -> bool {
    // Without a way out, which the compiler turns into vector code: most texts have no digit.
    let has_digit = text.bytes().fold(false, |found, byte| found | byte.is_ascii_digit());
    let is_ascii = text.is_ascii();
    let has_number = has_digit || (!is_ascii && text.chars().any(is_number));
    // A year, a month and a day have six digits and more; without them other scripts may have numerals.
    let may_report = || !is_ascii || text.bytes().filter(u8::is_ascii_digit).count() >= 6;
    has_number
        && (has_clock(text)
            || has_day_in_numbers(text)
            || (may_report() && ReportTime::find(text).is_some())
            || has_month_or_span(text))
}

/// Words before a time that is one of the writer's, in small letters: when they joined, when they were last seen.
pub(crate) const OF_WRITERS: &[&str] = &[
    "joined",
    "join date",
    "join:",
    "registered",
    "member since",
    "user since",
    "last visit",
    "last active",
    "last seen",
    "last login",
    "inscrit",
    "registriert",
    "beigetreten",
    "dabei seit",
    "mitglied seit",
    "registrado",
    "miembro desde",
    "iscritto",
    "зарегистрирован",
    "регистрация",
    // The longer words too, or the next word, "time", would say another thing.
    "注册",
    "注册时间",
    "注册日期",
    "註冊時間",
    "加入时间",
    "最后登录时间",
    "註冊",
    "加入",
    "登録日",
    "最后登录",
    "最後登錄",
    "تىزىملاتقان",
    "ئاخىرقى",
];

/// Does a line with a time tell something of the writer, or of a change, and not when the post was written?
pub(super) fn is_of_writer(line: &str) -> bool {
    let small = line.to_lowercase();
    small.contains("edited") || OF_WRITERS.iter().any(|says| small.contains(says))
}

/// Does a text end with a time of day: `8:30`, `20:30:15`?
pub(super) fn ends_with_clock(text: &str) -> bool {
    let bytes = text.trim_end().as_bytes();
    match bytes {
        [.., hour, b':', one, two] => [hour, one, two].iter().all(|byte| byte.is_ascii_digit()),
        _ => false,
    }
}

/// `8:30`.
fn has_clock(text: &str) -> bool {
    text.contains(':')
        && text.as_bytes().windows(4).any(|four| {
            four[0].is_ascii_digit()
                && four[1] == b':'
                && four[2].is_ascii_digit()
                && four[3].is_ascii_digit()
        })
}

/// `3/14/2010`, `14.3.10`.
fn has_day_in_numbers(text: &str) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'/' | b'.' | b'-');
    // Three numbers and two marks have five bytes and more.
    text.as_bytes().split(|byte| !is_part(byte)).filter(|word| word.len() >= 5).any(|word| {
        let is_end = |byte: &&u8| matches!(byte, b'.' | b'-');
        let start = word.iter().take_while(is_end).count();
        let end = word.len() - word.iter().rev().take_while(is_end).count();
        let word = word.get(start..end).unwrap_or_default();
        [b'/', b'.', b'-'].into_iter().any(|mark| {
            let mut parts = word.split(|byte| *byte == mark);
            let is_number =
                |part: &[u8]| (1..=4).contains(&part.len()) && part.iter().all(u8::is_ascii_digit);
            matches!(
                (parts.next(), parts.next(), parts.next(), parts.next()),
                (Some(day), Some(month), Some(year), None)
                    if day.len() <= 2 && month.len() <= 2 && (year.len() == 2 || year.len() == 4)
                        && is_number(day) && is_number(month) && is_number(year)
            )
        })
    })
}

/// `3 May`, `May 3, 2010`, `2 days ago`, `3小时前`.
fn has_month_or_span(text: &str) -> bool {
    let small = text.to_lowercase();
    // What is not in the text with all its bytes is not in it.
    let mut bytes = [false; 256];
    small.bytes().for_each(|byte| bytes[usize::from(byte)] = true);
    let may_have = |span: &str| span.bytes().all(|byte| bytes[usize::from(byte)]);
    if SPANS.iter().any(|span| may_have(span) && small.contains(span)) {
        return true;
    }
    let is_number = |word: &str| {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        (1..=2).contains(&digits) && word.len() <= digits + 2 || (digits == 4 && word.len() == 4)
    };
    let is_month = |word: &str| {
        // Most words differ in the first two bytes already; all months have more.
        let begins = |month: &&str| {
            word.as_bytes().first_chunk::<2>() == month.as_bytes().first_chunk::<2>()
                && word.starts_with(month)
        };
        MONTHS.iter().any(begins) && word.len() <= 40 && word.chars().count() <= 10
    };
    // A month counts beside a number only, so no other word need be compared.
    let mut before: Option<(&str, bool)> = None;
    for word in small.split(|c: char| !is_letter_or_number(c)).filter(|word| !word.is_empty()) {
        let number = is_number(word);
        if before.is_some_and(|(before, is)| (is && is_month(word)) || (number && is_month(before))) {
            return true;
        }
        before = Some((word, number));
    }
    false
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
    fn the_day_on_which_a_writer_joined_is_not_when_the_post_was_written() {
        assert!(is_of_writer("Joined: Thu Sep 13, 2012 9:28 am") && is_of_writer("Inscrit le: 03 Mai 2004"));
        assert!(!is_of_writer("Posted: Thu Sep 13, 2012 9:28 am") && !is_of_writer("2012-09-13"));
    }

    #[test]
    fn other_posts_settle_the_order_of_day_and_month() {
        let post = |text: &str| {
            let mut post = Post::new(crate::page::Page::parse("").dom().root().id(), 0..0);
            (post.time, post.time_text) = (read(text), Some(text.to_owned()));
            post
        };
        let times = |texts: &[&str], language| {
            let mut posts: Vec<Post> = texts.iter().map(|text| post(text)).collect();
            settle(&mut posts, language);
            posts.into_iter().map(|post| post.time.unwrap_or_default()).collect::<Vec<_>>()
        };
        assert_eq!(times(&["3/4/2021", "3/14/2021"], None), ["2021-03-04", "2021-03-14"]);
        assert_eq!(times(&["3/4/2021", "14/3/2021"], Some("en-US")), ["2021-04-03", "2021-03-14"]);
        assert_eq!(times(&["3/4/2021", "May 5, 2021"], Some("en-US")), ["2021-03-04", "2021-05-05"]);
        assert_eq!(times(&["3/4/2021"], Some("de")), ["2021-04-03"]);
    }

    #[test]
    fn times_are_read_in_any_form_that_facts_know() {
        for (text, time) in [
            ("Posted: Sun May 02, 2010 4:41 pm", "2010-05-02T16:41"),
            ("14 мая 2012", "2012-05-14"),
            ("发表于 2010-3-4 11:22", "2010-03-04T11:22"),
            ("am 15. Dezember 2010 um 8:30 Uhr", "2010-12-15T08:30"),
        ] {
            assert_eq!(read(text).as_deref(), Some(time), "{text}");
        }
    }

    #[test]
    fn an_evening_was_a_morning() {
        let read = |told, words| read_beside(told, words).unwrap_or_default();
        assert_eq!(read("2005-11-08T 8:50:09", "Tue Nov 08, 2005 8:50 PM"), "2005-11-08T20:50:09");
        assert_eq!(read("2005-11-08T08:50:09", "8 November 2005, 8:50"), "2005-11-08T08:50:09");
        assert_eq!(read("2005-11-08T08:50:09", "8 November 2005, 20:51"), "2005-11-08T08:50:09");
        // Twelve hours ahead of Greenwich the same instant is said so.
        assert_eq!(read("2005-11-08T08:50:09Z", "8 November 2005, 8:50 PM"), "2005-11-08T08:50:09Z");
    }

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
