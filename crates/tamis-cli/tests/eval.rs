//! `tamis eval` as a user runs it.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

#[allow(dead_code, reason = "shared with the tests of other commands")]
mod run;

use std::fs;
use std::path::PathBuf;

use run::tamis;
use serde_json::Value;

/// A folder with a small set and another tool's outputs, which goes when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("tamis-eval-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("small/pages")).unwrap();
        fs::create_dir_all(folder.join("outs/small")).unwrap();
        let folder = Folder(folder);
        let (mut truth, mut theirs) = (String::new(), String::new());
        for number in 0..12 {
            let text = format!(
                "It rained in harbour number {number} on Monday, for the first time since the spring."
            );
            let kind = if number % 2 == 0 { "article" } else { "forum" };
            truth += &serde_json::json!({
                "id": format!("p{number}"), "site": "harbour", "page_type": kind, "text": text,
                "title": "Rain", "date": "2026-11-15", "with": ["rained"], "without": ["Home"],
            })
            .to_string();
            truth.push('\n');
            theirs += &serde_json::json!({ "id": format!("p{number}"), "text": format!("Home {text}") })
                .to_string();
            theirs.push('\n');
            let page = format!("<title>Rain</title><nav><a href=/>Home</a></nav><p>{text}</p>");
            folder.write(&format!("small/pages/p{number}.html"), &page);
        }
        folder.write("small/truth.jsonl", &truth);
        folder.write("outs/small/theirs.jsonl", &theirs);
        folder
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_table_of_ours_and_theirs() {
    let folder = Folder::new("table");
    let out = format!("them={}", folder.path("outs/small/theirs.jsonl"));
    let arguments = [
        "eval",
        &folder.path("small"),
        "--method",
        "correlation",
        "--out",
        &out,
        "--by",
        "page_type",
        "--pairs",
    ];
    let run = tamis(&arguments, "");
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert!(run.out.contains("small: main text, 12 pages, %"), "{}", run.out);
    assert!(run.out.contains("small: tok F1 by page_type, %"), "{}", run.out);
    assert!(run.out.contains("article (6)  forum (6)"), "{}", run.out);
    assert!(run.out.contains("correlation - them"), "{}", run.out);
    assert_eq!(run, tamis(&arguments, ""), "the same every time");
}

#[test]
fn everything_as_json() {
    let folder = Folder::new("json");
    let run = tamis(
        &[
            "eval",
            &folder.path(""),
            "--method",
            "all",
            "--site-pages",
            "5",
            "--outs",
            &folder.path("outs"),
            "--json",
        ],
        "",
    );
    assert_eq!(run.code, 0, "{}", run.err);
    let value: Value = serde_json::from_str(&run.out).unwrap();
    let set = &value["sets"][0];
    assert_eq!((&value["schema"], &set["name"]), (&"tamis-eval-1".into(), &"small".into()));
    let names: Vec<&str> =
        set["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(
        names.contains(&"lines") && names.contains(&"lines+site") && names.contains(&"theirs"),
        "{names:?}"
    );
    let theirs = set["tools"].as_array().unwrap().last().unwrap();
    assert_eq!(theirs["summary"]["figures"]["token_recall"]["value"], 1.0);
    assert_eq!(theirs["summary"]["figures"]["segment_absent"]["value"], 0.0);
    assert_eq!(theirs["pages"][3]["id"], "p3");
    assert_eq!(theirs["pages"][3]["text"]["tokens"]["common"], 15);
    assert_eq!(theirs["pages"][3]["leaf_tags"]["wanted"], 1);
}

#[test]
fn faults_are_told_and_the_rest_is_scored() {
    let folder = Folder::new("faults");
    fs::remove_file(folder.0.join("small/pages/p2.html")).unwrap();
    folder.write("outs/small/theirs.jsonl", "{\"id\": \"p1\", \"text\": \"It rained\"}\n{\"id\": oops}\n");
    let run = tamis(&["eval", &folder.path("small"), "--outs", &folder.path("outs")], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("main text, 11 pages"), "{}", run.out);
    assert!(run.out.contains("truth.jsonl:3: there is no page"), "{}", run.out);
    assert!(run.out.contains("theirs.jsonl:2: not a JSON line"), "{}", run.out);
    assert!(run.out.contains("no output for 10 of 11 pages"), "{}", run.out);
}

#[test]
fn tables_are_put_between_the_marks_of_a_file() {
    let folder = Folder::new("markdown");
    folder.write("doc.md", "# Doc\n\n<!-- tables -->\nold\n<!-- end of tables -->\nrest\n");
    let doc = folder.path("doc.md");
    for _ in 0..2 {
        assert_eq!(tamis(&["eval", &folder.path("small"), "--markdown", &doc], "").code, 0);
        let text = fs::read_to_string(&doc).unwrap();
        assert!(text.starts_with("# Doc\n\n<!-- tables -->\n\n### small\n"), "{text}");
        assert!(text.ends_with("|\n\n<!-- end of tables -->\nrest\n") && !text.contains("old"), "{text}");
    }
}

#[test]
fn saved_outputs_score_as_the_method_did() {
    let folder = Folder::new("save");
    let saved = folder.path("saved");
    let first =
        tamis(&["eval", &folder.path("small"), "--method", "density", "--save", &saved, "--json"], "");
    let again = tamis(&["eval", &folder.path("small"), "--outs", &saved, "--json"], "");
    let figures = |out: &str| -> Value {
        let value: Value = serde_json::from_str(out).unwrap();
        value["sets"][0]["tools"][0]["summary"].clone()
    };
    assert_eq!(figures(&first.out), figures(&again.out));
}

#[test]
fn mistakes_are_named_with_what_to_do() {
    let folder = Folder::new("mistakes");
    let small = folder.path("small");
    let error = |arguments: &[&str]| {
        let run = tamis(arguments, "");
        assert_eq!(run.code, 2, "{}", run.out);
        run.err
    };
    assert!(error(&["eval", &folder.path("outs")]).contains("no evaluation set"));
    assert!(error(&["eval", &small, "--method", "magic"]).contains("the methods are"));
    assert!(error(&["eval", &small, "--by", "colour"]).contains("page_type, lang, site, engine"));
    assert!(error(&["eval", &small, "--out", "nowhere.jsonl"]).contains("nowhere.jsonl"));
    assert!(error(&["eval", &small, "--outs", "nowhere"]).contains("SET/NAME.jsonl"));
    let theirs = folder.path("outs/small/theirs.jsonl");
    assert!(error(&["eval", &small, "--out", &theirs, "--out", &theirs]).contains("another name"));
}

#[test]
fn a_set_without_pages_to_score_is_nothing() {
    let folder = Folder::new("nothing");
    folder.write("small/truth.jsonl", "");
    assert_eq!(tamis(&["eval", &folder.path("small")], "").code, 1);
}
