//! Dates in many languages, with what they mean, and texts that are no dates: `dates/*.tsv`, a line each.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::HashSet;

use proptest::prelude::*;
use tamis::facts::dates::{Hints, Moment, find, read};

const BY_HAND: &str = include_str!("dates/by_hand.tsv");
const BY_CLDR: &str = include_str!("dates/by_cldr.tsv");

/// Language, meaning and text of each line.
fn lines() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let lines = BY_HAND.lines().chain(BY_CLDR.lines()).filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let mut parts = line.splitn(3, '\t');
        (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap())
    })
}

fn hints(language: &str) -> Hints<'_> {
    let fetched = Moment::read("2021-03-04T12:00:00Z");
    Hints { language: Some(language), fetched, month_first: Some(language == "en") }
}

#[test]
fn dates_mean_what_they_say() {
    let (mut wrong, mut count, mut languages) = (Vec::new(), 0, HashSet::new());
    for (language, meaning, text) in lines().filter(|(_, meaning, _)| *meaning != "-") {
        let found = find(text, &hints(language));
        let first = found.first().map(|dated| dated.moment.to_string());
        if first.as_deref() != Some(meaning) {
            wrong.push(format!("{language} {text:?}: {first:?} instead of {meaning}"));
        }
        count += 1;
        languages.insert(language.split('-').next().unwrap());
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 400 && languages.len() >= 40, "{count} in {}", languages.len());
}

#[test]
fn what_is_no_date_gives_none() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (language, _, text) in lines().filter(|(_, meaning, _)| *meaning == "-") {
        count += 1;
        if let Some(found) = find(text, &hints(language)).into_iter().next() {
            wrong.push(format!("{language} {text:?}: {}", found.moment));
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 100, "{count}");
}

#[test]
fn without_a_fetch_time_nothing_is_relative() {
    for text in ["3 hours ago", "yesterday", "3小时前", "15 Dec", "15. Dezember", "12月15日"] {
        assert_eq!(find(text, &Hints::default()), [], "{text}");
    }
}

#[test]
fn a_day_without_a_year_is_the_last_such_day() {
    let day = |text: &str| find(text, &hints("en")).first().map(|dated| dated.moment.to_string());
    assert_eq!(day("15 Dec").as_deref(), Some("2020-12-15"));
    assert_eq!(day("March 1").as_deref(), Some("2021-03-01"));
    assert_eq!(day("12月15日").as_deref(), Some("2020-12-15"));
    let german = find("15. Dezember", &hints("de"));
    assert_eq!(german.first().map(|dated| dated.moment.to_string()).as_deref(), Some("2020-12-15"));
}

#[test]
fn values_may_be_bare_numbers() {
    let value = |text: &str| read(text, &Hints::default()).map(|moment| moment.to_string());
    assert_eq!(value("20101215").as_deref(), Some("2010-12-15"));
    assert_eq!(value("201012150830").as_deref(), Some("2010-12-15T08:30"));
    assert_eq!(value("20101215083015").as_deref(), Some("2010-12-15T08:30:15"));
    assert_eq!(value("20101215T083015Z").as_deref(), Some("2010-12-15T08:30:15Z"));
    assert_eq!(value("1292401815").as_deref(), Some("2010-12-15T08:30:15Z"));
    assert_eq!(value("1292401815000").as_deref(), Some("2010-12-15T08:30:15Z"));
    assert_eq!(value("2010-12-15/16"), Some("2010-12-15".into()));
    assert_eq!(value("99999999"), None);
    assert_eq!(value("0"), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    /// No text breaks the reader, and what it finds lies inside the text.
    #[test]
    fn any_text_is_read_without_a_panic(
        parts in prop::collection::vec(prop_oneof![
            Just("15".to_owned()), Just("2010".to_owned()), Just("12".to_owned()), Just("年".to_owned()), Just("月".to_owned()),
            Just("-".to_owned()), Just(".".to_owned()), Just("/".to_owned()), Just(":".to_owned()), Just(" ".to_owned()), Just("Dec".to_owned()),
            Just("民國".to_owned()), Just("十二".to_owned()), Just("ago".to_owned()), Just("hours".to_owned()), Just("+0800".to_owned()), Just("T".to_owned()),
            Just("am".to_owned()), Just("١٥".to_owned()), Just("كانون".to_owned()), Just("ธ.ค.".to_owned()), Just("'".to_owned()), Just("h".to_owned()), "\\PC{0,4}",
        ], 0..14),
        language in prop_oneof![Just("en"), Just("zh"), Just("fa"), Just("th"), Just("")],
    ) {
        let text = parts.concat();
        for dated in find(&text, &hints(language)) {
            prop_assert!(text.get(dated.place.clone()).is_some());
        }
        let _ = read(&text, &hints(language));
    }
}
