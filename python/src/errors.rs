//! Exceptions: subclasses of `TamisError`.

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use tamis_batch::PageError;

create_exception!(tamis, TamisError, PyException, "An error of tamis; the others are subclasses.");
create_exception!(tamis, NotAPageError, TamisError, "Not a web page: a PDF, an image, an archive, noise.");
create_exception!(tamis, TimeLimitError, TamisError, "The page exceeded the time limit.");
create_exception!(tamis, TooLargeError, TamisError, "The page exceeded the size limit.");
create_exception!(tamis, BatchError, TamisError, "A batch lacks a column, or is too large.");
create_exception!(tamis, MemoryFileError, TamisError, "A site memory cannot be read or written.");

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("TamisError", py.get_type::<TamisError>())?;
    module.add("NotAPageError", py.get_type::<NotAPageError>())?;
    module.add("TimeLimitError", py.get_type::<TimeLimitError>())?;
    module.add("TooLargeError", py.get_type::<TooLargeError>())?;
    module.add("BatchError", py.get_type::<BatchError>())?;
    module.add("MemoryFileError", py.get_type::<MemoryFileError>())
}

/// The remedy of an error, in terms of the Python package.
fn remedy(error: &PageError) -> Option<&'static str> {
    match error {
        PageError::Time(_) => Some("raise timeout"),
        PageError::TooLarge(_) | PageError::LineTooLong { .. } => Some("raise max_bytes"),
        PageError::NoPage { .. } => Some("name the field of the pages with html="),
        PageError::Archive => Some("use tamis.read_pages"),
        PageError::NoHtmlPart => Some("save the page again from a browser"),
        _ => None,
    }
}

/// The exception for a page's error.
pub(crate) fn of_page(error: PageError) -> PyErr {
    let what = match remedy(&error) {
        Some(remedy) => format!("{error}: {remedy}"),
        None => error.to_string(),
    };
    match error {
        PageError::Time(_) => TimeLimitError::new_err(what),
        PageError::TooLarge(_) | PageError::LineTooLong { .. } => TooLargeError::new_err(what),
        PageError::NotAPage(_) | PageError::Archive | PageError::NoHtmlPart => NotAPageError::new_err(what),
        PageError::Site(_) => MemoryFileError::new_err(what),
        _ => TamisError::new_err(what),
    }
}

pub(crate) fn of_batch(error: impl std::fmt::Display) -> PyErr {
    let what = error.to_string();
    let what = what.trim_start_matches("Schema error: ");
    let is_default = what.starts_with("no column \"html\"");
    BatchError::new_err(format!(
        "{what}{}",
        if is_default { "; name that of the pages with html=" } else { "" }
    ))
}

pub(crate) fn of_memory(error: impl std::fmt::Display) -> PyErr {
    MemoryFileError::new_err(error.to_string())
}
