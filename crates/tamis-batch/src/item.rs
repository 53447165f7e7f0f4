//! An item of the input: its position, what is known about it, and its raw bytes.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::page_error::PageError;

/// A position in the input: a file and an offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file, as named.
    pub file: Arc<str>,
    /// The start of the record, in bytes of the file on disk, compressed or not; for compressed JSON lines in bytes of
    /// the decompressed text, for Parquet the row number. `None` for a file with one page.
    pub offset: Option<u64>,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.file)?;
        match self.offset {
            Some(offset) => write!(f, ", offset {offset}"),
            None => Ok(()),
        }
    }
}

/// The position after an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Mark {
    /// Finished files.
    pub(crate) source: u64,
    /// Finished items of the current file.
    pub(crate) items: u64,
    /// Offset of the next item, for files that support seeking.
    pub(crate) offset: u64,
}

/// What is known about a page.
#[derive(Debug)]
pub(crate) struct About {
    pub(crate) place: Place,
    pub(crate) id: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) status: Option<u16>,
    /// In microseconds since 1970.
    pub(crate) fetched: Option<i64>,
    pub(crate) content_type: Option<String>,
    /// Why only part of the page is present.
    pub(crate) fault: Option<String>,
    /// Other fields of the input, passed through.
    pub(crate) keep: Map<String, Value>,
}

impl About {
    /// Only the position is known.
    pub(crate) fn at(place: Place) -> About {
        let (id, url, content_type, fault) = (None, None, None, None);
        About { place, id, url, status: None, fetched: None, content_type, fault, keep: Map::new() }
    }
}

/// An item of the input.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) about: About,
    /// The basis for its file name in a tree of texts.
    pub(crate) name: Option<String>,
    pub(crate) body: Body,
    pub(crate) next: Mark,
}

/// The content of an item, parsed by the worker threads.
#[derive(Debug)]
pub(crate) enum Body {
    /// A file with one page, not yet read.
    File(PathBuf, Packing),
    /// The bytes of a page.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "Parquet files have pages in columns"))]
    Bytes(Vec<u8>),
    /// The decoded text of a page.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "Parquet files have pages in columns"))]
    Text(String),
    /// An HTTP response, head and body.
    Http(Vec<u8>),
    /// A line of JSON.
    Json(Vec<u8>),
    /// A WARC record other than a response.
    Passed,
    /// A file in a directory that is not an input.
    OtherFile,
    /// An unreadable page or part of a file.
    Failed(Failure),
}

/// Why a page or a part of a file could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Failure {
    pub(crate) error: PageError,
    /// Whether the file is damaged, not only the page.
    pub(crate) damage: bool,
    /// Whether the same damage was reported with another page.
    pub(crate) told: bool,
}

impl Failure {
    /// A failure of one page, not of its archive.
    pub(crate) fn page(error: PageError) -> Failure {
        Failure { error, damage: false, told: false }
    }

    /// Of a file.
    pub(crate) fn damage(what: String) -> Failure {
        Failure { error: PageError::Damaged(what), damage: true, told: false }
    }
}

impl Body {
    /// The memory it takes while waiting.
    pub(crate) fn weight(&self) -> usize {
        match self {
            Body::Bytes(bytes) | Body::Http(bytes) | Body::Json(bytes) => bytes.len(),
            Body::Text(text) => text.len(),
            Body::File(..) | Body::Passed | Body::OtherFile | Body::Failed(_) => 0,
        }
    }
}

/// The compression of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Packing {
    Plain,
    Gzip,
    Zstd,
}
