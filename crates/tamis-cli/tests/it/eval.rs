//! `tamis eval` as a user runs it.

use std::fs;

use crate::run::{Folder, tamis};
use serde_json::Value;
use tamis::classify::Model;
use tamis::classify::forest::Forest;

/// A folder with a small dataset and the predictions of another tool.
fn folder() -> Folder {
    let folder = Folder::new();
    fs::create_dir_all(folder.root().join("small/pages")).unwrap();
    fs::create_dir_all(folder.root().join("outs/small")).unwrap();
    let (mut truth, mut theirs) = (String::new(), String::new());
    for number in 0..12 {
        let text =
            format!("It rained in harbour number {number} on Monday, for the first time since the spring.");
        let kind = if number % 2 == 0 { "article" } else { "forum" };
        truth += &serde_json::json!({
            "id": format!("p{number}"), "site": "harbour", "page_type": kind, "text": text,
            "title": "Rain", "date": "2026-11-15", "with": ["rained"], "without": ["Home"],
        })
        .to_string();
        truth.push('\n');
        theirs +=
            &serde_json::json!({ "id": format!("p{number}"), "text": format!("Home {text}") }).to_string();
        theirs.push('\n');
        let page = format!("<title>Rain</title><nav><a href=/>Home</a></nav><p>{text}</p>");
        folder.write(&format!("small/pages/p{number}.html"), &page);
    }
    folder.write("small/truth.jsonl", &truth);
    folder.write("outs/small/theirs.jsonl", &theirs);
    folder
}

#[test]
fn a_table_of_ours_and_theirs() {
    let folder = folder();
    let out = format!("them={}", folder.path("outs/small/theirs.jsonl"));
    let arguments = [
        "eval",
        &folder.path("small"),
        "--method",
        "correlation",
        "--predictions",
        &out,
        "--by",
        "page_type",
        "--compare",
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
    let folder = folder();
    let run = tamis(
        &[
            "eval",
            &folder.path(""),
            "--method",
            "all",
            "--site-sample",
            "5",
            "--predictions",
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
    let folder = folder();
    fs::remove_file(folder.root().join("small/pages/p2.html")).unwrap();
    folder.write("outs/small/theirs.jsonl", "{\"id\": \"p1\", \"text\": \"It rained\"}\n{\"id\": oops}\n");
    let run = tamis(&["eval", &folder.path("small"), "--predictions", &folder.path("outs")], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("main text, 11 pages"), "{}", run.out);
    assert!(run.out.contains("truth.jsonl:3: there is no page"), "{}", run.out);
    assert!(run.out.contains("theirs.jsonl:2: not a JSON line"), "{}", run.out);
    assert!(run.out.contains("no output for 10 of 11 pages"), "{}", run.out);
}

#[test]
fn tables_are_put_between_the_marks_of_a_file() {
    let folder = folder();
    folder.write("doc.md", "# Doc\n\n<!-- tables -->\nold\n<!-- end of tables -->\nrest\n");
    let doc = folder.path("doc.md");
    for _ in 0..2 {
        assert_eq!(tamis(&["eval", &folder.path("small"), "--markdown", &doc], "").code, 0);
        let text = fs::read_to_string(&doc).unwrap();
        assert!(text.starts_with("# Doc\n\n<!-- tables -->\n\nMeasured on 20"), "{text}");
        assert!(text.contains("\n\n### small\n"), "{text}");
        assert!(text.ends_with("|\n\n<!-- end of tables -->\nrest\n") && !text.contains("old"), "{text}");
    }
}

#[test]
fn saved_outputs_score_as_the_method_did() {
    let folder = folder();
    let saved = folder.path("saved");
    let first = tamis(
        &["eval", &folder.path("small"), "--method", "density", "--save-predictions", &saved, "--json"],
        "",
    );
    let again = tamis(&["eval", &folder.path("small"), "--predictions", &saved, "--json"], "");
    let figures = |out: &str| -> Value {
        let value: Value = serde_json::from_str(out).unwrap();
        value["sets"][0]["tools"][0]["summary"].clone()
    };
    assert_eq!(figures(&first.out), figures(&again.out));
}

#[test]
fn mistakes_are_named_with_what_to_do() {
    let folder = folder();
    let small = folder.path("small");
    let error = |arguments: &[&str]| {
        let run = tamis(arguments, "");
        assert_eq!(run.code, 2, "{}", run.out);
        run.err
    };
    assert!(error(&["eval", &folder.path("outs")]).contains("no evaluation set"));
    assert!(error(&["eval", &small, "--method", "magic"]).contains("the methods are"));
    assert!(error(&["eval", &small, "--by", "colour"]).contains("page_type, lang, site, engine"));
    assert!(error(&["eval", &small, "--predictions", "nowhere.jsonl"]).contains("nowhere.jsonl"));
    assert!(error(&["eval", &small, "--predictions", "=nowhere.jsonl"]).contains("write NAME=FILE"));
    assert!(error(&["eval", &small, "--predictions", "nowhere"]).contains("check the path"));
    let theirs = folder.path("outs/small/theirs.jsonl");
    assert!(
        error(&["eval", &small, "--predictions", &theirs, "--predictions", &theirs]).contains("another name")
    );
}

#[test]
fn an_empty_dataset_is_reported() {
    let folder = folder();
    folder.write("small/truth.jsonl", "");
    let run = tamis(&["eval", &folder.path("small")], "");
    assert_eq!(run.code, 1);
    assert!(run.out.contains("truth.jsonl: there is no page in it"), "{}", run.out);
    assert!(run.err.contains("nothing was scored: no dataset has a page"), "{}", run.err);
}

#[test]
fn datasets_without_predictions_are_reported() {
    let folder = folder();
    let outs = folder.path("elsewhere");
    fs::create_dir_all(&outs).unwrap();
    let run = tamis(&["eval", &folder.path("small"), "--predictions", &outs], "");
    assert_eq!(run.code, 1);
    assert!(run.err.contains("there are no predictions for the datasets"), "{}", run.err);
}

#[test]
fn a_truth_without_text_is_reported() {
    let folder = folder();
    let mut truth = fs::read_to_string(folder.root().join("small/truth.jsonl")).unwrap();
    truth += "{\"id\": \"p12\", \"text\": null, \"title\": \"Rain\", \"date\": \"2026-11-15\"}\n";
    truth += "{\"id\": \"p13\", \"text\": \"… !\", \"title\": \"Rain\"}\n";
    folder.write("small/truth.jsonl", &truth);
    for id in ["p12", "p13"] {
        folder.write(&format!("small/pages/{id}.html"), "<title>Rain</title><p>It rained.");
    }
    let run = tamis(&["eval", &folder.path("small"), "--method", "density"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    let said = |words: &str| assert!(run.out.contains(words), "{words} in {}", run.out);
    said("truth.jsonl:13: the truth of \"p12\" has no text; scored by title, date");
    said("truth.jsonl:14: the truth of \"p13\" has no letter or digit in its text; scored by title");
    said("small: main text, 12 pages");
    said("small: title (14 pages) and date (13 pages)");
}

#[test]
fn tools_have_names_of_their_own() {
    let folder = folder();
    let out = format!("lines+site={}", folder.path("outs/small/theirs.jsonl"));
    let small = folder.path("small");
    let arguments = ["eval", &small, "--method", "lines", "--predictions", &out];
    assert_eq!(tamis(&arguments, "").code, 0, "alone, the method has another name");
    let run = tamis(&[&arguments[..], &["--site-sample", "3"]].concat(), "");
    assert!(run.code == 2 && run.err.contains("two tools are named lines+site"), "{}", run.err);
}

#[test]
fn causes_are_reported_once() {
    let folder = folder();
    let file = folder.path("small/truth.jsonl");
    let once = |arguments: &[&str], cause: &str| {
        let run = tamis(arguments, "");
        assert_eq!((run.code, run.err.matches(cause).count()), (2, 1), "{}", run.err);
    };
    once(&["eval", &folder.path("nowhere")], "os error");
    once(&["eval", &folder.path("small"), "--predictions", &folder.path("nowhere.jsonl")], "os error");
    once(&["eval", &folder.path("small"), "--report", &file], "os error");
    once(&["eval", &folder.path("small"), "--save-predictions", &file], "os error");
}

#[test]
fn problems_of_a_file_are_summarised() {
    let folder = folder();
    fs::create_dir_all(folder.root().join("other/pages")).unwrap();
    folder.write("other/truth.jsonl", "{\"id\": \"o\", \"text\": \"It snowed.\"}\n");
    folder.write("other/pages/o.html", "<p>It snowed.");
    let theirs = folder.path("outs/small/theirs.jsonl");
    let run = tamis(&["eval", &folder.path("small"), &folder.path("other"), "--predictions", &theirs], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("problems: 1\n"), "{}", run.out);
    assert!(run.out.contains("none of its 12 ids is a page of the set other (first: \"p0\")"), "{}", run.out);
    // A file that is no file of outputs at all.
    folder.write("page.html", "<p>\n".repeat(500));
    let page = folder.path("page.html");
    let run = tamis(&["eval", &folder.path("small"), "--predictions", &page], "");
    assert!(run.out.contains("problems: 501\n") && run.out.contains("490 more of its lines"), "{}", run.out);
    assert!(run.out.contains("no output for 12 of 12 pages"), "{}", run.out);
    assert!(run.out.lines().count() < 40, "{}", run.out);
}

#[test]
fn the_json_says_how_it_was_made() {
    let folder = folder();
    let run = tamis(&["eval", &folder.path("small"), "--strip-headline", "-f", "json"], "");
    let value: Value = serde_json::from_str(&run.out).unwrap();
    let command = value["run"]["command"].as_str().unwrap();
    assert!(
        command.starts_with("tamis eval /") && command.ends_with("--strip-headline -f json"),
        "{command}"
    );
    assert_eq!(value["run"]["strip_headline"], true);
    assert!(value["run"]["date"].as_str().unwrap().starts_with("20"), "{value}");
}

#[test]
fn targets_are_checked_before_the_work() {
    let folder = folder();
    // The outputs are wrong too; that the target is told first shows that it was looked at first.
    let small = folder.path("small");
    let error = |flag: &str, target: &str| {
        let run = tamis(&["eval", &small, "--predictions", "nowhere.jsonl", flag, target], "");
        assert_eq!(run.code, 2, "{}", run.out);
        run.err
    };
    let file = folder.path("small/truth.jsonl");
    assert!(error("--report", &file).contains("cannot write"));
    assert!(error("--report", &small).contains("name another folder"));
    assert!(error("--save-predictions", &file).contains("cannot create"));
    assert!(error("-o", &folder.path("nowhere/doc.md")).contains("create it first"));
    folder.write("half.md", "<!-- tables -->\n");
    assert!(error("--markdown", &folder.path("half.md")).contains("is missing"));
}

#[test]
fn a_custom_model_is_scored() {
    let folder = folder();
    let (set, save) = (folder.path("small"), folder.path("save"));
    // Without trees every block is as likely as not, and all are kept.
    let all = Model { first: Forest::default(), second: Forest::default(), ..Model::built_in() }.to_bytes();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path(name), bytes).unwrap();
    write("all.model", &all);
    for page in 0..12 {
        let days = (1..30).map(|day| {
            format!("<p>On day {day} it rained in the harbour, and all boats stayed at home.</p>")
        });
        let html = format!("<title>Rain</title><nav><a href=/>Home</a></nav>{}", days.collect::<String>());
        folder.write(&format!("small/pages/p{page}.html"), &html);
    }
    let home = |more: &[&str]| {
        let run = tamis(&[&["eval", &set, "--save-predictions", &save][..], more].concat(), "");
        assert_eq!(run.code, 0, "{}", run.err);
        fs::read_to_string(folder.path("save/small/fused.jsonl")).unwrap().matches("\"Home").count()
    };
    assert_eq!(home(&["--model", &folder.path("all.model")]), 12);
    assert_eq!(home(&[]), 0);
    write("bad.model", &all[..all.len() - 1]);
    for (file, said) in
        [("bad.model", "damaged"), ("small/truth.jsonl", "not a tamis model"), ("none", "cannot read")]
    {
        let run = tamis(&["eval", &set, "--model", &folder.path(file)], "");
        assert!(run.code == 2 && run.err.contains(said) && run.err.contains(file), "{}", run.err);
    }
    let run = tamis(&["eval", &set, "--method", "density", "--model", &folder.path("all.model")], "");
    assert!(run.code == 2 && run.err.contains("add --method fused"), "{}", run.err);
}

#[test]
fn a_dataset_without_pages_is_reported() {
    let folder = folder();
    fs::remove_dir_all(folder.path("small/pages")).unwrap();
    for method in [&[][..], &["--method", "fused"]] {
        let run = tamis(&[&["eval", &folder.path("small")][..], method].concat(), "");
        assert_eq!(run.code, 1, "{}", run.err);
        assert!(run.err.contains(&format!("without a folder {}", folder.path("small/pages"))), "{}", run.err);
        assert!(!run.err.contains("run a method"), "{}", run.err);
    }
}
