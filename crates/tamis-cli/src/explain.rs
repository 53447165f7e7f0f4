//! `tamis explain`: why each block was kept or dropped, and where the metadata comes from.

mod html;
mod table;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;
use tamis::explain::BlockExplanation;
use tamis::metadata::{self, CandidateReport, Field, MetadataContext};
use tamis::{Analysis, PageType, SiteMemory};
use tamis_batch::{Fields, RecordField, Work, WorkOptions};
use tamis_methods::{CustomModel, Judgement, Method, Selection, svm, template_svm};

use crate::ExitCode;
use crate::console;
use crate::flags::{EngineFlags, FetchedFlag, ModelFlag, SiteFlag, SourceFlags};
use crate::jobs::Job;
use crate::model;
use crate::output::write_to;
use crate::pipeline::{Loaded, Pipeline};
use crate::site::memory::Memory;

/// Show why each block of a page was kept or dropped.
///
/// One line per block and one column per method: + kept, - dropped, and the score. Below it, the evidence of the learned
/// model. The last line has the page type with its probability, and the confidence of the extraction.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Explain {
    #[command(flatten)]
    input: InputFlags,

    #[command(flatten)]
    source: SourceFlags,

    #[command(flatten)]
    fetched: FetchedFlag,

    #[command(flatten)]
    site: SiteFlag,

    #[command(flatten)]
    output: OutputFlags,

    #[command(flatten)]
    method: MethodFlags,

    #[command(flatten)]
    engine: EngineFlags,
}

#[derive(Args)]
#[command(next_help_heading = "Input")]
struct InputFlags {
    /// File, URL, or - for standard input.
    #[arg(value_name = "PAGE")]
    page: String,
}

#[derive(Args)]
#[command(next_help_heading = "Output")]
struct OutputFlags {
    /// Explain the metadata instead: the candidates for title, dates and authors, the evidence for each, and the choice.
    #[arg(long, alias = "facts")]
    metadata: bool,

    /// Output format.
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = Format::Table)]
    format: Format,

    /// Output file [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Args)]
#[command(next_help_heading = "Method")]
struct MethodFlags {
    /// Extraction method, or all. Repeatable [default: all].
    #[arg(long, value_name = "NAME")]
    method: Vec<String>,

    #[command(flatten)]
    model: ModelFlag,

    /// Use the pages in DIR as other pages of the site, instead of --sites.
    #[arg(long, value_name = "DIR")]
    site_pages: Option<PathBuf>,
}

const EXAMPLES: &str = "Examples:
  tamis explain page.html
  tamis explain --metadata page.html              where title, dates and authors come from
  tamis explain -f html -o why.html page.html     with the curves of the published methods
  tamis explain --sites sites.redb --url URL page.html";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Table for the terminal.
    Table,
    /// JSON.
    Json,
    /// HTML page with the curves of the published methods.
    Html,
}

/// The verdicts of all methods on a page.
#[derive(Serialize)]
struct Report {
    page_type: PageType,
    page_type_probability: f32,
    confidence: f32,
    threshold: f32,
    rules: Option<String>,
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
        let mut job = Job::named(&self.input.page);
        job.url = self.source.url.clone().or(job.url);
        let methods = model::methods(&self.method.method, Selection::all().collect())?;
        let model = self.method.model.read(&methods)?;
        // The SVM of a custom model is for published methods, which run beside the default one.
        let forests = model.clone().filter(|model| model.forests().is_some());
        let work = Work::new(WorkOptions {
            model: forests,
            fields: Fields::default().with(&[RecordField::Comments]),
            ..self.engine.options()?
        });
        let mut pipeline = Pipeline::new(work, self.engine.limits);
        pipeline.fetched = self.fetched.fetched;
        match &self.method.site_pages {
            Some(directory) => pipeline.site_pages = Some(pipeline.learn_directory(directory)?),
            None => pipeline.memory = Memory::open(&self.engine.sites, &self.site, false, Selection::Fused)?,
        }
        let page = pipeline.load(&job)?;
        let shown = match self.output.metadata {
            true => self.candidates(&pipeline, &job, &page)?,
            false => self.blocks(&pipeline, &job, &page, methods, model.as_ref())?,
        };
        write_to(self.output.output.as_deref(), &shown)?;
        Ok(ExitCode::SUCCESS)
    }

    fn blocks(
        &self,
        pipeline: &Pipeline,
        job: &Job,
        page: &Loaded,
        methods: Vec<Selection>,
        model: Option<&CustomModel>,
    ) -> Result<String> {
        let url = page.url.as_deref();
        let explanation = pipeline.explain(job, page)?;
        let report = pipeline.analyze(job, page, |page, _, analysis| {
            let others = page.site.and_then(|site| site.excluding(&analysis.page, url));
            let site = others.as_deref().or(page.site);
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
                rules: explanation.rules,
                blocks: blocks.collect(),
                methods,
                judgements,
            }
        })?;
        Ok(match self.output.format {
            Format::Table => table::blocks(&report, console::width()),
            Format::Json => serde_json::to_string(&report)? + "\n",
            Format::Html => html::page(&report),
        })
    }

    /// The candidates for the metadata.
    fn candidates(&self, pipeline: &Pipeline, job: &Job, page: &Loaded) -> Result<String> {
        let url = page.url.as_deref();
        let (metadata, report) = pipeline.analyze(job, page, |input, _, analysis| {
            let hints = pipeline.work.hints(url, analysis);
            let explain = |reference_time| {
                let context = MetadataContext {
                    url,
                    reference_time,
                    hints: hints.as_ref(),
                    rules: pipeline.work.rules(url),
                    ..MetadataContext::default()
                };
                metadata::explain(&analysis.page, &analysis.annotations, &analysis.prediction, &context)
            };
            let explained = explain(page.fetched);
            match pipeline.work.reference_for(input, &explained.0) {
                Some(now) => explain(Some(now)),
                None => explained,
            }
        })?;
        match self.output.format {
            Format::Table => Ok(table::candidates(&metadata, &report, console::width())),
            Format::Json => {
                let rows = report.fields.iter().flat_map(|(field, candidates)| {
                    candidates.iter().map(|candidate| Candidate { field: *field, candidate })
                });
                Ok(serde_json::to_string(&rows.collect::<Vec<_>>())? + "\n")
            }
            Format::Html => bail!("--metadata has no HTML output: use --format table or json"),
        }
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
