//! Days of publication that were made up, or taken from something else on the page.

#![allow(clippy::unwrap_used, reason = "tests")]

use tamis::Extractor;
use tamis::facts::dates::Moment;

const TEXT: &str = "<p>It rained for nine days in the harbour, and the gardens that had been dry for months are green again, says the office \
    that counts the water in the town.</p><p>The mayor said that the wall would be mended soon, and that nobody should be afraid of the water \
    that stands in the lower streets by the pier.</p><p>People who live there have put sand on their steps, and the fire brigade has pumped \
    out forty cellars, among them that of the old school.</p>";

const GERMAN: &str = "<p>Neun Tage lang hat es am Hafen geregnet, und die Gärten, die so lange trocken waren, sind wieder grün, sagt das Amt, das \
    das Wasser in der Stadt misst.</p><p>Die Bürgermeisterin sagt, dass die alte Mauer bald ausgebessert wird und dass niemand vor dem Wasser \
    in den unteren Straßen Angst haben muss.</p>";

const FRENCH: &str = "<p>Il a plu neuf jours dans le port, et les jardins qui étaient secs sont de nouveau verts, dit le bureau qui compte les \
    eaux de la ville.</p><p>La mairesse a dit que le mur serait réparé bientôt, et que personne ne devrait avoir peur de l'eau qui est dans les \
    rues basses près de la jetée.</p>";

/// The day of a page that was fetched on 10 June 2021.
fn published(html: &str) -> Option<String> {
    let fetched = Moment::read("2021-06-10T12:00:00Z").unwrap();
    Extractor::new().fetched(fetched).extract(html).published
}

/// The same of a page in English with a line between its headline and its text.
fn of_line(line: &str) -> Option<String> {
    published(&format!("<html lang=en><h1>Paint</h1><p>{line}</p>{TEXT}"))
}

#[test]
fn plain_words_were_months_and_days_of_other_languages() {
    for line in [
        "Rated 4.5 out of 5 stars",
        "10 pro tips",
        "iPhone 17 Pro",
        "3 led lights",
        "3 api calls",
        "2 set menus",
        "5 lip balms",
        "1 mac and 2 phones",
        "10. Generic Types, Traits",
        "Nitro 16 may not",
        "By Ada Finch, USA TODAY",
        "Get started today",
        "Science Today",
        "5 May be the best",
        "Est. delivery Wed, Apr 22 - Fri, May 15",
    ] {
        assert_eq!(of_line(line), None, "{line}");
    }
    assert_eq!(
        published(&format!("<html lang=de><p>Sie sind hier: Startseite</p><h1>Alte Mauer</h1>{GERMAN}")),
        None
    );
    assert_eq!(published(&format!("<html lang=en><h1>The Beatles: Yesterday</h1>{TEXT}")), None);
    assert_eq!(published(&format!("<html lang=en><h1>iPhone 17 Pro</h1>{TEXT}")), None);
}

#[test]
fn lines_that_tell_a_day_without_its_year_still_do() {
    for (line, day) in [
        ("Posted 4d ago", "2021-06-06"),
        ("Posted 1d ago", "2021-06-09"),
        ("10d ago", "2021-05-31"),
        ("3w ago", "2021-05-20"),
        ("1y ago", "2020"),
        ("15m ago", "2021-06-10T11:45Z"),
        ("Dec 9", "2020-12-09"),
        ("9 Dec", "2020-12-09"),
        ("Wed, 9 Dec", "2020-12-09"),
        ("By Ada Finch, Dec 9", "2020-12-09"),
        ("Ada Finch · 15 Dec · 5 min read", "2020-12-15"),
        ("today", "2021-06-10"),
        ("Updated yesterday", "2021-06-09"),
        ("Yesterday at 08:30", "2021-06-09T08:30"),
    ] {
        assert_eq!(of_line(line).as_deref(), Some(day), "{line}");
    }
    let french = published(&format!("<html lang=fr><h1>Le mur du port</h1><p>hier à 08h30</p>{FRENCH}"));
    assert_eq!(french.as_deref(), Some("2021-06-09T08:30"));
}

#[test]
fn words_that_count_from_the_fetch_beat_a_whole_date() {
    for line in ["yesterday", "3 hours ago", "15 May", "1 year ago"] {
        let found = of_line(&format!("{line}</p><p>15 December 2010"));
        assert_eq!(found.as_deref(), Some("2010-12-15"), "{line}");
        let data = "<meta property=article:published_time content=2010-12-15>";
        let found = published(&format!("<html lang=en>{data}<h1>Paint</h1><p>{line}</p>{TEXT}"));
        assert_eq!(found.as_deref(), Some("2010-12-15"), "{line}");
        let script = r#"<script>var x = {"publishedAt":"2010-12-15"}</script>"#;
        let found = of_line(&format!("{line}</p>{script}<p>"));
        assert_eq!(found.as_deref(), Some("2010-12-15"), "{line}");
    }
}

#[test]
fn the_names_of_writers_were_labels() {
    for line in [
        "By Ada Osborn, 15 December 2010",
        "By Ada Dearborn, 15 December 2010",
        "By Max Diedrich, 15 December 2010",
        "Life since lockdown · 15 December 2010",
    ] {
        assert_eq!(of_line(line).as_deref(), Some("2010-12-15"), "{line}");
    }
    for line in ["Von Max Seitz, 15.12.2010", "Seite 1 | 15.12.2010"] {
        let found = published(&format!("<html lang=de><h1>Alte Mauer</h1><p>{line}</p>{GERMAN}"));
        assert_eq!(found.as_deref(), Some("2010-12-15"), "{line}");
    }
    for line in ["Business Updates · 15 December 2010", "Peer reviewed · 15 December 2010"] {
        let fetched = Moment::read("2021-06-10T12:00:00Z").unwrap();
        let html = format!("<html lang=en><h1>Paint</h1><p>{line}</p>{TEXT}");
        let document = Extractor::new().fetched(fetched).extract(&html);
        assert_eq!((document.published.as_deref(), document.modified), (Some("2010-12-15"), None), "{line}");
    }
}

#[test]
fn dates_of_reviews_comments_and_related_pieces_in_scripts_were_that_of_the_page() {
    let data = |json: &str| format!("<script type=application/ld+json>{json}</script>");
    for (head, foot) in [
        (
            data(
                r#"{"@type":"Product","name":"Paint","review":[{"@type":"Review","datePublished":"2012-01-05"}]}"#,
            ),
            "",
        ),
        (
            data(
                r#"{"@type":"Article","headline":"Paint","comment":[{"@type":"Comment","datePublished":"2012-01-05"}]}"#,
            ),
            "",
        ),
        (
            data(
                r#"{"@type":"Article","headline":"Paint","mentions":[{"@type":"Article","datePublished":"2012-01-05"}]}"#,
            ),
            "",
        ),
        (
            data(
                r#"{"@type":"Article","headline":"Paint","citation":{"@type":"Article","datePublished":"2012-01-05"}}"#,
            ),
            "",
        ),
        (
            String::new(),
            r#"<script type=application/json>{"props":{"related":[{"publishedAt":"2012-01-05"}]}}</script>"#,
        ),
        (
            String::new(),
            r#"<script>var x = {"recommended": {"a": [{"id": 1}, {"publishedAt":"2012-01-05"}]}}</script>"#,
        ),
        (String::new(), r#"<!-- <script>{"datePublished":"2012-01-05"}</script> -->"#),
        (String::new(), r#"<pre>{"datePublished":"2012-01-05"}</pre>"#),
    ] {
        assert_eq!(
            published(&format!("<html lang=en>{head}<h1>Paint</h1>{TEXT}{foot}")),
            None,
            "{head}{foot}"
        );
    }
    for script in [
        r#"<script type=application/json>{"props":{"article":{"publishedAt":"2012-01-05"}}}</script>"#,
        r#"<script>var x = {"related": [{"id": 1}], "article": {"publishedAt":"2012-01-05"}}</script>"#,
        r#"<div data-props="{&quot;article&quot;:{&quot;publishedAt&quot;:&quot;2012-01-05&quot;}}"></div>"#,
    ] {
        let found = published(&format!("<html lang=en><h1>Paint</h1>{TEXT}{script}"));
        assert_eq!(found.as_deref(), Some("2012-01-05"), "{script}");
    }
}

#[test]
fn dates_of_events_births_sections_and_readers_were_that_of_the_page() {
    for line in [
        "Date of birth: 5 January 1992",
        "Sale ends 03/31/2020",
        "When: 15 December 2010, 19:30",
        "Concert: 15 December 2010",
        "In cinemas 15 December 2010",
        "Subscribe before 5 January 2012",
        "The current server time is Mar 14, 2020 13:52:53",
    ] {
        assert_eq!(of_line(line), None, "{line}");
        let below = published(&format!("<html lang=en><h1>Paint</h1>{TEXT}<p>{line}</p>"));
        assert_eq!(below, None, "below the text: {line}");
    }
    let table = "<table><tr><th>Died<td>5 January 2012<tr><th>Born<td>5 January 1940</table>";
    for rest in [
        "<p>The play was seen on 5 January 2012.</p>",
        "<p>Bob Smith</p><p>5 January 2012 at 10:30</p><p>I was there and it was wet.</p><p>Reply</p>",
        table,
        "<div><a href=/a>The wall of the harbour is mended</a> <time>5 January 2012</time></div>\
         <div><a href=/b>Snow falls in the hills again</a> <time>7 January 2012</time></div>",
        "<h2>14.11.12 Error-correcting conditions</h2><p>They hold where nobody writes.</p>",
        "<p>14.11.12 Error-correcting conditions</p><p>They hold where nobody writes.</p>",
    ] {
        assert_eq!(published(&format!("<html lang=en><h1>Paint</h1>{TEXT}{rest}")), None, "{rest}");
    }
    assert_eq!(published(&format!("<html lang=en><h1>Paint</h1>{table}{TEXT}")), None);
    let today = "<div id=date>Thursday, 10 June 2021</div>";
    assert_eq!(
        published(&format!("<html lang=en>{today}<h1>Paint</h1>{TEXT}")),
        None,
        "the day of the fetch"
    );
}

#[test]
fn the_title_of_an_abbreviation_was_not_asked() {
    let html =
        format!("<h1>Paint</h1><abbr class=published title=2010-12-15T08:30:00Z>last week</abbr>{TEXT}");
    assert_eq!(published(&html).as_deref(), Some("2010-12-15T08:30:00Z"));
}

#[test]
fn dates_of_cards_that_are_links_or_stand_above_the_headline_were_that_of_the_page() {
    let linked: String = (1..=5)
        .map(|day| format!("<a href=/{day}><h3>Sun at last over the harbour town</h3><span>{day} December 2010</span></a>"))
        .collect();
    let below = format!("<h1>Old wall</h1>{TEXT}<h3>Related stories</h3><div>{linked}</div>");
    assert_eq!(published(&below), None);
    let cards: String = (1..=5)
        .map(|day| {
            format!("<div><h4><a href=/{day}>Sun at last over the harbour</a></h4><p>{day} December 2010</p></div>")
        })
        .collect();
    let above = format!("<aside><h3>Latest news</h3>{cards}</aside><h1>Old wall</h1>{TEXT}");
    assert_eq!(published(&above), None);
    let own = format!("<aside>{cards}</aside><h1>Old wall</h1><p>15 May 2021</p>{TEXT}");
    assert_eq!(published(&own).as_deref(), Some("2021-05-15"), "the page's own day");
}
