//! Dates in many languages with their meanings, and texts without dates: `cases.tsv`, one per line.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tamis_dates::{Form, Hints, Moment, find, looks_like_date, read, read_url_date};

const CASES: &str = include_str!("cases.tsv");

fn moment(text: &str) -> Option<Moment> {
    Moment::parse_iso(text)
}

/// Language, meaning and text of each line.
fn cases() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let lines = CASES.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let (language, rest) = line.split_once('\t')?;
        rest.split_once('\t').map(|(meaning, text)| (language, meaning, text))
    })
}

fn hints(language: &str) -> Hints<'_> {
    Hints { language: Some(language), reference: moment("2021-03-04T12:00:00Z"), month_first: None }
}

/// Without a reference if the meaning is later than it.
fn hints_for(language: &'static str, meaning: &str) -> Hints<'static> {
    let hints = hints(language);
    let is_later =
        moment(meaning).zip(hints.reference).is_some_and(|(it, reference)| it.is_after(&reference));
    Hints { reference: hints.reference.filter(|_| !is_later), ..hints }
}

#[test]
fn dates_mean_what_they_say() {
    let (mut wrong, mut count, mut languages) = (Vec::new(), 0, BTreeSet::new());
    for (language, meaning, text) in cases().filter(|(_, meaning, _)| *meaning != "-") {
        let found = find(text, &hints_for(language, meaning));
        let first = found.first().map(|found| found.moment.to_string());
        if first.as_deref() != Some(meaning) {
            wrong.push(format!("{language} {text:?}: {first:?} instead of {meaning}"));
        }
        if !looks_like_date(text) {
            wrong.push(format!("{language} {text:?} does not look like a date"));
        }
        count += 1;
        languages.extend(language.split('-').next());
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 800 && languages.len() >= 70, "{count} in {}", languages.len());
}

#[test]
fn what_is_no_date_gives_none() {
    let no_dates = cases().filter(|(_, meaning, _)| *meaning == "-");
    let wrong: Vec<_> = no_dates
        .filter_map(|(language, _, text)| {
            let found = find(text, &hints(language)).into_iter().next()?;
            Some(format!("{language} {text:?}: {}", found.moment))
        })
        .collect();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn without_a_reference_nothing_is_relative() {
    for text in ["3 hours ago", "yesterday", "3小时前", "15 Dec", "15. Dezember", "12月15日"] {
        assert_eq!(find(text, &Hints::default()), [], "{text}");
    }
}

#[test]
fn forms() {
    let form = |text| find(text, &hints("en")).first().map(|found| found.form);
    assert_eq!(form("15 Dec 2010"), Some(Form::Full));
    assert_eq!(form("15.12.10"), Some(Form::ShortYear));
    assert_eq!(form("15 Dec"), Some(Form::NoYear));
    assert_eq!(form("3 hours ago"), Some(Form::Relative));
}

#[test]
fn the_order_of_day_and_month() {
    let (march, april) = (moment("2011-03-04"), moment("2011-04-03"));
    let read = |language: Option<&str>, month_first| {
        let hints = Hints { language, month_first, ..Hints::default() };
        let found = find("3/4/2011", &hints).remove(0);
        (Some(found.moment), found.alternative)
    };
    for language in ["en", "en-US", "en_CA"] {
        assert_eq!(read(Some(language), None), (march, april), "{language}");
    }
    for language in ["en-GB", "en-AU", "de", "fr-CA", "xx", ""] {
        assert_eq!(read(Some(language), None), (april, march), "{language}");
    }
    assert_eq!(read(None, None), (april, march));
    assert_eq!(read(None, Some(true)), (march, april));
    assert_eq!(read(Some("en-US"), Some(false)), (april, march));
    let only = find("12/15/2010", &Hints { language: Some("de"), ..Hints::default() }).remove(0);
    assert_eq!((Some(only.moment), only.alternative), (moment("2010-12-15"), None));
}

#[test]
fn nothing_is_later_than_the_reference() {
    assert_eq!(find("15 Dec 2030", &hints("en")), []);
    assert_eq!(find("2021-03-06", &hints("en")), []);
    assert_eq!(find("2021-03-05", &hints("en")).len(), 1, "it may be the next day somewhere");
    assert_eq!(read("2030-12-15T08:30Z", &hints("en")), None);
    assert_eq!(read("1923200000", &hints("en")), None);
    assert_eq!(read("2022", &hints("en")), None);
    // Of two readings, the past one.
    let found = find("02/05/2021", &hints("en-GB")).remove(0);
    assert_eq!((Some(found.moment), found.alternative), (moment("2021-02-05"), None));
}

#[test]
fn values_and_paths() {
    let table = include_str!("values.tsv");
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<_> = line.split('\t').collect();
        let text = columns[2].trim_matches('|');
        let found = match columns[0] {
            "value" => read(text, &Hints::default()),
            _ => read_url_date(text, &Hints::default()).map(|found| found.moment),
        };
        let found = found.map_or("-".to_owned(), |it| it.to_string());
        assert_eq!(found, columns[1], "{text}");
    }
}

#[test]
fn long_texts_are_read_in_linear_time() {
    for part in "15 |Dec |년|ที่แล้ว|前|1 hour, |2010-|vor |9 . |a b |y |T0830|民國1".split('|')
    {
        let text = part.repeat(200_000);
        find(&text, &hints("en"));
        read(&text, &hints("en"));
        read_url_date(&text, &hints("en"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    /// Any text is handled; ranges are in bounds, ordered, and on character boundaries.
    #[test]
    fn any_text_is_read(
        parts in prop::collection::vec(prop_oneof![
            prop::sample::select(vec![
                "15", "2010", "12", "年", "月", "日", "-", ".", "/", ":", " ", " ", "Dec", "民國", "十二", "百", "ago", "hours", "+0800", "T", "am",
                "١٥", "كانون", "ธ.ค.", "'", "h", "yesterday", "昨天", "전", "시간", "v", "(", "Z", "10:00", "yesterday ", "20101215", "999", "vor", "de",
            ]).prop_map(str::to_owned),
            "\\PC{0,4}",
        ], 0..14),
        language in prop::sample::select(vec!["en", "zh", "fa", "th", "de", "", "en-GB"]),
        has_reference in any::<bool>(),
    ) {
        let text = parts.concat();
        let hints = Hints { reference: hints("").reference.filter(|_| has_reference), ..hints(language) };
        let mut last = 0;
        for found in find(&text, &hints) {
            prop_assert!(text.get(found.range.clone()).is_some_and(|it| !it.is_empty()));
            prop_assert!(found.range.start >= last, "overlap in {:?}", text);
            last = found.range.end;
            prop_assert_eq!(Moment::parse_iso(&found.moment.to_string()), Some(found.moment));
        }
        let _ = read(&text, &hints);
        let _ = read_url_date(&text, &hints);
    }
}
