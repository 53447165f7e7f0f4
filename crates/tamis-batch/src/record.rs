//! The record of a page: its origin and its result. Every output is a projection of it.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};
use tamis::Document;
use tamis::render::{Chunk, RenderOptions};
use url::Url;

use crate::block_record::BlockRecord;
use crate::fields::Fields;
use crate::item::Place;
use crate::time;

/// The result of a page: its origin, its document, and its error.
///
/// In JSON, the fields of the document are inlined ([`RecordField`](crate::RecordField) lists all).
///
/// ```
/// use tamis_batch::{Fields, Html, PageIn, Work};
///
/// let html = "<h1>Rain at last</h1><p>It rained in the harbour on Monday, for the first time since the spring.</p>";
/// let page = PageIn { url: Some("https://www.example.com/rain"), ..PageIn::of(Html::Text(html)) };
/// let record = Work::default().extract(&page);
/// assert_eq!(record.host.as_deref(), Some("www.example.com"));
/// assert_eq!(record.document.as_ref().unwrap().metadata.title.as_deref(), Some("Rain at last"));
/// assert_eq!(record.to_json("host,title".parse()?), r#"{"host":"www.example.com","title":"Rain at last"}"#);
/// assert_eq!(tamis_batch::Record::from_json(&record.to_json(Fields::ALL)).unwrap(), record);
/// # Ok::<(), tamis_batch::UnknownField>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Record {
    /// The id of the page in the input.
    pub id: Option<String>,
    /// The input file.
    pub path: Option<String>,
    /// Position in that file: a byte offset, or a row number in Parquet.
    pub offset: Option<u64>,
    /// The URL.
    pub url: Option<String>,
    /// The host of the URL.
    pub host: Option<String>,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The fetch time, in microseconds since 1970.
    pub fetched: Option<i64>,
    /// Other fields of the input, passed through. They follow the fields of the record.
    pub keep: Map<String, Value>,
    /// The document; `None` if the page failed, partial if only part of the page could be read.
    pub document: Option<Document>,
    /// The main text in chunks, if asked for.
    pub chunks: Option<Vec<Chunk>>,
    /// All blocks, if asked for.
    pub blocks: Option<Vec<BlockRecord>>,
    /// The method.
    pub method: Option<String>,
    /// The digest of a custom model.
    pub model: Option<String>,
    /// The error.
    pub error: Option<String>,
}

/// The program version written to every record.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

impl Record {
    /// The record of a document that was extracted elsewhere, by the method of this name.
    pub fn new(document: Document, method: &str) -> Record {
        let record = Record::of_url(document.url.as_deref());
        Record { document: Some(document), method: Some(method.to_owned()), ..record }
    }

    /// An empty record of a URL.
    pub(crate) fn of_url(url: Option<&str>) -> Record {
        Record { url: url.map(str::to_owned), host: url.and_then(host), ..Record::default() }
    }

    /// Adds file and offset. Without a URL, they are also added to the error, for outputs that show only errors.
    pub fn at(mut self, file: Option<String>, offset: Option<u64>) -> Record {
        (self.path, self.offset) = (file, offset);
        if let (Some(error), Some(file), None) = (&self.error, &self.path, &self.url)
            && !error.starts_with(file)
        {
            self.error = Some(format!("{}: {error}", Place { file: file.as_str().into(), offset }));
        }
        self
    }

    /// The main text.
    pub fn text(&self) -> Option<&str> {
        self.document.as_ref().map(|document| document.text.as_str())
    }

    /// The expected quality of the text, estimated by the default method only.
    pub fn confidence(&self) -> Option<f32> {
        let document = self.document.as_ref().filter(|_| self.method.as_deref() == Some("fused"));
        document.map(|document| document.confidence)
    }

    /// Markdown of the text without comments, which are a separate field.
    pub(crate) fn markdown(&self, document: &Document) -> String {
        document.to_markdown_with(&RenderOptions::new().comments(false))
    }

    /// JSON without a line end: the chosen fields, `null` if unknown, then the kept fields.
    pub fn to_json(&self, fields: Fields) -> String {
        // Only maps with keys other than strings could fail.
        serde_json::to_string(&Chosen { record: self, fields, file: None }).unwrap_or_default()
    }

    /// The chosen fields as a JSON object.
    pub fn to_map(&self, fields: Fields) -> Map<String, Value> {
        match serde_json::to_value(Chosen { record: self, fields, file: None }) {
            Ok(Value::Object(map)) => map,
            _ => Map::new(),
        }
    }

    /// Like [`to_json`](Self::to_json), with the name of the file with the text.
    pub(crate) fn to_json_with_file(&self, fields: Fields, file: Option<&str>) -> String {
        serde_json::to_string(&Chosen { record: self, fields, file: Some(file) }).unwrap_or_default()
    }

    /// Reads what [`to_json`](Self::to_json) wrote. Rendered forms are not stored; they are rendered from the content.
    pub fn from_json(json: &str) -> Result<Record, serde_json::Error> {
        let Value::Object(mut map) = serde_json::from_str(json)? else {
            return Err(serde::de::Error::custom("a record is an object"));
        };
        map.retain(|_, value| !value.is_null());
        let mut record = Record {
            id: take(&mut map, "id")?,
            path: take(&mut map, "path")?,
            offset: take(&mut map, "offset")?,
            url: take(&mut map, "url")?,
            host: take(&mut map, "host")?,
            status: take(&mut map, "status")?,
            fetched: take::<String>(&mut map, "fetched")?.as_deref().and_then(time::parse),
            chunks: take(&mut map, "chunks")?,
            blocks: take(&mut map, "blocks")?,
            method: take(&mut map, "method")?,
            model: take(&mut map, "model")?,
            error: take(&mut map, "error")?,
            ..Record::default()
        };
        if map.contains_key("page_type") || map.contains_key("text") {
            let own = map.iter().filter(|(name, _)| Fields::ALL.iter().any(|field| field.name() == *name));
            let own: Map<String, Value> = own.map(|(name, value)| (name.clone(), value.clone())).collect();
            let mut document: Document = serde_json::from_value(Value::Object(own))?;
            document.url.clone_from(&record.url);
            record.document = Some(document);
        }
        map.retain(|name, _| Fields::ALL.iter().all(|field| field.name() != name));
        record.keep = map;
        Ok(record)
    }
}

fn take<T: serde::de::DeserializeOwned>(
    map: &mut Map<String, Value>,
    name: &str,
) -> Result<Option<T>, serde_json::Error> {
    map.remove(name).map(serde_json::from_value).transpose()
}

struct Chosen<'r> {
    record: &'r Record,
    fields: Fields,
    file: Option<Option<&'r str>>,
}

impl Serialize for Chosen<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for field in self.fields.iter() {
            field.serialize(self.record, &mut map)?;
        }
        for (name, value) in &self.record.keep {
            map.serialize_entry(name, value)?;
        }
        if let Some(file) = self.file {
            map.serialize_entry("file", &file)?;
        }
        map.end()
    }
}

/// The host of a URL in lower case, without port and credentials; international names as written.
pub(crate) fn host(url: &str) -> Option<String> {
    let host = Url::parse(url).ok()?.host_str()?.trim_matches(['[', ']']).trim_end_matches('.').to_owned();
    (!host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::RecordField;

    #[test]
    fn hosts() {
        assert_eq!(host("HTTP://User:p@WWW.Example.COM:80/x").as_deref(), Some("www.example.com"));
        assert_eq!(host("http://[2001:db8::1]:80/x").as_deref(), Some("2001:db8::1"));
        assert_eq!(host("https://例子.中国?x").as_deref(), Some("xn--fsqu00a.xn--fiqs8s"));
        assert_eq!(host("nowhere"), None);
        assert_eq!(host("file:///x"), None);
    }

    #[test]
    fn a_failed_record_has_every_field() {
        let record = Record { error: Some("no\n\"page\"".to_owned()), ..Record::default() };
        let json: Value = serde_json::from_str(&record.to_json(Fields::ALL)).unwrap();
        assert_eq!(json.as_object().unwrap().len(), RecordField::ALL.len());
        assert_eq!(json["error"], "no\n\"page\"");
        assert!(json["text"].is_null() && json["blocks"].is_null() && json["version"] == VERSION);
        let fields = Fields::of(&[RecordField::Url]);
        assert_eq!(record.to_json_with_file(fields, Some("a.txt")), "{\"url\":null,\"file\":\"a.txt\"}");
    }
}
