//! The settings that all functions share, from Python's words to ours.

use std::str::FromStr;
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tamis::{Balance, Method};
use tamis_corpus::{Bounds, Column, Columns, Work};
use tamis_html::decode::Decoder;

use crate::memory::PySiteMemory;

/// As they come from Python.
#[derive(Default)]
pub(crate) struct Settings<'p> {
    pub(crate) columns: Option<Vec<String>>,
    pub(crate) encoding: Option<&'p str>,
    pub(crate) method: Option<&'p str>,
    pub(crate) balance: Option<&'p str>,
    pub(crate) memory: Option<PyRef<'p, PySiteMemory>>,
    pub(crate) max_bytes: Option<u32>,
    pub(crate) timeout: Option<f64>,
}

impl Settings<'_> {
    /// The memory is let go when this is over, so that another thread may learn into it while pages are worked on.
    pub(crate) fn work(self) -> PyResult<Work> {
        let wrong = |what: String| PyValueError::new_err(what);
        let mut work = Work::default();
        if let Some(method) = self.method {
            work.method = Method::from_str(method).map_err(|error| wrong(error.to_string()))?;
        }
        work.balance = match self.balance {
            None => Balance::Even,
            Some("precision") => Balance::Precision,
            Some("recall") => Balance::Recall,
            Some(other) => {
                return Err(wrong(format!("balance is \"precision\" or \"recall\", not {other:?}")));
            }
        };
        if let Some(columns) = &self.columns {
            let columns = columns.iter().map(|name| name.parse()).collect::<Result<Vec<Column>, _>>();
            work.columns = Columns::of(&columns.map_err(|error| wrong(error.to_string()))?);
        }
        if let Some(label) = self.encoding {
            work.decoder = Decoder::new().encoding_label(label).map_err(|error| wrong(error.to_string()))?;
        }
        let usual = Bounds::default();
        let time = match self.timeout {
            None => usual.time,
            Some(seconds) => Duration::try_from_secs_f64(seconds)
                .ok()
                .filter(|time| !time.is_zero())
                .ok_or_else(|| wrong(format!("timeout is a number of seconds over 0, not {seconds}")))?,
        };
        work.bounds = Bounds { bytes: self.max_bytes.unwrap_or(usual.bytes), time };
        if let Some(memory) = &self.memory {
            work.sites = Some(memory.known());
        }
        Ok(work)
    }
}
