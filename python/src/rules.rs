//! `SiteRules`: rules that users write for sites.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use tamis_site::RuleSet;

/// The function and arguments from which `pickle` restores rules.
type Reduced<'py, 'r> = (Bound<'py, PyAny>, (&'r str,));

/// Rules for sites in TOML: CSS selectors of text, title, author and date (docs/site-rules.md).
#[pyclass(name = "SiteRules", module = "tamis", frozen, skip_from_py_object)]
pub(crate) struct PySiteRules {
    pub(crate) inner: Arc<RuleSet>,
    // For pickle.
    text: String,
}

#[pymethods]
impl PySiteRules {
    /// Parse rules in TOML.
    #[new]
    fn new(text: String) -> PyResult<PySiteRules> {
        let rules = RuleSet::parse(text.trim_start_matches('\u{feff}'));
        let inner = rules.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(PySiteRules { inner: Arc::new(inner), text })
    }

    /// Read a file of rules.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<PySiteRules> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path)
            .map_err(|error| PyOSError::new_err((error.raw_os_error(), error.to_string(), name.clone())))?;
        PySiteRules::new(text).map_err(|error| PyValueError::new_err(format!("{name}: {error}")))
    }

    /// The hosts that have rules.
    fn hosts(&self) -> Vec<&str> {
        self.inner.sites().map(|rules| rules.host.as_str()).collect()
    }

    fn __repr__(&self) -> String {
        format!("<tamis.SiteRules for {}>", self.hosts().join(", "))
    }

    fn __eq__(&self, other: &PySiteRules) -> bool {
        self.inner == other.inner
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, '_>> {
        Ok((py.get_type::<PySiteRules>().into_any(), (&self.text,)))
    }
}
