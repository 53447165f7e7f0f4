//! Rows into a batch.

use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float32Builder, Int32Builder, Int64Builder, ListBuilder, StringBuilder,
    StructBuilder, TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::ArrowError;

use super::{block_fields, schema};
use crate::block_row::BlockRow;
use crate::columns::{Column, Columns};
use crate::row::{Row, VERSION};

/// Rows as a batch of the wanted columns.
pub fn rows(rows: Vec<Row>, columns: Columns) -> Result<RecordBatch, ArrowError> {
    check_size(&rows)?;
    let arrays = columns.iter().map(|column| array(column, &rows)).collect::<Result<Vec<_>, _>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
    RecordBatch::try_new_with_options(schema(columns), arrays, &options)
}

/// An array of texts holds two gigabytes at most.
fn check_size(rows: &[Row]) -> Result<(), ArrowError> {
    let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let blocks = |row: &Row| -> usize {
        row.blocks.iter().flatten().map(|block| block.text.len() + block.path.len()).sum()
    };
    let most = |row: &Row| length(&row.text).max(length(&row.markdown)).max(blocks(row));
    let all: usize = rows.iter().map(most).sum();
    if all > i32::MAX as usize {
        return Err(ArrowError::InvalidArgumentError(format!(
            "the texts of this batch take {all} bytes, and an array can hold {}: give batches with fewer pages",
            i32::MAX
        )));
    }
    Ok(())
}

fn texts<'r>(values: impl Iterator<Item = Option<&'r str>>) -> ArrayRef {
    let mut builder = StringBuilder::new();
    values.for_each(|value| builder.append_option(value));
    Arc::new(builder.finish())
}

fn array(column: Column, rows: &[Row]) -> Result<ArrayRef, ArrowError> {
    Ok(match column {
        Column::Url => texts(rows.iter().map(|row| row.url.as_deref())),
        Column::Host => texts(rows.iter().map(|row| row.host.as_deref())),
        Column::Status => {
            let mut builder = Int32Builder::with_capacity(rows.len());
            rows.iter().for_each(|row| builder.append_option(row.status.map(i32::from)));
            Arc::new(builder.finish())
        }
        Column::Fetched => {
            let mut builder = TimestampMicrosecondBuilder::with_capacity(rows.len()).with_timezone("UTC");
            rows.iter().for_each(|row| builder.append_option(row.fetched));
            Arc::new(builder.finish())
        }
        Column::Title => texts(rows.iter().map(|row| row.title.as_deref())),
        Column::Published => texts(rows.iter().map(|row| row.published.as_deref())),
        Column::Authors => {
            let mut builder = ListBuilder::new(StringBuilder::new());
            for row in rows {
                row.authors.iter().for_each(|author| builder.values().append_value(author));
                builder.append(true);
            }
            Arc::new(builder.finish())
        }
        Column::Source => texts(rows.iter().map(|row| row.source.as_deref())),
        Column::Language => texts(rows.iter().map(|row| row.language.as_deref())),
        Column::PageType => texts(rows.iter().map(|row| row.page_type.as_deref())),
        Column::Confidence => {
            let mut builder = Float32Builder::with_capacity(rows.len());
            rows.iter().for_each(|row| builder.append_option(row.confidence));
            Arc::new(builder.finish())
        }
        Column::Text => texts(rows.iter().map(|row| row.text.as_deref())),
        Column::Markdown => texts(rows.iter().map(|row| row.markdown.as_deref())),
        Column::Blocks => blocks(rows)?,
        Column::Method => texts(rows.iter().map(|row| row.method)),
        Column::Model => texts(rows.iter().map(|row| row.model.as_deref())),
        Column::Version => texts(rows.iter().map(|_| Some(VERSION))),
        Column::Error => texts(rows.iter().map(|row| row.error.as_deref())),
    })
}

fn blocks(rows: &[Row]) -> Result<ArrayRef, ArrowError> {
    let fields: Vec<Box<dyn ArrayBuilder>> = vec![
        Box::new(StringBuilder::new()),
        Box::new(StringBuilder::new()),
        Box::new(StringBuilder::new()),
        Box::new(ListBuilder::new(Int64Builder::new())),
        Box::new(Float32Builder::new()),
        Box::new(BooleanBuilder::new()),
        Box::new(StringBuilder::new()),
    ];
    let mut builder = ListBuilder::new(StructBuilder::new(block_fields(), fields));
    for row in rows {
        for block in row.blocks.iter().flatten() {
            put(builder.values(), block).ok_or_else(|| {
                ArrowError::ComputeError("a block has other fields than it should".to_owned())
            })?;
        }
        builder.append(row.blocks.is_some());
    }
    Ok(Arc::new(builder.finish()))
}

fn put(to: &mut StructBuilder, block: &BlockRow) -> Option<()> {
    to.field_builder::<StringBuilder>(0)?.append_value(&block.text);
    to.field_builder::<StringBuilder>(1)?.append_value(&block.kind);
    to.field_builder::<StringBuilder>(2)?.append_value(&block.path);
    let span = to.field_builder::<ListBuilder<Int64Builder>>(3)?;
    block.span.iter().for_each(|place| span.values().append_value(i64::from(*place)));
    span.append(true);
    to.field_builder::<Float32Builder>(4)?.append_value(block.score);
    to.field_builder::<BooleanBuilder>(5)?.append_value(block.kept);
    to.field_builder::<StringBuilder>(6)?.append_option(block.comment);
    to.append(true);
    Some(())
}
