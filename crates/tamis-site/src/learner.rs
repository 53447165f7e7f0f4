//! Filling a store from many pages, in batches and concurrently with other processes.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::key::SiteKey;
use crate::record::PageRecord;
use crate::store::{Error, Store};

/// Pages per batch.
const BATCH: usize = 1_000;
/// Sites whose largest wanted key is cached.
const SITES: usize = 50_000;

/// Writes pages of any sites to a file in batches.
///
/// The file is open only while a batch is written, so that other processes can read it or learn into it in between.
/// Since profiles merge, the order does not matter.
///
/// ```
/// use tamis::page::Page;
/// use tamis_site::{Learner, PageRecord, SiteKey, Store};
///
/// # let folder = std::env::temp_dir().join(format!("tamis-learner-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let file = folder.join("memory.redb");
/// let mut learner = Learner::new(&file)?.batch_size(200);
/// let url = "https://example.com/rain";
/// let key = SiteKey::from_url(url).unwrap();
/// if learner.wants(&key, Some(url)) {
///     learner.take(key.clone(), PageRecord::of(&Page::parse("<p>It rained."), Some(url)))?;
/// }
/// learner.flush()?;
/// assert_eq!(learner.written(), 1);
/// assert_eq!(Store::open_read_only(&file)?.get(&key)?.unwrap().len(), 1);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Learner {
    path: PathBuf,
    timeout: Duration,
    batch_size: usize,
    batch: BTreeMap<SiteKey, Vec<PageRecord>>,
    waiting: usize,
    /// The largest wanted key of each full site.
    full_at: HashMap<SiteKey, u64>,
    written: u64,
}

impl Learner {
    /// Learns into a file, which is created if necessary.
    pub fn new(path: &Path) -> Result<Learner, Error> {
        let timeout = Duration::from_secs(60);
        drop(Store::open_within(path, timeout)?);
        Ok(Learner {
            path: path.to_owned(),
            timeout,
            batch_size: BATCH,
            batch: BTreeMap::new(),
            waiting: 0,
            full_at: HashMap::new(),
            written: 0,
        })
    }

    /// Pages per batch. Default: 1,000. Pages of an unwritten batch are lost if the process ends.
    #[must_use]
    pub fn batch_size(mut self, pages: usize) -> Learner {
        self.batch_size = pages.max(1);
        self
    }

    /// Whether a page can become part of the sample of its site. Most pages of a large site cannot, which is known from
    /// their URL without reading them.
    pub fn wants(&self, site: &SiteKey, url: Option<&str>) -> bool {
        url.is_none_or(|url| self.wants_key(site, PageRecord::key_of_url(url)))
    }

    fn wants_key(&self, site: &SiteKey, key: u64) -> bool {
        self.full_at.get(site).is_none_or(|last| key <= *last)
    }

    /// Adds a page, and writes the batch if it is full.
    pub fn take(&mut self, site: SiteKey, record: PageRecord) -> Result<(), Error> {
        if !self.wants_key(&site, record.key()) {
            return Ok(());
        }
        self.batch.entry(site).or_default().push(record);
        self.waiting += 1;
        if self.waiting >= self.batch_size { self.flush() } else { Ok(()) }
    }

    /// Writes the batch.
    pub fn flush(&mut self) -> Result<(), Error> {
        if self.waiting == 0 {
            return Ok(());
        }
        let store = Store::reopen(&self.path, self.timeout)?;
        store.learn(self.batch.iter().map(|(site, records)| (site, records.as_slice())))?;
        if self.full_at.len() > SITES {
            self.full_at.clear();
        }
        for site in std::mem::take(&mut self.batch).into_keys() {
            match store.full_at(&site)? {
                Some(last) => _ = self.full_at.insert(site, last),
                None => _ = self.full_at.remove(&site),
            }
        }
        self.written += self.waiting as u64;
        self.waiting = 0;
        Ok(())
    }

    /// The number of written pages, without unwanted ones.
    pub fn written(&self) -> u64 {
        self.written
    }
}
