//! Reads files into batches of pages, for engines that distribute work themselves.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_array::builder::{BinaryBuilder, StringBuilder};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use super::build;
use crate::bounds::Bounds;
use crate::fields::{Fields, RecordField};
use crate::input_fields::InputFields;
use crate::inputs::Inputs;
use crate::item::{Body, Mark};
use crate::items::Items;
use crate::take_apart::Taken;

/// Bytes after which a batch ends, regardless of its number of pages.
const MAX_BYTES: usize = 32 << 20;

/// Fields of a record that identify the page.
const ABOUT: &[RecordField] = &[
    RecordField::Id,
    RecordField::Path,
    RecordField::Offset,
    RecordField::Url,
    RecordField::Status,
    RecordField::Fetched,
    RecordField::Error,
];

/// The pages of inputs, in batches with the columns `id`, `path`, `offset`, `url`, `status`, `fetched`, `error`, the
/// kept fields as text, `content_type` and `html`.
pub struct PageReader {
    items: Items,
    fields: InputFields,
    rows: usize,
    most: u32,
}

impl std::fmt::Debug for PageReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PageReader")
            .field("rows", &self.rows)
            .field("most", &self.most)
            .finish_non_exhaustive()
    }
}

impl PageReader {
    /// Sets the maximum number of pages in a batch and of bytes in a page.
    pub fn new(inputs: &Inputs, fields: InputFields, rows: usize, most: Option<u32>) -> PageReader {
        let most = most.unwrap_or(Bounds::default().bytes);
        PageReader {
            items: Items::new(inputs, &fields, most, Mark::default()),
            fields,
            rows: rows.max(1),
            most,
        }
    }

    /// The columns of the batches.
    pub fn schema(keep: &[String]) -> SchemaRef {
        let mut fields = build::schema(Fields::of(ABOUT), keep).fields().to_vec();
        let page = [("content_type", DataType::Utf8), ("html", DataType::Binary)];
        fields.extend(page.map(|(name, kind)| Arc::new(Field::new(name, kind, true))));
        Arc::new(Schema::new(fields))
    }
}

impl Iterator for PageReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (mut records, mut types, mut html) = (Vec::new(), StringBuilder::new(), BinaryBuilder::new());
        let mut bytes = 0;
        while records.len() < self.rows && bytes < MAX_BYTES {
            let Some(item) = self.items.next() else { break };
            if matches!(item.body, Body::Passed | Body::OtherFile) {
                continue;
            }
            let (record, kind, page) = Taken::of(item, &self.fields, self.most).into_page();
            bytes += page.as_ref().map_or(0, Vec::len);
            types.append_option(kind);
            html.append_option(page);
            records.push(record);
        }
        if records.is_empty() {
            return None;
        }
        let keep = &self.fields.keep;
        Some(build::batch(&records, Fields::of(ABOUT), keep).and_then(|about| {
            let mut columns = about.columns().to_vec();
            columns.extend([Arc::new(types.finish()) as _, Arc::new(html.finish()) as _]);
            RecordBatch::try_new(PageReader::schema(keep), columns)
        }))
    }
}
