//! Trains the models of the quality gate: `train_gate SETS` writes `gate/0.model` and `gate/1.model`, each without one
//! fold of sites.

#![allow(clippy::print_stderr, missing_docs)]

use std::path::Path;

use tamis_lab::Set;
use tamis_lab::train::{Settings, default_weight, train};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sets = std::env::args().nth(1).ok_or("usage: train_gate SETS")?;
    let mut sets = Set::open_all(Path::new(&sets))?;
    sets.iter_mut().for_each(|set| set.weight = default_weight(&set.name));
    let settings = Settings { folds: 2, is_final: false, ..Settings::default() };
    let (_, report) = train(&sets, &settings, &mut |line| eprintln!("{line}"))?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("gate");
    std::fs::create_dir_all(&folder)?;
    for (fold, model) in report.fold_models.iter().enumerate() {
        std::fs::write(folder.join(format!("{fold}.model")), model.to_bytes())?;
    }
    Ok(())
}
