//! The sketches of all kept rows of a run, in memory and in a file for resumption.
//!
//! A row takes 16 bytes in the file for its digest, 272 with its MinHash; in memory about 40 and 700. Nothing else in a
//! run grows with the input.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::filter::{Filter, Removed};
use crate::sketch::{BANDS, BINS, Near, Sketch};

const RECORD: usize = 16 + 8 * BANDS + BINS;

pub(crate) struct Seen {
    exact: bool,
    least: Option<f32>,
    digests: HashSet<u128>,
    bands: HashMap<u64, u32>,
    bins: Vec<[u8; BINS]>,
    log: Option<Log>,
}

struct Log {
    path: PathBuf,
    file: BufWriter<File>,
    length: u64,
}

impl Seen {
    /// Loads the first `length` bytes of a file; without a file, nothing is stored.
    pub(crate) fn open(filter: &Filter, path: Option<&Path>, length: u64) -> Result<Seen, Error> {
        let mut seen = Seen {
            exact: filter.duplicates,
            least: filter.near_duplicates,
            digests: HashSet::new(),
            bands: HashMap::new(),
            bins: Vec::new(),
            log: None,
        };
        let Some(path) = path else { return Ok(seen) };
        let file = || -> io::Result<File> {
            let file = OpenOptions::new().create(true).truncate(false).read(true).append(true).open(path)?;
            file.set_len(length)?;
            Ok(file)
        };
        let file = file().map_err(Error::write(path, 0))?;
        let mut reader = BufReader::new(&file);
        let mut left = length;
        let record = seen.record();
        let mut bytes = vec![0; record];
        while left >= record as u64 {
            reader.read_exact(&mut bytes).map_err(Error::write(path, length - left))?;
            seen.remember(&read(&bytes));
            left -= record as u64;
        }
        drop(reader);
        seen.log = Some(Log { path: path.to_owned(), file: BufWriter::new(file), length });
        Ok(seen)
    }

    fn record(&self) -> usize {
        if self.least.is_some() { RECORD } else { 16 }
    }

    /// Whether the text is a duplicate. If not, it is added.
    pub(crate) fn take(&mut self, sketch: &Sketch) -> Result<Option<Removed>, Error> {
        if self.exact && self.digests.contains(&sketch.digest) {
            return Ok(Some(Removed::Duplicate));
        }
        if let (Some(least), Some(near)) = (self.least, &sketch.near) {
            let known = near.bands.iter().filter_map(|band| self.bands.get(band));
            if known.into_iter().any(|at| Near::likeness(&self.bins[*at as usize], &near.bins) >= least) {
                return Ok(Some(Removed::NearDuplicate));
            }
        }
        self.remember(sketch);
        let record = self.record();
        if let Some(log) = &mut self.log {
            let mut bytes = written(sketch);
            bytes.resize(record, 0);
            log.file.write_all(&bytes).map_err(Error::write(&log.path, log.length))?;
            log.length += record as u64;
        }
        Ok(None)
    }

    fn remember(&mut self, sketch: &Sketch) {
        if self.exact {
            self.digests.insert(sketch.digest);
        }
        if let Some(near) = sketch.near.as_ref().filter(|_| self.least.is_some()) {
            let number = self.bins.len() as u32;
            self.bins.push(near.bins);
            for band in near.bands {
                self.bands.entry(band).or_insert(number);
            }
        }
    }

    /// Syncs the file and returns its length.
    pub(crate) fn commit(&mut self) -> Result<u64, Error> {
        let Some(log) = &mut self.log else { return Ok(0) };
        log.file.flush().map_err(Error::write(&log.path, log.length))?;
        log.file.get_ref().sync_data().map_err(Error::write(&log.path, log.length))?;
        Ok(log.length)
    }
}

fn written(sketch: &Sketch) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(RECORD);
    bytes.extend_from_slice(&sketch.digest.to_le_bytes());
    if let Some(near) = &sketch.near {
        near.bands.iter().for_each(|band| bytes.extend_from_slice(&band.to_le_bytes()));
        bytes.extend_from_slice(&near.bins);
    }
    bytes
}

fn read(bytes: &[u8]) -> Sketch {
    let number = |at: usize| -> u64 {
        bytes[at..at + 8].iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte))
    };
    let digest = u128::from(number(8)) << 64 | u128::from(number(0));
    // A text without words has a digest only.
    let near = bytes.get(16..).filter(|rest| rest.iter().any(|byte| *byte != 0)).map(|_| {
        let mut near = Near { bands: [0; BANDS], bins: [0; BINS] };
        near.bands.iter_mut().enumerate().for_each(|(place, band)| *band = number(16 + 8 * place));
        near.bins.copy_from_slice(&bytes[16 + 8 * BANDS..]);
        Box::new(near)
    });
    Sketch { digest, near }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_committed_texts_are_known_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("seen");
        let filter = Filter { duplicates: true, near_duplicates: Some(0.8), ..Filter::default() };
        let sketch = |text: &str| Sketch::of(text, true).unwrap();
        let long = |end: &str| (0..300).map(|n| format!("w{n} ")).collect::<String>() + end;
        let mut seen = Seen::open(&filter, Some(&path), 0).unwrap();
        assert_eq!(seen.take(&sketch(&long("one"))).unwrap(), None);
        let length = seen.commit().unwrap();
        assert_eq!(length, RECORD as u64);
        assert_eq!(seen.take(&sketch("another text, rather short")).unwrap(), None);
        assert_eq!(seen.take(&sketch(&long("two"))).unwrap(), Some(Removed::NearDuplicate));
        drop(seen);
        let mut seen = Seen::open(&filter, Some(&path), length).unwrap();
        assert_eq!(seen.take(&sketch(&long("one"))).unwrap(), Some(Removed::Duplicate));
        assert_eq!(seen.take(&sketch(&long("three"))).unwrap(), Some(Removed::NearDuplicate));
        assert_eq!(seen.take(&sketch("another text, rather short")).unwrap(), None);
    }
}
