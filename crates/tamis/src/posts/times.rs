//! Times beside posts: whether a line tells one, and which.
//!
//! A line of a text may have a number and the name of a month as well; so what is asked for here is a day, a time of day or
//! a span of time ("3 days ago"), not a word that begins like one.

use super::Post;
use crate::characters::is_number;
use crate::facts::dates::{Dated, Hints, Moment, find, order, tells_day};
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

/// What the words of a post tell, day first, where its time was read from them: data are clear.
fn own(post: &Post) -> Option<Dated> {
    let dated = find(post.time_text.as_deref()?, &Hints::default()).into_iter().next()?;
    let time = post.time.as_deref()?;
    let is = |moment: &Moment| moment.to_string() == time;
    (is(&dated.moment) || dated.other.as_ref().is_some_and(is)).then_some(dated)
}

/// Both readings of 3/4/2021 beside a post, day first and month first.
pub(super) fn readings(post: &Post) -> Option<[Moment; 2]> {
    let dated = own(post)?;
    dated.other.map(|other| [dated.moment, other])
}

/// Puts day and month in order in the times of posts; what would lie behind the fetch is meant the other way.
pub(super) fn settle(posts: &mut [Post], month_first: bool, fetched: Option<Moment>) {
    let is_ahead = |moment: &Moment| fetched.is_some_and(|fetched| moment.is_after(&fetched));
    for post in posts {
        if let Some(both) = readings(post) {
            let (chosen, other) = (both[usize::from(month_first)], both[usize::from(!month_first)]);
            let chosen = if is_ahead(&chosen) && !is_ahead(&other) { other } else { chosen };
            post.time = Some(chosen.to_string());
        }
    }
}

/// Does one of the posts say 3/14/2021, so that the month comes first in all? Nothing where they disagree.
pub(crate) fn order_said(posts: &[Post]) -> Option<bool> {
    let mut orders = posts.iter().filter_map(|post| order(post.time_text.as_deref()?));
    let first = orders.next()?;
    orders.all(|other| other == first).then_some(first)
}

/// Does the month come first in the times of posts, which follow each other? Where both ways do, posts of four days are likelier
/// than posts of four months.
pub(crate) fn order_in_thread(posts: &[Post]) -> Option<bool> {
    let mut days: [Vec<i64>; 2] = [Vec::new(), Vec::new()];
    let mut open = 0;
    for post in posts {
        match (readings(post), post.time.as_deref().and_then(Moment::read)) {
            (Some(both), _) => {
                open += 1;
                days.iter_mut().zip(both).for_each(|(days, moment)| days.push(moment.day_number()));
            }
            (None, Some(moment)) => days.iter_mut().for_each(|days| days.push(moment.day_number())),
            (None, None) => {}
        }
    }
    if open < 2 {
        return None;
    }
    let rises = |days: &[i64]| days.is_sorted() || days.iter().rev().is_sorted();
    let span =
        |days: &[i64]| days.iter().max().zip(days.iter().min()).map_or(0, |(last, first)| last - first);
    let [day_first, month_first] = &days;
    match (rises(day_first), rises(month_first)) {
        (true, false) => Some(false),
        (false, true) => Some(true),
        (true, true) if span(day_first) != span(month_first) => Some(span(month_first) < span(day_first)),
        _ => None,
    }
}

/// The time that a text tells in numbers, year first. This is what structure is known by: it is asked of every element.
pub(super) fn read_numbers(text: &str) -> Option<String> {
    ReportTime::find(text).map(|time| time.to_string())
}

/// Is a text a day and a time of day in numbers, and nothing else: `2013-4-13 02:30:58`?
pub(super) fn is_whole(text: &str) -> bool {
    let text = text.trim().as_bytes();
    let is_part =
        |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'/' | b'.' | b':' | b' ' | b'T');
    (12..=19).contains(&text.len())
        && text[..4].iter().all(u8::is_ascii_digit)
        && text.iter().all(is_part)
        && text.contains(&b':')
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
            || tells_day(text))
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
    is_of_change(&small) || OF_WRITERS.iter().any(|says| small.contains(says))
}

/// Words before the time in a line, in small letters, that tells who changed a post and when. A button beside a time may say "edit" as well, so these
/// say that it was done.
const CHANGED: &[&str] = &[
    "last modified",
    "bearbeitet",
    "zuletzt geändert",
    "dernière modification",
    "dernière édition",
    "modifié par",
    "última edición",
    "editado por",
    "editado pela última",
    "ultima modifica",
    "modificato da",
    "laatst bewerkt",
    "отредактировано",
    "отредактировал",
    "последний раз редактировал",
    "最后编辑",
    "最後編輯",
    "最后修改",
    "最後修改",
];

/// "本帖最后由 小雨 于 2010-3-4 编辑", "此帖被小雨在2010-3-4重新编辑", "[ بۇ يازما ئايگۈل تەرىپىدىن 2010-03-04 دە قايتا ]".
fn is_of_change(small: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| small.contains(word));
    let changed_in_chinese = || {
        has(&["本帖", "本贴", "此帖", "此贴", "该帖", "最后由", "最後由"])
            && has(&["编辑", "編輯", "修改"])
            && has(&["由", "被"])
    };
    // The words for what was done may be cut off; whoever only posted it did that: يوللىدى.
    let changed_in_uyghur = || has(&["تەرپىدىن", "تەرىپىدىن"]) && !has(&["يوللا", "يوللى"]);
    // "3 May 2010 (last modified 4 May 2010)" tells first when it was written.
    let before = small.find(|c: char| c.is_ascii_digit()).map_or(small, |at| &small[..at]);
    let is_changed = CHANGED.iter().any(|word| before.contains(word));
    is_changed
        || has(&["edited", "تەھرىرلەن"])
        || (!small.is_ascii() && (changed_in_chinese() || changed_in_uyghur()))
}

/// What a line begins with, in small letters, that tells when something comes out, arrives or takes place.
const OF_THINGS: &[&str] = &[
    "release date",
    "released",
    "get it by",
    "get it as soon as",
    "arrives",
    "delivery",
    "delivered",
    "estimated delivery",
    "ships",
    "in stock",
    "available from",
    "available until",
    "event date",
    "expires",
    "expiry",
    "valid until",
    "valid through",
    "deadline",
    "sale ends",
    "offer ends",
    "erscheinungsdatum",
    "lieferung",
    "date de sortie",
    "livraison",
    "fecha de lanzamiento",
];

/// Does a line with a time tell of goods and events, and not when something was written?
pub(super) fn is_of_thing(line: &str) -> bool {
    let line = line.trim_start();
    OF_THINGS.iter().any(|says| line.get(..says.len()).is_some_and(|start| start.eq_ignore_ascii_case(says)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_on_which_a_writer_joined_is_not_when_the_post_was_written() {
        assert!(is_of_writer("Joined: Thu Sep 13, 2012 9:28 am") && is_of_writer("Inscrit le: 03 Mai 2004"));
        assert!(!is_of_writer("Posted: Thu Sep 13, 2012 9:28 am") && !is_of_writer("2012-09-13"));
    }

    #[test]
    fn who_changed_a_post_said_when_it_was_written() {
        for line in [
            "[ بۇ يازما ئايگۈل تەرىپىدىن2010-03-04 11:22دە قايتا ]",
            "本帖最后由 小雨 于 2010-3-4 11:22 编辑",
            "[ 此帖被小雨在2010-03-04 11:22重新编辑 ]",
            "Zuletzt bearbeitet von Anna am 4. März 2010, 11:22",
            "Last edited by Ada on 4 Mar 2010 11:22, edited 1 time in total.",
            "Последний раз редактировалось Анной 04.03.2010 11:22, отредактировано всего раз: 1",
        ] {
            assert!(is_of_writer(line), "{line}");
        }
        for line in [
            "Ada - 4 March 2010 (last modified 5 March 2010)",
            "发表于 2010-3-4 11:22 | 编辑",
            "Edit 2010-03-04 11:22",
            "2010-03-04 ئايگۈل تەرىپىدىن يوللاندى",
        ] {
            assert!(!is_of_writer(line), "{line}");
        }
    }

    #[test]
    fn days_of_releases_and_deliveries_were_times_of_posts() {
        assert!(is_of_thing("Release date: March 12, 2021") && is_of_thing("Get it by Thu, Mar 12"));
        assert!(!is_of_thing("Posted: March 12, 2021") && !is_of_thing("March 12, 2021"));
    }

    #[test]
    fn other_posts_settle_the_order_of_day_and_month() {
        let post = |text: &&str| {
            let mut post = Post::new(crate::page::Page::parse("").dom().root().id(), 0..0);
            (post.time, post.time_text) = (read(text), Some((*text).to_owned()));
            post
        };
        let times = |texts: &[&str], month_first, fetched: Option<&str>| {
            let mut posts: Vec<Post> = texts.iter().map(post).collect();
            settle(&mut posts, month_first, fetched.and_then(Moment::read));
            posts.into_iter().map(|post| post.time.unwrap_or_default()).collect::<Vec<_>>()
        };
        assert_eq!(times(&["3/4/2021", "3/14/2021"], true, None), ["2021-03-04", "2021-03-14"]);
        assert_eq!(times(&["3/4/2021", "14/3/2021"], false, None), ["2021-04-03", "2021-03-14"]);
        assert_eq!(times(&["3/4/2021"], false, Some("2021-03-20")), ["2021-03-04"], "behind the fetch");
        let posts = |texts: &[&str]| texts.iter().map(post).collect::<Vec<Post>>();
        assert_eq!(order_said(&posts(&["3/4/2021", "3/14/2021"])), Some(true));
        assert_eq!(order_said(&posts(&["3/4/2021", "14/3/2021"])), Some(false));
        assert_eq!(order_said(&posts(&["3/4/2021", "May 5, 2021"])), None);
    }

    #[test]
    fn four_days_of_a_thread_became_four_months() {
        let order = |texts: &[&str]| {
            let post = |text: &&str| {
                let mut post = Post::new(crate::page::Page::parse("").dom().root().id(), 0..0);
                (post.time, post.time_text) = (read(text), Some((*text).to_owned()));
                post
            };
            order_in_thread(&texts.iter().map(post).collect::<Vec<Post>>())
        };
        assert_eq!(order(&["3/4/2021", "3/5/2021", "3/6/2021", "3/7/2021"]), Some(true));
        assert_eq!(order(&["4/3/2021", "5/3/2021", "6/3/2021"]), Some(false));
        assert_eq!(
            order(&["11/3/2021", "12/3/2021", "1/4/2021"]),
            Some(false),
            "only so they follow each other"
        );
        assert_eq!(order(&["3/4/2021"]), None);
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
