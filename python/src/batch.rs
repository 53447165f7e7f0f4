//! Arrow batches.

use arrow_array::RecordBatch;
use arrow_pyarrow::{FromPyArrow, ToPyArrow};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tamis_batch::arrow::PageReader;
use tamis_batch::{Fields, InputFields, Work, arrow};

use crate::errors;
use crate::settings::{self, Settings, at_least_one};

/// Imports a batch from Python without copying its buffers.
pub(crate) fn taken(batch: &Bound<'_, PyAny>) -> PyResult<RecordBatch> {
    RecordBatch::from_pyarrow_bound(batch)
        .map_err(|_| settings::wrong_type("batch", "a pyarrow.RecordBatch", batch))
}

/// The names of input columns.
pub(crate) fn input_fields(
    html: &str,
    url: &str,
    id: &str,
    keep: Option<&Bound<'_, PyAny>>,
) -> PyResult<InputFields> {
    let keep = keep.map_or(Ok(Vec::new()), |keep| settings::names("keep", keep))?;
    let [html, url, id] = [html, url, id].map(str::to_owned);
    let fields = InputFields { html, url, id, ..InputFields::default() }.keeping(keep);
    fields.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The records of a batch of pages, one per page, in order.
#[pyfunction]
#[pyo3(signature = (batch, *, html="html", url="url", id="id", keep=None, threads=1, **options))]
#[allow(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn extract_record_batch<'py>(
    py: Python<'py>,
    batch: &Bound<'py, PyAny>,
    html: &str,
    url: &str,
    id: &str,
    keep: Option<&Bound<'_, PyAny>>,
    threads: i64,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let threads = at_least_one("threads", threads)?;
    let work = Work::new(Settings::of(options)?.work);
    let (batch, fields) = (taken(batch)?, input_fields(html, url, id, keep)?);
    let rows = py.detach(|| arrow::extract(&batch, &work, &fields, threads)).map_err(errors::of_batch)?;
    rows.to_pyarrow(py)
}

/// The columns of records, as a pyarrow schema.
#[pyfunction]
#[pyo3(signature = (fields=None))]
pub(crate) fn record_schema<'py>(
    py: Python<'py>,
    fields: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let fields = fields.map_or(Ok(Fields::default()), settings::fields)?;
    arrow::schema(fields, &[]).to_pyarrow(py)
}

/// The columns of `read_pages`, as a pyarrow schema.
#[pyfunction]
#[pyo3(signature = (keep=None))]
pub(crate) fn page_schema<'py>(
    py: Python<'py>,
    keep: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let keep = keep.map_or(Ok(Vec::new()), |keep| settings::names("keep", keep))?;
    PageReader::schema(&keep).to_pyarrow(py)
}
