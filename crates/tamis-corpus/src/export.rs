//! Exports stories as JSON lines, CSV, Markdown or Parquet, streamed in the order of their ids.

#[cfg(feature = "parquet")]
mod parquet;

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

use crate::database::{Param, Transaction};
use crate::error::Error;
use crate::filter::{Conditions, Filter};
use crate::story::{Comment, Revision, Story, comments, revisions, rfc3339};

/// Ids read at once.
const PAGE: usize = 500;

/// What to export.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExportOptions {
    /// The stories to export.
    pub filter: Filter,
    /// Only stories with a greater id, such as those added since an earlier export.
    pub since_id: Option<i64>,
    /// Whether to include comments. Markdown has none.
    pub comments: bool,
    /// Whether to include earlier versions. Markdown has none.
    pub revisions: bool,
}

/// The format of an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ExportFormat {
    /// A JSON object per line.
    Jsonl,
    /// A table with a header; lists are JSON.
    Csv,
    /// Concatenated documents with YAML front matter.
    Markdown,
    /// A Parquet file with typed columns.
    #[cfg(feature = "parquet")]
    Parquet,
}

/// A story, with comments and revisions if requested.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExportedStory {
    /// The story.
    #[serde(flatten)]
    pub story: Story,
    /// Its comments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comments: Option<Vec<Comment>>,
    /// Its earlier versions.
    #[serde(rename = "earlier", skip_serializing_if = "Option::is_none")]
    pub revisions: Option<Vec<Revision>>,
}

/// Writes stories to `out` and returns their number. Calls `progress` with the number so far.
pub fn export(
    tx: &mut Transaction<'_>,
    format: ExportFormat,
    options: &ExportOptions,
    out: impl Write + Send,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Error> {
    let mut out = io::BufWriter::with_capacity(1 << 16, out);
    match format {
        ExportFormat::Jsonl => {
            let count = for_each_story(tx, options, progress, |story| {
                serde_json::to_writer(&mut out, &story).map_err(io::Error::from)?;
                Ok(out.write_all(b"\n")?)
            })?;
            out.flush()?;
            Ok(count)
        }
        ExportFormat::Csv => {
            let mut table = csv::Writer::from_writer(out);
            table.write_record(csv_header(options)).map_err(csv_error)?;
            let count = for_each_story(tx, options, progress, |story| {
                table.write_record(csv_record(&story)?).map_err(csv_error)
            })?;
            table.flush()?;
            Ok(count)
        }
        ExportFormat::Markdown => {
            let count = for_each_story(tx, options, progress, |story| {
                write_markdown(&story.story, &mut out)?;
                Ok(out.write_all(b"\n")?)
            })?;
            out.flush()?;
            Ok(count)
        }
        #[cfg(feature = "parquet")]
        ExportFormat::Parquet => parquet::export(tx, options, out, progress),
    }
}

/// Passes every story to `take`, one at a time.
pub fn for_each_story(
    tx: &mut Transaction<'_>,
    options: &ExportOptions,
    progress: &mut dyn FnMut(u64),
    mut take: impl FnMut(ExportedStory) -> Result<(), Error>,
) -> Result<u64, Error> {
    let conditions = Conditions::new(&options.filter);
    let mut sql = "SELECT s.id FROM story s WHERE s.id > $1".to_owned();
    let mut parameters = vec![Param::Integer(options.since_id.unwrap_or(0))];
    conditions.append(&mut sql, &mut parameters);
    sql.push_str(&format!(" ORDER BY s.id LIMIT {PAGE}"));
    let mut count = 0;
    loop {
        let rows = tx.query(&sql, &parameters)?;
        for row in &rows {
            let id = row.get(0)?;
            parameters[0] = Param::Integer(id);
            let Some(story) = Story::load(tx, id)? else { continue };
            let comments = options.comments.then(|| comments(tx, id)).transpose()?;
            let revisions = options.revisions.then(|| revisions(tx, id)).transpose()?;
            take(ExportedStory { story, comments, revisions })?;
            count += 1;
            progress(count);
        }
        if rows.len() < PAGE {
            return Ok(count);
        }
    }
}

/// Writes a story as Markdown with YAML front matter.
pub fn write_markdown(story: &Story, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "---")?;
    let text = |value: &Option<String>| value.clone().map(Value::String);
    let fields = [
        ("id", Some(story.id.into())),
        ("title", text(&story.title)),
        ("url", Some(story.url.as_str().into())),
        ("source", text(&story.source).or_else(|| text(&story.site_name))),
        ("published", text(&story.published)),
        ("modified", text(&story.modified)),
        ("fetched", Some(rfc3339(story.fetched).into())),
        ("authors", (!story.authors.is_empty()).then(|| story.authors.clone().into())),
        ("language", text(&story.language)),
    ];
    for (name, value) in fields {
        // JSON values are valid YAML, and safe for any title.
        if let Some(value) = value {
            writeln!(out, "{name}: {value}")?;
        }
    }
    writeln!(out, "---\n\n{}", story.markdown.trim_end())
}

const CSV_COLUMNS: [&str; 25] = [
    "id",
    "url",
    "canonical",
    "host",
    "source",
    "site_name",
    "title",
    "published",
    "published_at",
    "modified",
    "fetched",
    "updated",
    "checked",
    "authors",
    "language",
    "page_type",
    "confidence",
    "text",
    "markdown",
    "digest",
    "parts",
    "revisions",
    "robots",
    "duplicates",
    "extractor",
];

fn csv_header(options: &ExportOptions) -> Vec<&'static str> {
    let mut header = CSV_COLUMNS.to_vec();
    header.extend(options.comments.then_some("comments"));
    header.extend(options.revisions.then_some("earlier"));
    header
}

/// The values of the JSON form: strings as they are, null as empty, everything else as JSON.
fn csv_record(story: &ExportedStory) -> Result<Vec<String>, Error> {
    let value = serde_json::to_value(story).map_err(io::Error::from)?;
    let extra = [story.comments.as_ref().map(|_| "comments"), story.revisions.as_ref().map(|_| "earlier")];
    let names = CSV_COLUMNS.into_iter().chain(extra.into_iter().flatten());
    Ok(names
        .map(|name| match value.get(name) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        })
        .collect())
}

fn csv_error(error: csv::Error) -> Error {
    Error::Io(error.into())
}

#[cfg(test)]
mod tests;
