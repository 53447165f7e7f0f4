//! The share of lines that outputs keep of documentation pages, by kind: `documentation_recall SET OUTPUT.jsonl`.
//!
//! The set is one of `documentation_set`; outputs are those of `train_all`, held out by generator, and have a line per block.

#![allow(clippy::print_stdout, missing_docs)]

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fs;
use std::path::Path;

use serde_json::Value;

const KINDS: [(char, &str); 7] = [
    ('p', "paragraphs"),
    ('l', "list items"),
    ('d', "definitions"),
    ('t', "cells"),
    ('c', "code"),
    ('h', "headings"),
    ('o', "others"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [set, output] = arguments.as_slice() else {
        return Err("usage: documentation_recall SET OUTPUT.jsonl".into());
    };
    let rows = |file: &Path| -> Result<Vec<Value>, Box<dyn Error>> {
        fs::read_to_string(file)?.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
    };
    let field = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let outputs = rows(Path::new(output))?;
    let outputs: HashMap<String, String> =
        outputs.iter().map(|row| (field(row, "id"), field(row, "text"))).collect();
    let (mut counts, mut surplus) = (BTreeMap::<char, [usize; 2]>::new(), [0, 0]);
    for truth in rows(&Path::new(set).join("truth.jsonl"))? {
        let Some(output) = outputs.get(&field(&truth, "id")) else { continue };
        let mut left: HashMap<&str, usize> = HashMap::new();
        output.lines().for_each(|line| *left.entry(line).or_default() += 1);
        for (line, kind) in field(&truth, "text").lines().zip(field(&truth, "kinds").chars()) {
            let found = left.get_mut(line).filter(|left| **left > 0).map(|left| *left -= 1).is_some();
            let count = counts.entry(kind).or_default();
            *count = [count[0] + usize::from(found), count[1] + 1];
        }
        let words = |line: &str| line.split_whitespace().count();
        surplus[0] += left.iter().map(|(line, count)| words(line) * count).sum::<usize>();
        surplus[1] += words(output);
    }
    for (kind, name) in KINDS {
        let [found, all] = counts.get(&kind).copied().unwrap_or_default();
        println!("{name:12} {:5.1} % of {all}", 100.0 * found as f64 / all.max(1) as f64);
    }
    println!("words of other lines: {:.1} %", 100.0 * surplus[0] as f64 / surplus[1].max(1) as f64);
    Ok(())
}
