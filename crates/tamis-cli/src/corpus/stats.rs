//! `tamis corpus stats`.

use std::io::{self, Write};

use anyhow::Result;
use clap::{Args, ValueEnum};
use indicatif::HumanBytes;
use tamis_corpus::stats::{Count, stats};

use super::{Db, now, remedy};
use crate::ExitCode;
use crate::inert::{inert, truncated};
use crate::output::to_stdout;

/// Count stories by host, language, page type and day.
#[derive(Args)]
pub(super) struct Stats {
    #[command(flatten)]
    db: Db,

    /// Output format.
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Table for the terminal.
    Table,
    /// One JSON object.
    Json,
}

impl Stats {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let stats = self.db.open()?.read(|tx| stats(tx, now())).map_err(remedy)?;
        to_stdout(|out| {
            if self.format == Format::Json {
                serde_json::to_writer_pretty(&mut *out, &stats)?;
                return writeln!(out);
            }
            for (name, count) in [
                ("stories", stats.stories),
                ("revisions", stats.revisions),
                ("comments", stats.comments),
                ("near-duplicates", stats.duplicates),
                ("raw pages", stats.raw_pages),
                ("hosts", stats.host_count),
            ] {
                writeln!(out, "{name:<24}{count:>10}")?;
            }
            writeln!(out, "{:<24}{:>10}", "size", HumanBytes(stats.bytes.unsigned_abs()).to_string())?;
            table(out, "by host", &stats.hosts)?;
            table(out, "by language", &stats.languages)?;
            table(out, "by page type", &stats.page_types)?;
            table(out, "by day", &stats.days)
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

fn table(out: &mut impl Write, name: &str, counts: &[Count]) -> io::Result<()> {
    if !counts.is_empty() {
        writeln!(out, "\n{name}")?;
    }
    counts.iter().try_for_each(|count| {
        writeln!(out, "  {:<32}{:>10}", truncated(&inert(&count.name), 30), count.stories)
    })
}
