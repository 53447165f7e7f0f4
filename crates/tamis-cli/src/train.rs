//! `tamis train`: a model of one's own.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use tamis_lab::learn::ablation::{PARTS, ablate};
use tamis_lab::learn::{self, Augment, Figures, HoldOut, LearnError, Recipe, Settings, Stage, SvmSettings};
use tamis_lab::report::{machine, training};
use tamis_lab::{Problem, Set, Table, date, label, problem, whole_file};

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

    /// How many trees the first pass has; the second has 6 for each 10 of them.
    #[arg(long, value_name = "N", default_value_t = 96, value_parser = clap::value_parser!(u16).range(1..=1000))]
    trees: u16,

    /// What is never on both sides of a split: site, or engine. Pages of which no engine is known go by their site.
    #[arg(long, value_name = "WHAT", default_value = "site", value_parser = str::parse::<HoldOut>)]
    hold_out: HoldOut,

    /// What is made of the pages and learned from as well: none, pages, engines or all. Default: none, which does best on sites of the kinds that were learned from.
    ///
    /// With pages, about one page in six is learned from once more with class names and ids dropped or renamed, wrappers added,
    /// sections in another order or a stretch in another language. With engines, texts of the sets are set in templates in the
    /// manner of forums, blogs, shops and wikis. What is made is never measured.
    #[arg(long, value_name = "WHAT", value_parser = str::parse::<Augment>)]
    augment: Option<Augment>,

    /// Write a report here: one page with figures by set and kind of page, reliability, features and the recipe
    /// (DIR/index.html), and the same as JSON (DIR/figures.json, DIR/recipe.json). For svm: cross-validation by part, parameters and
    /// block tags by set. A report that is there is replaced; any other folder must be empty.
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,

    /// Write here what the model makes of each page when its site is held out (DIR/SET/fused.jsonl), for `tamis eval --outs`.
    ///
    /// A model is no judge of pages that it was trained on: scored by itself it would look better than it is.
    #[arg(long, value_name = "DIR")]
    held_out: Option<PathBuf>,

    /// Measure as well how the model does with a quarter and a half of the sites, for the --report that it needs. Takes about three times as long.
    #[arg(long, requires = "report")]
    curve: bool,

    /// Measure as well what each published method and other parts of the features are worth: without each, train this many
    /// times with other seeds. Takes about eight times as long for each.
    #[arg(long, value_name = "SEEDS", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=20))]
    ablation: u8,

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
  tamis train --data sets -o mine.txt                    learn from all sets in a folder
  tamis extract page.html --model mine.txt               or tamis eval, tamis batch
  tamis train --data sets -o mine.txt --report report --curve --hold-out engine
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
            match self.method {
                Trainable::Fused => training::check(folder)?,
                Trainable::Svm => machine::check(folder)?,
            }
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

    /// What cannot be had of the machine is refused, and why.
    fn check_svm(&self) -> Result<()> {
        let refused = [
            ("--hold-out engine", self.hold_out != HoldOut::Site, "its parts are made of whole sites"),
            (
                "--held-out",
                self.held_out.is_some(),
                "it judges block tags, and its figures are by tag: see --report, and tamis eval --model",
            ),
            ("--weight", !self.weight.is_empty(), "every site gives as many samples as any other"),
            (
                "--augment",
                self.augment.is_some(),
                "what is made of pages has other blocks, but the same ratios",
            ),
            ("--curve", self.curve, "it is trained on a few hundred samples, however many sites there are"),
            ("--ablation", self.ablation > 0, "its five numbers are those of the paper"),
        ];
        match refused.iter().find(|(_, given, _)| *given) {
            Some((flag, _, why)) => bail!("{flag} is not for --method svm: {why}; leave it out"),
            None => Ok(()),
        }
    }

    /// Writes the model, and how it was made beside it. What is no file of its own, such as a pipe, has no place beside it.
    fn write(&self, model: &str, recipe: &Recipe) -> Result<()> {
        let beside = whole_file::is_plain(&self.out);
        write_whole(&self.out, model.as_bytes())?;
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
            hold_out: self.hold_out,
            augment: self.augment.unwrap_or_default(),
            curve: self.curve,
            ..Settings::default()
        };
        settings.first.seed = self.seed;
        settings.second.seed = self.seed.wrapping_add(1);
        settings.first.trees = usize::from(self.trees);
        settings.second.trees = usize::from(self.trees).saturating_mul(6).div_ceil(10);
        let bar = bar(2 * settings.folds as u64 + 5 + 2 * u64::from(self.curve));
        let trained = learn::train(sets, &settings, &|stage| step(&bar, stage)).map_err(with_remedy)?;
        bar.finish_and_clear();
        let figures = Figures::of(sets, &trained, &settings);
        let recipe = Recipe::of(sets, &trained, &settings, &figures);
        self.write(&trained.model.to_string(), &recipe)?;
        if let Some(folder) = &self.held_out {
            for (number, set) in sets.iter().enumerate() {
                save_outputs(&folder.join(&set.name), "fused", trained.outputs(sets, number).iter())?;
            }
        }
        if let Some(folder) = &self.report {
            let written = training::write(&figures, &recipe, folder, &[today()])?;
            eprintln!("report: {}", written.index.display());
        }
        let mut tables = vec![figures.table()];
        if self.ablation > 0 {
            let seeds = usize::from(self.ablation);
            let bar = self::bar(((PARTS.len() + 1) * seeds + 2) as u64);
            let ablation = ablate(sets, &settings, seeds, &|stage| step(&bar, stage)).map_err(with_remedy)?;
            bar.finish_and_clear();
            tables.push(ablation.table());
        }
        Ok(tables)
    }

    fn svm(&self, sets: &[Set]) -> Result<Table> {
        let folds = self.folds.map_or(SvmSettings::default().folds, usize::from);
        let settings = SvmSettings { folds, seed: self.seed, threads: self.jobs, ..SvmSettings::default() };
        let bar = bar(4);
        let trained = learn::train_svm(sets, &settings, &|stage| step(&bar, stage)).map_err(with_remedy)?;
        bar.finish_and_clear();
        let recipe = Recipe::of_svm(sets, &trained, &settings);
        self.write(&trained.model, &recipe)?;
        if let Some(folder) = &self.report {
            let written = machine::write(&trained, &recipe, folder, &[today()])?;
            eprintln!("report: {}", written.index.display());
        }
        Ok(trained.table())
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
fn with_remedy(error: LearnError) -> anyhow::Error {
    let remedy = match &error {
        LearnError::TooFewSites { .. } => {
            "give more sets, or pages of more sites (tamis label makes them), or fewer --folds"
        }
        LearnError::NoWeight => "give one of the sets a --weight over 0, or leave --weight out",
        LearnError::OneClass(_) | LearnError::Machine(_) => "give other sets, or more of them",
    };
    anyhow::Error::new(error).context(remedy)
}

/// A bar on a terminal; elsewhere it is not seen, and [`step`] writes lines.
fn bar(steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}") {
        bar.set_style(style);
    }
    bar
}

/// Shows what is done now: in the bar, or as a line where there is no terminal, since it may take an hour.
fn step(bar: &ProgressBar, stage: Stage) {
    bar.inc(1);
    let message = match stage {
        Stage::Labels => "labels".to_owned(),
        Stage::Words => "words".to_owned(),
        Stage::Features => "features".to_owned(),
        Stage::First(part) => format!("first pass without part {}", part + 1),
        Stage::Second(part) => format!("second pass without part {}", part + 1),
        Stage::Kinds => "kinds of pages".to_owned(),
        Stage::Parameters => "parameters".to_owned(),
        Stage::Final => "all pages".to_owned(),
        Stage::Without(part, seed, seeds) => format!("without {part}, {} of {seeds}", seed + 1),
        Stage::Curve(share) => format!("with {share} % of the sites"),
    };
    if bar.is_hidden() {
        eprintln!("tamis: step {} of {}: {message}", bar.position(), bar.length().unwrap_or_default());
    }
    bar.set_message(message);
}
