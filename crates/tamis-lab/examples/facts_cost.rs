//! Extracts pages for `cargo xtask facts-cost`, which runs it under valgrind and counts what happens in [`extract_counted`].
//!
//! `cargo run --release -p tamis-lab --example facts_cost -- LIST [FETCHED]`, the list being a file with the path of a page a line, and the other
//! when the pages were fetched.

use std::error::Error;
use std::fs;
use std::hint::black_box;

use tamis::Extractor;
use tamis::facts::dates::Moment;
use tamis_html::decode::decode;

fn main() -> Result<(), Box<dyn Error>> {
    let list = std::env::args().nth(1).ok_or("which pages? Give a file with the path of a page a line")?;
    let mut pages = Vec::new();
    for path in fs::read_to_string(list)?.lines() {
        pages.push(decode(&fs::read(path)?, None).text.into_owned());
    }
    let mut extractor = Extractor::new();
    if let Some(said) = std::env::args().nth(2) {
        let fetched = Moment::read(&said).ok_or_else(|| format!("{said:?} is no day and no time"))?;
        extractor = extractor.fetched(fetched);
    }
    // Tables that are made once for all pages are made here: what counts is what one more page takes.
    for page in &pages {
        black_box(extractor.extract(page));
    }
    for page in &pages {
        extract_counted(&extractor, page);
    }
    Ok(())
}

/// What is counted: one extraction, and dropping its document.
#[inline(never)]
fn extract_counted(extractor: &Extractor, page: &str) {
    drop(black_box(extractor.extract(page)));
}
