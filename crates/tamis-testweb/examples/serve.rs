//! Serves the web until the process is stopped, to look at it with other tools.
//!
//! `cargo run -p tamis-testweb --example serve -- [STORIES [TRUTH]]` prints the seeds, and writes the truth to a
//! file of tab-separated lines.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::fmt::Write;

use tamis_testweb::{Settings, Web};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut settings = Settings::default();
    if let Some(stories) = arguments.next() {
        settings.stories = stories.parse().unwrap();
    }
    let web = Web::start(settings);
    for seed in web.seeds() {
        println!("{seed}");
    }
    if let Some(file) = arguments.next() {
        let mut out = String::new();
        for story in web.truth() {
            let fields =
                [&story.url, &story.title, &story.marker, &story.published, &story.author, story.boilerplate]
                    .join("\t");
            writeln!(out, "{fields}\t{:?}\t{}\t{}", story.kind, story.language, story.allowed).unwrap();
        }
        std::fs::write(file, out).unwrap();
    }
    loop {
        std::thread::park();
    }
}
