//! Parquet with typed columns: times as timestamps in UTC, authors as a list. Comments and earlier versions are JSON.

use std::io::{self, Write};
use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use ::parquet::basic::{Compression, ZstdLevel};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{
    ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray, TimestampMillisecondArray, UInt32Array,
};
use serde::Serialize;

use super::{ExportOptions, ExportedStory, for_each_story};
use crate::database::Transaction;
use crate::error::Error;

/// Limits of a batch: number of stories, and bytes of their texts.
const BATCH_STORIES: usize = 1_000;
const BATCH_BYTES: usize = 16 << 20;
/// Stories per row group.
const ROW_GROUP: usize = 10_000;

pub(super) fn export(
    tx: &mut Transaction<'_>,
    options: &ExportOptions,
    out: impl Write + Send,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Error> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(ROW_GROUP))
        .build();
    // An empty batch yields the schema, so it always agrees with later batches.
    let schema = batch(&[], options)?.schema();
    let mut writer = ArrowWriter::try_new(out, schema, Some(properties)).map_err(failed)?;
    let mut stories = Vec::new();
    let mut bytes = 0;
    let count = for_each_story(tx, options, progress, |story| {
        bytes += story.story.text.len() + story.story.markdown.len();
        stories.push(story);
        if stories.len() >= BATCH_STORIES || bytes >= BATCH_BYTES {
            writer.write(&batch(&stories, options)?).map_err(failed)?;
            stories.clear();
            // Also limits the memory of a row group in bytes.
            if writer.in_progress_size() > 4 * BATCH_BYTES {
                writer.flush().map_err(failed)?;
            }
            bytes = 0;
        }
        Ok(())
    })?;
    writer.write(&batch(&stories, options)?).map_err(failed)?;
    writer.into_inner().map_err(failed)?.flush()?;
    Ok(count)
}

fn batch(stories: &[ExportedStory], options: &ExportOptions) -> Result<RecordBatch, Error> {
    let text = |get: fn(&ExportedStory) -> &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(stories.iter().map(get)))
    };
    let optional = |get: fn(&ExportedStory) -> Option<&str>| -> ArrayRef {
        Arc::new(StringArray::from_iter(stories.iter().map(get)))
    };
    let time = |get: fn(&ExportedStory) -> Option<i64>| -> ArrayRef {
        Arc::new(TimestampMillisecondArray::from_iter(stories.iter().map(get)).with_timezone("UTC"))
    };
    let number = |get: fn(&ExportedStory) -> u32| -> ArrayRef {
        Arc::new(UInt32Array::from_iter_values(stories.iter().map(get)))
    };
    let mut authors = ListBuilder::new(StringBuilder::new());
    for story in stories {
        for author in &story.story.authors {
            authors.values().append_value(author);
        }
        authors.append(true);
    }
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(stories.iter().map(|it| it.story.id)));
    let confidence: ArrayRef =
        Arc::new(Float64Array::from_iter(stories.iter().map(|it| it.story.confidence)));
    let groups: ArrayRef = Arc::new(Int64Array::from_iter(stories.iter().map(|it| it.story.duplicates)));
    let authors: ArrayRef = Arc::new(authors.finish());
    let mut columns: Vec<(&str, ArrayRef, bool)> = vec![
        ("id", ids, false),
        ("url", text(|it| &it.story.url), false),
        ("canonical", optional(|it| it.story.canonical.as_deref()), true),
        ("host", text(|it| &it.story.host), false),
        ("source", optional(|it| it.story.source.as_deref()), true),
        ("site_name", optional(|it| it.story.site_name.as_deref()), true),
        ("title", optional(|it| it.story.title.as_deref()), true),
        ("published", optional(|it| it.story.published.as_deref()), true),
        ("published_at", time(|it| it.story.published_at), true),
        ("modified", optional(|it| it.story.modified.as_deref()), true),
        ("fetched", time(|it| Some(it.story.fetched)), false),
        ("updated", time(|it| Some(it.story.updated)), false),
        ("checked", time(|it| Some(it.story.checked)), false),
        ("authors", authors, false),
        ("language", optional(|it| it.story.language.as_deref()), true),
        ("page_type", optional(|it| it.story.page_type.as_deref()), true),
        ("confidence", confidence, true),
        ("text", text(|it| &it.story.text), false),
        ("markdown", text(|it| &it.story.markdown), false),
        ("digest", text(|it| &it.story.digest), false),
        ("parts", number(|it| it.story.parts), false),
        ("revisions", number(|it| it.story.revisions), false),
        ("robots", optional(|it| it.story.robots.as_deref()), true),
        ("duplicates", groups, true),
        ("extractor", text(|it| &it.story.extractor), false),
    ];
    if options.comments {
        columns.push(("comments", json(stories.iter().map(|it| &it.comments))?, false));
    }
    if options.revisions {
        columns.push(("earlier", json(stories.iter().map(|it| &it.revisions))?, false));
    }
    RecordBatch::try_from_iter_with_nullable(columns).map_err(|error| Error::Io(io::Error::other(error)))
}

fn json<T: Serialize>(values: impl Iterator<Item = T>) -> Result<ArrayRef, Error> {
    let values = values.map(|value| serde_json::to_string(&value)).collect::<Result<Vec<_>, _>>();
    Ok(Arc::new(StringArray::from(values.map_err(io::Error::from)?)))
}

fn failed(error: ParquetError) -> Error {
    match error {
        // Preserves I/O errors, so that a full disk is recognisable.
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => Error::Io(*error),
            Err(source) => Error::Io(io::Error::other(source)),
        },
        error => Error::Io(io::Error::other(error)),
    }
}
