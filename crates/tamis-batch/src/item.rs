//! A page on its way in: where it stands, what is known of it, and its bytes as they were found.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::page_error::PageError;

/// A place in the input: a file, and how far in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file, as it was named.
    pub file: Arc<str>,
    /// Where the record begins: in bytes of the file as it lies on the disk, packed or not; but for packed JSON lines,
    /// in bytes of the unpacked text. In Parquet, the number of the row. Nothing for a file that is one page.
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

/// Where reading goes on behind an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Mark {
    /// Files that lie behind.
    pub(crate) source: u64,
    /// Items of the file at hand that lie behind.
    pub(crate) items: u64,
    /// Where in the file the next item begins, for files in which one can go there.
    pub(crate) offset: u64,
}

/// What is known of a page besides the page itself.
#[derive(Debug)]
pub(crate) struct About {
    pub(crate) place: Place,
    pub(crate) id: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) status: Option<u16>,
    /// In microseconds since 1970.
    pub(crate) fetched: Option<i64>,
    pub(crate) content_type: Option<String>,
    /// Why only a part of the page is there.
    pub(crate) fault: Option<String>,
    /// Other fields of the input that are passed through.
    pub(crate) keep: Map<String, Value>,
}

impl About {
    /// Of a page of which nothing is known but its place.
    pub(crate) fn at(place: Place) -> About {
        let (id, url, content_type, fault) = (None, None, None, None);
        About { place, id, url, status: None, fetched: None, content_type, fault, keep: Map::new() }
    }
}

/// One thing that was found in the input.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) about: About,
    /// A name for the file with its text, in a tree of them.
    pub(crate) name: Option<String>,
    pub(crate) body: Body,
    pub(crate) next: Mark,
}

/// What an item holds. Taking it apart is left to the threads that extract.
#[derive(Debug)]
pub(crate) enum Body {
    /// A file that is one page, not yet read.
    File(PathBuf, Packing),
    /// The bytes of a page.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "Parquet files have pages in columns"))]
    Bytes(Vec<u8>),
    /// The text of a page, decoded by others.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "Parquet files have pages in columns"))]
    Text(String),
    /// An answer of a server, head and body.
    Http(Vec<u8>),
    /// A line of JSON.
    Json(Vec<u8>),
    /// A record of an archive that is no answer of a server.
    Passed,
    /// A file in a directory that is of no kind that is read.
    OtherFile,
    /// What should have been a page.
    Failed(Failure),
}

/// Why a page, or a stretch of a file, could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Failure {
    pub(crate) error: PageError,
    /// Is the file damaged, or is it the page alone?
    pub(crate) damage: bool,
    /// Was the same damage told before, of another page?
    pub(crate) told: bool,
}

impl Failure {
    /// Of a page alone.
    pub(crate) fn page(error: PageError) -> Failure {
        Failure { error, damage: false, told: false }
    }

    /// Of a file.
    pub(crate) fn damage(what: String) -> Failure {
        Failure { error: PageError::Damaged(what), damage: true, told: false }
    }
}

impl Body {
    /// What it takes of memory while it waits.
    pub(crate) fn weight(&self) -> usize {
        match self {
            Body::Bytes(bytes) | Body::Http(bytes) | Body::Json(bytes) => bytes.len(),
            Body::Text(text) => text.len(),
            Body::File(..) | Body::Passed | Body::OtherFile | Body::Failed(_) => 0,
        }
    }
}

/// How a file is packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Packing {
    Plain,
    Gzip,
    Zstd,
}
