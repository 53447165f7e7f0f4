//! `tamis explain`: why each block of a page was kept or dropped, and what its facts were chosen from.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use tamis::facts::dates::Moment;
use tamis::{Explanation, Extractor, Method, Page, Site};
use tamis_html::decode::{Decoder, check_page};

use crate::dial::Dial;
use crate::feeds::{Feeds, with_feeds};
use crate::fetch::Bounds;
use crate::fetch_time;
use crate::jobs::Job;
use crate::model;
use crate::output::{to_stdout, write_whole};
use crate::site::memory::Memory;
use crate::site_pages::SitePages;

/// Show why each block of a page was kept or dropped.
///
/// A line a block, a column a method: + kept, - dropped, and the score. The last line says what kind of page it is, how probably, and
/// how sure the extraction is.
#[derive(Args)]
pub(crate) struct Explain {
    /// The page: a file, an address, or - for standard input.
    #[arg(value_name = "PAGE")]
    page: String,

    /// Show what the facts were chosen from instead: every candidate for title, times, authors and so on, where it comes
    /// from, what it weighs, and which won. --method says around which text they are looked for.
    #[arg(long)]
    facts: bool,

    /// When the page was fetched. Default: now for a page from the web, else unknown.
    #[arg(long, value_name = "TIME", value_parser = fetch_time::moment, requires = "facts")]
    fetched: Option<Moment>,

    /// A method to ask; several may be given. Default: all.
    #[arg(long, value_name = "NAME", value_parser = str::parse::<Method>)]
    method: Vec<Method>,

    /// A model of one's own for the methods fused, svm and template-svm, made by `tamis train`.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    #[command(flatten)]
    dial: Dial,

    /// The form of the answer.
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Table)]
    format: Form,

    /// Write here instead of standard output.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// The address of the page.
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// Read the page in this encoding, whatever it says itself.
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,

    /// Other pages of the same site, for the methods that use them: the files of this directory.
    #[arg(long, value_name = "DIR")]
    site_pages: Option<PathBuf>,

    /// What is known of the page's site, from `tamis site learn`.
    #[arg(long, value_name = "FILE", conflicts_with = "site_pages")]
    memory: Option<PathBuf>,

    /// The site that the page belongs to; else its address says.
    #[arg(long, value_name = "KEY", requires = "memory")]
    site: Option<String>,

    #[command(flatten)]
    feeds: Feeds,

    #[command(flatten)]
    bounds: Bounds,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A table for the terminal.
    Table,
    /// JSON for programs.
    Json,
    /// One HTML file to look at, with the curves that the papers draw.
    Html,
}

impl Explain {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let mut job = Job::named(&self.page);
        job.url = self.url.clone().or(job.url);
        let fetched = job.read(self.bounds)?;
        let decoder = match &self.encoding {
            Some(label) => Decoder::new().encoding_label(label)?,
            None => Decoder::new(),
        };
        let mut site = match &self.site_pages {
            Some(directory) => {
                let pages = SitePages::read(directory, &decoder, self.bounds.bytes)?;
                pages.without(job.path(), &fetched.bytes).unwrap_or_else(|| pages.all().clone())
            }
            None => Site::default(),
        };
        let decoded = job.decoder(&decoder, &fetched).decode(&fetched.bytes);
        check_page(&fetched.bytes, &decoded).with_context(|| job.label())?;
        let mut page = Page::parse(&decoded.text);
        if let Some(url) = job.url_of(&fetched) {
            page = page.with_url(url);
        }
        if let Some(file) = &self.memory {
            let memory = Memory::to_read(file.clone(), self.site.clone());
            let known = memory.known(Method::default(), &decoder, self.bounds, 1)?;
            site = known.map(|known| known.site_for(&job, &page)).transpose()?.flatten().unwrap_or(site);
        }
        let balance = self.dial.balance();
        let methods = if self.method.is_empty() { Method::ALL.to_vec() } else { self.method.clone() };
        let extractor = Extractor::new().site(site).balance(balance);
        let mut extractor = with_feeds(extractor, &self.feeds.read(self.bounds)?);
        if let Some(file) = &self.model {
            extractor = extractor.own_model(&model::read(file, &methods)?);
        }
        if self.facts {
            let fetched = fetch_time::or_now(self.fetched, fetched.url.is_some());
            return self.write(&self.evidence(&page, extractor, fetched)?);
        }
        let explanation = Explanation::by(&page, &methods, &extractor);
        let answer = match self.format {
            Form::Table => explanation.to_table(width()),
            Form::Json => explanation.to_json() + "\n",
            Form::Html => explanation.to_html(),
        };
        self.write(&answer)
    }

    /// What the facts of the page are chosen from, in the form asked for.
    fn evidence(&self, page: &Page<'_>, extractor: Extractor, fetched: Option<Moment>) -> Result<String> {
        let mut extractor = extractor.method(self.method.first().copied().unwrap_or_default());
        if let Some(fetched) = fetched {
            extractor = extractor.fetched(fetched);
        }
        let evidence = extractor.evidence(page, &extractor.judge(page));
        match self.format {
            Form::Table => Ok(evidence.to_table(width())),
            Form::Json => Ok(evidence.to_json() + "\n"),
            Form::Html => bail!("--facts has no HTML form: leave --format out, or give --format json"),
        }
    }

    fn write(&self, answer: &str) -> Result<ExitCode> {
        match &self.output {
            Some(file) => write_whole(file, answer.as_bytes())?,
            None => to_stdout(|out| out.write_all(answer.as_bytes()))
                .context("cannot write to standard output")?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The width of the terminal, where the environment tells it.
fn width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(120)
}
