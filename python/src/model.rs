//! A model of one's own, for Python: read once, given to as many calls as one likes, sent to workers.

use std::path::PathBuf;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use tamis::{Method, OwnModel};

/// A model of one's own, as `tamis train --out` writes it, in place of the one that comes with the package.
#[pyclass(name = "Model", module = "tamis", frozen, skip_from_py_object)]
pub(crate) struct PyModel {
    pub(crate) inner: OwnModel,
    // What pickle sends: the file, as it was read.
    text: String,
}

#[pymethods]
impl PyModel {
    /// Read a model file.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<PyModel> {
        let bytes = std::fs::read(&path).map_err(|error| {
            PyOSError::new_err((error.raw_os_error(), error.to_string(), path.display().to_string()))
        })?;
        let text = String::from_utf8(bytes);
        let text =
            text.map_err(|_| refused(&path.display(), "it is no text; give a file of `tamis train --out`"))?;
        PyModel::read(text).map_err(|error| refused(&path.display(), error))
    }

    /// Read the text of a model file.
    #[staticmethod]
    fn from_text(text: String) -> PyResult<PyModel> {
        PyModel::read(text).map_err(|error| refused(&"the text", error))
    }

    /// A name for it, which also stands in the column `model` of its rows.
    #[getter]
    fn digest(&self) -> &str {
        self.inner.digest()
    }

    /// The methods that decide with it.
    #[getter]
    fn methods(&self) -> Vec<&'static str> {
        Method::ALL.iter().filter(|method| self.inner.serves(**method)).map(|method| method.name()).collect()
    }

    fn __repr__(&self) -> String {
        format!("<tamis.Model {} for {}>", self.digest(), self.methods().join(", "))
    }

    fn __eq__(&self, other: &PyModel) -> bool {
        self.inner == other.inner
    }

    fn __hash__(&self) -> u64 {
        u64::from_str_radix(self.digest(), 16).unwrap_or_default()
    }

    /// For pickle, and with it for every engine that sends objects to its workers.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&str,))> {
        Ok((py.get_type::<PyModel>().getattr("from_text")?, (&self.text,)))
    }
}

impl PyModel {
    fn read(text: String) -> Result<PyModel, tamis::own_model::OwnModelError> {
        Ok(PyModel { inner: OwnModel::read(&text)?, text })
    }
}

fn refused(name: &dyn std::fmt::Display, why: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{name} is no model that can be used: {why}"))
}
