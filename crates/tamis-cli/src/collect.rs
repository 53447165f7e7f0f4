//! `tamis collect`: stories from sites into a corpus.

mod config;
mod live;
mod show;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand, ValueEnum};
use tamis_batch::counted;
use tamis_collect::{Error, Stop, seeds, time_of};
use tamis_corpus::database::Target;
use tamis_corpus::{Corpus, Engine, EngineSettings};

use crate::ExitCode;
use crate::console::{self, error, note, warning};
use crate::corpus::Db;
use crate::corpus::remedy;
use crate::inert::inert;
use crate::input::read_text;
use crate::output::to_stdout;
use crate::site::rules;
use config::Options;
use live::Live;

/// Collect stories from web sites into a corpus.
///
/// Sites, feeds and sitemaps are added once; every run fetches what is due, politely: robots.txt, Crawl-delay and
/// Retry-After are obeyed. An interrupted run continues where it stopped.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Collect {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  tamis collect add https://example.com/ https://example.org/feed.xml
  tamis collect run --contact mailto:ops@example.org
  tamis collect run --watch
  tamis collect status
  tamis collect why https://example.com/news/1
  tamis corpus search 'harbour bridge'

Exit codes: 0 done, 1 nothing to do, 2 an error.";

#[derive(Subcommand)]
enum Command {
    Add(Add),
    Run(Box<Run>),
    Status(Status),
    Why(Box<Why>),
}

/// Add sites, feeds or sitemaps.
#[derive(Args)]
struct Add {
    /// Front pages, section pages, feeds or sitemaps.
    #[arg(value_name = "URL", required_unless_present = "file")]
    urls: Vec<String>,

    /// Read URLs from a file, one per line; - is standard input. Empty lines and lines that begin with # are skipped.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    db: Db,
}

/// Fetch what is due, until nothing is.
///
/// Visits every page at most once; --watch keeps going and revisits pages as often as they change. Ctrl-C finishes what
/// is in flight. Any number of runs may share a PostgreSQL corpus; a SQLite file has one at a time.
#[derive(Args)]
struct Run {
    #[command(flatten)]
    db: Db,

    /// Read settings from a TOML file; its keys are the names of the flags.
    #[arg(long, value_name = "FILE", env = "TAMIS_COLLECT_CONFIG")]
    config: Option<PathBuf>,

    #[command(flatten)]
    options: Options,
}

/// Show per host: pages, stories, errors, what is queued, when the next visit is due, and traps.
#[derive(Args)]
struct Status {
    #[command(flatten)]
    db: Db,

    /// Output format.
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// Show the history of a URL: how it was found, when it was fetched, what refused it, when it is due.
#[derive(Args)]
struct Why {
    /// The URL.
    url: String,

    #[command(flatten)]
    db: Db,

    /// The configuration file of the runs: its patterns may be the reason.
    #[arg(long, value_name = "FILE", env = "TAMIS_COLLECT_CONFIG")]
    config: Option<PathBuf>,

    /// Output format.
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Table for the terminal.
    Table,
    /// One JSON object per line.
    #[value(alias = "json")]
    Jsonl,
}

impl Collect {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match &self.command {
            Command::Add(add) => add.run(),
            Command::Run(run) => run.run(),
            Command::Status(status) => status.run(),
            Command::Why(why) => why.run(),
        }
    }
}

impl Add {
    fn run(&self) -> Result<ExitCode> {
        let mut urls = self.urls.clone();
        if let Some(file) = &self.file {
            urls.extend(listed(file)?);
        }
        if urls.is_empty() {
            bail!("no URLs to add: name some, or list them in a file for --file");
        }
        let target = self.db.target()?;
        let mut corpus = Corpus::open_or_create(&target).map_err(remedy)?;
        let now = time_of(&mut corpus).map_err(|error| explain(error, &target))?;
        let added = seeds::add(&mut corpus, &urls, now).map_err(|error| explain(error, &target))?;
        for seed in &added {
            if seed.had_credentials {
                warning!("{}: user name and password are not stored", inert(&seed.url));
            }
        }
        let new = added.iter().filter(|seed| seed.new).count();
        note!(
            "{new} added to {target}, {} known already and due again; next: tamis collect run",
            added.len() - new
        );
        Ok(ExitCode::SUCCESS)
    }
}

fn listed(file: &Path) -> Result<Vec<String>> {
    let text = read_text(file)
        .with_context(|| format!("cannot read the list {}: check the path", file.display()))?;
    let lines = text.trim_start_matches('\u{FEFF}').lines().map(str::trim);
    Ok(lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect())
}

impl Run {
    fn run(&self) -> Result<ExitCode> {
        let options = config::options(&self.options, self.config.as_deref())?;
        let rules = options.rules.as_deref().map(|file| rules::read(file).map(Arc::new)).transpose()?;
        let settings = config::settings(options)?;
        let target = self.db.target()?;
        if settings.contact.is_none() {
            warning!(
                "no contact in the user agent; pass --contact EMAIL|URL, so that site owners can reach you"
            );
        }
        let engine = Engine::new(EngineSettings {
            max_bytes: u32::try_from(settings.max_bytes).unwrap_or(u32::MAX),
            rules,
            ..EngineSettings::default()
        });
        let stop = Stop::default();
        let live = Live::start(console::quiet(), &stop)?;
        let done = tamis_collect::run(&target, engine, settings, &stop, live.observer());
        live.finish();
        let summary = done.map_err(|error| explain(error, &target))?;
        // The result of the run, quiet or not.
        error!(
            "{} fetched, {} stored, {} changed, {} failed",
            counted(summary.pages, "page"),
            counted(summary.stories, "story"),
            summary.revised,
            counted(summary.failed, "visit")
        );
        Ok(if summary.pages == 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}

impl Status {
    fn run(&self) -> Result<ExitCode> {
        let target = self.db.target()?;
        let mut corpus = Corpus::open(&target).map_err(remedy)?;
        let now = time_of(&mut corpus).map_err(|error| explain(error, &target))?;
        let hosts =
            tamis_collect::status::hosts(&mut corpus, now).map_err(|error| explain(error, &target))?;
        to_stdout(|out| match self.format {
            Format::Table => show::status_table(out, &hosts, now),
            Format::Jsonl => show::status_lines(out, &hosts),
        })?;
        Ok(if hosts.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}

impl Why {
    fn run(&self) -> Result<ExitCode> {
        let settings = config::settings(config::options(&Options::default(), self.config.as_deref())?)?;
        let target = self.db.target()?;
        let mut corpus = Corpus::open(&target).map_err(remedy)?;
        let now = time_of(&mut corpus).map_err(|error| explain(error, &target))?;
        let history = tamis_collect::why::history(&mut corpus, &self.url, &settings, now)
            .map_err(|error| explain(error, &target))?;
        to_stdout(|out| match self.format {
            Format::Table => show::history(out, &history, now),
            Format::Jsonl => show::history_line(out, &history),
        })?;
        Ok(if history.kind.is_none() { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}

/// The error with its remedy.
fn explain(error: Error, target: &Target) -> anyhow::Error {
    match error {
        Error::Corpus(error) => remedy(error),
        Error::Running(_) => {
            anyhow::anyhow!(
                "{error}; wait for it, or use a PostgreSQL corpus (--db postgres://…) to share the work"
            )
        }
        Error::NoSeeds => {
            anyhow::anyhow!("{target} has no sites to collect: add some with tamis collect add URL")
        }
        Error::Clock(_) => anyhow::anyhow!("{error}: set the clock and try again"),
        Error::Seed(_) => anyhow::anyhow!("{error}: check the URL"),
        error => error.into(),
    }
}
