//! Feeds that our reader and `feed-rs` can read: the reason why the collector uses ours.
//!
//! A reader can read a feed if it finds both stories with their URLs and titles.

use url::Url;

const BASE: &str = "https://gazette.example/feed";

/// `(name, ours reads it, feed-rs reads it, feed)`
type Case = (&'static str, bool, bool, &'static str);

#[rustfmt::skip]
const FEEDS: &[Case] = &[
    ("RSS 0.91", true, true, r#"<?xml version="1.0"?><rss version="0.91"><channel><title>Gazette</title><item><title>Rain</title><link>https://gazette.example/rain</link></item><item><title>Wind</title><link>https://gazette.example/wind</link></item></channel></rss>"#),
    ("RSS 0.90 as RDF", true, false, r#"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://channel.netscape.com/rdf/simple/0.9/"><channel><title>Gazette</title></channel><item><title>Rain</title><link>https://gazette.example/rain</link></item><item><title>Wind</title><link>https://gazette.example/wind</link></item></rdf:RDF>"#),
    ("RSS 1.0", true, true, r#"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="https://gazette.example/"><title>Gazette</title></channel><item rdf:about="https://gazette.example/rain"><title>Rain</title><link>https://gazette.example/rain</link><dc:date>2025-11-18T12:00:00Z</dc:date></item><item><title>Wind</title><link>https://gazette.example/wind</link></item></rdf:RDF>"#),
    ("RSS 2.0", true, true, r#"<rss version="2.0"><channel><title>Gazette</title><item><title>Rain</title><link>https://gazette.example/rain</link><pubDate>Tue, 18 Nov 2025 12:00:00 GMT</pubDate></item><item><title>Wind</title><link>https://gazette.example/wind</link></item></channel></rss>"#),
    ("Atom 1.0", true, true, r#"<feed xmlns="http://www.w3.org/2005/Atom"><title>Gazette</title><id>tag:gazette.example,2025:0</id><updated>2025-11-18T12:00:00Z</updated><entry><id>tag:gazette.example,2025:1</id><title>Rain</title><link href="https://gazette.example/rain"/><updated>2025-11-18T12:00:00Z</updated></entry><entry><id>tag:gazette.example,2025:2</id><title>Wind</title><link href="https://gazette.example/wind"/></entry></feed>"#),
    ("Atom 0.3", true, false, r#"<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Gazette</title><entry><id>tag:gazette.example,2025:1</id><title>Rain</title><link rel="alternate" href="https://gazette.example/rain"/><issued>2005-11-18T12:00:00Z</issued></entry><entry><id>tag:gazette.example,2025:2</id><title>Wind</title><link href="https://gazette.example/wind"/></entry></feed>"#),
    ("Atom with ids that are no addresses, before the links", true, true, r#"<feed xmlns="http://www.w3.org/2005/Atom"><title>Gazette</title><entry><id>1</id><title>Rain</title><link href="https://gazette.example/rain"/></entry><entry><id>2</id><title>Wind</title><link href="https://gazette.example/wind"/></entry></feed>"#),
    ("JSON Feed 1.0", true, true, r#"{"version":"https://jsonfeed.org/version/1","title":"Gazette","items":[{"id":"1","url":"https://gazette.example/rain","title":"Rain","content_text":"It rained."},{"id":"2","url":"https://gazette.example/wind","title":"Wind","content_text":"It blew."}]}"#),
    ("JSON Feed 1.1", true, true, r#"{"version":"https://jsonfeed.org/version/1.1","title":"Gazette","language":"en","items":[{"id":"1","url":"https://gazette.example/rain","title":"Rain","content_html":"<p>It rained."},{"id":"2","url":"https://gazette.example/wind","title":"Wind","content_html":"<p>It blew."}]}"#),
    ("JSON Feed with numbers as ids", true, false, r#"{"version":"https://jsonfeed.org/version/1.1","title":"Gazette","items":[{"id":1,"url":"https://gazette.example/rain","title":"Rain","content_text":"x"},{"id":2,"url":"https://gazette.example/wind","title":"Wind","content_text":"x"}]}"#),
    ("a bare ampersand", true, false, r#"<rss version="2.0"><channel><title>Harbour & Gazette</title><item><title>Rain</title><link>https://gazette.example/rain</link></item><item><title>Wind</title><link>https://gazette.example/wind</link></item></channel></rss>"#),
    ("entities of HTML", true, true, r#"<rss version="2.0"><channel><title>Gazette</title><item><title>Rain</title><link>https://gazette.example/rain</link><description>Rain&nbsp;&mdash; at last</description></item><item><title>Wind</title><link>https://gazette.example/wind</link></item></channel></rss>"#),
    ("a wrong end tag", true, false, r#"<rss version="2.0"><channel><title>Gazette</title><item><title>Rain</title><link>https://gazette.example/rain</link><description><b>Rain</i></description></item><item><title>Wind</title><link>https://gazette.example/wind</link></item></channel></rss>"#),
    ("no end: the answer was cut off", true, false, r#"<rss version="2.0"><channel><title>Gazette</title><item><title>Rain</title><link>https://gazette.example/rain</link></item><item><title>Wind</title><link>https://gazette.example/wind</link></item><item><title>Sn"#),
    ("line ends before the declaration", true, true, "\n\n<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Gazette</title><item><title>Rain</title><link>https://gazette.example/rain</link></item><item><title>Wind</title><link>https://gazette.example/wind</link></item></channel></rss>"),
    ("a warning of the server before the first tag", true, true, "Warning: mysql_connect() failed<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Gazette</title><item><title>Rain</title><link>https://gazette.example/rain</link></item><item><title>Wind</title><link>https://gazette.example/wind</link></item></channel></rss>"),
    ("prefixes that are not declared", true, true, r#"<rss version="2.0"><channel><title>Gazette</title><item><title>Rain</title><link>https://gazette.example/rain</link><dc:creator>Ada Finch</dc:creator></item><item><title>Wind</title><link>https://gazette.example/wind</link><content:encoded>x</content:encoded></item></channel></rss>"#),
    ("Atom without its namespace", true, true, r#"<feed><title>Gazette</title><entry><id>tag:gazette.example,2025:1</id><title>Rain</title><link href="https://gazette.example/rain"/></entry><entry><id>tag:gazette.example,2025:2</id><title>Wind</title><link href="https://gazette.example/wind"/></entry></feed>"#),
    ("attributes without quotes", true, false, r#"<rss version=2.0><channel><title>Gazette</title><item><title>Rain</title><link>https://gazette.example/rain</link><guid isPermaLink=false>1</guid></item><item><title>Wind</title><link>https://gazette.example/wind</link></item></channel></rss>"#),
    ("control characters", true, true, "<rss version=\"2.0\"><channel><title>Gazette</title><item><title>Rain</title><link>https://gazette.example/rain</link><description>\u{8}x</description></item><item><title>Wind</title><link>https://gazette.example/wind</link></item></channel></rss>"),
    ("a link in its guid only", true, false, r#"<rss version="2.0"><channel><title>Gazette</title><item><title>Rain</title><guid>https://gazette.example/rain</guid></item><item><title>Wind</title><guid isPermaLink="true">https://gazette.example/wind</guid></item></channel></rss>"#),
    ("relative links", true, true, r#"<rss version="2.0"><channel><title>Gazette</title><item><title>Rain</title><link>/rain</link></item><item><title>Wind</title><link>/wind</link></item></channel></rss>"#),
];

type Stories = Vec<(Option<String>, Option<String>)>;

fn ours(feed: &str) -> Option<Stories> {
    let url = Url::parse(BASE).ok()?;
    let items = tamis_collect::feed::parse(feed.as_bytes(), None, &url).ok()?;
    let pages = items.items.iter().map(|item| {
        let title = items.feed.entry_for(item.url.as_str(), None).and_then(|entry| entry.title.clone());
        (title, Some(item.url.to_string()))
    });
    Some(pages.collect())
}

fn feed_rs(feed: &str) -> Option<Stories> {
    let parser = feed_rs::parser::Builder::new().base_uri(Some(BASE)).build();
    let feed = parser.parse(feed.as_bytes()).ok()?;
    let entries = feed.entries.into_iter().map(|entry| {
        let link = entry.links.into_iter().next().map(|link| link.href);
        (entry.title.map(|title| title.content), link)
    });
    Some(entries.collect())
}

#[test]
fn our_reader_reads_feeds_that_feed_rs_loses() {
    let story =
        |title: &str, path: &str| (Some(title.to_owned()), Some(format!("https://gazette.example/{path}")));
    let expected = [story("Rain", "rain"), story("Wind", "wind")];
    let is_read =
        |stories: Option<Stories>| stories.is_some_and(|stories| stories.get(..2) == Some(&expected[..]));
    let outcomes: Vec<_> =
        FEEDS.iter().map(|(name, _, _, feed)| (*name, is_read(ours(feed)), is_read(feed_rs(feed)))).collect();
    let recorded: Vec<_> = FEEDS.iter().map(|(name, ours, other, _)| (*name, *ours, *other)).collect();
    assert_eq!(outcomes, recorded);
}
