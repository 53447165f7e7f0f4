//! `tamis extract`: the main text of pages, in the requested format.

mod empty;

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use tamis::Document;
use tamis::render::{Headline, RenderOptions};
use tamis_batch::{Chunking, Fields, Record, RecordField, Work, WorkOptions, in_order};

use crate::ExitCode;
use crate::console::{self, error, note, warning};
use crate::flags::{EngineFlags, FetchedFlag, FieldsFlag, SiteFlag, SourceFlags, ThreadFlag};
use crate::jobs::{self, Job};
use crate::model::MethodFlag;
use crate::output::{cannot_write, create_directory, to_stdout, write_whole};
use crate::pipeline::Pipeline;
use crate::site::memory::Memory;
use empty::Empty;

/// Extract the main text and metadata of pages.
///
/// Pages are files (HTML, MHTML, also gzipped), directories of such files, URLs, or standard input. For JSON lines, WARC
/// and Parquet, see `tamis batch`.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Extract {
    /// Files, directories, URLs, or - for standard input.
    #[arg(value_name = "PAGE", help_heading = "Input")]
    pages: Vec<String>,

    /// List of pages: JSON lines with path, and id, url and site if known.
    #[arg(long, value_name = "FILE", conflicts_with = "pages", help_heading = "Input")]
    list: Option<PathBuf>,

    #[command(flatten)]
    source: SourceFlags,

    #[command(flatten)]
    fetched: FetchedFlag,

    #[command(flatten)]
    site: SiteFlag,

    /// Output format.
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = Format::Text, help_heading = "Output")]
    format: Format,

    /// Output file, or directory with one file per page [default: standard output].
    ///
    /// With several pages, PATH is a directory; with --format json, it may be one file.
    #[arg(short, long, value_name = "PATH", help_heading = "Output")]
    output: Option<PathBuf>,

    #[command(flatten)]
    fields: FieldsFlag,

    /// Also include, comma-separated: links and images (Markdown, HTML), comments of readers, metadata (front matter of
    /// Markdown).
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',', help_heading = "Content")]
    with: Vec<With>,

    /// Show the title above the text (Markdown, HTML). Auto: unless the text starts with it.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Title::Auto, help_heading = "Content")]
    headline: Title,

    #[command(flatten)]
    method: MethodFlag,

    #[command(flatten)]
    engine: EngineFlags,

    /// Add the pages to the site memory before they are extracted, 200 at a time.
    #[arg(long, requires = "sites", help_heading = "Method")]
    learn: bool,

    /// Use the pages in DIR as other pages of the site, instead of --sites.
    ///
    /// A page in DIR does not count as its own repetition. Files that are not pages are skipped.
    #[arg(long, value_name = "DIR", help_heading = "Method")]
    site_pages: Option<PathBuf>,

    /// Fast mode: plain text only, no metadata.
    #[arg(long, conflicts_with_all = ["with", "feed", "chunks"], help_heading = "Method")]
    fast: bool,

    #[command(flatten)]
    threads: ThreadFlag,
}

const EXAMPLES: &str = "Examples:
  tamis extract page.html                       plain text
  tamis page.html                               the same: extract is the default command
  tamis extract https://example.com/page        from the web
  curl -s URL | tamis extract - --url URL       from standard input
  tamis extract -f markdown --with links,metadata page.html
  tamis extract -f json *.html                  one JSON line per page, in order
  tamis extract -f markdown -o texts/ site/     one file per page, same folders
  tamis extract -f markdown --chunks 200tokens page.html   for retrieval
  tamis extract -f json --feed feed.xml --url URL page.html
  tamis extract --sites sites.redb --url URL page.html

docs/schema/document-2.json describes the JSON; \"schema\" is its version.

Exit codes: 0 done, 1 nothing extracted, 2 a page failed.";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Plain text.
    #[value(alias = "txt")]
    Text,
    /// Markdown, GitHub flavour.
    #[value(alias = "md")]
    Markdown,
    /// Clean HTML.
    Html,
    /// A JSON line per page: metadata, text and its structure.
    #[value(alias = "jsonl")]
    Json,
    /// XML.
    Xml,
    /// TEI P5.
    Tei,
}

impl Format {
    fn extension(self) -> &'static str {
        match self {
            Format::Text => "txt",
            Format::Markdown => "md",
            Format::Html => "html",
            Format::Json => "json",
            Format::Xml => "xml",
            Format::Tei => "tei.xml",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum With {
    Links,
    Images,
    Comments,
    Metadata,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Title {
    Auto,
    Always,
    Never,
}

/// The result of a page.
struct Outcome {
    rendered: String,
    /// Why there is no text, if so.
    empty: Option<Empty>,
    error: Option<String>,
}

/// Counts of a run.
#[derive(Default)]
struct Counts {
    empty: usize,
    failed: usize,
    first_empty: Option<(String, Empty)>,
}

impl Extract {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        self.check()?;
        let pages = jobs::from_arguments(&self.pages, self.list.as_deref(), self.source.url.as_deref())?;
        let pipeline = self.pipeline()?;
        // JSON lines of many pages may go into one file.
        let one_file = pages.len() == 1 || self.is_lines();
        let output = self.output.as_ref().filter(|path| path.as_os_str() != "-");
        let to_directory =
            output.filter(|path| path.is_dir() || !one_file || path.to_string_lossy().ends_with(['/', '\\']));
        if let Some(directory) = to_directory {
            create_directory(directory)?;
        }
        let mut counts = Counts::default();
        // Text scrolls past on the terminal already.
        let bar = match output {
            Some(_) if pages.len() > 1 => {
                console::bar(pages.len() as u64, "{wide_bar} {pos}/{len} pages, {eta} left")
            }
            _ => indicatif::ProgressBar::hidden(),
        };
        let mut take = |job: &Job, outcome: Outcome, out: &mut dyn Write| -> Result<()> {
            bar.inc(1);
            counts.take(job, &outcome);
            if let Some(directory) = to_directory {
                if outcome.error.is_none() {
                    let file = directory.join(job.output_file(self.extension()));
                    if let Some(folder) = file.parent().filter(|folder| !folder.is_dir()) {
                        create_directory(folder)?;
                    }
                    fs::write(&file, &outcome.rendered).map_err(|error| cannot_write(&file, error))?;
                }
                return Ok(());
            }
            if pages.len() > 1 && !self.is_lines() && outcome.error.is_none() {
                writeln!(out, "==> {} <==", job.name())?;
            }
            out.write_all(outcome.rendered.as_bytes())?;
            Ok(())
        };
        let work = |job: &Job| self.outcome(job, &pipeline);
        match output.filter(|_| to_directory.is_none()) {
            Some(file) => {
                let mut whole = Vec::new();
                self.in_order(&pages, &pipeline, work, |job, outcome| take(job, outcome, &mut whole))?;
                // A page that failed does not cost the result of an earlier run.
                if !whole.is_empty() || counts.failed == 0 {
                    write_whole(file, &whole)?;
                }
            }
            None => {
                let mut result = Ok(());
                to_stdout(|out| {
                    result = self.in_order(&pages, &pipeline, work, |job, outcome| take(job, outcome, out));
                    Ok(())
                })?;
                result?;
            }
        }
        bar.finish_and_clear();
        self.report_empty(&counts, pages.len());
        Ok(match (counts.failed, counts.empty) {
            (1.., _) => ExitCode::from(2),
            (0, empty) if empty == pages.len() => ExitCode::from(1),
            _ => ExitCode::SUCCESS,
        })
    }

    /// Refuses or reports combinations of flags that cannot work.
    fn check(&self) -> Result<()> {
        let (format, with) = (self.format, &self.with);
        if self.fast && format != Format::Text {
            bail!("--fast gives plain text only: leave out --fast or --format");
        }
        if self.fields.is_given() && format != Format::Json {
            bail!("--fields is for JSON: add --format json");
        }
        if self.chunking().is_some() && matches!(format, Format::Html | Format::Xml | Format::Tei) {
            bail!("--chunks is for JSON, text and Markdown: use --format json, text or markdown");
        }
        if format == Format::Text && with.iter().any(|it| *it != With::Comments) {
            warning!("plain text has no links, images or metadata; use --format markdown");
        }
        Ok(())
    }

    /// One line about the pages without text, however many they are.
    fn report_empty(&self, counts: &Counts, pages: usize) {
        let Some((name, why)) = &counts.first_empty else { return };
        let why = why.message(self.method.method, self.engine.bias.bias());
        match counts.empty - counts.failed {
            1 => note!("{name}: {why}"),
            empty => note!("{empty} of {pages} pages have no text; the first is {name}: {why}"),
        }
    }

    /// All pages in one go; with `--learn` in batches, which are learned before they are extracted.
    fn in_order(
        &self,
        pages: &[Job],
        pipeline: &Pipeline,
        work: impl Fn(&Job) -> Outcome + Sync,
        mut take: impl FnMut(&Job, Outcome) -> Result<()>,
    ) -> Result<()> {
        let threads = self.threads.threads;
        match pipeline.memory.as_ref().filter(|memory| memory.learns()) {
            None => in_order(pages, threads, work, take),
            Some(memory) => pages.chunks(Memory::BATCH).try_for_each(|batch| {
                let held = memory.learn(batch, pipeline, threads)?;
                in_order(&held, threads, &work, &mut take)
            }),
        }
    }

    fn pipeline(&self) -> Result<Pipeline> {
        let comments = &[RecordField::Comments];
        let fields = match self.format {
            Format::Json => self.fields.fields(),
            Format::Text if self.chunking().is_none() => Fields::of(&[RecordField::Text]),
            _ => Fields::default().without(comments),
        };
        let work = Work::new(WorkOptions {
            method: self.method.method,
            model: self.method.model()?,
            fields: if self.shows(With::Comments) { fields.with(comments) } else { fields },
            chunking: self.chunking().unwrap_or_default(),
            ..self.engine.options()?
        });
        let mut pipeline = Pipeline::new(work, self.engine.limits);
        pipeline.fetched = self.fetched.fetched;
        match &self.site_pages {
            Some(folder) => pipeline.site_pages = Some(pipeline.learn_directory(folder)?),
            None => {
                pipeline.memory =
                    Memory::open(&self.engine.sites, &self.site, self.learn, self.method.method)?;
            }
        }
        Ok(pipeline)
    }

    /// Whether the output is JSON lines, which may share a file.
    fn is_lines(&self) -> bool {
        self.format == Format::Json || self.chunking().is_some()
    }

    fn extension(&self) -> &'static str {
        match self.format {
            Format::Text | Format::Markdown if self.chunking().is_some() => "jsonl",
            format => format.extension(),
        }
    }

    fn chunking(&self) -> Option<Chunking> {
        self.fields.chunks
    }

    fn shows(&self, what: With) -> bool {
        self.with.contains(&what)
    }

    fn outcome(&self, job: &Job, pipeline: &Pipeline) -> Outcome {
        self.page(job, pipeline).unwrap_or_else(|error| {
            let error = format!("{error:#}");
            let mut record = Record::default();
            (record.url, record.error) = (job.url.clone(), Some(error.clone()));
            let rendered = match self.format {
                Format::Json => self.json(job, record),
                _ => String::new(),
            };
            Outcome { rendered, empty: Some(Empty::Failed), error: Some(error) }
        })
    }

    fn page(&self, job: &Job, pipeline: &Pipeline) -> Result<Outcome> {
        let page = pipeline.load(job)?;
        pipeline.analyze(job, &page, |page, input, analysis| {
            let record = pipeline.work.record(page, input, analysis);
            let empty = match &record.document {
                Some(document) if document.text.trim().is_empty() && document.comments.is_empty() => {
                    Some(Empty::why(analysis, document))
                }
                _ => None,
            };
            Outcome { rendered: self.render(job, record), empty, error: None }
        })
    }

    /// A JSON line per chunk.
    fn chunks(&self, job: &Job, document: &Document, chunking: Chunking, options: RenderOptions) -> String {
        let markdown = chunking.markdown || self.format == Format::Markdown;
        let options = Chunking { markdown, ..chunking }.options(options);
        let lines = document.chunks(&options).into_iter().map(|chunk| {
            let line = serde_json::json!({
                "id": job.id, "path": job.name(), "url": document.url, "title": document.metadata.title,
                "headings": chunk.headings, "text": chunk.text, "size": chunk.size,
                "span": [chunk.span.start, chunk.span.end],
            });
            format!("{line}\n")
        });
        lines.collect()
    }

    fn json(&self, job: &Job, mut record: Record) -> String {
        record.id = job.id.clone();
        // What failed as a whole names its page already.
        if record.document.is_some() {
            record = record.at(Some(job.name()), None);
        } else {
            record.path = Some(job.name());
        }
        record.to_json(self.fields.fields()) + "\n"
    }

    fn render(&self, job: &Job, record: Record) -> String {
        let options = RenderOptions::new()
            .links(self.shows(With::Links))
            .images(self.shows(With::Images))
            .metadata(self.shows(With::Metadata))
            .headline(match self.headline {
                Title::Auto => Headline::Auto,
                Title::Always => Headline::Always,
                Title::Never => Headline::Never,
            });
        if self.format == Format::Json {
            return self.json(job, record);
        }
        let text = match (self.format, &record.document) {
            (_, None) => String::new(),
            (_, Some(document)) if self.chunking().is_some() => {
                self.chunks(job, document, self.chunking().unwrap_or_default(), options)
            }
            (Format::Text, Some(document)) if document.comments.is_empty() => document.text.clone(),
            (Format::Text, Some(document)) => {
                let comments = document.comments.iter().map(|comment| comment.text.as_str());
                let parts = [document.text.as_str()].into_iter().chain(comments).map(str::trim_end);
                parts.collect::<Vec<_>>().join("\n\n")
            }
            (Format::Markdown, Some(document)) => document.to_markdown_with(&options),
            (Format::Html, Some(document)) => document.to_html_with(&options),
            (Format::Xml, Some(document)) => document.to_xml(),
            (Format::Tei | Format::Json, Some(document)) => document.to_tei(),
        };
        with_line_end(text)
    }
}

impl Counts {
    fn take(&mut self, job: &Job, outcome: &Outcome) {
        if let Some(error) = &outcome.error {
            self.failed += 1;
            error!("{error}");
        }
        self.empty += usize::from(outcome.empty.is_some());
        if let Some(why) = outcome.empty.filter(|why| !matches!(why, Empty::Failed)) {
            self.first_empty.get_or_insert_with(|| (job.label(), why));
        }
    }
}

/// Ends with a line end, unless empty.
fn with_line_end(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
