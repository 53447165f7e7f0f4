//! One page.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use tamis::render::{Headline, RenderOptions};
use tamis_batch::{Fields, Html, PageIn, Record, RecordField, Work};

use crate::errors;
use crate::settings::Settings;

/// The main text of a page with its metadata. Every field of `FIELDS` is an attribute.
#[pyclass(name = "Document", module = "tamis", frozen, skip_from_py_object)]
pub(crate) struct PyDocument {
    record: Record,
    /// The fields of `to_dict` and `to_json`.
    fields: Fields,
}

/// The function and arguments from which `pickle` restores a document.
type Reduced<'py> = (Bound<'py, PyAny>, (String, Vec<&'static str>));

impl PyDocument {
    fn document(&self) -> PyResult<&tamis::Document> {
        // Only a foreign record can lack it.
        self.record
            .document
            .as_ref()
            .ok_or_else(|| PyValueError::new_err("this record has no document to render"))
    }
}

#[pymethods]
impl PyDocument {
    /// The fields of the record; those not selected with `fields` are empty.
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let field: RecordField = name.parse().map_err(|_| {
            PyAttributeError::new_err(format!(
                "a Document has no attribute {name:?}; the fields are {}",
                Fields::ALL
            ))
        })?;
        if field == RecordField::Text {
            return Ok(PyString::new(py, self.record.text().unwrap_or_default()).into_any());
        }
        loads(py, &self.record.to_json(Fields::of(&[field])))?.get_item(name)
    }

    fn __dir__(&self) -> Vec<&'static str> {
        let methods = ["from_json", "to_dict", "to_html", "to_json", "to_markdown", "to_tei", "to_xml"];
        RecordField::ALL.iter().map(|field| field.name()).chain(methods).collect()
    }

    /// Markdown in GitHub's flavour.
    #[pyo3(signature = (**options))]
    fn to_markdown(&self, options: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        Ok(self.document()?.to_markdown_with(&render_options(RenderOptions::new().comments(false), options)?))
    }

    /// A clean HTML page.
    #[pyo3(signature = (**options))]
    fn to_html(&self, options: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        Ok(self.document()?.to_html_with(&render_options(RenderOptions::all(), options)?))
    }

    /// XML in a vocabulary of its own.
    fn to_xml(&self) -> PyResult<String> {
        Ok(self.document()?.to_xml())
    }

    /// TEI P5.
    fn to_tei(&self) -> PyResult<String> {
        Ok(self.document()?.to_tei())
    }

    /// The record as a line of JSON, as `tamis batch` writes it.
    fn to_json(&self) -> String {
        self.record.to_json(self.fields)
    }

    /// The record as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &self.to_json())
    }

    /// Reads what `to_json` wrote, or a row of `tamis batch`.
    #[staticmethod]
    #[pyo3(signature = (json, fields=None))]
    fn from_json(json: &str, fields: Option<Vec<String>>) -> PyResult<PyDocument> {
        let wrong = |error: &dyn std::fmt::Display| PyValueError::new_err(error.to_string());
        let record = Record::from_json(json).map_err(|error| wrong(&error))?;
        let fields = match fields {
            Some(names) => names.iter().map(|name| name.parse()).collect::<Result<_, _>>(),
            None => Ok(Fields::default()),
        };
        Ok(PyDocument { record, fields: fields.map_err(|error: tamis_batch::UnknownField| wrong(&error))? })
    }

    fn __eq__(&self, other: &PyDocument) -> bool {
        self.record == other.record
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.record.url, self.record.text()).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let document = self.record.document.as_ref();
        let title = document.and_then(|it| it.metadata.title.as_deref()).unwrap_or("no title");
        let length = self.record.text().unwrap_or_default().chars().count();
        format!("<tamis.Document {title:?}, {length} characters>")
    }

    /// For pickle and copy.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let from_json = py.get_type::<PyDocument>().getattr("from_json")?;
        // Rendered forms are rendered again.
        let all = Fields::default().with(&[RecordField::Blocks, RecordField::Chunks]);
        Ok((from_json, (self.record.to_json(all), self.fields.iter().map(RecordField::name).collect())))
    }
}

fn loads<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (json,))
}

/// Rendering options from keyword arguments, named like those of `RenderOptions`.
fn render_options(mut options: RenderOptions, given: Option<&Bound<'_, PyDict>>) -> PyResult<RenderOptions> {
    for (name, value) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        options = match name.as_str() {
            "links" => options.links(value.extract()?),
            "images" => options.images(value.extract()?),
            "tables" => options.tables(value.extract()?),
            "comments" => options.comments(value.extract()?),
            "formatting" => options.formatting(value.extract()?),
            "metadata" => options.metadata(value.extract()?),
            "headline" => options.headline(match value.extract::<&str>()? {
                "auto" => Headline::Auto,
                "always" => Headline::Always,
                "never" => Headline::Never,
                other => {
                    let what = format!("headline is \"auto\", \"always\" or \"never\", not {other:?}");
                    return Err(PyValueError::new_err(what));
                }
            }),
            _ => {
                let known = "links, images, tables, comments, formatting, headline, metadata";
                return Err(PyValueError::new_err(format!(
                    "unknown setting {name:?}; the settings are {known}"
                )));
            }
        };
    }
    Ok(options)
}

/// Runs `then` on the page without the GIL. `str` and `bytes` are immutable, so nothing is copied.
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
        // Lone surrogates, which Python allows in `str`, are replaced.
        let text = text.to_string_lossy();
        return Ok(py.detach(|| then(Html::Text(&text))));
    }
    if let Ok(bytes) = html.extract::<Vec<u8>>() {
        return Ok(py.detach(|| then(Html::Bytes(&bytes))));
    }
    let remedy = if html.hasattr("read_bytes")? { ": read the file first, with read_bytes()" } else { "" };
    let what = html.get_type().name()?.to_string();
    Err(PyTypeError::new_err(format!("a page is str or bytes, not {what}{remedy}")))
}

fn record(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    url: Option<&str>,
    mut settings: Settings,
    only: Option<RecordField>,
) -> PyResult<PyDocument> {
    if let Some(field) = only {
        settings.work.fields = Fields::of(&[field]);
    }
    let Settings { work, content_type, fetched, .. } = settings;
    let (fields, content_type) = (work.fields, content_type.as_deref());
    let work = Work::new(work);
    let record = with_html(py, html, |html| {
        work.try_extract(&PageIn { url, content_type, fetched, ..PageIn::of(html) })
    })?;
    Ok(PyDocument { record: record.map_err(errors::of_page)?, fields })
}

/// The main text and metadata of a page.
///
/// `html` is str or bytes; bytes are decoded as browsers do. The options are those of `OPTIONS`. The GIL is released.
/// Raises NotAPageError, TooLargeError, TimeLimitError or TamisError.
#[pyfunction]
#[pyo3(signature = (html, url=None, **options))]
pub(crate) fn extract(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    url: Option<&str>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyDocument> {
    record(py, html, url, Settings::of(options)?, None)
}

/// The main text of a page; takes the arguments of `extract`.
#[pyfunction]
#[pyo3(signature = (html, url=None, **options))]
pub(crate) fn extract_text(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    url: Option<&str>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let made = record(py, html, url, Settings::of(options)?, Some(RecordField::Text))?;
    Ok(made.record.text().unwrap_or_default().to_owned())
}

/// The main text of a page as Markdown; takes the arguments of `extract`.
#[pyfunction]
#[pyo3(signature = (html, url=None, **options))]
pub(crate) fn extract_markdown(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    url: Option<&str>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    record(py, html, url, Settings::of(options)?, Some(RecordField::Markdown))?.to_markdown(None)
}
