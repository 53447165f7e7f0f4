//! From one page to its row: what every thread of a run does, and what Spark and Ray call for each row of a batch.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use tamis::facts::dates::Moment;
use tamis::{Balance, Extractor, Feed, Method, OwnModel, Page};
use tamis_html::Limit;
use tamis_html::decode::{Decoder, check_page};
use tamis_site::{PageRecord, SiteKey};

use crate::bounds::Bounds;
use crate::columns::Columns;
use crate::http::{may_be_page, media_type};
use crate::page_error::{PageError, guarded};
use crate::row::{Row, host};
use crate::sites::KnownSites;
use crate::time;

/// Pages of this size and above are worked on one at a time: what they take of memory is many times that.
const HEAVY: usize = 2 << 20;

/// A page as it comes in.
///
/// ```
/// use tamis_batch::{Html, PageIn};
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
/// use tamis_batch::Html;
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
/// use tamis_batch::{Html, PageIn, Work};
///
/// let work = Work::default();
/// let row = work.row(&PageIn::of(Html::Bytes(b"%PDF-1.7")));
/// assert!(row.error.unwrap().contains("PDF"));
/// ```
#[derive(Clone, Default)]
pub struct Work {
    /// The method that judges blocks.
    pub method: Method,
    /// The model that the method decides with, if not the one that comes with the library.
    pub model: Option<OwnModel>,
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
    /// Feeds of the pages' sites: what they say of a page is evidence for its facts and its text.
    pub feeds: Vec<Arc<Feed>>,
    /// Is the text alone wanted, without title, time and the other facts? They take a tenth of the time.
    pub text_only: bool,
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
        self.try_row(page).unwrap_or_else(|what| Row { error: Some(what.to_string()), ..facts(page) })
    }

    /// The row of a page, or what goes wrong.
    ///
    /// ```
    /// use tamis_batch::{Bounds, Html, PageError, PageIn, Work};
    ///
    /// let work = Work { bounds: Bounds { bytes: 5, ..Bounds::default() }, ..Work::default() };
    /// assert_eq!(work.try_row(&PageIn::of(Html::Text("<p>Rain"))).unwrap_err(), PageError::TooLarge(5));
    /// ```
    pub fn try_row(&self, page: &PageIn<'_>) -> Result<Row, PageError> {
        guarded(|| {
            let mut row = facts(page);
            self.fill(page, &mut row)?;
            Ok(row)
        })
        .flatten()
    }

    fn fill(&self, page: &PageIn<'_>, row: &mut Row) -> Result<(), PageError> {
        let _alone = (page.html.len() >= HEAVY).then(|| TURN.lock().unwrap_or_else(PoisonError::into_inner));
        self.with_page(page, |page, extractor| {
            let site = match (&self.sites, page.url().and_then(SiteKey::from_url)) {
                (Some(sites), Some(key)) => {
                    sites.known(&key).map_err(|error| PageError::Site(error.to_string()))?
                }
                _ => None,
            };
            // What the site repeats says something of its titles as well.
            let extractor = match site {
                Some(known) => &extractor.clone().site(known.site_for(page)),
                None => extractor,
            };
            let judgement = extractor.judge(page);
            in_time(page)?;
            let document = extractor.document(page, &judgement);
            in_time(page)?;
            row.fill(page, &judgement, document, self.method, self.columns);
            row.model = self.model.as_ref().map(|model| model.digest().to_owned());
            Ok(())
        })
    }

    /// What a page shows of its site.
    ///
    /// ```
    /// use tamis_batch::{Html, PageIn, Work};
    ///
    /// let record = Work::default().record(&PageIn::of(Html::Text("<p>Mail us, or call."))).unwrap();
    /// assert!(tamis_site::SiteMemory::default().insert(record));
    /// ```
    pub fn record(&self, page: &PageIn<'_>) -> Result<PageRecord, PageError> {
        guarded(|| self.with_page(page, |page, _| Ok(PageRecord::of(page)))).flatten()
    }

    /// Decodes, parses and measures a page within its bounds.
    fn with_page<R>(
        &self,
        page: &PageIn<'_>,
        then: impl FnOnce(&Page<'_>, &Extractor) -> Result<R, PageError>,
    ) -> Result<R, PageError> {
        if page.html.len() > self.bounds.bytes as usize {
            return Err(PageError::TooLarge(self.bounds.bytes));
        }
        if let Some(content_type) = page.content_type
            && !may_be_page(content_type)
        {
            return Err(PageError::NotAPage(format!("it is no web page but {}", media_type(content_type))));
        }
        // Decoding takes time as well.
        let limits = self.bounds.limits();
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
                check_page(bytes, &decoded).map_err(|error| PageError::NotAPage(error.to_string()))?;
                decoded.text
            }
        };
        let mut extractor = Extractor::new().method(self.method).balance(self.balance).limits(limits);
        extractor = extractor.facts(!self.text_only);
        if let Some(model) = &self.model {
            extractor = extractor.own_model(model);
        }
        for feed in &self.feeds {
            extractor = extractor.feed(Arc::clone(feed));
        }
        if let Some(url) = page.url {
            extractor = extractor.url(url);
        }
        if let Some(fetched) = page.fetched.and_then(|time| Moment::read(&time::write(time))) {
            extractor = extractor.fetched(fetched);
        }
        let page = extractor.page(&text);
        in_time(&page)?;
        then(&page, &extractor)
    }
}

/// What is known of a page besides itself.
fn facts(page: &PageIn<'_>) -> Row {
    Row {
        url: page.url.map(str::to_owned),
        host: page.url.and_then(host),
        status: page.status,
        fetched: page.fetched,
        ..Row::default()
    }
}

/// What was made of a page whose time is over is of no use.
fn in_time(page: &Page<'_>) -> Result<(), PageError> {
    let is_late = page.is_late() || page.dom().limit_reached() == Some(Limit::Time);
    if is_late { Err(PageError::Time) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};
    use tamis_site::{Error, Known};

    #[derive(Debug)]
    struct Faulty;

    impl KnownSites for Faulty {
        fn known(&self, _: &SiteKey) -> Result<Option<Known>, Error> {
            panic!("the index is {}", 7)
        }
    }

    #[test]
    fn a_panic_in_one_page_ended_the_whole_run() {
        let work = Work { sites: Some(Arc::new(Faulty)), ..Work::default() };
        let page = PageIn { url: Some("http://e.com/x"), ..PageIn::of(Html::Text("<p>A sound page.")) };
        let row = work.row(&page);
        assert_eq!((row.url.as_deref(), row.text.as_deref()), (Some("http://e.com/x"), None));
        assert!(row.error.unwrap().ends_with("please report it: the index is 7"));
        // Heavy pages wait for each other: one that failed gives up its turn.
        let heavy = "<p>A sound page.".repeat(HEAVY / 10);
        for _ in 0..2 {
            assert!(work.row(&PageIn { html: Html::Text(&heavy), ..page }).error.unwrap().contains("index"));
        }
    }

    #[test]
    fn the_fetch_time_of_a_record_was_not_told_to_the_engine() {
        let html =
            "<h1>Rain</h1><p>3 hours ago</p><p>It rained in the harbour on Monday, and it poured on Tuesday.";
        let page = PageIn { fetched: time::parse("2010-12-15T12:00:00Z"), ..PageIn::of(Html::Text(html)) };
        let row = Work::default().row(&page);
        assert_eq!(row.published.as_deref(), Some("2010-12-15T09:00Z"));
        let text_only = Work { text_only: true, ..Work::default() }.row(&page);
        assert_eq!((text_only.published, text_only.text), (None, row.text));
    }

    /// In a build for tests, judging this page takes several times as long as it is given, and parsing it less.
    #[test]
    fn judging_went_on_long_after_the_time_of_a_page_was_over() {
        let html = "<a href=x>b<p>".repeat(400_000);
        let bounds = Bounds { time: Duration::from_millis(250), ..Bounds::default() };
        let begin = Instant::now();
        let result = Work { bounds, ..Work::default() }.try_row(&PageIn::of(Html::Text(&html)));
        assert_eq!(result.unwrap_err(), PageError::Time);
        assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
    }
}
