//! Shared by the tests: temporary folders and pages.

#![allow(dead_code, unreachable_pub, reason = "not every test uses all of it")]
#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

use std::fs;
use std::path::{Path, PathBuf};

use tamis::page::Page;
use tamis_site::{PageRecord, SiteKey, SiteProfile};

/// An empty folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

pub fn key(name: &str) -> SiteKey {
    SiteKey::named(name).unwrap()
}

pub fn url(number: u64) -> String {
    format!("https://example.com/{number}")
}

/// A page with a unique story, a menu and a notice.
pub fn html(number: u64) -> String {
    let own = PageRecord::key_of_url(&number.to_string());
    format!(
        "<ul class=menu><li><a href=/>Home</a><li><a href=/n>News</a></ul>\
         <div class=story><h1>Story {own:x}</h1><p>What {own:x} was, {:x} is.</p></div>\
         <div class=foot>All rights reserved, page {number} of this site.</div>",
        own ^ 0x5555
    )
}

pub fn record(number: u64) -> PageRecord {
    PageRecord::of(&Page::parse(&html(number)), Some(&url(number)))
}

pub fn memory(pages: impl IntoIterator<Item = u64>) -> SiteProfile {
    let mut memory = SiteProfile::default();
    pages.into_iter().for_each(|number| _ = memory.insert(record(number)));
    memory
}
