//! Shared by the tests: the pages, and the judgement that is marked in them.
#![allow(dead_code, unreachable_pub, missing_docs)]

pub mod dtd;
pub mod json_schema;
pub mod news;
pub mod words;

use std::path::PathBuf;

use tamis::{Document, Extractor, Judgement, Page, assemble};

pub const PAGES: [&str; 5] = ["harvest", "manual", "ferry", "thread", "signs"];

pub fn source(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/pages").join(format!("{name}.html"));
    std::fs::read_to_string(path).unwrap()
}

/// The blocks whose nearest marked ancestor says so are kept.
pub fn marked(page: &Page<'_>) -> Judgement {
    let is_kept = |block| {
        let element = page.element(block);
        let mut up = std::iter::once(element).chain(element.ancestors());
        up.find_map(|node| {
            let has = |name| node.attribute(name).is_some();
            (has("data-keep") || has("data-drop")).then(|| has("data-keep"))
        })
    };
    Judgement::of(page.blocks().iter().map(|block| is_kept(block) == Some(true)))
}

/// The document of a page with comments, as an extractor makes it that is asked for them.
pub fn with_comments() -> Document {
    Extractor::new().comments(true).url("https://test.example/oven/").extract(&source("oven"))
}

/// The document of one of the pages, with facts as a later stage would fill them in.
pub fn document(name: &str) -> Document {
    let html = source(name);
    let page = Page::parse(&html).with_url(format!("https://test.example/{name}/index.html?v=1"));
    let mut document = assemble(&page, &marked(&page));
    document.published = Some("2021-10-03".into());
    document.modified = Some("in the spring".into());
    document.authors = vec!["Ada Brook".into(), "Lin & Sons".into()];
    document.source = Some("Valley Gazette".into());
    document.page_type = Some("article".into());
    document.confidence = Some(0.875);
    document
}
