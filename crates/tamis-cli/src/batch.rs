//! `tamis batch`: from one page to a crawl. Flags and glue; the run itself is `tamis-batch`.

mod progress;
mod remedy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use tamis_batch::{
    Bounds, Fields, Filter, Form, InputFields, Inputs, RecordField, Run, Summary, Target, Watch, Work,
    WorkOptions,
};
use tamis_methods::Selection;

use crate::bias::BiasFlags;
use crate::extract::{at_least_one, default_jobs, method_help};
use crate::feeds::Feeds;
use crate::model;
use progress::Progress;

/// Many pages at once: directories, archives of crawls, JSON lines or Parquet in; rows out.
///
/// Reads pages from files, with all cores and in bounded memory, and writes a row a page. A page that fails is a row with
/// its error, and the summary counts every page. When it is interrupted, the same command goes on where it stopped.
#[derive(Args)]
#[command(after_long_help = format!("{PARQUET}{EXAMPLES}"))]
pub(crate) struct Batch {
    /// What to read: files, directories, patterns in quotes, or - for a list of files on standard input.
    ///
    /// The names of files say what they hold: pages (.html, .htm, .xhtml), JSON lines (.jsonl, .ndjson), archives of crawls
    /// (.warc), each also packed (.gz, .zst); tables (.parquet). In directories, other files are passed over and counted.
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<String>,

    /// Where rows go: a file, a directory for texts, or - for standard output.
    ///
    /// It appears under this name when it is whole. Until then, all is in a folder beside it, OUT.tamis.
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// The form of the output; else its name says: .parquet is Parquet, a directory (or a name that ends in /) gets texts, all
    /// else is JSON lines, packed if it ends in .gz.
    #[arg(long, value_name = "FORM", value_enum)]
    format: Option<BatchForm>,

    /// The columns to write, in place of all.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = str::parse::<RecordField>)]
    columns: Vec<RecordField>,

    /// The method that judges blocks.
    #[arg(long, value_name = "NAME", default_value_t = Selection::default(), value_parser = model::method, long_help = method_help())]
    method: Selection,

    /// A model of one's own for the methods fused, svm and template-svm, made by `tamis train`.
    ///
    /// A run that was interrupted goes on with the same model only.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    #[command(flatten)]
    bias: BiasFlags,

    /// Read the pages in this encoding, whatever they say themselves.
    #[arg(long, value_name = "LABEL", value_parser = crate::jobs::encoding)]
    encoding: Option<String>,

    /// The field or column that holds the page, in JSON lines and Parquet.
    #[arg(long, value_name = "NAME", default_value = "html")]
    html_field: String,

    /// The field or column that holds its address.
    #[arg(long, value_name = "NAME", default_value = "url")]
    url_field: String,

    /// What is known of the pages' sites, from `tamis site learn`, for the methods that use it (fused, lines, template-svm);
    /// others are refused.
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,

    /// Learn the sites of the input before extracting: reads everything twice.
    ///
    /// What is learned goes into the memory where one is given, and is forgotten after the run where not. Methods that make no use
    /// of it are refused.
    #[arg(long, value_name = "HOW", value_enum)]
    learn: Option<Learn>,

    #[command(flatten)]
    feeds: Feeds,

    /// How many pages to work on at once.
    #[arg(short, long, value_name = "N", default_value_t = default_jobs(), value_parser = at_least_one)]
    jobs: usize,

    /// Write rows as they come, not in the order of the input. Of no effect on trees of texts.
    #[arg(long)]
    unordered: bool,

    /// Bytes of a page, unpacked; a larger one fails.
    #[arg(long, value_name = "N", default_value_t = Bounds::default().bytes, value_parser = clap::value_parser!(u32).range(1..))]
    max_bytes: u32,

    /// How long a page may take.
    #[arg(long, value_name = "SECONDS", default_value_t = Bounds::default().time.as_secs_f64())]
    page_timeout: f64,

    /// Allow private, loopback and link-local addresses (of feeds).
    #[arg(long)]
    allow_private: bool,

    /// Rows in a group of a Parquet file (default: 2000).
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    row_group: Option<usize>,

    /// Replace an output that is there, and forget an interrupted run. Of a tree, the texts that its index names go.
    #[arg(long)]
    force: bool,

    /// Say nothing but errors.
    #[arg(short, long)]
    quiet: bool,

    /// Rows after which the state is saved.
    #[arg(long, value_name = "N", default_value_t = 5_000, hide = true)]
    save_rows: u64,

    // The last one: its heading would be that of all that follow.
    #[command(flatten)]
    filter: FilterFlags,
}

/// How long fetching a feed may take; pages are not fetched here.
const FEED_TIME: Duration = Duration::from_secs(30);

/// Which rows to keep.
#[derive(Args)]
#[command(next_help_heading = "Filters")]
struct FilterFlags {
    /// Keep only these languages (en, zh-CN); und keeps what has none.
    #[arg(long, value_name = "TAGS", value_delimiter = ',')]
    language: Vec<String>,

    /// Keep only texts of at least so many characters.
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_length: usize,

    /// Keep only pages of at least this confidence, from 0 to 1. Only the method fused tells one.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    min_confidence: Option<f32>,

    /// Keep the first of several equal texts.
    #[arg(long)]
    no_duplicates: bool,

    /// Keep the first of several texts that have this share of their runs of five words in common (default: 0.8).
    ///
    /// By MinHash: of pairs that are as alike as that, some are missed. Remembering takes about 700 bytes a row.
    #[arg(long, value_name = "SHARE", num_args = 0..=1, default_missing_value = "0.8", require_equals = true, value_parser = share)]
    no_near_duplicates: Option<f32>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BatchForm {
    /// A line of JSON a row.
    Jsonl,
    /// One Parquet file.
    Parquet,
    /// A directory with a text a page, and an index.
    Txt,
    /// Likewise, as Markdown.
    Md,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Learn {
    /// All sites first, then all pages.
    TwoPass,
}

const PARQUET: &str = if cfg!(feature = "parquet") {
    ""
} else {
    "This tamis was built without Parquet, and neither reads nor writes it: `cargo build --release --features parquet` gives one
that does.

"
};

const EXAMPLES: &str = "Examples:
  tamis batch crawl/*.warc.gz -o rows.jsonl                archives to JSON lines
  tamis batch pages/ -o texts/ --format md                 a tree of pages to a tree of Markdown
  tamis batch pages.jsonl.zst -o rows.parquet              JSON lines with html and url to Parquet
  find . -name '*.html' | tamis batch - -o rows.jsonl      a list of files
  tamis batch crawl/ -o en.jsonl --language en --min-length 200 --no-near-duplicates
  tamis batch crawl/ -o rows.jsonl --learn two-pass --method template-svm

The columns are url, host, status, fetched, title, published, authors, source, language, page_type, confidence, text,
markdown, blocks, method, version and error.

When it is done, a small file .OUT.done says so, and the same command says that nothing is left to do. Where no page could be
read, .OUT.failed says so: the same command tries again and replaces OUT. An output that was there before (--force) is
replaced only if some page could be read.

Exit codes:
  0  done, also where some pages failed; or nothing was left to do
  1  done, and no row has a text: no page has one, or filters removed all
  2  nothing could be done (a wrong option, an output that is there or cannot be written, no input, no page that could be
     read), or the run was stopped: the same command goes on";

/// A name that asks for something else than what would be written is refused before anything is done.
fn check_name(output: &Path, form: Form, form_is_given: bool) -> Result<()> {
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
            "only JSON lines are packed, and with gzip: name it .jsonl.gz, or pipe -o - into what packs otherwise (Parquet is packed inside)"
        }
        (Form::Text | Form::Markdown, "md" | "markdown" | "txt") => {
            "a tree of texts goes into a directory: name one, such as texts/"
        }
        (Form::Jsonl, _) if form_is_given => return Ok(()),
        (Form::Jsonl, "md" | "markdown") => {
            "Markdown goes into a directory, a file a page: name one, such as texts/, and give --format md"
        }
        (Form::Jsonl, "txt" | "text") => "texts go into a directory, a file a page: name one, such as texts/",
        (
            Form::Jsonl,
            "csv" | "tsv" | "xlsx" | "html" | "htm" | "xml" | "arrow" | "feather" | "avro" | "orc" | "warc",
        ) => {
            "rows are written as JSON lines (.jsonl, .jsonl.gz) or Parquet (.parquet): name such a file, or give --format jsonl"
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
        // Such a page becomes a row; where in the program it failed is for whoever is to mend it.
        std::panic::set_hook(Box::new(|fault| eprintln!("tamis: {}", fault.to_string().replace('\n', " "))));
        let watch = Watch::default();
        let progress = Progress::new(&run.inputs, self.quiet, &self.output)?;
        let report = progress
            .around(&watch, run.learn, || run.run(&watch, &|damage| progress.tell(damage)))
            .map_err(remedy::with_remedy)?;
        if report.repeated {
            if !self.quiet {
                let (out, pages) = (self.output.display(), report.summary.pages);
                eprintln!(
                    "tamis: nothing left to do: {out} is there, from the same run over {pages} pages (--force does it again)"
                );
            }
            return Ok(ExitCode::SUCCESS);
        }
        if !report.complete {
            let next = match self.output.as_os_str() == "-" {
                true => "standard output cannot be gone on with: the same command begins anew",
                false => "run the same command again to go on",
            };
            eprintln!("tamis: stopped after {} pages; {next}", report.summary.pages);
            return Ok(ExitCode::from(2));
        }
        if !self.quiet {
            eprintln!("tamis: {}", report.summary.to_string().replace('\n', "\ntamis: "));
        }
        if report.kept {
            let out = self.output.display();
            eprintln!("tamis: nothing could be read, so {out} stays as it was: mend the input and try again");
        }
        Ok(code(&report.summary))
    }

    /// What was asked for and would change nothing is refused where it costs or loses something, and told where it does not.
    fn check_effect(&self, form: Form) -> Result<()> {
        let method = self.method;
        if !method.uses_site() && (self.learn.is_some() || self.memory.is_some()) {
            let those = model::site_methods();
            let flag = if self.learn.is_some() { "--learn" } else { "--memory" };
            bail!(
                "{flag}: the method {method} makes no use of what is known of sites; those that do are {those}"
            );
        }
        if self.filter.min_confidence.is_some() && method != Selection::Fused {
            bail!(
                "--min-confidence would remove every page: the method {method} tells no confidence, fused does"
            );
        }
        let is_tree = matches!(form, Form::Text | Form::Markdown);
        let none = [
            (
                "--row-group",
                self.row_group.is_some() && form != Form::Parquet,
                "only Parquet has groups of rows",
            ),
            (
                "--unordered",
                self.unordered && is_tree,
                "a tree of texts is written in the order of the input",
            ),
        ];
        for (flag, _, why) in none.iter().filter(|(_, is, _)| *is && !self.quiet) {
            eprintln!("tamis: warning: {flag} has no effect: {why}");
        }
        Ok(())
    }

    fn settings(&self) -> Result<Run> {
        let is_stdout = self.output.as_os_str() == "-";
        let mut target = if is_stdout { Target::stdout() } else { Target::to(self.output.clone()) };
        if let Some(form) = self.format {
            target.form = match form {
                BatchForm::Jsonl => Form::Jsonl,
                BatchForm::Parquet => Form::Parquet,
                BatchForm::Txt => Form::Text,
                BatchForm::Md => Form::Markdown,
            };
        }
        if is_stdout && target.form != Form::Jsonl {
            return Err(anyhow!("only JSON lines go to standard output: name a file or directory with -o"));
        }
        if !is_stdout {
            check_name(&self.output, target.form, self.format.is_some())?;
        }
        // `texts/` and `texts` are the same directory, and the folder beside it has its name.
        target.path = target.path.map(|path| path.components().collect());
        if let Some(rows) = self.row_group {
            target.row_group = rows;
        }
        self.check_effect(target.form)?;
        let time = Duration::try_from_secs_f64(self.page_timeout).ok().filter(|time| !time.is_zero());
        let time =
            time.context("--page-timeout takes a number of seconds that is over 0, such as 10 or 0.5")?;
        let model = self.model.as_deref().map(|file| model::read(file, &[self.method])).transpose()?;
        let work = Work::new(WorkOptions {
            method: self.method,
            model,
            bias: self.bias.bias(),
            fields: if self.columns.is_empty() { Fields::default() } else { Fields::of(&self.columns) },
            bounds: Bounds { bytes: self.max_bytes, time },
            encoding: self.encoding.clone(),
            sites: None,
            feeds: self.feeds.read(crate::fetch::Bounds {
                bytes: self.max_bytes,
                time: FEED_TIME,
                allow_private: self.allow_private,
            })?,
            ..WorkOptions::default()
        });
        Ok(Run {
            input_fields: InputFields {
                html: self.html_field.clone(),
                url: self.url_field.clone(),
                ..InputFields::default()
            },
            work,
            filter: Filter {
                languages: self.filter.language.clone(),
                min_length: self.filter.min_length,
                min_confidence: self.filter.min_confidence,
                duplicates: self.filter.no_duplicates,
                near_duplicates: self.filter.no_near_duplicates,
            },
            threads: self.jobs.max(1),
            ordered: !self.unordered,
            memory: self.memory.clone(),
            learn: self.learn.is_some(),
            force: self.force,
            save_rows: self.save_rows.max(1),
            ..Run::new(Inputs::new(&self.inputs)?, target)
        })
    }
}

fn code(summary: &Summary) -> ExitCode {
    match summary.texts() + summary.partial {
        1.. => ExitCode::SUCCESS,
        // Where every page failed, nothing could be done; where one was sound, there was just no text that is wanted.
        0 if summary.pages > 0 && summary.nothing_read() => ExitCode::from(2),
        _ => ExitCode::from(1),
    }
}
