//! What a feed of the site adds to a page, as a caller sees it.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

use std::sync::Arc;

use tamis::facts::dates::{Hints, read};
use tamis::facts::{Evidence, Field, Origin};
use tamis::feed::Feed;
use tamis::{Document, Extractor, Judgement};

const URL: &str = "https://gazette.example/2010/rain-at-last";

const PAGE: &str = "<title>Rain at last - weather and more</title><ul><li><a href=/>Home</a><li><a href=/news>News</a></ul>\
    <h1>Harbour weather</h1><p>It rained in the harbour on Monday, for the first time since the spring, and the gardens were \
    glad of it.</p><p>More is expected until Thursday, says the weather office.</p><p>Share this with your friends</p>";

const RSS: &str = "<rss xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><title>Harbour Gazette - RSS Feed</title>\
    <language>en-GB</language><item><title>Sun</title><link>https://gazette.example/2010/sun</link></item>\
    <item><title>Rain at last</title><link>http://www.gazette.example/2010/rain-at-last/?utm_source=rss</link>\
    <pubDate>Tue, 14 Dec 2010 08:30:00 +0800</pubDate><dc:creator>By Ada Finch</dc:creator><dc:creator>Harbour Gazette</dc:creator>\
    <category>Weather</category><description>&lt;p&gt;The harbour has its rain.&lt;/p&gt;&lt;p&gt;The post Rain appeared first on \
    Gazette.&lt;/p&gt;</description></item></channel></rss>";

fn feed(source: &str) -> Arc<Feed> {
    Arc::new(Feed::read(source).unwrap())
}

fn extractor(source: &str) -> Extractor {
    Extractor::new().feed(feed(source))
}

fn evidence(extractor: &Extractor, html: &str) -> Evidence {
    let page = extractor.page(html);
    extractor.evidence(&page, &extractor.judge(&page))
}

#[test]
fn the_facts_that_a_feed_gives() {
    let extractor = extractor(RSS).url(URL);
    let document: Document = extractor.extract(PAGE);
    assert_eq!(document.title.as_deref(), Some("Rain at last"));
    assert_eq!(document.published.as_deref(), Some("2010-12-14T08:30:00+08:00"));
    assert_eq!(document.authors, ["Ada Finch"]);
    assert_eq!(document.site_name.as_deref(), Some("Harbour Gazette"));
    assert_eq!(document.description.as_deref(), Some("The harbour has its rain."));
    assert_eq!(document.tags, ["Weather"]);
    assert_eq!(document.language.as_deref(), Some("en-GB"));
    let evidence = evidence(&extractor, PAGE);
    for field in
        [Field::Published, Field::Author, Field::SiteName, Field::Description, Field::Tag, Field::Language]
    {
        assert!(evidence.of(field).any(|it| it.origin == Origin::Feed && it.chosen), "{}", field.name());
    }
    let table = evidence.to_table(120);
    assert!(
        table.contains("feed          2010-12-14T08:30:00+08:00\n") && table.contains("entry 2, published"),
        "{table}"
    );
    assert!(table.contains("feed: entry 2 of 2: http://www.gazette.example/2010/rain-at-last/"), "{table}");
    let site = evidence.of(Field::Author).find(|it| it.value == "Harbour Gazette").unwrap();
    assert!(!site.chosen && site.weight <= 0.0, "a site's name is no author");
}

#[test]
fn a_page_without_an_address_is_known_by_the_one_it_gives() {
    for head in [
        format!("<link rel=canonical href={URL}>"),
        format!("<meta property=og:url content={URL}>"),
        "<base href=https://gazette.example/><link rel=canonical href=/2010/rain-at-last#top>".to_owned(),
    ] {
        let document = extractor(RSS).extract(&format!("{head}{PAGE}"));
        assert_eq!(document.authors, ["Ada Finch"], "{head}");
    }
    // That which it was fetched from may be another, as that of a copy is.
    let page = format!("<link rel=canonical href={URL}>{PAGE}");
    assert_eq!(extractor(RSS).url("https://copies.example/7").extract(&page).authors, ["Ada Finch"]);
}

#[test]
fn a_feed_that_does_not_have_the_page_changes_nothing() {
    let without = Extractor::new().url("https://gazette.example/2010/snow");
    let with = without.clone().feed(feed(RSS));
    assert_eq!(with.extract(PAGE), without.extract(PAGE));
    let told = evidence(&with, PAGE);
    assert_eq!(told.feed, "none of 2 entries is of this page (https://gazette.example/2010/snow)");
    assert_eq!(told.candidates, evidence(&without, PAGE).candidates);
    assert!(evidence(&extractor(RSS), PAGE).feed.contains("gives its address"));
    assert!(evidence(&without, PAGE).feed.is_empty());
}

#[test]
fn the_first_of_several_feeds_that_have_the_page_counts() {
    let other = RSS.replace("Ada Finch", "Bo Lark");
    let sun = "<rss><item><title>Sun</title><link>https://gazette.example/sun</link></item></rss>";
    let extractor = extractor(sun).feed(feed(&other)).feed(feed(RSS)).url(URL);
    assert_eq!(extractor.extract(PAGE).authors, ["Bo Lark"]);
}

#[test]
fn chinese_and_uyghur_pages_have_feeds_too() {
    let atom = |title: &str, author: &str| {
        format!(
            "<feed><title>Gazette</title><entry><title>{title}</title><link href='{URL}'/>\
             <published>2010-12-15T08:30:00+08:00</published><author><name>{author}</name></author></entry></feed>"
        )
    };
    let han = "<title>港口终于下雨了_港口新闻网</title><p>星期一港口下了一整天的雨，这是春天以来的第一场雨，花园里的人都很高兴。</p>";
    let document = extractor(&atom("港口终于下雨了", "王小明")).url(URL).extract(han);
    assert_eq!(
        (document.title.as_deref(), &document.authors[..]),
        (Some("港口终于下雨了"), &["王小明".to_owned()][..])
    );
    let arabic = "<title>پورتتا يامغۇر ياغدى - گېزىت</title><p>دۈشەنبە كۈنى پورتتا كۈن بويى يامغۇر ياغدى، باغۋەنلەر ناھايىتى خۇشال بولدى.</p>";
    let document = extractor(&atom("پورتتا يامغۇر ياغدى", "ئادا فىنچ")).url(URL).extract(arabic);
    assert_eq!(document.title.as_deref(), Some("پورتتا يامغۇر ياغدى"));
    assert_eq!(
        (document.published.as_deref(), document.authors.len()),
        (Some("2010-12-15T08:30:00+08:00"), 1)
    );
}

#[test]
fn what_the_page_says_itself_comes_first() {
    let json = r#"<script type="application/ld+json">{"@type":"NewsArticle","headline":"Rain at last","datePublished":"2010-12-20T10:00:00+08:00","author":{"@type":"Person","name":"Bo Lark"}}</script>"#;
    let document = extractor(RSS).url(URL).extract(&format!("{json}{PAGE}"));
    assert_eq!(document.published.as_deref(), Some("2010-12-20T10:00:00+08:00"));
    assert_eq!(document.authors, ["Bo Lark"]);
}

#[test]
fn times_as_feeds_write_them() {
    for (written, meant) in [
        ("Tue, 14 Dec 2010 08:30:00 +0800", "2010-12-14T08:30:00+08:00"),
        ("Tue, 14 Dec 2010 08:30:00 GMT", "2010-12-14T08:30:00Z"),
        ("Tue, 14 Dec 2010 08:30:00 UT", "2010-12-14T08:30:00Z"),
        ("Tue, 14 Dec 2010 08:30:00 Z", "2010-12-14T08:30:00Z"),
        ("Tue, 14 Dec 2010 08:30:00 EST", "2010-12-14T08:30:00-05:00"),
        ("Tue, 14 Dec 2010 08:30:00 EDT", "2010-12-14T08:30:00-04:00"),
        ("Tue, 14 Dec 2010 08:30:00 PST", "2010-12-14T08:30:00-08:00"),
        ("Tue, 14 Dec 2010 08:30:00 MDT", "2010-12-14T08:30:00-06:00"),
        ("Tue, 14 Dec 2010 08:30 -0330", "2010-12-14T08:30-03:30"),
        ("14 Dec 2010 08:30:00 +0000", "2010-12-14T08:30:00Z"),
        ("Tue, 14 Dec 2010", "2010-12-14"),
        ("2010-12-14T08:30:00+08:00", "2010-12-14T08:30:00+08:00"),
        ("2010-12-14T08:30:00.123Z", "2010-12-14T08:30:00Z"),
        ("2010-12-14T08:30Z", "2010-12-14T08:30Z"),
        ("2010-12-14 08:30:00", "2010-12-14T08:30:00"),
        ("2010-12-14", "2010-12-14"),
    ] {
        let moment = read(written, &Hints::default()).map(|moment| moment.to_string());
        assert_eq!(moment.as_deref(), Some(meant), "{written}");
    }
}

/// Sentences that are all different, as those of a text are.
fn story() -> Vec<String> {
    let places = ["harbour", "market", "valley", "station", "library", "garden", "school", "mill"];
    let things = ["ferry", "bridge", "orchard", "lamp", "clock", "boat"];
    let each = places.iter().enumerate().map(|(at, place)| {
        let thing = things[at % things.len()];
        format!(
            "At the {place} the {thing} was repaired in week {at}, says the owner of the {place}, who had waited for \
             {thing} and weather since the spring, and who now hopes that the {thing} will hold for another year."
        )
    });
    each.collect()
}

fn page_of(story: &[String], head: &str) -> String {
    let text: String = story.iter().map(|it| format!("<div>{it}</div>")).collect();
    format!(
        "{head}<title>Repairs</title><div><a href=/>Home</a></div>{text}<div>Other people bought this chair, or that one.</div>"
    )
}

fn atom_of(text: &str) -> String {
    format!(
        "<feed><entry><title>Repairs</title><link href='{URL}'/><content type='html'>{text}</content></entry></feed>"
    )
}

fn judged(extractor: &Extractor, html: &str) -> Judgement {
    extractor.judge(&extractor.page(html))
}

#[test]
fn a_whole_text_in_a_feed_is_evidence_for_the_text() {
    let story = story();
    let plain = Extractor::new().url(URL);
    let fed = plain.clone().feed(feed(&atom_of(&story.join(" "))));
    let html = page_of(&story, "");
    let (with, without) = (judged(&fed, &html), judged(&plain, &html));
    let last = story.len() + 1;
    assert!(
        with.verdicts[last].score < 0.7 * without.verdicts[last].score,
        "what the feed does not have loses"
    );
    assert!(with.verdicts[last].why.contains(&("in the feed", 0.0)));
    for at in 1..last {
        assert!(with.keeps(at) && with.verdicts[at].score > without.verdicts[at].score, "{at}");
        assert!(with.verdicts[at].why.contains(&("in the feed", 1.0)));
    }
    // The page's own word comes first.
    let own = format!(r#"<script type="application/ld+json">{{"articleBody":"{}"}}</script>"#, story[0]);
    assert_eq!(judged(&fed, &page_of(&story, &own)), judged(&plain, &page_of(&story, &own)));
}

#[test]
fn a_teaser_or_another_text_in_a_feed_counts_for_nothing() {
    let story = story();
    let html = page_of(&story, "");
    let plain = Extractor::new().url(URL);
    let other = story
        .join(" ")
        .replace("the", "an")
        .replace(" was ", " will be ")
        .replace("week", "month")
        .replace(',', " or");
    for text in [story[0].clone(), format!("{} […]", story.join(" ")), other] {
        assert_eq!(
            judged(&plain.clone().feed(feed(&atom_of(&text))), &html),
            judged(&plain, &html),
            "{text}"
        );
    }
}
