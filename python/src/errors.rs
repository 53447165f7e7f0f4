//! Errors as Python has them: types of their own, all below `TamisError`.

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use tamis_batch::PageError;

create_exception!(
    tamis,
    TamisError,
    PyException,
    "What goes wrong in tamis. All other errors are of this type."
);
create_exception!(
    tamis,
    NotAPageError,
    TamisError,
    "The bytes are no web page: a PDF, a picture, an archive, noise."
);
create_exception!(tamis, TimeLimitError, TamisError, "The page took longer than it may.");
create_exception!(tamis, TooLargeError, TamisError, "The page has more bytes than it may.");
create_exception!(
    tamis,
    BatchError,
    TamisError,
    "A batch does not have the columns that it should, or is too large."
);
create_exception!(tamis, MemoryFileError, TamisError, "A memory of sites cannot be read or written.");

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("TamisError", py.get_type::<TamisError>())?;
    module.add("NotAPageError", py.get_type::<NotAPageError>())?;
    module.add("TimeLimitError", py.get_type::<TimeLimitError>())?;
    module.add("TooLargeError", py.get_type::<TooLargeError>())?;
    module.add("BatchError", py.get_type::<BatchError>())?;
    module.add("MemoryFileError", py.get_type::<MemoryFileError>())
}

/// What goes wrong with a page, in the words of Python's settings.
pub(crate) fn of_page(error: PageError) -> PyErr {
    match error {
        PageError::Time => TimeLimitError::new_err("page exceeded the time limit: raise timeout"),
        PageError::TooLarge(most) => {
            TooLargeError::new_err(format!("page exceeds the limit of {most} bytes: raise max_bytes"))
        }
        PageError::NotAPage(what) => NotAPageError::new_err(what),
        PageError::Site(what) => MemoryFileError::new_err(what),
        other => TamisError::new_err(other.to_string()),
    }
}

pub(crate) fn of_batch(error: impl std::fmt::Display) -> PyErr {
    BatchError::new_err(error.to_string())
}

pub(crate) fn of_memory(error: impl std::fmt::Display) -> PyErr {
    MemoryFileError::new_err(error.to_string())
}
