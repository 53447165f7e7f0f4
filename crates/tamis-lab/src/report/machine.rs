//! The report of a machine's training: cross-validation by part, the parameters that were tried, and block tags by set.

use std::fmt::Write;
use std::path::Path;

use crate::learn::{Recipe, SvmTrained};

use super::folder::{self, Folder};
use super::training::{END, head, json, made, table};
use super::{ReportError, Written, shell};

/// Can the report of a machine be written to a folder? Makes it if it is not there.
///
/// ```
/// let place = std::env::temp_dir().join(format!("tamis-machine-check-{}", std::process::id()));
/// assert!(tamis_lab::report::machine::check(&place).is_ok() && place.is_dir());
/// # std::fs::remove_dir_all(place)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn check(folder: &Path) -> Result<(), ReportError> {
    Folder::check(folder, folder::MACHINE)
}

/// Writes the report: `index.html`, and beside it `figures.json` and `recipe.json`. `notes` are lines under the heading. A report
/// that is there already is replaced; any other folder that is not empty is refused.
///
/// ```
/// use tamis_lab::learn::{Recipe, SvmSettings, SvmTrained};
/// use tamis_lab::report::machine;
///
/// let folder = std::env::temp_dir().join(format!("tamis-machine-of-nothing-{}", std::process::id()));
/// let trained = SvmTrained::default();
/// let recipe = Recipe::of_svm(&[], &trained, &SvmSettings::default());
/// assert!(machine::write(&trained, &recipe, &folder, &[])?.index.is_file());
/// # std::fs::remove_dir_all(folder).unwrap();
/// # Ok::<(), tamis_lab::report::ReportError>(())
/// ```
pub fn write(
    trained: &SvmTrained,
    recipe: &Recipe,
    folder: &Path,
    notes: &[String],
) -> Result<Written, ReportError> {
    let target = Folder::prepare(folder, folder::MACHINE)?;
    target.make("")?;
    target.write("figures.json", &json(trained, folder)?)?;
    target.write("recipe.json", &recipe.to_json())?;
    target.write("index.html", &page(trained, recipe, notes))?;
    let (files, bytes) = target.finish()?;
    Ok(Written { index: folder.join("index.html"), files, bytes })
}

fn page(trained: &SvmTrained, recipe: &Recipe, notes: &[String]) -> String {
    let figure = |value: f64| shell::figure(Some(value));
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let mut out = head("Training of the machine", notes);
    let _ = writeln!(
        out,
        "<p>{} samples of {} sites, half of them main text; {} support vectors. Parts are made of whole sites, and what is told \
         of a part was learned from the others. Shares are between 0 and 1.</p>\n\
         <h2>Cross-validation</h2>\n<p>C {}, gamma {}: {} of the samples right.</p>",
        trained.samples,
        trained.sites,
        trained.vectors,
        trained.c,
        trained.gamma,
        figure(trained.accuracy)
    );
    let row = |(number, part): (usize, &crate::learn::Part)| {
        vec![(number + 1).to_string(), part.samples.to_string(), figure(part.share())]
    };
    let head = names(&["part", "samples", "right"]);
    table("Cross-validation", &head, trained.parts.iter().enumerate().map(row), &mut out);
    out.push_str("<h2>Parameters that were tried</h2>\n");
    let row = |it: &crate::learn::Tried| vec![it.c.to_string(), it.gamma.to_string(), figure(it.accuracy)];
    table("Parameters", &names(&["C", "gamma", "right"]), trained.tried.iter().map(row), &mut out);
    out.push_str("<h2>All block tags, on sites that were held out</h2>\n");
    let row = |it: &crate::learn::TagFigures| {
        let shares = [it.precision, it.recall, it.precision_by_characters, it.recall_by_characters];
        [it.set.clone(), it.tags.to_string()].into_iter().chain(shares.map(figure)).collect()
    };
    let head = names(&[
        "set",
        "block tags",
        "precision",
        "recall",
        "precision by characters",
        "recall by characters",
    ]);
    table("Block tags", &head, trained.sets.iter().map(row), &mut out);
    made(recipe, &mut out);
    out.push_str(END);
    out
}
