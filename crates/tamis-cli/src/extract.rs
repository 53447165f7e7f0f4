//! `tamis extract`: the main text of pages, in the form asked for.

mod empty;
mod line;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use tamis::document::plain_text;
use tamis::page::HiddenText;
use tamis::render::{RenderOptions, SCHEMA};
use tamis::{Analysis, Document, Extractor, Input, PageLimits, SiteMemory};
use tamis_batch::guarded;
use tamis_dates::Moment;
use tamis_feeds::Feed;
use tamis_methods::{CustomModel, Selection};
use tamis_site::Known;

use crate::bias::BiasFlags;
use crate::feeds::{self, Feeds};
use crate::fetch::{Bounds, seconds};
use crate::fetch_time;
use crate::jobs::{self, Job};
use crate::model;
use crate::output::{to_stdout, write_whole};
use crate::site::memory::{self, Memory};
use crate::site_pages;
use empty::Empty;
use line::Line;

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

    /// When the pages were fetched: the reference time for relative dates; later dates are rejected. Default: now for pages
    /// from the web, else unknown.
    #[arg(long, value_name = "TIME", value_parser = fetch_time::moment)]
    fetched: Option<Moment>,

    /// Read the pages in this encoding, whatever they say themselves.
    #[arg(long, value_name = "LABEL", value_parser = jobs::encoding)]
    encoding: Option<String>,

    /// The method that judges blocks.
    #[arg(long, value_name = "NAME", default_value_t = Selection::default(), value_parser = model::method, long_help = method_help())]
    method: Selection,

    /// A model of one's own for the methods fused, svm and template-svm, made by `tamis train`.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    /// The plain text alone, without looking for metadata: as fast as it gets.
    #[arg(long, conflicts_with_all = ["with", "feed"])]
    fast: bool,

    /// The form of the result.
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Format::Txt)]
    format: Format,

    /// What to show besides the text.
    ///
    /// Links and images (not in plain text); comments that readers wrote below the text, in a section of their own (all
    /// forms). Tables are always shown.
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    with: Vec<With>,

    #[command(flatten)]
    bias: BiasFlags,

    /// Text that markup hides: drop it, keep it, or leave it out and list it with the reason (--format json).
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Hidden::Drop)]
    hidden: Hidden,

    /// Other pages of the same site, for the methods that learn from them (lines, template-svm, fused).
    ///
    /// A page that is in DIR itself does not count as its own repetition. Other files in DIR are left out.
    #[arg(long, value_name = "DIR")]
    site_pages: Option<PathBuf>,

    #[command(flatten)]
    memory: Memory,

    #[command(flatten)]
    feeds: Feeds,

    /// Write here instead of standard output. A directory gets one file a page; many pages make OUT a directory, but for
    /// JSON, which puts a line a page into one file.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// How many pages to work on at once.
    #[arg(short, long, value_name = "N", default_value_t = default_jobs(), value_parser = at_least_one)]
    jobs: usize,

    /// How long extracting a page may take.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    page_timeout: Duration,

    #[command(flatten)]
    bounds: Bounds,
}

const EXAMPLES: &str = "Examples:
  tamis extract page.html                     plain text
  tamis extract https://example.com/page      from the web
  curl -s URL | tamis extract - --url URL     from standard input
  tamis extract --format md page.html         Markdown
  tamis extract --format json *.html          one JSON line a page, in order
  tamis extract --format md -o texts/ *.html  one file a page
  tamis extract --format json --feed feed.xml --url URL page.html  with what the site's feed says of it

The fields of a JSON line are described by docs/schema/document-2.json of the project; \"schema\" in the line is its version.

Exit codes: 0 done, 1 nothing was extracted, 2 a page failed.";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Plain text.
    Txt,
    /// Markdown, GitHub flavour.
    Md,
    /// Clean HTML.
    Html,
    /// A JSON line: metadata, text and its structure (docs/schema/document-2.json). Its page_type is article, forum, listing,
    /// product, documentation or other.
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Hidden {
    Drop,
    Keep,
    Flag,
}

pub(crate) fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A number of threads or the like: with none, nothing would be done.
pub(crate) fn at_least_one(argument: &str) -> Result<usize> {
    let count = argument.parse().ok().filter(|count| *count > 0);
    count.context("give a number of at least 1")
}

pub(crate) fn method_help() -> String {
    let mut help = String::from("The method that judges blocks:\n");
    for method in Selection::all() {
        help.push_str(&format!("  {:13} {}\n", method.name(), method.about()));
    }
    help
}

/// What became of a page.
struct Outcome {
    rendered: String,
    /// Why there is nothing in it, if so.
    empty: Option<Empty>,
    error: Option<String>,
}

/// What all pages of a run share.
struct Shared {
    extractor: Extractor,
    model: Option<CustomModel>,
    feeds: Vec<Arc<Feed>>,
    site_pages: Option<Known>,
    memory: Option<memory::Known>,
}

impl Extract {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        if self.fast && self.format != Format::Txt {
            bail!("--fast gives plain text only: leave out --fast, or --format");
        }
        if self.format == Format::Txt && self.with.iter().any(|it| matches!(it, With::Links | With::Images)) {
            eprintln!("tamis: warning: plain text shows no links and images; --format md and others do");
        }
        let list = self.jobs()?;
        let shared = self.shared()?;
        // JSON lines of many pages go into one file as well as into many.
        let one_file = list.len() == 1 || self.format == Format::Json;
        let to_directory = self.output.as_ref().filter(|out| out.is_dir() || !one_file);
        if let Some(directory) = to_directory {
            fs::create_dir_all(directory)
                .with_context(|| format!("cannot make the directory {}", directory.display()))?;
        }
        let (mut empty, mut failed) = (0, 0);
        let mut first_empty = None;
        let mut names = jobs::FileNames::default();
        let many = list.len() > 1;
        let mut take = |job: &Job, outcome: Outcome, out: &mut dyn Write| -> Result<()> {
            if let Some(error) = &outcome.error {
                failed += 1;
                eprintln!("tamis: {error}");
            }
            empty += usize::from(outcome.empty.is_some());
            if let Some(why) = outcome.empty.filter(|why| !matches!(why, Empty::Failed)) {
                first_empty.get_or_insert_with(|| (job.label(), why));
            }
            if let Some(directory) = to_directory {
                if outcome.error.is_none() {
                    let file = directory.join(names.take(&job.file_name(), self.format.ending()));
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
        let work = |job: &Job| self.outcome(job, &shared);
        let memory = shared.memory.as_ref();
        match self.output.as_ref().filter(|_| to_directory.is_none()) {
            Some(file) => {
                let mut whole = Vec::new();
                self.in_order(&list, memory, work, |job, outcome| take(job, outcome, &mut whole))?;
                write_whole(file, &whole)?;
            }
            None => {
                let mut result = Ok(());
                to_stdout(|out| {
                    result = self.in_order(&list, memory, work, |job, outcome| take(job, outcome, out));
                    Ok(())
                })
                .context("cannot write to standard output")?;
                result?;
            }
        }
        if let Some((name, why)) = first_empty {
            self.tell_of_empty(&name, why, empty - failed, list.len());
        }
        Ok(match (failed, empty) {
            (1.., _) => ExitCode::from(2),
            (0, empty) if empty == list.len() => ExitCode::from(1),
            _ => ExitCode::SUCCESS,
        })
    }

    /// One line on the pages that gave nothing, however many they are.
    fn tell_of_empty(&self, name: &str, why: Empty, empty: usize, all: usize) {
        let why = why.message(self.method, self.bias.bias());
        match empty {
            1 => eprintln!("tamis: {name}: {why}"),
            _ => eprintln!("tamis: {empty} of {all} pages gave no text, the first of them {name}: {why}"),
        }
    }

    /// All pages in one go; or, with `--learn`, some at a time, which are learned before they are judged.
    fn in_order(
        &self,
        list: &[Job],
        memory: Option<&memory::Known>,
        work: impl Fn(&Job) -> Outcome + Sync,
        mut take: impl FnMut(&Job, Outcome) -> Result<()>,
    ) -> Result<()> {
        match memory.filter(|memory| memory.learns()) {
            None => jobs::in_order(list, self.jobs, work, take),
            Some(memory) => list.chunks(memory::Known::AT_ONCE).try_for_each(|some| {
                let held = memory.learn(some)?;
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

    fn shared(&self) -> Result<Shared> {
        let encoding = self.encoding.as_deref();
        let model = self.model.as_deref().map(|file| model::read(file, &[self.method])).transpose()?;
        let mut limits = PageLimits::default();
        limits.max_bytes = u64::from(self.bounds.bytes);
        limits.timeout = Some(self.page_timeout);
        let hidden = match self.hidden {
            Hidden::Drop => HiddenText::Drop,
            Hidden::Keep => HiddenText::Keep,
            Hidden::Flag => HiddenText::Flag,
        };
        let builder = Extractor::builder()
            .bias(self.bias.bias())
            .comments(self.with.contains(&With::Comments))
            .hidden(hidden)
            .limits(limits);
        let site_pages = self.site_pages.as_deref();
        Ok(Shared {
            extractor: model::extractor(builder, self.method, model.as_ref()),
            model,
            feeds: self.feeds.read(self.bounds)?,
            site_pages: site_pages
                .map(|folder| site_pages::read(folder, encoding, self.bounds.bytes))
                .transpose()?,
            memory: self.memory.known(self.method, encoding, self.bounds, self.jobs)?,
        })
    }

    fn outcome(&self, job: &Job, shared: &Shared) -> Outcome {
        // A fault of ours in one page is not the end of the others.
        let worked = guarded(|| self.page(job, shared)).with_context(|| job.label()).flatten();
        worked.unwrap_or_else(|error| {
            let error = format!("{error:#}");
            let rendered = match self.format {
                Format::Json => Line {
                    schema: SCHEMA,
                    id: job.id.as_deref(),
                    path: job.name(),
                    failed_url: job.url.as_deref(),
                    error: Some(&error),
                    ..Line::default()
                }
                .to_json(),
                _ => String::new(),
            };
            Outcome { rendered, empty: Some(Empty::Failed), error: Some(error) }
        })
    }

    fn page(&self, job: &Job, shared: &Shared) -> Result<Outcome> {
        let fetched = job.read(self.bounds)?;
        let url = job.url_of(&fetched);
        let url = url.as_deref();
        let mut input = fetched.input(url, self.encoding.as_deref());
        if let Some(time) = fetch_time::or_now(self.fetched, fetched.url.is_some()) {
            input = input.fetched(time);
        }
        let known = shared.memory.as_ref().map(|memory| memory.site_for(job, url)).transpose()?.flatten();
        if let Some(site) = known.as_ref().or(shared.site_pages.as_ref()) {
            input = input.site(site as &dyn SiteMemory);
        }
        let outcome = shared.extractor.analyze_with(input, |analysis| {
            if let Some(limit) = analysis.truncated {
                eprintln!("tamis: warning: {}: {limit}", job.name());
            }
            if self.format == Format::Txt && !self.with.contains(&With::Comments) {
                let text = plain_text(&analysis.page, &analysis.prediction.kept);
                let is_empty = text.trim().is_empty();
                let empty =
                    is_empty.then(|| Empty::why(analysis, &shared.extractor.document(&input, analysis)));
                return Outcome { rendered: with_line_end(text), empty, error: None };
            }
            let document = document(shared, url, input, analysis);
            let is_empty = document.text.trim().is_empty() && document.comments.is_empty();
            let empty = is_empty.then(|| Empty::why(analysis, &document));
            Outcome { rendered: self.render(job, shared, &document), empty, error: None }
        });
        outcome.map_err(jobs::explained).with_context(|| job.label())
    }

    fn render(&self, job: &Job, shared: &Shared, document: &Document) -> String {
        let shows = |what| self.with.contains(&what);
        let options = RenderOptions::new().links(shows(With::Links)).images(shows(With::Images));
        let text = match self.format {
            Format::Txt => {
                let comments = document.comments.iter().map(|comment| comment.text.as_str());
                let parts: Vec<&str> =
                    [document.text.as_str()].into_iter().chain(comments).map(str::trim_end).collect();
                parts.join("\n\n")
            }
            Format::Md => document.to_markdown_with(&options),
            Format::Html => document.to_html_with(&options),
            Format::Xml => document.to_xml(),
            Format::Tei => document.to_tei(),
            Format::Json => Line {
                schema: SCHEMA,
                id: job.id.as_deref(),
                path: job.name(),
                method: Some(self.method.name()),
                model: shared.model.as_ref().map(CustomModel::digest),
                document: Some(document),
                ..Line::default()
            }
            .to_json(),
        };
        with_line_end(text)
    }
}

/// The document of a page, with what the feeds say about it.
fn document(shared: &Shared, url: Option<&str>, input: Input<'_>, analysis: &Analysis<'_>) -> Document {
    let document = shared.extractor.document(&input, analysis);
    match feeds::hints(&shared.feeds, url, document.metadata.canonical.as_deref()) {
        Some(hints) => shared.extractor.document(&input.hints(&hints), analysis),
        None => document,
    }
}

/// With a line end, unless there is nothing to end.
fn with_line_end(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
