//! `Model`: a custom model, loaded once and passed to any number of calls or workers.

use std::borrow::Cow;
use std::path::PathBuf;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use tamis_methods::{CustomModel, Selection};

/// The function and arguments from which `pickle` restores a model.
type Reduced<'py, 'm> = (Bound<'py, PyAny>, (Cow<'m, [u8]>,));

/// A custom model, as `tamis train -o` writes it, in place of the built-in one.
#[pyclass(name = "Model", module = "tamis", frozen, skip_from_py_object)]
pub(crate) struct PyModel {
    pub(crate) inner: CustomModel,
    // For pickle.
    file: Vec<u8>,
}

#[pymethods]
impl PyModel {
    /// Read a model file.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<PyModel> {
        let file = std::fs::read(&path).map_err(|error| {
            PyOSError::new_err((error.raw_os_error(), error.to_string(), path.display().to_string()))
        })?;
        PyModel::read(file, &path.display())
    }

    /// Read the content of a model file.
    #[staticmethod]
    fn from_bytes(data: Vec<u8>) -> PyResult<PyModel> {
        PyModel::read(data, &"data")
    }

    /// The digest in the field `model` of records.
    #[getter]
    fn digest(&self) -> &str {
        self.inner.digest()
    }

    /// The methods that use it.
    #[getter]
    fn methods(&self) -> Vec<&'static str> {
        Selection::all().filter(|method| self.inner.serves(*method)).map(Selection::name).collect()
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

    /// For pickle, which Spark and Ray use to send objects to workers.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, '_>> {
        Ok((py.get_type::<PyModel>().getattr("from_bytes")?, (Cow::Borrowed(&self.file),)))
    }
}

impl PyModel {
    fn read(file: Vec<u8>, name: &dyn std::fmt::Display) -> PyResult<PyModel> {
        let inner = CustomModel::from_bytes(&file).map_err(|error| {
            PyValueError::new_err(format!("{name}: {error} (models are written by `tamis train -o`)"))
        })?;
        Ok(PyModel { inner, file })
    }
}
