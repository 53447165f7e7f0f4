//! Our scores equal those of an independent scorer, on all sets and for all tools with available outputs.
//!
//! Its scores are in `expected/score-py.tsv`; the sets and outputs are not part of the project.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeMap;
use std::fs;
use std::process::ExitCode;

use tamis_lab::{Figure, Set, SetResult, Settings, Summary, Tool};

/// The largest accepted difference.
const TOLERANCE: f64 = 0.001;

type Rows<'t> = BTreeMap<&'t str, Vec<Vec<(&'t str, &'t str)>>>;

/// The rows of each set: one per tool, as named cells.
fn expected(table: &str) -> Rows<'_> {
    let mut lines = table.lines().filter(|line| !line.starts_with('#'));
    let head: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let mut rows = Rows::new();
    for line in lines {
        let row: Vec<(&str, &str)> = head.iter().copied().zip(line.split('\t')).collect();
        rows.entry(row[0].1).or_default().push(row);
    }
    rows
}

fn value(summary: &Summary, name: &str) -> Option<f64> {
    match name {
        "text_pages" => Some(summary.text_pages as f64),
        "median_token_f1" => summary.median_token_f1,
        _ => {
            let figure = Figure::ALL.into_iter().find(|figure| figure.name() == name).unwrap();
            summary.figure(figure).map(|estimate| estimate.value)
        }
    }
}

fn main() -> ExitCode {
    tamis_testdata::run_tests(&[(
        "scores_equal_those_of_the_independent_scorer",
        scores_equal_those_of_the_independent_scorer,
    )])
}

fn scores_equal_those_of_the_independent_scorer() {
    let table =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/expected/score-py.tsv")).unwrap();
    let (mut compared, mut off) = (0, Vec::new());
    for (name, rows) in expected(&table) {
        let (Some(folder), Some(peers)) = (tamis_testdata::set(name), tamis_testdata::peers(name)) else {
            continue;
        };
        let set = Set::open(&folder).unwrap();
        let read = |row: &Vec<(&str, &str)>| {
            Tool::read(row[1].1, &peers.join(format!("{}.jsonl", row[1].1)), &set).unwrap().0
        };
        let tools: Vec<Tool> = rows.iter().map(read).collect();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let settings = Settings { leaf_tags: false, threads, ..Settings::default() };
        let result = SetResult::of(set, tools, Vec::new(), &settings, &|_| ());
        for (tool, row) in result.tools.iter().zip(&rows) {
            let summary = tool.summary();
            for (figure, cell) in &row[2..] {
                let (ours, theirs) = (value(&summary, figure), cell.parse::<f64>().ok());
                // If a metric applies to no page, the scorer gives nothing or 0.
                if ours.is_none() && theirs.is_none_or(|theirs| theirs == 0.0) {
                    continue;
                }
                compared += 1;
                if (ours.unwrap_or(f64::NAN) - theirs.unwrap_or(f64::NAN)).abs() > TOLERANCE
                    || ours.is_none() != theirs.is_none()
                {
                    off.push(format!("{name} {} {figure}: {ours:?}, expected {theirs:?}", tool.name));
                }
            }
        }
    }
    assert!(off.is_empty(), "{} of {compared} scores differ:\n{}", off.len(), off.join("\n"));
    assert!(compared > 2000, "only {compared} scores were compared");
}
