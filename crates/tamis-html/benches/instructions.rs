//! Instructions per byte of parsing: `cargo bench -p tamis-html --bench instructions`.
//!
//! Instructions, counted by valgrind's callgrind, do not depend on other load. The program starts itself under
//! callgrind, once per parser; only [`parse_counted`] is counted.

// The output is the purpose of a benchmark.
#![allow(clippy::print_stdout)]

#[path = "../tests/common/html5ever_tree.rs"]
mod html5ever_tree;
#[path = "../tests/common/pages.rs"]
mod pages;

use std::hint::black_box;
use std::process::Command;

use html5ever_tree::Tree;

fn main() {
    // Cargo adds `--bench`.
    let named = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    match named.as_deref() {
        Some(parser) => parse_all(parser),
        None => ["tamis-html", "html5ever"].into_iter().for_each(count),
    }
}

/// Parses every page once.
fn parse_all(parser: &str) {
    for page in pages::for_speed() {
        parse_counted(&page, parser == "html5ever");
    }
}

/// The counted function: parses a page and drops its tree.
#[inline(never)]
fn parse_counted(page: &str, html5ever: bool) {
    if html5ever {
        drop(black_box(Tree::parse(page, false)));
    } else {
        drop(black_box(tamis_html::parse(page)));
    }
}

/// Runs this program under callgrind and prints the count.
fn count(parser: &str) {
    let bytes: usize = pages::for_speed().iter().map(String::len).sum();
    let program =
        std::env::current_exe().unwrap_or_else(|error| panic!("this program cannot be found: {error}"));
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*parse_counted*"])
        .arg(program)
        .arg(parser)
        .output();
    let Ok(run) = run else {
        println!("skipped: valgrind is not installed");
        return;
    };
    let said = String::from_utf8_lossy(&run.stderr);
    let collected =
        said.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse::<u64>().ok());
    match collected {
        Some(count) => println!("{parser:10} {:6.2} instructions a byte", count as f64 / bytes as f64),
        None => panic!("callgrind did not say what it counted:\n{said}"),
    }
}
