//! The cost of learning and looking up a page relative to parsing, with 5,000 templates in the profile.
//!
//! `cargo run --release -p tamis-site --example page_cost -- PAGE...` prints times: the best of some rounds per page,
//! summed over the pages, which are treated as pages of one site with a profile of 128 pages.
//!
//! On a busy machine, instruction counts are more reliable: `page_cost --only WHAT ROUNDS PAGE...` does one thing
//! ROUNDS times, and the difference between two runs under valgrind with different ROUNDS is its cost.

#![allow(clippy::print_stdout, reason = "a benchmark")]

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};
use std::{env, fs};

use tamis::SiteMemory;
use tamis::page::Page;
use tamis_html::decode::decode;
use tamis_methods::site::leaf_tags;
use tamis_site::{Known, Listing, PageRecord, SiteKey, SiteProfile};

const WHAT: [&str; 5] = ["parse", "observe", "exclude", "lines", "templates"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    let mut only = None;
    if arguments.first().is_some_and(|first| first == "--only") && arguments.len() > 3 {
        let rounds: u32 = arguments[2].parse()?;
        only = Some((arguments[1].clone(), rounds));
        arguments.drain(..3);
    }
    let mut texts = Vec::new();
    for file in &arguments {
        texts.push(decode(&fs::read(file)?, None).text.into_owned());
    }
    if texts.is_empty() {
        return Err("usage: page_cost [--only WHAT ROUNDS] PAGE...".into());
    }
    let memory = memory();
    let known = memory.known();
    // Computed on first use; not part of the cost of a page.
    black_box(known.is_template("p", "x"));
    if let Some((what, rounds)) = only {
        for text in &texts {
            let page = Page::parse(text);
            (0..rounds).for_each(|_| one(&what, text, &page, &known));
        }
        return Ok(());
    }
    let mut sums = [Duration::ZERO; WHAT.len()];
    let (mut bytes, mut blocks, mut tags) = (0, 0, 0);
    for text in &texts {
        let page = Page::parse(text);
        bytes += text.len();
        blocks += page.blocks.len();
        tags += leaf_tags(&page).len();
        for (what, sum) in WHAT.iter().zip(&mut sums) {
            let best = (0..15).fold(Duration::MAX, |best, _| {
                let start = Instant::now();
                one(what, text, &page, &known);
                best.min(start.elapsed())
            });
            *sum += best;
        }
    }
    let repeated = SiteKey::named("site").map_or(0, |site| Listing::of(&site, &memory, true).rows.len());
    println!(
        "{} pages, {bytes} bytes, {blocks} blocks, {tags} leaf tags; {repeated} repeated texts in the profile",
        texts.len()
    );
    for (what, sum) in WHAT.iter().zip(sums) {
        println!("{what:10} {sum:>10.1?} {:6.3} of parsing", sum.as_secs_f64() / sums[0].as_secs_f64());
    }
    Ok(())
}

/// Runs one of the operations.
fn one(what: &str, text: &str, page: &Page<'_>, known: &Known) {
    match what {
        "parse" => drop(black_box(Page::parse(text))),
        "observe" => drop(black_box(PageRecord::of(page, None))),
        "exclude" => drop(black_box(known.excluding(page, None))),
        "lines" => {
            let lines = (0..page.blocks.len()).map(|block| page.blocks.text(block));
            black_box(lines.map(|line| u64::from(known.pages_with_line(line))).sum::<u64>());
        }
        _ => {
            let tags = leaf_tags(page);
            black_box(tags.iter().filter(|tag| known.is_template(tag.name, &tag.text)).count());
        }
    }
}

/// 128 pages that share 5,000 leaf tags and have unique texts.
fn memory() -> SiteProfile {
    let mixed = |number: u64| {
        let number = (number ^ number >> 31).wrapping_mul(0x7FB5_D329_728E_A185);
        (number ^ number >> 27).wrapping_mul(0x81DA_DEF4_BC2D_D44D) ^ number >> 33
    };
    // Invented words, half of them Chinese, with a Zipf-like distribution.
    let word = |number: u64| -> String {
        let rank = 1_000_f64.powf((mixed(number) >> 11) as f64 / (1_u64 << 53) as f64) as u64;
        let seed = mixed(rank);
        let (first, count, longest) =
            if rank.is_multiple_of(2) { (u64::from('a'), 26, 8) } else { (0x4E00, 3_000, 3) };
        let letter = |at: u64| char::from_u32((first + mixed(seed ^ at) % count) as u32).unwrap_or('x');
        (0..1 + seed % longest).map(letter).collect()
    };
    let text = |seed: u64, most: u64| -> String {
        let words: Vec<String> = (0..1 + mixed(seed) % most).map(|at| word(mixed(seed) ^ at << 32)).collect();
        words.join(" ")
    };
    let templates: Vec<String> = (0..5_000_u64)
        .map(|number| {
            let name = ["a", "p", "span", "li"][number as usize % 4];
            format!("<{name}>{} {number}</{name}>", text(number, 12))
        })
        .collect();
    let mut memory = SiteProfile::default();
    for number in 0..128_u64 {
        let mut html = String::new();
        for (at, template) in templates.iter().enumerate() {
            // About 600 per page, each on about 16 pages: enough for a template, and within the bounds of a record.
            if mixed(number << 32 | at as u64).is_multiple_of(8) {
                html.push_str(template);
            }
        }
        html += &format!("<p>{}</p>", text(1 << 50 | number, 60));
        memory.observe(&Page::parse(&html), Some(&format!("https://example.com/{number}")));
    }
    memory
}
