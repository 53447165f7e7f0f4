//! Batches of Arrow: pages in one, rows in another. Python, Spark and Ray speak it, and Parquet files are made of it.
//!
//! ```
//! use std::sync::Arc;
//! use arrow_array::{RecordBatch, StringArray, cast::AsArray};
//! use tamis_batch::{Columns, Fields, Work, arrow};
//!
//! let html = StringArray::from(vec![Some("<p>It rained in the harbour on Monday, all day long."), None]);
//! let batch = RecordBatch::try_from_iter([("html", Arc::new(html) as _)])?;
//! let rows = arrow::extract(&batch, &Work::default(), &Fields::default(), 1)?;
//! assert_eq!(rows.schema(), arrow::schema(Columns::default()));
//! let texts = rows.column_by_name("text").unwrap().as_string::<i32>();
//! assert!(texts.value(0).contains("It rained"));
//! assert!(rows.column_by_name("error").unwrap().as_string::<i32>().value(1).contains("no page"));
//! # Ok::<(), arrow_schema::ArrowError>(())
//! ```

mod build;
mod pages;
mod reader;

use std::sync::Arc;
use std::thread;

use arrow_array::{Array, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Fields as ArrowFields, Schema, SchemaRef, TimeUnit};

pub use build::rows;
pub use pages::Pages;
pub use reader::PageReader;

use crate::columns::{Column, Columns};
use crate::fields::Fields;
use crate::row::Row;
use crate::work::Work;

/// The columns of rows, with their types.
pub fn schema(columns: Columns) -> SchemaRef {
    let fields: Vec<Field> = columns
        .iter()
        .map(|column| {
            Field::new(column.name(), type_of(column), !matches!(column, Column::Authors | Column::Version))
        })
        .collect();
    Arc::new(Schema::new(fields))
}

fn type_of(column: Column) -> DataType {
    match column {
        // Spark knows no numbers without a sign.
        Column::Status => DataType::Int32,
        Column::Fetched => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        Column::Authors => DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true))),
        Column::Confidence => DataType::Float32,
        Column::Blocks => {
            DataType::List(Arc::new(Field::new_list_field(DataType::Struct(block_fields()), true)))
        }
        _ => DataType::Utf8,
    }
}

fn block_fields() -> ArrowFields {
    let field = |name: &str, kind: DataType| Field::new(name, kind, true);
    ArrowFields::from(vec![
        field("text", DataType::Utf8),
        field("kind", DataType::Utf8),
        field("path", DataType::Utf8),
        field("span", DataType::List(Arc::new(Field::new_list_field(DataType::Int64, true)))),
        field("score", DataType::Float32),
        field("kept", DataType::Boolean),
        field("comment", DataType::Utf8),
    ])
}

/// The rows of a batch of pages, with so many threads. The pages are read where they lie.
pub fn extract(
    batch: &RecordBatch,
    work: &Work,
    fields: &Fields,
    threads: usize,
) -> Result<RecordBatch, ArrowError> {
    let pages = Pages::of(batch, fields)?;
    let count = batch.num_rows();
    let threads = threads.clamp(1, count.max(1));
    let row = |number: usize| match pages.get(number) {
        Some(page) => {
            let mut row = work.row(&page);
            // Whoever read the page may have had a part of it.
            row.error = row.error.or_else(|| pages.error(number).map(str::to_owned));
            row
        }
        None => pages.missing(number),
    };
    let made: Vec<Row> = if threads == 1 {
        (0..count).map(row).collect()
    } else {
        // Pages differ in size; whoever is free takes the next few.
        let next = std::sync::atomic::AtomicUsize::new(0);
        let (next, row) = (&next, &row);
        let parts: Vec<Vec<(usize, Row)>> = thread::scope(|scope| {
            let started: Vec<_> = (0..threads)
                .map(|_| {
                    scope.spawn(move || {
                        let mut made = Vec::new();
                        loop {
                            let begin = next.fetch_add(8, std::sync::atomic::Ordering::Relaxed);
                            if begin >= count {
                                return made;
                            }
                            made.extend((begin..(begin + 8).min(count)).map(|number| (number, row(number))));
                        }
                    })
                })
                .collect();
            started.into_iter().map(|thread| thread.join().unwrap_or_default()).collect()
        });
        let mut all: Vec<(usize, Row)> = parts.into_iter().flatten().collect();
        all.sort_unstable_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, row)| row).collect()
    };
    if made.len() != count {
        return Err(ArrowError::ComputeError("a page could not be worked on".to_owned()));
    }
    rows(made, work.options().columns)
}

fn wrong(column: &str, kind: &DataType, expected: &str) -> ArrowError {
    ArrowError::SchemaError(format!("the column {column:?} is {kind}, but {expected} is needed"))
}

/// The column of that name, if there is one.
fn column<'b>(batch: &'b RecordBatch, name: &str) -> Option<&'b dyn Array> {
    batch.column_by_name(name).map(AsRef::as_ref)
}
