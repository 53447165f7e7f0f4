//! `tamis site learn`: pages into a memory.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;

use anyhow::{Result, bail};
use clap::Args;
use tamis::Extractor;
use tamis_site::{Learner, PageRecord, SiteKey};

use super::{File, memory};
use crate::extract::{at_least_one, default_jobs};
use crate::fetch::Bounds;
use crate::jobs::{self, Job};

/// Learn what pages show of their sites.
///
/// Reads pages from files, addresses or standard input and writes what they show into the memory, which is made where
/// there is none. Learning a page twice changes nothing. Several processes may learn into one memory at the same time.
#[derive(Args)]
pub(super) struct Learn {
    /// The pages: files, addresses, or - for standard input.
    #[arg(value_name = "FILE|URL|-")]
    pages: Vec<String>,

    /// Take pages from a list: JSON lines with path, and url or site.
    #[arg(long, value_name = "FILE", conflicts_with = "pages")]
    list: Option<PathBuf>,

    #[command(flatten)]
    file: File,

    /// The site that the pages belong to; else their addresses say.
    #[arg(long, value_name = "KEY")]
    site: Option<String>,

    /// Where the page comes from (for one page read from a file or standard input).
    #[arg(long, value_name = "URL", conflicts_with = "list")]
    url: Option<String>,

    /// Read the pages in this encoding, whatever they say themselves.
    #[arg(long, value_name = "LABEL", value_parser = jobs::encoding)]
    encoding: Option<String>,

    /// How many pages to work on at once.
    #[arg(short, long, value_name = "N", default_value_t = default_jobs(), value_parser = at_least_one)]
    jobs: usize,

    #[command(flatten)]
    bounds: Bounds,
}

/// What became of a page.
enum Read {
    Record(SiteKey, Box<PageRecord>),
    NotWanted,
    NoSite,
    Failed(anyhow::Error),
}

impl Learn {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let list = self.jobs()?;
        let site = self.site.as_deref().map(memory::named).transpose()?;
        let (extractor, encoding) = (Extractor::new(), self.encoding.as_deref());
        let learner = Mutex::new(Learner::new(self.file.path())?);
        let lock = || learner.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (mut learned, mut failed, mut without_site) = (0_usize, 0_usize, 0_usize);
        let work = |job: &Job| {
            let Some(site_of_page) = memory::site_of(job, site.as_ref(), job.url.as_deref()) else {
                return Read::NoSite;
            };
            // An address that is fetched may lead to another; that of a file is what it is.
            if job.path().is_some() && !lock().wants(&site_of_page, job.url.as_deref()) {
                return Read::NotWanted;
            }
            let read = job
                .read(self.bounds)
                .and_then(|fetched| memory::record(job, &fetched, &extractor, encoding, site.as_ref()));
            match read {
                Err(error) => Read::Failed(error),
                Ok(Some((site, record))) => Read::Record(site, Box::new(record)),
                Ok(None) => Read::NoSite,
            }
        };
        jobs::in_order(&list, self.jobs, work, |job, read| {
            match read {
                Read::Record(site, record) => {
                    learned += 1;
                    lock().take(site, *record)?;
                }
                Read::NotWanted => learned += 1,
                Read::NoSite => {
                    without_site += 1;
                    if without_site == 1 {
                        eprintln!(
                            "tamis: {}: no address says which site it belongs to: give --url, --site, or a list with \
                             url or site",
                            job.name()
                        );
                    }
                }
                Read::Failed(error) => {
                    failed += 1;
                    eprintln!("tamis: {error:#}");
                }
            }
            Ok(())
        })?;
        lock().flush()?;
        let left_out = if without_site > 0 {
            format!(", {without_site} left out without a site")
        } else {
            String::new()
        };
        let not_read = if failed > 0 { format!(", {failed} not read") } else { String::new() };
        eprintln!("tamis: {learned} pages learned{left_out}{not_read}");
        Ok(match (learned, failed + without_site) {
            (_, 1..) => ExitCode::from(2),
            (0, _) => ExitCode::from(1),
            _ => ExitCode::SUCCESS,
        })
    }

    fn jobs(&self) -> Result<Vec<Job>> {
        if let Some(list) = &self.list {
            return jobs::from_list(list);
        }
        let mut list: Vec<Job> = self.pages.iter().map(|page| Job::named(page)).collect();
        if list.is_empty() {
            list.push(Job::unnamed());
        }
        match (&self.url, list.as_mut_slice()) {
            (Some(url), [job]) => job.url = Some(url.clone()),
            (Some(_), many) => {
                bail!(
                    "--url names the address of one page, but {} were given: use --list for many",
                    many.len()
                )
            }
            (None, _) => {}
        }
        Ok(list)
    }
}
