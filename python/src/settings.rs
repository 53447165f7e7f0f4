//! The settings that all functions share, from Python's words to ours.

use std::sync::Arc;
use std::time::Duration;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use tamis::Bias;
use tamis_batch::{Bounds, Column, Columns, WorkOptions};
use tamis_feeds::Feed;
use tamis_html::decode::Decoder;
use tamis_methods::{Selection, UnknownMethod};

use crate::memory::PySiteMemory;
use crate::model::PyModel;

/// A number of things of which there must be one. Python's numbers have signs.
pub(crate) fn at_least_one<T: TryFrom<i64>>(name: &str, number: i64) -> PyResult<T> {
    let wrong = || PyValueError::new_err(format!("{name} is a number of at least 1, not {number}"));
    T::try_from(number).ok().filter(|_| number > 0).ok_or_else(wrong)
}

/// The bytes that a page may have.
pub(crate) fn most_bytes(number: Option<i64>) -> PyResult<Option<u32>> {
    // Pages of more than four gigabytes are none.
    number.map(|number| at_least_one("max_bytes", number.min(i64::from(u32::MAX)))).transpose()
}

/// As they come from Python.
#[derive(Default)]
pub(crate) struct Settings<'p> {
    pub(crate) columns: Option<Vec<String>>,
    pub(crate) encoding: Option<&'p str>,
    pub(crate) method: Option<&'p str>,
    pub(crate) balance: Option<&'p str>,
    pub(crate) model: Option<PyRef<'p, PyModel>>,
    pub(crate) memory: Option<PyRef<'p, PySiteMemory>>,
    pub(crate) feed: Option<&'p Bound<'p, PyAny>>,
    pub(crate) max_bytes: Option<i64>,
    pub(crate) timeout: Option<f64>,
}

impl Settings<'_> {
    /// The memory is let go when this is over, so that another thread may learn into it while pages are worked on.
    pub(crate) fn options(self) -> PyResult<WorkOptions> {
        let wrong = |what: String| PyValueError::new_err(what);
        let mut options = WorkOptions::default();
        if let Some(method) = self.method {
            options.method = method.parse().map_err(|error: UnknownMethod| wrong(error.to_string()))?;
        }
        options.bias = match self.balance {
            None => Bias::Balanced,
            Some("precision") => Bias::Precision,
            Some("recall") => Bias::Recall,
            Some(other) => {
                return Err(wrong(format!("balance is \"precision\" or \"recall\", not {other:?}")));
            }
        };
        if let Some(columns) = &self.columns {
            let columns = columns.iter().map(|name| name.parse()).collect::<Result<Vec<Column>, _>>();
            options.columns = Columns::of(&columns.map_err(|error| wrong(error.to_string()))?);
        }
        if let Some(label) = self.encoding {
            Decoder::new().encoding_label(label).map_err(|error| wrong(error.to_string()))?;
            options.encoding = Some(label.to_owned());
        }
        let usual = Bounds::default();
        let time = match self.timeout {
            None => usual.time,
            Some(seconds) => Duration::try_from_secs_f64(seconds)
                .ok()
                .filter(|time| !time.is_zero())
                .ok_or_else(|| wrong(format!("timeout is a number of seconds over 0, not {seconds}")))?,
        };
        options.bounds = Bounds { bytes: most_bytes(self.max_bytes)?.unwrap_or(usual.bytes), time };
        if let Some(model) = &self.model {
            model.inner.check(&[options.method]).map_err(|error| wrong(format!("model: {error}")))?;
            options.model = Some(model.inner.clone());
        }
        if let Some(memory) = &self.memory {
            if !options.method.uses_site() {
                let those: Vec<&str> =
                    Selection::all().filter(|method| method.uses_site()).map(Selection::name).collect();
                return Err(wrong(format!(
                    "the method {} makes no use of a memory; those that do are {}",
                    options.method,
                    those.join(", ")
                )));
            }
            options.sites = Some(memory.known());
        }
        if let Some(feed) = self.feed {
            options.feeds = feeds(feed)?;
        }
        Ok(options)
    }
}

/// One feed, as str or bytes, or several in a list.
fn feeds(given: &Bound<'_, PyAny>) -> PyResult<Vec<Arc<Feed>>> {
    let one = |given: &Bound<'_, PyAny>| -> PyResult<Arc<Feed>> {
        let read = if let Ok(text) = given.cast::<PyString>() {
            Feed::read(&text.to_string_lossy())
        } else if let Ok(bytes) = given.cast::<PyBytes>() {
            Feed::from_bytes(bytes.as_bytes(), None)
        } else {
            let what = given.get_type().name()?.to_string();
            return Err(PyTypeError::new_err(format!(
                "a feed is str or bytes, or a list of them, not {what}"
            )));
        };
        read.map(Arc::new).map_err(|error| PyValueError::new_err(format!("feed: {error}")))
    };
    match given.cast::<PyList>() {
        Ok(list) => list.iter().map(|feed| one(&feed)).collect(),
        Err(_) => Ok(vec![one(given)?]),
    }
}
