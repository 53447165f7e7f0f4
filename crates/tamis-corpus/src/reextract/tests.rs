use tamis::page::Page;
use tamis_site::PageRecord;

use super::*;
use crate::extraction::EngineSettings;
use crate::raw::{compress, save_raw};
use crate::save::{save_part, save_story};
use crate::site_pages::save_page_record;
use crate::testing::{for_each_database, story};

const OLDER: &str = "A text of an older extractor.";

fn page(number: u32) -> String {
    let sentence = |n: u32| {
        format!("Ship {} sailed from port {} with {} tons of grain on board. ", n * 7, n * 13, n * 31)
    };
    let text: String = (1..8).map(|n| sentence(number * 10 + n)).collect();
    format!("<html><head><title>Ship {number}</title></head><body><h1>Ship {number}</h1><p>{text}</p>")
}

fn url(number: u32) -> String {
    format!("https://example.com/ships/{number}.html")
}

/// Saves a raw page with a text that differs from its content.
fn collect(corpus: &mut Corpus, engine: &Engine, number: u32) -> i64 {
    let mut draft = story(&url(number), "Ship", &format!("{OLDER} {number}"));
    draft.extractor = engine.version().to_owned();
    corpus
        .transaction(|tx| {
            let saved = save_story(tx, &draft, 10)?;
            save_raw(tx, saved.story_id, &raw(&url(number), RawRole::Story, 1, &page(number)))?;
            Ok(saved.story_id)
        })
        .unwrap()
}

fn raw(url: &str, role: RawRole, part: u32, html: &str) -> RawDraft {
    RawDraft {
        url: url.to_owned(),
        role,
        part,
        fetched: 10,
        content_type: Some("text/html".to_owned()),
        body: compress(html.as_bytes()),
    }
}

fn learn(corpus: &mut Corpus, numbers: std::ops::Range<u32>) -> SiteKey {
    let site = SiteKey::from_url(&url(0)).unwrap();
    corpus
        .transaction(|tx| {
            for number in numbers.clone() {
                let html = page(number);
                save_page_record(tx, &site, &PageRecord::of(&Page::parse(&html), Some(&url(number))))?;
            }
            Ok(())
        })
        .unwrap();
    site
}

fn texts(corpus: &mut Corpus) -> Vec<String> {
    let rows = corpus.read(|tx| tx.query("SELECT text FROM story ORDER BY id", &[])).unwrap();
    rows.iter().map(|row| row.get(0).unwrap()).collect()
}

#[test]
fn stories_are_extracted_again_once_their_site_is_known() {
    let engine = Engine::new(EngineSettings::default());
    for_each_database(|mut corpus| {
        for number in 0..3 {
            collect(&mut corpus, &engine, number);
        }
        let run = |corpus: &mut Corpus| {
            reextract(corpus, &engine, &ReextractFilter::default(), &mut |_| ()).unwrap()
        };
        let current = ReextractSummary { stories: 3, current: 3, ..ReextractSummary::default() };
        assert_eq!(run(&mut corpus), current);

        let site = learn(&mut corpus, 0..20);
        let ripe = corpus.read(|tx| ripe_stories(tx, "example.com", &site, 20)).unwrap();
        assert_eq!(ripe, [1, 2, 3]);
        let known = corpus.read(|tx| load_profile(tx, &site)).unwrap().known();
        assert_eq!(reextract_one(&mut corpus, &engine, 1, Some(&known)).unwrap(), Reextracted::Changed);
        assert_eq!(corpus.read(|tx| ripe_stories(tx, "example.com", &site, 20)).unwrap(), [2, 3]);

        let changed = ReextractSummary { stories: 3, changed: 2, current: 1, ..ReextractSummary::default() };
        assert_eq!(run(&mut corpus), changed);
        assert!(texts(&mut corpus).iter().all(|text| text.contains("grain") && !text.contains(OLDER)));
        let revisions: i64 =
            corpus.read(|tx| tx.query_value("SELECT sum(revisions) FROM story", &[])).unwrap();
        let updated: i64 = corpus.read(|tx| tx.query_value("SELECT max(updated) FROM story", &[])).unwrap();
        assert_eq!((revisions, updated), (0, 10), "the pages did not change");
        assert_eq!(run(&mut corpus), current);
    });
}

#[test]
fn stories_without_a_sound_page_stay_as_they_are() {
    let engine = Engine::new(EngineSettings::default());
    for_each_database(|mut corpus| {
        let urls = [url(1), url(2), url(3)];
        corpus
            .transaction(|tx| {
                for url in &urls {
                    save_story(tx, &story(url, "Rain", url), 10)?;
                }
                save_raw(tx, 2, &raw(&urls[1], RawRole::Story, 1, "%PDF-1.7"))?;
                let damaged = RawDraft { body: vec![1, 2, 3], ..raw(&urls[2], RawRole::Story, 1, "") };
                save_raw(tx, 3, &damaged)
            })
            .unwrap();
        let summary = reextract(&mut corpus, &engine, &ReextractFilter::default(), &mut |_| ()).unwrap();
        let expected =
            ReextractSummary { stories: 3, failed: 2, without_page: 1, ..ReextractSummary::default() };
        assert_eq!(summary, expected);
        assert_eq!(texts(&mut corpus), urls.map(|url| url + "\n"));
    });
}

#[test]
fn parts_are_extracted_again_and_joined() {
    let engine = Engine::new(EngineSettings::default());
    for_each_database(|mut corpus| {
        let (first, second) = (url(1), url(2));
        corpus
            .transaction(|tx| {
                save_story(tx, &story(&first, "Ship 1", OLDER), 10)?;
                save_part(tx, 1, 2, &story(&second, "Ship 1", "An older extractor, part 2."), 10)?;
                save_raw(tx, 1, &raw(&first, RawRole::Story, 1, &page(1)))?;
                save_raw(tx, 1, &raw(&second, RawRole::Part, 2, &page(2)))
            })
            .unwrap();
        assert_eq!(reextract_one(&mut corpus, &engine, 1, None).unwrap(), Reextracted::Changed);
        assert_eq!(reextract_one(&mut corpus, &engine, 1, None).unwrap(), Reextracted::Unchanged);
        let texts = texts(&mut corpus);
        assert!(texts[0].contains("Ship 77 sailed") && texts[0].contains("Ship 147 sailed"), "{}", texts[0]);
    });
}

#[test]
fn a_page_that_was_fetched_meanwhile_is_newer() {
    let engine = Engine::new(EngineSettings::default());
    for_each_database(|mut corpus| {
        let id = collect(&mut corpus, &engine, 1);
        let old = corpus.read(|tx| load_pages(tx, id)).unwrap().unwrap().extract(&engine, None).unwrap();
        corpus
            .transaction(|tx| {
                save_story(tx, &story(&url(1), "Ship 1", "It sank."), 20)?;
                save_raw(tx, id, &RawDraft { fetched: 20, ..raw(&url(1), RawRole::Story, 1, "<p>It sank.") })
            })
            .unwrap();
        assert!(!corpus.transaction(|tx| replace_story(tx, &old)).unwrap());
        assert_eq!(texts(&mut corpus), ["It sank.\n"]);
    });
}
