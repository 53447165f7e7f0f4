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
