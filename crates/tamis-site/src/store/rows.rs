//! The tables of the file, and changes of rows.

use std::ops::RangeInclusive;
use std::path::Path;

use redb::{ReadableTable, Table, TableDefinition, WriteTransaction};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::error::{Error, ResultOf, damaged};
use crate::codec::{self, Damaged};
use crate::key::SiteKey;
use crate::overrides::{Decision, MAX_OVERRIDES, Override, Overrides};
use crate::profile::{DEFAULT_CAPACITY, MAX_CAPACITY};
use crate::record::PageRecord;

/// The format version. Raise it with changes that older versions cannot read.
pub(super) const SCHEMA: u64 = 2;
pub(super) const SCHEMA_NAME: &str = "tamis site memory";

pub(super) const META: TableDefinition<'_, &str, u64> = TableDefinition::new("meta");
pub(super) const SITES: TableDefinition<'_, &str, SummaryRow> = TableDefinition::new("sites");
pub(super) const PAGES: TableDefinition<'_, (&str, u64), &[u8]> = TableDefinition::new("pages");
pub(super) const OVERRIDES: TableDefinition<'_, (&str, u128), &[u8]> = TableDefinition::new("words");

/// Capacity, pages, last key, bytes, overrides.
pub(super) type SummaryRow = (u64, u64, u64, u64, u64);

/// The summary of a site.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary {
    pub(super) capacity: u64,
    pub(super) pages: u64,
    /// The largest key of its pages.
    pub(super) last: u64,
    pub(super) bytes: u64,
    pub(super) overrides: u64,
}

impl From<SummaryRow> for Summary {
    fn from((capacity, pages, last, bytes, overrides): SummaryRow) -> Summary {
        Summary { capacity: capacity.clamp(1, MAX_CAPACITY as u64), pages, last, bytes, overrides }
    }
}

impl Summary {
    fn row(self) -> SummaryRow {
        (self.capacity, self.pages, self.last, self.bytes, self.overrides)
    }
}

pub(super) fn every_page(site: &SiteKey) -> RangeInclusive<(&str, u64)> {
    (site.as_str(), 0)..=(site.as_str(), u64::MAX)
}

pub(super) fn every_override(site: &SiteKey) -> RangeInclusive<(&str, u128)> {
    (site.as_str(), 0)..=(site.as_str(), u128::MAX)
}

/// The tables of a write transaction.
pub(super) struct Change<'t> {
    path: &'t Path,
    sites: Table<'t, &'static str, SummaryRow>,
    pages: Table<'t, (&'static str, u64), &'static [u8]>,
    overrides: Table<'t, (&'static str, u128), &'static [u8]>,
}

impl<'t> Change<'t> {
    pub(super) fn new(transaction: &'t WriteTransaction, path: &'t Path) -> Result<Change<'t>, Error> {
        Ok(Change {
            path,
            sites: transaction.open_table(SITES).of(path)?,
            pages: transaction.open_table(PAGES).of(path)?,
            overrides: transaction.open_table(OVERRIDES).of(path)?,
        })
    }

    fn summary(&self, site: &SiteKey) -> Result<Option<Summary>, Error> {
        let row = self.sites.get(site.as_str()).of(self.path)?;
        Ok(row.map(|row| Summary::from(row.value())))
    }

    /// Adds pages to a site as [`SiteProfile::merge`](crate::SiteProfile::merge) does.
    pub(super) fn add<'r>(
        &mut self,
        site: &SiteKey,
        capacity: Option<usize>,
        records: impl Iterator<Item = &'r PageRecord>,
    ) -> Result<(), Error> {
        let asked = capacity.unwrap_or(MAX_CAPACITY) as u64;
        let mut summary = self.summary(site)?.unwrap_or(Summary {
            capacity: capacity.unwrap_or(DEFAULT_CAPACITY) as u64,
            pages: 0,
            last: 0,
            bytes: 0,
            overrides: 0,
        });
        summary.capacity = summary.capacity.min(asked);
        for record in records {
            if summary.pages >= summary.capacity && record.key > summary.last {
                continue;
            }
            let key = (site.as_str(), record.key);
            let known = match self.pages.get(key).of(self.path)? {
                Some(row) => {
                    let known = codec::decode(record.key, row.value());
                    let known =
                        known.map_err(|why| damaged(self.path, format!("in the pages of {site}, {why}")))?;
                    if known <= *record {
                        continue;
                    }
                    row.value().len() as u64
                }
                None => 0,
            };
            let bytes = codec::encode(record);
            self.pages.insert(key, bytes.as_slice()).of(self.path)?;
            summary.pages += u64::from(known == 0);
            summary.bytes = summary.bytes + bytes.len() as u64 - known;
            summary.last = summary.last.max(record.key);
            self.trim(site, &mut summary)?;
        }
        self.trim(site, &mut summary)?;
        self.sites.insert(site.as_str(), summary.row()).of(self.path)?;
        Ok(())
    }

    /// Removes excess pages with the largest keys.
    fn trim(&mut self, site: &SiteKey, summary: &mut Summary) -> Result<(), Error> {
        while summary.pages > summary.capacity {
            let last =
                self.last(site)?.ok_or_else(|| damaged(self.path, format!("pages of {site} are missing")))?;
            let row = self.pages.remove((site.as_str(), last)).of(self.path)?;
            let bytes = row.map_or(0, |row| row.value().len() as u64);
            summary.bytes = summary.bytes.saturating_sub(bytes);
            summary.pages -= 1;
            summary.last = self.last(site)?.unwrap_or(0);
        }
        Ok(())
    }

    fn last(&self, site: &SiteKey) -> Result<Option<u64>, Error> {
        let last = self.pages.range(every_page(site)).of(self.path)?.next_back().transpose().of(self.path)?;
        Ok(last.map(|(key, _)| key.value().1))
    }

    /// Merges overrides.
    pub(super) fn put_overrides(&mut self, site: &SiteKey, overrides: &Overrides) -> Result<(), Error> {
        if overrides.0.is_empty() {
            return Ok(());
        }
        let Some(mut summary) = self.summary(site)? else { return Ok(()) };
        for (digest, entry) in &overrides.0 {
            let key = (site.as_str(), *digest);
            let known =
                match self.overrides.get(key).of(self.path)? {
                    Some(row) => {
                        let known = decode_override(*digest, row.value());
                        Some(known.map_err(|why| {
                            damaged(self.path, format!("in the overrides of {site}, {why}"))
                        })?)
                    }
                    None => None,
                };
            if known.as_ref().is_some_and(|known| known >= entry) {
                continue;
            }
            self.overrides.insert(key, encode_override(*digest, entry).as_slice()).of(self.path)?;
            summary.overrides += u64::from(known.is_none());
        }
        while summary.overrides > MAX_OVERRIDES as u64 {
            let last = self
                .overrides
                .range(every_override(site))
                .of(self.path)?
                .next_back()
                .transpose()
                .of(self.path)?;
            let Some(last) = last.map(|(key, _)| key.value().1) else { break };
            self.overrides.remove((site.as_str(), last)).of(self.path)?;
            summary.overrides -= 1;
        }
        self.sites.insert(site.as_str(), summary.row()).of(self.path)?;
        Ok(())
    }

    /// Removes a site.
    pub(super) fn forget(&mut self, site: &SiteKey) -> Result<bool, Error> {
        self.pages.retain_in(every_page(site), |_, _| false).of(self.path)?;
        self.overrides.retain_in(every_override(site), |_, _| false).of(self.path)?;
        Ok(self.sites.remove(site.as_str()).of(self.path)?.is_some())
    }
}

fn encode_override(digest: u128, entry: &Override) -> Vec<u8> {
    let decision = match entry.decision {
        None => 0,
        Some(Decision::Drop) => 1,
        Some(Decision::Keep) => 2,
    };
    let mut bytes = entry.change.to_le_bytes().to_vec();
    bytes.extend([decision, u8::from(entry.whole)]);
    bytes.extend(entry.text.as_bytes());
    bytes.extend(xxh3_64_with_seed(&bytes, digest as u64).to_le_bytes());
    bytes
}

pub(super) fn decode_override(digest: u128, row: &[u8]) -> Result<Override, Damaged> {
    let (bytes, checksum) = row.split_last_chunk::<8>().ok_or(Damaged("it is too short"))?;
    if xxh3_64_with_seed(bytes, digest as u64) != u64::from_le_bytes(*checksum) {
        return Err(Damaged("its checksum is wrong"));
    }
    let (change, rest) = bytes.split_first_chunk::<4>().ok_or(Damaged("it is too short"))?;
    let ([decision, whole], text) = rest.split_first_chunk::<2>().ok_or(Damaged("it is too short"))?;
    let decision = match decision {
        0 => None,
        1 => Some(Decision::Drop),
        2 => Some(Decision::Keep),
        _ => return Err(Damaged("an override has no valid decision")),
    };
    let text = str::from_utf8(text).map_err(|_| Damaged("a text is not UTF-8"))?;
    Ok(Override { change: u32::from_le_bytes(*change), decision, text: text.into(), whole: *whole == 1 })
}
