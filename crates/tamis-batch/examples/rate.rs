//! How long the library takes for the pages of some files, in seconds of processor time: what `python/benches/rate.py`
//! compares with.
//!
//! `rate LIST` reads the files that LIST names, one a line. It prints one number for each line that it is given on standard
//! input, so that it can be run in turns: `text` extracts the plain text, `document` everything.

#![allow(clippy::print_stdout, reason = "it is there to print")]

use std::io::BufRead;

use tamis::Extractor;

/// Clock ticks of this process, of which a second has a hundred.
fn ticks() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind_name = stat.rsplit(')').next().unwrap_or_default();
    behind_name.split_whitespace().skip(11).take(2).filter_map(|word| word.parse::<f64>().ok()).sum()
}

fn main() -> std::io::Result<()> {
    let list = std::fs::read_to_string(std::env::args().nth(1).unwrap_or_default())?;
    let pages = list.lines().map(std::fs::read).collect::<Result<Vec<_>, _>>()?;
    let extractor = Extractor::new();
    for what in std::io::stdin().lock().lines() {
        let is_text = what? == "text";
        let begin = ticks();
        let mut length = 0;
        for page in &pages {
            length += match is_text {
                true => extractor.extract_text(page).map_or(0, |text| text.len()),
                false => extractor.extract(page).map_or(0, |document| document.text.len()),
            };
        }
        println!("{} {length}", (ticks() - begin) / 100.0);
    }
    Ok(())
}
