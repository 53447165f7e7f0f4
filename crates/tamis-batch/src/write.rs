//! Where rows go: lines of JSON, a Parquet file, a tree of texts.

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

/// The form of an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Form {
    /// One file with a line of JSON a row.
    Jsonl,
    /// One Parquet file.
    Parquet,
    /// A directory with a text file a page, and all else in `index.jsonl`.
    Text,
    /// Likewise, as Markdown.
    Markdown,
}

impl Form {
    /// What the name of an output asks for: a directory gets texts, `.parquet` is Parquet, all else JSON lines.
    pub fn of_path(path: &Path) -> Form {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "parquet" | "pq" => Form::Parquet,
            _ if path.is_dir() || path.as_os_str().to_string_lossy().ends_with(['/', '\\']) => Form::Text,
            _ => Form::Jsonl,
        }
    }
}

/// Where to write, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The file or directory; nothing for standard output, which nothing can go on with.
    pub path: Option<PathBuf>,
    /// The form.
    pub form: Form,
    /// Rows in a group of a Parquet file. Default: 2,000. A group is held in memory, packed.
    pub row_group: usize,
}

impl Target {
    /// A file or directory, in the form that its name asks for.
    pub fn to(path: PathBuf) -> Target {
        Target { form: Form::of_path(&path), path: Some(path), row_group: 2_000 }
    }

    /// Standard output, as JSON lines.
    pub fn stdout() -> Target {
        Target { path: None, form: Form::Jsonl, row_group: 2_000 }
    }

    /// Can it be put where it is to go? Said before anything is done.
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

    /// What records of this output need to have.
    pub(crate) fn fields(&self, wanted: Fields) -> Fields {
        match self.form {
            Form::Jsonl | Form::Parquet => wanted,
            Form::Text => wanted.without(RENDERED).with(&[RecordField::Text]),
            Form::Markdown => wanted.without(RENDERED).with(&[RecordField::Markdown]),
        }
    }

    /// Makes what is written of a record, on the thread that made it.
    pub(crate) fn prepare(&self, record: Record, item: &ItemName, fields: Fields) -> Prepared {
        match self.form {
            Form::Jsonl => Prepared::Line(line(record.to_json(fields))),
            Form::Parquet => Prepared::Row(record.to_map(fields)),
            Form::Text | Form::Markdown => tree::prepare(record, item, fields, self.form),
        }
    }

    /// Opens the output, or goes on behind what counts of it.
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

/// Fields that an index of texts does not repeat.
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

/// What names the file of an item in a tree.
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
    /// A file with its text, and the line of the index.
    File(Option<(PathBuf, String)>, Vec<u8>),
    #[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "only Parquet files take values"))]
    Row(Map<String, Value>),
}

/// When what was written can be made to count.
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

    /// Brings what was written to the disk, and says how much that is.
    fn commit(&mut self) -> Result<u64, Error>;

    /// Writes what is still held; then commits.
    fn close(&mut self) -> Result<u64, Error> {
        self.commit()
    }

    /// Puts the whole output in its place. May be called again where it was interrupted.
    fn publish(&mut self) -> Result<(), Error>;
}
