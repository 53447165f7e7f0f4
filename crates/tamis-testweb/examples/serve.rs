//! Serves the test web until the process is stopped, for other tools.
//!
//! `cargo run -p tamis-testweb --example serve -- [--benchmark] [STORIES [TRUTH]]` writes the truth to a file of
//! tab-separated lines, and prints the seeds and an empty line. `--benchmark` serves hosts without delays or failures.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::fs::File;
use std::io::{BufWriter, Write};

use tamis_testweb::{Settings, Web};

fn main() {
    let mut arguments = std::env::args().skip(1).peekable();
    let benchmark = arguments.next_if(|argument| argument == "--benchmark").is_some();
    let mut settings = if benchmark { Settings::benchmark(4_000) } else { Settings::default() };
    if let Some(stories) = arguments.next() {
        settings.stories = stories.parse().unwrap();
    }
    let web = Web::start(settings);
    if let Some(file) = arguments.next() {
        let mut out = BufWriter::new(File::create(file).unwrap());
        for story in web.truth() {
            let fields =
                [&story.url, &story.title, &story.marker, &story.published, &story.author, story.boilerplate]
                    .join("\t");
            writeln!(out, "{fields}\t{:?}\t{}\t{}", story.kind, story.language, story.allowed).unwrap();
        }
        out.flush().unwrap();
    }
    for seed in web.seeds() {
        println!("{seed}");
    }
    println!();
    loop {
        std::thread::park();
    }
}
