//! Small feeds of every kind, sound and broken.

use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Feed {
    Feed::read(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The first entry in a few words: title | links | published | updated | authors | summary | content | categories.
fn shown(feed: &Feed) -> String {
    let Some(entry) = feed.entries().first() else { return "no entry".to_owned() };
    let words = |content: &Option<Content>| content.as_ref().map(Content::words).unwrap_or_default();
    let of = |value: &Option<String>| value.clone().unwrap_or_default();
    [
        of(&entry.title),
        entry.links.join(" "),
        of(&entry.published),
        of(&entry.updated),
        entry.authors.join(", "),
        words(&entry.summary),
        words(&entry.content),
        entry.categories.join(", "),
    ]
    .join(" | ")
}

#[test]
fn every_kind_of_feed_is_read() {
    for (kind, source, expected) in [
        (
            "RSS 0.91",
            "<!DOCTYPE rss PUBLIC '-//Netscape//DTD RSS 0.91//EN' 'http://my.netscape.com/publish/formats/rss-0.91.dtd'>
             <rss version='0.91'><channel><title>Gazette</title><link>https://gazette.example/</link>
             <image><title>Logo</title><link>https://gazette.example/logo</link></image>
             <item><title>Rain</title><link>https://gazette.example/rain</link><description>It rained.</description></item>
             </channel></rss>",
            "Rain | https://gazette.example/rain |  |  |  | It rained. |  | ",
        ),
        (
            "RSS 2.0",
            "<?xml version='1.0' encoding='UTF-8'?><rss version='2.0' xmlns:content='http://purl.org/rss/1.0/modules/content/'
             xmlns:dc='http://purl.org/dc/elements/1.1/' xmlns:feedburner='http://rssnamespace.org/feedburner/ext/1.0'>
             <channel><title>Gazette</title><item><title><![CDATA[Rain & wind]]></title>
             <link>https://feeds.example/~r/7</link><guid isPermaLink='false'>https://gazette.example/?p=7</guid>
             <feedburner:origLink>https://gazette.example/rain?a=1&amp;copy=2</feedburner:origLink>
             <pubDate>Tue, 14 Dec 2010 08:30:00 +0800</pubDate><dc:creator><![CDATA[Ada Finch]]></dc:creator>
             <category><![CDATA[Weather]]></category><category>Harbour</category><category>Weather</category>
             <description>It &lt;b&gt;rained&lt;/b&gt; &amp;amp; poured.</description>
             <content:encoded><![CDATA[<p>It rained.</p><p>It poured.</p>]]></content:encoded></item></channel></rss>",
            "Rain & wind | https://feeds.example/~r/7 https://gazette.example/rain?a=1&copy=2 | Tue, 14 Dec 2010 08:30:00 +0800 |  \
             | Ada Finch | It rained & poured. | It rained. It poured. | Weather, Harbour",
        ),
        (
            "RSS 1.0, in Chinese, with prefixes of its own",
            "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'
             xmlns:d='http://purl.org/dc/elements/1.1/'><channel r:about='https://gazette.example/'><title>港口日报</title>
             <items><r:Seq><r:li resource='https://gazette.example/7'/></r:Seq></items></channel>
             <item r:about='https://gazette.example/7'><title>港口下雨了</title><link>https://gazette.example/7</link>
             <d:creator>王小明</d:creator><d:date>2010-12-15T08:30:00+08:00</d:date><d:subject>天气</d:subject></item></r:RDF>",
            "港口下雨了 | https://gazette.example/7 | 2010-12-15T08:30:00+08:00 |  | 王小明 |  |  | 天气",
        ),
        (
            "Atom, in Uyghur",
            "<feed xmlns='http://www.w3.org/2005/Atom' xml:lang='ug'><title type='text'>پورت گېزىتى</title>
             <link href='https://gazette.example/'/><link rel='self' href='/feed'/>
             <entry><title type='html'>يامغۇر &lt;i&gt;ياغدى&lt;/i&gt;</title><id>tag:gazette.example,2010:7</id>
             <link rel='edit' href='/edit/7'/><link href='/7'/><published>2010-12-15T08:30:00Z</published><updated>2010-12-16</updated>
             <author><name>ئادا</name><email>ada@gazette.example</email><uri>https://ada.example/</uri></author>
             <contributor><name>Bo Lark</name></contributor><category term='rain' label='يامغۇر'/>
             <source><title>Another feed</title><id>https://other.example/</id></source>
             <summary>Short.</summary><content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><p>One &lt; two.</p>
             <p>Three.</p></div></content></entry></feed>",
            "يامغۇر ياغدى | https://gazette.example/7 | 2010-12-15T08:30:00Z | 2010-12-16 | ئادا | Short. | One < two. Three. | يامغۇر",
        ),
        (
            "Atom 0.3, all names with a prefix",
            "<a:feed version='0.3' xmlns:a='http://purl.org/atom/ns#'><a:title>Gazette</a:title><a:entry><a:title>Rain</a:title>
             <a:link rel='alternate' type='text/html' href='https://gazette.example/rain'/><a:issued>2004-05-06T07:08:09Z</a:issued>
             <a:modified>2004-05-07T07:08:09Z</a:modified>
             <a:content type='application/xhtml+xml' mode='escaped'>&lt;p&gt;It rained.&lt;/p&gt;</a:content></a:entry></a:feed>",
            "Rain | https://gazette.example/rain | 2004-05-06T07:08:09Z | 2004-05-07T07:08:09Z |  |  | It rained. | ",
        ),
        (
            "JSON Feed 1.1",
            r#"{"version":"https://jsonfeed.org/version/1.1","title":"Gazette","home_page_url":"https://gazette.example/","items":[
             {"id":"https://gazette.example/rain","url":"/rain","external_url":"https://other.example/x","title":"Rain &amp; wind",
             "date_published":"2010-12-15T08:30:00+08:00","date_modified":"2010-12-16T08:30:00+08:00",
             "authors":[{"name":"Ada Finch"},{"name":"Bo Lark"}],"tags":["Weather"],"summary":"It rained.",
             "content_html":"<p>It rained.</p><p>It &amp; poured.</p>"},]}"#,
            "Rain & wind | https://gazette.example/rain | 2010-12-15T08:30:00+08:00 | 2010-12-16T08:30:00+08:00 | Ada Finch, Bo Lark \
             | It rained. | It rained. It & poured. | Weather",
        ),
        (
            "JSON Feed 1",
            r#"{"title":"Gazette","items":[{"id":7,"url":"https://gazette.example/7","author":{"name":"Ada Finch"},"content_text":"a < b"}]}"#,
            " | https://gazette.example/7 |  |  | Ada Finch |  | a < b | ",
        ),
    ] {
        assert_eq!(shown(&read(source)), expected, "{kind}");
    }
}

#[test]
fn broken_feeds_are_read_as_far_as_they_go() {
    let link = "https://gazette.example/rain";
    for (why, source) in [
        (
            "white space and a mark at the start",
            format!(
                "\u{feff}\n  <?xml version='1.0'?><rss><item><title>Rain & wind</title><link>{link}</link></item></rss>"
            ),
        ),
        (
            "a bare ampersand",
            format!("<rss><item><title>Rain & wind</title><link>{link}</link></item></rss>"),
        ),
        (
            "references of HTML",
            format!("<rss><item><title>Rain&nbsp;&#38;&nbsp;wind</title><link>{link}</link></item></rss>"),
        ),
        (
            "escaped twice",
            format!("<rss><item><title>Rain &amp;amp; wind</title><link>{link}</link></item></rss>"),
        ),
        (
            "no end tag of the title",
            format!("<rss><item><title>Rain &amp; wind<link>{link}</link></item></rss>"),
        ),
        (
            "a wrong end tag",
            format!("<rss><item><title>Rain &amp; wind</titel><link>{link}</lnk></item></rss>"),
        ),
        ("no end tags at all", format!("<rss><item><title>Rain &amp; wind<link>{link}<item><title>Sun")),
        (
            "the end is missing",
            format!("<rss><item><title>Rain &amp; wind</title><link>{link}</link><description>It rai"),
        ),
        ("capitals", format!("<RSS><ITEM><TITLE>Rain &amp; wind</TITLE><LINK>{link}</LINK></ITEM></RSS>")),
        (
            "markup that is not escaped",
            format!("<rss><item><title>Rain <b>&amp;</b> wind</title><link>{link}</link></item></rss>"),
        ),
        (
            "prefixes that nobody declares",
            format!(
                "<rdf:RDF><rss:item><dc:title>Rain &amp; wind</dc:title><atom:link href='{link}'/></rss:item></rdf:RDF>"
            ),
        ),
        (
            "comments",
            format!(
                "<!-- by a program --><rss><item><!-- <title>no</title> --><title>Rain &amp; wind</title><link>{link}</link></item></rss>"
            ),
        ),
        (
            "a link in attributes without quotes",
            format!(
                "<feed><entry><title>Rain &amp; wind</title><link rel=alternate href={link}></entry></feed>"
            ),
        ),
        (
            "no channel",
            format!(
                "<channel><item><link> \n{link}\n </link><title>\n Rain &amp;\n wind</title></item></channel>"
            ),
        ),
    ] {
        let feed = read(&source);
        let entry = feed.entry(link).unwrap_or_else(|| panic!("{why}: {:?}", feed.entries()));
        assert_eq!(entry.title.as_deref(), Some("Rain & wind"), "{why}");
    }
}

#[test]
fn a_field_that_is_cut_off_is_left_out() {
    let feed = read("<rss><item><title>Rain</title><link>https://gazette.example/rain</link><author>Ada Fin");
    assert!(feed.entries()[0].authors.is_empty());
}

#[test]
fn markup_inside_of_a_text_does_not_end_it() {
    let feed = read(
        "<rss><item><description><p>It <link href=x>rained</p><title>and</title> poured.</b></description><title>Rain</title></item></rss>",
    );
    assert_eq!(shown(&feed), "Rain |  |  |  |  | It rained poured. |  | ");
}

#[test]
fn what_a_feed_says_of_itself() {
    let feed = read(
        "<rss><channel><title>Gazette</title><language>en-GB</language><image><title>Logo</title></image>\
         <atom:author><atom:name>Ada Finch</atom:name></atom:author><item><title>Rain</title></item></channel></rss>",
    );
    assert_eq!((feed.title(), feed.language()), (Some("Gazette"), Some("en-GB")));
    assert_eq!(feed.authors(), ["Ada Finch"]);
}

#[test]
fn entries_that_share_an_address_are_nobodys() {
    let feed = |titles: [&str; 2]| {
        let items: String = titles
            .iter()
            .map(|title| format!("<item><title>{title}</title><link>https://gazette.example/</link></item>"))
            .collect();
        read(&format!("<rss>{items}</rss>"))
    };
    assert!(feed(["Rain", "Sun"]).entry("https://gazette.example/").is_none());
    assert!(feed(["Rain", "Rain"]).entry("https://gazette.example/").is_some());
}

#[test]
fn what_is_no_feed_says_what_it_is() {
    for (source, expected) in [
        ("", "it is empty"),
        ("  \n", "it is empty"),
        ("<!doctype html><html lang=en><p>It rained.", "a web page and no feed"),
        ("<urlset><url><loc>https://gazette.example/</loc></url></urlset>", "begins with \"<urlset>\""),
        ("It rained.", "begins with \"It rained.\""),
        ("{\"a\": 1}", "JSON without \"items\""),
        ("[1, 2]", "JSON without \"items\""),
    ] {
        let error = Feed::read(source).unwrap_err().to_string();
        assert!(error.contains(expected), "{source}: {error}");
    }
}

#[test]
fn bytes_are_decoded_as_the_first_line_says() {
    let source =
        "\n<?xml version=\"1.0\" encoding=\"gb2312\"?><rss><item><title>港口下雨了</title></item></rss>";
    let (bytes, ..) = encoding_rs::GBK.encode(source);
    assert_eq!(Feed::from_bytes(&bytes, None).unwrap().entries()[0].title.as_deref(), Some("港口下雨了"));
    // Many say so, and are in UTF-8 all the same.
    let feed = Feed::from_bytes(source.as_bytes(), None).unwrap();
    assert_eq!(feed.entries()[0].title.as_deref(), Some("港口下雨了"));
    let (utf16, ..) = (source.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>(), ());
    let marked = [&[0xFF, 0xFE], &utf16[..]].concat();
    assert_eq!(Feed::from_bytes(&marked, None).unwrap().entries().len(), 1);
}

#[test]
fn entities_of_its_own_do_not_grow() {
    let mut source = String::from("<?xml version='1.0'?><!DOCTYPE rss [<!ENTITY a0 'rain'>");
    for level in 1..20 {
        let inner = format!("&a{};", level - 1).repeat(10);
        source.push_str(&format!("<!ENTITY a{level} '{inner}'>"));
    }
    source
        .push_str("]><rss><item><title>&a19;</title><link>https://gazette.example/rain</link></item></rss>");
    assert_eq!(read(&source).entries()[0].title.as_deref(), Some("&a19;"));
}

#[test]
fn bombs_are_bounded() {
    let start = std::time::Instant::now();
    for source in [
        "<rss>".to_owned() + &"<item>".repeat(300_000),
        "<rss>".to_owned() + &"<item><title>".repeat(200_000),
        "<rss><item>".to_owned() + &"<description>".repeat(200_000),
        "<rss><item><author>".to_owned() + &"<name>".repeat(200_000),
        "<rss><item>".to_owned() + &"<link>a".repeat(300_000),
        "<rss>".to_owned() + &"<image>".repeat(300_000),
        "<feed>".to_owned() + &"<entry xmlns:a='b'>".repeat(100_000),
        "<rss><item>".to_owned() + &"<category>a&amp;</category>".repeat(100_000),
        "<rss><item><title>".to_owned() + &"<![CDATA[".repeat(200_000),
        "{\"items\":[".to_owned() + &"{\"items\":[".repeat(100_000),
        "{\"items\":[".to_owned() + &"{\"url\":\"https://a.example/\"},".repeat(100_000),
    ] {
        let feed = read(&source);
        assert!(feed.entries().len() <= Limits::default().entries);
        assert!(feed.entries().iter().all(|entry| entry.links.len() <= 100 && entry.categories.len() <= 100));
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = Feed::read(&text);
    }

    #[test]
    fn any_order_of_tags_is_read(parts in prop::collection::vec(prop::sample::select(vec![
        "<rss>", "</rss>", "<item>", "</item>", "<entry>", "</entry>", "<title>", "</title>", "<title/>", "<link>", "</link>",
        "<link href='/a'/>", "<author>", "</author>", "<name>", "</name>", "<content type='xhtml'>", "</content>", "<description>",
        "</description>", "<image>", "</image>", "<source>", "</source>", "<![CDATA[", "]]>", "<!--", "-->", "&amp;", "&", "text",
        "https://a.example/é", "<feed xml:base='//b.example/'>", "<dc:date>", "</dc:date>", "<guid>", "</guid>",
    ]), 0..60)) {
        let source = format!("<rss>{}", parts.concat());
        let feed = Feed::read(&source).unwrap();
        for entry in feed.entries() {
            for link in &entry.links {
                let _ = feed.entry(link);
            }
            let _ = entry.content.as_ref().map(Content::words);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Feed::from_bytes(&bytes, None);
    }

    #[test]
    fn broken_json_is_read_or_refused(text in "[{\\[\\]}\":,a-z\\\\ ]{0,120}") {
        let _ = Feed::read(&format!("{{\"items\":[{text}"));
    }
}
