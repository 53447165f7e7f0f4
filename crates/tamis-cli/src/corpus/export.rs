//! `tamis corpus export`.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use tamis_corpus::export::{ExportFormat, ExportOptions, export, for_each_story, write_markdown};

use super::{Db, FilterFlags, remedy};
use crate::ExitCode;
use crate::console::note;

/// Write stories to a file, in the order of their ids.
#[derive(Args)]
pub(super) struct Export {
    #[command(flatten)]
    db: Db,

    /// Output file, directory (Markdown), or - for standard output.
    #[arg(short, long, value_name = "FILE|DIR", default_value = "-")]
    output: PathBuf,

    /// Output format.
    #[arg(short, long, value_name = "FORMAT", value_enum)]
    format: Format,

    /// Also include, comma-separated.
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    with: Vec<With>,

    /// Only stories with a greater id, such as those added since an earlier export.
    #[arg(long, value_name = "ID")]
    since_id: Option<i64>,

    #[command(flatten)]
    filter: FilterFlags,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A JSON object per line.
    #[value(alias = "json")]
    Jsonl,
    /// A Parquet file with typed columns.
    Parquet,
    /// CSV with a header.
    Csv,
    /// Markdown with front matter: one file, or a directory with a file per story.
    #[value(alias = "md")]
    Markdown,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum With {
    /// Readers' comments.
    Comments,
    /// Earlier versions.
    Revisions,
}

impl Export {
    pub(super) fn run(&self) -> Result<ExitCode> {
        if self.format == Format::Markdown && !self.with.is_empty() {
            bail!("--with has no effect on Markdown: leave it out, or export JSON lines");
        }
        let options = ExportOptions {
            filter: self.filter.filter(),
            since_id: self.since_id,
            comments: self.with.contains(&With::Comments),
            revisions: self.with.contains(&With::Revisions),
        };
        let format = self.format()?;
        let is_stdout = self.output.as_os_str() == "-";
        let names_directory = self.output.to_string_lossy().ends_with(['/', '\\']) || self.output.is_dir();
        let count = if is_stdout {
            let out = io::stdout();
            self.db.open()?.read(|tx| export(tx, format, &options, out, &mut |_| ())).map_err(remedy)?
        } else if names_directory {
            if self.format != Format::Markdown {
                bail!("-o {}: only Markdown goes into a directory; name a file", self.output.display());
            }
            self.to_directory(&options)?
        } else {
            self.to_file(format, &options)?
        };
        note!("{count} stories exported");
        Ok(if count > 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }

    /// The file appears under its name when it is complete.
    fn to_file(&self, format: ExportFormat, options: &ExportOptions) -> Result<u64> {
        let mut corpus = self.db.open()?;
        if self.output.metadata().is_ok_and(|there| !there.is_file()) {
            // A pipe or a device is written to, not replaced.
            let file =
                File::options().write(true).open(&self.output).with_context(|| cannot_write(&self.output))?;
            return corpus.read(|tx| export(tx, format, options, &file, &mut |_| ())).map_err(remedy);
        }
        let mut part = self.output.clone().into_os_string();
        part.push(".part");
        let part = Path::new(&part);
        let file = File::create(part).with_context(|| cannot_write(part))?;
        let written = corpus.read(|tx| export(tx, format, options, &file, &mut |_| ())).map_err(remedy);
        let whole = written.and_then(|count| {
            file.sync_data().with_context(|| cannot_write(part))?;
            fs::rename(part, &self.output).with_context(|| cannot_write(&self.output))?;
            Ok(count)
        });
        if whole.is_err() {
            let _ = fs::remove_file(part);
        }
        whole
    }

    fn to_directory(&self, options: &ExportOptions) -> Result<u64> {
        let mut corpus = self.db.open()?;
        fs::create_dir_all(&self.output).with_context(|| cannot_write(&self.output))?;
        let written = corpus.read(|tx| {
            for_each_story(tx, options, &mut |_| (), |story| {
                // Ids as names: titles and URLs may be anything.
                let file = File::create(self.output.join(format!("{:08}.md", story.story.id)))?;
                let mut out = BufWriter::new(file);
                write_markdown(&story.story, &mut out)?;
                Ok(out.flush()?)
            })
        });
        written.map_err(remedy).with_context(|| cannot_write(&self.output))
    }

    fn format(&self) -> Result<ExportFormat> {
        Ok(match self.format {
            Format::Jsonl => ExportFormat::Jsonl,
            Format::Csv => ExportFormat::Csv,
            Format::Markdown => ExportFormat::Markdown,
            #[cfg(feature = "parquet")]
            Format::Parquet => ExportFormat::Parquet,
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => {
                bail!(
                    "this tamis was built without Parquet: build it with --features parquet, or export JSON lines"
                )
            }
        })
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}: check that its directory exists and is writable", path.display())
}
