//! Extraction from Arrow batches into Arrow batches, for Python, Spark, Ray and Parquet.
//!
//! ```
//! use std::sync::Arc;
//! use arrow_array::{RecordBatch, StringArray, cast::AsArray};
//! use tamis_batch::{Fields, InputFields, Work, arrow};
//!
//! let html = StringArray::from(vec![Some("<p>It rained in the harbour on Monday, all day long."), None]);
//! let batch = RecordBatch::try_from_iter([("html", Arc::new(html) as _)])?;
//! let rows = arrow::extract(&batch, &Work::default(), &InputFields::default(), 1)?;
//! assert_eq!(rows.schema(), arrow::schema(Fields::default(), &[]));
//! let texts = rows.column_by_name("text").unwrap().as_string::<i32>();
//! assert!(texts.value(0).contains("It rained"));
//! assert!(rows.column_by_name("error").unwrap().as_string::<i32>().value(1).contains("no page"));
//! # Ok::<(), arrow_schema::ArrowError>(())
//! ```

mod build;
mod pages;
mod reader;

use std::sync::Arc;

use arrow_array::{Array, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, DataType, Field, Schema};

pub use build::{batch, schema};
pub use pages::Pages;
pub use reader::PageReader;

#[cfg(feature = "parquet")]
pub(crate) use build::batch_of_rows;
#[cfg(feature = "parquet")]
pub(crate) use pages::value_at;

use crate::input_fields::InputFields;
use crate::parallel::in_order;
use crate::record::Record;
use crate::work::Work;

/// Extracts a batch of pages on some threads. Pages are read in place; kept columns are passed through.
pub fn extract(
    batch: &RecordBatch,
    work: &Work,
    fields: &InputFields,
    threads: usize,
) -> Result<RecordBatch, ArrowError> {
    let pages = Pages::of(batch, fields)?;
    let row = |number: &usize| match pages.get(*number) {
        Some(page) => pages.placed(*number, work.extract(&page)),
        None => pages.missing(*number),
    };
    let numbers: Vec<usize> = (0..batch.num_rows()).collect();
    let mut made: Vec<Record> = Vec::with_capacity(numbers.len());
    in_order(&numbers, threads, row, |_, record| -> Result<(), ArrowError> {
        made.push(record);
        Ok(())
    })?;
    with_kept(build::batch(&made, work.options().fields, &[])?, batch, &fields.keep)
}

/// Adds columns of the input unchanged.
fn with_kept(rows: RecordBatch, input: &RecordBatch, keep: &[String]) -> Result<RecordBatch, ArrowError> {
    if keep.is_empty() {
        return Ok(rows);
    }
    let mut names = rows.schema().fields().to_vec();
    let mut columns = rows.columns().to_vec();
    for name in keep {
        let array = input.column_by_name(name).ok_or_else(|| no_column(input, name))?;
        names.push(Arc::new(Field::new(name, array.data_type().clone(), true)));
        columns.push(array.clone());
    }
    let options = RecordBatchOptions::new().with_row_count(Some(rows.num_rows()));
    RecordBatch::try_new_with_options(Arc::new(Schema::new(names)), columns, &options)
}

fn no_column(batch: &RecordBatch, name: &str) -> ArrowError {
    let schema = batch.schema();
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    ArrowError::SchemaError(format!("no column {name:?}; the columns are {}", names.join(", ")))
}

fn wrong(column: &str, kind: &DataType, expected: &str) -> ArrowError {
    ArrowError::SchemaError(format!("the column {column:?} is {kind}, but {expected} is needed"))
}

/// The column of a name, if it exists.
fn column<'b>(batch: &'b RecordBatch, name: &str) -> Option<&'b dyn Array> {
    batch.column_by_name(name).map(AsRef::as_ref)
}
