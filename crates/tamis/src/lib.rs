//! Main text and metadata of web pages.
//!
//! ```
//! let html = "<title>Rain - The Gazette</title><nav><a href=/>Home</a> <a href=/news>News</a></nav>\
//!     <article><h1>Rain at last</h1><p>It rained in the harbour on Monday, for the first time since the spring, and the \
//!     gardens were glad of it.</p><p>More is expected until Thursday, says the weather office, with wind from the \
//!     west.</p></article><footer><a href=/about>About us</a></footer>";
//! let document = tamis::extract(html)?;
//! assert_eq!(document.metadata.title.as_deref(), Some("Rain at last"));
//! assert!(document.text.contains("gardens were glad") && !document.text.contains("About us"));
//! println!("{}", document.to_markdown());
//! # Ok::<(), tamis::ExtractError>(())
//! ```
//!
//! # Overview
//!
//! - [`extract`] takes a page as `&str` or bytes and returns a [`Document`]: metadata, plain text, structured content, the
//!   posts of a thread, the entries of a listing.
//! - [`Extractor`] holds the settings: precision or recall ([`Bias`]), hidden text, comments, limits, a custom model. Build
//!   one and share it; it is cheap to clone and reuses memory from page to page.
//! - [`Input`] carries what is known about a page: URL, `Content-Type`, fetch time, knowledge about its site
//!   ([`SiteMemory`]).
//! - [`render`] writes Markdown, HTML, JSON, XML and TEI, and splits documents into chunks.
//! - [`explain`] says why each block was kept or dropped, [`metadata::explain`] where each value was found.
//! - [`page::Page`] is the page as tables, for methods of your own ([`Classifier`]).
//!
//! The same bytes and settings give the same result on every machine. Time is linear in the size of the page, memory is
//! bounded, and every page has a deadline ([`PageLimits`]).
//!
//! # What it does not do
//!
//! - It does not fetch pages, run scripts or read style sheets.
//! - It does not translate, summarise or rewrite: every word of the text is on the page.
//! - It does not follow an article over several pages; [`metadata::Metadata::next_page`] is where it goes on.
//!
//! # Features
//!
//! - `serde` (default): documents as JSON and anything else that serde writes.

#[allow(missing_docs, reason = "columns and tables: their names say what they hold")]
pub mod annotate;
pub mod classify;
pub mod document;
mod error;
pub mod explain;
mod extractor;
mod input;
pub mod metadata;
mod options;
pub mod page;
pub mod regions;
pub mod render;
#[allow(missing_docs, reason = "columns and tables: their names say what they hold")]
pub mod text;

pub use classify::{Bias, PageType, SiteMemory};
pub use document::Document;
pub use error::ExtractError;
pub use extractor::{Analysis, Classifier, Extractor, ExtractorBuilder};
pub use input::{Hints, Input};
pub use options::PageLimits;

/// Extracts the main text and metadata of a page with default settings.
pub fn extract<'a>(page: impl Into<Input<'a>>) -> Result<Document, ExtractError> {
    use std::sync::LazyLock;
    static EXTRACTOR: LazyLock<Extractor> = LazyLock::new(Extractor::new);
    EXTRACTOR.extract(page)
}

/// The examples of the documents.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/formats.md")]
struct Documents;
