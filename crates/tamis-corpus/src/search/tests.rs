//! Tests of searches on every available database.

use proptest::prelude::*;

use super::*;
use crate::corpus::Corpus;
use crate::save::save_story;
use crate::testing::{for_each_database, story};

/// Name (the path of its URL), title and text. They are stored a day apart, in this order.
const STORIES: [(&str, &str, &str); 8] = [
    (
        "bridge",
        "Harbour bridge closed",
        "The old bridge was closed on Monday. Traffic goes through the tunnel.",
    ),
    ("tunnel", "Tunnel opens", "Now that the harbour bridge is closed, the tunnel helps the café owners."),
    ("beijing", "北京大学发布新规", "昨天北京大学发布了关于图书馆开放时间的规定。"),
    ("tokyo", "東京タワーの灯り", "昨夜、東京タワーのライトアップが行われた。ｶﾞｲﾄﾞ付き。"),
    ("bangkok", "ข่าววันนี้", "วันนี้ฝนตกหนักในกรุงเทพมหานครและจังหวัดใกล้เคียง"),
    // Uyghur, the first word in presentation forms.
    ("urumqi", "\u{FEB7}\u{FBEA}\u{FEAE} بازار", "بۈگۈن شەھەردە يامغۇر ياغدى."),
    ("crete", "Νέα από την Κρήτη", "Ο καιρός στην Κρήτη. Don't miss the naïve façade."),
    ("repeat", "Rain", "rain rain rain and the word harbour once, bridges not at all"),
];

#[test]
fn the_newest_stories_come_page_by_page_and_the_timeline_counts_them() {
    for_each_database(|mut corpus| {
        fill(&mut corpus);
        let mut after = None;
        let mut names = Vec::new();
        for _ in 0..3 {
            let (hits, last) = corpus.read(|tx| newest(tx, &Filter::default(), after, 3)).unwrap();
            names.extend(hits.into_iter().map(|hit| hit.url.rsplit('/').next().unwrap().to_owned()));
            after = last;
        }
        assert_eq!(names.join(" "), "repeat crete urumqi bangkok tokyo beijing tunnel bridge");
        let filter = Filter { language: Some("en".to_owned()), since: Some(2 * DAY), ..Filter::default() };
        let timeline = corpus.read(|tx| crate::stats::timeline(tx, &filter)).unwrap();
        assert_eq!(timeline.stories, 1);
        assert_eq!(
            (timeline.days[0].day.as_str(), &timeline.days[0].stories[..]),
            ("1970-01-09", &[1, 0][..])
        );
        assert_eq!(timeline.sources[0].name, "repeat.example.com");
        let source = Filter { source: Some("repeat.example.com".to_owned()), ..Filter::default() };
        assert_eq!(corpus.read(|tx| newest(tx, &source, None, 9)).unwrap().0.len(), 1);
    });
}

const DAY: i64 = 86_400_000;

fn fill(corpus: &mut Corpus) {
    for (day, (name, title, text)) in (1..).zip(STORIES) {
        let mut draft = story(&format!("https://{name}.example.com/{name}"), title, text);
        draft.language = Some(if text.is_ascii() { "en-GB" } else { "und" }.to_owned());
        corpus.transaction(|tx| save_story(tx, &draft, day * DAY)).unwrap();
    }
}

fn found(corpus: &mut Corpus, query: &Query) -> String {
    let hits = corpus.read(|tx| search(tx, query)).unwrap();
    let names: Vec<&str> = hits.iter().map(|hit| hit.url.rsplit('/').next().unwrap()).collect();
    names.join(" ")
}

#[test]
fn words_of_any_language_are_found() {
    for_each_database(|mut corpus| {
        fill(&mut corpus);
        for (query, names) in [
            ("harbour bridge", "bridge tunnel"),
            ("\"harbour bridge\" -café", "bridge"),
            ("HARBOR OR tunnel Monday", "bridge"),
            ("bridge*", "bridge repeat tunnel"),
            ("cafe", "tunnel"),
            ("Façade don't", "crete"),
            ("facade \"miss don\"", ""),
            ("καιρος", "crete"),
            // Substrings of runs of Chinese: a word, one across two words, a single character.
            ("大学", "beijing"),
            ("图书馆", "beijing"),
            ("学发", "beijing"),
            ("书", "beijing"),
            ("京", "beijing tokyo"),
            ("馆图", ""),
            ("東京タワー", "tokyo"),
            ("ライトアップ", "tokyo"),
            ("ガイド", "tokyo"),
            ("กรุงเทพ", "bangkok"),
            ("ฝนตก", "bangkok"),
            // The same Uyghur words as letters, and as presentation forms.
            ("ش\u{626}\u{627}ر", "urumqi"),
            ("\u{FEB7}\u{FBEA}\u{FEAE}", "urumqi"),
            ("يامغۇر", "urumqi"),
            ("-rain", ""),
            ("", ""),
            ("absent", ""),
        ] {
            let mut names: Vec<&str> = names.split_whitespace().collect();
            names.sort_unstable();
            let result = found(&mut corpus, &Query::new(query));
            let mut result: Vec<&str> = result.split_whitespace().collect();
            result.sort_unstable();
            assert_eq!(result, names, "{query}");
        }
    });
}

#[test]
fn titles_count_more_and_filters_hold() {
    for_each_database(|mut corpus| {
        fill(&mut corpus);
        let query = |text: &str| Query::new(text);
        assert_eq!(found(&mut corpus, &query("tunnel")), "tunnel bridge");
        let newest = Query { sort: Sort::Newest, ..query("harbour") };
        assert_eq!(found(&mut corpus, &newest), "repeat tunnel bridge");
        assert_eq!(found(&mut corpus, &Query { limit: 1, offset: 1, ..newest.clone() }), "tunnel");
        let cases = [
            (Filter { since: Some(2 * DAY), ..Filter::default() }, "repeat tunnel"),
            (Filter { until: Some(2 * DAY), ..Filter::default() }, "bridge"),
            (Filter { language: Some("en".to_owned()), ..Filter::default() }, "repeat bridge"),
            (Filter { host: Some("bridge.example.com".to_owned()), ..Filter::default() }, "bridge"),
            (Filter { host: Some("example.com".to_owned()), ..Filter::default() }, "repeat tunnel bridge"),
            (Filter { host: Some("ample.com".to_owned()), ..Filter::default() }, ""),
            (Filter { source: Some("nobody".to_owned()), ..Filter::default() }, ""),
            (Filter { page_type: Some("forum".to_owned()), ..Filter::default() }, ""),
        ];
        for (filter, names) in cases {
            assert_eq!(
                found(&mut corpus, &Query { filter: filter.clone(), ..newest.clone() }),
                names,
                "{filter:?}"
            );
        }
    });
}

#[test]
fn near_duplicates_are_one_hit_unless_all_are_wanted() {
    for_each_database(|mut corpus| {
        let text = "The council decided on Tuesday to close the harbour bridge for repairs until the end of the year, \
            as engineers had found cracks in two of its piers, said the mayor, who asked drivers to take the tunnel.";
        for host in ["a.example", "b.example", "c.example"] {
            let draft = story(&format!("https://{host}/story"), "Bridge", text);
            corpus.transaction(|tx| save_story(tx, &draft, DAY)).unwrap();
        }
        let hits = corpus.read(|tx| search(tx, &Query::new("cracks"))).unwrap();
        assert_eq!(hits.iter().map(|hit| hit.duplicates).collect::<Vec<_>>(), [2]);
        assert_eq!(&hits[0].snippet.text[hits[0].snippet.hits[0].clone()], "cracks");
        let all = Query { group_duplicates: false, ..Query::new("cracks") };
        assert_eq!(corpus.read(|tx| search(tx, &all)).unwrap().len(), 3);
    });
}

#[test]
fn words_in_different_chunks_of_a_long_text_are_found_together() {
    for_each_database(|mut corpus| {
        let text = format!("alpha {} omega 北京大学", "filler ".repeat(40_000));
        let draft = story("https://example.com/long", "Long", &text);
        corpus.transaction(|tx| save_story(tx, &draft, DAY)).unwrap();
        for (query, hits) in
            [("alpha omega", 1), ("long 北京", 1), ("京大", 1), ("filler -omega", 0), ("filler -alpha", 0)]
        {
            assert_eq!(corpus.read(|tx| search(tx, &Query::new(query))).unwrap().len(), hits, "{query}");
        }
    });
}

#[test]
fn no_query_is_an_error() {
    for_each_database(|mut corpus| {
        fill(&mut corpus);
        let corpus = std::cell::RefCell::new(corpus);
        let hostile = "[ \"“*():^+{}'\\\\|&!<>%_;\\-\0a-cORANDNT北ท\u{301}\u{FDFA}½]{0,30}|\\PC{0,30}";
        proptest!(ProptestConfig::with_cases(200), |(text in hostile)| {
            let found = corpus.borrow_mut().read(|tx| search(tx, &Query::new(text.as_str())));
            prop_assert!(found.is_ok(), "{:?}: {:?}", text, found);
        });
        let long = "word ".repeat(100_000);
        assert!(corpus.borrow_mut().read(|tx| search(tx, &Query::new(long))).is_ok());
    });
}
