//! `tamis explain`: why each block of a page was kept or dropped.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use tamis::{Explanation, Method, Page, Site};
use tamis_html::decode::{Decoder, check_page};

use crate::fetch::{Bounds, DEFAULT_TIMEOUT, seconds};
use crate::jobs::Job;
use crate::output::to_stdout;

/// Show why each block of a page was kept or dropped.
///
/// A line a block, a column a method: + kept, - dropped, and the score.
#[derive(Args)]
pub(crate) struct Explain {
    /// The page: a file, an address, or - for standard input.
    #[arg(value_name = "PAGE")]
    page: String,

    /// A method to ask; several may be given. Default: all.
    #[arg(long, value_name = "NAME", value_parser = str::parse::<Method>)]
    method: Vec<Method>,

    /// The form of the answer.
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Table)]
    format: Form,

    /// Write here instead of standard output.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// Bytes of a page; a larger one is refused.
    #[arg(long, value_name = "N", default_value_t = tamis_html::Limits::default().bytes)]
    max_bytes: u32,

    /// How long fetching a page may take.
    #[arg(long, value_name = "SECONDS", default_value = DEFAULT_TIMEOUT, value_parser = seconds)]
    timeout: Duration,
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
        let job = Job::named(&self.page);
        let fetched = job.read(Bounds { bytes: self.max_bytes, time: self.timeout })?;
        let mut decoder = Decoder::new();
        if let Some(content_type) = &fetched.content_type {
            decoder = decoder.content_type(content_type);
        }
        let decoded = decoder.decode(&fetched.bytes);
        check_page(&fetched.bytes, &decoded).with_context(|| job.label())?;
        let mut page = Page::parse(&decoded.text);
        if let Some(url) = job.url_of(&fetched) {
            page = page.with_url(url);
        }
        let methods = if self.method.is_empty() { Method::ALL.to_vec() } else { self.method.clone() };
        let explanation = Explanation::of(&page, &methods, &Site::default());
        let answer = match self.format {
            Form::Table => explanation.to_table(width()),
            Form::Json => explanation.to_json() + "\n",
            Form::Html => explanation.to_html(),
        };
        match &self.output {
            Some(file) => {
                fs::write(file, answer).with_context(|| format!("cannot write {}", file.display()))?
            }
            None => to_stdout(|out| out.write_all(answer.as_bytes()))
                .context("cannot write to standard output")?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The width of the terminal, as the shell tells it.
fn width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(120)
}
