use super::*;
use std::time::{Duration, Instant};
use tamis_site::{Error, SiteKey};

use crate::time;

#[derive(Debug)]
struct Faulty;

impl KnownSites for Faulty {
    fn known(&self, _: &SiteKey) -> Result<Option<Known>, Error> {
        panic!("the index is {}", 7)
    }
}

#[test]
fn a_panic_in_one_page_is_its_error() {
    let work = Work::new(WorkOptions { sites: Some(Arc::new(Faulty)), ..WorkOptions::default() });
    let page = PageIn { url: Some("http://e.com/x"), ..PageIn::of(Html::Text("<p>A sound page.")) };
    let row = work.extract(&page);
    assert_eq!((row.url.as_deref(), row.text()), (Some("http://e.com/x"), None));
    assert!(row.error.unwrap().ends_with("(please report it): the index is 7"));
    // Heavy pages wait for each other: one that failed gives up its turn.
    let heavy = "<p>A sound page.".repeat(HEAVY / 10);
    for _ in 0..2 {
        let row = work.extract(&PageIn { html: Html::Text(&heavy), ..page });
        assert!(row.error.unwrap().contains("index"));
    }
}

const STORY: &str = "<title>Rain - The Paper</title><nav><a href=/>Home</a></nav><article><h1>Rain</h1><p>3 hours ago</p>\
    <p>It rained in the harbour on Monday, and it poured on Tuesday, so that the ferries stayed at the pier.</p>\
    <p>On Wednesday the council met, and its members spoke about the old bridge, which had been closed.</p></article>";

#[test]
fn relative_dates_count_from_the_fetch_time() {
    let page = PageIn { fetched: time::parse("2010-12-15T12:00:00Z"), ..PageIn::of(Html::Text(STORY)) };
    let document = Work::default().extract(&page).document.unwrap();
    assert_eq!(document.metadata.published.unwrap().to_string(), "2010-12-15T09:00Z");
    let fields = Fields::of(&[RecordField::Text, RecordField::Confidence]);
    let alone = Work::new(WorkOptions { fields, ..WorkOptions::default() }).extract(&page);
    let alone = alone.document.unwrap();
    assert_eq!((alone.metadata.published, &alone.text), (None, &document.text), "what is not asked for");
    assert!(alone.content.is_empty() && alone.confidence == document.confidence);
}

#[test]
fn dates_after_the_current_time_are_rejected_and_relative_ones_left_alone() {
    let html = STORY.replace("3 hours ago", "Published: 12 March 2099");
    let now = Moment::parse_iso("2026-01-01T00:00Z");
    let published = |now, fetched, html: &str| {
        let work = Work::new(WorkOptions { now, ..WorkOptions::default() });
        let page = PageIn { fetched, ..PageIn::of(Html::Text(html)) };
        work.extract(&page).document.unwrap().metadata.published.map(|date| date.to_string())
    };
    assert_eq!(published(None, None, &html).as_deref(), Some("2099-03-12"));
    assert_eq!(published(now, None, &html), None);
    assert_eq!(published(now, None, STORY), None, "no fetch time, so relative dates have no reference");
    let earlier = time::parse("2010-12-15T12:00:00Z");
    assert_eq!(published(now, earlier, STORY).as_deref(), Some("2010-12-15T09:00Z"));
}

#[test]
fn chunks_are_a_field_of_the_record() {
    let options = |chunking: &str| WorkOptions {
        fields: Fields::of(&[RecordField::Chunks]),
        chunking: chunking.parse().unwrap(),
        ..WorkOptions::default()
    };
    for (chunking, most) in [("80", 80), ("9tokens", 9), ("80,markdown", 80)] {
        let record = Work::new(options(chunking)).extract(&PageIn::of(Html::Text(STORY)));
        let chunks = record.chunks.unwrap();
        assert!(chunks.len() > 2 && chunks.iter().all(|chunk| chunk.size <= most), "{chunking}: {chunks:?}");
    }
}

#[test]
fn feeds_know_pages_by_their_canonical_address() {
    let feed = "<feed><entry><link href='https://e.com/rain'/><author><name>Ada Finch</name></author></entry></feed>";
    let feeds = vec![Arc::new(Feed::read(feed).unwrap())];
    let work = Work::new(WorkOptions { feeds, ..WorkOptions::default() });
    let html = format!("<link rel=canonical href=/rain>{STORY}");
    for (url, html) in [("https://e.com/rain", STORY), ("https://e.com/?p=7", &html)] {
        let record = work.extract(&PageIn { url: Some(url), ..PageIn::of(Html::Text(html)) });
        assert_eq!(record.document.unwrap().metadata.authors, ["Ada Finch"], "{url}");
    }
}

#[test]
fn a_page_cut_off_at_a_limit_says_so_beside_its_text() {
    let html = format!("{STORY}{}", "<b></b>".repeat(500_001));
    let record = Work::default().extract(&PageIn::of(Html::Text(&html)));
    assert_eq!(record.error.as_deref(), Some("only the first 500000 nodes of the page were read"));
    let document = record.document.unwrap();
    assert!(document.text.contains("It rained") && document.truncated.unwrap().contains("500000 nodes"));
    let deep = format!("{}{STORY}", "<div>".repeat(600));
    assert_eq!(Work::default().extract(&PageIn::of(Html::Text(&deep))).error, None, "nothing is lost");
}

#[test]
fn blocks_have_their_element_and_place() {
    let work = Work::new(WorkOptions { fields: Fields::ALL, ..WorkOptions::default() });
    let blocks = work.extract(&PageIn::of(Html::Text(STORY))).blocks.unwrap();
    let block = &blocks[3];
    assert_eq!((block.kind.as_str(), block.path.as_str()), ("p", "/html/body/article/p[2]"));
    assert!(block.kept && block.score > 0.5 && block.comment.is_none());
    assert!(STORY[block.span[0] as usize..block.span[1] as usize].contains("It rained in the harbour"));
    assert!(!blocks[0].kept);
}

#[test]
fn statuses_without_success_are_errors_beside_the_text() {
    let error = |status, html| {
        let page = PageIn { status: Some(status), ..PageIn::of(Html::Text(html)) };
        let record = Work::default().extract(&page);
        (record.error, record.document.map(|document| document.text))
    };
    assert_eq!(error(200, STORY).0, None);
    for (status, what) in [
        (204, "no content"),
        (304, "not modified"),
        (404, "not found"),
        (429, "wait"),
        (999, "not a standard status"),
    ] {
        assert!(error(status, "").0.unwrap().contains(what), "{status}");
        assert!(error(status, STORY).1.unwrap().contains("It rained"), "{status}");
    }
}

/// In a build for tests, judging this page takes several times as long as it is given, and parsing it less.
#[test]
fn judging_stops_at_the_time_limit() {
    let html = "<a href=x>b<p>".repeat(400_000);
    let bounds = Bounds { time: Duration::from_millis(250), ..Bounds::default() };
    let begin = Instant::now();
    let work = Work::new(WorkOptions { bounds, ..WorkOptions::default() });
    assert_eq!(work.try_extract(&PageIn::of(Html::Text(&html))).unwrap_err(), PageError::Time(bounds.time));
    assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
}
