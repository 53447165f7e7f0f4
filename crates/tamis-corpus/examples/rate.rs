//! How long the library takes for the pages of some files, in seconds of processor time: what `python/benches/rate.py`
//! compares with.
//!
//! `rate FILE...` prints one number for each line that it is given on standard input, so that it can be run in turns.

#![allow(clippy::print_stdout, reason = "it is there to print")]

use std::io::BufRead;

use tamis::{Extractor, Options};
use tamis_html::decode::Decoder;

/// Clock ticks of this process, of which a second has a hundred.
fn ticks() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind_name = stat.rsplit(')').next().unwrap_or_default();
    behind_name.split_whitespace().skip(11).take(2).filter_map(|word| word.parse::<f64>().ok()).sum()
}

fn main() {
    let pages: Vec<Vec<u8>> = std::env::args().skip(1).filter_map(|file| std::fs::read(file).ok()).collect();
    for _ in std::io::stdin().lock().lines() {
        let begin = ticks();
        let mut length = 0;
        for page in &pages {
            let decoded = Decoder::new().decode(page);
            length += Extractor::new().extract(&decoded.text).to_text(&Options::default()).len();
        }
        println!("{} {length}", (ticks() - begin) / 100.0);
    }
}
