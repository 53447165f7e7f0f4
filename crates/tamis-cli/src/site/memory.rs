//! `--sites`, `--site` and `--learn`: what is known about the site of a page.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use anyhow::{Context, Result};
use tamis_batch::{KnownSites, StoredSites, in_order};
use tamis_methods::Selection;
use tamis_site::{Known, Learner, SiteKey};

use crate::console::warning;
use crate::flags::{SiteFlag, SitesFlag};
use crate::jobs::Job;
use crate::model::site_methods;
use crate::pipeline::Pipeline;

/// A site memory in use.
pub(crate) struct Memory {
    file: PathBuf,
    site: Option<SiteKey>,
    learner: Option<Mutex<Learner>>,
    sites: RwLock<StoredSites>,
    /// Whether it was reported that a page has no site data.
    reported: AtomicBool,
}

impl Memory {
    /// Pages that are learned before the first of them is extracted.
    pub(crate) const BATCH: usize = 200;

    /// Nothing if `--sites` is not given.
    pub(crate) fn open(
        sites: &SitesFlag,
        site: &SiteFlag,
        learn: bool,
        method: Selection,
    ) -> Result<Option<Memory>> {
        let Some(file) = &sites.sites else { return Ok(None) };
        if !method.uses_site() {
            warning!("the method {method} does not use site memory; those that do are {}", site_methods());
        }
        let learner = match learn {
            true => Some(Mutex::new(Learner::new(file)?.batch_size(usize::MAX))),
            false => None,
        };
        Ok(Some(Memory {
            file: file.clone(),
            site: site.site.as_deref().map(named).transpose()?,
            learner,
            sites: RwLock::new(StoredSites::open(file.clone())?),
            reported: AtomicBool::new(!method.uses_site()),
        }))
    }

    pub(crate) fn learns(&self) -> bool {
        self.learner.is_some()
    }

    /// Learns pages, and returns them with their bytes at hand. A page that cannot be read is returned as it was: it
    /// fails again when it is extracted, and is reported then.
    pub(crate) fn learn(&self, pages: &[Job], pipeline: &Pipeline, threads: usize) -> Result<Vec<Job>> {
        let Some(learner) = &self.learner else { return Ok(pages.to_vec()) };
        let mut learner = learner.lock().unwrap_or_else(PoisonError::into_inner);
        let mut held = Vec::with_capacity(pages.len());
        let work = |job: &Job| {
            let page = pipeline.load(job).ok()?;
            let record = pipeline.observe(job, &page, self.site.as_ref()).ok().flatten();
            Some((job.held(page.raw), record))
        };
        in_order(pages, threads, work, |job, read| -> Result<()> {
            let Some((with_bytes, record)) = read else {
                held.push(job.clone());
                return Ok(());
            };
            held.push(with_bytes);
            if let Some((site, record)) = record {
                learner.take(site, record)?;
            }
            Ok(())
        })?;
        learner.flush()?;
        // What was counted before is out of date.
        *self.sites.write().unwrap_or_else(PoisonError::into_inner) = StoredSites::open(self.file.clone())?;
        Ok(held)
    }

    /// What is known about the site of a page, if anything.
    pub(crate) fn known(&self, job: &Job, url: Option<&str>) -> Result<Option<Known>> {
        let Some(site) = site_of(job, self.site.as_ref(), url) else {
            self.report(job, "its site is unknown; pass --url or --site, or a list with url or site");
            return Ok(None);
        };
        let known = self.sites.read().unwrap_or_else(PoisonError::into_inner).known(&site)?;
        if known.is_none() {
            let file = self.file.display();
            self.report(
                job,
                &format!("{file} does not contain {site}; see `tamis site list --sites {file}`"),
            );
        }
        Ok(known)
    }

    /// Reports the first page without site data only: there may be very many.
    fn report(&self, job: &Job, why: &str) {
        if !self.reported.swap(true, Ordering::Relaxed) {
            warning!("no site data for {} (further pages not reported): {why}", job.label());
        }
    }
}

/// A key that the user has given.
pub(super) fn named(site: &str) -> Result<SiteKey> {
    SiteKey::named(site).with_context(|| format!("{site:?} cannot name a site: give some words on one line"))
}

/// The site of a page: from `--site`, from the list, or from the URL.
pub(crate) fn site_of(job: &Job, site: Option<&SiteKey>, url: Option<&str>) -> Option<SiteKey> {
    let listed = || job.site.as_deref().and_then(SiteKey::named);
    site.cloned().or_else(listed).or_else(|| url.and_then(SiteKey::from_url))
}
