//! `tamis extract`: the main text of pages, in the form asked for.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use tamis::render::Options;
use tamis::{Balance, Document, Extractor, Method, Page, Record, Site};
use tamis_html::decode::Decoder;

use crate::input::Input;
use crate::jobs::{self, Job};
use crate::output::to_stdout;
use crate::site::memory::{Known, Memory};

/// The main text of a page, without the rest.
///
/// Reads pages from files, addresses (http:// or https://) or standard input, and writes their main text.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Extract {
    /// The pages: files, addresses, or - for standard input.
    #[arg(value_name = "FILE|URL|-")]
    pages: Vec<String>,

    /// Take pages from a list: JSON lines with path, and id, url and site if known.
    #[arg(long, value_name = "FILE", conflicts_with = "pages")]
    list: Option<PathBuf>,

    /// Where the page comes from (for one page read from a file or standard input).
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// Read the pages in this encoding, whatever they say themselves.
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,

    /// The method that judges blocks.
    #[arg(long, value_name = "NAME", default_value_t = Method::default(), value_parser = str::parse::<Method>, long_help = method_help())]
    method: Method,

    /// Straight from tokens to text, by the method blocks: fastest, plain text only.
    #[arg(long, conflicts_with_all = ["method", "precision", "recall", "with", "site_pages", "memory"])]
    fast: bool,

    /// The form of the result.
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Format::Txt)]
    format: Format,

    /// What to show besides the text.
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    with: Vec<With>,

    /// Rather lose some text than keep noise.
    #[arg(long, conflicts_with = "recall")]
    precision: bool,

    /// Rather keep some noise than lose text.
    #[arg(long)]
    recall: bool,

    /// Other pages of the same site, for the methods that learn from them (lines, template-svm).
    #[arg(long, value_name = "DIR")]
    site_pages: Option<PathBuf>,

    #[command(flatten)]
    memory: Memory,

    /// Write here instead of standard output; a directory gets one file a page.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// How many pages to work on at once.
    #[arg(short, long, value_name = "N", default_value_t = default_jobs())]
    jobs: usize,

    /// Bytes of a page; a larger one is refused.
    #[arg(long, value_name = "N", default_value_t = tamis_html::Limits::default().bytes)]
    max_bytes: u32,
}

const EXAMPLES: &str = "Examples:
  tamis extract page.html                     plain text
  curl -s URL | tamis extract - --url URL     from standard input
  tamis extract --format md page.html         Markdown
  tamis extract --format json *.html          one JSON line a page, in order
  tamis extract --format md -o texts/ *.html  one file a page

Exit codes: 0 done, 1 nothing was extracted, 2 a page failed.";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Plain text.
    Txt,
    /// Markdown, GitHub flavour.
    Md,
    /// Clean HTML.
    Html,
    /// A JSON line: facts, text and all blocks.
    Json,
    /// XML.
    Xml,
    /// TEI P5.
    Tei,
}

impl Format {
    fn ending(self) -> &'static str {
        match self {
            Format::Txt => "txt",
            Format::Md => "md",
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
    Tables,
    Comments,
}

pub(crate) fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn method_help() -> String {
    let mut help = String::from("The method that judges blocks:\n");
    for method in Method::ALL {
        help.push_str(&format!("  {:13} {}\n", method.name(), method.about()));
    }
    help
}

/// What became of a page.
struct Outcome {
    rendered: String,
    empty: bool,
    error: Option<String>,
}

impl Extract {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let list = self.jobs()?;
        let decoder = self.decoder()?;
        let extractor = self.extractor()?;
        let to_directory = self.output.as_ref().filter(|out| list.len() > 1 || out.is_dir());
        if let Some(directory) = to_directory {
            fs::create_dir_all(directory)
                .with_context(|| format!("cannot make the directory {}", directory.display()))?;
        }
        let (mut empty, mut failed) = (0, 0);
        let many = list.len() > 1;
        let mut take = |job: &Job, outcome: Outcome, out: &mut dyn Write| -> Result<()> {
            if let Some(error) = &outcome.error {
                failed += 1;
                eprintln!("tamis: {error}");
            }
            empty += usize::from(outcome.empty);
            if let Some(directory) = to_directory {
                if outcome.error.is_none() {
                    let file = directory.join(job.file_name(self.format.ending()));
                    fs::write(&file, &outcome.rendered)
                        .with_context(|| format!("cannot write {}", file.display()))?;
                }
                return Ok(());
            }
            if many && self.format != Format::Json && outcome.error.is_none() {
                writeln!(out, "==> {} <==", job.name())?;
            }
            out.write_all(outcome.rendered.as_bytes())?;
            Ok(())
        };
        let known = self.memory.known(&decoder, self.max_bytes, self.jobs)?;
        let work = |job: &Job| self.outcome(job, &decoder, &extractor, known.as_ref());
        match self.output.as_ref().filter(|_| to_directory.is_none()) {
            Some(file) => {
                let mut whole = Vec::new();
                self.in_order(&list, known.as_ref(), work, |job, outcome| take(job, outcome, &mut whole))?;
                write_whole(file, &whole)?;
            }
            None => {
                let mut result = Ok(());
                to_stdout(|out| {
                    result =
                        self.in_order(&list, known.as_ref(), work, |job, outcome| take(job, outcome, out));
                    Ok(())
                })
                .context("cannot write to standard output")?;
                result?;
            }
        }
        Ok(match (failed, empty) {
            (1.., _) => ExitCode::from(2),
            (0, empty) if empty == list.len() => ExitCode::from(1),
            _ => ExitCode::SUCCESS,
        })
    }

    /// All pages in one go; or, with `--learn`, some at a time, which are learned before they are judged.
    fn in_order(
        &self,
        list: &[Job],
        known: Option<&Known>,
        work: impl Fn(&Job) -> Outcome + Sync,
        mut take: impl FnMut(&Job, Outcome) -> Result<()>,
    ) -> Result<()> {
        match known.filter(|known| known.learns()) {
            None => jobs::in_order(list, self.jobs, work, take),
            Some(known) => list.chunks(Known::AT_ONCE).try_for_each(|some| {
                let held = known.learn(some)?;
                jobs::in_order(&held, self.jobs, &work, &mut take)
            }),
        }
    }

    fn jobs(&self) -> Result<Vec<Job>> {
        if let Some(list) = &self.list {
            return jobs::from_list(list);
        }
        if self.url.is_some() && self.pages.len() > 1 {
            bail!(
                "--url names the address of one page, but {} were given: use --list for many",
                self.pages.len()
            );
        }
        let mut list: Vec<Job> = self.pages.iter().map(|page| Job::named(page)).collect();
        if list.is_empty() {
            list.push(Job::unnamed());
        }
        if let (Some(url), [job]) = (&self.url, list.as_mut_slice()) {
            job.url = Some(url.clone());
        }
        Ok(list)
    }

    fn decoder(&self) -> Result<Decoder> {
        let decoder = Decoder::new();
        Ok(match &self.encoding {
            Some(label) => decoder.encoding_label(label)?,
            None => decoder,
        })
    }

    fn extractor(&self) -> Result<Extractor> {
        let balance = match (self.precision, self.recall) {
            (true, _) => Balance::Precision,
            (_, true) => Balance::Recall,
            _ => Balance::Even,
        };
        let extractor = Extractor::new().method(self.method).balance(balance);
        Ok(match &self.site_pages {
            Some(directory) => extractor.site(self.site(directory)?),
            None => extractor,
        })
    }

    /// What the pages of a directory, in the order of their names, show of their site.
    fn site(&self, directory: &Path) -> Result<Site> {
        let entries = fs::read_dir(directory)
            .with_context(|| format!("cannot read the directory {} of --site-pages", directory.display()))?;
        let mut files: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()).collect();
        files.sort();
        let decoder = self.decoder()?;
        let mut site = Site::default();
        for file in files {
            let bytes = Input::File(file).read(self.max_bytes)?;
            site.observe(&Page::parse(&decoder.decode(&bytes).text));
        }
        Ok(site)
    }

    fn outcome(&self, job: &Job, decoder: &Decoder, extractor: &Extractor, known: Option<&Known>) -> Outcome {
        match self.page(job, decoder, extractor, known) {
            Ok(outcome) => outcome,
            Err(error) => {
                let error = format!("{error:#}");
                let rendered = match self.format {
                    Format::Json => line(Record {
                        id: job.id.clone(),
                        path: Some(job.name()),
                        url: job.url.clone(),
                        ..Record::failed(&error)
                    }),
                    _ => String::new(),
                };
                Outcome { rendered, empty: true, error: Some(error) }
            }
        }
    }

    fn page(
        &self,
        job: &Job,
        decoder: &Decoder,
        extractor: &Extractor,
        known: Option<&Known>,
    ) -> Result<Outcome> {
        let fetched = job.read(self.max_bytes)?;
        let decoded = job.decoder(decoder, &fetched).decode(&fetched.bytes);
        if self.fast {
            let text = tamis::fast::extract(&decoded.text).text;
            return Ok(Outcome { empty: text.trim().is_empty(), rendered: ended(text), error: None });
        }
        let mut page = extractor.page(&decoded.text);
        if let Some(url) = &job.url {
            page = page.with_url(url.clone());
        }
        if let Some(limit) = page.dom().limit_reached() {
            eprintln!("tamis: warning: {}: {limit}", job.name());
        }
        let judgement = match known.map(|known| known.site_for(job, &page)).transpose()?.flatten() {
            Some(site) => extractor.clone().site(site).judge(&page),
            None => extractor.judge(&page),
        };
        let document = extractor.document(&page, &judgement);
        let empty = document.is_empty();
        let rendered = match self.format {
            Format::Json => line(Record {
                id: job.id.clone(),
                path: Some(job.name()),
                encoding: Some(decoded.encoding.name().to_owned()),
                ..Record::of(&page, &judgement, &document)
            }),
            _ => ended(self.render(&document)),
        };
        Ok(Outcome { rendered, empty, error: None })
    }

    fn render(&self, document: &Document) -> String {
        let mut options = Options::default();
        for with in &self.with {
            match with {
                With::Links => options.links = true,
                With::Images => options.images = true,
                With::Tables => options.tables = true,
                With::Comments => options.comments = true,
            }
        }
        match self.format {
            Format::Txt | Format::Json => document.to_text(&options),
            Format::Md => document.to_markdown(&options),
            Format::Html => document.to_html(&options),
            Format::Xml => document.to_xml(),
            Format::Tei => document.to_tei(),
        }
    }
}

fn line(record: Record) -> String {
    serde_json::to_string(&record)
        .map_or_else(|error| format!("{{\"error\":\"{error}\"}}\n"), |line| line + "\n")
}

/// With a line end, unless there is nothing to end.
fn ended(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Writes a file that appears under its name only when it is whole.
fn write_whole(file: &Path, bytes: &[u8]) -> Result<()> {
    let mut partial = file.as_os_str().to_owned();
    partial.push(".part");
    let partial = PathBuf::from(partial);
    fs::write(&partial, bytes).and_then(|()| fs::rename(&partial, file)).with_context(|| {
        format!("cannot write {}: check that the directory is there and can be written to", file.display())
    })
}
