//! `--memory FILE`, `--learn` and `--site KEY` of `tamis extract` and, but for learning, of `tamis explain`: what is known of a page's site while it is judged.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use tamis::Extractor;
use tamis_methods::Selection;
use tamis_site::{Learner, PageRecord, SiteKey, Store};

use crate::fetch::Bounds;
use crate::jobs::{self, Job};
use crate::model::site_methods;

/// Sites that are held counted out. A list is mostly in the order of its sites.
const SITES_HELD: usize = 32;

/// What is known of sites.
#[derive(Args)]
pub(crate) struct Memory {
    /// What is known of the pages' sites, from `tamis site learn`, for the methods that use it (fused, lines, template-svm).
    #[arg(long, value_name = "FILE", conflicts_with = "site_pages")]
    memory: Option<PathBuf>,

    /// Learn the pages into the memory as well.
    ///
    /// Pages are learned before they are judged, 200 at a time, and a page never counts for itself.
    #[arg(long, requires = "memory")]
    learn: bool,

    /// The site that the pages belong to; else their addresses say.
    #[arg(long, value_name = "KEY", requires = "memory")]
    site: Option<String>,
}

/// A memory in use.
pub(crate) struct Known {
    file: PathBuf,
    site: Option<SiteKey>,
    learner: Option<Mutex<Learner>>,
    encoding: Option<String>,
    extractor: Extractor,
    bounds: Bounds,
    threads: usize,
    /// Has it been said that a page belongs to no site, or to one that is not known?
    told: AtomicBool,
    sites: Mutex<HashMap<SiteKey, Option<tamis_site::Known>>>,
}

impl Memory {
    /// One that is only read.
    pub(crate) fn to_read(file: PathBuf, site: Option<String>) -> Memory {
        Memory { memory: Some(file), learn: false, site }
    }

    /// Nothing where no memory is asked for.
    pub(crate) fn known(
        &self,
        method: Selection,
        encoding: Option<&str>,
        bounds: Bounds,
        threads: usize,
    ) -> Result<Option<Known>> {
        let Some(file) = &self.memory else { return Ok(None) };
        if !method.uses_site() {
            eprintln!(
                "tamis: warning: the method {method} makes no use of a site memory; those that do are {}",
                site_methods()
            );
        }
        let site = self.site.as_deref().map(named).transpose()?;
        let learner = if self.learn {
            Some(Mutex::new(Learner::new(file)?.batch_size(usize::MAX)))
        } else {
            // Whether it can be read is better known before the first page than with it.
            drop(Store::open_read_only(file)?);
            None
        };
        Ok(Some(Known {
            file: file.clone(),
            site,
            learner,
            encoding: encoding.map(str::to_owned),
            extractor: Extractor::new(),
            bounds,
            threads,
            told: AtomicBool::new(!method.uses_site()),
            sites: Mutex::default(),
        }))
    }
}

/// A key that a person has given.
pub(super) fn named(site: &str) -> Result<SiteKey> {
    SiteKey::named(site).with_context(|| format!("{site:?} cannot name a site: give some words on one line"))
}

/// The site of a page: as was said for all, as the list says, or as its address says.
pub(super) fn site_of(job: &Job, site: Option<&SiteKey>, url: Option<&str>) -> Option<SiteKey> {
    let listed = || job.site.as_deref().and_then(SiteKey::named);
    site.cloned().or_else(listed).or_else(|| url.and_then(SiteKey::from_url))
}

/// The record of a page with the site that it belongs to; nothing where no site is known. What is not a page is an error.
pub(super) fn record(
    job: &Job,
    fetched: &jobs::Fetched,
    extractor: &Extractor,
    encoding: Option<&str>,
    site: Option<&SiteKey>,
) -> Result<Option<(SiteKey, PageRecord)>> {
    let url = job.url_of(fetched);
    let Some(site) = site_of(job, site, url.as_deref()) else { return Ok(None) };
    let input = fetched.input(url.as_deref(), encoding);
    let record = extractor.parse_with(input, |page| PageRecord::of(page, url.as_deref()));
    Ok(Some((site, record.map_err(jobs::explained).with_context(|| job.label())?)))
}

impl Known {
    /// Pages that are learned before the first of them is judged.
    pub(crate) const AT_ONCE: usize = 200;

    pub(crate) fn learns(&self) -> bool {
        self.learner.is_some()
    }

    /// Learns pages, and gives them back with their bytes at hand. A page that cannot be read is given back as it was:
    /// it fails again, and then it is reported.
    pub(crate) fn learn(&self, some: &[Job]) -> Result<Vec<Job>> {
        let Some(learner) = &self.learner else { return Ok(some.to_vec()) };
        let mut learner = learner.lock().unwrap_or_else(PoisonError::into_inner);
        let mut held = Vec::with_capacity(some.len());
        let work = |job: &Job| {
            let fetched = job.read(self.bounds).ok()?;
            let encoding = self.encoding.as_deref();
            let record = record(job, &fetched, &self.extractor, encoding, self.site.as_ref()).ok().flatten();
            Some((job.held(fetched), record))
        };
        jobs::in_order(some, self.threads, work, |job, read| {
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
        self.lock().clear();
        Ok(held)
    }

    /// The memory of the page's site, if the site is known.
    pub(crate) fn site_for(&self, job: &Job, url: Option<&str>) -> Result<Option<tamis_site::Known>> {
        let Some(site) = site_of(job, self.site.as_ref(), url) else {
            self.tell(job, || {
                "no address says which site it belongs to: give --url, --site, or a list with url or site"
                    .to_owned()
            });
            return Ok(None);
        };
        let mut sites = self.lock();
        if !sites.contains_key(&site) {
            let known = load(&self.file, &site)?;
            if sites.len() >= SITES_HELD {
                sites.clear();
            }
            sites.insert(site.clone(), known);
        }
        let known = sites.get(&site).cloned().flatten();
        drop(sites);
        if known.is_none() {
            let file = self.file.display();
            self.tell(job, || {
                format!("{file} knows nothing of its site {site}: `tamis site list --memory {file}`")
            });
        }
        Ok(known)
    }

    /// Says of the first page for which the memory is of no use why that is so. There may be very many.
    fn tell(&self, job: &Job, why: impl FnOnce() -> String) {
        if !self.told.swap(true, Ordering::Relaxed) {
            eprintln!(
                "tamis: warning: the memory is of no use for {} (and others like it): {}",
                job.label(),
                why()
            );
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<SiteKey, Option<tamis_site::Known>>> {
        self.sites.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn load(file: &Path, site: &SiteKey) -> Result<Option<tamis_site::Known>> {
    // The file is not held open, so that others can learn into it meanwhile.
    let memory = Store::reopen_read_only(file, Duration::from_secs(60))?.get(site)?;
    Ok(memory.map(|memory| memory.known()))
}
