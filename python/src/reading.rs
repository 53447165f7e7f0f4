//! `read_pages`: reads the inputs of `tamis batch` as Arrow batches, without extraction.

use std::path::PathBuf;
use std::sync::Mutex;

use arrow_pyarrow::ToPyArrow;
use pyo3::prelude::*;
use tamis_batch::Inputs;
use tamis_batch::arrow::PageReader;

use crate::batch::input_fields;
use crate::errors::{self, TamisError};
use crate::settings::{at_least_one, most_bytes, wrong_type};

/// An iterator over batches of pages.
#[pyclass(module = "tamis", frozen)]
pub(crate) struct PageBatches {
    reader: Mutex<PageReader>,
}

#[pymethods]
impl PageBatches {
    fn __iter__(own: PyRef<'_, Self>) -> PyRef<'_, Self> {
        own
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let next = py.detach(|| self.reader.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next());
        match next.transpose().map_err(errors::of_batch)? {
            Some(batch) => Ok(Some(batch.to_pyarrow(py)?)),
            None => Ok(None),
        }
    }
}

/// The pages of WARC files, JSON lines, directories and patterns, as batches for `extract_batch`.
///
/// Columns: `id`, `path`, `offset`, `url`, `status`, `fetched`, `error`, those of `keep`, `content_type` and `html`
/// (binary). Damaged input becomes a row with its error.
#[pyfunction]
#[pyo3(signature = (paths, *, batch_rows=256, html="html", url="url", id="id", keep=None, max_bytes=None))]
pub(crate) fn read_pages(
    paths: &Bound<'_, PyAny>,
    batch_rows: i64,
    html: &str,
    url: &str,
    id: &str,
    keep: Option<&Bound<'_, PyAny>>,
    max_bytes: Option<i64>,
) -> PyResult<PageBatches> {
    let (batch_rows, max_bytes) = (at_least_one("batch_rows", batch_rows)?, most_bytes(max_bytes)?);
    let given = paths;
    let one = given.extract::<PathBuf>().map(|path| vec![path]);
    let paths = one.or_else(|_| given.extract::<Vec<PathBuf>>());
    let paths = paths.map_err(|_| wrong_type("paths", "a path, or a list of paths", given))?;
    let files: Vec<String> = paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    // Fails immediately, instead of in a row.
    let is_table = |name: &&String| {
        let name = name.to_ascii_lowercase();
        name.ends_with(".parquet") || name.ends_with(".pq")
    };
    if let Some(table) = files.iter().find(is_table) {
        let advice = "pass the batches of pyarrow.parquet.ParquetFile(path).iter_batches() to extract_batch";
        return Err(TamisError::new_err(format!("{table}: read_pages does not read Parquet: {advice}")));
    }
    let inputs = Inputs::new(&files).map_err(|error| TamisError::new_err(error.to_string()))?;
    let reader = PageReader::new(&inputs, input_fields(html, url, id, keep)?, batch_rows, max_bytes);
    Ok(PageBatches { reader: Mutex::new(reader) })
}
