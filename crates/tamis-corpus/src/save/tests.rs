use std::sync::Barrier;

use super::*;
use crate::corpus::Corpus;
use crate::draft::CommentDraft;
use crate::testing::{for_each_database, on_postgres, story};

const URL: &str = "https://example.com/rain";
const COPY: &str = "https://amp.example.com/rain";

/// Fifty words that depend on the seed, the last of which depends on `variant`.
fn words(seed: u32, variant: u32) -> String {
    let words =
        (0..49).map(|number| format!("w{} ", (number * 7 + seed * 1_000) % 9_973)).collect::<String>();
    format!("{words}v{variant}")
}

fn save(corpus: &mut Corpus, draft: &Draft, fetched: i64) -> Saved {
    corpus.transaction(|tx| save_story(tx, draft, fetched)).unwrap()
}

/// All values of a query as text, separated by `|`.
fn rows(corpus: &mut Corpus, sql: &str) -> Vec<String> {
    let text = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    corpus
        .read(|tx| {
            let rows = tx.query(sql, &[])?;
            rows.iter()
                .map(|row| {
                    let columns = (0..row.len()).map(|column| {
                        row.get::<Option<String>>(column)
                            .or_else(|_| row.get::<i64>(column).map(|number| Some(number.to_string())))
                            .map(text)
                    });
                    Ok(columns.collect::<Result<Vec<_>, Error>>()?.join("|"))
                })
                .collect()
        })
        .unwrap()
}

#[test]
fn a_story_is_stored_revised_and_left_alone() {
    // (title, text, time, change, revisions as number|fetched|title, updated|checked)
    type Step = (&'static str, &'static str, i64, Change, &'static [&'static str], &'static str);
    let steps: [Step; 5] = [
        ("Rain", "It rained.", 10, Change::New, &[], "10|10"),
        ("Rain", "It rained.", 20, Change::Unchanged, &[], "10|20"),
        ("Rain", "It poured.", 30, Change::Revised, &["1|10|Rain"], "30|30"),
        ("Flood", "It poured.", 40, Change::Revised, &["1|10|Rain", "2|30|Rain"], "40|40"),
        ("Flood", "It poured.", 35, Change::Unchanged, &["1|10|Rain", "2|30|Rain"], "40|40"),
    ];
    for_each_database(|mut corpus| {
        for (title, text, at, change, revisions, times) in steps {
            let saved = save(&mut corpus, &story(URL, title, text), at);
            assert_eq!((saved.story_id, saved.change), (1, change), "at {at}");
            assert_eq!(
                rows(&mut corpus, "SELECT number, fetched, title FROM revision ORDER BY number"),
                revisions
            );
            assert_eq!(rows(&mut corpus, "SELECT updated, checked FROM story"), [times], "at {at}");
        }
        assert_eq!(
            rows(&mut corpus, "SELECT title, text, fetched, revisions FROM story"),
            ["Flood|It poured.\n|10|2"]
        );
        assert_eq!(
            rows(&mut corpus, "SELECT text FROM revision ORDER BY number"),
            ["It rained.\n", "It poured.\n"]
        );
    });
}

#[test]
fn metadata_follows_the_page_and_keeps_what_only_a_feed_knew() {
    for_each_database(|mut corpus| {
        let mut draft = story(URL, "Rain", "It rained.");
        draft.published = Some("2010-12-15T08:30+08:00".to_owned());
        draft.authors = vec!["Ada\u{202E} Finch".to_owned(), String::new()];
        draft.page_type = Some("article".to_owned());
        save(&mut corpus, &draft, 10);
        let (published, modified) = (None, Some("2010-12-16".to_owned()));
        draft = Draft { published, modified, authors: Vec::new(), ..draft };
        assert_eq!(save(&mut corpus, &draft, 20).change, Change::Unchanged);
        let row =
            rows(&mut corpus, "SELECT published, published_at, modified, authors, page_type FROM story");
        assert_eq!(row, ["2010-12-15T08:30+08:00|1292373000000|2010-12-16|[]|article"]);
    });
}

#[test]
fn the_page_at_the_canonical_address_wins() {
    let at = |url: &str, text: &str| {
        let mut draft = story(url, "Rain", text);
        draft.identity = URL.to_owned();
        draft
    };
    for_each_database(|mut corpus| {
        assert_eq!(save(&mut corpus, &at(COPY, "It rained."), 10).change, Change::New);
        assert_eq!(save(&mut corpus, &at("https://m.example.com/rain", "Else."), 20).change, Change::Copy);
        assert_eq!(
            rows(&mut corpus, "SELECT url, text, checked FROM story"),
            [format!("{COPY}|It rained.\n|20")]
        );
        assert_eq!(save(&mut corpus, &at(URL, "It rained a lot."), 30).change, Change::Revised);
        assert_eq!(save(&mut corpus, &at(COPY, "It rained."), 40).change, Change::Copy);
        let stored = rows(&mut corpus, "SELECT url, host, text, revisions FROM story");
        assert_eq!(stored, [format!("{URL}|example.com|It rained a lot.\n|0")]);
    });
}

#[test]
fn the_same_text_on_another_host_is_reported() {
    for_each_database(|mut corpus| {
        let here = save(&mut corpus, &story(URL, "Rain", "It rained."), 10);
        let again = save(&mut corpus, &story("https://example.com/rain-2", "Rain", "It rained."), 10);
        let there = save(&mut corpus, &story("https://mirror.example/rain", "Rain", "It rained."), 10);
        assert_eq!((here.same_text_on, again.same_text_on), (None, None));
        assert_eq!(there.same_text_on.as_deref(), Some("example.com"));
    });
}

#[test]
fn parts_are_joined_and_only_changes_make_revisions() {
    // (part, url, text, change, text of the story, revisions)
    let steps = [
        (1, "", "One.", Change::New, "One.\n", 0),
        (2, "?p=2", "Two.", Change::New, "One.\n\nTwo.\n", 0),
        (3, "?p=3", "Two.", Change::Copy, "One.\n\nTwo.\n", 0),
        (3, "?p=2", "Two, late.", Change::Copy, "One.\n\nTwo.\n", 0),
        (3, "", "Next.", Change::Copy, "One.\n\nTwo.\n", 0),
        (3, "?p=3", "Three.", Change::New, "One.\n\nTwo.\n\nThree.\n", 0),
        (2, "?p=2", "Two.", Change::Unchanged, "One.\n\nTwo.\n\nThree.\n", 0),
        (1, "", "One.", Change::Unchanged, "One.\n\nTwo.\n\nThree.\n", 0),
        (2, "?p=2", "Zwei.", Change::Revised, "One.\n\nZwei.\n\nThree.\n", 1),
        (1, "", "Eins.", Change::Revised, "Eins.\n\nZwei.\n\nThree.\n", 2),
        (1, "", "Eins.", Change::Unchanged, "Eins.\n\nZwei.\n\nThree.\n", 2),
    ];
    for_each_database(|mut corpus| {
        for (step, (number, query, text, change, whole, revisions)) in steps.into_iter().enumerate() {
            let draft = story(&format!("{URL}{query}"), "Rain", text);
            let at = step as i64;
            let saved = match number {
                1 => save(&mut corpus, &draft, at),
                _ => corpus.transaction(|tx| save_part(tx, 1, number, &draft, at)).unwrap(),
            };
            assert_eq!(saved.change, change, "step {step}");
            let parts = whole.split("\n\n").count();
            let stored = rows(&mut corpus, "SELECT text, markdown, revisions, parts FROM story");
            assert_eq!(stored, [format!("{whole}|{whole}|{revisions}|{parts}")], "step {step}");
        }
        assert_eq!(
            rows(&mut corpus, "SELECT text FROM revision WHERE number = 1"),
            ["One.\n\nTwo.\n\nThree.\n"]
        );
    });
}

#[test]
fn comments_are_added_once_and_kept() {
    let comment = |author: &str, text: &str, reply_to| CommentDraft {
        author: (!author.is_empty()).then(|| author.to_owned()),
        time: None,
        text: text.to_owned(),
        reply_to,
    };
    for_each_database(|mut corpus| {
        let id = save(&mut corpus, &story(URL, "Rain", "It rained."), 10).story_id;
        let mut add = |comments: &[CommentDraft], at| {
            corpus.transaction(|tx| save_comments(tx, id, comments, URL, at)).unwrap()
        };
        let first = [
            comment("Ada", "Not here.", None),
            comment("", " \u{7}", None),
            comment("Ben", "Here!", Some(0)),
        ];
        assert_eq!((add(&first, 10), add(&first, 20)), (2, 0));
        let later = [
            comment("Eve", "Where?", None),
            comment("Ben", "Here!", None),
            comment("Ada", "There.", Some(1)),
            comment("Ada", "There.", Some(0)),
        ];
        assert_eq!(add(&later, 30), 2);
        let stored =
            rows(&mut corpus, "SELECT number, author, text, reply_to, fetched FROM comment ORDER BY number");
        let expected = ["1|Ada|Not here.|-|10", "2|Ben|Here!|1|10", "3|Eve|Where?|-|30", "4|Ada|There.|2|30"];
        assert_eq!(stored, expected);
    });
}

#[test]
fn near_duplicates_form_groups_that_revisions_leave() {
    // (host, words of seed, variant, groups of all stories afterwards)
    let steps = [
        ("a", 1, 1, "-"),
        ("b", 1, 2, "1 1"),
        ("c", 2, 1, "1 1 -"),
        ("d", 1, 3, "1 1 - 1"),
        // The story whose id the group has leaves it; the group gets another id.
        ("a", 2, 2, "3 2 3 2"),
        ("b", 5, 1, "3 - 3 -"),
        ("d", 2, 3, "3 - 3 3"),
        ("c", 2, 4, "3 - 3 3"),
    ];
    for_each_database(|mut corpus| {
        for (host, seed, variant, groups) in steps {
            save(&mut corpus, &story(&format!("https://{host}.example/"), "Rain", &words(seed, variant)), 10);
            let stored = rows(&mut corpus, "SELECT group_id FROM story ORDER BY id").join(" ");
            assert_eq!(stored, groups, "after {host} {seed} {variant}");
        }
    });
}

#[test]
fn short_texts_are_not_grouped() {
    let nineteen = words(1, 1).split(' ').take(19).collect::<Vec<_>>().join(" ");
    let thirty_nine: String = ('一'..).take(39).collect();
    for (text, grouped) in [
        (nineteen.clone(), false),
        (format!("{nineteen} more"), true),
        (thirty_nine.clone(), false),
        (format!("{thirty_nine}丟"), true),
    ] {
        for_each_database(|mut corpus| {
            for host in ["a", "b"] {
                save(&mut corpus, &story(&format!("https://{host}.example/"), "Rain", &text), 10);
            }
            let groups = rows(&mut corpus, "SELECT group_id FROM story WHERE group_id IS NOT NULL");
            assert_eq!(groups.len(), if grouped { 2 } else { 0 }, "{text}");
        });
    }
}

#[test]
fn hostile_strings_are_bounded() {
    for_each_database(|mut corpus| {
        let long = "雨".repeat(5_000);
        let mut draft =
            story(&format!("{URL}?{}", "x".repeat(2_000_000)), &long, "It rained\u{0} in\u{1B}[31m.");
        draft.source = Some("Gazette\u{2066}\n\u{9B}1m".to_owned());
        draft.authors = vec![long.clone(); 80];
        let id = save(&mut corpus, &draft, 10).story_id;
        assert_eq!(save(&mut corpus, &draft, 20).change, Change::Unchanged);
        let sql =
            "SELECT length(url), length(identity), length(title), length(authors), source, text FROM story";
        let authors = 50 * (200 + 3) + 1;
        assert_eq!(
            rows(&mut corpus, sql),
            [format!("2048|2048|1000|{authors}|Gazette 1m|It rained in[31m.\n")]
        );
        assert_eq!(id, 1);
    });
}

#[test]
fn concurrent_writers_make_no_duplicates() {
    const STORIES: u32 = 40;
    on_postgres(|target| {
        let mut corpus = Corpus::open_or_create(target).unwrap();
        let start = Barrier::new(2);
        let write = |reversed: bool| {
            let mut corpus = Corpus::open(target).unwrap();
            start.wait();
            let mut count = 0;
            for number in 0..STORIES {
                let number = if reversed { STORIES - 1 - number } else { number };
                // Near-duplicates of each other, so that writers also conflict in the groups.
                let draft =
                    story(&format!("https://example.com/{number}"), "Rain", &words(number / 4, number));
                let other =
                    story(&format!("https://example.org/{}", number / 2), "Rain", &words(number / 8, number));
                let new = |saved: Saved| u32::from(saved.change == Change::New);
                count += corpus
                    .transaction(|tx| Ok(new(save_story(tx, &draft, 10)?) + new(save_story(tx, &other, 10)?)))
                    .unwrap();
            }
            count
        };
        let count = std::thread::scope(|scope| {
            let other = scope.spawn(|| write(true));
            write(false) + other.join().unwrap()
        });
        assert_eq!(count, STORIES + STORIES / 2);
        assert_eq!(rows(&mut corpus, "SELECT count(*) FROM story"), [count.to_string()]);
        let lone =
            "SELECT group_id FROM story GROUP BY group_id HAVING group_id IS NOT NULL AND count(*) = 1";
        assert_eq!(rows(&mut corpus, lone), Vec::<String>::new());
    });
}

#[test]
fn a_deadlock_is_resolved_by_repeating_one_transaction() {
    on_postgres(|target| {
        drop(Corpus::open_or_create(target).unwrap());
        let both_hold_one = Barrier::new(2);
        let write = |first: &str, second: &str| {
            let mut corpus = Corpus::open(target).unwrap();
            let mut attempts = 0;
            let saved = corpus.transaction(|tx| {
                attempts += 1;
                save_story(tx, &story(first, "Rain", "It rained."), 10)?;
                if attempts == 1 {
                    both_hold_one.wait();
                }
                save_story(tx, &story(second, "Snow", "It snowed."), 10)
            });
            saved.unwrap();
            attempts
        };
        let attempts = std::thread::scope(|scope| {
            let other = scope.spawn(|| write(COPY, URL));
            write(URL, COPY) + other.join().unwrap()
        });
        assert_eq!(attempts, 3, "one of the two is repeated once");
        let mut corpus = Corpus::open(target).unwrap();
        assert_eq!(rows(&mut corpus, "SELECT count(*) FROM story"), ["2"]);
    });
}
