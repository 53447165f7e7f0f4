//! Figures of every page of the sets, by the models of the quality gate: `gate_figures SETS` prints a table.

#![allow(clippy::print_stdout, missing_docs)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use tamis::classify::Model;
use tamis_lab::gate::measure;
use tamis_lab::{Set, Table};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sets = std::env::args().nth(1).ok_or("usage: gate_figures SETS")?;
    let sets = Set::open_all(Path::new(&sets))?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("gate");
    let models = ["0.model", "1.model"].map(|name| fs::read(folder.join(name)));
    let models: Vec<Model> = models
        .into_iter()
        .map(|bytes| Ok(Model::from_bytes(&bytes?)?))
        .collect::<Result<_, Box<dyn std::error::Error>>>()?;
    let figures = measure(&sets, &models, 2, true);
    let names: BTreeSet<&str> = figures.keys().map(|(_, name)| *name).collect();
    let rows = sets.iter().map(|set| {
        let percent = |name: &&str| {
            let figure = figures.iter().find(|((of, figure), _)| *of == set.name && figure == name);
            figure.map(|(_, value)| format!("{:.1}", 100.0 * value)).unwrap_or_default()
        };
        std::iter::once(set.name.clone()).chain(names.iter().map(percent)).collect()
    });
    let rows = rows.collect();
    let head = std::iter::once("set").chain(names.iter().copied()).map(str::to_owned).collect();
    println!("{}", Table { title: "Figures on held-out sites, two folds".into(), head, rows }.to_text());
    Ok(())
}
