//! Parsing speed against html5ever: `cargo bench -p tamis-html --bench parse`.
//!
//! Both parse every page of the same set in one process, alternating on each page, so that other load affects both. The
//! ratio is the result.

// The output is the purpose of a benchmark.
#![allow(clippy::print_stdout)]

#[path = "../tests/common/html5ever_tree.rs"]
mod html5ever_tree;
#[path = "../tests/common/pages.rs"]
mod pages;

use std::hint::black_box;
use std::time::{Duration, Instant};

use html5ever_tree::Tree;

const ROUNDS: usize = 9;

fn main() {
    let pages = pages::for_speed();
    let bytes: usize = pages.iter().map(String::len).sum();
    if pages.is_empty() {
        return;
    }
    println!("{} pages, {:.1} MB decoded", pages.len(), bytes as f64 / 1e6);
    // The first round warms up and is not counted.
    let rounds: Vec<[Duration; 2]> = (0..=ROUNDS).map(|round| measure(&pages, round)).skip(1).collect();
    for (name, which) in [("tamis-html", 0), ("html5ever", 1)] {
        let mut speeds: Vec<f64> =
            rounds.iter().map(|times| bytes as f64 / 1e6 / times[which].as_secs_f64()).collect();
        speeds.sort_by(f64::total_cmp);
        let (low, middle, high) = (speeds[0], speeds[ROUNDS / 2], speeds[ROUNDS - 1]);
        println!("{name:10} {middle:8.1} MB/s  ({low:.1} to {high:.1})");
    }
    let mut ratios: Vec<f64> =
        rounds.iter().map(|[ours, theirs]| theirs.as_secs_f64() / ours.as_secs_f64()).collect();
    ratios.sort_by(f64::total_cmp);
    let (low, middle, high) = (ratios[0], ratios[ROUNDS / 2], ratios[ROUNDS - 1]);
    println!("tamis-html is {middle:.2} times as fast ({low:.2} to {high:.2} over {ROUNDS} rounds)");
}

/// The time of each parser for all pages. Excludes dropping the trees, which would favour us.
fn measure(pages: &[String], round: usize) -> [Duration; 2] {
    let mut times = [Duration::ZERO; 2];
    for (number, page) in pages.iter().enumerate() {
        for turn in 0..2 {
            let which = (number + round + turn) % 2;
            times[which] += if which == 0 {
                timed(|| tamis_html::parse(page))
            } else {
                timed(|| Tree::parse(page, false))
            };
        }
    }
    times
}

fn timed<T>(parse: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    let tree = black_box(parse());
    let time = start.elapsed();
    drop(tree);
    time
}
