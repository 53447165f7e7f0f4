//! `tamis corpus import` and `tamis corpus reextract`.

use std::io::{IsTerminal, stderr};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use tamis_batch::Inputs;
use tamis_corpus::{Engine, EngineSettings, ImportSettings, ReextractFilter, import, reextract};
use tamis_methods::Selection;

use super::{Db, now, remedy};
use crate::inert::inert;
use crate::model;

/// Store pages of crawls and rows of `tamis batch`. Importing the same input again changes nothing.
#[derive(Args)]
pub(super) struct Import {
    /// What to read: files, directories, or patterns in quotes; pages (.html), JSON lines, archives (.warc), each also packed.
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<String>,

    #[command(flatten)]
    db: Db,

    /// Also store pages that are no stories, such as listings.
    #[arg(long)]
    all: bool,

    /// Do not keep the pages, which `reextract` needs.
    #[arg(long)]
    no_raw: bool,
}

impl Import {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let inputs = Inputs::new(&self.inputs)?;
        let mut corpus = self.db.open_or_create()?;
        let settings = ImportSettings { all: self.all, keep_raw: !self.no_raw, ..ImportSettings::new(now()) };
        let bar = bar(inputs.bytes(), "{wide_bar} {percent:>3} %  {msg}");
        let summary = import(
            &mut corpus,
            &Engine::new(EngineSettings::default()),
            &inputs,
            &settings,
            &mut |progress| {
                bar.set_position(progress.bytes_read);
                bar.set_message(format!(
                    "{} pages, {} new stories",
                    progress.summary.pages, progress.summary.new
                ));
            },
        );
        bar.finish_and_clear();
        let summary = summary.map_err(remedy)?;
        for failure in &summary.failures {
            eprintln!("tamis: {}", inert(failure));
        }
        eprintln!(
            "tamis: {} pages: {} new stories, {} revised, {} unchanged, {} copies, {} not stories, {} failed",
            summary.pages,
            summary.new,
            summary.revised,
            summary.unchanged,
            summary.copies,
            summary.not_stories,
            summary.failed
        );
        let stories = summary.new + summary.revised + summary.unchanged + summary.copies;
        Ok(if stories > 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}

/// Extract stored pages again with this version of tamis, or with a model of your own.
///
/// Stories that are up to date are skipped, so an interrupted run goes on where it stopped. The page did not change, so
/// no revision is made.
#[derive(Args)]
pub(super) struct Reextract {
    #[command(flatten)]
    db: Db,

    /// Only stories of this host.
    #[arg(long, value_name = "HOST")]
    host: Option<String>,

    /// A model made by `tamis train`.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    /// Also stories that are up to date.
    #[arg(long)]
    all: bool,
}

impl Reextract {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let model = self.model.as_deref().map(|file| model::read(file, &[Selection::Fused])).transpose()?;
        let model = model.as_ref().and_then(|model| model.forests()).cloned();
        let mut corpus = self.db.open()?;
        let engine = Engine::new(EngineSettings { model, ..EngineSettings::default() });
        let filter = ReextractFilter { host: self.host.clone(), from_id: 0, all: self.all };
        let bar = bar(None, "{spinner} {msg}");
        let summary = reextract(&mut corpus, &engine, &filter, &mut |summary| {
            bar.set_message(format!("{} stories, {} changed", summary.stories, summary.changed));
        });
        bar.finish_and_clear();
        let summary = summary.map_err(remedy)?;
        eprintln!(
            "tamis: {} stories: {} changed, {} unchanged, {} up to date, {} without their page, {} failed",
            summary.stories,
            summary.changed,
            summary.unchanged,
            summary.current,
            summary.without_page,
            summary.failed
        );
        Ok(if summary.stories > 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}

/// A bar on a terminal, nothing elsewhere.
fn bar(length: Option<u64>, template: &str) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length.unwrap_or(0));
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
