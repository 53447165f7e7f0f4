//! How much the two constants of `correlation` that are not from its paper (`bulk` and `small`) owe to the pages they were
//! chosen on: chosen on some sites of a set, measured on the others.
//!
//! `cargo run --release -p tamis --example choose_constants -- SET_FOLDER`
//!
//! For every way to part the sites into two halves, the constants that do best on one half are measured on the other.
//! A set is a folder with `truth.jsonl` (a JSON line a page with `id`, `site` and `text`) and `pages/ID.html`.

#![allow(clippy::print_stdout, reason = "the figures are what it is run for")]

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tamis::arabic;
use tamis::characters::{Class, class};
use tamis::methods::correlation::{Options, judge_with};
use tamis::{Extractor, Method, Page};
use tamis_html::decode::decode;

fn main() -> Result<(), Box<dyn Error>> {
    let set = std::env::args().nth(1).ok_or("usage: choose_constants SET_FOLDER")?;
    let set = Path::new(&set);
    let choices = choices();
    let extractor = Extractor::new().method(Method::Correlation);
    // For each site, for each choice, the sum of F1; and the pages.
    let mut sites: BTreeMap<String, (Vec<f64>, f64)> = BTreeMap::new();
    for line in fs::read_to_string(set.join("truth.jsonl"))?.lines() {
        let row: Value = serde_json::from_str(line)?;
        let (Some(id), Some(truth)) = (row["id"].as_str(), row["text"].as_str()) else { continue };
        let bytes = fs::read(set.join(format!("pages/{id}.html")))?;
        let decoded = decode(&bytes, None);
        let page = Page::parse(&decoded.text);
        let site = sites.entry(row["site"].as_str().unwrap_or(id).to_owned()).or_default();
        site.0.resize(choices.len(), 0.0);
        site.1 += 1.0;
        let truth = tokens(truth);
        for (sum, options) in site.0.iter_mut().zip(&choices) {
            let document = extractor.document(&page, &judge_with(&page, options));
            *sum += f1(&tokens(&document.to_text(&tamis::Options::default())), &truth);
        }
    }
    report(&sites.into_iter().collect::<Vec<_>>(), &choices);
    Ok(())
}

/// The default first, then nothing smoothed down, then the rest of the grid.
fn choices() -> Vec<Options> {
    let default = Options::default();
    let mut choices = vec![default, Options { small: 0.0, ..default }];
    for bulk in [0.2, 0.25, 1.0 / 3.0, 0.4, 0.5, 0.67] {
        for small in [0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5] {
            choices.push(Options { bulk, small, ..default });
        }
    }
    choices
}

fn report(sites: &[(String, (Vec<f64>, f64))], choices: &[Options]) {
    let mean = |part: &dyn Fn(usize) -> bool, choice: usize| {
        let chosen = || sites.iter().enumerate().filter(|(place, _)| part(*place)).map(|(_, (_, site))| site);
        100.0 * chosen().map(|site| site.0[choice]).sum::<f64>() / chosen().map(|site| site.1).sum::<f64>()
    };
    let best = |part: &dyn Fn(usize) -> bool| {
        (0..choices.len()).max_by(|a, b| mean(part, *a).total_cmp(&mean(part, *b))).unwrap_or(0)
    };
    for (name, site) in sites {
        println!(
            "{name}: default {:.1}, not smoothed down {:.1}",
            100.0 * site.0[0] / site.1,
            100.0 * site.0[1] / site.1
        );
    }
    let all = best(&|_| true);
    println!(
        "all sites: default {:.2}, not smoothed down {:.2}, best of the grid {:.2} (bulk {:.2}, small {:.2})",
        mean(&|_| true, 0),
        mean(&|_| true, 1),
        mean(&|_| true, all),
        choices[all].bulk,
        choices[all].small
    );
    let (mut ways, mut sums) = (0.0, [0.0; 3]);
    let mut chosen: HashMap<usize, usize> = HashMap::new();
    for half in (0_u32..1 << sites.len()).filter(|half| half.count_ones() as usize == sites.len().div_ceil(2))
    {
        let choice = best(&|place| half >> place & 1 == 1);
        *chosen.entry(choice).or_default() += 1;
        ways += 1.0;
        for (sum, of) in sums.iter_mut().zip([choice, 0, 1]) {
            *sum += mean(&|place| half >> place & 1 == 0, of);
        }
    }
    println!(
        "{ways} ways to choose on one half and measure on the other: chosen there {:.2}, default {:.2}, not smoothed down {:.2}",
        sums[0] / ways,
        sums[1] / ways,
        sums[2] / ways
    );
    let mut chosen: Vec<_> = chosen.into_iter().collect();
    chosen.sort_by_key(|(choice, times)| (std::cmp::Reverse(*times), *choice));
    for (choice, times) in chosen {
        println!(
            "  bulk {:.2}, small {:.2}: chosen {times} times",
            choices[choice].bulk, choices[choice].small
        );
    }
}

/// How often each word occurs, presentation forms folded; every Han, Kana and Thai character is one.
fn tokens(text: &str) -> HashMap<String, u32> {
    let mut tokens = HashMap::new();
    let mut word = String::new();
    for character in arabic::prepare(text).chars().chain([' ']) {
        let class = class(character);
        if class == Class::PartOfWord {
            word.extend(character.to_lowercase());
            continue;
        }
        if !word.is_empty() {
            *tokens.entry(std::mem::take(&mut word)).or_default() += 1;
        }
        if class == Class::WholeWord {
            *tokens.entry(character.to_string()).or_default() += 1;
        }
    }
    tokens
}

fn f1(found: &HashMap<String, u32>, truth: &HashMap<String, u32>) -> f64 {
    let both: u32 = found.iter().map(|(word, n)| (*n).min(truth.get(word).copied().unwrap_or(0))).sum();
    let all = found.values().sum::<u32>() + truth.values().sum::<u32>();
    if all == 0 { 0.0 } else { 2.0 * f64::from(both) / f64::from(all) }
}
