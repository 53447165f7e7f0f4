//! `tamis train`: a model of one's own.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use tamis::classify::Model;
use tamis_lab::report::training;
use tamis_lab::run::{self, Models};
use tamis_lab::train::{self, PageResult, Recipe, Settings, SvmSettings, TrainError, figures, fold_of};
use tamis_lab::{Output, Problem, Set, Table, Trial, date, label, problem, whole_file};
use tamis_methods::Selection;

use crate::eval::{make, save_outputs};
use crate::extract::{at_least_one, default_jobs};
use crate::output::{check_target, to_stdout, write_whole};

/// Train a model from pages with a known text.
///
/// A set is a folder with truth.jsonl and pages/, as `tamis eval` reads it and `tamis label` writes it. The pages are cut by
/// site into parts; what is printed was measured on parts that were not learned from. The model itself is then trained on all
/// pages. The same sets and seed give the same model, whatever the number of threads and the order in which sets are named.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Train {
    /// The sets: folders with truth.jsonl and pages/, or folders of such folders.
    #[arg(long, value_name = "SET", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// How much the pages of a set say beside those of others, which have 1: less, where its truths are poor.
    ///
    /// SET is the name of its folder. Can be given several times.
    #[arg(long, value_name = "SET=NUMBER", value_parser = weight)]
    weight: Vec<(String, f32)>,

    /// Where to write the model. Beside it, in MODEL.recipe.json, stands how it was made and how it did.
    #[arg(short, long, value_name = "MODEL")]
    out: PathBuf,

    /// What to train: fused is the default method of extraction; svm the machine of the methods svm and template-svm.
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Trainable::Fused)]
    method: Trainable,

    /// Where chance begins: rows and features are drawn for each tree, samples for the machine.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Into how many parts the sites are cut. Default: 5, for svm 10.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=20))]
    folds: Option<u8>,

    /// How many trees the first pass has; the second pass changes in proportion.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    trees: Option<u16>,

    /// Write a report here: one page with figures by set and kind of page, reliability and features (DIR/index.html), and the
    /// recipe (DIR/recipe.json). A report that is there is replaced; any other folder must be empty.
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,

    /// Write here what the model makes of each page when its site is held out (DIR/SET/fused.jsonl), for `tamis eval --outs`.
    ///
    /// A model is no judge of pages that it was trained on: scored by itself it would look better than it is.
    #[arg(long, value_name = "DIR")]
    held_out: Option<PathBuf>,

    /// How many threads.
    #[arg(short, long, value_name = "N", default_value_t = default_jobs(), value_parser = at_least_one)]
    jobs: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Trainable {
    Fused,
    Svm,
}

const EXAMPLES: &str = "Examples:
  tamis train --data sets -o mine.model                  learn from all sets in a folder
  tamis extract page.html --model mine.model             or tamis eval, tamis batch
  tamis train --data sets -o mine.model --report report  with a report to look at
  tamis train --data sets -o mine.svm --method svm       the machine of the methods svm and template-svm

Exit codes: 0 done, 2 an error. What is wrong with single pages or lines is told, and the rest is learned from.";

/// Problems of a file that are shown.
const MOST_PROBLEMS: usize = 10;

impl Train {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        if self.method == Trainable::Svm {
            self.check_svm()?;
        }
        check_target("-o", &self.out)?;
        if let Some(folder) = &self.held_out {
            make(folder)?;
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
        to_stdout(|out| out.write_all(text.join("\n").as_bytes()))
            .context("cannot write to standard output")?;
        Ok(ExitCode::SUCCESS)
    }

    /// Refuses flags that the SVM has no use for.
    fn check_svm(&self) -> Result<()> {
        let refused = [
            ("--held-out", self.held_out.is_some(), "it judges block tags; see tamis eval --model"),
            ("--report", self.report.is_some(), "its figures are the table that is printed"),
            ("--weight", !self.weight.is_empty(), "every site gives as many samples as any other"),
            ("--trees", self.trees.is_some(), "it has none"),
        ];
        match refused.iter().find(|(_, given, _)| *given) {
            Some((flag, _, why)) => bail!("{flag} is not for --method svm: {why}; leave it out"),
            None => Ok(()),
        }
    }

    /// Writes the model, and how it was made beside it. What is no file of its own, such as a pipe, has no place beside it.
    fn write(&self, model: &[u8], recipe: &Recipe) -> Result<()> {
        let beside = whole_file::is_plain(&self.out);
        write_whole(&self.out, model)?;
        if beside {
            let mut file = self.out.as_os_str().to_owned();
            file.push(".recipe.json");
            write_whole(file.as_ref(), recipe.to_json().as_bytes())?;
        }
        Ok(())
    }

    fn open(&self) -> Result<Vec<Set>> {
        let mut sets = Vec::new();
        for folder in &self.data {
            sets.extend(Set::open_all(folder).with_context(|| {
                format!("{} cannot be used as a set; see tamis eval --help for its form", folder.display())
            })?);
        }
        let mut folders = HashSet::new();
        sets.retain(|set| {
            let is_new = folders.insert(set.folder.canonicalize().unwrap_or_else(|_| set.folder.clone()));
            if !is_new {
                eprintln!(
                    "tamis: warning: {} is named twice in --data: it counts once",
                    set.folder.display()
                );
            }
            is_new
        });
        // The order of names is that of lessons: tables and recipes are the same too, however the sets are named.
        sets.sort_by(|one, other| one.name.cmp(&other.name));
        if let Some([one, other]) = sets.windows(2).find(|two| two[0].name == two[1].name) {
            bail!(
                "there are two sets named {}: {} and {}; rename one of the folders",
                one.name,
                one.folder.display(),
                other.folder.display()
            );
        }
        for (name, weight) in &self.weight {
            let Some(set) = sets.iter_mut().find(|set| set.name == *name) else {
                let names: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
                bail!("--weight {name}={weight}: no set is called {name}; there are {}", names.join(", "));
            };
            set.weight = *weight;
        }
        if sets.iter().all(|set| set.weight <= 0.0) {
            bail!("no set has a weight: give one of the sets a --weight over 0, or leave --weight out");
        }
        let faults = |set: &Set| [set.problems_in_learning(), label::changed(set)].concat();
        let problems: Vec<Problem> = sets.iter().flat_map(faults).collect();
        problem::listed(problems.iter(), MOST_PROBLEMS)
            .iter()
            .for_each(|line| eprintln!("tamis: warning: {line}"));
        for set in &sets {
            let (pages, without) = set.without_site();
            // One in ten changes little.
            if without > 1 && 10 * without > pages {
                eprintln!(
                    "tamis: warning: {}: of {without} of its {pages} pages no site is told, so each counts as one by itself; where they are of the same sites, the figures look better than they are: give site in truth.jsonl (tamis label --site)",
                    set.name
                );
            }
        }
        if let Some(set) = sets.iter().find(|set| !set.has_pages) {
            bail!("{} has no folder pages: there is nothing to learn from", set.folder.display());
        }
        Ok(sets)
    }

    fn fused(&self, sets: &[Set]) -> Result<Vec<Table>> {
        let mut settings = Settings {
            folds: usize::from(self.folds.unwrap_or(5)),
            threads: self.jobs,
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
        if let Some(folder) = &self.held_out {
            let models: Vec<Arc<Model>> = report.fold_models.iter().cloned().map(Arc::new).collect();
            for set in sets {
                let outputs = held_out(set, &models, self.jobs);
                save_outputs(&folder.join(&set.name), "fused", outputs.iter())?;
            }
        }
        if let Some(folder) = &self.report {
            let written = training::write(&report, &recipe, folder, &[today()])?;
            eprintln!("report: {}", written.index.display());
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
        let settings = SvmSettings { folds, seed: self.seed, threads: self.jobs, ..SvmSettings::default() };
        let trained = train::train_svm(sets, &settings, &mut progress).map_err(with_remedy)?;
        let model = trained.model.as_bytes();
        self.write(model, &Recipe::of_file("svm", sets, self.seed, folds, model))?;
        Ok(trained.table())
    }
}

/// What the models make of the pages whose sites they have not seen.
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

/// Figures of groups of pages on sites that were held out.
fn table(group: &str, pages: &[PageResult], of: impl Fn(&PageResult) -> Option<&str>) -> Table {
    let row = |figure: &train::Figure| {
        vec![figure.name.clone(), figure.pages.to_string(), format!("{:.1}", 100.0 * figure.f)]
    };
    Table {
        title: "Token F1 on sites that were held out, %".to_owned(),
        head: [group, "pages", "F1"].map(str::to_owned).to_vec(),
        rows: figures(pages, of).iter().map(row).collect(),
    }
}

/// The day of a report. A model and its recipe have none: they depend on nothing but what was learned from.
fn today() -> String {
    format!("{}, tamis {}", date::today(), env!("CARGO_PKG_VERSION"))
}

/// A set's name and what its pages say beside others.
fn weight(argument: &str) -> Result<(String, f32)> {
    let parts = argument.rsplit_once('=');
    let weight = parts.and_then(|(name, weight)| Some((name.to_owned(), weight.parse::<f32>().ok()?)));
    match weight.filter(|(_, weight)| (0.0..=100.0).contains(weight)) {
        Some(weight) => Ok(weight),
        None => bail!("{argument}: a set's name and a number from 0 to 100 are needed, such as recipes=0.3"),
    }
}

/// Why nothing was learned, and what to do about it.
fn with_remedy(error: TrainError) -> anyhow::Error {
    let remedy = match &error {
        TrainError::NoPages | TrainError::FewSites(_) => {
            "give more sets, or pages of more sites (tamis label makes them), or fewer --folds"
        }
        TrainError::OneClass(_) | TrainError::Svm(_) => "give other sets, or more of them",
    };
    anyhow::Error::new(error).context(remedy)
}

/// A line per stage: it may take an hour.
fn progress(line: &str) {
    eprintln!("tamis: {line}");
}
