//! From one page to its row: what every thread of a run does, and what Spark and Ray call for each row of a batch.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use tamis::{Balance, Extractor, Method, Page};
use tamis_html::Limit;
use tamis_html::decode::{Decoder, check_page};
use tamis_site::{PageRecord, SiteKey};

use crate::bounds::Bounds;
use crate::columns::Columns;
use crate::http::may_be_page;
use crate::row::{Row, host};
use crate::sites::KnownSites;

/// Pages of this size and above are worked on one at a time: what they take of memory is many times that.
const HEAVY: usize = 2 << 20;

/// A page as it comes in.
///
/// ```
/// use tamis_corpus::{Html, PageIn};
///
/// let page = PageIn { content_type: Some("text/html; charset=gbk"), ..PageIn::of(Html::Bytes(b"<p>\xD6\xD0")) };
/// assert!(page.url.is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PageIn<'a> {
    /// The page.
    pub html: Html<'a>,
    /// Where it comes from.
    pub url: Option<&'a str>,
    /// What the server said that it is.
    pub content_type: Option<&'a str>,
    /// The status with which the server answered.
    pub status: Option<u16>,
    /// When it was fetched, in microseconds since 1970.
    pub fetched: Option<i64>,
}

impl<'a> PageIn<'a> {
    /// A page of which nothing else is known.
    pub fn of(html: Html<'a>) -> PageIn<'a> {
        PageIn { html, url: None, content_type: None, status: None, fetched: None }
    }
}

/// The page itself.
///
/// ```
/// use tamis_corpus::Html;
///
/// assert_eq!(Html::Text("<p>é").len(), Html::Bytes(b"<p>\xC3\xA9").len());
/// assert!(Html::Text("").is_empty());
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Html<'a> {
    /// As it was served, in whatever encoding.
    Bytes(&'a [u8]),
    /// Decoded by others.
    Text(&'a str),
}

impl Html<'_> {
    /// How many bytes it takes.
    pub fn len(&self) -> usize {
        match self {
            Html::Bytes(bytes) => bytes.len(),
            Html::Text(text) => text.len(),
        }
    }

    /// Is there nothing?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// How pages become rows.
///
/// ```
/// use tamis_corpus::{Html, PageIn, Work};
///
/// let work = Work::default();
/// let row = work.row(&PageIn::of(Html::Bytes(b"%PDF-1.7")));
/// assert!(row.error.unwrap().contains("PDF"));
/// ```
#[derive(Clone, Default)]
pub struct Work {
    /// The method that judges blocks.
    pub method: Method,
    /// What matters more where a block is doubtful.
    pub balance: Balance,
    /// What is worked out.
    pub columns: Columns,
    /// What a page may cost.
    pub bounds: Bounds,
    /// An encoding that all pages are read in, whatever they say.
    pub decoder: Decoder,
    /// What is known of the pages' sites.
    pub sites: Option<Arc<dyn KnownSites>>,
}

/// Whose turn it is among heavy pages.
static TURN: Mutex<()> = Mutex::new(());

impl std::fmt::Debug for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Work")
            .field("method", &self.method)
            .field("bounds", &self.bounds)
            .finish_non_exhaustive()
    }
}

impl Work {
    /// The row of a page. What goes wrong stands in it.
    pub fn row(&self, page: &PageIn<'_>) -> Row {
        let mut row = Row {
            url: page.url.map(str::to_owned),
            host: page.url.and_then(host),
            status: page.status,
            fetched: page.fetched,
            ..Row::default()
        };
        if let Err(what) = self.fill(page, &mut row) {
            let Row { url, host, status, fetched, .. } = row;
            row = Row { url, host, status, fetched, error: Some(what), ..Row::default() };
        }
        row
    }

    fn fill(&self, page: &PageIn<'_>, row: &mut Row) -> Result<(), String> {
        let _alone = (page.html.len() >= HEAVY).then(|| TURN.lock().unwrap_or_else(PoisonError::into_inner));
        self.with_page(page, |page, within| {
            let site = match (&self.sites, page.url().and_then(SiteKey::from_url)) {
                (Some(sites), Some(key)) => sites.known(&key).map_err(|error| error.to_string())?,
                _ => None,
            };
            let late = || Limit::Time.to_string();
            let has_time = || within.limits.deadline.is_none_or(|deadline| !deadline.has_passed());
            let judgement = match site {
                Some(known) => within.extractor.clone().site(known.site_for(page)).judge(page),
                None => within.extractor.judge(page),
            };
            if !has_time() {
                return Err(late());
            }
            let document = within.extractor.document(page, &judgement);
            if !has_time() {
                return Err(late());
            }
            row.fill(page, &judgement, document, self.method, self.columns);
            Ok(())
        })
    }

    /// What a page shows of its site.
    ///
    /// ```
    /// use tamis_corpus::{Html, PageIn, Work};
    ///
    /// let record = Work::default().record(&PageIn::of(Html::Text("<p>Mail us, or call."))).unwrap();
    /// assert!(tamis_site::SiteMemory::default().insert(record));
    /// ```
    pub fn record(&self, page: &PageIn<'_>) -> Result<PageRecord, String> {
        self.with_page(page, |page, _| Ok(PageRecord::of(page)))
    }

    /// Decodes, parses and measures a page within its bounds.
    fn with_page<R>(
        &self,
        page: &PageIn<'_>,
        then: impl FnOnce(&Page<'_>, &Within) -> Result<R, String>,
    ) -> Result<R, String> {
        if page.html.len() > self.bounds.bytes as usize {
            return Err(format!("it has more than {} bytes: raise --max-bytes", self.bounds.bytes));
        }
        if let Some(content_type) = page.content_type
            && !may_be_page(content_type)
        {
            return Err(format!("it is no web page but {content_type}"));
        }
        let text = match page.html {
            Html::Text(text) => Cow::Borrowed(text),
            Html::Bytes(bytes) => {
                let mut decoder = self.decoder.clone();
                if let Some(content_type) = page.content_type {
                    decoder = decoder.content_type(content_type);
                }
                if let Some(url) = page.url {
                    decoder = decoder.url(url);
                }
                let decoded = decoder.decode(bytes);
                check_page(bytes, &decoded).map_err(|error| error.to_string())?;
                decoded.text
            }
        };
        let limits = self.bounds.limits();
        let mut extractor = Extractor::new().method(self.method).balance(self.balance).limits(limits);
        if let Some(url) = page.url {
            extractor = extractor.url(url);
        }
        let page = extractor.page(&text);
        if page.dom().limit_reached() == Some(Limit::Time) {
            return Err(Limit::Time.to_string());
        }
        then(&page, &Within { extractor, limits })
    }
}

/// An extractor for one page, and what that page may cost.
struct Within {
    extractor: Extractor,
    limits: tamis_html::Limits,
}
