//! What every output format looks like, for every test page.
//!
//! The approved outputs are beside this file in `snapshots`; after a wanted change, run the tests with
//! `INSTA_UPDATE=always` and read the difference.

#![allow(clippy::unwrap_used)]

mod common;

use tamis::{Document, Options};

fn check(format: &str, render: impl Fn(&Document) -> String) {
    let documents = common::PAGES.map(|name| (name, common::document(name)));
    for (name, document) in documents.into_iter().chain([("oven", common::with_comments())]) {
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(format!("{name}.{format}"), render(&document));
        });
    }
}

#[test]
fn text() {
    check("txt", |document| document.to_text(&Options::default()));
}

#[test]
fn text_with_everything() {
    check("all.txt", |document| document.to_text(&Options::all()));
}

#[test]
fn markdown() {
    check("md", |document| document.to_markdown(&Options::all()));
}

#[test]
fn html() {
    check("html", |document| document.to_html(&Options::all()));
}

#[test]
fn json() {
    check("json", |document| {
        let value: serde_json::Value = serde_json::from_str(&document.to_json()).unwrap();
        serde_json::to_string_pretty(&value).unwrap()
    });
}

#[test]
fn xml() {
    check("xml", Document::to_xml);
}

#[test]
fn tei() {
    check("tei.xml", Document::to_tei);
}
