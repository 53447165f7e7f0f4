//! How many instructions parsing takes for each byte of a page: `cargo bench -p tamis-html --bench instructions`.
//!
//! Instructions, counted by valgrind's callgrind, do not depend on what else the machine does. The program starts
//! itself under callgrind, once for each parser; only what happens inside [`parse_counted`] is counted.

// A benchmark's output is what it is for.
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

/// What is counted: one parse, and dropping its tree.
#[inline(never)]
fn parse_counted(page: &str, html5ever: bool) {
    if html5ever {
        drop(black_box(Tree::parse(page, false)));
    } else {
        drop(black_box(tamis_html::parse(page)));
    }
}

/// Runs this program under callgrind and prints what it counted.
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
