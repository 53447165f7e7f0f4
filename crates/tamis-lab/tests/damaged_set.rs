//! Damaged sets: problems are reported with file and line, and the rest is scored.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::path::{Path, PathBuf};

use tamis_lab::{Figure, Set, SetError, SetResult, Settings, Tool};
use tamis_methods::{Method, Selection};
use tempfile::TempDir;

/// A temporary folder.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(TempDir::new().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let file = self.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        file
    }
}

const PAGE: &str =
    "<nav><a href=/>Home</a></nav><p>It rained in the harbour on Monday, for the first time since spring.";

fn damaged() -> Folder {
    let folder = Folder::new();
    let truth = [
        r#"{"id": "good", "text": "It rained in the harbour on Monday, for the first time since spring."}"#,
        r#"{"id": "cut", "text": "It rai"#,
        r#"{"id": "good", "text": "Another text."}"#,
        "",
        r#"{"id": "nothing", "text": null, "with": [], "title": ""}"#,
        r#"{"id": "missing", "text": "It snowed."}"#,
        r#"{"id": "../../outside", "text": "It hailed."}"#,
        r#"{"text": "No name."}"#,
        r#"{"id": 7, "text": null, "title": "Rain", "date": 2026, "author": ["Ann"]}"#,
        r#"["no", "object"]"#,
    ];
    let mut truth = truth.join("\n").into_bytes();
    truth.extend(b"\n{\"id\": \"bytes\", \"text\": \"\xFF\xFE\"}\n");
    folder.write("truth.jsonl", truth);
    for id in ["good", "nothing", "7", "cut", "bytes"] {
        folder.write(&format!("pages/{id}.html"), PAGE);
    }
    folder
}

fn lines(problems: &[tamis_lab::Problem], file: &Path) -> Vec<usize> {
    assert!(problems.iter().all(|problem| problem.file == file), "{problems:?}");
    problems.iter().map(|problem| problem.line).collect()
}

#[test]
fn every_problem_is_reported_with_its_line() {
    let folder = damaged();
    let set = Set::open(folder.path()).unwrap();
    assert_eq!(lines(&set.problems, &folder.path().join("truth.jsonl")), [2, 3, 5, 6, 7, 8, 9, 10, 11]);
    let message = |line: usize| set.problems.iter().find(|it| it.line == line).unwrap().what.clone();
    assert!(message(2).contains("JSON"), "{}", message(2));
    assert!(message(3).contains("duplicate id"), "{}", message(3));
    assert!(message(5).contains("no text"), "{}", message(5));
    assert!(message(6).contains("missing.html"), "{}", message(6));
    assert!(message(8).contains("id"), "{}", message(8));
    assert_eq!(message(9), "the truth of \"7\" has no text; scored by title, date, author");
    let ids: Vec<&str> = set.truths.iter().map(|truth| truth.id.as_str()).collect();
    assert_eq!(ids, ["good", "7"]);
}

#[test]
fn the_rest_is_scored() {
    let folder = damaged();
    let outputs = folder.write(
        "theirs.jsonl",
        "{\"id\": \"good\", \"text\": \"It rained in the harbour\"}\nnonsense\n{\"id\": \"who\", \"text\": \"?\"}\n\
         {\"id\": \"good\", \"text\": \"again\"}\n{\"id\": \"missing\", \"text\": \"It snowed.\"}\n",
    );
    let set = Set::open(folder.path()).unwrap();
    let (theirs, problems) = Tool::read("theirs", &outputs, &set).unwrap();
    assert_eq!(lines(&problems, &outputs), [2, 3, 4, 0]);
    assert!(
        problems[3].what.contains("1 of 2 pages") && problems[3].what.contains("\"7\""),
        "{}",
        problems[3]
    );
    let settings = Settings {
        methods: vec![Selection::Published(Method::Correlation)],
        threads: 2,
        ..Settings::default()
    };
    let result = SetResult::of(set, vec![theirs], problems, &settings, &|_| ());
    let recall = |tool: usize| result.tools[tool].summary().figure(Figure::TokenRecall).unwrap().value;
    assert_eq!(result.tools[0].name, "correlation");
    assert_eq!(recall(0), 1.0);
    assert_eq!(recall(1), 5.0 / 13.0);
    assert_eq!(result.tools[1].outputs[1], None);
}

#[test]
fn outputs_are_scored_where_there_are_no_pages() {
    let folder = Folder::new();
    folder.write("truth.jsonl", "{\"id\": \"a\", \"text\": \"one two\"}\n");
    let outputs = folder.write("theirs.jsonl", "{\"id\": \"a\", \"text\": \"one two\"}\n");
    let set = Set::open(folder.path()).unwrap();
    assert_eq!(lines(&set.problems, &folder.path().join("truth.jsonl")), [0]);
    let (theirs, problems) = Tool::read("theirs", &outputs, &set).unwrap();
    let settings =
        Settings { methods: vec![Selection::Published(Method::Correlation)], ..Settings::default() };
    let result = SetResult::of(set, vec![theirs], problems, &settings, &|_| ());
    assert_eq!(result.tools.len(), 1);
    assert_eq!(result.tools[0].summary().figure(Figure::TokenF1).unwrap().value, 1.0);
}

#[test]
fn a_set_with_segments_only_has_no_problems() {
    let folder = Folder::new();
    let segments = "{\"id\": \"a\", \"with\": [\"rain\"]}\n{\"id\": \"b\", \"without\": [\"Home\"]}\n";
    for id in ["a", "b", "c"] {
        folder.write(&format!("pages/{id}.html"), PAGE);
    }
    let file = folder.write("truth.jsonl", segments);
    assert!(Set::open(folder.path()).unwrap().problems.is_empty());
    // If another page has a text, pages without one are reported.
    folder.write("truth.jsonl", format!("{segments}{{\"id\": \"c\", \"text\": \"It rained.\"}}\n"));
    let set = Set::open(folder.path()).unwrap();
    assert_eq!(lines(&set.problems, &file), [1, 2]);
    assert!(set.problems[0].what.ends_with("has no text; scored by segments"), "{}", set.problems[0]);
    assert_eq!(set.truths.len(), 3);
}

#[test]
fn pages_are_decoded_by_their_url() {
    // A page in GBK without a declaration is recognised by its domain, which ends in `cn`.
    let folder = Folder::new();
    let text = "\u{6e2f}\u{53e3}";
    let page = [b"<p>".as_slice(), &[0xB8, 0xDB, 0xBF, 0xDA], b"</p>"].concat();
    folder.write("pages/a.html", page);
    let truth = serde_json::json!({ "id": "a", "url": "http://example.cn/", "text": text });
    folder.write("truth.jsonl", format!("{truth}\n"));
    let set = Set::open(folder.path()).unwrap();
    let settings = Settings { methods: vec![Selection::Published(Method::Density)], ..Settings::default() };
    let result = SetResult::of(set, Vec::new(), Vec::new(), &settings, &|_| ());
    assert_eq!(result.tools[0].scores[0].leaf_tags.unwrap().wanted, 1);
}

#[test]
fn a_folder_of_sets_opens_all_of_them() {
    let folder = Folder::new();
    assert!(matches!(Set::open_all(folder.path()), Err(SetError::NoSet(_))));
    for name in ["b", "a"] {
        folder.write(&format!("{name}/truth.jsonl"), "");
    }
    let names: Vec<String> = Set::open_all(folder.path()).unwrap().into_iter().map(|set| set.name).collect();
    assert_eq!(names, ["a", "b"]);
}
