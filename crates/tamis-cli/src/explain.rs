//! `tamis explain`: why each block of a page was kept or dropped, and what its metadata was chosen from.

mod html;
mod table;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;
use tamis::explain::BlockExplanation;
use tamis::metadata::{self, CandidateReport, Field, MetadataContext};
use tamis::{Analysis, Extractor, Input, PageType, SiteMemory};
use tamis_dates::Moment;
use tamis_methods::{CustomModel, Judgement, Method, Selection, svm, template_svm};

use crate::bias::BiasFlags;
use crate::feeds::{self, Feeds};
use crate::fetch::Bounds;
use crate::fetch_time;
use crate::jobs::{self, Job};
use crate::model;
use crate::output::{to_stdout, write_whole};
use crate::site::memory::Memory;
use crate::site_pages;

/// Show why each block of a page was kept or dropped.
///
/// A line a block, a column a method: + kept, - dropped, and the score; below it, the evidence of the learned model. The
/// last line says what kind of page it is, how probably, and how sure the extraction is.
#[derive(Args)]
pub(crate) struct Explain {
    /// The page: a file, an address, or - for standard input.
    #[arg(value_name = "PAGE")]
    page: String,

    /// Show the candidates for title, dates and authors instead: where each was found, the signs for and against it, their
    /// sum, and which won.
    #[arg(long)]
    facts: bool,

    /// When the page was fetched. Default: now for a page from the web, else unknown.
    #[arg(long, value_name = "TIME", value_parser = fetch_time::moment, requires = "facts")]
    fetched: Option<Moment>,

    /// A method to ask; several may be given. Default: all.
    #[arg(long, value_name = "NAME", value_parser = model::method)]
    method: Vec<Selection>,

    /// A model of one's own for the methods fused, svm and template-svm, made by `tamis train`.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    #[command(flatten)]
    bias: BiasFlags,

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
    #[arg(long, value_name = "LABEL", value_parser = jobs::encoding)]
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

/// What all methods say about a page.
#[derive(Serialize)]
struct Report {
    page_type: PageType,
    page_type_probability: f32,
    confidence: f32,
    threshold: f32,
    blocks: Vec<Block>,
    #[serde(skip)]
    methods: Vec<Selection>,
    #[serde(skip)]
    judgements: Vec<(Method, Judgement)>,
}

/// A block with the verdicts of the methods.
#[derive(Serialize)]
struct Block {
    #[serde(flatten)]
    learned: BlockExplanation,
    words: u32,
    links: u32,
    methods: BTreeMap<&'static str, Said>,
}

/// A method's verdict.
#[derive(Serialize)]
struct Said {
    keep: bool,
    score: f32,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    evidence: BTreeMap<&'static str, f64>,
}

/// A candidate for a field of the metadata.
#[derive(Serialize)]
struct Candidate<'r> {
    field: Field,
    #[serde(flatten)]
    candidate: &'r CandidateReport,
}

impl Explain {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let mut job = Job::named(&self.page);
        job.url = self.url.clone().or(job.url);
        let fetched = job.read(self.bounds)?;
        let url = job.url_of(&fetched);
        let (url, encoding) = (url.as_deref(), self.encoding.as_deref());
        let methods = if self.method.is_empty() { Selection::all().collect() } else { self.method.clone() };
        let model = self.model.as_deref().map(|file| model::read(file, &methods)).transpose()?;
        let builder = Extractor::builder().bias(self.bias.bias()).comments(true);
        let forests = model.as_ref().filter(|model| model.forests().is_some());
        let extractor = model::extractor(builder, Selection::Fused, forests);
        let mut site = match &self.site_pages {
            Some(directory) => Some(site_pages::read(directory, encoding, self.bounds.bytes)?),
            None => None,
        };
        if let Some(file) = &self.memory {
            let memory = Memory::to_read(file.clone(), self.site.clone());
            let known = memory.known(Selection::Fused, encoding, self.bounds, 1)?;
            site = known.map(|known| known.site_for(&job, url)).transpose()?.flatten();
        }
        let mut input = fetched.input(url, encoding);
        if let Some(time) = fetch_time::or_now(self.fetched, fetched.url.is_some()) {
            input = input.fetched(time);
        }
        let site = site.as_ref().map(|site| site as &dyn SiteMemory);
        if let Some(site) = site {
            input = input.site(site);
        }
        let answer = if self.facts {
            self.candidates(&extractor, input, url, fetched.url.is_some())
        } else {
            self.blocks(&extractor, input, url, site, (methods, model.as_ref()))
        };
        self.write(&answer.with_context(|| job.label())?)
    }

    fn blocks(
        &self,
        extractor: &Extractor,
        input: Input<'_>,
        url: Option<&str>,
        site: Option<&dyn SiteMemory>,
        (methods, model): (Vec<Selection>, Option<&CustomModel>),
    ) -> Result<String> {
        let explanation = extractor.explain(input).map_err(jobs::explained)?;
        let report = extractor.analyze_with(input, |analysis| {
            let others = site.and_then(|site| site.excluding(&analysis.page, url));
            let site = others.as_deref().or(site);
            let published = methods.iter().filter_map(|method| match method {
                Selection::Fused => None,
                Selection::Published(method) => Some((*method, judge(*method, analysis, site, model))),
            });
            let judgements: Vec<(Method, Judgement)> = published.collect();
            let has_fused = methods.contains(&Selection::Fused);
            let blocks = explanation.blocks.into_iter().enumerate().map(|(place, learned)| {
                let fused =
                    Said { keep: learned.kept, score: learned.probability, evidence: BTreeMap::new() };
                let mut said: BTreeMap<&'static str, Said> =
                    has_fused.then_some((Selection::Fused.name(), fused)).into_iter().collect();
                for (method, judgement) in &judgements {
                    let verdict = &judgement.verdicts[place];
                    let evidence = verdict.evidence.iter().copied().collect();
                    said.insert(method.name(), Said { keep: verdict.keep, score: verdict.score, evidence });
                }
                let (words, links) = {
                    let sums = analysis.page.blocks.sum(place, place + 1);
                    (sums.words, sums.links)
                };
                Block { learned, words, links, methods: said }
            });
            let prediction = &analysis.prediction;
            Report {
                page_type: prediction.page_type,
                page_type_probability: prediction.page_type_probability,
                confidence: prediction.confidence,
                threshold: explanation.threshold,
                blocks: blocks.collect(),
                methods,
                judgements,
            }
        });
        let report = report.map_err(jobs::explained)?;
        Ok(match self.format {
            Form::Table => table::blocks(&report, width()),
            Form::Json => serde_json::to_string(&report)? + "\n",
            Form::Html => html::page(&report),
        })
    }

    /// The candidates for metadata, in the form asked for.
    fn candidates(
        &self,
        extractor: &Extractor,
        input: Input<'_>,
        url: Option<&str>,
        is_from_the_web: bool,
    ) -> Result<String> {
        let feeds = self.feeds.read(self.bounds)?;
        let reference_time = fetch_time::or_now(self.fetched, is_from_the_web);
        let explained = extractor.analyze_with(input, |analysis| {
            let Analysis { page, annotations, prediction, .. } = analysis;
            let context = MetadataContext { url, reference_time, ..MetadataContext::default() };
            let (found, report) = metadata::explain(page, annotations, prediction, &context);
            match feeds::hints(&feeds, url, found.canonical.as_deref()) {
                Some(hints) => {
                    let context = MetadataContext { hints: Some(&hints), ..context };
                    metadata::explain(page, annotations, prediction, &context).1
                }
                None => report,
            }
        });
        let report = explained.map_err(jobs::explained)?;
        match self.format {
            Form::Table => Ok(table::candidates(&report)),
            Form::Json => {
                let rows = report.fields.iter().flat_map(|(field, candidates)| {
                    candidates.iter().map(|candidate| Candidate { field: *field, candidate })
                });
                Ok(serde_json::to_string(&rows.collect::<Vec<_>>())? + "\n")
            }
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

fn judge(
    method: Method,
    analysis: &Analysis<'_>,
    site: Option<&dyn SiteMemory>,
    model: Option<&CustomModel>,
) -> Judgement {
    match (method, model.and_then(CustomModel::svm)) {
        (Method::Svm, Some(model)) => svm::judge(&analysis.page, model),
        (Method::TemplateSvm, Some(model)) => template_svm::judge(&analysis.page, site, model),
        _ => method.judge(&analysis.page, site),
    }
}

/// The width of the terminal, where the environment tells it.
fn width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(120)
}
