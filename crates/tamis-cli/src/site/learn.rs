//! `tamis site learn`: pages into a site memory.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use clap::Args;
use tamis_batch::{Work, WorkOptions, counted, in_order};
use tamis_site::{Learner, PageRecord, SiteKey};

use super::{File, memory};
use crate::ExitCode;
use crate::console::{self, error, note};
use crate::flags::{EncodingFlag, LimitFlags, SiteFlag, SourceFlags, ThreadFlag};
use crate::jobs::{self, Job};
use crate::pipeline::Pipeline;

/// Learn from pages what their sites repeat.
///
/// Creates the site memory if it does not exist. Learning a page twice changes nothing. Several processes may learn into
/// one file at the same time.
#[derive(Args)]
pub(super) struct Learn {
    #[command(flatten)]
    file: File,

    /// Files, directories, URLs, or - for standard input.
    #[arg(value_name = "PAGE", help_heading = "Input")]
    pages: Vec<String>,

    /// List of pages: JSON lines with path, and url or site.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pages", "url"], help_heading = "Input")]
    list: Option<PathBuf>,

    #[command(flatten)]
    source: SourceFlags,

    #[command(flatten)]
    encoding: EncodingFlag,

    #[command(flatten)]
    site: SiteFlag,

    #[command(flatten)]
    limits: LimitFlags,

    #[command(flatten)]
    threads: ThreadFlag,
}

/// What became of a page.
enum Outcome {
    Record(SiteKey, Box<PageRecord>),
    /// Known already.
    Known,
    NoSite,
    Failed(anyhow::Error),
}

impl Learn {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let pages = jobs::from_arguments(&self.pages, self.list.as_deref(), self.source.url.as_deref())?;
        let site = self.site.site.as_deref().map(memory::named).transpose()?;
        let pipeline = Pipeline::new(
            Work::new(WorkOptions {
                encoding: self.encoding.encoding.clone(),
                bounds: self.limits.bounds(),
                ..WorkOptions::default()
            }),
            self.limits,
        );
        let learner = Mutex::new(Learner::new(self.file.path())?);
        let lock = || learner.lock().unwrap_or_else(PoisonError::into_inner);
        let work = |job: &Job| {
            // The URL of a file is certain before it is read; one that is fetched may redirect.
            if job.path().is_some()
                && let Some(site) = memory::site_of(job, site.as_ref(), job.url.as_deref())
                && !lock().wants(&site, job.url.as_deref())
            {
                return Outcome::Known;
            }
            let record = pipeline.load(job).and_then(|page| pipeline.observe(job, &page, site.as_ref()));
            match record {
                Err(error) => Outcome::Failed(error),
                Ok(Some((site, record))) => Outcome::Record(site, Box::new(record)),
                Ok(None) => Outcome::NoSite,
            }
        };
        let (mut learned, mut failed, mut without_site) = (0_usize, 0_usize, 0_usize);
        let bar = console::bar(pages.len() as u64, "{wide_bar} {pos}/{len} pages, {eta} left");
        in_order(&pages, self.threads.threads, work, |job, outcome| -> Result<()> {
            bar.inc(1);
            match outcome {
                Outcome::Record(site, record) => {
                    learned += 1;
                    lock().take(site, *record)?;
                }
                Outcome::Known => learned += 1,
                Outcome::NoSite => {
                    without_site += 1;
                    if without_site == 1 {
                        let remedy = "pass --url or --site, or a list with url or site";
                        error!("{}: unknown site; {remedy}", job.name());
                    }
                }
                Outcome::Failed(error) => {
                    failed += 1;
                    error!("{error:#}");
                }
            }
            Ok(())
        })?;
        lock().flush()?;
        bar.finish_and_clear();
        let count = |count: usize, what: &str| match count {
            0 => String::new(),
            count => format!(", {count} {what}"),
        };
        note!(
            "{} learned{}{}",
            counted(learned as u64, "page"),
            count(without_site, "skipped without a site"),
            count(failed, "failed")
        );
        Ok(match (learned, failed + without_site) {
            (_, 1..) => ExitCode::from(2),
            (0, _) => ExitCode::from(1),
            _ => ExitCode::SUCCESS,
        })
    }
}
