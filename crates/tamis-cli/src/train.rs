//! `tamis train`: custom models.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use tamis::classify::Model;
use tamis_lab::report::training;
use tamis_lab::run::{self, Models};
use tamis_lab::train::{self, PageResult, Recipe, Settings, SvmSettings, TrainError, figures, fold_of};
use tamis_lab::{Output, Problem, Set, Table, Trial, date, label, problem, whole_file};
use tamis_methods::Selection;

use crate::ExitCode;
use crate::console::{note, warning};
use crate::eval::save_outputs;
use crate::flags::ThreadFlag;
use crate::output::{check_target, create_directory, write_to, write_whole};

/// Train a model from pages with known text.
///
/// A dataset is a folder with truth.jsonl and pages/, as `tamis eval` reads it and `tamis label` writes it. The printed
/// scores come from cross-validation with folds by site; the model itself is then trained on all pages. The same
/// datasets and seed give the same model, for any number of threads and order of datasets.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Train {
    /// Datasets, or folders of datasets.
    #[arg(value_name = "SET", required_unless_present = "data", help_heading = "Input")]
    sets: Vec<PathBuf>,

    /// The same as SET.
    #[arg(long, value_name = "SET", num_args = 1.., hide = true, help_heading = "Input")]
    data: Vec<PathBuf>,

    /// Sample weight of a dataset, by the name of its folder [default: 1]. Repeatable.
    #[arg(long, value_name = "SET=NUMBER", value_parser = weight, help_heading = "Input")]
    weight: Vec<(String, f32)>,

    /// Model file. MODEL.recipe.json beside it records how it was made and scored.
    #[arg(short, long, value_name = "MODEL", alias = "out", help_heading = "Output")]
    output: PathBuf,

    /// Write an HTML report: scores by dataset and page type, calibration, features. Open DIR/index.html.
    ///
    /// An existing report is replaced; any other folder must be empty.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    report: Option<PathBuf>,

    /// Write out-of-fold predictions as DIR/SET/fused.jsonl, for `tamis eval --predictions`.
    ///
    /// Each page is predicted by a model that has not seen its site.
    #[arg(long, value_name = "DIR", alias = "held-out", help_heading = "Output")]
    save_predictions: Option<PathBuf>,

    /// What to train: fused (the default method), or the SVM of the methods svm and template-svm.
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Trainable::Fused, help_heading = "Training")]
    method: Trainable,

    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Training")]
    seed: u64,

    /// Cross-validation folds, grouped by site [default: 5; svm: 10].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=20), help_heading = "Training")]
    folds: Option<u8>,

    /// Trees of the first pass; the second pass scales with it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000), help_heading = "Training")]
    trees: Option<u16>,

    #[command(flatten)]
    threads: ThreadFlag,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Trainable {
    Fused,
    Svm,
}

const EXAMPLES: &str = "Examples:
  tamis train sets -o mine.model                   all datasets in a folder
  tamis extract page.html --model mine.model       or tamis eval, batch, explain
  tamis train sets -o mine.model --report report
  tamis train sets -o mine.svm --method svm

Exit codes: 0 done, 2 an error. Problems with single pages or lines are reported and skipped.";

/// Problems of one file that are shown.
const MAX_PROBLEMS: usize = 10;

impl Train {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        if self.method == Trainable::Svm {
            self.check_svm()?;
        }
        check_target("-o", &self.output)?;
        if let Some(folder) = &self.save_predictions {
            create_directory(folder)?;
        }
        if let Some(folder) = &self.report {
            training::check(folder)?;
        }
        let sets = self.open()?;
        let tables = match self.method {
            Trainable::Fused => self.fused(&sets)?,
            Trainable::Svm => vec![self.svm(&sets)?],
        };
        let text: Vec<String> = tables.iter().map(Table::to_text).collect();
        write_to(None, &text.join("\n"))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Refuses flags that do not apply to the SVM.
    fn check_svm(&self) -> Result<()> {
        let refused = [
            ("--save-predictions", self.save_predictions.is_some(), "see tamis eval --model"),
            ("--report", self.report.is_some(), "its scores are in the printed table"),
            ("--weight", !self.weight.is_empty(), "every site gives the same number of samples"),
            ("--trees", self.trees.is_some(), "it has none"),
        ];
        match refused.iter().find(|(_, given, _)| *given) {
            Some((flag, _, why)) => bail!("{flag} does not apply to --method svm: {why}; leave it out"),
            None => Ok(()),
        }
    }

    /// Writes the model, and its recipe beside it unless the model goes into a pipe or device.
    fn write(&self, model: &[u8], recipe: &Recipe) -> Result<()> {
        let output = &self.output;
        let is_plain = whole_file::is_plain(output);
        write_whole(output, model)?;
        if is_plain {
            let mut file = output.as_os_str().to_owned();
            file.push(".recipe.json");
            write_whole(file.as_ref(), recipe.to_json().as_bytes())?;
        }
        Ok(())
    }

    fn open(&self) -> Result<Vec<Set>> {
        let mut sets = Vec::new();
        for folder in self.sets.iter().chain(&self.data) {
            sets.extend(
                Set::open_all(folder).with_context(|| {
                    format!("{}: not a dataset (see tamis eval --help)", folder.display())
                })?,
            );
        }
        let mut folders = HashSet::new();
        sets.retain(|set| {
            let is_new = folders.insert(set.folder.canonicalize().unwrap_or_else(|_| set.folder.clone()));
            if !is_new {
                warning!("{} is named twice; it counts once", set.folder.display());
            }
            is_new
        });
        // Sorted, so that model, tables and recipe do not depend on the order of arguments.
        sets.sort_by(|one, other| one.name.cmp(&other.name));
        if let Some([one, other]) = sets.windows(2).find(|two| two[0].name == two[1].name) {
            bail!(
                "there are two datasets named {}: {} and {}; rename one of the folders",
                one.name,
                one.folder.display(),
                other.folder.display()
            );
        }
        for (name, weight) in &self.weight {
            let Some(set) = sets.iter_mut().find(|set| set.name == *name) else {
                let names: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
                bail!("--weight {name}={weight}: there is no dataset {name}; there are {}", names.join(", "));
            };
            set.weight = *weight;
        }
        if sets.iter().all(|set| set.weight <= 0.0) {
            bail!("all datasets have weight 0: give one a --weight over 0, or leave out --weight");
        }
        let faults = |set: &Set| [set.problems_in_learning(), label::changed(set)].concat();
        let problems: Vec<Problem> = sets.iter().flat_map(faults).collect();
        problem::listed(problems.iter(), MAX_PROBLEMS).iter().for_each(|line| warning!("{line}"));
        for set in &sets {
            let (pages, without) = set.without_site();
            // Up to a tenth changes little.
            if without > 1 && 10 * without > pages {
                warning!(
                    "{}: {without} of {pages} pages have no site, so each counts as a site of its own and scores may be too high; set site in truth.jsonl (tamis label --site)",
                    set.name
                );
            }
        }
        if let Some(set) = sets.iter().find(|set| !set.has_pages) {
            bail!("{} has no folder pages: there is nothing to train on", set.folder.display());
        }
        Ok(sets)
    }

    fn fused(&self, sets: &[Set]) -> Result<Vec<Table>> {
        let mut settings = Settings {
            folds: usize::from(self.folds.unwrap_or(5)),
            threads: self.threads.threads,
            seed: self.seed,
            ..Settings::default()
        };
        if let Some(trees) = self.trees.map(usize::from) {
            let by_default = settings.first.trees.max(1);
            settings.second.trees = (trees * settings.second.trees).div_ceil(by_default);
            settings.first.trees = trees;
        }
        let (model, report) = train::train(sets, &settings, &mut progress).map_err(with_remedy)?;
        let bytes = model.to_bytes();
        let recipe = Recipe::new(sets, &settings, &report, &bytes);
        self.write(&bytes, &recipe)?;
        if let Some(folder) = &self.save_predictions {
            let models: Vec<Arc<Model>> = report.fold_models.iter().cloned().map(Arc::new).collect();
            for set in sets {
                let outputs = held_out(set, &models, self.threads.threads);
                save_outputs(&folder.join(&set.name), "fused", outputs.iter())?;
            }
        }
        if let Some(folder) = &self.report {
            let written = training::write(&report, &recipe, folder, &[today()])?;
            note!("report: {}", written.index.display());
        }
        let mut tables = vec![
            table("set", &report.pages, |page| Some(&page.set)),
            table("page type", &report.pages, |page| page.page_type.as_deref()),
        ];
        tables.retain(|table| !table.rows.is_empty());
        Ok(tables)
    }

    fn svm(&self, sets: &[Set]) -> Result<Table> {
        let folds = self.folds.map_or(SvmSettings::default().folds, usize::from);
        let seed = self.seed;
        let settings = SvmSettings { folds, seed, threads: self.threads.threads, ..SvmSettings::default() };
        let trained = train::train_svm(sets, &settings, &mut progress).map_err(with_remedy)?;
        let model = trained.model.as_bytes();
        self.write(model, &Recipe::of_file("svm", sets, seed, folds, model))?;
        Ok(trained.table())
    }
}

/// The predictions of each page by the model that has not seen its site.
fn held_out(set: &Set, models: &[Arc<Model>], threads: usize) -> Vec<Output> {
    let mut outputs = vec![Output::default(); set.truths.len()];
    for (fold, model) in models.iter().enumerate() {
        let is_unseen = |place: &usize| fold_of(&set.truths[*place], models.len()) == fold;
        let places: Vec<usize> = (0..set.truths.len()).filter(is_unseen).collect();
        let mut part = set.clone();
        part.truths = places.iter().map(|place| set.truths[*place].clone()).collect();
        let fused = Some(Arc::clone(model));
        let models = Models { fused, ..Models::default() };
        let made = run::run(&part, &[Trial::alone(Selection::Fused)], &models, threads, &|_| {});
        for (place, output) in places.into_iter().zip(made.into_iter().flatten()) {
            outputs[place] = output;
        }
    }
    outputs
}

/// Cross-validation scores of groups of pages.
fn table(group: &str, pages: &[PageResult], of: impl Fn(&PageResult) -> Option<&str>) -> Table {
    let row = |figure: &train::Figure| {
        vec![figure.name.clone(), figure.pages.to_string(), format!("{:.1}", 100.0 * figure.f)]
    };
    Table {
        title: "Token F1 on held-out sites, %".to_owned(),
        head: [group, "pages", "F1"].map(str::to_owned).to_vec(),
        rows: figures(pages, of).iter().map(row).collect(),
    }
}

/// The day of a report. A model and its recipe have none: they depend on the datasets only.
fn today() -> String {
    format!("{}, tamis {}", date::today(), env!("CARGO_PKG_VERSION"))
}

/// The name of a dataset and its weight.
fn weight(argument: &str) -> Result<(String, f32)> {
    let parts = argument.rsplit_once('=');
    let weight = parts.and_then(|(name, weight)| Some((name.to_owned(), weight.parse::<f32>().ok()?)));
    match weight.filter(|(_, weight)| (0.0..=100.0).contains(weight)) {
        Some(weight) => Ok(weight),
        None => {
            bail!("{argument}: give the name of a dataset and a number from 0 to 100, such as recipes=0.3")
        }
    }
}

/// The error with its remedy.
fn with_remedy(error: TrainError) -> anyhow::Error {
    let remedy = match &error {
        TrainError::NoPages | TrainError::FewSites(_) => {
            "give more datasets, pages of more sites (tamis label), or fewer --folds"
        }
        TrainError::OneClass(_) | TrainError::Svm(_) => "give other or more datasets",
        TrainError::Cancelled => "start it again",
    };
    anyhow::Error::new(error).context(remedy)
}

/// One line per stage, since training may take an hour.
fn progress(line: &str) {
    note!("{line}");
}
