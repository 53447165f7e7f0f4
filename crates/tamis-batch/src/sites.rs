//! Site memory of a run: from a file, or from memories in RAM.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tamis_site::{Error, Known, SiteKey, SiteProfile, Store};

/// Sites held in the cache. Each takes about a megabyte, six at most.
const SITES_HELD: usize = 24;

/// A source of site memory.
pub trait KnownSites: Send + Sync {
    /// The memory of a site; `None` if it is unknown.
    fn known(&self, site: &SiteKey) -> Result<Option<Known>, Error>;

    /// The memory of a URL's site.
    fn known_for(&self, url: &str) -> Result<Option<Known>, Error> {
        SiteKey::from_url(url).map_or(Ok(None), |site| self.known(&site))
    }
}

/// The sites of a file, with a cache.
#[derive(Debug)]
pub struct StoredSites {
    file: PathBuf,
    held: Held,
}

impl StoredSites {
    /// Opens the file once, so that errors are reported early.
    pub fn open(file: PathBuf) -> Result<StoredSites, Error> {
        drop(Store::open_read_only(&file)?);
        Ok(StoredSites { file, held: Held::default() })
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Removes a site from the cache: its memory has changed.
    pub fn forget(&self, site: &SiteKey) {
        self.held.0.lock().unwrap_or_else(PoisonError::into_inner).1.remove(site);
    }
}

impl KnownSites for StoredSites {
    fn known(&self, site: &SiteKey) -> Result<Option<Known>, Error> {
        self.held.get(site, || {
            // Not kept open, so that other processes can learn into it meanwhile.
            let memory = Store::reopen_read_only(&self.file, Duration::from_secs(60))?.get(site)?;
            Ok(memory.map(|memory| memory.known()))
        })
    }
}

/// Memories in RAM, by site key.
#[derive(Debug, Default)]
pub struct Memories {
    sites: HashMap<SiteKey, SiteProfile>,
    held: Held,
}

impl Memories {
    /// Uses these memories.
    pub fn new(sites: HashMap<SiteKey, SiteProfile>) -> Memories {
        Memories { sites, held: Held::default() }
    }
}

impl KnownSites for Memories {
    fn known(&self, site: &SiteKey) -> Result<Option<Known>, Error> {
        self.held.get(site, || Ok(self.sites.get(site).map(SiteProfile::known)))
    }
}

/// The sites used last.
#[derive(Debug, Default)]
struct Held(Mutex<(u64, Loaded)>);

/// The memory of a site, and when it was used last.
type Loaded = HashMap<SiteKey, (u64, Option<Known>)>;

impl Held {
    fn get(
        &self,
        site: &SiteKey,
        load: impl FnOnce() -> Result<Option<Known>, Error>,
    ) -> Result<Option<Known>, Error> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.0 += 1;
        let now = held.0;
        if let Some((last, known)) = held.1.get_mut(site) {
            *last = now;
            return Ok(known.clone());
        }
        drop(held);
        // Unlocked, so that other threads continue; that two load the same site is rare and harmless.
        let known = load()?;
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.1.len() >= SITES_HELD
            && let Some(oldest) =
                held.1.iter().min_by_key(|(_, (last, _))| *last).map(|(site, _)| site.clone())
        {
            held.1.remove(&oldest);
        }
        held.1.insert(site.clone(), (now, known.clone()));
        Ok(known)
    }
}
