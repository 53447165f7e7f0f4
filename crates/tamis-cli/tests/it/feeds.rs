//! `--feed` as a user gives it.

use std::fs;

use crate::crawl::Crawl;
use crate::run::{Run, tamis};

const URL: &str = "https://gazette.example/rain";
const PAGE: &str = "<title>Rain - Gazette</title><h1>Rain</h1><p>It rained in the harbour on Monday, for the first time since the \
    spring, and the gardens were glad of it.</p>";
const FEED: &str = "<rss><channel><title>Gazette</title><item><title>Rain</title><link>https://gazette.example/rain</link>\
    <pubDate>Tue, 14 Dec 2010 08:30:00 +0800</pubDate><author>desk@gazette.example (Ada Finch)</author></item></channel></rss>";

fn fails(run: &Run, words: &[&str]) {
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
    for word in words {
        assert!(run.err.contains(word), "no {word:?} in {:?}", run.err);
    }
}

#[test]
fn a_feed_gives_the_metadata_of_a_page() {
    let corpus = Crawl::new();
    let feed = corpus.path("feed.xml");
    fs::write(&feed, FEED).unwrap();
    let run = tamis(&["extract", "--format", "json", "--feed", &feed, "--url", URL, "-"], PAGE);
    let line: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&line["published"], &line["authors"][0]),
        (&"2010-12-14T08:30:00+08:00".into(), &"Ada Finch".into())
    );
    let table = tamis(&["explain", "--metadata", "--feed", &feed, "--url", URL, "-"], PAGE);
    assert!(table.out.contains("hint          Ada Finch"), "{}", table.out);
    assert_eq!(tamis(&["explain", "--feed", &feed, "--url", URL, "-"], PAGE).code, 0);
}

#[test]
fn a_feed_without_the_page_is_no_error() {
    let corpus = Crawl::new();
    let feed = corpus.path("feed.xml");
    fs::write(&feed, FEED).unwrap();
    let arguments = ["extract", "--format", "json", "--url", "https://gazette.example/sun", "-"];
    let run = tamis(&[&arguments[..], &["--feed", &feed]].concat(), PAGE);
    assert_eq!(run, tamis(&arguments, PAGE));
}

#[test]
fn a_feed_that_is_none_says_so_and_what_to_do() {
    let corpus = Crawl::new();
    let page = corpus.path("page.html");
    fs::write(&page, PAGE.replace("<title>", "<html><title>")).unwrap();
    let sitemap = corpus.path("sitemap.xml");
    fs::write(&sitemap, "<urlset></urlset>").unwrap();
    let with = |feed: &str| tamis(&["extract", "--feed", feed, "-"], PAGE);
    fails(&with(&page), &["page.html", "--feed", "a web page", "rel=\"alternate\""]);
    fails(&with(&sitemap), &["sitemap.xml", "begins with \"<urlset>\"", "RSS"]);
    fails(&with(&corpus.path("nothing.xml")), &["nothing.xml", "check the path"]);
    fails(&with("-"), &["save the feed"]);
    fails(&tamis(&["extract", "--fast", "--feed", &sitemap, "-"], PAGE), &["--fast"]);
}

#[test]
fn remedies_are_those_for_feeds() {
    let corpus = Crawl::new();
    let with = |feed: &str| tamis(&["extract", "--feed", feed, "-"], PAGE);
    let missing = with(&corpus.path("nope.xml"));
    assert!(!missing.err.contains("standard input"), "{}", missing.err);
    let packed = corpus.path("feed.xml.gz");
    fs::write(&packed, b"\x1F\x8B\x08\0\0\0\0\0\0\x03").unwrap();
    fails(&with(&packed), &["feed.xml.gz", "compressed (gzip)", "decompress it"]);
    let large = corpus.path("large.xml");
    fs::File::create(&large).unwrap().set_len((32 << 20) + 1).unwrap();
    let large = with(&large);
    fails(&large, &["large.xml", "more than 33554432 bytes", "keep its newest entries"]);
    assert!(!large.err.contains("--max-bytes"), "{}", large.err);
}

#[test]
fn a_batch_knows_feeds_and_another_feed_is_another_run() {
    let corpus = Crawl::new();
    let (feed, out, input) = (corpus.path("feed.xml"), corpus.path("out.jsonl"), corpus.path("in.jsonl"));
    fs::write(&feed, FEED).unwrap();
    fs::write(&input, format!("{}\n", serde_json::json!({ "html": PAGE, "url": URL }))).unwrap();
    let arguments = ["batch", &input, "-o", &out, "--feed", &feed];
    let run = tamis(&arguments, "");
    assert_eq!(run.code, 0, "{}", run.err);
    let line: serde_json::Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!(line["authors"][0], "Ada Finch");
    assert!(tamis(&arguments, "").err.contains("nothing left to do"));
    fs::write(&feed, FEED.replace("Ada Finch", "Bo Lark")).unwrap();
    assert!(tamis(&arguments, "").err.contains("already exists"));
}

#[cfg(feature = "fetch")]
#[test]
fn relative_links_of_a_fetched_feed_are_resolved() {
    use crate::server::{Server, answer};

    let rss = FEED.replace("<link>https://gazette.example/rain<", "<link>/rain<");
    let server =
        Server::start(move |_, _| answer("200 OK", &["Content-Type: application/rss+xml"], rss.as_bytes()));
    let (address, page) = (server.url("/feed.xml"), server.url("/rain"));
    let run = tamis(
        &["extract", "--allow-private", "--format", "json", "--feed", &address, "--url", &page, "-"],
        PAGE,
    );
    assert!(run.out.contains(r#""authors":["Ada Finch"]"#), "{} {}", run.out, run.err);
}

#[cfg(feature = "fetch")]
#[test]
fn a_feed_may_be_an_address() {
    use crate::server::{Server, answer};

    let json = r#"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","url":"https://gazette.example/rain",
        "authors":[{"name":"Ada Finch"}]}]}"#;
    let server = Server::start(move |_, _| {
        answer("200 OK", &["Content-Type: application/feed+json"], json.as_bytes())
    });
    let address = server.url("/feed.json");
    let run = tamis(
        &["extract", "--allow-private", "--format", "json", "--feed", &address, "--url", URL, "-"],
        PAGE,
    );
    assert!(run.out.contains(r#""authors":["Ada Finch"]"#), "{} {}", run.out, run.err);
}
