//! `tamis label` as a user runs it, and what `eval` and `train` make of the labels.

use serde_json::Value;

use crate::run::{Folder, Run};

/// A folder with three pages.
fn folder() -> Folder {
    let folder = Folder::new();
    for (page, place) in ["harbour", "market", "mill"].iter().enumerate() {
        let html = format!(
            "<title>Rain</title><p><a href=/>Home</a></p><h1>Rain</h1><p>It rained at the {place} on Monday, for the first \
             time since the spring, and all were glad.</p><ul><li>One, of two.<li>Two, of two.</ul>\
             <table><tr><td>Mon<td>9 mm</table><p>Call us, or write.</p>"
        );
        folder.write(&format!("p{page}.html"), html);
    }
    folder
}

impl Folder {
    fn truths(&self) -> Vec<Value> {
        self.rows("set/truth.jsonl")
    }

    /// Labels the first page.
    fn label(&self, flags: &str, input: &str) -> Run {
        self.tamis_with(&format!("label p0.html --set set {flags}"), input)
    }
}

#[test]
fn what_a_method_chose_scores_one_hundred_percent() {
    let folder = folder();
    let line = "label --set set --method lines --site rain.example p0.html p1.html p2.html";
    let run = folder.tamis_with(line, "done\ndone\ndone\n").succeeds().prints("blocks kept");
    assert_eq!((run.err.as_str(), run.out.lines().count()), ("", 3));
    assert_eq!(folder.truths()[2]["site"], "rain.example");
    let tool =
        folder.tamis("eval set --method lines --json").succeeds().json()["sets"][0]["tools"][0].clone();
    assert_eq!(tool["pages"].as_array().unwrap().len(), 3);
    assert_eq!(tool["summary"]["figures"]["token_f1"]["value"], 1.0, "{}", tool["summary"]);
    folder.tamis("train set -o mine.model").fails("there are fewer than 5 sites").says("tamis label");
}

#[test]
fn a_choice_may_come_from_a_file_from_standard_input_and_from_lines() {
    let folder = folder();
    folder.write(
        "choice.json",
        "{\"keep\": [1, \"2-3\"], \"title\": \"Rain\", \"date\": \"2026-11-15\", \"page_type\": \"article\"}",
    );
    folder.label("--from choice.json --url https://www.example.com/rain", "").succeeds();
    let truth = &folder.truths()[0];
    assert_eq!((&truth["title"], &truth["page_type"]), (&"Rain".into(), &"article".into()));
    assert_eq!(truth["site"], "example.com");
    let text = truth["text"].as_str().unwrap();
    assert!(text.starts_with("Rain\n") && text.contains("One, of two."), "{text}");
    assert!(!text.contains("Two, of two."), "{text}");

    folder.label("--from -", "{\"drop\": [0, 6]}").prints("label replaced");
    let truths = folder.truths();
    assert_eq!(truths.len(), 1, "the same page again replaces its line");
    assert!(!truths[0]["text"].as_str().unwrap().contains("Home"));
    assert_eq!(truths[0]["title"], "Rain", "what else the line says stays");

    let run = folder.label("", "show\nonly 2\ntitle Drops\ndone\n").succeeds();
    run.prints("   2 ").prints("It rained at the harbour");
    assert_eq!(folder.truths()[0]["title"], "Drops");
    folder.label("", "keep 1\nquit\n").ends(1);
}

#[test]
fn a_choice_for_another_version_of_the_page_is_refused() {
    let folder = folder();
    let draft = folder.tamis("label p0.html --draft --method lines").succeeds();
    assert_eq!(draft.err, "");
    assert!(!folder.exists("set"));
    folder.write("choice.json", &draft.out);
    folder.label("--from choice.json --site rain.example", "").succeeds();
    assert_eq!(folder.truths()[0]["blocks_digest"], draft.json()["blocks_digest"]);
    let html = folder.read("p0.html").replace("<h1>", "<p>An advertisement, today only.</p><h1>");
    folder.write("p0.html", &html);
    // So is a page that changed behind its label, by whoever reads the set.
    folder.write("set/pages/p0.html", &html);
    folder.tamis("eval set").prints("truth.jsonl:1: the blocks of \"p0\" are not those that were labelled");
    folder.label("--from choice.json", "").fails("the choice is for other blocks").says("--draft");
}

#[test]
fn the_site_of_the_canonical_url_is_stored() {
    let folder = folder();
    let html = folder.read("p0.html");
    let label = || folder.label("--from - --id p", "{\"keep\": [2]}").succeeds();
    label().says("unknown site");
    for head in [
        "<link rel=canonical href=https://www.rain.example/monday>",
        "<meta property=og:url content=https://rain.example/monday>",
    ] {
        folder.write("p0.html", format!("{head}{html}"));
        assert_eq!(label().err, "");
        assert_eq!(folder.truths()[0]["site"], "rain.example", "{head}");
    }
}

#[test]
fn what_is_wrong_is_told_and_nothing_is_written() {
    let folder = folder();
    for (flags, input, said) in [
        ("--from -", "{\"keep\": [99]}", "there is no block 99: the page has 0 to 7"),
        ("--from -", "{\"keep\": [\"a\"]}", "\"a\" is no number of a block"),
        ("--from -", "{\"keep\": [1]", "standard input: choice 1: EOF"),
        ("--from -", "{\"kept\": [1]}", "unknown field `kept`"),
        ("--from -", "{\"keep\": []}", "no block with a word in it is kept"),
        ("--from -", "{\"keep\": [1]} {\"keep\": [1]}", "there are 2 choices for 1 pages"),
        ("", "keep 99\ndone\n", "there is no block 99"),
        ("", "keep 1\n", "the input ended before \"done\""),
    ] {
        folder.label(flags, input).fails(said);
    }
    assert!(!folder.exists("set"));
    let damaged = "{\"id\": \"a\", \"text\": \"x\"}\n{\"id\": \"b\", \"te\n";
    folder.write("set/truth.jsonl", damaged);
    let run = folder.label("--from -", "{\"keep\": [2]}");
    run.fails("truth.jsonl:2: ").says("nothing was written");
    assert_eq!(folder.read("set/truth.jsonl"), damaged);
}

#[test]
fn a_page_read_in_a_given_encoding_is_kept_as_it_was_read() {
    let folder = folder();
    // Windows-1251 that says nothing of it, and too little of it to guess.
    folder.write("p0.html", b"<p>\xCF\xF0\xE8, \xE2\xE5\xF2.</p>");
    folder.label("--encoding windows-1251 --from -", "{\"keep\": [0]}").succeeds();
    let read = folder.tamis("extract --method lines set/pages/p0.html");
    assert_eq!(read.out.trim(), folder.truths()[0]["text"].as_str().unwrap().trim());
}
