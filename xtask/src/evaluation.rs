//! `cargo xtask evaluation`: measures and rewrites every table of `docs/evaluation.md`.
//!
//! The sets come from the shared folder; the outputs of other tools are generated once by `bench-peers`. Since the default
//! method was trained on the sets, its outputs are out-of-fold predictions by `tamis train`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::bench::{self, linked};
use crate::step::{Step, root, target, unwritable};

/// The other tools.
const PEERS: [&str; 7] = [
    "trafilatura",
    "resiliparse",
    "readability-lxml",
    "dom_smoothie",
    "rs-trafilatura",
    "justext",
    "readability-linkedom",
];

pub(crate) fn run(peers: Option<PathBuf>, held_out: Option<PathBuf>) -> Result<(), String> {
    let peers = peers.unwrap_or_else(|| target().join("peers/outputs"));
    let held_out = held_out.unwrap_or_else(|| target().join("evaluation/held-out"));
    let names = tamis_testdata::sets();
    if names.is_empty() {
        return Err("there are no evaluation sets\n\
                    remedy: set TAMIS_SHARED to the folder that has eval/ (see CONTRIBUTING.md)"
            .to_owned());
    }
    let sets = linked("sets", &names, tamis_testdata::set)?;
    let missing = missing(&peers, &names);
    if !missing.is_empty() {
        let arguments =
            ["--outputs".into(), peers.to_string_lossy().into_owned(), "--tools".into(), missing.join(",")];
        bench::peers(&arguments)?;
    }
    if !held_out.is_dir() {
        Step::cargo("out-of-fold predictions", "run --release -p tamis-cli -- train")
            .argument(&sets)
            .words("--output")
            .argument(target().join("evaluation/fused.model"))
            .words("--save-predictions")
            .argument(&held_out)
            .run()?;
    }
    // Sets without texts and segments are not used in training, so the shipped model has not seen them.
    let is_unseen = |name: &&String| !held_out.join(name).join("fused.jsonl").is_file();
    let unseen: Vec<String> = names.iter().filter(is_unseen).cloned().collect();
    if !unseen.is_empty() {
        Step::cargo("the default method on unseen sets", "run --release -p tamis-cli -- eval")
            .argument(linked("unseen", &unseen, tamis_testdata::set)?)
            .words("--method fused --save-predictions")
            .argument(&held_out)
            .run()?;
    }
    let methods = "--method lines --method template-svm --method correlation --method containers --method blocks \
                   --predictions";
    Step::cargo("all methods and peers on all sets", "run --release -p tamis-cli -- eval")
        .argument(sets)
        .words(methods)
        .argument(peers)
        .words("--predictions")
        .argument(held_out)
        .words("-f markdown -o")
        .argument(root().join("docs/evaluation.md"))
        .run()?;
    let unwritable = |error| unwritable(&root().join("docs/evaluation.md"), error);
    let document = fs::read_to_string(root().join("docs/evaluation.md")).map_err(unwritable)?;
    fs::write(root().join("docs/evaluation.md"), overview(&document)).map_err(unwritable)
}

/// The document with the table of all sets only: those of single sets are in reports.
fn overview(document: &str) -> String {
    let second = document.split_once("<!-- tables -->").and_then(|(before, tables)| {
        let first = tables.find("\n### ")? + 1;
        let second = first + tables[first..].find("\n### ")? + 1;
        Some(before.len() + "<!-- tables -->".len() + second)
    });
    match (second, document.find("<!-- end of tables -->")) {
        (Some(second), Some(end)) if second < end => document[..second].to_owned() + &document[end..],
        _ => document.to_owned(),
    }
}

/// The tools without outputs for some set.
fn missing(outputs: &Path, sets: &[String]) -> Vec<&'static str> {
    PEERS.into_iter().filter(|tool| !has_outputs(outputs, sets, tool)).collect()
}

fn has_outputs(folder: &Path, sets: &[String], tool: &str) -> bool {
    sets.iter().all(|set| folder.join(set).join(format!("{tool}.jsonl")).is_file())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails should say where")]
mod tests {
    use super::*;

    #[test]
    fn documents_have_the_table_of_all_sets_only() {
        let start = "# Scores\n### Kept\n<!-- tables -->\n\n### All sets\n| a |\n\n";
        let document = format!("{start}### gne\n| b |\n<!-- end of tables -->\nrest");
        assert_eq!(overview(&document), format!("{start}<!-- end of tables -->\nrest"));
        assert_eq!(overview(start), start);
    }

    #[test]
    fn outputs_are_generated_once() {
        let outputs = target().join(format!("evaluation-test-{}", std::process::id()));
        let sets = ["a".to_owned(), "b".to_owned()];
        assert_eq!(missing(&outputs, &sets), PEERS);
        for (set, tool) in [("a", PEERS[0]), ("b", PEERS[0]), ("a", PEERS[1])] {
            fs::create_dir_all(outputs.join(set)).unwrap();
            fs::write(outputs.join(set).join(format!("{tool}.jsonl")), "").unwrap();
        }
        assert_eq!(missing(&outputs, &sets), PEERS[1..]);
        fs::remove_dir_all(outputs).unwrap();
    }
}
