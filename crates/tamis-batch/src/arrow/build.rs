//! Records to a batch: columns are built from the JSON values of fields, by the types in the table of fields.

use std::any::Any;
use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float32Builder, Int32Builder, Int64Builder, ListBuilder, StringBuilder,
    StructBuilder, TimestampMicrosecondBuilder, make_builder,
};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};
use serde_json::{Map, Value};
use tamis_dates::{Moment, Precision};

use crate::fields::{Fields, Shape};
use crate::record::Record;
use crate::time;

/// The columns of records with these fields, then the kept fields as text. A date has two further columns: its
/// timestamp (`published_time`) and its precision (`published_precision`).
pub fn schema(fields: Fields, keep: &[String]) -> SchemaRef {
    let columns = columns(fields, keep).into_iter();
    Arc::new(Schema::new(
        columns.map(|column| Field::new(column.name, type_of(column.shape), true)).collect::<Vec<_>>(),
    ))
}

/// Records as a batch of the chosen fields, with the kept fields as text.
pub fn batch(records: &[Record], fields: Fields, keep: &[String]) -> Result<RecordBatch, ArrowError> {
    let rows: Vec<_> = records.iter().map(|record| record.to_map(fields)).collect();
    batch_of_rows(&rows, fields, keep)
}

pub(crate) fn batch_of_rows(
    rows: &[Map<String, Value>],
    fields: Fields,
    keep: &[String],
) -> Result<RecordBatch, ArrowError> {
    // A string array holds at most two gigabytes.
    let bytes: usize = rows.iter().flat_map(Map::values).map(weight).sum();
    if bytes > i32::MAX as usize {
        return Err(ArrowError::InvalidArgumentError(format!(
            "this batch has {bytes} bytes of text, and an Arrow array holds at most {}: use smaller batches",
            i32::MAX
        )));
    }
    let arrays = columns(fields, keep).iter().map(|column| column.array(rows)).collect::<Result<_, _>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
    RecordBatch::try_new_with_options(schema(fields, keep), arrays, &options)
}

/// A column: its field and type.
struct Column {
    name: String,
    field: String,
    shape: Shape,
    part: Part,
}

#[derive(Clone, Copy)]
enum Part {
    Whole,
    Time,
    Precision,
}

fn columns(fields: Fields, keep: &[String]) -> Vec<Column> {
    let mut columns = Vec::new();
    for field in fields.iter() {
        let mut push = |suffix: &str, shape, part| {
            let field = field.name().to_owned();
            columns.push(Column { name: format!("{field}{suffix}"), field, shape, part });
        };
        push("", field.shape(), Part::Whole);
        if matches!(field.shape(), Shape::Date) {
            push("_time", Shape::Time, Part::Time);
            push("_precision", Shape::Text, Part::Precision);
        }
    }
    let kept = |name: &String| Column {
        name: name.clone(),
        field: name.clone(),
        shape: Shape::Json,
        part: Part::Whole,
    };
    columns.extend(keep.iter().map(kept));
    columns
}

impl Column {
    fn array(&self, rows: &[Map<String, Value>]) -> Result<ArrayRef, ArrowError> {
        let mut builder = make_builder(&type_of(self.shape), rows.len());
        for row in rows {
            let value = row.get(&self.field).unwrap_or(&Value::Null);
            let moment = || value.as_str().and_then(Moment::parse_iso);
            let appended = match self.part {
                Part::Whole => append(&mut *builder, self.shape, value),
                Part::Time => {
                    let micros = moment().map(|moment| moment.to_unix() * 1_000_000);
                    to::<TimestampMicrosecondBuilder>(&mut *builder).map(|it| it.append_option(micros))
                }
                Part::Precision => {
                    let name = moment().map(|moment| name_of(moment.precision()));
                    to::<StringBuilder>(&mut *builder).map(|it| it.append_option(name))
                }
            };
            appended.ok_or_else(|| {
                ArrowError::ComputeError(format!("{}: no builder for {:?}", self.name, self.shape))
            })?;
        }
        Ok(builder.finish())
    }
}

fn name_of(precision: Precision) -> &'static str {
    match precision {
        Precision::Year => "year",
        Precision::Month => "month",
        Precision::Day => "day",
        Precision::Minute => "minute",
        Precision::Second => "second",
    }
}

fn type_of(shape: Shape) -> DataType {
    match shape {
        Shape::Text | Shape::Json | Shape::Date => DataType::Utf8,
        // Spark has no unsigned numbers.
        Shape::Integer => DataType::Int32,
        Shape::Long => DataType::Int64,
        Shape::Float => DataType::Float32,
        Shape::Truth => DataType::Boolean,
        Shape::Time => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        Shape::List(of) => DataType::List(Arc::new(Field::new_list_field(type_of(*of), true))),
        Shape::Struct(fields) => DataType::Struct(
            fields.iter().map(|(name, shape)| Field::new(*name, type_of(*shape), true)).collect(),
        ),
    }
}

fn to<T: Any>(builder: &mut dyn ArrayBuilder) -> Option<&mut T> {
    builder.as_any_mut().downcast_mut()
}

/// Appends a value. Types nest at most three deep.
fn append(builder: &mut dyn ArrayBuilder, shape: Shape, value: &Value) -> Option<()> {
    let is_there = !value.is_null();
    match shape {
        Shape::Text | Shape::Json | Shape::Date => {
            let builder = to::<StringBuilder>(builder)?;
            match value {
                Value::Null => builder.append_null(),
                Value::String(text) => builder.append_value(text),
                other => builder.append_value(other.to_string()),
            }
        }
        Shape::Integer => {
            let number = value.as_i64().and_then(|number| number.try_into().ok());
            to::<Int32Builder>(builder)?.append_option(number);
        }
        Shape::Long => to::<Int64Builder>(builder)?.append_option(value.as_i64()),
        Shape::Float => {
            to::<Float32Builder>(builder)?.append_option(value.as_f64().map(|number| number as f32));
        }
        Shape::Truth => to::<BooleanBuilder>(builder)?.append_option(value.as_bool()),
        Shape::Time => {
            let time = value.as_str().and_then(time::parse);
            to::<TimestampMicrosecondBuilder>(builder)?.append_option(time);
        }
        Shape::List(of) => {
            let list = to::<ListBuilder<Box<dyn ArrayBuilder>>>(builder)?;
            for value in value.as_array().into_iter().flatten() {
                append(&mut **list.values(), *of, value)?;
            }
            list.append(is_there);
        }
        Shape::Struct(fields) => {
            let object = to::<StructBuilder>(builder)?;
            for ((name, shape), builder) in fields.iter().zip(object.field_builders_mut()) {
                append(&mut **builder, *shape, value.get(name).unwrap_or(&Value::Null))?;
            }
            object.append(is_there);
        }
    }
    Some(())
}

/// The bytes of the strings in a value.
fn weight(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(weight).sum(),
        Value::Object(map) => map.iter().map(|(name, value)| name.len() + weight(value)).sum(),
        _ => 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrow::pages::value_at;
    use crate::fields::RecordField;
    use crate::page_in::{Html, PageIn};
    use crate::work::{Work, WorkOptions};

    /// Floats as in columns.
    fn rounded(value: Value) -> Value {
        match value {
            Value::Number(number) if number.is_f64() => (number.as_f64().unwrap_or_default() as f32).into(),
            Value::Array(values) => values.into_iter().map(rounded).collect(),
            Value::Object(map) => map.into_iter().map(|(name, value)| (name, rounded(value))).collect(),
            value => value,
        }
    }

    /// Fields of a page that differ between the row of a batch and JSON.
    fn differing(html: &[u8]) -> Vec<String> {
        let fields = Fields::ALL;
        let work = Work::new(WorkOptions { fields, ..WorkOptions::default() });
        let url = Some("https://forum.example/thread/1");
        let record = work.extract(&PageIn { url, ..PageIn::of(Html::Bytes(html)) });
        let json: Map<String, Value> = serde_json::from_str(&record.to_json(fields)).unwrap();
        let rows = batch(&[record], fields, &[]).unwrap();
        let column = |field: RecordField| {
            let value = value_at(rows.column_by_name(field.name()).unwrap().as_ref(), 0);
            match (field.shape(), value) {
                (Shape::Json, Value::String(text)) => serde_json::from_str(&text).unwrap(),
                (_, value) => value,
            }
        };
        let differs = |field: &RecordField| rounded(column(*field)) != rounded(json[field.name()].clone());
        fields.iter().filter(differs).map(|field| field.name().to_owned()).collect()
    }

    #[test]
    fn rows_of_a_batch_equal_json() {
        let post = |number: u32, quote: &str| {
            format!(
                "<div class=post id=p{number}><a class=username href=/u/{number}>Reader {number}</a> <time datetime=2021-05-0{number}>\
                 {number} May 2021</time> #{number}<div class=message>{quote}<p>Message {number} about the ferry, which sails from the \
                 old pier every morning and comes back at night.</p></div></div>"
            )
        };
        let quote = "<blockquote><cite>Reader 1</cite><p>Message 1 about the ferry, which sails from the old pier.</p></blockquote>";
        let thread: String =
            (1..6).map(|number| post(number, if number == 3 { quote } else { "" })).collect();
        for html in
            [format!("<title>Ferry</title><h1>Ferry</h1>{thread}"), String::new(), "%PDF-1.7".to_owned()]
        {
            assert_eq!(differing(html.as_bytes()), Vec::<String>::new(), "{html}");
        }
        let pages = tamis_testdata::pages("web-forum-52");
        let wrong: Vec<_> = pages
            .iter()
            .map(|page| differing(&std::fs::read(page).unwrap()))
            .filter(|it| !it.is_empty())
            .collect();
        assert!(wrong.is_empty(), "{} of {}: {wrong:?}", wrong.len(), pages.len());
    }
}
