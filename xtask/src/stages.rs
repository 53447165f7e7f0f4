//! `cargo xtask stages`: instructions per stage of a text extraction, counted by callgrind.
//!
//! Instruction counts do not depend on what else the machine does. The program runs the pages once and twice; the
//! difference is what a round takes with warm tables, without start-up.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::bench;
use crate::peers::sample::Sample;
use crate::step::{Step, target, unwritable};

/// The sets that pages are sampled from.
const SETS: &str = "cms-sites defuddle encodings-real encodings-synthetic forum-archives fundus-news gne \
    magic-html-article magic-html-forum mozilla-readability other-forums postlight-fixtures rebuilt-cleaneval-zh-jp-thai \
    recipe-sites trafilatura uyghur-archives uyghur-presentation-forms wcxb zh-saved-pages zh-sites";
const PAGES: usize = 40;
const MAX_BYTES: u64 = 3_000_000;

/// Stages, each with the functions it consists of.
const STAGES: &[(&str, &[&str])] = &[
    ("decode", &["tamis::extractor::decode"]),
    ("parse", &["tamis_html::parse::Parser::parse"]),
    ("segment, elements, blocks", &["tamis::page::segment::segment"]),
    ("class table", &["tamis::page::classes::Classes::score"]),
    ("labels, dates, records, head", &["tamis::annotate::Annotations::fill"]),
    (
        "features",
        &["tamis::classify::features::fill_rows", "tamis::classify::features::derived::Derived::fill"],
    ),
    ("first pass", &["tamis::classify::classifier::first_pass"]),
    ("page type", &["tamis::classify::classifier::predict_page_type"]),
    ("second pass", &["tamis::classify::classifier::second_pass"]),
    ("post-processing", &["tamis::classify::postprocess::apply"]),
    ("text", &["tamis::document::plain_text::plain_text"]),
];

pub(crate) fn run() -> Result<(), String> {
    bench::has_valgrind()?;
    let sets: Vec<String> = SETS.split_whitespace().map(str::to_owned).collect();
    let sample = Sample::take(Some(&sets), PAGES, MAX_BYTES)?;
    let folder = target().join("stages");
    fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, error))?;
    let list = folder.join("pages.txt");
    fs::write(&list, sample.list()).map_err(|error| unwritable(&list, error))?;
    Step::cargo("the program that is counted", "build --profile bench -p tamis --example rounds").run()?;
    let program = target().join("release/examples/rounds");
    let (once, twice) = (count(&program, &list, 1, &folder)?, count(&program, &list, 2, &folder)?);
    let round = |name: &str| {
        let of = |counts: &HashMap<String, u64>| counts.get(name).copied().unwrap_or(0);
        of(&twice).saturating_sub(of(&once)) as f64 / 1e6
    };
    println!("\n{} pages, million instructions for a round", sample.pages.len());
    let mut rest = round(TOTAL);
    for (stage, functions) in STAGES {
        let instructions: f64 = functions.iter().map(|function| round(function)).sum();
        rest -= instructions;
        println!("{stage:<30} {instructions:>8.1}");
    }
    println!("{:<30} {rest:>8.1}", "rest");
    println!("{:<30} {:>8.1}", "sum", round(TOTAL));
    let first = once.get(TOTAL).copied().unwrap_or(0) as f64 / 1e6;
    println!("{:<30} {:>8.1}", "start-up", first - round(TOTAL));
    Ok(())
}

/// The key of the sum over all functions.
const TOTAL: &str = "";

/// Runs the pages under callgrind and sums the inclusive instructions of each function.
fn count(program: &Path, list: &Path, rounds: u32, folder: &Path) -> Result<HashMap<String, u64>, String> {
    let counts = folder.join(format!("{rounds}.callgrind"));
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--compress-strings=no", "--compress-pos=no"])
        .arg(format!("--callgrind-out-file={}", counts.display()))
        .arg(program)
        .arg(list)
        .arg(rounds.to_string())
        .output()
        .map_err(|error| format!("cannot start valgrind: {error}"))?;
    if !run.status.success() {
        return Err(format!("callgrind failed:\n{}", String::from_utf8_lossy(&run.stderr)));
    }
    let text =
        fs::read_to_string(&counts).map_err(|error| format!("cannot read {}: {error}", counts.display()))?;
    Ok(inclusive(&text))
}

/// Inclusive instructions by function: a call is the name of the callee, a line with the number of calls, and a line
/// that ends with its cost.
fn inclusive(text: &str) -> HashMap<String, u64> {
    let mut counts = HashMap::new();
    let mut callee = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("cfn=") {
            // Recursion levels and hashes follow the name.
            let end = name.find(['\'', '(']).unwrap_or(name.len());
            callee = name[..end].trim_end().to_owned();
        } else if line.starts_with("calls=") {
            let cost = lines.next().and_then(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
            *counts.entry(callee.clone()).or_default() += cost.unwrap_or(0);
        } else if let Some(total) = line.strip_prefix("totals:").or_else(|| line.strip_prefix("summary:")) {
            counts.insert(TOTAL.to_owned(), total.trim().parse().unwrap_or(0));
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_a_function_add_up() {
        let counts = inclusive(
            "fn=main\n1 40\ncfn=tamis::extractor::decode\ncalls=2 59\n12 300\ncfn=other\ncalls=1 7\n13 50\n13 7\n\
             fn=more\ncfn=tamis::extractor::decode\ncalls=1 59\n9 11\n\ntotals: 9000\n",
        );
        assert_eq!(counts["tamis::extractor::decode"], 311);
        assert_eq!(counts[TOTAL], 9000);
    }
}
