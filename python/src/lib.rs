//! The Python package `tamis`: bindings without logic of their own.
//!
//! Long-running work releases the GIL. Batches are exchanged over the Arrow C data interface, so pages are not copied.

#![allow(
    missing_docs,
    reason = "what Python sees is documented in tamis/_tamis.pyi and in the docstrings here"
)]

mod batch;
mod command;
mod document;
mod errors;
mod memory;
mod model;
mod reading;
mod rules;
mod settings;

use pyo3::prelude::*;
use tamis_batch::{Fields, RecordField};
use tamis_methods::Selection;

#[pymodule]
fn _tamis(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", tamis_batch::VERSION)?;
    let names = |fields: Fields| fields.iter().map(RecordField::name).collect::<Vec<_>>();
    module.add("FIELDS", names(Fields::ALL))?;
    module.add("DEFAULT_FIELDS", names(Fields::default()))?;
    module.add("OPTIONS", settings::OPTIONS.to_vec())?;
    module.add("METHODS", Selection::all().map(Selection::name).collect::<Vec<_>>())?;
    errors::add(module)?;
    module.add_class::<document::PyDocument>()?;
    module.add_class::<memory::PySiteMemory>()?;
    module.add_class::<model::PyModel>()?;
    module.add_class::<rules::PySiteRules>()?;
    module.add_class::<reading::PageBatches>()?;
    module.add_function(wrap_pyfunction!(document::extract, module)?)?;
    module.add_function(wrap_pyfunction!(document::extract_text, module)?)?;
    module.add_function(wrap_pyfunction!(document::extract_markdown, module)?)?;
    module.add_function(wrap_pyfunction!(batch::extract_record_batch, module)?)?;
    module.add_function(wrap_pyfunction!(batch::record_schema, module)?)?;
    module.add_function(wrap_pyfunction!(batch::page_schema, module)?)?;
    module.add_function(wrap_pyfunction!(reading::read_pages, module)?)?;
    module.add_function(wrap_pyfunction!(command::run_command, module)?)?;
    module.add_function(wrap_pyfunction!(memory::site_of, module)?)?;
    Ok(())
}
