//! `tamis train`: a model of one's own for the fused extractor.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use tamis_lab::learn::{self, HeldOut, Settings, Stage, Trained};
use tamis_lab::{Set, Table};

use crate::extract::default_jobs;
use crate::output::{to_stdout, write_whole};

/// Train a model for the method `fused` from pages with a known text.
///
/// A set is a folder with truth.jsonl and pages/, as for `tamis eval`. The pages are cut by site into parts; what is
/// printed was measured on parts that were not learned from. The model itself is then trained on all pages. The same sets
/// and seed give the same model, whatever the number of threads.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Train {
    /// The sets: folders with truth.jsonl and pages/, or folders of such folders.
    #[arg(long, value_name = "SET", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// Where to write the model.
    #[arg(short, long, value_name = "MODEL")]
    out: PathBuf,

    /// Where chance begins: rows and features are drawn for each tree.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Into how many parts the sites are cut.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(2..=20))]
    folds: u8,

    /// How many trees each pass has.
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(u16).range(1..=1000))]
    trees: u16,

    /// How many threads.
    #[arg(short, long, value_name = "N", default_value_t = default_jobs())]
    jobs: usize,
}

const EXAMPLES: &str = "Examples:
  tamis train --data sets -o mine.txt                    learn from all sets in a folder
  tamis extract page.html --method fused --model mine.txt

Exit codes: 0 done, 2 an error.";

impl Train {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let mut sets = Vec::new();
        for folder in &self.data {
            sets.extend(Set::open_all(folder).with_context(|| {
                format!("{} cannot be used as a set; see tamis eval --help for its form", folder.display())
            })?);
        }
        let mut settings =
            Settings { folds: usize::from(self.folds), threads: self.jobs, ..Settings::default() };
        settings.first.seed = self.seed;
        settings.second.seed = self.seed.wrapping_add(1);
        settings.first.trees = usize::from(self.trees);
        settings.second.trees = usize::from(self.trees);
        let bar = ProgressBar::new(2 * u64::from(self.folds) + 5);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}") {
            bar.set_style(style);
        }
        let trained = learn::train(&sets, &settings, &|stage| {
            bar.inc(1);
            bar.set_message(message(stage));
        })
        .context("give more sets, or pages of more sites")?;
        bar.finish_and_clear();
        write_whole(&self.out, trained.model.to_string().as_bytes())?;
        to_stdout(|out| out.write_all(figures(&sets, &trained).to_text().as_bytes()))
            .context("cannot write to standard output")?;
        Ok(ExitCode::SUCCESS)
    }
}

fn message(stage: Stage) -> String {
    match stage {
        Stage::Labels => "labels".to_owned(),
        Stage::Words => "words".to_owned(),
        Stage::Features => "features".to_owned(),
        Stage::First(part) => format!("first pass without part {}", part + 1),
        Stage::Second(part) => format!("second pass without part {}", part + 1),
        Stage::Kinds => "kinds of pages".to_owned(),
        Stage::Final => "all pages".to_owned(),
    }
}

/// How the model did on sites that it had not seen.
fn figures(sets: &[Set], trained: &Trained) -> Table {
    let mut rows = Vec::new();
    let mut sums = [0.0; 5];
    for (number, set) in sets.iter().enumerate() {
        let pages: Vec<_> = trained.pages.iter().filter(|page| page.set == number).collect();
        if pages.is_empty() {
            continue;
        }
        let mean =
            |of: fn(&HeldOut) -> f32| pages.iter().map(|page| of(page)).sum::<f32>() / pages.len() as f32;
        let figures =
            [mean(|it| it.f1), mean(|it| it.first_f1), mean(|it| it.ceiling), mean(|it| it.expected)];
        rows.push(row(&set.name, &pages.len().to_string(), &figures));
        sums.iter_mut().zip(figures.iter().chain([&1.0])).for_each(|(sum, figure)| *sum += figure);
    }
    let [means @ .., count] = sums;
    rows.push(row("mean of sets", "", &means.map(|sum| sum / f32::max(count, 1.0))));
    let head = ["set", "pages", "F1", "first pass alone", "if labels were known", "expected"];
    Table {
        title: "Token F1 on sites that were held out, %".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows,
    }
}

fn row(name: &str, pages: &str, figures: &[f32]) -> Vec<String> {
    let figures = figures.iter().map(|figure| format!("{:.1}", 100.0 * figure));
    [name.to_owned(), pages.to_owned()].into_iter().chain(figures).collect()
}
