//! `tamis label` as a user runs it, and what `eval` and `train` make of the labels.

use std::fs;

use crate::run::{Folder, tamis};
use serde_json::Value;

/// A folder with three pages.
fn folder() -> Folder {
    let folder = Folder::new();
    for (page, place) in ["harbour", "market", "mill"].iter().enumerate() {
        let text = format!(
            "It rained at the {place} on Monday, for the first time since the spring, and all were glad."
        );
        let html = format!(
            "<title>Rain</title><p><a href=/>Home</a></p><h1>Rain</h1><p>{text}</p><ul><li>One, of two.<li>Two, of two.</ul>\
             <table><tr><td>Mon<td>9 mm</table><p>Call us, or write.</p>"
        );
        fs::write(folder.root().join(format!("p{page}.html")), html).unwrap();
    }
    folder
}

fn truths(folder: &Folder) -> Vec<Value> {
    let lines = fs::read_to_string(folder.root().join("set/truth.jsonl")).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn what_a_method_chose_scores_one_hundred_percent() {
    let folder = folder();
    let pages = ["p0.html", "p1.html", "p2.html"].map(|page| folder.path(page));
    let set = folder.path("set");
    let mut arguments = vec!["label", "--set", &set, "--method", "lines", "--site", "rain.example"];
    arguments.extend(pages.iter().map(String::as_str));
    let run = tamis(&arguments, "done\ndone\ndone\n");
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{run:?}");
    assert!(run.out.lines().count() == 3 && run.out.contains("blocks kept"), "{}", run.out);
    assert_eq!(truths(&folder)[2]["site"], "rain.example");

    let eval = tamis(&["eval", &set, "--method", "lines", "--json"], "");
    assert_eq!(eval.code, 0, "{}", eval.err);
    let json: Value = serde_json::from_str(&eval.out).unwrap();
    let tool = &json["sets"][0]["tools"][0];
    assert_eq!(tool["pages"].as_array().unwrap().len(), 3);
    assert_eq!(tool["summary"]["figures"]["token_f1"]["value"], 1.0, "{}", tool["summary"]);

    let train = tamis(&["train", &set, "-o", &folder.path("mine.model")], "");
    assert_eq!(train.code, 2);
    assert!(
        train.err.contains("there are fewer than 5 sites") && train.err.contains("tamis label"),
        "{}",
        train.err
    );
}

#[test]
fn a_choice_may_come_from_a_file_from_standard_input_and_from_lines() {
    let folder = folder();
    let (page, set) = (folder.path("p0.html"), folder.path("set"));
    let choice = folder.path("choice.json");
    fs::write(
        &choice,
        "{\"keep\": [1, \"2-3\"], \"title\": \"Rain\", \"date\": \"2026-11-15\", \"page_type\": \"article\"}",
    )
    .unwrap();
    let label = |more: &[&str], input: &str| {
        let mut arguments = vec!["label", page.as_str(), "--set", set.as_str()];
        arguments.extend(more);
        tamis(&arguments, input)
    };
    assert_eq!(label(&["--from", &choice, "--url", "https://www.example.com/rain"], "").code, 0);
    let truth = &truths(&folder)[0];
    assert_eq!((&truth["title"], &truth["page_type"]), (&Value::from("Rain"), &Value::from("article")));
    assert_eq!(truth["site"], "example.com");
    let text = truth["text"].as_str().unwrap();
    assert!(
        text.starts_with("Rain\n") && text.contains("One, of two.") && !text.contains("Two, of two."),
        "{text}"
    );

    let run = label(&["--from", "-"], "{\"drop\": [0, 6]}");
    assert!(run.out.contains("label replaced"), "{run:?}");
    assert_eq!(truths(&folder).len(), 1, "the same page again replaces its line");
    assert!(!truths(&folder)[0]["text"].as_str().unwrap().contains("Home"));
    assert_eq!(truths(&folder)[0]["title"], "Rain", "what else the line says stays");

    let run = label(&[], "show\nonly 2\ntitle Drops\ndone\n");
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("   2 ") && run.out.contains("It rained at the harbour"), "{}", run.out);
    assert_eq!(truths(&folder)[0]["title"], "Drops");
    assert_eq!(label(&[], "keep 1\nquit\n").code, 1);
}

#[test]
fn a_choice_for_another_version_of_the_page_is_refused() {
    let folder = folder();
    let (page, set, choice) = (folder.path("p0.html"), folder.path("set"), folder.path("choice.json"));
    let draft = tamis(&["label", &page, "--draft", "--method", "lines"], "");
    assert_eq!((draft.code, draft.err.as_str()), (0, ""), "{draft:?}");
    assert!(!folder.root().join("set").exists());
    fs::write(&choice, &draft.out).unwrap();
    let label = || tamis(&["label", &page, "--set", &set, "--from", &choice, "--site", "rain.example"], "");
    assert_eq!(label().code, 0);
    let draft: Value = serde_json::from_str(&draft.out).unwrap();
    assert_eq!(truths(&folder)[0]["blocks_digest"], draft["blocks_digest"]);
    let html = fs::read_to_string(&page).unwrap();
    fs::write(&page, html.replace("<h1>", "<p>An advertisement, today only.</p><h1>")).unwrap();
    // So is a page that changed behind its label, by whoever reads the set.
    fs::copy(&page, folder.path("set/pages/p0.html")).unwrap();
    let eval = tamis(&["eval", &set], "");
    assert!(
        eval.out.contains("truth.jsonl:1: the blocks of \"p0\" are not those that were labelled"),
        "{}",
        eval.out
    );
    let run = label();
    assert!(run.code == 2 && run.err.contains("the choice is for other blocks"), "{}", run.err);
    assert!(run.err.contains("--draft"), "{}", run.err);
}

#[test]
fn the_site_of_the_canonical_url_is_stored() {
    let folder = folder();
    let (page, set) = (folder.path("p0.html"), folder.path("set"));
    let html = fs::read_to_string(&page).unwrap();
    let label = || tamis(&["label", &page, "--set", &set, "--from", "-", "--id", "p"], "{\"keep\": [2]}");
    let run = label();
    assert!(run.code == 0 && run.err.contains("unknown site"), "{run:?}");
    for head in [
        "<link rel=canonical href=https://www.rain.example/monday>",
        "<meta property=og:url content=https://rain.example/monday>",
    ] {
        fs::write(&page, format!("{head}{html}")).unwrap();
        let run = label();
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{run:?}");
        assert_eq!(truths(&folder)[0]["site"], "rain.example", "{head}");
    }
}

#[test]
fn what_is_wrong_is_told_and_nothing_is_written() {
    let folder = folder();
    let (page, set) = (folder.path("p0.html"), folder.path("set"));
    let label = |more: &[&str], input: &str| {
        let mut arguments = vec!["label", page.as_str(), "--set", set.as_str()];
        arguments.extend(more);
        tamis(&arguments, input)
    };
    for (input, said) in [
        ("{\"keep\": [99]}", "there is no block 99: the page has 0 to 7"),
        ("{\"keep\": [\"a\"]}", "\"a\" is no number of a block"),
        ("{\"keep\": [1]", "standard input: choice 1: EOF"),
        ("{\"kept\": [1]}", "unknown field `kept`"),
        ("{\"keep\": []}", "no block with a word in it is kept"),
        ("{\"keep\": [1]} {\"keep\": [1]}", "there are 2 choices for 1 pages"),
    ] {
        let run = label(&["--from", "-"], input);
        assert_eq!(run.code, 2, "{input}");
        assert!(run.err.contains(said), "{input}: {}", run.err);
    }
    for (input, said) in
        [("keep 99\ndone\n", "there is no block 99"), ("keep 1\n", "the input ended before \"done\"")]
    {
        let run = label(&[], input);
        assert_eq!(run.code, 2, "{input}");
        assert!(run.err.contains(said), "{input}: {}", run.err);
    }
    assert!(!folder.root().join("set").exists());

    fs::create_dir_all(folder.root().join("set")).unwrap();
    let damaged = "{\"id\": \"a\", \"text\": \"x\"}\n{\"id\": \"b\", \"te\n";
    fs::write(folder.root().join("set/truth.jsonl"), damaged).unwrap();
    let run = label(&["--from", "-"], "{\"keep\": [2]}");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("truth.jsonl:2: ") && run.err.contains("nothing was written"), "{}", run.err);
    assert_eq!(fs::read_to_string(folder.root().join("set/truth.jsonl")).unwrap(), damaged);
}

#[test]
fn a_page_read_in_a_given_encoding_is_kept_as_it_was_read() {
    let folder = folder();
    // Windows-1251 that says nothing of it, and too little of it to guess.
    let page = folder.path("p.html");
    fs::write(&page, b"<p>\xCF\xF0\xE8, \xE2\xE5\xF2.</p>").unwrap();
    let set = folder.path("set");
    let run = tamis(
        &["label", &page, "--set", &set, "--encoding", "windows-1251", "--from", "-"],
        "{\"keep\": [0]}",
    );
    assert_eq!(run.code, 0, "{run:?}");
    let table = tamis(&["extract", "--method", "lines", &folder.path("set/pages/p.html")], "");
    assert_eq!(table.out.trim(), truths(&folder)[0]["text"].as_str().unwrap().trim());
}
