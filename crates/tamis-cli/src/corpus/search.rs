//! `tamis corpus search`.

use std::io::{self, Write};

use anyhow::Result;
use clap::{Args, ValueEnum};
use tamis_corpus::search::{Hit, Query, Sort, search};

use super::{Db, FilterFlags, remedy};
use crate::ExitCode;
use crate::console::{self, note};
use crate::inert::{inert, line_width, truncated};
use crate::output::to_stdout;

/// Find stories by their words.
///
/// All words must match; "a phrase" in quotes, -word excludes, word* is a prefix, OR separates alternatives. Of very
/// frequent words, the 1000 newest stories are ranked.
#[derive(Args)]
pub(super) struct Search {
    /// Words and phrases.
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    query: String,

    #[command(flatten)]
    db: Db,

    /// Order of hits.
    #[arg(long, value_enum, default_value_t = Order::Relevance)]
    sort: Order,

    /// Number of hits.
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,

    /// Output format.
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = Format::Table)]
    format: Format,

    /// Show all near-duplicates instead of one per group.
    #[arg(long)]
    all_duplicates: bool,

    #[command(flatten)]
    filter: FilterFlags,
}

#[derive(Clone, Copy, ValueEnum)]
enum Order {
    /// Best first; words in titles count more.
    Relevance,
    /// Newest first.
    Newest,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Table for the terminal.
    Table,
    /// A JSON object per line.
    #[value(alias = "json")]
    Jsonl,
}

impl Search {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let query = Query {
            text: self.query.clone(),
            filter: self.filter.filter(),
            group_duplicates: !self.all_duplicates,
            sort: match self.sort {
                Order::Relevance => Sort::Relevance,
                Order::Newest => Sort::Newest,
            },
            limit: self.limit,
            offset: 0,
        };
        let hits = self.db.open()?.read(|tx| search(tx, &query)).map_err(remedy)?;
        let marks = if console::colors_stdout() { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
        to_stdout(|out| {
            for hit in &hits {
                match self.format {
                    Format::Table => table_row(hit, marks, out)?,
                    Format::Jsonl => {
                        serde_json::to_writer(&mut *out, hit)?;
                        writeln!(out)?;
                    }
                }
            }
            Ok(())
        })?;
        if hits.is_empty() {
            note!("no story matches");
            return Ok(ExitCode::from(1));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Id, day, host and title; below, the words in their context.
fn table_row(hit: &Hit, marks: (&str, &str), out: &mut impl Write) -> io::Result<()> {
    const HOST_COLUMNS: usize = 24;
    let host = truncated(&inert(&hit.host), HOST_COLUMNS);
    let padding = " ".repeat(HOST_COLUMNS - line_width(&host).min(HOST_COLUMNS));
    let title = inert(hit.title.as_deref().unwrap_or(&hit.url));
    let day: String = inert(hit.published.as_deref().unwrap_or("")).chars().take(10).collect();
    write!(
        out,
        "{:>7}  {day:<10}  {host}{padding}  {}",
        hit.id,
        truncated(&title, console::width().saturating_sub(54).max(40))
    )?;
    match hit.duplicates {
        0 => writeln!(out)?,
        count => writeln!(out, "  (+{count})")?,
    }
    let mut shown = String::new();
    let mut at = 0;
    for range in &hit.snippet.hits {
        let between = hit.snippet.text.get(at..range.start).unwrap_or_default();
        let marked = hit.snippet.text.get(range.clone()).unwrap_or_default();
        shown.push_str(&format!("{}{}{}{}", inert(between), marks.0, inert(marked), marks.1));
        at = range.end;
    }
    shown.push_str(&inert(hit.snippet.text.get(at..).unwrap_or_default()));
    writeln!(out, "         {shown}")
}
