//! What feeds once got wrong.

use std::sync::Arc;

use super::*;
use crate::facts::dates::{Hints, read as read_time};
use crate::{Document, Extractor};

const URL: &str = "https://g.example/rain";
const PAGE: &str = "<title>Rain</title><h1>Rain</h1><p>It rained in the harbour on Monday, for the first time since the spring, and \
    the gardens were glad of it.</p>";

fn read(text: &str) -> Feed {
    Feed::read(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn extract(feeds: &[&str]) -> Document {
    let extractor = Extractor::new().url(URL);
    feeds.iter().fold(extractor, |it, feed| it.feed(Arc::new(read(feed)))).extract(PAGE)
}

#[test]
fn a_feed_of_comments_spoke_for_the_page() {
    let feed = |title: &str, link: &str| {
        format!(
            "<rss><channel><title>{title}</title><item><title>By: Bo Lark</title><link>{link}</link>\
             <author>Bo Lark</author></item></channel></rss>"
        )
    };
    for link in ["#comment-7", "#c7", "#respond", "#p123", "#reply"] {
        let feed = feed("Gazette", &format!("{URL}{link}"));
        assert!(read(&feed).entry(URL).is_none(), "{link}");
        assert!(extract(&[&feed]).authors.is_empty(), "{link}");
    }
    for title in ["Comments on: Rain", "Comments for Gazette", "评论：下雨了"] {
        assert!(read(&feed(title, URL)).entry(URL).is_none(), "{title}");
    }
    assert!(read(&feed("Gazette", &format!("{URL}#top"))).entry(URL).is_some());
    // A comment may name its page as well.
    let both = format!("<rss><item><link>{URL}#comment-7</link><guid>{URL}</guid></item></rss>");
    assert!(read(&both).entry(URL).is_none());
    // A number behind what an entry is known by is no comment.
    let known = format!("<feed><entry><id>{URL}#1292315400</id><link href='{URL}'/></entry></feed>");
    assert!(read(&known).entry(URL).is_some());
}

#[test]
fn untitled_entries_with_different_texts_shared_a_page() {
    let feed = |texts: [&str; 2]| {
        let item = |text| format!("<item><link>{URL}</link><description>{text}</description></item>");
        read(&format!("<rss>{}</rss>", texts.map(item).concat()))
    };
    assert!(feed(["Nice.", "No."]).entry(URL).is_none());
    assert!(feed(["Nice.", "Nice."]).entry(URL).is_some());
}

#[test]
fn a_planet_spoke_for_the_pages_it_links_to() {
    let feed = |home: &str, more: &str| {
        format!(
            "<rss xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><title>Planet Rain</title>{home}<language>fr</language>\
             <item><title>Best rain of all</title><link>{URL}</link><pubDate>Tue, 14 Dec 2010 08:30:00 GMT</pubDate>\
             <dc:creator>Bo Lark</dc:creator><category>links</category><description>Seen today.</description>{more}</item>\
             </channel></rss>"
        )
    };
    let plain = Extractor::new().url(URL).extract(PAGE);
    for home in
        ["<link>https://planet.other/</link>", "<atom:link rel='self' href='https://planet.other/feed'/>"]
    {
        assert_eq!(extract(&[&feed(home, "")]), plain, "{home}");
        // The site's own feed comes first, wherever it stands.
        let own = feed("<link>https://g.example</link>", "").replace("Bo Lark", "Ada Finch");
        assert_eq!(extract(&[&feed(home, ""), &own]).authors, ["Ada Finch"], "{home}");
    }
    for home in [
        "",
        "<link>https://www.g.example/</link>",
        "<link>http://news.g.example/</link>",
        "<link>https://feeds.feedburner.com/g</link>",
        "<atom:link rel='self' href='https://feeds.other/g'/><link>https://g.example/</link>",
    ] {
        let document = extract(&[&feed(home, "")]);
        assert_eq!(
            (&document.authors[..], &document.tags[..]),
            (&["Bo Lark".to_owned()][..], &["links".to_owned()][..])
        );
        assert_eq!(document.published.as_deref(), Some("2010-12-14T08:30:00Z"), "{home}");
    }
    let home = "<link>https://planet.other/</link>";
    for (source, name) in [
        ("<source url='https://g.example/feed'>Harbour Gazette</source>", Some("Harbour Gazette")),
        ("<source url='https://third.other2/feed'>Another</source>", None),
        (
            "<atom:source><atom:id>x</atom:id><atom:title>Harbour Gazette</atom:title>\
             <atom:author><atom:name>Ada Finch</atom:name></atom:author></atom:source>",
            Some("Harbour Gazette"),
        ),
    ] {
        let document = extract(&[&feed(home, source)]);
        assert_eq!(document.site_name.as_deref(), name.or(plain.site_name.as_deref()), "{source}");
        assert!(document.authors.is_empty() && document.published.is_none());
    }
    let json = format!(
        r#"{{"home_page_url":"https://planet.other/","items":[{{"url":"{URL}","authors":[{{"name":"Bo Lark"}}]}}]}}"#
    );
    assert_eq!(extract(&[&json]), plain);
}

#[test]
fn json_of_a_million_values_had_no_items() {
    let limits = Limits { entries: 10, ..Limits::default() };
    let item = |at: usize| {
        format!(r#"{{"url":"https://g.example/{at}","title":"a, [b] {{c}}: \"d\"","tags":["x","y"]}}"#)
    };
    let items = (0..500).map(item).collect::<Vec<_>>().join(",");
    let feed = Feed::within(&format!(r#"{{"title":"Gazette","items":[{items}]}}"#), limits).unwrap();
    assert_eq!((feed.title(), feed.entries().len()), (Some("Gazette"), 10));
    let late = format!(r#"{{"x":[{}1],"items":[{items}]}}"#, "1,".repeat(2000));
    let error = Feed::within(&late, limits).unwrap_err().to_string();
    assert!(error.contains("more than 1000 values"), "{error}");
}

#[test]
fn relative_links_of_a_feed_with_an_address_led_nowhere() {
    for source in [
        "<rss><item><link>/rain</link></item></rss>",
        "<rss><channel><link>/</link><item><link>rain</link></item></channel></rss>",
        "<feed xml:base='/'><entry><link href='rain'/></entry></feed>",
        r#"{"items":[{"url":"rain"}]}"#,
    ] {
        let feed = Feed::from_address("https://g.example/feed.xml", source.as_bytes(), None).unwrap();
        assert!(feed.entry(URL).is_some(), "{source}");
    }
    let own = b"<feed><link href='https://g.example/'/><entry><link href='/rain'/></entry></feed>";
    assert!(Feed::from_address("https://feeds.other/g", own, None).unwrap().entry(URL).is_some());
}

#[test]
fn the_time_of_china_was_that_of_chicago() {
    let time = |language: &str, written: &str| {
        let feed = read(&format!(
            "<rss><channel><item><pubDate>{written}</pubDate></item><language>{language}</language></channel></rss>"
        ));
        let time = feed.entries()[0].published.clone();
        time.and_then(|time| read_time(&time, &Hints::default())).map(|it| it.to_string())
    };
    let written = "Tue, 14 Dec 2010 08:30:00 CST";
    assert_eq!(time("zh-CN", written).as_deref(), Some("2010-12-14T08:30:00+08:00"));
    assert_eq!(time("en-US", written).as_deref(), Some("2010-12-14T08:30:00-06:00"));
}

#[test]
fn a_packed_feed_was_noise() {
    let error = Feed::from_bytes(b"\x1F\x8B\x08\0\0\0\0\0", None).unwrap_err();
    assert_eq!(error, FeedError::Packed("gzip"));
    assert!(error.to_string().contains("unpack it"));
}

#[test]
fn no_category_and_addresses_were_tags() {
    let feed = read(
        "<feed><entry><category term='Uncategorized'/><category term='未分类'/><category term='Weather'/>\
         <category term='http://schemas.example/kind#post'/></entry></feed>",
    );
    assert_eq!(feed.entries()[0].categories, ["Weather"]);
}

#[test]
fn the_first_feed_counted_only_among_those_with_the_same_address() {
    let feed = |link: &str, author: &str| {
        format!("<rss><item><title>Rain</title><link>{link}</link><author>{author}</author></item></rss>")
    };
    let page = format!("<link rel=canonical href=https://g.example/canonical>{PAGE}");
    let extractor = Extractor::new().url(URL);
    let extractor = extractor.feed(Arc::new(read(&feed("https://g.example/canonical", "Bo Lark"))));
    let extractor = extractor.feed(Arc::new(read(&feed(URL, "Ada Finch"))));
    assert_eq!(extractor.extract(&page).authors, ["Ada Finch"]);
}
