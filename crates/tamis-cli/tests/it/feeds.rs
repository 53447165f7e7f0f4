//! `--feed` as a user gives it.

use std::fs;

use serde_json::json;

use crate::run::{Folder, Run};

const URL: &str = "https://gazette.example/rain";
const PAGE: &str = "<title>Rain - Gazette</title><h1>Rain</h1><p>It rained in the harbour on Monday, for the first time since the \
    spring, and the gardens were glad of it.</p>";
const FEED: &str = "<rss><channel><title>Gazette</title><item><title>Rain</title><link>https://gazette.example/rain</link>\
    <pubDate>Tue, 14 Dec 2010 08:30:00 +0800</pubDate><author>desk@gazette.example (Ada Finch)</author></item></channel></rss>";

impl Folder {
    fn with_feed(&self, feed: &str) -> Run {
        self.tamis_with(&format!("extract --format json --feed {feed} -"), PAGE)
    }
}

#[test]
fn a_feed_gives_the_metadata_of_a_page() {
    let folder = Folder::new();
    folder.write("feed.xml", FEED);
    let line = folder.with_feed(&format!("feed.xml --url {URL}")).json();
    assert_eq!(line["published"], "2010-12-14T08:30:00+08:00");
    assert_eq!(line["authors"], json!(["Ada Finch"]));
    let table = folder.tamis_with(&format!("explain --metadata --feed feed.xml --url {URL} -"), PAGE);
    table.prints("hint          Ada Finch");
    folder.tamis_with(&format!("explain --feed feed.xml --url {URL} -"), PAGE).succeeds();
    // A feed without the page is no error.
    let other = "--url https://gazette.example/sun";
    let without = folder.tamis_with(&format!("extract --format json {other} -"), PAGE);
    assert_eq!(folder.with_feed(&format!("feed.xml {other}")), without);
}

#[test]
fn remedies_are_those_for_feeds() {
    let folder = Folder::new();
    folder.write("page.html", PAGE.replace("<title>", "<html><title>"));
    folder.write("sitemap.xml", "<urlset></urlset>");
    folder.write("feed.xml.gz", b"\x1F\x8B\x08\0\0\0\0\0\0\x03");
    fs::File::create(folder.path("large.xml")).unwrap().set_len((32 << 20) + 1).unwrap();
    for (feed, words) in [
        ("page.html", &["page.html", "--feed", "a web page", "rel=\"alternate\""][..]),
        ("sitemap.xml", &["sitemap.xml", "begins with \"<urlset>\"", "RSS"]),
        ("nothing.xml", &["nothing.xml", "check the path"]),
        ("-", &["save the feed"]),
        ("sitemap.xml --fast", &["--fast"]),
        ("feed.xml.gz", &["feed.xml.gz", "compressed (gzip)", "decompress it"]),
        ("large.xml", &["large.xml", "more than 33554432 bytes", "keep its newest entries"]),
    ] {
        let run = words.iter().fold(folder.with_feed(feed), |run, words| run.fails(words));
        assert_eq!(run.out, "");
        run.does_not_say("--max-bytes").does_not_say("give - for standard input");
    }
}

#[test]
fn a_batch_knows_feeds_and_another_feed_is_another_run() {
    let folder = Folder::new();
    folder.write("feed.xml", FEED);
    folder.write("in.jsonl", json!({ "html": PAGE, "url": URL }).to_string());
    let line = "in.jsonl -o out.jsonl --feed feed.xml";
    folder.batch(line).succeeds();
    assert_eq!(folder.rows("out.jsonl")[0]["authors"], json!(["Ada Finch"]));
    folder.batch(line).says("nothing left to do");
    folder.write("feed.xml", FEED.replace("Ada Finch", "Bo Lark"));
    folder.batch(line).says("already exists");
}

#[cfg(feature = "fetch")]
#[test]
fn a_feed_may_be_an_address_and_its_links_relative() {
    use crate::server::{Server, answer};

    let rss = FEED.replace("<link>https://gazette.example/rain<", "<link>/rain<");
    let json = r#"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","url":"https://gazette.example/rain",
        "authors":[{"name":"Ada Finch"}]}]}"#;
    let server = Server::answering(move |path| match path {
        "/feed.xml" => answer("200 OK", &["Content-Type: application/rss+xml"], rss.as_bytes()),
        _ => answer("200 OK", &["Content-Type: application/feed+json"], json.as_bytes()),
    });
    for (feed, page) in [("/feed.xml", server.url("/rain")), ("/feed.json", URL.to_owned())] {
        let run = Folder::new().with_feed(&format!("{} --allow-private --url {page}", server.url(feed)));
        run.prints(r#""authors":["Ada Finch"]"#);
    }
}
