//! Extracts the text of every page of a list, several times: the program that `cargo xtask stages` profiles.
//!
//! Usage: `rounds LIST ROUNDS [--record] [MODEL]`, where LIST has one path per line. With `--record`, the whole document
//! as JSON and as Markdown; no rounds print them instead, to compare two builds.

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fs;
use std::io;
use std::sync::Arc;

use tamis::Extractor;
use tamis::classify::Model;

fn main() -> Result<(), Box<dyn Error>> {
    let is_record = std::env::args().any(|argument| argument == "--record");
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--record");
    let list = arguments.next().unwrap_or_default();
    let rounds = arguments.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(1);
    let pages: Vec<Vec<u8>> = fs::read_to_string(list)?.lines().map(fs::read).collect::<io::Result<_>>()?;
    let mut builder = Extractor::builder();
    if let Some(model) = arguments.next() {
        builder = builder.model(Arc::new(Model::from_bytes(&fs::read(model)?)?));
    }
    let extractor = builder.build();
    for page in pages.iter().filter(|_| rounds == 0) {
        let document = extractor.extract(page).unwrap_or_default();
        println!("{}\n{}", document.to_json(), document.to_markdown());
    }
    for _ in 0..rounds {
        for page in &pages {
            if is_record {
                let document = extractor.extract(page).unwrap_or_default();
                std::hint::black_box((document.to_json(), document.to_markdown()));
            } else {
                std::hint::black_box(extractor.extract_text(page).unwrap_or_default());
            }
        }
    }
    Ok(())
}
