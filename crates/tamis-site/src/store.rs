//! The file with the profiles of many sites.
//!
//! A page is a row, keyed by site and page, so learning writes only new pages. Changes are atomic and survive crashes
//! of the process or the machine (`redb` is copy-on-write).
//!
//! Within a process, any number of threads may read while one writes. Between processes, the file has one writer or
//! several readers at a time; others wait up to a timeout and then get [`Error::InUse`].
//!
//! The whole file is checked when it is opened, and damage is reported.

mod error;
mod open;
mod rows;
mod verify;

use std::path::{Path, PathBuf};
use std::time::Duration;

use redb::{Database, ReadOnlyDatabase, ReadTransaction, ReadableDatabase, ReadableTable};

pub use self::error::Error;
use self::error::{ResultOf, damaged};
use self::open::Check;
use self::rows::{OVERRIDES, PAGES, SITES, Summary, every_override, every_page};
use crate::codec;
use crate::key::SiteKey;
use crate::profile::{self, SiteProfile};
use crate::record::PageRecord;

/// A file of profiles.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    database: Opened,
}

enum Opened {
    Writable(Box<Database>),
    ReadOnly(Box<ReadOnlyDatabase>),
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if matches!(self, Opened::Writable(_)) { "Writable" } else { "ReadOnly" })
    }
}

/// The summary of a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteSummary {
    /// The site.
    pub key: SiteKey,
    /// Pages in the sample.
    pub pages: u64,
    /// Pages seen, possibly an estimate.
    pub pages_seen: u64,
    /// Overrides.
    pub judged: u64,
    /// Bytes of its pages.
    pub bytes: u64,
}

/// The default timeout.
const TIMEOUT: Duration = Duration::from_secs(10);

impl Store {
    /// Opens a file for reading and writing; creates it if necessary. Waits up to ten seconds for other processes.
    pub fn open(path: &Path) -> Result<Store, Error> {
        Store::open_within(path, TIMEOUT)
    }

    /// [`Store::open`] with another timeout.
    pub fn open_within(path: &Path, timeout: Duration) -> Result<Store, Error> {
        Store::writable(path, timeout, Check::Whole)
    }

    /// [`Store::open_within`] without the check, which takes a second for some hundred megabytes. For a process that
    /// has opened the file before.
    pub fn reopen(path: &Path, timeout: Duration) -> Result<Store, Error> {
        Store::writable(path, timeout, Check::Trusted)
    }

    fn writable(path: &Path, timeout: Duration, check: Check) -> Result<Store, Error> {
        let database = open::writable(path, timeout, check)?;
        Ok(Store { path: path.to_owned(), database: Opened::Writable(Box::new(database)) })
    }

    /// Opens a file for reading, possibly by several processes. Waits up to ten seconds for a writer.
    pub fn open_read_only(path: &Path) -> Result<Store, Error> {
        Store::readable(path, TIMEOUT, Check::Whole)
    }

    /// [`Store::open_read_only`] without the check, for a process that has opened the file before.
    pub fn reopen_read_only(path: &Path, timeout: Duration) -> Result<Store, Error> {
        Store::readable(path, timeout, Check::Trusted)
    }

    fn readable(path: &Path, timeout: Duration, check: Check) -> Result<Store, Error> {
        let database = open::read_only(path, timeout, check)?;
        Ok(Store { path: path.to_owned(), database: Opened::ReadOnly(Box::new(database)) })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The sites by key.
    pub fn sites(&self) -> Result<Vec<SiteSummary>, Error> {
        let transaction = self.read()?;
        let sites = transaction.open_table(SITES).of(&self.path)?;
        let mut list = Vec::new();
        for row in sites.iter().of(&self.path)? {
            let (key, summary) = row.of(&self.path)?;
            let summary = Summary::from(summary.value());
            list.push(SiteSummary {
                key: self.key(key.value())?,
                pages: summary.pages,
                pages_seen: profile::pages_seen(
                    summary.pages as usize,
                    summary.capacity as usize,
                    summary.last,
                ),
                judged: summary.overrides,
                bytes: summary.bytes,
            });
        }
        Ok(list)
    }

    /// The profile of a site, if there is one.
    pub fn get(&self, site: &SiteKey) -> Result<Option<SiteProfile>, Error> {
        let transaction = self.read()?;
        let sites = transaction.open_table(SITES).of(&self.path)?;
        let Some(summary) = sites.get(site.as_str()).of(&self.path)? else { return Ok(None) };
        let summary = Summary::from(summary.value());
        let mut memory = SiteProfile::with_capacity(summary.capacity as usize);
        let pages = transaction.open_table(PAGES).of(&self.path)?;
        for row in pages.range(every_page(site)).of(&self.path)? {
            let (key, bytes) = row.of(&self.path)?;
            let record =
                codec::decode(key.value().1, bytes.value()).map_err(|why| self.damaged(site, why))?;
            memory.insert(record);
        }
        if memory.len() as u64 != summary.pages {
            return Err(damaged(&self.path, format!("pages of {site} are missing")));
        }
        let overrides = transaction.open_table(OVERRIDES).of(&self.path)?;
        for row in overrides.range(every_override(site)).of(&self.path)? {
            let (key, bytes) = row.of(&self.path)?;
            let digest = key.value().1;
            let entry =
                rows::decode_override(digest, bytes.value()).map_err(|why| self.damaged(site, why))?;
            memory.put_override(digest, entry);
        }
        Ok(Some(memory))
    }

    /// The largest wanted key of a site; `None` while there is room.
    pub(crate) fn full_at(&self, site: &SiteKey) -> Result<Option<u64>, Error> {
        let transaction = self.read()?;
        let sites = transaction.open_table(SITES).of(&self.path)?;
        let summary = sites.get(site.as_str()).of(&self.path)?.map(|summary| Summary::from(summary.value()));
        Ok(summary.filter(|summary| summary.pages >= summary.capacity).map(|summary| summary.last))
    }

    /// Adds pages of sites, atomically.
    pub fn learn<'r>(
        &self,
        pages: impl IntoIterator<Item = (&'r SiteKey, &'r [PageRecord])>,
    ) -> Result<(), Error> {
        self.write(|change| {
            pages.into_iter().try_for_each(|(site, records)| change.add(site, None, records.iter()))
        })
    }

    /// Merges a profile of a site.
    pub fn merge(&self, site: &SiteKey, memory: &SiteProfile) -> Result<(), Error> {
        self.write(|change| {
            change.add(site, Some(memory.capacity()), memory.records())?;
            change.put_overrides(site, memory.overrides())
        })
    }

    /// Merges another file; returns its number of sites.
    pub fn merge_all(&self, other: &Store) -> Result<usize, Error> {
        let sites = other.sites()?;
        for site in &sites {
            if let Some(memory) = other.get(&site.key)? {
                self.merge(&site.key, &memory)?;
            }
        }
        Ok(sites.len())
    }

    /// Removes a site and its overrides; returns whether there was one.
    pub fn forget(&self, site: &SiteKey) -> Result<bool, Error> {
        let mut there = false;
        self.write(|change| {
            there = change.forget(site)?;
            Ok(())
        })?;
        Ok(there)
    }

    /// Shrinks the file.
    pub fn compact(&mut self) -> Result<(), Error> {
        let Opened::Writable(database) = &mut self.database else {
            return Err(Error::ReadOnly { path: self.path.clone() });
        };
        // Returns whether another pass may help.
        while database.compact().of(&self.path)? {}
        Ok(())
    }

    fn read(&self) -> Result<ReadTransaction, Error> {
        match &self.database {
            Opened::Writable(database) => database.begin_read(),
            Opened::ReadOnly(database) => database.begin_read(),
        }
        .of(&self.path)
    }

    fn write(&self, work: impl FnOnce(&mut rows::Change<'_>) -> Result<(), Error>) -> Result<(), Error> {
        let Opened::Writable(database) = &self.database else {
            return Err(Error::ReadOnly { path: self.path.clone() });
        };
        let transaction = database.begin_write().of(&self.path)?;
        {
            let mut change = rows::Change::new(&transaction, &self.path)?;
            work(&mut change)?;
        }
        transaction.commit().of(&self.path)
    }

    fn key(&self, text: &str) -> Result<SiteKey, Error> {
        SiteKey::named(text).ok_or_else(|| damaged(&self.path, "a site has no name".to_owned()))
    }

    fn damaged(&self, site: &SiteKey, why: codec::Damaged) -> Error {
        damaged(&self.path, format!("in the pages of {site}, {why}"))
    }
}
