//! `tamis corpus import` and `tamis corpus reextract`.

use anyhow::Result;
use clap::Args;
use tamis_batch::{Inputs, counted};
use tamis_corpus::{Engine, EngineSettings, ImportSettings, ReextractFilter, import, reextract};
use tamis_methods::Selection;

use super::{Db, now, remedy};
use crate::ExitCode;
use crate::console::{self, error, note};
use crate::flags::ModelFlag;
use crate::inert::inert;
use crate::site::rules::RulesFlag;

/// Import pages of crawls or rows of `tamis batch`. Importing twice changes nothing.
#[derive(Args)]
pub(super) struct Import {
    /// Files, directories or quoted patterns: pages (.html), JSON lines, archives (.warc), also compressed.
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<String>,

    #[command(flatten)]
    db: Db,

    /// Also store pages that are not stories, such as listings.
    #[arg(long)]
    all: bool,

    /// Do not keep the pages. They are needed by `tamis corpus reextract`.
    #[arg(long)]
    no_raw: bool,
}

impl Import {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let inputs = Inputs::new(&self.inputs)?;
        let mut corpus = self.db.open_or_create()?;
        let settings = ImportSettings { all: self.all, keep_raw: !self.no_raw, ..ImportSettings::new(now()) };
        let bar = console::bar(inputs.bytes().unwrap_or(0), "{wide_bar} {percent:>3} %  {msg}");
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
            error!("{}", inert(failure));
        }
        note!(
            "{}: {}, {} revised, {} unchanged, {} copies, {} not stories, {} failed",
            counted(summary.pages, "page"),
            counted(summary.new, "new story"),
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

/// Extract stored pages again, with this version of tamis, a custom model or rules for sites.
///
/// Stories that are up to date are skipped, so an interrupted run can be repeated. No revisions are made, because the
/// pages did not change.
#[derive(Args)]
pub(super) struct Reextract {
    #[command(flatten)]
    db: Db,

    /// Only stories of this host.
    #[arg(long, value_name = "HOST")]
    host: Option<String>,

    #[command(flatten)]
    model: ModelFlag,

    #[command(flatten)]
    rules: RulesFlag,

    /// Include stories that are up to date.
    #[arg(long)]
    all: bool,
}

impl Reextract {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let model = self.model.read(&[Selection::Fused])?;
        let model = model.as_ref().and_then(|model| model.forests()).cloned();
        let mut corpus = self.db.open()?;
        let engine =
            Engine::new(EngineSettings { model, rules: self.rules.read()?, ..EngineSettings::default() });
        let filter = ReextractFilter { host: self.host.clone(), from_id: 0, all: self.all };
        let bar = console::bar(0, "{spinner} {msg}");
        let summary = reextract(&mut corpus, &engine, &filter, &mut |summary| {
            bar.set_message(format!("{} stories, {} changed", summary.stories, summary.changed));
        });
        bar.finish_and_clear();
        let summary = summary.map_err(remedy)?;
        note!(
            "{} stories: {} changed, {} unchanged, {} up to date, {} without their page, {} failed",
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
