//! Readers of files, one per format.

mod jsonl;
#[cfg(feature = "parquet")]
mod parquet;
mod unpack;
mod warc;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use crate::input_fields::InputFields;
use crate::inputs::{Kind, Source};
use crate::item::{About, Body, Failure, Item, Mark, Packing, Place};
use crate::page_error::PageError;
use crate::read::unpack::Unpacked;

/// Reads the items of a file in order.
pub(crate) trait Reader: Send {
    /// The next item; `None` at the end. Unreadable parts are items too.
    fn next_item(&mut self) -> Option<Item>;

    /// Bytes read so far, compressed.
    fn position(&self) -> u64;
}

/// Opens a file at an offset. A file that cannot be opened is one failed item.
pub(crate) fn open(source: &Source, fields: &InputFields, most: u32, from: Mark) -> Box<dyn Reader> {
    let file: Arc<str> = source.path.to_string_lossy().into();
    let opened: io::Result<Box<dyn Reader>> = match source.kind {
        Kind::Page => {
            let place = Place { file, offset: None };
            let about = About { url: source.url.clone(), ..About::at(place) };
            let body = Body::File(source.path.clone(), source.packing);
            return OnePage::boxed(Some(source.name.clone()), about, body, from);
        }
        Kind::Jsonl => jsonl::Jsonl::open(&source.path, source.packing, file.clone(), most, from)
            .map(|it| Box::new(it) as _),
        Kind::Warc => warc::Warc::open(&source.path, source.packing, file.clone(), most, from)
            .map(|it| Box::new(it) as _),
        #[cfg(feature = "parquet")]
        Kind::Parquet => parquet::ParquetPages::open(&source.path, file.clone(), fields, most, from)
            .map(|it| Box::new(it) as _),
        #[cfg(not(feature = "parquet"))]
        Kind::Parquet => {
            _ = fields;
            Err(io::Error::new(io::ErrorKind::Unsupported, crate::error::Error::NoParquet.to_string()))
        }
    };
    opened.unwrap_or_else(|error| {
        let place = Place { file, offset: None };
        let body = unreadable(&place, &error);
        OnePage::boxed(None, About::at(place), body, from)
    })
}

/// A file with one page, or that could not be opened.
struct OnePage {
    item: Option<Item>,
}

impl OnePage {
    fn boxed(name: Option<String>, about: About, body: Body, from: Mark) -> Box<dyn Reader> {
        let next = Mark { source: 0, items: 1, offset: 0 };
        let item = (from.items == 0).then_some(Item { about, name, body, next });
        Box::new(OnePage { item })
    }
}

impl Reader for OnePage {
    fn next_item(&mut self) -> Option<Item> {
        self.item.take()
    }

    fn position(&self) -> u64 {
        0
    }
}

/// The bytes of a file with one page.
pub(crate) fn read_page(path: &Path, packing: Packing, most: u32) -> Result<Vec<u8>, Failure> {
    let most = u64::from(most);
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        // Gzip is recognised by its first bytes, not by the file's name.
        if packing != Packing::Zstd {
            let file = File::open(path)?;
            bytes.reserve(file.metadata()?.len().min(most) as usize + 1);
            file.take(most + 1).read_to_end(&mut bytes)?;
            return Ok(bytes);
        }
        let mut input = Unpacked::open(path, packing)?;
        while bytes.len() as u64 <= most && input.open_member()? {
            let room = most + 1 - bytes.len() as u64;
            (&mut input).take(room).read_to_end(&mut bytes)?;
            input.end_member();
        }
        Ok(bytes)
    };
    let place = Place { file: path.to_string_lossy().into(), offset: None };
    let bytes = read().map_err(|error| Failure::damage(failure(&place, &error)))?;
    if bytes.len() as u64 > most {
        return Err(Failure::page(PageError::TooLarge(most.try_into().unwrap_or(u32::MAX))));
    }
    Ok(bytes)
}

fn failure(place: &Place, error: &io::Error) -> String {
    let remedy = match error.kind() {
        io::ErrorKind::NotFound => "; check the path",
        io::ErrorKind::PermissionDenied => "; check its permissions",
        io::ErrorKind::Unsupported | io::ErrorKind::InvalidData => "",
        _ => "; check that it is a readable file",
    };
    format!("{place}: cannot be read: {error}{remedy}")
}

fn unreadable(place: &Place, error: &io::Error) -> Body {
    Body::Failed(Failure::damage(failure(place, error)))
}

/// The message of damage inside a file.
fn damage(place: &Place, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            format!("{place}: the file ends in the middle of a record (truncated?)")
        }
        _ => format!("{place}: damaged: {error}"),
    }
}

#[cfg(test)]
mod tests;
