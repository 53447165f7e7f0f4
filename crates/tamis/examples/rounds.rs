//! Extracts every page of a list, several times: the program that `cargo xtask stages` profiles.
//!
//! Usage: `rounds LIST ROUNDS [text|record] [MODEL]`, where LIST has one path per line.

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io;
use std::sync::Arc;

use tamis::classify::Model;
use tamis::{Extractor, Input};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let list = arguments.next().unwrap_or_default();
    let rounds = arguments.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(1);
    let is_record = arguments.next().is_some_and(|output| output == "record");
    let pages: Vec<Vec<u8>> = fs::read_to_string(list)?.lines().map(fs::read).collect::<io::Result<_>>()?;
    let mut builder = Extractor::builder();
    if let Some(model) = arguments.next() {
        builder = builder.model(Arc::new(Model::from_bytes(&fs::read(model)?)?));
    }
    let extractor = builder.build();
    for _ in 0..rounds {
        for page in &pages {
            if is_record {
                let _ = black_box(extractor.extract(Input::bytes(page)));
            } else {
                black_box(extractor.extract_text(page).unwrap_or_default());
            }
        }
    }
    Ok(())
}
