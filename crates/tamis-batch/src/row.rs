//! The row: what a page became. One function makes it of a document; every output writes it.

use serde::ser::{Serialize, SerializeMap, Serializer};
use tamis::render::RenderOptions;
use tamis::{Analysis, Document};

use crate::block_row::{self, BlockRow};
use crate::columns::{Column, Columns};
use crate::time;

/// A page's result, with a field for each [`Column`].
///
/// ```
/// use tamis_batch::{Columns, Html, PageIn, Work};
///
/// let html = "<h1>Rain at last</h1><p>It rained in the harbour on Monday, for the first time since the spring.</p>";
/// let page = PageIn { url: Some("https://www.example.com/rain"), ..PageIn::of(Html::Text(html)) };
/// let row = Work::default().row(&page);
/// assert_eq!(row.host.as_deref(), Some("www.example.com"));
/// assert_eq!(row.title.as_deref(), Some("Rain at last"));
/// assert!(row.to_json(Columns::default()).starts_with("{\"url\":\"https://www.example.com/rain\","));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Where the page comes from.
    pub url: Option<String>,
    /// The host of that address.
    pub host: Option<String>,
    /// The status with which the server answered.
    pub status: Option<u16>,
    /// When it was fetched, in microseconds since 1970.
    pub fetched: Option<i64>,
    /// The title.
    pub title: Option<String>,
    /// When it was published.
    pub published: Option<String>,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// Who published it, or from where it was taken over.
    pub source: Option<String>,
    /// The language.
    pub language: Option<String>,
    /// What kind of page it is.
    pub page_type: Option<String>,
    /// How probable that kind is. It has no column.
    pub page_type_probability: Option<f32>,
    /// How sure the extraction is.
    pub confidence: Option<f32>,
    /// The main text; nothing where the page failed, and a part of it where a part could be read.
    pub text: Option<String>,
    /// The main text as Markdown.
    pub markdown: Option<String>,
    /// All blocks.
    pub blocks: Option<Vec<BlockRow>>,
    /// The method.
    pub method: Option<&'static str>,
    /// The model of one's own that decided; nothing where it was the one that comes with this version.
    pub model: Option<String>,
    /// What went wrong.
    pub error: Option<String>,
}

/// The version that stands in every row.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

impl Row {
    /// Takes over what a document says. This is the one place where metadata becomes columns.
    pub(crate) fn fill(&mut self, analysis: &Analysis<'_>, document: Document, columns: Columns) {
        if columns.has(Column::Blocks) {
            self.blocks = Some(block_row::blocks(analysis, &document.comments));
        }
        if columns.has(Column::Markdown) {
            self.markdown = Some(document.to_markdown_with(&RenderOptions::new().comments(false)));
        }
        // Filters need it, wanted or not.
        self.text = Some(document.text);
        let metadata = document.metadata;
        self.title = metadata.title;
        self.published = metadata.published.map(|time| time.to_string());
        self.authors = metadata.authors;
        self.source = metadata.source;
        self.language = metadata.language;
    }

    /// As a line of JSON, without the line end: every wanted column, `null` where nothing is known.
    pub fn to_json(&self, columns: Columns) -> String {
        // There is nothing in a row that JSON could not hold.
        serde_json::to_string(&Shown { row: self, columns, file: None }).unwrap_or_default()
    }

    /// Likewise, with the name of the file that has its text.
    pub(crate) fn to_json_with_file(&self, columns: Columns, file: Option<&str>) -> String {
        serde_json::to_string(&Shown { row: self, columns, file: Some(file) }).unwrap_or_default()
    }
}

struct Shown<'r> {
    row: &'r Row,
    columns: Columns,
    file: Option<Option<&'r str>>,
}

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let row = self.row;
        let mut map = serializer.serialize_map(None)?;
        for column in self.columns.iter() {
            let name = column.name();
            match column {
                Column::Url => map.serialize_entry(name, &row.url)?,
                Column::Host => map.serialize_entry(name, &row.host)?,
                Column::Status => map.serialize_entry(name, &row.status)?,
                Column::Fetched => map.serialize_entry(name, &row.fetched.and_then(time::write))?,
                Column::Title => map.serialize_entry(name, &row.title)?,
                Column::Published => map.serialize_entry(name, &row.published)?,
                Column::Authors => map.serialize_entry(name, &row.authors)?,
                Column::Source => map.serialize_entry(name, &row.source)?,
                Column::Language => map.serialize_entry(name, &row.language)?,
                Column::PageType => map.serialize_entry(name, &row.page_type)?,
                Column::Confidence => map.serialize_entry(name, &row.confidence)?,
                Column::Text => map.serialize_entry(name, &row.text)?,
                Column::Markdown => map.serialize_entry(name, &row.markdown)?,
                Column::Blocks => map.serialize_entry(name, &row.blocks)?,
                Column::Method => map.serialize_entry(name, &row.method)?,
                Column::Model => map.serialize_entry(name, &row.model)?,
                Column::Version => map.serialize_entry(name, VERSION)?,
                Column::Error => map.serialize_entry(name, &row.error)?,
            }
        }
        if let Some(file) = self.file {
            map.serialize_entry("file", &file)?;
        }
        map.end()
    }
}

/// The host of an address, in lower case, without port and password.
pub(crate) fn host(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let authority = &rest[..rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len())];
    let host = authority.rsplit('@').next()?;
    let host = match host.strip_prefix('[') {
        Some(v6) => v6.split(']').next()?,
        None => host.split(':').next()?,
    };
    let host = host.trim_end_matches('.').to_lowercase();
    (!host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        assert_eq!(host("HTTP://User:p@WWW.Example.COM:80/x").as_deref(), Some("www.example.com"));
        assert_eq!(host("http://[2001:db8::1]:80/x").as_deref(), Some("2001:db8::1"));
        assert_eq!(host("https://例子.中国?x").as_deref(), Some("例子.中国"));
        assert_eq!(host("nowhere"), None);
        assert_eq!(host("http:///x"), None);
    }

    #[test]
    fn a_failed_row_has_every_column() {
        let row = Row { error: Some("no\n\"page\"".to_owned()), ..Row::default() };
        let json: serde_json::Value = serde_json::from_str(&row.to_json(Columns::default())).unwrap();
        assert_eq!(json.as_object().unwrap().len(), Column::ALL.len());
        assert_eq!(json["error"], "no\n\"page\"");
        assert!(json["text"].is_null() && json["blocks"].is_null() && json["version"] == VERSION);
        let columns = Columns::of(&[Column::Url]);
        assert_eq!(row.to_json_with_file(columns, Some("a.txt")), "{\"url\":null,\"file\":\"a.txt\"}");
    }
}
