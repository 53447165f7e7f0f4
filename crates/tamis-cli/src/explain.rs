//! `tamis explain`: why each block was kept or dropped, and where the metadata comes from.

mod table;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;
use tamis::metadata::{self, CandidateReport, Field, MetadataContext};
use tamis_batch::{Fields, RecordField, Work, WorkOptions};
use tamis_inspect::InspectOptions;
use tamis_methods::{CustomModel, Selection};

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
  tamis explain -f html -o why.html page.html     as a page to look at, with curves and metadata
  tamis explain --sites sites.redb --url URL page.html";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Table for the terminal.
    Table,
    /// JSON, as described by docs/schema/inspection-1.json.
    Json,
    /// The inspector as one HTML file that needs nothing else.
    Html,
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
        let options = InspectOptions {
            methods,
            svm: model,
            bias: self.engine.bias.bias(),
            view: self.output.format == Format::Html,
            ..InspectOptions::default()
        };
        let inspection = pipeline.inspect(job, page, &options)?;
        Ok(match self.output.format {
            Format::Table => table::blocks(&inspection, console::width()),
            Format::Json => serde_json::to_string(&inspection)? + "\n",
            Format::Html => tamis_inspect::standalone(&inspection),
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
