//! Measures learning from very many invented pages into one file.
//!
//! `cargo run --release -p tamis-site --example many_pages -- [PAGES] [SITES] [FILE]`
//!
//! Prints, for every tenth of the pages, wall time, CPU time, file size and peak memory (CPU time and memory on Linux).
//! Every page is generated, parsed and recorded, even if its URL rules it out: this is the cost of pages without a URL.
//! The last line is the cost with URLs.

#![allow(clippy::print_stdout, reason = "the figures are what it is run for")]

use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;
use std::{env, fs};

use tamis::page::Page;
use tamis_site::{Learner, PageRecord, SiteKey, Store};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let pages: u64 = arguments.next().map_or(Ok(20_000), |pages| pages.parse())?;
    let sites: u64 = arguments.next().map_or(Ok(200), |sites| sites.parse())?;
    let file = arguments.next().map_or_else(|| env::temp_dir().join("tamis-many-pages.redb"), PathBuf::from);
    let _ = fs::remove_file(&file);
    let keys: Vec<SiteKey> = (0..sites).filter_map(|site| SiteKey::from_url(&url(site, 0))).collect();
    println!("{pages} pages of {} sites", keys.len());
    println!("pages\tseconds\tCPU seconds\tpages/s\tfile MB\tpeak memory MB");
    let start = Instant::now();
    let mut part = Instant::now();
    let mut processor = processor_seconds().unwrap_or(0.0);
    let mut learner = Learner::new(&file)?;
    let mut bytes = 0;
    let mut html = String::new();
    for number in 0..pages {
        let site = number % sites;
        write_page(&mut html, site, number);
        bytes += html.len();
        let page = Page::parse(&html);
        if let Some(key) = keys.get(site as usize) {
            learner.take(key.clone(), PageRecord::of(&page, Some(&url(site, number))))?;
        }
        let step = (pages / 10).max(1);
        if (number + 1).is_multiple_of(step) {
            learner.flush()?;
            println!(
                "{}\t{:.1}\t{:.1}\t{:.0}\t{:.1}\t{:.0}",
                number + 1,
                part.elapsed().as_secs_f64(),
                processor_seconds().unwrap_or(0.0) - processor,
                step as f64 / part.elapsed().as_secs_f64(),
                fs::metadata(&file)?.len() as f64 / 1e6,
                most_memory().unwrap_or(0.0),
            );
            part = Instant::now();
            processor = processor_seconds().unwrap_or(0.0);
        }
    }
    learner.flush()?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "in all {seconds:.1} s, {:.0} pages/s, {:.0} MB of pages",
        pages as f64 / seconds,
        bytes as f64 / 1e6
    );
    let mut store = Store::open(&file)?;
    let known = store.sites()?;
    let rows: u64 = known.iter().map(|site| site.bytes).sum();
    let most = known.iter().map(|site| site.bytes).max().unwrap_or(0);
    store.compact()?;
    drop(store);
    let size = fs::metadata(&file)?.len();
    println!(
        "{} sites, rows {:.1} MB, at most {most} bytes a site; compacted {:.1} MB",
        known.len(),
        rows as f64 / 1e6,
        size as f64 / 1e6
    );

    let start = Instant::now();
    fs::remove_file(&file)?;
    let mut learner = Learner::new(&file)?;
    for number in 0..pages {
        let site = number % sites;
        let url = url(site, number);
        let Some(key) = keys.get(site as usize).filter(|key| learner.wants(key, Some(&url))) else {
            continue;
        };
        write_page(&mut html, site, number);
        learner.take(key.clone(), PageRecord::of(&Page::parse(&html), Some(&url)))?;
    }
    learner.flush()?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "with URLs: {seconds:.1} s, {:.0} pages/s, {} pages parsed",
        pages as f64 / seconds,
        learner.written()
    );
    Ok(())
}

fn url(site: u64, number: u64) -> String {
    format!("https://www.site-{site}.example/{number}.html")
}

/// Deterministic pseudo-random numbers.
fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 31).wrapping_mul(0x7FB5_D329_728E_A185);
    (number ^ number >> 27).wrapping_mul(0x81DA_DEF4_BC2D_D44D) ^ number >> 33
}

/// A page with the menu and notices of its site, and a unique story, links and date.
fn write_page(html: &mut String, site: u64, number: u64) {
    const WORDS: [&str; 16] = [
        "harbour", "rain", "the", "of", "gardens", "bridge", "morning", "was", "council", "and", "river",
        "said", "plans", "to", "market", "light",
    ];
    let words = |html: &mut String, seed: u64, count: u64| {
        for word in 0..count {
            let random = mixed(seed ^ word << 40);
            let _ = write!(html, "{}{} ", WORDS[(random % 16) as usize], random >> 8 & 0xFF);
        }
    };
    html.clear();
    let _ = write!(html, "<!doctype html><title>Story {number}</title><ul class=menu>");
    for entry in 0..30 {
        let _ = write!(html, "<li><a href='/section/{entry}'>");
        words(html, mixed(site) ^ entry, 2);
        html.push_str("</a></li>");
    }
    html.push_str("</ul><div class=story><h1>");
    words(html, mixed(number), 6);
    let _ = write!(html, "</h1><p class=date>{} May 2026</p>", number % 28 + 1);
    for paragraph in 1..12 {
        html.push_str("<p>");
        words(html, mixed(number) ^ paragraph, 40);
        html.push_str("</p>");
    }
    html.push_str("</div><ul class=more>");
    for entry in 20..40 {
        html.push_str("<li><a href='/more'>");
        words(html, mixed(number / 7) ^ entry, 5);
        html.push_str("</a></li>");
    }
    html.push_str("</ul><div class=foot>");
    for notice in 0..10 {
        html.push_str("<p>");
        words(html, mixed(site) ^ notice << 20, 12);
        let _ = write!(html, ", seen {} times.</p>", mixed(number) % 1_000);
    }
    html.push_str("</div>");
}

/// The CPU time of this process, which does not depend on other processes.
fn processor_seconds() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/stat").ok()?;
    let fields = status.rsplit(')').next()?.split_whitespace().skip(11);
    let ticks: f64 = fields.take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
    Some(ticks / 100.0)
}

/// The peak memory of the process in megabytes.
fn most_memory() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
