//! Reads pages from a batch in place.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, FieldRef, TimeUnit};

use serde_json::{Map, Value};

use super::{column, no_column, wrong};
use crate::input_fields::InputFields;
use crate::page_in::{Html, PageIn};
use crate::record::Record;
use crate::time;

/// The pages of a batch.
#[derive(Debug)]
pub struct Pages<'b> {
    html: &'b dyn Array,
    url: Option<&'b dyn Array>,
    content_type: Option<&'b dyn Array>,
    status: Option<&'b dyn Array>,
    fetched: Option<&'b dyn Array>,
    id: Option<&'b dyn Array>,
    path: Option<&'b dyn Array>,
    offset: Option<&'b dyn Array>,
    /// Errors from the reader of the pages.
    error: Option<&'b dyn Array>,
}

impl<'b> Pages<'b> {
    /// Finds the columns. Only the column of pages is required, with a supported type.
    pub fn of(batch: &'b RecordBatch, fields: &InputFields) -> Result<Pages<'b>, ArrowError> {
        let html = column(batch, &fields.html).ok_or_else(|| no_column(batch, &fields.html))?;
        if !is_text(html) && !is_binary(html) {
            return Err(wrong(&fields.html, html.data_type(), "binary or string"));
        }
        // Unusable values of other columns count as unknown.
        Ok(Pages {
            html,
            url: column(batch, &fields.url),
            content_type: column(batch, &fields.content_type),
            status: column(batch, &fields.status),
            fetched: column(batch, &fields.fetched),
            id: column(batch, &fields.id),
            path: column(batch, "path"),
            offset: column(batch, "offset"),
            error: column(batch, "error"),
        })
    }

    /// A page; `None` if null.
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
            reference_time: None,
            fault: self.error(number),
            site: None,
        })
    }

    /// The error from the reader of the page.
    fn error(&self, number: usize) -> Option<&'b str> {
        self.error.and_then(|column| text_at(column, number)).filter(|what| !what.is_empty())
    }

    fn url(&self, number: usize) -> Option<&'b str> {
        self.url.and_then(|column| text_at(column, number))
    }

    /// The id of the page: a string or a number.
    pub(crate) fn id(&self, number: usize) -> Option<String> {
        let column = self.id?;
        let text = || text_at(column, number).map(str::to_owned);
        text().or_else(|| integer_at(column, number).map(|id| id.to_string()))
    }

    /// A record with the origin of the page.
    pub(super) fn placed(&self, number: usize, mut record: Record) -> Record {
        record.id = self.id(number);
        let path = self.path.and_then(|column| text_at(column, number)).map(str::to_owned);
        record.at(path, self.offset.and_then(|column| integer_at(column, number)?.try_into().ok()))
    }

    /// The record of a missing page.
    pub(crate) fn missing(&self, number: usize) -> Record {
        let error = self.error(number);
        let record = Record {
            status: self.status.and_then(|column| status_at(column, number)),
            fetched: self.fetched.and_then(|column| time_at(column, number)),
            error: Some(error.unwrap_or("no page: the column is null").to_owned()),
            ..Record::of_url(self.url(number))
        };
        self.placed(number, record)
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
        // Many writers do not mark strings as UTF-8.
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
    let text = || text_at(array, number)?.trim().parse().ok();
    integer_at(array, number).map_or_else(text, |status| status.try_into().ok())
}

fn integer_at(array: &dyn Array, number: usize) -> Option<i64> {
    if array.is_null(number) {
        return None;
    }
    match array.data_type() {
        DataType::Int8 => Some(array.as_primitive::<Int8Type>().value(number).into()),
        DataType::Int16 => Some(array.as_primitive::<Int16Type>().value(number).into()),
        DataType::Int32 => Some(array.as_primitive::<Int32Type>().value(number).into()),
        DataType::Int64 => Some(array.as_primitive::<Int64Type>().value(number)),
        DataType::UInt8 => Some(array.as_primitive::<UInt8Type>().value(number).into()),
        DataType::UInt16 => Some(array.as_primitive::<UInt16Type>().value(number).into()),
        DataType::UInt32 => Some(array.as_primitive::<UInt32Type>().value(number).into()),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(number).try_into().ok(),
        _ => None,
    }
}

/// A value of any column as JSON; null if JSON cannot represent it.
#[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "other inputs keep columns as they are"))]
pub(crate) fn value_at(array: &dyn Array, number: usize) -> Value {
    if array.is_null(number) {
        return Value::Null;
    }
    let list = |values: &dyn Array| (0..values.len()).map(|number| value_at(values, number)).collect();
    match array.data_type() {
        DataType::Boolean => array.as_boolean().value(number).into(),
        DataType::Float32 => array.as_primitive::<Float32Type>().value(number).into(),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(number).into(),
        DataType::Timestamp(..) => time_at(array, number).and_then(time::write).into(),
        DataType::List(_) => list(&*array.as_list::<i32>().value(number)),
        DataType::LargeList(_) => list(&*array.as_list::<i64>().value(number)),
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns().iter().zip(fields);
            let entry =
                |(column, field): (&ArrayRef, &FieldRef)| (field.name().clone(), value_at(column, number));
            Value::Object(columns.map(entry).collect::<Map<_, _>>())
        }
        _ => match integer_at(array, number) {
            Some(integer) => integer.into(),
            None => text_at(array, number).into(),
        },
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
