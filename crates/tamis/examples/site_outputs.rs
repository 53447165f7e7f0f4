//! The outputs of a method on a set of pages, each judged with up to 50 other pages of its site, for a scorer to read:
//!
//! `cargo run --release -p tamis --example site_outputs -- METHOD SET_FOLDER > OUT.jsonl`
//!
//! A set is a folder with `truth.jsonl` (a JSON line a page with `id` and `site`) and `pages/ID.html`.

#![allow(clippy::print_stdout, reason = "the outputs are what it is run for")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tamis::{Extractor, Method, Options, Page, Site};
use tamis_html::decode::decode;

/// How many other pages of the site a method is shown.
const OTHERS: usize = 50;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(method), Some(set)) = (arguments.next(), arguments.next()) else {
        return Err("usage: site_outputs METHOD SET_FOLDER".into());
    };
    let method: Method = method.parse()?;
    let set = Path::new(&set);
    let mut sites: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for line in fs::read_to_string(set.join("truth.jsonl"))?.lines() {
        let row: Value = serde_json::from_str(line)?;
        let id = row["id"].as_str().ok_or("a page without an id")?.to_owned();
        let bytes = fs::read(set.join(format!("pages/{id}.html")))?;
        let site = row["site"].as_str().unwrap_or(&id).to_owned();
        sites.entry(site).or_default().push((id, decode(&bytes, None).text.into_owned()));
    }
    for pages in sites.values() {
        let parsed: Vec<(&str, Page<'_>)> =
            pages.iter().map(|(id, html)| (id.as_str(), Page::parse(html))).collect();
        for (at, (id, page)) in parsed.iter().enumerate() {
            let mut site = Site::default();
            for (_, (_, other)) in parsed.iter().enumerate().filter(|(other, _)| *other != at).take(OTHERS) {
                site.observe(other);
            }
            let extractor = Extractor::new().method(method).site(site);
            let document = extractor.document(page, &extractor.judge(page));
            let text = document.to_text(&Options::default());
            println!(
                "{}",
                json!({ "id": id, "text": text, "title": document.title, "date": document.published })
            );
        }
    }
    Ok(())
}
