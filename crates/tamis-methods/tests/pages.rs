//! The main text that each method loses and the noise it keeps, on every test page.
//!
//! `tests/pages/expected.tsv` lists the known errors of each method, so the test fails if a method becomes worse or
//! better. On failure it prints the new table.

#![allow(clippy::unwrap_used, reason = "a failing test names its line")]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use tamis::page::Page;
use tamis_methods::Method;

fn read(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages").join(name)).unwrap()
}

#[test]
fn every_method_has_its_known_errors_and_no_others() {
    let expected = read("expected.tsv");
    let mut actual = String::new();
    let mut known: HashMap<&str, Vec<String>> = HashMap::new();
    for line in expected.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let (&[page, kind, phrase, _], false) = (&fields[..], line.starts_with('#')) else {
            writeln!(actual, "{line}").unwrap();
            continue;
        };
        let texts = known.entry(page).or_insert_with(|| texts(page));
        assert!(texts[Method::ALL.len()].contains(phrase), "{page} has no {phrase:?}");
        let methods = Method::ALL.iter().zip(texts);
        let wrong = methods.filter(|(_, text)| text.contains(phrase) != (kind == "text"));
        let names: Vec<&str> = wrong.map(|(method, _)| method.name()).collect();
        writeln!(actual, "{page}\t{kind}\t{phrase}\t{}", names.join(" ")).unwrap();
    }
    assert!(expected == actual, "tests/pages/expected.tsv should be:\n{actual}");
}

/// The text that each method keeps of a page, and all of it.
fn texts(page: &str) -> Vec<String> {
    let html = read(&format!("{page}.html"));
    let page = Page::parse(&html);
    let kept = |method: Method| -> String {
        let judgement = method.judge(&page, None);
        judgement.kept().map(|block| format!("{}\n", page.blocks.text(block))).collect()
    };
    let all = page.dom.root().text_content().split_whitespace().collect::<Vec<_>>().join(" ");
    Method::ALL.into_iter().map(kept).chain([all]).collect()
}
