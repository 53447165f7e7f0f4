//! The command `tamis`.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command with these arguments, the first of which is its name. Returns its exit code.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| tamis_cli::run(arguments).into())
}
