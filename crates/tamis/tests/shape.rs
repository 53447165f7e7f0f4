//! The shape of the source: stages depend on earlier ones only, words are data, files are short, names are unique.

#![allow(clippy::unwrap_used, reason = "a test that fails by `unwrap` names its line")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Folders in the order of the pipeline; each may use itself and those before it.
const ORDER: &[&str] =
    &["text", "page", "annotate", "classify", "regions", "metadata", "document", "render", "explain"];

/// Longest file, tests included.
const MAX_LINES: usize = 500;

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The part of a file before its unit tests, without comments; nothing of a file of tests.
fn code(path: &Path) -> String {
    if path.ends_with("tests.rs") {
        return String::new();
    }
    let text = fs::read_to_string(path).unwrap();
    let end = text.find("#[cfg(test)]").unwrap_or(text.len());
    let lines = text[..end].lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

fn folder_of(path: &Path) -> String {
    let relative = path.strip_prefix(root()).unwrap();
    relative.components().next().unwrap().as_os_str().to_string_lossy().into_owned()
}

#[test]
fn stages_depend_on_earlier_stages_only() {
    for path in sources(&root()) {
        let Some(own) = ORDER.iter().position(|stage| *stage == folder_of(&path)) else { continue };
        for part in code(&path).split("crate::").skip(1) {
            let used: String = part.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
            let position = ORDER.iter().position(|stage| *stage == used);
            assert!(
                position.is_none_or(|position| position <= own),
                "{}: `{}` may not use `{used}`",
                path.display(),
                ORDER[own]
            );
            assert!(used != "extractor", "{}: a stage may not use the extractor", path.display());
        }
    }
}

#[test]
fn only_some_stages_read_attributes() {
    for path in sources(&root()) {
        let folder = folder_of(&path);
        if matches!(folder.as_str(), "page" | "annotate" | "metadata" | "document") {
            continue;
        }
        let code = code(&path);
        for call in [".attributes()", ".attribute(", ".attribute_named("] {
            assert!(
                !code.contains(call),
                "{}: {call} belongs to page, annotate, metadata or document",
                path.display()
            );
        }
    }
}

#[test]
fn files_are_short_and_well_named() {
    for path in sources(&root()) {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= MAX_LINES, "{} has {lines} lines", path.display());
        let name = path.file_name().unwrap().to_string_lossy();
        assert!(name != "words.rs" && name != "utils.rs", "{}: say which idea", path.display());
    }
}

/// String literals of a piece of code, in order, each with its offset.
fn literals(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(open) = code[rest..].find('"').map(|at| rest + at) {
        if code[..open].ends_with('\'') {
            rest = open + 1;
            continue;
        }
        let mut end = open + 1;
        let bytes = code.as_bytes();
        while end < bytes.len() && bytes[end] != b'"' {
            end += 1 + usize::from(bytes[end] == b'\\');
        }
        let end = end.min(code.len());
        found.push((open, code.get(open + 1..end).unwrap_or("")));
        rest = end + 1;
    }
    found
}

/// Phrases of the lexicon files.
fn phrases() -> BTreeSet<String> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/lexicon");
    let mut phrases = BTreeSet::new();
    for entry in fs::read_dir(data).unwrap() {
        for line in fs::read_to_string(entry.unwrap().path()).unwrap().lines() {
            if let Some(phrase) = line.split('\t').nth(2) {
                phrases.insert(phrase.trim_end_matches('*').to_lowercase());
            }
        }
    }
    assert!(phrases.len() > 200, "the lexicon is read");
    phrases
}

#[test]
fn natural_language_words_are_data() {
    let phrases = phrases();
    for path in sources(&root()) {
        let code = code(&path);
        let literals = literals(&code);
        for (_, literal) in &literals {
            assert!(
                !literal.chars().any(|c| c.is_alphabetic() && !c.is_ascii()),
                "{}: `{literal}` is natural language: move it to data/lexicon",
                path.display()
            );
        }
        // Four phrases of the lexicon in a row are a word list. Names of categories and concepts are identifiers.
        for run in literals.windows(4) {
            let is_list = run.windows(2).all(|pair| {
                let between = &code[pair[0].0 + pair[0].1.len() + 2..pair[1].0];
                between.trim().trim_matches('|').trim() == "," || between.trim() == "|"
            });
            let is_words = run.iter().all(|(_, literal)| phrases.contains(&literal.to_lowercase()));
            let is_identifiers = path.ends_with("text/lexicon.rs");
            assert!(!(is_list && is_words) || is_identifiers, "{}: word list at {run:?}", path.display());
        }
    }
}

#[test]
fn public_types_have_unique_names() {
    let mut seen: BTreeMap<String, PathBuf> = BTreeMap::new();
    for path in sources(&root()) {
        for line in code(&path).lines() {
            let Some(rest) = line
                .strip_prefix("pub struct ")
                .or_else(|| line.strip_prefix("pub enum "))
                .or_else(|| line.strip_prefix("pub trait "))
            else {
                continue;
            };
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
            if let Some(other) = seen.insert(name.clone(), path.clone()) {
                panic!("`{name}` is defined in {} and {}", other.display(), path.display());
            }
        }
    }
}

#[test]
fn the_public_surface_is_the_checked_in_list() {
    let mut items = BTreeSet::new();
    for path in sources(&root()) {
        for line in code(&path).lines() {
            let Some(rest) = line.strip_prefix("pub ") else { continue };
            let mut words =
                rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
            let kind = words.next().unwrap_or_default();
            if matches!(kind, "struct" | "enum" | "trait" | "fn" | "const" | "static" | "type") {
                let name = words.find(|word| *word != "fn").unwrap_or_default();
                items.insert(format!("{}::{name}", folder_of(&path).trim_end_matches(".rs")));
            }
        }
    }
    let list: String = items.iter().map(|item| format!("{item}\n")).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("public-items.txt");
    if std::env::var_os("TAMIS_UPDATE").is_some() {
        fs::write(&path, &list).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(list, expected, "run the test with TAMIS_UPDATE=1 and review the change of public-items.txt");
    assert!(items.len() < 150);
}
