//! Removes gzip and MHTML around a page.

use crate::http;
use crate::mhtml;
use crate::page_error::PageError;

/// The page inside gzip or MHTML.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unwrapped {
    /// The page.
    pub html: Vec<u8>,
    /// The `Content-Type` of an MHTML part.
    pub content_type: Option<String>,
    /// The URL in an MHTML file.
    pub url: Option<String>,
    /// Why only part of the page could be read.
    pub fault: Option<String>,
}

impl Unwrapped {
    /// Unwraps a page of at most so many bytes. `None` if there is nothing to unwrap. Gzip is unwrapped only if no
    /// `Content-Type` is known: a server that sends an archive means an archive.
    pub fn of(
        bytes: &[u8],
        content_type: Option<&str>,
        max_bytes: u32,
    ) -> Result<Option<Unwrapped>, PageError> {
        let unpacked = match content_type {
            None => http::decoded(bytes, "gzip", max_bytes).map_err(PageError::Body)?,
            Some(_) => None,
        };
        let (unpacked, fault) = unpacked.map_or((None, None), |(bytes, fault)| (Some(bytes), fault));
        let inside = unpacked.as_deref().unwrap_or(bytes);
        if inside.len() > max_bytes as usize {
            return Err(PageError::TooLarge(max_bytes));
        }
        if inside.starts_with(b"WARC/") {
            return Err(PageError::Archive);
        }
        if mhtml::is_mhtml(inside) {
            let part = mhtml::read(inside).ok_or(PageError::NoHtmlPart)?;
            let content_type = Some(part.content_type);
            return Ok(Some(Unwrapped { html: part.html, content_type, url: part.url, fault }));
        }
        Ok(unpacked.map(|html| Unwrapped { html, fault, ..Unwrapped::default() }))
    }
}
