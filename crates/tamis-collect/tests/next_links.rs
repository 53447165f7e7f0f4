//! Accuracy of `next_link` on pages with labelled pagers. Sites are split into halves by name: words and weights were
//! tuned on one half and are tested on the other.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::process::ExitCode;

use serde_json::Value;
use tamis::Input;
use tamis::page::Page;
use tamis_collect::next_part::next_link;
use tamis_collect::urls::{parse, resolve};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

#[derive(Default, Debug)]
struct Figures {
    pages: usize,
    with_next: usize,
    given: usize,
    right: usize,
}

impl Figures {
    fn add(&mut self, truth: &[Url], given: Option<&Url>) {
        self.pages += 1;
        self.with_next += usize::from(!truth.is_empty());
        self.given += usize::from(given.is_some());
        self.right += usize::from(given.is_some_and(|given| truth.contains(given)));
    }

    fn precision(&self) -> f64 {
        self.right as f64 / self.given.max(1) as f64
    }

    fn recall(&self) -> f64 {
        self.right as f64 / self.with_next.max(1) as f64
    }
}

fn main() -> ExitCode {
    tamis_testdata::run_tests(&[("next_links_are_found", next_links_are_found)])
}

#[allow(clippy::print_stdout)]
fn next_links_are_found() {
    let folder = tamis_testdata::set("autopager-pagination").unwrap();
    let truths = std::fs::read_to_string(folder.join("truth.jsonl")).unwrap();
    let (mut tuned, mut held_out, mut documents) =
        (Figures::default(), Figures::default(), Figures::default());
    for line in truths.lines() {
        let truth: Value = serde_json::from_str(line).unwrap();
        let id = truth["id"].as_str().unwrap();
        let Some(url) = truth["url"].as_str().and_then(parse) else { continue };
        let next: Vec<Url> = truth["links"]["next"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|link| resolve(link.as_str()?, &url))
            .filter(|link| *link != url)
            .collect();
        let bytes = std::fs::read(folder.join("pages").join(format!("{id}.html"))).unwrap();
        let html = tamis_html::decode::decode(&bytes, None).text;
        let given = next_link(&Page::parse(&html), &url);
        let is_held_out = xxh3_64(truth["site"].as_str().unwrap().as_bytes()) % 2 == 1;
        if is_held_out { &mut held_out } else { &mut tuned }.add(&next, given.as_ref());
        let document = tamis::extract(Input::text(&html).url(url.as_str())).unwrap();
        let given = document.metadata.next_page.as_deref().and_then(|link| resolve(link, &url));
        documents.add(&next, given.as_ref());
    }
    for (name, figures) in
        [("tuned half", &tuned), ("held-out half", &held_out), ("Document::next_page", &documents)]
    {
        println!("{name}: precision {:.3}, recall {:.3}, {figures:?}", figures.precision(), figures.recall());
    }
    assert!(held_out.precision() >= 0.9 && held_out.recall() >= 0.8, "{held_out:?}");
}
