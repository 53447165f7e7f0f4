//! Feeds of every format, valid and broken; lookup of entries; robustness against any bytes.

use proptest::prelude::*;
use tamis_feeds::{Content, Feed, FeedError, Limits, ReadOptions};

fn read(source: &str) -> Feed {
    Feed::read(source).unwrap_or_else(|error| panic!("{error}: {source}"))
}

fn read_at(url: &str, source: &str) -> Feed {
    Feed::from_address(url, source.as_bytes(), None).unwrap_or_else(|error| panic!("{error}: {source}"))
}

/// The rows of a table.
fn rows<const N: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.splitn(N, '\t').collect::<Vec<_>>().try_into().expect("columns"))
}

fn shown(feed: &Feed) -> String {
    let entry = &feed.entries()[0];
    let text = |content: &Option<Content>| content.as_ref().map(Content::to_text).unwrap_or_default();
    let date = |moment: Option<tamis_dates::Moment>| moment.map(|it| it.to_string()).unwrap_or_default();
    let (dates, texts) =
        ([entry.published, entry.updated].map(date), [&entry.summary, &entry.content].map(text));
    let title = entry.title.as_deref().unwrap_or_default();
    let (links, authors) = (entry.links.join(" "), entry.authors.join(", "));
    let categories = entry.categories.join(", ");
    format!("{title} | {links} | {} | {authors} | {} | {categories}", dates.join(" | "), texts.join(" | "))
}

#[test]
fn every_format_is_read() {
    for block in include_str!("data/formats.txt").split("\n=== ").skip(1) {
        let (format, rest) = block.split_once('\n').unwrap();
        let (source, expected) = rest.split_once("\n---").unwrap();
        assert_eq!(shown(&read(source)).trim(), expected.trim(), "{format}");
    }
}

#[test]
fn broken_feeds_are_read_as_far_as_they_go() {
    for [fault, source] in rows(include_str!("data/faults.tsv")) {
        let feed = read(&source.replace("\\n", "\n"));
        let entry = feed.entry_for("https://gazette.example/rain", None);
        let entry = entry.unwrap_or_else(|| panic!("{fault}: {:?}", feed.entries()));
        assert_eq!((entry.title.as_deref(), &entry.summary), (Some("Rain & wind"), &None), "{fault}");
    }
}

#[test]
fn dates_are_read_in_the_language_of_the_feed() {
    for [language, written, expected] in rows(include_str!("data/dates.tsv")) {
        let feed = read(&format!(
            "<rss><channel><item><pubDate>{written}</pubDate></item><language>{language}</language></channel></rss>"
        ));
        let hints = feed.entries()[0].hints();
        let published = hints.published.map(|it| it.to_string());
        assert_eq!(published.unwrap_or_default(), expected, "{language} {written}");
    }
}

#[test]
fn names_and_texts_lose_what_is_not_theirs() {
    for [written, expected] in rows(include_str!("data/people.tsv")) {
        let feed = read(&format!(r#"{{"items":[{{"author":{{"name":"{written}"}}}}]}}"#));
        assert_eq!(feed.entries()[0].authors.concat(), expected, "{written}");
    }
    for [written, title, html] in rows(include_str!("data/texts.tsv")) {
        let feed = read(&format!(r#"{{"items":[{{"title":"{written}","content_html":"{written}"}}]}}"#));
        let entry = &feed.entries()[0];
        assert_eq!((entry.title.as_deref(), entry.text().as_deref()), (Some(title), Some(html)), "{written}");
    }
}

#[test]
fn entries_are_found_by_the_address_of_their_page() {
    for [url, canonical, expected, source] in rows(include_str!("data/matching.tsv")) {
        let feed = read(source);
        let found = feed.entry_for(url, Some(canonical));
        assert_eq!(
            found.map_or("-", |entry| entry.title.as_deref().unwrap_or_default()),
            expected,
            "{source}"
        );
    }
}

#[test]
fn links_are_resolved() {
    for [url, id, source] in rows(include_str!("data/links.tsv")) {
        let feed = read_at(url, source);
        let entry = &feed.entries()[0];
        assert_eq!(entry.links, ["https://g.example/rain"], "{source}");
        assert_eq!(entry.id.as_deref().unwrap_or_default(), id, "{source}");
    }
}

#[test]
fn the_feed_describes_itself() {
    let feed = read(
        "<rss><channel><title>Gazette &amp;amp; Post</title><language>en-GB</language><image><title>Logo</title></image></channel></rss>",
    );
    assert_eq!((feed.title(), feed.language()), (Some("Gazette & Post"), Some("en-GB")));
    assert_ne!(feed.digest(), read("<rss></rss>").digest());
}

#[test]
fn refusals_say_what_it_is() {
    for (source, expected) in [
        ("  \n", FeedError::Empty),
        ("<!doctype html><html lang=en><p>It rained.", FeedError::WebPage),
        ("<urlset><url><loc>https://g.example/</loc></url>", FeedError::NotAFeed("\"<urlset>\"".into())),
        ("It rained.", FeedError::NotAFeed("\"It rained.\"".into())),
        ("{\"a\": 1}", FeedError::JsonWithoutItems),
        ("[1, 2]", FeedError::JsonWithoutItems),
    ] {
        assert_eq!(Feed::read(source).unwrap_err(), expected, "{source}");
    }
    assert_eq!(Feed::from_bytes(b"\x1F\x8B\x08\0\0", None).unwrap_err(), FeedError::Compressed("gzip"));
}

#[test]
fn bytes_are_decoded_as_declared_unless_they_contradict() {
    let source =
        "\n<?xml version=\"1.0\" encoding=\"gb2312\"?><rss><item><title>港口下雨了</title></item></rss>";
    let (gbk, ..) = encoding_rs::GBK.encode(source);
    let mut utf16 = vec![0xFF, 0xFE];
    utf16.extend(source.encode_utf16().flat_map(u16::to_le_bytes));
    for bytes in [&gbk[..], source.as_bytes(), &utf16] {
        let feed = Feed::from_bytes(bytes, None).unwrap();
        assert_eq!(feed.entries()[0].title.as_deref(), Some("港口下雨了"));
    }
}

#[test]
fn limits_hold() {
    let limits = Limits { bytes: 200, entries: 2, values_per_entry: 1 };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    for source in [
        "<rss><item><category>a</category><category>b</category></item><item></item><item></item></rss>",
        r#"{"items":[{"tags":["a","b"]},{},{}],"title":"Gazette"}"#,
    ] {
        let feed = Feed::read_with(source.as_bytes(), &options).unwrap();
        assert_eq!((feed.entries().len(), feed.entries()[0].categories.len()), (2, 1), "{source}");
    }
    assert_eq!(Feed::read_with(&[b' '; 201], &options).unwrap_err(), FeedError::TooLarge(200));
}

#[test]
fn hostile_feeds_are_read_in_linear_time() {
    let start = std::time::Instant::now();
    for [head, repeated] in rows(include_str!("data/hostile.tsv")) {
        let feed = read(&(head.to_owned() + &repeated.repeat(200_000)));
        assert!(feed.entries().len() <= Limits::default().entries);
        assert!(feed.entries().iter().all(|entry| entry.links.len() <= 100 && entry.categories.len() <= 100));
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// Every entry can be used, and is found by its links or contested.
fn use_entries(feed: &Feed) {
    for entry in feed.entries() {
        let _ = (entry.hints(), entry.text());
        for link in &entry.links {
            let found = feed.entry_for(link, None);
            assert!(found.is_none_or(|found| found.title == entry.title), "{link}");
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = Feed::read(&text).map(|feed| use_entries(&feed));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Feed::from_bytes(&bytes, None).map(|feed| use_entries(&feed));
    }

    #[test]
    fn any_order_of_tags_is_read(parts in prop::collection::vec(
        prop::sample::select(include_str!("data/pieces.txt").lines().collect::<Vec<_>>()), 0..60,
    )) {
        use_entries(&read_at("https://a.example/feed", &format!("<rss>{}", parts.concat())));
    }

    #[test]
    fn broken_json_is_read(
        text in "[{\\[\\]}\":,a-z\\\\ ]{0,120}",
        keys in prop::collection::vec("url|id|title|tags|authors|name", 0..9),
    ) {
        use_entries(&read(&format!("{{\"items\":[{text}")));
        let items: String = keys.iter().map(|key| format!("{{\"{key}\":[\"a\",1,{text}")).collect();
        use_entries(&read(&format!("{{\"items\":[{items}")));
    }
}
