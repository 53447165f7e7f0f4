//! Outputs: JSON lines, a Parquet file, a directory tree of texts.

mod lines;
#[cfg(feature = "parquet")]
mod parquet;
mod tree;

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::Error;
use crate::fields::{Fields, RecordField};
use crate::item::Item;
use crate::record::Record;
use crate::state::Folder;

/// The format of an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Form {
    /// One file with a JSON line per row.
    Jsonl,
    /// One Parquet file.
    Parquet,
    /// A directory with a text file per page, and everything else in `index.jsonl`.
    Text,
    /// The same with Markdown.
    Markdown,
}

impl Form {
    /// The format by the name of the output: texts for a directory, Parquet for `.parquet`, else JSON lines.
    pub fn of_path(path: &Path) -> Form {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "parquet" | "pq" => Form::Parquet,
            _ if path.is_dir() || path.as_os_str().to_string_lossy().ends_with(['/', '\\']) => Form::Text,
            _ => Form::Jsonl,
        }
    }
}

/// The destination and format of the output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The file or directory; `None` for standard output, which cannot be resumed.
    pub path: Option<PathBuf>,
    /// The format.
    pub form: Form,
    /// Rows per group of a Parquet file. Default: 2,000. A group is held in memory, compressed.
    pub row_group: usize,
}

impl Target {
    /// A file or directory, in the format of its name.
    pub fn to(path: PathBuf) -> Target {
        Target { form: Form::of_path(&path), path: Some(path), row_group: 2_000 }
    }

    /// Standard output, as JSON lines.
    pub fn stdout() -> Target {
        Target { path: None, form: Form::Jsonl, row_group: 2_000 }
    }

    /// Checks before the run that the output can be created.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let Some(path) = &self.path else { return Ok(()) };
        let (is, form, wants) = match self.form {
            Form::Jsonl if path.is_dir() => ("a directory", "JSON lines", "a file"),
            Form::Parquet if path.is_dir() => ("a directory", "Parquet", "a file"),
            Form::Text | Form::Markdown if path.is_file() => ("a file", "a tree of texts", "a directory"),
            _ => return Ok(()),
        };
        Err(Error::OtherKind { path: path.clone(), is, form, wants })
    }

    /// The fields that this output needs.
    pub(crate) fn fields(&self, wanted: Fields) -> Fields {
        match self.form {
            Form::Jsonl | Form::Parquet => wanted,
            Form::Text => wanted.without(RENDERED).with(&[RecordField::Text]),
            Form::Markdown => wanted.without(RENDERED).with(&[RecordField::Markdown]),
        }
    }

    /// Renders a record, on the worker thread.
    pub(crate) fn prepare(&self, record: Record, item: &ItemName, fields: Fields) -> Prepared {
        match self.form {
            Form::Jsonl => Prepared::Line(line(record.to_json(fields))),
            Form::Parquet => Prepared::Row(record.to_map(fields)),
            Form::Text | Form::Markdown => tree::prepare(record, item, fields, self.form),
        }
    }

    /// Opens the output, after the committed part of it.
    pub(crate) fn open(
        &self,
        folder: Option<&Folder>,
        counts: u64,
        fields: Fields,
        keep: &[String],
    ) -> Result<Box<dyn Output>, Error> {
        let (Some(path), Some(folder)) = (&self.path, folder) else {
            return Ok(Box::new(lines::Lines::stdout()));
        };
        match self.form {
            Form::Jsonl => Ok(Box::new(lines::Lines::open(folder.file("rows"), path, counts)?)),
            Form::Text | Form::Markdown => Ok(Box::new(tree::Tree::open(folder, path, counts)?)),
            #[cfg(feature = "parquet")]
            Form::Parquet => {
                Ok(Box::new(parquet::Groups::open(folder, path, counts, self.row_group, fields, keep)?))
            }
            #[cfg(not(feature = "parquet"))]
            Form::Parquet => {
                _ = (fields, keep);
                Err(Error::NoParquet)
            }
        }
    }
}

/// Fields that the index of a tree omits.
const RENDERED: &[RecordField] = &[
    RecordField::Content,
    RecordField::Markdown,
    RecordField::Html,
    RecordField::Xml,
    RecordField::Tei,
    RecordField::Blocks,
];

fn line(mut json: String) -> Vec<u8> {
    json.push('\n');
    json.into_bytes()
}

/// The basis for the file name of an item in a tree.
#[derive(Debug)]
pub(crate) struct ItemName {
    source: u64,
    name: Option<String>,
    is_file: bool,
}

impl ItemName {
    pub(crate) fn of(item: &Item) -> ItemName {
        let is_file = matches!(item.body, crate::item::Body::File(..));
        ItemName { source: item.next.source, name: item.name.clone(), is_file }
    }
}

/// A row, ready to be written.
#[derive(Debug)]
pub(crate) enum Prepared {
    Line(Vec<u8>),
    /// The text for its file, and the line of the index.
    File(Option<(PathBuf, String)>, Vec<u8>),
    #[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "only Parquet files take values"))]
    Row(Map<String, Value>),
}

/// When written rows can be committed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "only Parquet files have boundaries"))]
pub(crate) enum Boundary {
    Anywhere,
    Here,
    NotHere,
}

/// An output that rows are written to in order.
pub(crate) trait Output {
    fn write(&mut self, row: Prepared) -> Result<(), Error>;

    fn boundary(&self) -> Boundary {
        Boundary::Anywhere
    }

    /// Syncs the output and returns its committed length.
    fn commit(&mut self) -> Result<u64, Error>;

    /// Flushes buffers and commits.
    fn close(&mut self) -> Result<u64, Error> {
        self.commit()
    }

    /// Moves the complete output into place. Can be repeated after an interruption.
    fn publish(&mut self) -> Result<(), Error>;
}
