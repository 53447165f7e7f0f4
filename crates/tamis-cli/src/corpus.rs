//! `tamis corpus`: search, read and export the stories of a corpus. Flags and glue; the corpus itself is `tamis-corpus`.

mod export;
mod import;
mod remedy;
mod search;
mod show;
mod stats;

use anyhow::{Result, anyhow};
use clap::{Args, Subcommand};
use jiff::Timestamp;
use tamis_corpus::database::Target;
use tamis_corpus::{Bound, Filter};

use crate::ExitCode;

pub(crate) use remedy::remedy;

/// Search, show, export and import stories.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Corpus {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  tamis corpus search 'harbour bridge' --since 2026-11-01 --language en
  tamis corpus show 17 --diff
  tamis corpus export -f parquet -o stories.parquet
  tamis corpus import crawl.warc.gz --db news.db

Exit codes: 0 done, 1 nothing found, 2 an error.";

#[derive(Subcommand)]
enum Command {
    Search(search::Search),
    Show(show::Show),
    Export(export::Export),
    Stats(stats::Stats),
    Import(import::Import),
    Reextract(import::Reextract),
}

impl Corpus {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match &self.command {
            Command::Search(search) => search.run(),
            Command::Show(show) => show.run(),
            Command::Export(export) => export.run(),
            Command::Stats(stats) => stats.run(),
            Command::Import(import) => import.run(),
            Command::Reextract(reextract) => reextract.run(),
        }
    }
}

/// Where the corpus is.
#[derive(Args)]
pub(crate) struct Db {
    /// Corpus: a file, or postgres://USER@HOST/DATABASE.
    #[arg(
        long,
        value_name = "PATH|URL",
        default_value = "corpus.db",
        env = "TAMIS_DB",
        hide_env_values = true
    )]
    db: String,
}

impl Db {
    pub(crate) fn target(&self) -> Result<Target> {
        self.db.parse().map_err(remedy)
    }

    /// Opens a corpus that exists.
    pub(crate) fn open(&self) -> Result<tamis_corpus::Corpus> {
        tamis_corpus::Corpus::open(&self.target()?).map_err(remedy)
    }

    /// Opens a corpus, or creates a file.
    pub(crate) fn open_or_create(&self) -> Result<tamis_corpus::Corpus> {
        tamis_corpus::Corpus::open_or_create(&self.target()?).map_err(remedy)
    }
}

/// Which stories a command is about.
#[derive(Args)]
#[command(next_help_heading = "Filter")]
struct FilterFlags {
    /// Only stories from this day or time on (published, else fetched): 2026-11-01, or 2026-11-01T08:00Z.
    #[arg(long, value_name = "DATE", value_parser = since)]
    since: Option<i64>,

    /// Only stories until the end of this day, or before this time.
    #[arg(long, value_name = "DATE", value_parser = until)]
    until: Option<i64>,

    /// Only stories in this language; zh includes zh-CN.
    #[arg(long, value_name = "TAG")]
    language: Option<String>,

    /// Only stories of this host and its subdomains.
    #[arg(long, value_name = "HOST")]
    host: Option<String>,

    /// Only stories of this outlet.
    #[arg(long, value_name = "NAME")]
    source: Option<String>,

    /// Only stories of this page type, such as article or forum.
    #[arg(long, value_name = "TYPE")]
    page_type: Option<String>,
}

impl FilterFlags {
    fn filter(&self) -> Filter {
        Filter {
            since: self.since,
            until: self.until,
            language: self.language.clone(),
            host: self.host.clone(),
            source: self.source.clone(),
            page_type: self.page_type.clone(),
        }
    }
}

fn since(argument: &str) -> Result<i64> {
    time(argument, Bound::Since)
}

fn until(argument: &str) -> Result<i64> {
    time(argument, Bound::Until)
}

fn time(argument: &str, bound: Bound) -> Result<i64> {
    let time = bound.parse(argument);
    time.ok_or_else(|| anyhow!("give a day such as 2026-11-01, or a time such as 2026-11-01T08:00Z"))
}

/// Milliseconds since 1970.
fn now() -> i64 {
    Timestamp::now().as_millisecond()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_times_are_understood() {
        for (argument, expected) in [
            ("1970-01-02", Some(86_400_000)),
            ("1970-01-01T00:00:01Z", Some(1_000)),
            ("1970-01-01T01:00+01:00", Some(0)),
            ("yesterday", None),
            ("1970-01-01T08:00", None),
        ] {
            assert_eq!(since(argument).ok(), expected, "{argument}");
        }
        assert_eq!(until("1970-01-01").ok(), Some(86_400_000));
    }
}
