//! The main text of a page in one line: `cargo run --example one_line < page.html`

#![allow(clippy::print_stdout, reason = "an example shows its result")]

use std::io::Read;

fn main() -> std::io::Result<()> {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    let page = tamis_html::decode::decode(&bytes, None);
    println!("{}", tamis::extract(&page.text).to_text(&tamis::Options::default()));
    Ok(())
}
