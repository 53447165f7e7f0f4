//! `tamis batch`: many pages. Flags and glue; the run itself is `tamis-batch`.

mod progress;
mod remedy;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use tamis_batch::{
    Filter, Form, InputFields, Inputs, Run, Summary, Target, Watch, Work, WorkOptions, counted,
};
use tamis_methods::Selection;

use crate::ExitCode;
use crate::console::{error, note, warning};
use crate::flags::{EngineFlags, FieldsFlag, ThreadFlag, at_least_one};
use crate::model::{self, MethodFlag};
use progress::Progress;

/// Extract many pages: directories, JSON lines, WARC and Parquet in, rows out.
///
/// Uses all cores and bounded memory, and writes one row per page. A page that fails is a row with its error; the
/// summary counts every page. If a run is interrupted, the same command resumes it.
#[derive(Args)]
#[command(after_long_help = format!("{LEARNING}{PARQUET}{EXAMPLES}"))]
pub(crate) struct Batch {
    /// Files, directories, quoted patterns, or - for a list of files on standard input.
    ///
    /// The extension tells what a file holds: a page (.html, .htm, .xhtml, .mhtml), JSON lines (.jsonl, .ndjson) or an archive
    /// (.warc), each also compressed (.gz, .zst), or a table (.parquet). Other files in directories are skipped and
    /// counted.
    #[arg(value_name = "INPUT", required = true, help_heading = "Input")]
    inputs: Vec<String>,

    /// Field or column that holds the page (JSON lines, Parquet).
    #[arg(long, value_name = "NAME", default_value = "html", help_heading = "Input")]
    html_field: String,

    /// Field or column that holds its URL.
    #[arg(long, value_name = "NAME", default_value = "url", help_heading = "Input")]
    url_field: String,

    /// Field or column that holds its id.
    #[arg(long, value_name = "NAME", default_value = "id", help_heading = "Input")]
    id_field: String,

    /// Output file, directory (for text and Markdown), or - for standard output.
    ///
    /// It appears when it is complete; until then, everything is in the folder OUT.tamis beside it.
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    output: PathBuf,

    /// Output format [default: by the name of OUT].
    ///
    /// By default, .parquet is Parquet, a directory (or a name that ends in /) gets texts, and everything else is JSON
    /// lines, gzipped if the name ends in .gz.
    #[arg(short, long, value_name = "FORMAT", value_enum, help_heading = "Output")]
    format: Option<Format>,

    #[command(flatten)]
    fields: FieldsFlag,

    /// Also copy these fields of the input, comma-separated (JSON lines, Parquet).
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Output")]
    keep: Vec<String>,

    /// Write rows in completion order, not in that of the input (not for directories).
    #[arg(long, help_heading = "Output")]
    unordered: bool,

    /// Rows in a row group of Parquet [default: 2000].
    #[arg(long, value_name = "N", value_parser = at_least_one, help_heading = "Output")]
    row_group: Option<usize>,

    /// Replace an existing output and discard an interrupted run. In a directory, files listed in its index are removed.
    #[arg(long, help_heading = "Output")]
    force: bool,

    /// Rows after which the state is saved.
    #[arg(long, value_name = "N", default_value_t = 5_000, hide = true, help_heading = "Output")]
    save_rows: u64,

    /// Only these languages, comma-separated (en, zh-CN; und: unknown).
    #[arg(long, value_name = "TAGS", value_delimiter = ',', help_heading = "Filter")]
    language: Vec<String>,

    /// Only texts of at least N characters.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, help_heading = "Filter")]
    min_length: usize,

    /// Only pages of at least this confidence, from 0 to 1 (method fused).
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = "Filter")]
    min_confidence: Option<f32>,

    /// Drop exact duplicates of earlier texts.
    #[arg(long, help_heading = "Filter")]
    no_duplicates: bool,

    /// Drop near-duplicates: texts that share this part of their 5-word shingles with an earlier one [default: 0.8].
    ///
    /// Uses MinHash, so some pairs near the threshold are missed. Takes about 700 bytes of memory per row.
    #[arg(long, value_name = "SHARE", num_args = 0..=1, default_missing_value = "0.8", require_equals = true, value_parser = share, help_heading = "Filter")]
    no_near_duplicates: Option<f32>,

    #[command(flatten)]
    method: MethodFlag,

    #[command(flatten)]
    engine: EngineFlags,

    /// Learn the sites of the input before extracting, which reads the input twice.
    ///
    /// With --sites, the site memory is kept in that file; otherwise it is discarded after the run.
    #[arg(long, help_heading = "Method")]
    learn: bool,

    #[command(flatten)]
    threads: ThreadFlag,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A JSON object per line.
    #[value(alias = "json")]
    Jsonl,
    /// One Parquet file.
    Parquet,
    /// A directory with one text per page, and an index.
    #[value(alias = "txt")]
    Text,
    /// A directory with one Markdown file per page, and an index.
    #[value(alias = "md")]
    Markdown,
}

const LEARNING: &str = "When to use --learn: for crawls with three or more pages of most sites. Site memory then drops the menus
and notices that the sites repeat. It is off by default because it reads the input twice, cannot read standard input, and
makes the row of a page depend on the other pages of the run.

";

const PARQUET: &str = if cfg!(feature = "parquet") {
    ""
} else {
    "This tamis was built without Parquet. To read and write it, build with --features parquet.

"
};

const EXAMPLES: &str = "Examples:
  tamis batch crawl/*.warc.gz -o rows.jsonl               archives to JSON lines
  tamis batch pages/ -o texts/ -f markdown                a tree of pages to a tree of Markdown
  tamis batch pages.jsonl.zst -o rows.parquet             JSON lines with html and url to Parquet
  find . -name '*.html' | tamis batch - -o rows.jsonl     a list of files
  tamis batch crawl/ -o en.jsonl --language en --min-length 200 --no-near-duplicates
  tamis batch crawl/ -o rows.jsonl --learn                with site memory

A complete run leaves a small file .OUT.done; the same command then does nothing. If no page could be read, it leaves
.OUT.failed; the same command tries again. --force replaces an existing output only if some page could be read.

Exit codes:
  0  done, even if some pages failed; or nothing was left to do
  1  done, but no row has text: no page has any, or filters removed all
  2  error: a wrong flag, an output that exists or cannot be written, no input, no readable page; or interrupted";

/// Refuses a name whose extension asks for another format than would be written.
fn check_name(output: &Path, form: Form, is_format_given: bool) -> Result<()> {
    let name = output.to_string_lossy();
    if name.ends_with(['/', '\\']) || output.is_dir() {
        return Ok(());
    }
    let lower = name.to_ascii_lowercase();
    let ending =
        lower.rsplit(['/', '\\']).next().and_then(|file| file.rsplit_once('.')).map_or("", |(_, it)| it);
    let remedy = match (form, ending) {
        (Form::Jsonl, "gz") if !lower.ends_with(".parquet.gz") => return Ok(()),
        (_, "gz" | "zst" | "zstd" | "bz2" | "xz" | "zip") => {
            "only JSON lines are compressed, and with gzip: name it .jsonl.gz, or pipe -o - into another compressor (Parquet is compressed inside)"
        }
        (Form::Text | Form::Markdown, "md" | "markdown" | "txt") => {
            "texts go into a directory: name one, such as texts/"
        }
        (Form::Jsonl, _) if is_format_given => return Ok(()),
        (Form::Jsonl, "md" | "markdown") => {
            "Markdown goes into a directory, one file per page: name one, such as texts/, and give --format markdown"
        }
        (Form::Jsonl, "txt" | "text") => {
            "texts go into a directory, one file per page: name one, such as texts/"
        }
        (
            Form::Jsonl,
            "csv" | "tsv" | "xlsx" | "html" | "htm" | "xml" | "arrow" | "feather" | "avro" | "orc" | "warc",
        ) => {
            "rows are JSON lines (.jsonl, .jsonl.gz) or Parquet (.parquet): name such a file, or give --format jsonl"
        }
        _ => return Ok(()),
    };
    bail!("-o {name}: {remedy}")
}

fn share(argument: &str) -> Result<f32> {
    let share = argument.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| anyhow!("give a number from 0 to 1, such as 0.8"))
}

impl Batch {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let run = self.settings()?;
        // A page that panics becomes a row; the place in the program is for whoever fixes it.
        std::panic::set_hook(Box::new(|panic| {
            error!("{}", panic.to_string().replace('\n', " "));
        }));
        let watch = Watch::default();
        let progress = Progress::new(&run.inputs, &self.output)?;
        let tell = |damage: &str| progress.tell(&remedy::of_damage(damage, &self.html_field));
        let report =
            progress.around(&watch, run.learn, || run.run(&watch, &tell)).map_err(remedy::with_remedy)?;
        let out = self.output.display();
        if report.repeated {
            let pages = counted(report.summary.pages, "page");
            note!("nothing left to do: {out} is complete ({pages}); --force runs it again");
            return Ok(ExitCode::SUCCESS);
        }
        if !report.complete {
            let next = match self.output.as_os_str() == "-" {
                true => "output to standard output cannot be resumed",
                false => "run the same command again to resume",
            };
            error!("stopped after {}; {next}", counted(report.summary.pages, "page"));
            return Ok(ExitCode::from(2));
        }
        note!("{}", report.summary.to_string().replace('\n', "\ntamis: "));
        if report.kept {
            error!("no page could be read, so {out} is unchanged: check the input");
        }
        Ok(code(&report.summary))
    }

    /// Refuses flags that would cost or lose something without effect; others get a warning.
    fn check_effect(&self, form: Form) -> Result<()> {
        let method = self.method.method;
        if !method.uses_site() && (self.learn || self.engine.sites.sites.is_some()) {
            let flag = if self.learn { "--learn" } else { "--sites" };
            bail!(
                "{flag}: the method {method} does not use site memory; those that do are {}",
                model::site_methods()
            );
        }
        if self.min_confidence.is_some() && method != Selection::Fused {
            bail!("--min-confidence requires --method fused");
        }
        if self.row_group.is_some() && form != Form::Parquet {
            warning!("--row-group has no effect: only Parquet has row groups");
        }
        if self.unordered && matches!(form, Form::Text | Form::Markdown) {
            warning!("--unordered has no effect: directories are written in the order of the input");
        }
        Ok(())
    }

    fn target(&self) -> Result<Target> {
        let Batch { output, format, row_group, .. } = self;
        let is_stdout = output.as_os_str() == "-";
        let mut target = if is_stdout { Target::stdout() } else { Target::to(output.clone()) };
        if let Some(format) = format {
            target.form = match format {
                Format::Jsonl => Form::Jsonl,
                Format::Parquet => Form::Parquet,
                Format::Text => Form::Text,
                Format::Markdown => Form::Markdown,
            };
        }
        if is_stdout && target.form != Form::Jsonl {
            bail!("only JSON lines go to standard output: name a file or directory with -o");
        }
        if !is_stdout {
            check_name(output, target.form, format.is_some())?;
        }
        // `texts/` and `texts` are the same directory, and the folder beside it has its name.
        target.path = target.path.map(|path| path.components().collect());
        if let Some(rows) = row_group {
            target.row_group = *rows;
        }
        Ok(target)
    }

    fn settings(&self) -> Result<Run> {
        let target = self.target()?;
        self.check_effect(target.form)?;
        let work = Work::new(WorkOptions {
            method: self.method.method,
            model: self.method.model()?,
            fields: self.fields.fields(),
            chunking: self.fields.chunks.unwrap_or_default(),
            ..self.engine.options()?
        });
        Ok(Run {
            input_fields: InputFields {
                html: self.html_field.clone(),
                url: self.url_field.clone(),
                id: self.id_field.clone(),
                ..InputFields::default()
            }
            .keeping(&self.keep)
            .context("--keep")?,
            work,
            filter: Filter {
                languages: self.language.clone(),
                min_length: self.min_length,
                min_confidence: self.min_confidence,
                duplicates: self.no_duplicates,
                near_duplicates: self.no_near_duplicates,
            },
            threads: self.threads.threads,
            ordered: !self.unordered,
            memory: self.engine.sites.sites.clone(),
            learn: self.learn,
            force: self.force,
            save_rows: self.save_rows.max(1),
            ..Run::new(Inputs::new(&self.inputs)?, target)
        })
    }
}

fn code(summary: &Summary) -> ExitCode {
    match summary.texts() + summary.partial {
        1.. => ExitCode::SUCCESS,
        // If every page failed, nothing could be done; if one was sound, there was just no wanted text.
        0 if summary.pages > 0 && summary.nothing_read() => ExitCode::from(2),
        _ => ExitCode::from(1),
    }
}
