//! `tamis extract`: the main text of pages, in the form asked for.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use tamis::facts::dates::Moment;
use tamis::fused::PageType;
use tamis::render::Options;
use tamis::{Balance, Document, Extractor, Judgement, Method, OwnModel, Page, Record};
use tamis_batch::guarded;
use tamis_html::decode::{Decoder, check_page};

use crate::dial::Dial;
use crate::feeds::{Feeds, with_feeds};
use crate::fetch::Bounds;
use crate::fetch_time;
use crate::jobs::{self, Job};
use crate::model;
use crate::output::{to_stdout, write_whole};
use crate::site::memory::{Known, Memory};
use crate::site_pages::SitePages;

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

    /// When the pages were fetched: "3 hours ago" counts from it, and no date lies behind it. Default: now for pages from
    /// the web, else unknown.
    #[arg(long, value_name = "TIME", value_parser = fetch_time::moment)]
    fetched: Option<Moment>,

    /// Read the pages in this encoding, whatever they say themselves.
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,

    /// The method that judges blocks.
    #[arg(long, value_name = "NAME", default_value_t = Method::default(), value_parser = str::parse::<Method>, long_help = method_help())]
    method: Method,

    /// A model of one's own for the methods fused, svm and template-svm, made by `tamis train`.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    /// Straight from tokens to text, by the method blocks: fastest, plain text only.
    #[arg(long, conflicts_with_all = ["method", "model", "precision", "recall", "with", "site_pages", "memory", "feed"])]
    fast: bool,

    /// The form of the result.
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Format::Txt)]
    format: Format,

    /// What to show besides the text.
    ///
    /// Links and images as such, not only their words; comments that readers wrote below the text, in a section of
    /// their own (all forms). Tables are always shown.
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    with: Vec<With>,

    #[command(flatten)]
    dial: Dial,

    /// Other pages of the same site, for the methods that learn from them (lines, template-svm, fused).
    ///
    /// A page that is in DIR itself does not count for itself: it is shown the first 50 others. What is no page in DIR is
    /// left out.
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

The fields of a JSON line are described by docs/schema/record-1.json of the project; \"schema\" in the line is its version.

Exit codes: 0 done, 1 nothing was extracted, 2 a page failed.";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Plain text.
    Txt,
    /// Markdown, GitHub flavour.
    Md,
    /// Clean HTML.
    Html,
    /// A JSON line: facts, text and all blocks (docs/schema/record-1.json). Its page_type is article, forum, documentation,
    /// product, listing, other, q&a, multi-body or pictures.
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

/// A number of threads or the like: with none, nothing would be done.
pub(crate) fn at_least_one(argument: &str) -> Result<usize> {
    let count = argument.parse().ok().filter(|count| *count > 0);
    count.context("give a number of at least 1")
}

pub(crate) fn method_help() -> String {
    let mut help = String::from("The method that judges blocks:\n");
    for method in Method::ALL {
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

/// What every page of a run is worked on with.
struct Around<'r> {
    decoder: &'r Decoder,
    /// ... with what is known of the site.
    extractor: &'r Extractor,
    /// ... without.
    own: &'r Extractor,
    /// The digest of a model of one's own.
    model: Option<&'r str>,
    pages: Option<&'r SitePages>,
    known: Option<&'r Known>,
}

#[derive(Clone, Copy)]
enum Empty {
    /// The page failed.
    Failed,
    /// The page has no text at all.
    NoText,
    /// The method kept nothing of it.
    NothingKept,
    /// It is no page with a text, but one of so many entries, or of links.
    Listing { entries: usize, links: u32 },
    /// ... or of so many pictures.
    Pictures { pictures: u32 },
}

impl Empty {
    /// Why there is no text: a page that leads elsewhere or shows pictures has none, and no other method would find one.
    fn why(page: &Page<'_>, judgement: &Judgement, document: &Document) -> Empty {
        let (links, pictures) = (page.total().links, page.total().images);
        match judgement.whole.map(|whole| whole.page_type) {
            Some(PageType::Listing) if links > 0 => Empty::Listing { entries: document.entries.len(), links },
            Some(PageType::Pictures) if pictures > 0 => Empty::Pictures { pictures },
            _ if page.blocks().is_empty() => Empty::NoText,
            _ => Empty::NothingKept,
        }
    }
}

impl Extract {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        if self.fast && self.format != Format::Txt {
            bail!("--fast gives plain text only: leave out --fast, or --format");
        }
        let list = self.jobs()?;
        let decoder = self.decoder()?;
        let site_pages = match &self.site_pages {
            Some(directory) => Some(SitePages::read(directory, &decoder, self.bounds.bytes)?),
            None => None,
        };
        let model = self.model.as_deref().map(|file| model::read(file, &[self.method])).transpose()?;
        let own = self.extractor(model.as_ref())?;
        let extractor = match &site_pages {
            Some(pages) => own.clone().site(pages.all().clone()),
            None => own.clone(),
        };
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
        let known = self.memory.known(self.method, &decoder, self.bounds, self.jobs)?;
        let around = Around {
            decoder: &decoder,
            extractor: &extractor,
            own: &own,
            model: model.as_ref().map(OwnModel::digest),
            pages: site_pages.as_ref(),
            known: known.as_ref(),
        };
        let work = |job: &Job| self.outcome(job, &around);
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
        let why = match why {
            Empty::NoText | Empty::Failed => {
                "has no text to extract; if scripts write it, save the page from a browser".to_owned()
            }
            Empty::Listing { entries: 0, links } => {
                format!("this is a listing with {links} links, and has no text of its own")
            }
            Empty::Listing { entries, .. } => {
                format!(
                    "this is a listing of {entries} entries, which --format json has, and has no text of its own"
                )
            }
            Empty::Pictures { pictures } => {
                format!("this is a page of {pictures} pictures, and has no text of its own")
            }
            Empty::NothingKept => {
                let method = if self.fast { Method::Blocks } else { self.method };
                // Where recall is wanted already, or cannot be had, other methods are what is left.
                let remedy = match (self.fast, self.dial.balance() == Balance::Recall) {
                    (true, _) => "it without --fast",
                    (_, true) => "another --method",
                    _ => "--recall or another --method",
                };
                format!("nothing was kept by the method {method}; try {remedy}")
            }
        };
        match empty {
            1 => eprintln!("tamis: {name}: {why}"),
            _ => eprintln!("tamis: {empty} of {all} pages gave no text, the first of them {name}: {why}"),
        }
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

    fn extractor(&self, model: Option<&OwnModel>) -> Result<Extractor> {
        let balance = self.dial.balance();
        let comments = self.with.contains(&With::Comments);
        // A plain text shows none.
        let facts = !matches!(self.format, Format::Txt | Format::Md);
        let extractor = Extractor::new().method(self.method).balance(balance).comments(comments).facts(facts);
        let extractor = with_feeds(extractor, &self.feeds.read(self.bounds)?);
        Ok(match model {
            Some(model) => extractor.own_model(model),
            None => extractor,
        })
    }

    fn outcome(&self, job: &Job, around: &Around<'_>) -> Outcome {
        // A fault of ours in one page is not the end of the others.
        let worked = guarded(|| self.page(job, around)).with_context(|| job.label()).flatten();
        match worked {
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
                Outcome { rendered, empty: Some(Empty::Failed), error: Some(error) }
            }
        }
    }

    fn page(&self, job: &Job, around: &Around<'_>) -> Result<Outcome> {
        let fetched = job.read(self.bounds)?;
        let url = job.url_of(&fetched);
        let apart = around.pages.and_then(|pages| pages.without(job.path(), &fetched.bytes));
        let apart = apart.map(|others| around.own.clone().site(others));
        let extractor = apart.as_ref().unwrap_or(around.extractor);
        let decoded = job.decoder(around.decoder, &fetched).decode(&fetched.bytes);
        check_page(&fetched.bytes, &decoded).with_context(|| job.label())?;
        if self.fast {
            let text = tamis::fast::extract(&decoded.text).text;
            let empty = text.trim().is_empty().then_some(Empty::NothingKept);
            return Ok(Outcome { empty, rendered: ended(text), error: None });
        }
        let mut page = extractor.page(&decoded.text);
        if let Some(url) = url {
            page = page.with_url(url);
        }
        if let Some(limit) = page.dom().limit_reached() {
            eprintln!("tamis: warning: {}: {limit}", job.name());
        }
        // What the site repeats says something of its titles as well: the facts are given it too.
        let site = around.known.map(|known| known.site_for(job, &page)).transpose()?.flatten();
        let knowing = site.map(|site| extractor.clone().site(site));
        let extractor = knowing.as_ref().unwrap_or(extractor);
        let judgement = extractor.judge(&page);
        let document = match fetch_time::or_now(self.fetched, fetched.url.is_some()) {
            Some(time) => extractor.clone().fetched(time).document(&page, &judgement),
            None => extractor.document(&page, &judgement),
        };
        let empty = document.is_empty().then(|| Empty::why(&page, &judgement, &document));
        let rendered = match self.format {
            Format::Json => line(Record {
                id: job.id.clone(),
                path: Some(job.name()),
                encoding: Some(decoded.encoding.name().to_owned()),
                method: Some(self.method.name()),
                model: around.model.map(str::to_owned),
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
                // The extractor leaves them out unless it is asked for them.
                With::Comments => {}
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
