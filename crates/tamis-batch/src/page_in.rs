//! An input page.

use tamis::SiteMemory;
use tamis_dates::Moment;

use crate::record::Record;
use crate::unwrapped::Unwrapped;

/// An input page and what is known about it.
#[derive(Clone, Copy, Debug)]
pub struct PageIn<'a> {
    /// The page.
    pub html: Html<'a>,
    /// Its URL.
    pub url: Option<&'a str>,
    /// The `Content-Type` header of the response.
    pub content_type: Option<&'a str>,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The fetch time, in microseconds since 1970.
    pub fetched: Option<i64>,
    /// The fetch time for relative dates, if only its day is known.
    pub reference_time: Option<Moment>,
    /// Why only part of the page could be read.
    pub fault: Option<&'a str>,
    /// The memory of its site; overrides [`WorkOptions::sites`](crate::WorkOptions::sites).
    pub site: Option<&'a dyn SiteMemory>,
}

impl<'a> PageIn<'a> {
    /// A page without further information.
    pub fn of(html: Html<'a>) -> PageIn<'a> {
        PageIn {
            html,
            url: None,
            content_type: None,
            status: None,
            fetched: None,
            reference_time: None,
            fault: None,
            site: None,
        }
    }

    /// A record of the page without a document.
    pub(crate) fn about(&self) -> Record {
        let error = self.fault.map(str::to_owned);
        Record { status: self.status, fetched: self.fetched, error, ..Record::of_url(self.url) }
    }

    /// The same page without gzip and MHTML around it.
    pub(crate) fn inside(self, unwrapped: &'a Option<Unwrapped>) -> PageIn<'a> {
        let Some(inside) = unwrapped else { return self };
        PageIn {
            html: Html::Bytes(&inside.html),
            url: self.url.or(inside.url.as_deref()),
            content_type: inside.content_type.as_deref().or(self.content_type),
            fault: self.fault.or(inside.fault.as_deref()),
            ..self
        }
    }
}

/// The page itself.
#[derive(Clone, Copy, Debug)]
pub enum Html<'a> {
    /// As served, in any encoding.
    Bytes(&'a [u8]),
    /// Decoded.
    Text(&'a str),
}

impl<'a> Html<'a> {
    /// Its bytes; UTF-8 if decoded.
    pub fn as_bytes(self) -> &'a [u8] {
        match self {
            Html::Bytes(bytes) => bytes,
            Html::Text(text) => text.as_bytes(),
        }
    }

    /// Its size in bytes.
    pub fn len(&self) -> usize {
        self.as_bytes().len()
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
