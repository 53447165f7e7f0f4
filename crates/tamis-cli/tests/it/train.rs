//! `tamis train` as a user runs it, on a small set of our own.

use serde_json::json;

use crate::run::{Folder, Run};

/// A dataset of twelve sites with two pages each.
fn folder() -> Folder {
    let folder = Folder::new();
    let mut truths = String::new();
    for page in 0..24 {
        let text =
            format!("The ferry number {page} runs again, says the company: twice a day, if the ice allows.");
        let html = format!(
            "<div><a href=/>Home</a> <a href=/{page}>Next</a></div><div><p>{text}</p></div><div>Imprint</div>"
        );
        folder.write(&format!("set/pages/p{page}.html"), html);
        let site = format!("site{}.example", page / 2);
        truths += &format!("{}\n", json!({ "id": format!("p{page}"), "site": site, "text": text }));
    }
    folder.write("set/truth.jsonl", truths);
    folder
}

impl Folder {
    /// Trains a small model.
    fn train(&self, flags: &str) -> Run {
        self.tamis(&format!("train set --trees 2 --folds 3 {flags}"))
    }

    fn train_svm(&self) -> Run {
        self.tamis("train set -o model.svm --method svm --folds 4").succeeds()
    }

    /// Changes the truths of the dataset.
    fn change_truths(&self, change: impl FnOnce(String) -> String) {
        self.write("set/truth.jsonl", change(self.read("set/truth.jsonl")));
    }
}

#[test]
fn a_model_with_report_recipe_and_held_out_outputs_is_written() {
    let folder = folder();
    let run = folder.train("-o mine.model --report report --save-predictions outs").succeeds();
    assert!(run.out.starts_with("Token F1 on held-out sites, %\n"), "{}", run.out);
    // A line a stage, so that nobody thinks it hangs.
    let lines: Vec<&str> = run.err.lines().collect();
    let (last, stages) = lines.split_last().unwrap();
    assert_eq!(*last, "tamis: report: report/index.html");
    assert!(stages.len() > 5 && stages.iter().all(|line| line.starts_with("tamis: ")), "{stages:?}");
    assert!(folder.read("report/index.html").contains("Token F1 by set"));
    // The recipe says which model it is of, and nothing of where it was made.
    let recipe: serde_json::Value = serde_json::from_str(&folder.read("mine.model.recipe.json")).unwrap();
    let said = [&recipe["seed"], &recipe["folds"], &recipe["method"], &recipe["sets"][0]["pages"]];
    assert_eq!(json!(said), json!([1, 3, "fused", 24]));
    assert_eq!(recipe["bytes"], folder.bytes("mine.model").len());
    assert!(!recipe.to_string().contains(folder.root().to_str().unwrap()), "no path");
    let outputs = folder.rows("outs/set/fused.jsonl");
    assert!(outputs.iter().map(|row| row["id"].clone()).eq((0..24).map(|page| format!("p{page}"))));
}

#[test]
fn the_svm_is_trained_and_its_figures_printed() {
    let folder = folder();
    folder.train_svm().prints("in cross-validation by site").prints("R by characters");
    assert!(folder.read("model.svm").starts_with("svm_type c_svc\n"));
    assert!(folder.read("model.svm.recipe.json").contains("\"svm\""));
    folder.train("-o x --method svm").fails("--trees");
}

#[test]
fn a_custom_svm_is_used_by_every_command() {
    let folder = folder();
    folder.train_svm();
    for method in ["svm", "template-svm", "all"] {
        folder.tamis(&format!("eval set --model model.svm --method {method}")).succeeds();
    }
    // Rows say which it was.
    let said = r#""method":"svm","model":""#;
    folder.batch("set/pages --method svm --model model.svm -o rows.jsonl").succeeds();
    assert!(folder.read("rows.jsonl").lines().all(|row| row.contains(said)));
    folder.tamis("extract -f json --method svm --model model.svm set/pages/p0.html").prints(said);
    let own = folder.tamis("extract -f json set/pages/p0.html");
    own.prints(r#""method":"fused""#).prints(r#""model":null"#);
    folder.tamis("explain set/pages/p0.html --model model.svm").succeeds();
    folder.tamis("eval set --model model.svm").fails("add --method svm or --method template-svm");
}

#[test]
fn targets_are_checked_before_the_work() {
    let folder = folder();
    folder.write("other/set/truth.jsonl", folder.read("set/truth.jsonl"));
    for (flags, said) in [
        ("-o set", "this is a directory"),
        ("-o no/m", "create it first"),
        ("-o m --weight set=0", "a --weight over 0"),
        ("-o m -j 0", "at least 1"),
        ("-o m other/set", "there are two datasets named set"),
        ("-o m nowhere", "nowhere"),
    ] {
        folder.train(flags).fails(said).does_not_say("log-odds");
    }
    assert!(!folder.exists("m"));
}

#[test]
fn a_set_without_weight_teaches_nothing() {
    let folder = folder();
    let mut truths = String::new();
    for page in 0..12 {
        let html =
            format!("<div><p>Nobody wants this long sentence, number {page}.</p></div><div>Imprint</div>");
        folder.write(&format!("liar/pages/l{page}.html"), html);
        truths +=
            &format!("{{\"id\": \"l{page}\", \"site\": \"liar{page}.example\", \"text\": \"Imprint\"}}\n");
    }
    folder.write("liar/truth.jsonl", truths);
    let train =
        |weight: &str| folder.tamis(&format!("train set liar -o m --trees 3 --folds 3 --weight {weight}"));
    train("liar=1").succeeds();
    let heard = folder.bytes("m");
    train("liar=0").succeeds();
    assert_ne!(heard, folder.bytes("m"));
    folder.tamis("extract --model m liar/pages/l3.html").prints("long sentence");
    for wrong in ["liar", "liar=-1", "liar=NaN", "liar=much", "nobody=0.5"] {
        train(wrong).fails("liar");
    }
}

#[test]
fn faults_of_datasets_are_told() {
    let sites = folder();
    sites.change_truths(|truths| truths.replace("\"site\"", "\"place\""));
    sites.train("-o mine.model").says("24 of 24 pages have no site");

    let textless = folder();
    textless.write("set/pages/x.html", "<p>Rain.");
    textless.change_truths(|truths| truths + "{\"id\": \"x\", \"title\": \"Rain\"}\n");
    let run = textless.train("-o mine.model");
    assert_eq!(run.err.matches("truth.jsonl").count(), 1, "{run:?}");
    run.says("truth.jsonl:25: the truth of \"x\" has no text; left out");

    let small = folder();
    small.change_truths(|truths| truths.lines().take(3).collect::<Vec<_>>().join("\n") + "\n{\"id\": 3\n");
    let run = small.tamis("train set -o mine.model").fails("truth.jsonl:4: ");
    run.says("there are fewer than 5 sites");
    assert!(!small.exists("mine.model"));
}

#[test]
fn a_dataset_named_twice_counts_once() {
    let folder = folder();
    folder.train("-o once.model").succeeds().does_not_say("twice");
    folder.train("-o twice.model set/../set").succeeds().says("is named twice; it counts once");
    assert!(folder.bytes("once.model") == folder.bytes("twice.model"));
}
