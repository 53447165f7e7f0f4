//! `tamis eval` as a user runs it.

use std::fs;
use std::path::Path;

use serde_json::json;
use tamis::classify::Model;
use tamis::classify::forest::Forest;

use crate::run::Folder;

/// A folder with a small dataset and the predictions of another tool.
fn folder() -> Folder {
    let folder = Folder::new();
    let (mut truth, mut theirs) = (String::new(), String::new());
    for number in 0..12 {
        let text =
            format!("It rained in harbour number {number} on Monday, for the first time since the spring.");
        let (id, kind) = (format!("p{number}"), if number % 2 == 0 { "article" } else { "forum" });
        let line = json!({
            "id": id, "site": "harbour", "page_type": kind, "text": text, "title": "Rain", "date": "2026-11-15",
            "with": ["rained"], "without": ["Home"],
        });
        truth += &format!("{line}\n");
        theirs += &format!("{}\n", json!({ "id": id, "text": format!("Home {text}") }));
        let page = format!("<title>Rain</title><nav><a href=/>Home</a></nav><p>{text}</p>");
        folder.write(&format!("small/pages/{id}.html"), page);
    }
    folder.write("small/truth.jsonl", truth);
    folder.write("outs/small/theirs.jsonl", theirs);
    folder
}

#[test]
fn a_table_of_ours_and_theirs() {
    let folder = folder();
    let line =
        "eval small --method correlation --predictions them=outs/small/theirs.jsonl --by page_type --compare";
    let run = folder.tamis(line).succeeds();
    assert_eq!((&*run.err, &run), ("", &folder.tamis(line)), "the same every time");
    run.prints("small: main text, 12 pages, %")
        .prints("small: tok F1 by page_type, %")
        .prints("article (6)  forum (6)")
        .prints("correlation - them");
}

#[test]
fn everything_as_json() {
    let folder = folder();
    let value =
        folder.tamis("eval . --method all --site-sample 5 --predictions outs --json").succeeds().json();
    let set = &value["sets"][0];
    assert_eq!((&value["schema"], &set["name"]), (&"tamis-eval-1".into(), &"small".into()));
    let tools = set["tools"].as_array().unwrap();
    for name in ["lines", "lines+site", "theirs"] {
        assert!(tools.iter().any(|tool| tool["name"] == name), "{name}");
    }
    let theirs = tools.last().unwrap();
    assert_eq!(theirs["summary"]["figures"]["token_recall"]["value"], 1.0);
    assert_eq!(theirs["summary"]["figures"]["segment_absent"]["value"], 0.0);
    let page = &theirs["pages"][3];
    assert_eq!((&page["id"], &page["leaf_tags"]["wanted"]), (&"p3".into(), &1.into()));
    assert_eq!(page["text"]["tokens"]["common"], 15);
}

#[test]
fn faults_are_told_and_the_rest_is_scored() {
    let folder = folder();
    fs::remove_file(folder.path("small/pages/p2.html")).unwrap();
    folder.write("outs/small/theirs.jsonl", "{\"id\": \"p1\", \"text\": \"It rained\"}\n{\"id\": oops}\n");
    let run = folder.tamis("eval small --predictions outs").succeeds();
    run.prints("main text, 11 pages")
        .prints("truth.jsonl:3: there is no page")
        .prints("theirs.jsonl:2: not a JSON line")
        .prints("no output for 10 of 11 pages");
}

#[test]
fn tables_are_put_between_the_marks_of_a_file() {
    let folder = folder();
    folder.write("doc.md", "# Doc\n\n<!-- tables -->\nold\n<!-- end of tables -->\nrest\n");
    for _ in 0..2 {
        folder.tamis("eval small --markdown doc.md").succeeds();
        let text = folder.read("doc.md");
        assert!(text.starts_with("# Doc\n\n<!-- tables -->\n\nMeasured on 20"), "{text}");
        assert!(text.contains("\n\n### small\n"), "{text}");
        assert!(text.ends_with("|\n\n<!-- end of tables -->\nrest\n") && !text.contains("old"), "{text}");
    }
}

#[test]
fn saved_outputs_score_as_the_method_did() {
    let folder = folder();
    let figures = |line: &str| folder.tamis(line).json()["sets"][0]["tools"][0]["summary"].clone();
    let first = figures("eval small --method density --save-predictions saved --json");
    assert_eq!(figures("eval small --predictions saved --json"), first);
}

#[test]
fn authors_languages_and_posts_are_scored() {
    let folder = Folder::new();
    let text = |number: usize| {
        format!("Answer {number}: the ferry leaves at {number}, and it does not sail in fog.")
    };
    let truth = json!({
        "id": "thread", "author": "Ann Finch", "lang": "en-GB",
        "posts": [{"text": text(1), "author": "/u/bo", "date": "2026-11-15"}, {"text": text(2), "author": "/u/cy"}],
    });
    folder.write("set/truth.jsonl", truth.to_string());
    let posts: String = (1..5)
        .map(|number| {
            format!(
                "<div class=post><b class=author>bo</b> <time>2026-11-15</time><p>{}</p></div>",
                text(number)
            )
        })
        .collect();
    let page = format!("<html lang=en><meta name=author content='Ann Finch'><title>Ferry</title>{posts}");
    folder.write("set/pages/thread.html", page);
    for (name, prediction) in [
        (
            "one",
            json!({"id": "thread", "author": "A. Nobody", "language": "en", "posts": [{"text": text(2)}]}),
        ),
        (
            "many",
            json!({"id": "thread", "authors": ["Finch"], "language": "de",
            "posts": [{"text": text(1), "author": "bo", "time_text": "2026-11-15"}, {"text": text(2), "author": "bo"}]}),
        ),
        ("none", json!({"id": "thread", "text": "Ferry", "author": null})),
    ] {
        folder.write(&format!("outs/set/{name}.jsonl"), prediction.to_string());
    }
    let run = folder.tamis("eval set --predictions outs").succeeds();
    let run = run.prints("set: author (1 pages), language (1 pages), posts (1 pages), %");
    let row = |name: &str| {
        let line = run.out.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        line.split_whitespace().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("tool"), ["author", "lang", "posts", "p.", "author", "p.", "time"]);
    assert_eq!(row("one"), ["0.0", "100.0", "66.7", "–", "–"]);
    assert_eq!(row("many"), ["100.0", "0.0", "100.0", "50.0", "100.0"]);
    assert_eq!(row("none"), ["–", "–", "–", "–", "–"]);
    let figures = |line: &str| folder.tamis(line).json()["sets"][0]["tools"][0]["summary"]["figures"].clone();
    let ours = figures("eval set --save-predictions saved --json");
    assert_eq!(ours["right_author"]["value"], 1.0);
    assert_eq!(ours["right_language"]["value"], 1.0);
    assert!(ours["post_f1"]["value"].as_f64().unwrap() > 0.0, "{ours}");
    assert_eq!(figures("eval set --predictions saved --json"), ours);
}

#[test]
fn mistakes_are_named_with_what_to_do() {
    let folder = folder();
    for (line, remedy) in [
        ("outs", "no evaluation set"),
        ("small --method magic", "the methods are"),
        ("small --by colour", "page_type, lang, site, engine"),
        ("small --predictions nowhere.jsonl", "nowhere.jsonl"),
        ("small --predictions =nowhere.jsonl", "write NAME=FILE"),
        ("small --predictions nowhere", "check the path"),
        ("small --predictions outs/small/theirs.jsonl --predictions outs/small/theirs.jsonl", "another name"),
    ] {
        folder.tamis(&format!("eval {line}")).fails(remedy);
    }
    // Alone, the method has another name.
    let named = "eval small --method lines --predictions lines+site=outs/small/theirs.jsonl";
    folder.tamis(named).succeeds();
    folder.tamis(&format!("{named} --site-sample 3")).fails("two tools are named lines+site");
    for line in [
        "nowhere",
        "small --predictions nowhere.jsonl",
        "small --report small/truth.jsonl",
        "small --save-predictions small/truth.jsonl",
    ] {
        let run = folder.tamis(&format!("eval {line}")).ends(2);
        assert_eq!(run.err.matches("os error").count(), 1, "the cause is told once: {run:?}");
    }
}

#[test]
fn datasets_with_nothing_to_score_are_reported() {
    let small = folder();
    fs::create_dir_all(small.path("elsewhere")).unwrap();
    let run = small.tamis("eval small --predictions elsewhere").ends(1);
    run.says("there are no predictions for the datasets");
    fs::remove_dir_all(small.path("small/pages")).unwrap();
    for line in ["eval small", "eval small --method fused"] {
        small.tamis(line).ends(1).says("without a folder small/pages").does_not_say("run a method");
    }
    let empty = folder();
    empty.write("small/truth.jsonl", "");
    let run = empty.tamis("eval small").ends(1).prints("truth.jsonl: there is no page in it");
    run.says("nothing was scored: no dataset has a page");
}

#[test]
fn a_truth_without_text_is_reported() {
    let folder = folder();
    let truth = folder.read("small/truth.jsonl")
        + "{\"id\": \"p12\", \"text\": null, \"title\": \"Rain\", \"date\": \"2026-11-15\"}\n\
           {\"id\": \"p13\", \"text\": \"… !\", \"title\": \"Rain\"}\n";
    folder.write("small/truth.jsonl", truth);
    for id in ["p12", "p13"] {
        folder.write(&format!("small/pages/{id}.html"), "<title>Rain</title><p>It rained.");
    }
    let run = folder.tamis("eval small --method density").succeeds();
    run.prints("truth.jsonl:13: the truth of \"p12\" has no text; scored by title, date")
        .prints("truth.jsonl:14: the truth of \"p13\" has no letter or digit in its text; scored by title")
        .prints("small: main text, 12 pages")
        .prints("small: title (14 pages), date (13 pages), %");
}

#[test]
fn problems_of_a_file_are_summarised() {
    let folder = folder();
    folder.write("other/truth.jsonl", "{\"id\": \"o\", \"text\": \"It snowed.\"}\n");
    folder.write("other/pages/o.html", "<p>It snowed.");
    let run = folder.tamis("eval small other --predictions outs/small/theirs.jsonl").succeeds();
    run.prints("problems: 1\n").prints("none of its 12 ids is a page of the set other (first: \"p0\")");
    // A file that is no file of outputs at all.
    folder.write("page.html", "<p>\n".repeat(500));
    let run = folder.tamis("eval small --predictions page.html");
    assert!(run.out.lines().count() < 40, "{run:?}");
    run.prints("problems: 501\n").prints("490 more of its lines").prints("no output for 12 of 12 pages");
}

#[test]
fn the_json_says_how_it_was_made() {
    let run = folder().tamis("eval small --strip-headline -f json").json()["run"].clone();
    assert_eq!(run["command"], "tamis eval small --strip-headline -f json");
    assert_eq!(run["strip_headline"], true);
    assert!(run["date"].as_str().unwrap().starts_with("20"), "{run}");
}

#[test]
fn targets_are_checked_before_the_work() {
    let folder = folder();
    folder.write("half.md", "<!-- tables -->\n");
    // The outputs are wrong too; that the target is told first shows that it was looked at first.
    for (target, remedy) in [
        ("--report small/truth.jsonl", "cannot write"),
        ("--report small", "name another folder"),
        ("--save-predictions small/truth.jsonl", "cannot create"),
        ("-o nowhere/doc.md", "create it first"),
        ("--markdown half.md", "is missing"),
    ] {
        folder.tamis(&format!("eval small --predictions nowhere.jsonl {target}")).fails(remedy);
    }
}

#[test]
fn a_custom_model_is_scored() {
    let folder = folder();
    // Without trees every block is as likely as not, and all are kept.
    let all = Model { first: Forest::default(), second: Forest::default(), ..Model::built_in() }.to_bytes();
    folder.write("all.model", &all);
    for page in 0..12 {
        let days = (1..30).map(|day| {
            format!("<p>On day {day} it rained in the harbour, and all boats stayed at home.</p>")
        });
        let html = format!("<title>Rain</title><nav><a href=/>Home</a></nav>{}", days.collect::<String>());
        folder.write(&format!("small/pages/p{page}.html"), html);
    }
    let home = |more: &str| {
        folder.tamis(&format!("eval small --save-predictions save {more}")).succeeds();
        folder.read("save/small/fused.jsonl").matches("\"Home").count()
    };
    assert_eq!((home("--model all.model"), home("")), (12, 0));
    folder.write("bad.model", &all[..all.len() - 1]);
    for (file, said) in
        [("bad.model", "damaged"), ("small/truth.jsonl", "not a tamis model"), ("none", "cannot read")]
    {
        folder.tamis(&format!("eval small --model {file}")).fails(said).says(file);
    }
    folder.tamis("eval small --method density --model all.model").fails("add --method fused");
}

#[test]
fn a_report_is_written_and_written_again() {
    let folder = Folder::new();
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tamis-lab/tests/report-set");
    let set = set.display();
    let eval =
        format!("eval {set} --method correlation --predictions theirs={set}/other.jsonl --report report");
    for _ in 0..2 {
        folder.tamis(&eval).succeeds().says("index.html").prints("theirs");
    }
    let index = folder.read("report/index.html");
    assert!(index.contains("correlation") && index.contains("theirs"));
    // A reader must know how the figures came about.
    assert!(index.contains("<code dir=auto>tamis eval ") && index.contains(", tamis 0."), "{index}");
    folder.write("other/thesis.txt", "years of work");
    folder
        .tamis(&eval.replace("--report report", "--report other"))
        .fails("thesis.txt")
        .says("another folder");
    assert_eq!(folder.read("other/thesis.txt"), "years of work");
}
