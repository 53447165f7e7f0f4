//! `tamis train` as a user runs it, on a small set of our own.

use std::fs;

use crate::run::{Folder, tamis};

/// A dataset of twelve sites with two pages each.
fn folder() -> Folder {
    let folder = Folder::new();
    fs::create_dir_all(folder.root().join("set/pages")).unwrap();
    let mut truths = String::new();
    for page in 0..24 {
        let text =
            format!("The ferry number {page} runs again, says the company: twice a day, if the ice allows.");
        let html = format!(
            "<div><a href=/>Home</a> <a href=/{page}>Next</a></div><div><p>{text}</p></div><div>Imprint</div>"
        );
        fs::write(folder.root().join(format!("set/pages/p{page}.html")), html).unwrap();
        let site = format!("site{}.example", page / 2);
        truths += &serde_json::json!({ "id": format!("p{page}"), "site": site, "text": text }).to_string();
        truths.push('\n');
    }
    fs::write(folder.root().join("set/truth.jsonl"), truths).unwrap();
    folder
}

#[test]
fn a_model_with_report_recipe_and_held_out_outputs_is_written() {
    let folder = folder();
    let (set, model, report) = (folder.path("set"), folder.path("mine.model"), folder.path("report"));
    let outs = folder.path("outs");
    let more = ["--trees", "2", "--folds", "3", "--report", &report, "--save-predictions", &outs];
    let run = tamis(&[&["train", &set, "-o", &model][..], &more].concat(), "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.starts_with("Token F1 on held-out sites, %\n"), "{}", run.out);
    // A line a stage, so that nobody thinks it hangs.
    let lines: Vec<&str> = run.err.lines().collect();
    let (last, stages) = lines.split_last().unwrap();
    assert_eq!(*last, format!("tamis: report: {report}/index.html"));
    assert!(stages.len() > 5 && stages.iter().all(|line| line.starts_with("tamis: ")), "{stages:?}");
    let page = fs::read_to_string(folder.root().join("report/index.html")).unwrap();
    assert!(page.contains("Token F1 by set"), "{page}");
    // The recipe says which model it is of, and nothing of where it was made.
    let recipe: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path("mine.model.recipe.json")).unwrap()).unwrap();
    assert_eq!(
        (&recipe["seed"], &recipe["folds"], &recipe["method"]),
        (&1.into(), &3.into(), &"fused".into())
    );
    assert_eq!(recipe["bytes"], fs::read(&model).unwrap().len());
    assert_eq!(recipe["sets"][0]["pages"], 24);
    assert!(!recipe.to_string().contains(folder.root().to_str().unwrap()), "no path");
    let outputs = fs::read_to_string(folder.path("outs/set/fused.jsonl")).unwrap();
    let ids: Vec<String> = outputs
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(ids, (0..24).map(|page| format!("p{page}")).collect::<Vec<_>>());
}

#[test]
fn the_svm_is_trained_and_its_figures_printed() {
    let folder = folder();
    let (set, model) = (folder.path("set"), folder.path("model.svm"));
    let run = tamis(&["train", &set, "-o", &model, "--method", "svm", "--folds", "4"], "");
    assert_eq!(run.code, 0, "{run:?}");
    assert!(
        run.out.contains("in cross-validation by site") && run.out.contains("R by characters"),
        "{}",
        run.out
    );
    assert!(fs::read_to_string(&model).unwrap().starts_with("svm_type c_svc\n"));
    assert!(fs::read_to_string(folder.path("model.svm.recipe.json")).unwrap().contains("\"svm\""));
    let run = tamis(&["train", &set, "-o", "x", "--method", "svm", "--trees", "9"], "");
    assert!(run.code == 2 && run.err.contains("--trees"), "{}", run.err);
}

#[test]
fn a_custom_svm_is_used_by_every_command() {
    let folder = folder();
    let (set, model) = (folder.path("set"), folder.path("model.svm"));
    let run = tamis(&["train", &set, "-o", &model, "--method", "svm", "--folds", "4"], "");
    assert_eq!(run.code, 0, "{run:?}");
    for method in ["svm", "template-svm", "all"] {
        let run = tamis(&["eval", &set, "--model", &model, "--method", method], "");
        assert_eq!(run.code, 0, "{method}: {}", run.err);
    }
    let (pages, out) = (folder.path("set/pages"), folder.path("rows.jsonl"));
    let run = tamis(&["batch", &pages, "--method", "svm", "--model", &model, "-o", &out], "");
    assert_eq!(run.code, 0, "{}", run.err);
    // Rows say which it was.
    let rows = fs::read_to_string(&out).unwrap();
    assert!(rows.lines().all(|row| row.contains(r#""method":"svm","model":""#)), "{rows}");
    let page = folder.path("set/pages/p0.html");
    let run = tamis(&["extract", "--format", "json", "--method", "svm", "--model", &model, &page], "");
    assert!(run.out.contains(r#""method":"svm","model":""#), "{}", run.out);
    let run = tamis(&["extract", "--format", "json", &page], "");
    assert!(run.out.contains(r#""method":"fused""#) && run.out.contains(r#""model":null"#), "{}", run.out);
    let run = tamis(&["explain", &folder.path("set/pages/p0.html"), "--model", &model], "");
    assert_eq!(run.code, 0, "{}", run.err);
    let run = tamis(&["eval", &set, "--model", &model], "");
    assert!(run.code == 2 && run.err.contains("add --method svm or --method template-svm"), "{}", run.err);
}

#[test]
fn targets_are_checked_before_the_work() {
    let folder = folder();
    let set = folder.path("set");
    let refused = |more: &[&str], said: &str| {
        let run = tamis(&[&["train", "--trees", "2", "--folds", "3", &set], more].concat(), "");
        assert!(run.code == 2 && run.err.contains(said), "{more:?}: {}", run.err);
        assert!(!run.err.contains("log-odds"), "no work was done: {}", run.err);
    };
    refused(&["-o", &folder.path("set")], "this is a directory");
    refused(&["-o", &folder.path("m"), "--weight", "set=0"], "a --weight over 0");
    refused(&["-o", &folder.path("m"), "-j", "0"], "at least 1");
    fs::create_dir_all(folder.path("other")).unwrap();
    fs::create_dir_all(folder.path("other/set/pages")).unwrap();
    fs::copy(folder.path("set/truth.jsonl"), folder.path("other/set/truth.jsonl")).unwrap();
    refused(&[&folder.path("other/set"), "-o", &folder.path("m")], "there are two datasets named set");
    assert!(!folder.root().join("m").exists());
}

#[test]
fn pages_without_a_site_are_reported() {
    let folder = folder();
    let (set, model) = (folder.path("set"), folder.path("mine.model"));
    let file = folder.root().join("set/truth.jsonl");
    let lines = fs::read_to_string(&file).unwrap().replace("\"site\"", "\"place\"");
    fs::write(&file, lines).unwrap();
    let run = tamis(&["train", &set, "-o", &model, "--trees", "2", "--folds", "3"], "");
    assert!(run.err.contains("24 of 24 pages have no site"), "{}", run.err);
}

#[test]
fn a_set_without_weight_teaches_nothing() {
    let folder = folder();
    fs::create_dir_all(folder.path("liar/pages")).unwrap();
    let mut truths = String::new();
    for page in 0..12 {
        let html =
            format!("<div><p>Nobody wants this long sentence, number {page}.</p></div><div>Imprint</div>");
        fs::write(folder.path(&format!("liar/pages/l{page}.html")), html).unwrap();
        truths +=
            &format!("{{\"id\": \"l{page}\", \"site\": \"liar{page}.example\", \"text\": \"Imprint\"}}\n");
    }
    fs::write(folder.path("liar/truth.jsonl"), truths).unwrap();
    let (set, liar) = (folder.path("set"), folder.path("liar"));
    let train = |weight: &str, out: &str| {
        let out = folder.path(out);
        let more = ["--trees", "3", "--folds", "3", "--weight", weight];
        let run = tamis(&[&["train", &set, &liar, "-o", &out][..], &more].concat(), "");
        (run, fs::read(out).unwrap_or_default())
    };
    let (heard, unheard) = (train("liar=1", "heard").1, train("liar=0", "unheard").1);
    let imprint = |model: &[u8]| {
        fs::write(folder.path("m"), model).unwrap();
        let page = folder.path("liar/pages/l3.html");
        tamis(&["extract", "--model", &folder.path("m"), &page], "").out
    };
    assert_ne!(heard, unheard);
    assert!(imprint(&unheard).contains("long sentence"), "{}", imprint(&unheard));
    for wrong in ["liar", "liar=-1", "liar=NaN", "liar=much", "nobody=0.5"] {
        let run = train(wrong, "wrong").0;
        assert!(run.code == 2 && run.err.contains("liar"), "{wrong}: {}", run.err);
    }
}

#[test]
fn damaged_and_small_sets_are_told() {
    let folder = folder();
    let (set, model) = (folder.path("set"), folder.path("mine.model"));
    let file = folder.root().join("set/truth.jsonl");
    let lines: Vec<String> = fs::read_to_string(&file).unwrap().lines().take(3).map(str::to_owned).collect();
    fs::write(&file, format!("{}\n{{\"id\": 3\n", lines.join("\n"))).unwrap();
    let run = tamis(&["train", &set, "-o", &model], "");
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("truth.jsonl:4: ") && run.err.contains("there are fewer than 5 sites"),
        "{}",
        run.err
    );
    assert!(!folder.root().join("mine.model").exists());
    let run = tamis(&["train", &folder.path("nowhere"), "-o", &model], "");
    assert!(run.code == 2 && run.err.contains("nowhere"), "{}", run.err);
    let run = tamis(&["train", &set, "-o", &folder.path("no/mine.model")], "");
    assert!(run.code == 2 && run.err.contains("create it first"), "{}", run.err);
}

#[test]
fn a_dataset_named_twice_counts_once() {
    let folder = folder();
    let (set, model) = (folder.path("set"), folder.path("mine.model"));
    let train = |data: &[&str]| {
        let run = tamis(&[&["train", "-o", &model, "--trees", "2", "--folds", "3"][..], data].concat(), "");
        assert_eq!(run.code, 0, "{}", run.err);
        (fs::read(&model).unwrap(), run.err)
    };
    let (once, said) = train(&[&set]);
    assert!(!said.contains("twice"), "{said}");
    let (twice, said) = train(&[&set, &folder.path("set/../set")]);
    assert!(said.contains("is named twice; it counts once"), "{said}");
    assert!(once == twice);
}

#[test]
fn pages_without_text_are_left_out() {
    let folder = folder();
    let (set, model) = (folder.path("set"), folder.path("mine.model"));
    fs::write(folder.path("set/pages/x.html"), "<p>Rain.").unwrap();
    let file = folder.root().join("set/truth.jsonl");
    let lines = fs::read_to_string(&file).unwrap() + "{\"id\": \"x\", \"title\": \"Rain\"}\n";
    fs::write(&file, lines).unwrap();
    let run = tamis(&["train", &set, "-o", &model, "--trees", "2", "--folds", "3"], "");
    assert!(run.err.contains("truth.jsonl:25: the truth of \"x\" has no text; left out"), "{}", run.err);
    assert_eq!(run.err.matches("truth.jsonl").count(), 1, "{}", run.err);
}
