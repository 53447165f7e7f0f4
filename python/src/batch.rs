//! One batch of Arrow.

use arrow_array::RecordBatch;
use arrow_pyarrow::{FromPyArrow, ToPyArrow};
use pyo3::prelude::*;
use tamis_batch::{Fields, Work, arrow};

use crate::errors;
use crate::memory::PySiteMemory;
use crate::model::PyModel;
use crate::settings::{Settings, at_least_one};

/// Takes over a batch that Python has. Its buffers stay where they are.
pub(crate) fn taken(batch: &Bound<'_, PyAny>) -> PyResult<RecordBatch> {
    RecordBatch::from_pyarrow_bound(batch)
}

pub(crate) fn fields(html: &str, url: &str) -> Fields {
    Fields { html: html.to_owned(), url: url.to_owned(), ..Fields::default() }
}

/// The rows of a batch of pages, one for each, in order.
///
/// In: `html` (binary or string), and if there are such `url`, `content_type`, `status` and `fetched`. Out: the columns of COLUMNS, or
/// those asked for. A page that fails is a row with its `error`. The pages are not copied, and the GIL is released.
#[pyfunction]
#[pyo3(signature = (batch, *, columns=None, html="html", url="url", encoding=None, method=None, balance=None, model=None, memory=None, feed=None, max_bytes=None, timeout=None, threads=1))]
#[allow(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn extract_batch<'py>(
    py: Python<'py>,
    batch: &Bound<'py, PyAny>,
    columns: Option<Vec<String>>,
    html: &str,
    url: &str,
    encoding: Option<&str>,
    method: Option<&str>,
    balance: Option<&str>,
    model: Option<PyRef<'_, PyModel>>,
    memory: Option<PyRef<'_, PySiteMemory>>,
    feed: Option<&Bound<'_, PyAny>>,
    max_bytes: Option<i64>,
    timeout: Option<f64>,
    threads: i64,
) -> PyResult<Bound<'py, PyAny>> {
    let threads = at_least_one("threads", threads)?;
    let settings = Settings { columns, encoding, method, balance, model, memory, feed, max_bytes, timeout };
    let work = Work::new(settings.options()?);
    let (batch, fields) = (taken(batch)?, fields(html, url));
    let rows = py.detach(|| arrow::extract(&batch, &work, &fields, threads)).map_err(errors::of_batch)?;
    rows.to_pyarrow(py)
}
