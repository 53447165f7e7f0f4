//! The quality gate: no figure of a set may fall below its floor.
//!
//! The floors are in `gate/floors.tsv`, the models without each of two folds of sites in `gate/`. To write them anew:
//! `cargo run --release -p tamis-lab --example train_gate SETS`, then `TAMIS_UPDATE=1 cargo test -p tamis-lab --test gate`.
//! Lower a floor only with a reason in the commit.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use tamis::classify::Model;
use tamis_lab::Set;
use tamis_lab::gate::{Figures, measure};

/// Floors are rounded down to this.
const STEP: f64 = 0.001;

fn main() -> ExitCode {
    tamis_testdata::run_tests(&[("figures_stay_above_their_floors", figures_stay_above_their_floors)])
}

fn figures_stay_above_their_floors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("gate");
    let names = tamis_testdata::sets();
    let sets: Vec<Set> =
        names.iter().filter_map(|name| Set::open(&tamis_testdata::set(name)?).ok()).collect();
    let models: Vec<Model> = (0..2)
        .map(|fold| Model::from_bytes(&fs::read(folder.join(format!("{fold}.model"))).unwrap()).unwrap())
        .collect();
    let figures = measure(&sets, &models, 2, false);
    let floors = folder.join("floors.tsv");
    if std::env::var_os("TAMIS_UPDATE").is_some() {
        fs::write(&floors, written(&figures)).unwrap();
    }
    let mut below = Vec::new();
    let text = fs::read_to_string(&floors).unwrap();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let floor: f64 = fields[2].parse().unwrap();
        let found = figures.iter().find(|((set, name), _)| set == fields[0] && *name == fields[1]);
        let value = found.map(|(_, value)| *value).unwrap_or(0.0);
        if value + 1e-9 < floor {
            below.push(format!("{}: {} is {value:.3}, floor {floor}", fields[0], fields[1]));
        }
    }
    assert!(below.is_empty(), "below the floor:\n{}", below.join("\n"));
    assert!(text.lines().count() > 100, "floors for all sets");
}

fn written(figures: &Figures) -> String {
    let mut text = "set\tfigure\tfloor\n".to_owned();
    for ((set, name), value) in figures {
        text += &format!("{set}\t{name}\t{:.3}\n", (value / STEP).floor() * STEP);
    }
    text
}
