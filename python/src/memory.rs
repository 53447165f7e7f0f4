//! `SiteMemory`: the memory of many sites in one object, which can be stored in a column.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tamis_batch::{Memories, PageIn, Work, arrow::Pages};
use tamis_site::{PageRecord, SiteKey, SiteProfile, Store, exchange};

use crate::batch::{input_fields, taken};
use crate::document::with_html;
use crate::errors;

/// Texts that sites repeat from page to page, for many sites.
///
/// Memories merge in any order with the same result, so you can learn on many machines and then merge.
#[pyclass(name = "SiteMemory", module = "tamis", frozen, skip_from_py_object)]
#[derive(Default)]
pub(crate) struct PySiteMemory {
    // Several Python threads may query and update a memory while none of them holds the GIL.
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    sites: BTreeMap<SiteKey, SiteProfile>,
    /// The form that extraction uses; computed on first use, and again after a change.
    known: Option<Arc<Memories>>,
}

impl Inner {
    fn take(&mut self, site: SiteKey, record: PageRecord) {
        self.known = None;
        self.sites.entry(site).or_default().insert(record);
    }

    fn merge_site(&mut self, site: SiteKey, memory: &SiteProfile) {
        self.known = None;
        match self.sites.get_mut(&site) {
            Some(known) => known.merge(memory),
            None => _ = self.sites.insert(site, memory.clone()),
        }
    }
}

impl PySiteMemory {
    fn of(sites: impl IntoIterator<Item = (SiteKey, SiteProfile)>) -> PySiteMemory {
        let inner = Inner { sites: sites.into_iter().collect(), known: None };
        PySiteMemory { inner: Mutex::new(inner) }
    }

    /// The holder of the lock must not wait for the GIL.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn known(&self) -> Arc<Memories> {
        let mut inner = self.lock();
        let Inner { sites, known } = &mut *inner;
        let copy = || sites.iter().map(|(key, memory)| (key.clone(), memory.clone())).collect();
        known.get_or_insert_with(|| Arc::new(Memories::new(copy()))).clone()
    }
}

fn key(site: &str) -> PyResult<SiteKey> {
    SiteKey::named(site).ok_or_else(|| PyKeyError::new_err(format!("{site:?} cannot name a site")))
}

/// The key of the site that a URL belongs to.
#[pyfunction]
pub(crate) fn site_of(url: &str) -> Option<String> {
    SiteKey::from_url(url).map(|key| key.to_string())
}

#[pymethods]
impl PySiteMemory {
    #[new]
    fn new() -> PySiteMemory {
        PySiteMemory::default()
    }

    /// Learn a page. False if neither `url` nor `site` determines its site.
    #[pyo3(signature = (html, url=None, *, site=None))]
    fn observe(
        &self,
        py: Python<'_>,
        html: &Bound<'_, PyAny>,
        url: Option<&str>,
        site: Option<&str>,
    ) -> PyResult<bool> {
        let Some(site) = site.map(key).transpose()?.or_else(|| url.and_then(SiteKey::from_url)) else {
            return Ok(false);
        };
        let work = Work::default();
        let record = with_html(py, html, |html| work.observe(&PageIn { url, ..PageIn::of(html) }))?;
        let record = record.map_err(errors::of_page)?;
        self.lock().take(site, record);
        Ok(true)
    }

    /// Learn the pages of a batch and return their number. The GIL is released.
    #[pyo3(signature = (batch, *, html="html", url="url"))]
    fn observe_batch(
        &self,
        py: Python<'_>,
        batch: &Bound<'_, PyAny>,
        html: &str,
        url: &str,
    ) -> PyResult<usize> {
        let (batch, fields) = (taken(batch)?, input_fields(html, url, "id", None)?);
        let learned = py.detach(|| -> Result<usize, String> {
            let pages = Pages::of(&batch, &fields).map_err(|error| error.to_string())?;
            let work = Work::default();
            let mut learned = 0;
            for page in (0..batch.num_rows()).filter_map(|number| pages.get(number)) {
                let Some(site) = page.url.and_then(SiteKey::from_url) else { continue };
                // A full memory can tell by the URL whether the page would be in the sample.
                let is_wanted = |url: &str| {
                    let inner = self.lock();
                    let known = inner.sites.get(&site);
                    known.is_none_or(|known| known.has_room_for(PageRecord::key_of_url(url)))
                };
                if page.url.is_some_and(is_wanted) {
                    let Ok(record) = work.observe(&page) else { continue };
                    self.lock().take(site, record);
                }
                learned += 1;
            }
            Ok(learned)
        });
        learned.map_err(errors::of_batch)
    }

    /// Merge another memory into this one.
    fn merge(&self, other: &PySiteMemory) {
        // A copy, since both may be the same object, or be merged into each other concurrently.
        let others = other.lock().sites.clone();
        let mut inner = self.lock();
        others.into_iter().for_each(|(site, memory)| inner.merge_site(site, &memory));
    }

    /// The keys of all sites, in order.
    fn sites(&self) -> Vec<String> {
        self.lock().sites.keys().map(ToString::to_string).collect()
    }

    /// The number of stored pages of a site.
    fn pages(&self, site: &str) -> PyResult<usize> {
        Ok(self.lock().sites.get(&key(site)?).map_or(0, SiteProfile::len))
    }

    /// The memory of one site.
    fn only(&self, site: &str) -> PyResult<PySiteMemory> {
        let key = key(site)?;
        Ok(PySiteMemory::of(self.lock().sites.get(&key).map(|memory| (key, memory.clone()))))
    }

    /// Serialise to bytes, for files, messages and binary columns.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut lines = Vec::new();
        exchange::write_head(&mut lines).map_err(errors::of_memory)?;
        for (site, memory) in &self.lock().sites {
            exchange::write(&mut lines, site, memory).map_err(errors::of_memory)?;
        }
        Ok(PyBytes::new(py, &lines))
    }

    /// Read the output of `to_bytes`; concatenated outputs are merged.
    #[staticmethod]
    fn from_bytes(data: &[u8]) -> PyResult<PySiteMemory> {
        let mut all = Inner::default();
        exchange::read(data, |site, memory| all.merge_site(site, &memory)).map_err(errors::of_memory)?;
        Ok(PySiteMemory::of(all.sites))
    }

    /// Read a file written by `tamis site learn`.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<PySiteMemory> {
        let read = || -> Result<PySiteMemory, tamis_site::Error> {
            let store = Store::open_read_only(&path)?;
            let mut all = BTreeMap::new();
            for site in store.sites()? {
                if let Some(memory) = store.get(&site.key)? {
                    all.insert(site.key, memory);
                }
            }
            Ok(PySiteMemory::of(all))
        };
        read().map_err(errors::of_memory)
    }

    /// Merge into a file, which is created if it does not exist.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let write = || -> Result<(), tamis_site::Error> {
            let store = Store::open(&path)?;
            self.lock().sites.iter().try_for_each(|(site, memory)| store.merge(site, memory))
        };
        write().map_err(errors::of_memory)
    }

    fn __len__(&self) -> usize {
        self.lock().sites.len()
    }

    fn __contains__(&self, site: &str) -> bool {
        SiteKey::named(site).is_some_and(|key| self.lock().sites.contains_key(&key))
    }

    fn __eq__(&self, other: &PySiteMemory) -> bool {
        // Both may be the same object, so lock one after the other.
        let own = self.lock().sites.clone();
        own == other.lock().sites
    }

    fn __repr__(&self) -> String {
        format!("<tamis.SiteMemory of {} sites>", self.lock().sites.len())
    }

    /// For pickle, which Spark and Ray use to send objects to workers.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let from_bytes = py.get_type::<PySiteMemory>().getattr("from_bytes")?;
        Ok((from_bytes, (self.to_bytes(py)?,)))
    }
}
