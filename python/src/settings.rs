//! Parses the keyword arguments that all functions share.

use std::sync::Arc;
use std::time::Duration;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use tamis::Bias;
use tamis::page::HiddenText;
use tamis_batch::{Fields, InvalidChunking, RecordField, UnknownField, WorkOptions, now, parse_time};
use tamis_feeds::Feed;
use tamis_html::decode::Decoder;
use tamis_methods::{Selection, UnknownMethod};

use crate::memory::PySiteMemory;
use crate::model::PyModel;
use crate::rules::PySiteRules;

/// A positive number; Python's numbers are signed.
pub(crate) fn at_least_one<T: TryFrom<i64>>(name: &str, number: i64) -> PyResult<T> {
    let wrong = || PyValueError::new_err(format!("{name} is a number of at least 1, not {number}"));
    T::try_from(number).ok().filter(|_| number > 0).ok_or_else(wrong)
}

/// The error for an argument of the wrong type.
pub(crate) fn wrong_type(name: &str, expected: &str, given: &Bound<'_, PyAny>) -> PyErr {
    let kind = given.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{name} is {expected}, not {kind}"))
}

/// A string.
fn text(name: &str, given: &Bound<'_, PyAny>) -> PyResult<String> {
    given.extract().map_err(|_| wrong_type(name, "a str", given))
}

/// Names: a list, or one string with commas.
pub(crate) fn names(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    match given.extract::<String>() {
        Ok(names) => Ok(names.split(',').map(|name| name.trim().to_owned()).collect()),
        Err(_) => {
            given.extract().map_err(|_| wrong_type(name, "a list of names, or one str with commas", given))
        }
    }
}

/// The size limit of a page.
pub(crate) fn most_bytes(number: Option<i64>) -> PyResult<Option<u32>> {
    number.map(|number| at_least_one("max_bytes", number.min(i64::from(u32::MAX)))).transpose()
}

/// The options of every function, in the order of the documentation.
pub(crate) const OPTIONS: &[&str] = &[
    "fields",
    "content_type",
    "encoding",
    "fetched",
    "method",
    "balance",
    "model",
    "memory",
    "feed",
    "hidden",
    "rules",
    "chunks",
    "max_bytes",
    "timeout",
];

/// Parsed options.
#[derive(Default)]
pub(crate) struct Settings {
    pub(crate) work: WorkOptions,
    pub(crate) content_type: Option<String>,
    /// In microseconds since 1970.
    pub(crate) fetched: Option<i64>,
}

impl Settings {
    /// Parses the options. Does not keep a memory locked, so that other threads may update it meanwhile.
    pub(crate) fn of(options: Option<&Bound<'_, PyDict>>) -> PyResult<Settings> {
        let wrong = |what: String| PyValueError::new_err(what);
        let mut settings = Settings::default();
        settings.work.now = now();
        let work = &mut settings.work;
        let given = options.into_iter().flatten().filter(|(_, value)| !value.is_none());
        let (mut model, mut memory, mut is_chunked) = (None, None, false);
        for (name, value) in given {
            let name: String = name.extract()?;
            match name.as_str() {
                "fields" => work.fields = fields(&value)?,
                "content_type" => settings.content_type = Some(text(&name, &value)?),
                "encoding" => {
                    let label = text(&name, &value)?;
                    Decoder::new().encoding_label(&label).map_err(|error| wrong(error.to_string()))?;
                    work.encoding = Some(label);
                }
                "fetched" => settings.fetched = Some(time(&value)?),
                "method" => {
                    let method = text(&name, &value)?;
                    work.method = method.parse().map_err(|error: UnknownMethod| wrong(error.to_string()))?;
                }
                "balance" => {
                    work.bias = match text(&name, &value)?.as_str() {
                        "precision" => Bias::Precision,
                        "recall" => Bias::Recall,
                        other => {
                            let what = format!("balance is \"precision\" or \"recall\", not {other:?}");
                            return Err(wrong(what));
                        }
                    }
                }
                "model" => {
                    let wrong = |_| wrong_type(&name, "a tamis.Model (see tamis.Model.load)", &value);
                    model = Some(value.extract::<PyRef<'_, PyModel>>().map_err(wrong)?.inner.clone());
                }
                "memory" => {
                    let wrong =
                        |_| wrong_type(&name, "a tamis.SiteMemory (see tamis.SiteMemory.load)", &value);
                    memory = Some(value.extract::<PyRef<'_, PySiteMemory>>().map_err(wrong)?.known());
                }
                "rules" => {
                    let wrong = |_| wrong_type(&name, "a tamis.SiteRules (see tamis.SiteRules.load)", &value);
                    work.rules =
                        Some(value.extract::<PyRef<'_, PySiteRules>>().map_err(wrong)?.inner.clone());
                }
                "chunks" => {
                    let size = value.str()?.to_string();
                    work.chunking = size
                        .parse()
                        .map_err(|error: InvalidChunking| wrong(format!("chunks={size:?}: {error}")))?;
                    is_chunked = true;
                }
                "feed" => work.feeds = feeds(&value)?,
                "hidden" => {
                    work.hidden = match text(&name, &value)?.as_str() {
                        "drop" => HiddenText::Drop,
                        "keep" => HiddenText::Keep,
                        "flag" => HiddenText::Flag,
                        other => {
                            let what = format!("hidden is \"drop\", \"keep\" or \"flag\", not {other:?}");
                            return Err(wrong(what));
                        }
                    }
                }
                "max_bytes" => {
                    let most = value.extract().map_err(|_| wrong_type(&name, "a number of bytes", &value))?;
                    work.bounds.bytes = most_bytes(Some(most))?.unwrap_or(work.bounds.bytes);
                }
                "timeout" => {
                    let seconds: f64 =
                        value.extract().map_err(|_| wrong_type(&name, "a number of seconds", &value))?;
                    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
                    work.bounds.time = time.ok_or_else(|| {
                        wrong(format!("timeout is a number of seconds over 0, not {seconds}"))
                    })?;
                }
                _ => {
                    let known = OPTIONS.join(", ");
                    return Err(wrong(format!("unknown option {name:?}; the options are {known}")));
                }
            }
        }
        if is_chunked {
            work.fields = work.fields.with(&[RecordField::Chunks]);
        }
        if let Some(model) = model {
            model.check(&[work.method]).map_err(|error| wrong(format!("model: {error}")))?;
            work.model = Some(model);
        }
        if let Some(memory) = memory {
            if !work.method.uses_site() {
                let those: Vec<&str> =
                    Selection::all().filter(|method| method.uses_site()).map(Selection::name).collect();
                let method = work.method;
                return Err(wrong(format!(
                    "the method {method} does not use site memory; those that do are {}",
                    those.join(", ")
                )));
            }
            work.sites = Some(memory);
        }
        Ok(settings)
    }
}

/// Names of fields: a list, or one string with commas.
pub(crate) fn fields(given: &Bound<'_, PyAny>) -> PyResult<Fields> {
    let wrong = |error: UnknownField| PyValueError::new_err(error.to_string());
    names("fields", given)?.iter().map(|name| name.parse()).collect::<Result<_, _>>().map_err(wrong)
}

/// A time as `datetime` or ISO 8601.
fn time(given: &Bound<'_, PyAny>) -> PyResult<i64> {
    let text = match given.extract::<String>() {
        Ok(text) => text,
        Err(_) => match given.call_method0("isoformat") {
            Ok(text) => text.extract()?,
            Err(_) => return Err(wrong_type("fetched", "a datetime or an ISO 8601 str", given)),
        },
    };
    let wrong = || {
        PyValueError::new_err(format!(
            "fetched is a datetime or a time such as 2024-05-01T10:00:00Z, not {text:?}"
        ))
    };
    parse_time(&text).ok_or_else(wrong)
}

/// A feed as str or bytes, or a list of feeds.
fn feeds(given: &Bound<'_, PyAny>) -> PyResult<Vec<Arc<Feed>>> {
    let one = |given: &Bound<'_, PyAny>| -> PyResult<Arc<Feed>> {
        let read = if let Ok(text) = given.cast::<PyString>() {
            Feed::read(&text.to_string_lossy())
        } else if let Ok(bytes) = given.cast::<PyBytes>() {
            Feed::from_bytes(bytes.as_bytes(), None)
        } else {
            return Err(wrong_type("a feed", "a str or bytes, or a list of them", given));
        };
        read.map(Arc::new).map_err(|error| PyValueError::new_err(format!("feed: {error}")))
    };
    match given.cast::<PyList>() {
        Ok(list) => list.iter().map(|feed| one(&feed)).collect(),
        Err(_) => Ok(vec![one(given)?]),
    }
}
