//! Pages out of a batch, read where they lie.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{ArrowError, DataType, TimeUnit};

use super::{column, wrong};
use crate::fields::Fields;
use crate::row::{Row, host};
use crate::time;
use crate::work::{Html, PageIn};

/// The pages of a batch.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{BinaryArray, RecordBatch, StringArray};
/// use tamis_batch::{Fields, arrow::Pages};
///
/// let html = BinaryArray::from(vec![b"<p>one".as_slice()]);
/// let url = StringArray::from(vec!["http://e.com/"]);
/// let batch = RecordBatch::try_from_iter([("html", Arc::new(html) as _), ("url", Arc::new(url) as _)])?;
/// let pages = Pages::of(&batch, &Fields::default())?;
/// assert_eq!(pages.get(0).unwrap().url, Some("http://e.com/"));
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
#[derive(Debug)]
pub struct Pages<'b> {
    html: &'b dyn Array,
    url: Option<&'b dyn Array>,
    content_type: Option<&'b dyn Array>,
    status: Option<&'b dyn Array>,
    fetched: Option<&'b dyn Array>,
    /// What whoever read the pages has to say of those that are not there.
    error: Option<&'b dyn Array>,
}

impl<'b> Pages<'b> {
    /// Finds the columns. Only that of the pages must be there, and be of a type that can be read.
    pub fn of(batch: &'b RecordBatch, fields: &Fields) -> Result<Pages<'b>, ArrowError> {
        let html = column(batch, &fields.html).ok_or_else(|| {
            let schema = batch.schema();
            let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
            ArrowError::SchemaError(format!(
                "there is no column {:?}; the columns are {}",
                fields.html,
                names.join(", ")
            ))
        })?;
        if !is_text(html) && !is_binary(html) {
            return Err(wrong(&fields.html, html.data_type(), "binary or string"));
        }
        // What is not of use in another column is not known; the page is there all the same.
        Ok(Pages {
            html,
            url: column(batch, &fields.url),
            content_type: column(batch, &fields.content_type),
            status: column(batch, &fields.status),
            fetched: column(batch, &fields.fetched),
            error: column(batch, "error"),
        })
    }

    /// A page; nothing where it is null.
    pub fn get(&self, number: usize) -> Option<PageIn<'b>> {
        let html = if is_text(self.html) {
            Html::Text(text_at(self.html, number)?)
        } else {
            Html::Bytes(bytes_at(self.html, number)?)
        };
        Some(PageIn {
            html,
            url: self.url(number),
            content_type: self.content_type.and_then(|column| text_at(column, number)),
            status: self.status.and_then(|column| status_at(column, number)),
            fetched: self.fetched.and_then(|column| time_at(column, number)),
        })
    }

    /// Its address.
    pub(super) fn url(&self, number: usize) -> Option<&'b str> {
        self.url.and_then(|column| text_at(column, number))
    }

    /// What whoever read the page has to say of it.
    pub(super) fn error(&self, number: usize) -> Option<&'b str> {
        self.error.and_then(|column| text_at(column, number)).filter(|what| !what.is_empty())
    }

    /// The row of a page that is not there.
    pub(crate) fn missing(&self, number: usize) -> Row {
        let url = self.url(number);
        let error = self.error(number);
        Row {
            url: url.map(str::to_owned),
            host: url.and_then(host),
            status: self.status.and_then(|column| status_at(column, number)),
            fetched: self.fetched.and_then(|column| time_at(column, number)),
            error: Some(error.unwrap_or("there is no page: the column is null").to_owned()),
            ..Row::default()
        }
    }
}

fn is_text(array: &dyn Array) -> bool {
    matches!(array.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

fn is_binary(array: &dyn Array) -> bool {
    matches!(array.data_type(), DataType::Binary | DataType::LargeBinary | DataType::BinaryView)
}

fn text_at(array: &dyn Array, number: usize) -> Option<&str> {
    if array.is_null(number) {
        return None;
    }
    match array.data_type() {
        DataType::Utf8 => Some(array.as_string::<i32>().value(number)),
        DataType::LargeUtf8 => Some(array.as_string::<i64>().value(number)),
        DataType::Utf8View => Some(array.as_string_view().value(number)),
        // Many writers do not say that what they write is text.
        _ => bytes_at(array, number).and_then(|bytes| std::str::from_utf8(bytes).ok()),
    }
}

fn bytes_at(array: &dyn Array, number: usize) -> Option<&[u8]> {
    if array.is_null(number) {
        return None;
    }
    match array.data_type() {
        DataType::Binary => Some(array.as_binary::<i32>().value(number)),
        DataType::LargeBinary => Some(array.as_binary::<i64>().value(number)),
        DataType::BinaryView => Some(array.as_binary_view().value(number)),
        _ => None,
    }
}

fn status_at(array: &dyn Array, number: usize) -> Option<u16> {
    if array.is_null(number) {
        return None;
    }
    match array.data_type() {
        DataType::Int8 => array.as_primitive::<Int8Type>().value(number).try_into().ok(),
        DataType::Int16 => array.as_primitive::<Int16Type>().value(number).try_into().ok(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(number).try_into().ok(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(number).try_into().ok(),
        DataType::UInt8 => Some(array.as_primitive::<UInt8Type>().value(number).into()),
        DataType::UInt16 => Some(array.as_primitive::<UInt16Type>().value(number)),
        DataType::UInt32 => array.as_primitive::<UInt32Type>().value(number).try_into().ok(),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(number).try_into().ok(),
        _ => text_at(array, number)?.trim().parse().ok(),
    }
}

fn time_at(array: &dyn Array, number: usize) -> Option<i64> {
    if array.is_null(number) {
        return None;
    }
    match array.data_type() {
        DataType::Timestamp(TimeUnit::Second, _) => {
            array.as_primitive::<TimestampSecondType>().value(number).checked_mul(1_000_000)
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            array.as_primitive::<TimestampMillisecondType>().value(number).checked_mul(1_000)
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            Some(array.as_primitive::<TimestampMicrosecondType>().value(number))
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            Some(array.as_primitive::<TimestampNanosecondType>().value(number).div_euclid(1_000))
        }
        _ => text_at(array, number).and_then(time::parse),
    }
}
