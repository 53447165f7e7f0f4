use serde_json::Value;
use tamis_corpus::Corpus;
use tamis_corpus::database::Target;
use tamis_serve::Config;

use crate::fixture::{self, HOSTILE};
use crate::harness::Running;

fn server() -> Running {
    Running::start(|folder, config| {
        let target = Target::Sqlite(folder.join("news.db"));
        fixture::fill(&mut Corpus::open_or_create(&target).unwrap()).unwrap();
        Config { db: Some(target), ..config }
    })
}

fn titles(answer: &Value) -> Vec<&str> {
    answer["stories"].as_array().unwrap().iter().map(|story| story["title"].as_str().unwrap()).collect()
}

#[test]
fn stories_are_found_filtered_and_paged() {
    let server = server();
    for (query, expected) in [
        (
            "q=ferries%20bay&duplicates=true",
            vec!["Bridge closed after storm", "Harbour bridge closed until spring"],
        ),
        ("q=%E5%A4%A7%E6%A1%A5", vec!["港口大桥因风暴关闭"]),
        ("q=%D9%83%DB%86%DB%8B%D8%B1%DB%88%D9%83", vec!["پورت كۆۋرۈكى تاقالدى"]),
        ("language=zh", vec!["港口大桥因风暴关闭"]),
        ("source=Daily%20Mirror", vec!["Bridge closed after storm"]),
        ("host=geziti.example&since=2026-11-04&until=2026-11-04", vec!["پورت كۆۋرۈكى تاقالدى"]),
        ("q=nothingofthekind", vec![]),
    ] {
        let answer = server.get(&format!("/v1/corpus/search?{query}"));
        assert_eq!(answer.status, 200, "{}", answer.body);
        let (answer, mut found) = (answer.json(), Vec::new());
        found.extend(titles(&answer));
        found.sort_unstable();
        assert_eq!(found, expected, "{query}");
    }
    // All stories page by page: each once, newest first; likewise with words.
    for (query, count) in [("", 65), ("&q=market", 60)] {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let answer = server.get(&format!("/v1/corpus/search?limit=9{query}&cursor={cursor}")).json();
            seen.extend(
                answer["stories"].as_array().unwrap().iter().map(|story| story["id"].as_i64().unwrap()),
            );
            match answer["cursor"].as_str() {
                Some(next) => cursor = next.to_owned(),
                None => break,
            }
        }
        let mut once = seen.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!((seen.len(), once.len()), (count, count), "{query}");
    }
    for bad in [
        "limit=0",
        "limit=101",
        "limit=x",
        "since=yesterday",
        "cursor=t5",
        "cursor=o-1&q=a",
        "sort=best",
        "lang=zh",
    ] {
        let answer = server.get(&format!("/v1/corpus/search?{bad}"));
        assert_eq!(answer.status, 400, "{bad}: {}", answer.body);
        assert!(answer.head.contains("application/problem+json"));
    }
}

#[test]
fn a_story_comes_with_all_that_belongs_to_it() {
    let server = server();
    let story = server.get("/v1/corpus/stories/1").json();
    assert_eq!(story["title"], "Harbour bridge closed until spring");
    assert_eq!(story["versions"].as_array().unwrap().len(), 3);
    assert_eq!(story["versions"][2]["number"], 3);
    assert_eq!(story["comments"][1]["reply_to"], 1);
    assert_eq!(story["near_duplicates"][0]["id"], 2);
    assert_eq!(story["raw"][0]["role"], "story");
    assert_eq!(server.get("/v1/corpus/stories/4").json()["language"], "ug");
    assert_eq!(server.get("/v1/corpus/stories/9999").status, 404);
    assert_eq!(server.get("/v1/corpus/stories/x").status, 400);

    let pieces = |path: &str, part: &str, change: &str| -> Vec<String> {
        let diff = server.get(path).json();
        let pieces = diff[part].as_array().unwrap().iter();
        let such = pieces.filter(|piece| piece["change"] == change);
        such.map(|piece| piece["text"].as_str().unwrap().trim().to_owned()).collect()
    };
    let first = "/v1/corpus/stories/1/diff?from=1&to=2";
    assert_eq!(pieces(first, "text", "removed"), ["twenty"]);
    assert_eq!(pieces(first, "text", "added"), ["ten"]);
    assert_eq!(pieces("/v1/corpus/stories/1/diff", "title", "added"), ["until spring"]);
    assert!(pieces("/v1/corpus/stories/3/diff", "text", "added").is_empty(), "one version");
    let missing = server.get("/v1/corpus/stories/1/diff?from=1&to=9");
    assert_eq!(missing.status, 404);
    assert!(missing.detail().contains("versions 1 to 3"), "{}", missing.detail());
}

#[test]
fn days_are_counted_by_source() {
    let server = server();
    let all = server.get("/v1/corpus/days").json();
    assert_eq!(all["stories"], 65);
    assert_eq!(all["sources"][0]["name"], "Harbour Gazette");
    let days = all["days"].as_array().unwrap();
    let sum: i64 = days
        .iter()
        .flat_map(|day| day["stories"].as_array().unwrap())
        .map(|count| count.as_i64().unwrap())
        .sum();
    assert_eq!(sum, 65);
    assert!(days.windows(2).all(|pair| pair[0]["day"].as_str() < pair[1]["day"].as_str()));
    assert_eq!(server.get("/v1/corpus/days?language=ug").json()["days"].as_array().unwrap().len(), 1);
}

#[test]
fn hostile_stories_and_pages_come_back_as_data() {
    let server = server();
    let story = server.get("/v1/corpus/stories/5");
    assert!(
        story.head.contains("content-type: application/json") && story.head.contains("nosniff"),
        "{}",
        story.head
    );
    assert_eq!(story.json()["text"], HOSTILE);
    let raw = server.get("/v1/corpus/stories/1/raw");
    assert!(raw.body.contains("<article>"), "{}", raw.body);
    assert!(raw.head.contains("content-type: text/plain; charset=utf-8"), "{}", raw.head);
    assert!(raw.head.contains("nosniff") && raw.head.contains("sandbox"), "{}", raw.head);
    assert_eq!(server.get("/v1/corpus/stories/2/raw").status, 404, "not kept");
    assert_eq!(server.get("/v1/corpus/stories/1/raw?url=/etc/passwd").status, 404);
    let reader = server.get("/corpus");
    assert!(
        reader.head.contains("script-src 'self';") && reader.head.contains("default-src 'none'"),
        "{}",
        reader.head
    );
    assert!(!reader.body.contains("http://") && !reader.body.contains("https://"), "asks nobody else");
    assert!(server.get("/assets/reader.js").head.contains("content-type: text/javascript"));
}

#[test]
fn without_a_corpus_the_answer_names_the_flag() {
    let server = Running::start(|_, config| config);
    let answer = server.get("/v1/corpus/search");
    assert_eq!(answer.status, 404);
    assert!(answer.detail().contains("--db"), "{}", answer.detail());
    assert_eq!(server.get("/v1/config").json()["corpus"], false);
}
