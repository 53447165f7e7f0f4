//! One page.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use tamis_batch::{Column, Columns, Html, PageIn, Row, Work, WorkOptions};

use crate::errors;
use crate::memory::PySiteMemory;
use crate::model::PyModel;
use crate::settings::Settings;

/// The main text of a page, with its facts.
#[pyclass(name = "Document", module = "tamis", frozen)]
pub(crate) struct PyDocument {
    row: Row,
}

#[pymethods]
impl PyDocument {
    /// Where the page comes from.
    #[getter]
    fn url(&self) -> Option<&str> {
        self.row.url.as_deref()
    }

    /// The host of that address.
    #[getter]
    fn host(&self) -> Option<&str> {
        self.row.host.as_deref()
    }

    /// The title.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.row.title.as_deref()
    }

    /// When it was published, as ISO 8601 with as many parts as the page gives.
    #[getter]
    fn published(&self) -> Option<&str> {
        self.row.published.as_deref()
    }

    /// Who wrote it.
    #[getter]
    fn authors(&self) -> Vec<String> {
        self.row.authors.clone()
    }

    /// Who published it, or from where it was taken over.
    #[getter]
    fn source(&self) -> Option<&str> {
        self.row.source.as_deref()
    }

    /// The language, as a BCP 47 tag.
    #[getter]
    fn language(&self) -> Option<&str> {
        self.row.language.as_deref()
    }

    /// What kind of page it is.
    #[getter]
    fn page_type(&self) -> Option<&str> {
        self.row.page_type.as_deref()
    }

    /// How probable that kind is, from 0 to 1.
    #[getter]
    fn page_type_probability(&self) -> Option<f32> {
        self.row.page_type_probability
    }

    /// How sure the extraction is, from 0 to 1.
    #[getter]
    fn confidence(&self) -> Option<f32> {
        self.row.confidence
    }

    /// The main text.
    #[getter]
    fn text(&self) -> &str {
        self.row.text.as_deref().unwrap_or_default()
    }

    /// The main text as Markdown.
    #[getter]
    fn markdown(&self) -> &str {
        self.row.markdown.as_deref().unwrap_or_default()
    }

    /// The method that judged the blocks.
    #[getter]
    fn method(&self) -> &'static str {
        self.row.method.unwrap_or_default()
    }

    /// The digest of the model of one's own that it decided with; nothing where it was the one that comes with the package.
    #[getter]
    fn model(&self) -> Option<&str> {
        self.row.model.as_deref()
    }

    /// All blocks of the page, kept or not: text, kind, path, span, score, kept, comment.
    #[getter]
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for block in self.row.blocks.iter().flatten() {
            let entry = PyDict::new(py);
            entry.set_item("text", &block.text)?;
            entry.set_item("kind", &block.kind)?;
            entry.set_item("path", &block.path)?;
            entry.set_item("span", (block.span[0], block.span[1]))?;
            entry.set_item("score", block.score)?;
            entry.set_item("kept", block.kept)?;
            entry.set_item("comment", block.comment)?;
            list.append(entry)?;
        }
        Ok(list)
    }

    /// As a line of JSON, as `tamis batch` writes it.
    fn to_json(&self) -> String {
        self.row.to_json(Columns::default())
    }

    /// Likewise, as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.to_json(),))
    }

    fn __repr__(&self) -> String {
        let title = self.row.title.as_deref().unwrap_or("no title");
        let length = self.text().chars().count();
        format!("<tamis.Document {title:?}, {length} characters>")
    }
}

/// Runs `then` on the page without the GIL. Neither a `str` nor `bytes` changes meanwhile, so nothing is copied.
pub(crate) fn with_html<R: Send>(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    then: impl FnOnce(Html<'_>) -> R + Send,
) -> PyResult<R> {
    if let Ok(bytes) = html.cast::<PyBytes>() {
        let bytes = bytes.as_bytes();
        return Ok(py.detach(|| then(Html::Bytes(bytes))));
    }
    if let Ok(text) = html.cast::<PyString>() {
        // Half characters, which Python allows in texts, are replaced.
        let text = text.to_string_lossy();
        return Ok(py.detach(|| then(Html::Text(&text))));
    }
    if let Ok(bytes) = html.extract::<Vec<u8>>() {
        return Ok(py.detach(|| then(Html::Bytes(&bytes))));
    }
    let what = html.get_type().name()?.to_string();
    Err(PyTypeError::new_err(format!("a page is str or bytes, not {what}")))
}

fn row(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    url: Option<&str>,
    content_type: Option<&str>,
    options: WorkOptions,
) -> PyResult<Row> {
    let work = Work::new(options);
    let row = with_html(py, html, |html| work.try_row(&PageIn { url, content_type, ..PageIn::of(html) }))?;
    row.map_err(errors::of_page)
}

/// The main text and facts of a page.
///
/// `html` is str or bytes; bytes are decoded as browsers do. `balance` is "precision", "recall" or nothing. `model` is a Model of one's own. `feed` is a feed of the
/// site (RSS, Atom, JSON Feed) as str or bytes, or a list of them. The GIL is released.
/// Raises NotAPageError, TooLargeError, TimeLimitError or TamisError.
#[pyfunction]
#[pyo3(signature = (html, url=None, *, content_type=None, encoding=None, method=None, balance=None, model=None, memory=None, feed=None, max_bytes=None, timeout=None))]
#[allow(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn extract(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    url: Option<&str>,
    content_type: Option<&str>,
    encoding: Option<&str>,
    method: Option<&str>,
    balance: Option<&str>,
    model: Option<PyRef<'_, PyModel>>,
    memory: Option<PyRef<'_, PySiteMemory>>,
    feed: Option<&Bound<'_, PyAny>>,
    max_bytes: Option<i64>,
    timeout: Option<f64>,
) -> PyResult<PyDocument> {
    let settings =
        Settings { columns: None, encoding, method, balance, model, memory, feed, max_bytes, timeout };
    Ok(PyDocument { row: row(py, html, url, content_type, settings.options()?)? })
}

/// The main text of a page; takes what `extract` takes.
#[pyfunction]
#[pyo3(signature = (html, url=None, *, content_type=None, encoding=None, method=None, balance=None, model=None, memory=None, feed=None, max_bytes=None, timeout=None))]
#[allow(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn extract_text(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    url: Option<&str>,
    content_type: Option<&str>,
    encoding: Option<&str>,
    method: Option<&str>,
    balance: Option<&str>,
    model: Option<PyRef<'_, PyModel>>,
    memory: Option<PyRef<'_, PySiteMemory>>,
    feed: Option<&Bound<'_, PyAny>>,
    max_bytes: Option<i64>,
    timeout: Option<f64>,
) -> PyResult<String> {
    let settings =
        Settings { columns: None, encoding, method, balance, model, memory, feed, max_bytes, timeout };
    let columns = Columns::of(&[Column::Text]);
    let options = WorkOptions { columns, text_only: true, ..settings.options()? };
    Ok(row(py, html, url, content_type, options)?.text.unwrap_or_default())
}

/// The main text of a page as Markdown; takes what `extract` takes.
#[pyfunction]
#[pyo3(signature = (html, url=None, *, content_type=None, encoding=None, method=None, balance=None, model=None, memory=None, feed=None, max_bytes=None, timeout=None))]
#[allow(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn extract_markdown(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    url: Option<&str>,
    content_type: Option<&str>,
    encoding: Option<&str>,
    method: Option<&str>,
    balance: Option<&str>,
    model: Option<PyRef<'_, PyModel>>,
    memory: Option<PyRef<'_, PySiteMemory>>,
    feed: Option<&Bound<'_, PyAny>>,
    max_bytes: Option<i64>,
    timeout: Option<f64>,
) -> PyResult<String> {
    let settings =
        Settings { columns: None, encoding, method, balance, model, memory, feed, max_bytes, timeout };
    let options = WorkOptions { columns: Columns::of(&[Column::Markdown]), ..settings.options()? };
    Ok(row(py, html, url, content_type, options)?.markdown.unwrap_or_default())
}
