//! Trains a model on a folder of sets, measures it on held-out sites, and writes its outputs there.
//!
//! `train_all SETS OUT [--only a,b] [key=value]...`; `tamis eval SETS --predictions OUT` compares the outputs with others.

#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs)]

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use tamis_lab::train::{self, PageResult, Settings, figures};
use tamis_lab::{Set, Table};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (mut places, mut only, mut settings) = (Vec::new(), None, Settings::default());
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--only" => only = rest.next(),
            _ => match argument.split_once('=') {
                Some((key, value)) => set(&mut settings, key, value)?,
                None => places.push(PathBuf::from(argument)),
            },
        }
    }
    let [folder, out] = places.as_slice() else { return Err("usage: train_all SETS OUT".into()) };
    let mut sets = Set::open_all(folder)?;
    if let Some(only) = only {
        sets.retain(|set| only.split(',').any(|name| name == set.name));
    }
    sets.iter_mut().for_each(|set| set.weight = train::default_weight(&set.name));
    let start = Instant::now();
    let (model, report) = train::train(&sets, &settings, &mut |line| {
        eprintln!("{:6.1} s  {line}", start.elapsed().as_secs_f32());
    })?;
    fs::create_dir_all(out)?;
    let bytes = model.to_bytes();
    fs::write(out.join("model.bin"), &bytes)?;
    for (fold, model) in report.fold_models.iter().enumerate() {
        fs::write(out.join(format!("without-fold-{fold}.bin")), model.to_bytes())?;
    }
    println!(
        "{:.0} s, model {} bytes, tables {:?}, forests {:?}, rows {:?}",
        start.elapsed().as_secs_f32(),
        bytes.len(),
        [&model.class_log_odds, &model.word_log_odds, &model.comment_log_odds]
            .map(|table| table.entries().len()),
        [&model.first, &model.second, &model.comment].map(|forest| forest.len()),
        report.rows,
    );
    for set in &sets {
        let lines = report.pages.iter().filter(|page| page.set == set.name).map(|page| {
            serde_json::json!({ "id": page.id, "text": page.text, "f1": page.f1, "type": page.predicted_type })
                .to_string()
        });
        let lines: Vec<String> = lines.collect();
        if !lines.is_empty() {
            fs::write(out.join(format!("{}.jsonl", set.name)), lines.join("\n") + "\n")?;
        }
    }
    let suspects: Vec<String> = report.suspects.iter().map(|(set, id)| format!("{set}\t{id}\n")).collect();
    fs::write(out.join("suspects.tsv"), suspects.concat())?;
    let gains = |gains: &[(&str, f64)]| {
        let total: f64 = gains.iter().map(|gain| gain.1).sum();
        gains.iter().map(|(name, gain)| format!("{:6.2} {name}\n", 100.0 * gain / total)).collect::<String>()
    };
    fs::write(out.join("first-gains.txt"), gains(&report.first_gains))?;
    fs::write(out.join("second-gains.txt"), gains(&report.second_gains))?;
    println!("{}", table("set", &report.pages, |page| Some(&page.set)).to_text());
    println!("{}", table("page type", &report.pages, |page| page.page_type.as_deref()).to_text());
    println!(
        "{}",
        table("length", &report.pages, |page| page.f1.map(|_| length(page.true_tokens))).to_text()
    );
    println!("{}", confusion(&report.pages).to_text());
    for (rule, without) in &report.rules {
        println!("without the rule {rule}: {}", ablation(&report.pages, without));
    }
    let [right, wrong, missed] = report.comments;
    println!("comments: precision {:.3}, recall {:.3}", right / (right + wrong), right / (right + missed));
    let bins = report.reliability.iter();
    let bins = bins.map(|(said, achieved)| format!("{:.1}/{:.1}", 100.0 * said, 100.0 * achieved));
    println!("confidence/achieved F1 in ten bins: {}", bins.collect::<Vec<_>>().join(" "));
    println!("{} suspects, early exits {:?}", report.suspects.len(), model.first.early_exits());
    Ok(())
}

/// Short texts are scored apart: a menu outweighs them.
fn length(tokens: usize) -> &'static str {
    match tokens {
        0..100 => "under 100 tokens",
        100..1000 => "under 1000 tokens",
        _ => "longer",
    }
}

/// What a rule earns: the change of the mean over sets without it, and on how many pages F1 moves.
fn ablation(pages: &[PageResult], without: &[PageResult]) -> String {
    let mean = |pages: &[PageResult]| {
        let figures = figures(pages, |page| Some(&page.set));
        100.0 * figures.iter().map(|figure| figure.f).sum::<f64>() / figures.len() as f64
    };
    let moved = |sign: f64| {
        let pairs = pages.iter().zip(without).filter_map(|(with, without)| Some(without.f1? - with.f1?));
        pairs.filter(|change| change * sign > 0.02).count()
    };
    format!("{:+.2} points, {} pages better, {} worse", mean(without) - mean(pages), moved(1.0), moved(-1.0))
}

fn set(settings: &mut Settings, key: &str, value: &str) -> Result<(), Box<dyn Error>> {
    match key {
        "threads" => settings.threads = value.parse()?,
        "seed" => settings.seed = value.parse()?,
        "rows" => settings.first_rows = value.parse()?,
        "rows2" => settings.second_rows = value.parse()?,
        "trees" => settings.first.trees = value.parse()?,
        "trees2" => settings.second.trees = value.parse()?,
        "trees_of_type" => settings.of_type.trees = value.parse()?,
        "depth" => settings.first.depth = value.parse()?,
        "depth2" => settings.second.depth = value.parse()?,
        "l2" => settings.first.l2 = value.parse()?,
        "rate" => settings.first.learning_rate = value.parse()?,
        "rate2" => settings.second.learning_rate = value.parse()?,
        "features" => settings.max_features = value.parse()?,
        "fraction" => settings.first.feature_fraction = value.parse()?,
        "balance" => settings.type_balance = value.parse()?,
        "early" => {
            let exits = value.split(',').map(str::parse).collect::<Result<Vec<usize>, _>>()?;
            settings.first.early_exits = exits.try_into().map_err(|_| "early: three numbers")?;
        }
        "rules" => settings.rule_ablation = value.parse()?,
        "final" => settings.is_final = value.parse()?,
        _ => return Err(format!("unknown setting {key}").into()),
    }
    Ok(())
}

fn table(name: &str, pages: &[PageResult], group: impl Fn(&PageResult) -> Option<&str>) -> Table {
    let figures = figures(pages, group);
    let percent = |f: f64| format!("{:.1}", 100.0 * f);
    let mean = figures.iter().map(|figure| figure.f).sum::<f64>() / figures.len().max(1) as f64;
    let rows = figures.iter().map(|it| vec![it.name.clone(), it.pages.to_string(), percent(it.f)]);
    let mean = vec!["mean".to_owned(), figures.len().to_string(), format!("{:.2}", 100.0 * mean)];
    let rows = rows.chain([mean]).collect();
    let head = [name, "pages", "F"].map(str::to_owned).to_vec();
    Table { title: format!("F by {name}, held-out sites"), head, rows }
}

fn confusion(pages: &[PageResult]) -> Table {
    let mut truths: Vec<&str> = pages.iter().filter_map(|page| page.page_type.as_deref()).collect();
    truths.sort_unstable();
    truths.dedup();
    let mut types: Vec<&str> = pages.iter().map(|page| page.predicted_type).collect();
    types.sort_unstable();
    types.dedup();
    let rows = truths.into_iter().map(|truth| {
        let count = |predicted: &str| {
            let is_such = |page: &&PageResult| {
                page.page_type.as_deref() == Some(truth) && page.predicted_type == predicted
            };
            pages.iter().filter(is_such).count().to_string()
        };
        std::iter::once(truth.to_owned()).chain(types.iter().map(|predicted| count(predicted))).collect()
    });
    let rows = rows.collect();
    let head = std::iter::once("truth").chain(types.iter().copied()).map(str::to_owned).collect();
    Table { title: "Predicted page types".into(), head, rows }
}
