//! The posts of threads, a JSON line a page: `cargo run -p tamis --example posts -- PAGE...`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to people")]

use std::fs;

use tamis::{Page, posts};
use tamis_html::decode::Decoder;

fn main() {
    for path in std::env::args().skip(1) {
        let Ok(bytes) = fs::read(&path) else {
            eprintln!("cannot read {path}");
            continue;
        };
        let decoded = Decoder::new().decode(&bytes);
        let page = Page::parse(&decoded.text);
        println!("== {path}");
        for post in posts::find(&page) {
            let unknown = || "?".to_owned();
            println!(
                "-- {} | {} | {:?} | to {:?}",
                post.author.clone().unwrap_or_else(unknown),
                post.time.clone().or(post.time_text.clone()).unwrap_or_else(unknown),
                post.number,
                post.reply_to
            );
            println!("{}", post.text(&page));
        }
    }
}
