//! Pages as they were served, without extraction, for callers that store them first.

use serde_json::{Map, Value};

use crate::bounds::Bounds;
use crate::input_fields::InputFields;
use crate::inputs::Inputs;
use crate::item::{Body, Mark, Place};
use crate::items::Items;
use crate::take_apart::Taken;

/// The pages of inputs, in order: of directories, JSON lines, Parquet files and archives.
///
/// An unreadable part is an error with its position; reading continues after it.
pub struct RawPages {
    items: Items,
    fields: InputFields,
    max_bytes: u32,
}

/// A page and what the input says about it.
#[derive(Clone, PartialEq, Debug)]
pub struct RawPage {
    /// Position in the input.
    pub place: Place,
    /// The id in the input.
    pub id: Option<String>,
    /// The URL.
    pub url: Option<String>,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The `Content-Type` header.
    pub content_type: Option<String>,
    /// The fetch time, in microseconds since 1970.
    pub fetched: Option<i64>,
    /// The content.
    pub content: RawContent,
    /// Why only part of the page could be read.
    pub fault: Option<String>,
}

/// The content of a page.
#[derive(Clone, PartialEq, Debug)]
pub enum RawContent {
    /// HTML as served, in any encoding.
    Bytes(Vec<u8>),
    /// Decoded HTML.
    Text(String),
    /// A JSON row with extracted text (field `text`) instead of HTML.
    Row(Map<String, Value>),
}

/// Why a page, or a part of a file, could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what}")]
pub struct ReadError {
    /// Position in the input.
    pub place: Place,
    /// The message, position included.
    pub what: String,
    /// Whether the file is damaged, and more than this page may be lost.
    pub is_damage: bool,
}

impl ReadError {
    pub(crate) fn new(place: Place, what: String, is_damage: bool) -> ReadError {
        let what = if what.starts_with(&*place.file) { what } else { format!("{place}: {what}") };
        ReadError { place, what, is_damage }
    }
}

impl RawPages {
    /// Reads pages of at most [`Bounds::bytes`] by default; larger ones are errors.
    pub fn open(inputs: &Inputs, fields: InputFields) -> RawPages {
        RawPages::with_max_bytes(inputs, fields, Bounds::default().bytes)
    }

    /// Like [`RawPages::open`], with another bound on the bytes of a page.
    pub fn with_max_bytes(inputs: &Inputs, fields: InputFields, max_bytes: u32) -> RawPages {
        let items = Items::new(inputs, &fields, max_bytes, Mark::default());
        RawPages { items, fields, max_bytes }
    }

    /// Bytes read so far, compressed where the files are; [`Inputs::bytes`] is the total.
    pub fn bytes_read(&self) -> u64 {
        self.items.read()
    }
}

impl std::fmt::Debug for RawPages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RawPages").field("max_bytes", &self.max_bytes).finish_non_exhaustive()
    }
}

impl Iterator for RawPages {
    type Item = Result<RawPage, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let item = self.items.find(|item| !matches!(item.body, Body::Passed | Body::OtherFile))?;
        Some(Taken::raw(item, &self.fields, self.max_bytes))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    fn read(name: &str, bytes: &[u8]) -> Vec<Result<RawPage, ReadError>> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(name), bytes).unwrap();
        fs::write(folder.path().join("notes.txt"), "neither a page nor an archive").unwrap();
        let inputs = Inputs::new(&[folder.path().display().to_string()]).unwrap();
        let mut reader = RawPages::with_max_bytes(&inputs, InputFields::default(), 1 << 20);
        let pages = reader.by_ref().collect();
        assert_eq!(reader.bytes_read(), inputs.bytes().unwrap());
        pages
    }

    fn response(url: &str, body: &str) -> String {
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-03-01T10:00:00Z\r\n\
             Content-Type: application/http;msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
    }

    fn packed(text: &str) -> Vec<u8> {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(text.as_bytes()).unwrap();
        gzip.finish().unwrap()
    }

    #[test]
    fn files_that_are_pages_are_read_as_bytes() {
        let pages = read("page.html", b"<p>caf\xE9");
        assert_eq!(pages.len(), 1);
        let page = pages[0].as_ref().unwrap();
        assert_eq!(page.content, RawContent::Bytes(b"<p>caf\xE9".to_vec()));
        assert_eq!((&page.url, page.status, page.place.offset), (&None, None, None));
        let too_large = read("large.html", &vec![b'x'; (1 << 20) + 1]);
        assert!(too_large[0].as_ref().unwrap_err().what.contains("exceeds the limit of 1048576 bytes"));
    }

    #[test]
    fn archives_tell_what_the_server_said_and_damage_is_crossed() {
        let records: Vec<Vec<u8>> =
            ["a", "b", "c"].map(|it| packed(&response(&format!("https://example.com/{it}"), it))).into();
        let mut damaged = records.concat();
        let middle = records[0].len() + records[1].len() / 2;
        damaged[middle..middle + 8].fill(0xFF);
        let pages = read("crawl.warc.gz", &damaged);
        let urls: Vec<&str> = pages.iter().flatten().filter_map(|page| page.url.as_deref()).collect();
        assert!(urls.starts_with(&["https://example.com/a"]) && urls.ends_with(&["https://example.com/c"]));
        assert!(pages.iter().any(|page| page.as_ref().is_err_and(|error| error.is_damage)));
        let page = pages[0].as_ref().unwrap();
        assert_eq!(page.content, RawContent::Bytes(b"a".to_vec()));
        assert_eq!((page.status, page.content_type.as_deref()), (Some(200), Some("text/html")));
        assert_eq!(page.fetched, Some(1_772_359_200_000_000));
    }

    #[test]
    fn lines_with_a_text_and_no_page_are_finished_rows() {
        let lines = concat!(
            r#"{"url":"https://example.com/a","text":"Rain","fetched":"2026-03-01T10:00:00Z","title":"A"}"#,
            "\n",
            r#"{"html":"<p>Snow","text":"Snow"}"#,
            "\n",
            r#"{"title":"neither"}"#,
            "\nno JSON\n",
        );
        let pages = read("rows.jsonl", lines.as_bytes());
        let row = pages[0].as_ref().unwrap();
        assert!(matches!(&row.content, RawContent::Row(row) if row["title"] == "A" && row["text"] == "Rain"));
        assert_eq!(
            (row.url.as_deref(), row.fetched),
            (Some("https://example.com/a"), Some(1_772_359_200_000_000))
        );
        assert_eq!(pages[1].as_ref().unwrap().content, RawContent::Text("<p>Snow".to_owned()));
        let error = pages[2].as_ref().unwrap_err();
        assert!(error.what.contains("rows.jsonl, offset") && !error.is_damage, "{error}");
        let error = pages[3].as_ref().unwrap_err();
        assert!(error.what.contains("not valid JSON") && !error.is_damage, "{error}");
    }
}
