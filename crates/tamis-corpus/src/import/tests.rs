use std::fs;

use super::*;
use crate::extraction::EngineSettings;
use crate::testing::for_each_database;

const TEXT: &str = "It rained in the harbour on Monday, for the first time since the spring, and the gardens were glad of \
    it. The fishermen stayed in port and mended their nets, and the market closed at noon.";

fn page(title: &str, text: &str) -> String {
    format!(
        "<html lang=en><head><title>{title} - Gazette</title></head><body><h1>{title}</h1><p>{text}</p>\
         <p>More is expected until Thursday, says the weather office, and then a week of wind from the west, which is \
         good news for those who sail and bad news for those who dry their laundry in the open.</p></body></html>"
    )
}

fn listing() -> String {
    let entries: String = (0..40)
        .map(|n| {
            format!(
                "<article class=teaser><h2><a href=/story/{n}>Headline number {n}</a></h2>\
                 <time>{} March 2026</time><p>The harbour board meets again. <a href=/story/{n}>Read more</a></p></article>",
                n % 28 + 1
            )
        })
        .collect();
    format!(
        "<html lang=en><head><title>News - Gazette</title></head><body><nav><a href=/>Home</a> <a href=/news>News</a> \
         <a href=/sport>Sport</a></nav><main><h1>News</h1>{entries}<a href=/news?page=2 rel=next>Older stories</a>\
         </main><footer>Copyright Gazette</footer></body></html>"
    )
}

fn record(url: &str, date: &str, status: &str, html: &str) -> String {
    let http = format!("HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    )
}

#[test]
fn inputs_of_all_kinds_are_imported_once() {
    let folder = tempfile::tempdir().unwrap();
    let archive = [
        record("https://example.com/rain", "2026-03-01T10:00:00Z", "200 OK", &page("Rain", TEXT)),
        record(
            "https://example.com/rain",
            "2026-03-02T10:00:00Z",
            "200 OK",
            &page("Rain", &TEXT.replace("port", "bed")),
        ),
        record("https://example.com/gone", "2026-03-01T10:00:00Z", "404 Not Found", &page("Gone", TEXT)),
        record("https://example.com/", "2026-03-01T10:00:00Z", "200 OK", &listing()),
    ];
    fs::write(folder.path().join("a.warc"), archive.concat()).unwrap();
    let lines = [
        serde_json::json!({"url": "https://example.org/snow", "html": page("Snow", &TEXT.replace("rain", "snow"))}),
        serde_json::json!({"url": "https://example.net/row", "text": "A finished row.", "title": "Row",
            "authors": ["Ada Finch"], "fetched": "2026-03-03T10:00:00Z"}),
        serde_json::json!({"text": "A row without an address."}),
        serde_json::json!({"url": "https://example.net/list", "text": "A, B, C", "page_type": "listing"}),
    ];
    let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(folder.path().join("b.jsonl"), format!("{lines}no JSON\n")).unwrap();
    fs::write(folder.path().join("c.html"), page("File", &TEXT.replace("Monday", "Sunday"))).unwrap();
    let inputs = Inputs::new(&[folder.path().display().to_string()]).unwrap();
    let engine = Engine::new(EngineSettings::default());
    for_each_database(|mut corpus| {
        let mut calls = 0;
        let mut run = |now| {
            import(&mut corpus, &engine, &inputs, &ImportSettings::new(now), &mut |_| calls += 1).unwrap()
        };
        let first = run(1_000);
        let expected = ImportSummary {
            pages: 10,
            new: 4,
            revised: 1,
            not_stories: 3,
            failed: 2,
            failures: first.failures.clone(),
            ..ImportSummary::default()
        };
        assert_eq!(first, expected);
        assert!(
            first.failures[0].contains("url") && first.failures[1].contains("JSON"),
            "{:?}",
            first.failures
        );
        let again = run(2_000);
        assert_eq!((again.new, again.revised, again.unchanged, again.failed), (0, 0, 5, 2));
        assert!(calls >= 2);
        let sql = "SELECT s.title, s.fetched, r.fetched FROM story s LEFT JOIN raw r ON r.url = s.url ORDER BY s.id";
        let rows = corpus.read(|tx| tx.query(sql, &[])).unwrap();
        let rows: Vec<(String, i64, Option<i64>)> =
            rows.iter().map(|row| (row.get(0).unwrap(), row.get(1).unwrap(), row.get(2).unwrap())).collect();
        let day = |day: i64| 1_772_359_200_000 + day * 86_400_000;
        assert_eq!(rows[0], ("Rain".to_owned(), day(0), Some(day(1))));
        assert_eq!(rows[1], ("Snow".to_owned(), 1_000, Some(1_000)));
        assert_eq!(rows[2], ("Row".to_owned(), day(2), None));
        assert_eq!(rows[3], ("File".to_owned(), 1_000, Some(1_000)));
        let sites: i64 = corpus.read(|tx| tx.query_value("SELECT count(*) FROM site_page", &[])).unwrap();
        assert_eq!(sites, 3, "the story and the listing of example.com, the story of example.org");
    });
}

#[test]
fn all_stores_listings_and_no_raw_keeps_no_pages() {
    let folder = tempfile::tempdir().unwrap();
    let lines = serde_json::json!({"url": "https://example.com/", "html": listing()}).to_string()
        + "\n"
        + &serde_json::json!({"url": "https://example.com/a", "text": "A, B", "page_type": "listing"})
            .to_string();
    fs::write(folder.path().join("b.jsonl"), lines).unwrap();
    let inputs = Inputs::new(&[folder.path().display().to_string()]).unwrap();
    for_each_database(|mut corpus| {
        let settings = ImportSettings { all: true, keep_raw: false, ..ImportSettings::new(1_000) };
        let engine = Engine::new(EngineSettings::default());
        let summary = import(&mut corpus, &engine, &inputs, &settings, &mut |_| ()).unwrap();
        let raws: i64 = corpus.read(|tx| tx.query_value("SELECT count(*) FROM raw", &[])).unwrap();
        assert_eq!((summary.new + summary.not_stories, raws), (2, 0));
        assert!(summary.new >= 1);
    });
}
