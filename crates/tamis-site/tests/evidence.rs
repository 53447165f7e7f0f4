//! What repeats for a good reason can be told from furniture by the numbers.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

mod common;

use tamis::Page;
use tamis_site::{Decision, Evidence, PageRecord, SiteMemory};

/// Words that no two pages share.
fn own(page: u64, sentence: u64) -> String {
    let digest = PageRecord::key_of_url(&format!("{page} {sentence}"));
    format!("In {digest:x} they found {:x}, and it was good.", digest.rotate_left(31))
}

fn article(page: u64) -> String {
    let author = ["Ann Field", "Bob Meadow", "Cora Brook", "Dan Hill", "Eve Lake"][page as usize % 5];
    let series = if page % 8 == 3 {
        "<p>This is a part of our series on the harbour, which began in the spring.</p>"
    } else {
        ""
    };
    format!(
        "<ul class=menu><li><a href=/>Home</a><li><a href=/about>About us</a></ul>\
         <div class=article><h1>{}</h1><p class=byline>By {author}</p><p class=date>{} May 2026</p>{series}<p>{}</p><p>{}</p></div>\
         <div class=foot>All rights reserved, also those of readers.</div>",
        own(page, 0),
        page % 7 + 1,
        own(page, 1),
        own(page, 2),
    )
}

/// A front page that quotes the beginnings of articles.
fn listing(pages: std::ops::Range<u64>) -> String {
    let teaser =
        |page| format!("<li class=teaser><a href=/{page}>{}</a><p>{}</p></li>", own(page, 0), own(page, 1));
    format!(
        "<ul class=menu><li><a href=/>Home</a><li><a href=/about>About us</a></ul><ul>{}</ul>\
         <div class=foot>All rights reserved, also those of readers.</div>",
        pages.map(teaser).collect::<String>()
    )
}

fn memory() -> SiteMemory {
    let mut memory = SiteMemory::default();
    for page in 0..40 {
        memory.observe(&Page::parse(&article(page)).with_url(common::url(page)));
    }
    for (number, start) in [0_u64, 10, 20, 30].into_iter().enumerate() {
        memory
            .observe(&Page::parse(&listing(start..start + 10)).with_url(common::url(1_000 + number as u64)));
    }
    memory
}

fn evidence_on(memory: &SiteMemory, page: u64, text: &str) -> Evidence {
    let html = article(page);
    let page = Page::parse(&html).with_url(common::url(page));
    let at = page.blocks().iter().position(|block| page.text(block).starts_with(text)).unwrap();
    memory.known().evidence(&page)[at]
}

#[test]
fn furniture_stands_at_the_same_place_on_most_pages() {
    let memory = memory();
    for text in ["All rights reserved", "Home"] {
        let evidence = evidence_on(&memory, 3, text);
        assert_eq!((evidence.of, evidence.pages, evidence.at_place), (43, 43, 43), "{text}");
        assert!(evidence.place_texts <= 2 && evidence.place_once == 0, "{text}: {evidence:?}");
        assert_eq!(evidence.furniture(), 1.0, "{text}");
    }
    assert_eq!(evidence_on(&memory, 3, "Home").in_links, 43);
}

#[test]
fn a_sentence_that_a_listing_quotes_stands_elsewhere_there() {
    let evidence = evidence_on(&memory(), 12, &own(12, 1));
    assert_eq!((evidence.pages, evidence.at_place, evidence.places), (1, 0, 1), "{evidence:?}");
    assert_eq!(evidence.place_once, evidence.place_texts - 1, "the series alone repeats there: {evidence:?}");
    let headline = evidence_on(&memory(), 12, &own(12, 0));
    assert_eq!((headline.pages, headline.in_links, headline.at_place), (1, 1, 0));
    assert_eq!((evidence.furniture(), headline.furniture()), (0.0, 0.0));
}

#[test]
fn bylines_and_datelines_share_their_place_with_others_that_recur() {
    let byline = evidence_on(&memory(), 5, "By ");
    assert_eq!((byline.pages, byline.at_place), (7, 7), "{byline:?}");
    // Every article has the place, and a few texts take turns there: none on most pages, none only once.
    assert_eq!((byline.place_pages, byline.place_texts, byline.place_once), (39, 5, 0), "{byline:?}");
    assert!(byline.pages * 2 < byline.place_pages);
    let date = evidence_on(&memory(), 5, "6 May 2026");
    assert_eq!((date.place_texts, date.place_once), (7, 0), "{date:?}");
    assert!(date.pages * 2 < date.place_pages);
    assert!(byline.furniture() < 0.25 && date.furniture() < 0.25);
    assert!(date.near > 30, "ten characters allow one edit, so all dates are near: {date:?}");
}

#[test]
fn a_paragraph_that_a_series_repeats_stands_among_paragraphs_that_do_not() {
    let series = evidence_on(&memory(), 11, "This is a part of our series");
    assert_eq!((series.pages, series.at_place), (4, 4), "{series:?}");
    assert_eq!(series.place_texts, 2 * 39 + 1, "{series:?}");
    assert_eq!(series.place_once, 2 * 39, "{series:?}");
    assert!(series.furniture() < 0.01, "{series:?}");
}

#[test]
fn a_page_does_not_count_for_itself() {
    let mut memory = SiteMemory::default();
    for page in 0..10 {
        memory.observe(&Page::parse(&article(page)).with_url(common::url(page)));
    }
    let story = own(4, 2);
    assert_eq!(memory.known().pages_with(&story), 1);
    assert_eq!(evidence_on(&memory, 4, &story).pages, 0, "by its address");
    let html = article(4);
    let page = Page::parse(&html);
    assert!(memory.known().evidence(&page).iter().all(|evidence| evidence.of == 9), "by its content");
    // An older version of it is still the same page.
    let newer = html.replace("<h1>", "<h1>Updated: ");
    let page = Page::parse(&newer).with_url(common::url(4));
    let at = page.blocks().iter().position(|block| page.text(block) == story).unwrap();
    assert_eq!(memory.known().evidence(&page)[at].pages, 0);
}

#[test]
fn one_page_under_many_addresses_counts_once() {
    let mut memory = SiteMemory::default();
    for copy in 0..20 {
        memory.observe(&Page::parse(&article(1)).with_url(format!("https://example.com/1?from={copy}")));
    }
    memory.observe(&Page::parse(&article(2)).with_url(common::url(2)));
    let known = memory.known();
    assert_eq!((known.pages(), known.pages_with(&own(1, 1))), (2, 1));
}

#[test]
fn a_persons_word_is_part_of_the_evidence() {
    let mut memory = memory();
    assert_eq!(evidence_on(&memory, 3, "All rights").judged, None);
    memory.judge("All rights reserved, also those of readers.", Some(Decision::Keep));
    let kept = evidence_on(&memory, 3, "All rights");
    assert_eq!((kept.judged, kept.furniture()), (Some(Decision::Keep), 0.0));
}

#[test]
fn near_texts_are_found_as_well() {
    let mut memory = SiteMemory::default();
    for page in 10..40 {
        memory.observe(&Page::parse(&common::html(page)).with_url(common::url(page)));
    }
    let known = memory.known();
    let notice = "All rights reserved, page 77 of this site.";
    assert_eq!((known.pages_with(notice), known.pages_near(notice)), (0, 30));
    assert_eq!(known.pages_near("Something else altogether is here, on this page."), 0);
}
