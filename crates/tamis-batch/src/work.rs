//! From one page to its row: what every thread of a run does, and what Spark and Ray call for each row of a batch.

use std::sync::{Arc, Mutex, PoisonError};

use tamis::document::plain_text;
use tamis::{Analysis, Bias, Extractor, Hints, Input};
use tamis_dates::Moment;
use tamis_feeds::Feed;
use tamis_html::{Limit, Name};
use tamis_methods::{CustomModel, Selection};
use tamis_site::{Known, PageRecord, SiteKey};

use crate::bounds::Bounds;
use crate::columns::{Column, Columns};
use crate::http::{may_be_page, media_type};
use crate::page_error::{PageError, guarded};
use crate::row::{Row, host};
use crate::sites::KnownSites;

/// Pages of this size and above are worked on one at a time: they take many times their size in memory.
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
    /// Its address.
    pub url: Option<&'a str>,
    /// The `Content-Type` header of the response.
    pub content_type: Option<&'a str>,
    /// The status of the response.
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
#[derive(Clone, Copy, Debug)]
pub enum Html<'a> {
    /// As served, in any encoding.
    Bytes(&'a [u8]),
    /// Decoded.
    Text(&'a str),
}

impl Html<'_> {
    /// Its size in bytes.
    pub fn len(&self) -> usize {
        match self {
            Html::Bytes(bytes) => bytes.len(),
            Html::Text(text) => text.len(),
        }
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// How pages become rows.
#[derive(Clone, Default)]
pub struct WorkOptions {
    /// The learned extractor or a published method.
    pub method: Selection,
    /// A model in place of the built-in one.
    pub model: Option<CustomModel>,
    /// Whether precision or recall matters more.
    pub bias: Bias,
    /// The columns to fill.
    pub columns: Columns,
    /// What a page may cost.
    pub bounds: Bounds,
    /// The WHATWG label of an encoding that all pages are read in, whatever they declare.
    pub encoding: Option<String>,
    /// What is known of the pages' sites.
    pub sites: Option<Arc<dyn KnownSites>>,
    /// Feeds of the pages' sites: what they say of a page is evidence for its metadata.
    pub feeds: Vec<Arc<Feed>>,
    /// The plain text alone, without metadata, Markdown and blocks: faster.
    pub text_only: bool,
}

/// Makes rows of pages. Cheap to clone; use one for all pages and threads.
///
/// ```
/// use tamis_batch::{Html, PageIn, Work};
///
/// let row = Work::default().row(&PageIn::of(Html::Bytes(b"%PDF-1.7")));
/// assert!(row.error.unwrap().contains("PDF"));
/// ```
#[derive(Clone)]
pub struct Work {
    options: WorkOptions,
    extractor: Extractor,
}

/// Whose turn it is among heavy pages.
static TURN: Mutex<()> = Mutex::new(());

impl Default for Work {
    fn default() -> Work {
        Work::new(WorkOptions::default())
    }
}

impl std::fmt::Debug for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let WorkOptions { method, bounds, .. } = &self.options;
        f.debug_struct("Work").field("method", method).field("bounds", bounds).finish_non_exhaustive()
    }
}

impl Work {
    /// Builds the extractor.
    pub fn new(options: WorkOptions) -> Work {
        let builder = Extractor::builder()
            .bias(options.bias)
            .limits(options.bounds.limits())
            .comments(options.columns.has(Column::Blocks) && !options.text_only);
        let builder = match &options.model {
            Some(model) => model.apply(options.method, builder),
            None => options.method.apply(builder, None),
        };
        Work { options, extractor: builder.build() }
    }

    /// The options.
    pub fn options(&self) -> &WorkOptions {
        &self.options
    }

    /// The row of a page. What goes wrong stands in it.
    pub fn row(&self, page: &PageIn<'_>) -> Row {
        self.try_row(page).unwrap_or_else(|error| Row { error: Some(error.to_string()), ..empty_row(page) })
    }

    /// The row of a page, or what goes wrong.
    ///
    /// ```
    /// use tamis_batch::{Bounds, Html, PageError, PageIn, Work, WorkOptions};
    ///
    /// let bounds = Bounds { bytes: 5, ..Bounds::default() };
    /// let work = Work::new(WorkOptions { bounds, ..WorkOptions::default() });
    /// assert_eq!(work.try_row(&PageIn::of(Html::Text("<p>Rain"))).unwrap_err(), PageError::TooLarge(5));
    /// ```
    pub fn try_row(&self, page: &PageIn<'_>) -> Result<Row, PageError> {
        guarded(|| {
            let mut row = empty_row(page);
            self.fill(page, &mut row)?;
            Ok(row)
        })
        .flatten()
    }

    fn fill(&self, page: &PageIn<'_>, row: &mut Row) -> Result<(), PageError> {
        let _alone = (page.html.len() >= HEAVY).then(|| TURN.lock().unwrap_or_else(PoisonError::into_inner));
        let known = self.known(page)?;
        let mut input = self.input(page)?;
        if let Some(known) = &known {
            input = input.site(known);
        }
        let WorkOptions { method, model, columns, .. } = &self.options;
        self.extractor.analyze_with(input, |analysis| {
            if self.options.text_only {
                row.text = Some(plain_text(&analysis.page, &analysis.prediction.kept));
            } else {
                let hints = self.hints(page.url, analysis);
                let input = hints.as_ref().map_or(input, |hints| input.hints(hints));
                row.fill(analysis, self.extractor.document(&input, analysis), *columns);
            }
            row.page_type = Some(analysis.prediction.page_type.name().to_owned());
            row.page_type_probability = Some(analysis.prediction.page_type_probability);
            // The confidence is that of the learned extractor's text.
            row.confidence = (*method == Selection::Fused).then_some(analysis.prediction.confidence);
            row.method = Some(method.name());
            row.model = model.as_ref().map(|model| model.digest().to_owned());
            // Other limits lose no text.
            if let Some(Limit::Nodes(most)) = analysis.truncated {
                row.error = Some(format!("only the first {most} nodes of the page were read"));
            }
        })?;
        Ok(())
    }

    /// What a page shows of its site.
    ///
    /// ```
    /// use tamis_batch::{Html, PageIn, Work};
    ///
    /// let record = Work::default().record(&PageIn::of(Html::Text("<p>Mail us, or call."))).unwrap();
    /// assert!(tamis_site::SiteProfile::default().insert(record));
    /// ```
    pub fn record(&self, page: &PageIn<'_>) -> Result<PageRecord, PageError> {
        let record = || {
            let input = self.input(page)?;
            Ok(self.extractor.parse_with(input, |parsed| PageRecord::of(parsed, page.url))?)
        };
        guarded(record).flatten()
    }

    fn input<'a>(&'a self, page: &PageIn<'a>) -> Result<Input<'a>, PageError> {
        let mut input = match page.html {
            Html::Bytes(bytes) => Input::bytes(bytes),
            Html::Text(text) => Input::text(text),
        };
        if let Some(content_type) = page.content_type {
            if !may_be_page(content_type) {
                return Err(PageError::NotAPage(format!("not a web page but {}", media_type(content_type))));
            }
            input = input.content_type(content_type);
        }
        if let Some(url) = page.url {
            input = input.url(url);
        }
        if let Some(label) = &self.options.encoding {
            input = input.encoding(label);
        }
        if let Some(fetched) = page.fetched.and_then(|time| Moment::from_unix(time.div_euclid(1_000_000))) {
            input = input.fetched(fetched);
        }
        Ok(input)
    }

    fn known(&self, page: &PageIn<'_>) -> Result<Option<Known>, PageError> {
        match (&self.options.sites, page.url.and_then(SiteKey::from_url)) {
            (Some(sites), Some(key)) => sites.known(&key).map_err(|error| PageError::Site(error.to_string())),
            _ => Ok(None),
        }
    }

    /// What the feeds say of the page, which they may know by its canonical address.
    fn hints(&self, url: Option<&str>, analysis: &Analysis<'_>) -> Option<Hints> {
        let feeds = &self.options.feeds;
        if feeds.is_empty() {
            return None;
        }
        let page = &analysis.page;
        let canonical = page.head.links.iter().filter_map(|id| page.dom.node(*id)).find_map(|link| {
            let rel = link.attribute_named(Name::REL)?;
            let is_canonical =
                rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("canonical"));
            is_canonical.then(|| link.attribute_named(Name::HREF)).flatten()
        });
        let url = url.or(canonical.as_deref())?;
        feeds.iter().find_map(|feed| feed.entry_for(url, canonical.as_deref())).map(|entry| entry.hints())
    }
}

/// What is known of a page besides itself.
fn empty_row(page: &PageIn<'_>) -> Row {
    Row {
        url: page.url.map(str::to_owned),
        host: page.url.and_then(host),
        status: page.status,
        fetched: page.fetched,
        ..Row::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};
    use tamis_site::Error;

    use crate::time;

    #[derive(Debug)]
    struct Faulty;

    impl KnownSites for Faulty {
        fn known(&self, _: &SiteKey) -> Result<Option<Known>, Error> {
            panic!("the index is {}", 7)
        }
    }

    #[test]
    fn a_panic_in_one_page_is_its_error() {
        let work = Work::new(WorkOptions { sites: Some(Arc::new(Faulty)), ..WorkOptions::default() });
        let page = PageIn { url: Some("http://e.com/x"), ..PageIn::of(Html::Text("<p>A sound page.")) };
        let row = work.row(&page);
        assert_eq!((row.url.as_deref(), row.text.as_deref()), (Some("http://e.com/x"), None));
        assert!(row.error.unwrap().ends_with("(please report it): the index is 7"));
        // Heavy pages wait for each other: one that failed gives up its turn.
        let heavy = "<p>A sound page.".repeat(HEAVY / 10);
        for _ in 0..2 {
            assert!(work.row(&PageIn { html: Html::Text(&heavy), ..page }).error.unwrap().contains("index"));
        }
    }

    const STORY: &str = "<title>Rain - The Paper</title><nav><a href=/>Home</a></nav><article><h1>Rain</h1><p>3 hours ago</p>\
        <p>It rained in the harbour on Monday, and it poured on Tuesday, so that the ferries stayed at the pier.</p>\
        <p>On Wednesday the council met, and its members spoke about the old bridge, which had been closed.</p></article>";

    #[test]
    fn relative_dates_count_from_the_fetch_time() {
        let page = PageIn { fetched: time::parse("2010-12-15T12:00:00Z"), ..PageIn::of(Html::Text(STORY)) };
        let row = Work::default().row(&page);
        assert_eq!(row.published.as_deref(), Some("2010-12-15T09:00Z"));
        let text_only = Work::new(WorkOptions { text_only: true, ..WorkOptions::default() }).row(&page);
        assert_eq!((text_only.published, text_only.text), (None, row.text));
    }

    #[test]
    fn feeds_know_pages_by_their_canonical_address() {
        let feed = "<feed><entry><link href='https://e.com/rain'/><author><name>Ada Finch</name></author></entry></feed>";
        let feeds = vec![Arc::new(Feed::read(feed).unwrap())];
        let work = Work::new(WorkOptions { feeds, ..WorkOptions::default() });
        let html = format!("<link rel=canonical href=/rain>{STORY}");
        for (url, html) in [("https://e.com/rain", STORY), ("https://e.com/?p=7", &html)] {
            let row = work.row(&PageIn { url: Some(url), ..PageIn::of(Html::Text(html)) });
            assert_eq!(row.authors, ["Ada Finch"], "{url}");
        }
    }

    #[test]
    fn a_page_cut_off_at_a_limit_says_so_beside_its_text() {
        let html = format!("{STORY}{}", "<b></b>".repeat(500_001));
        let row = Work::default().row(&PageIn::of(Html::Text(&html)));
        assert_eq!(row.error.as_deref(), Some("only the first 500000 nodes of the page were read"));
        assert!(row.text.unwrap().contains("It rained"));
        let deep = format!("{}{STORY}", "<div>".repeat(600));
        assert_eq!(Work::default().row(&PageIn::of(Html::Text(&deep))).error, None, "nothing is lost");
    }

    #[test]
    fn blocks_have_their_element_and_place() {
        let row = Work::default().row(&PageIn::of(Html::Text(STORY)));
        let blocks = row.blocks.unwrap();
        let block = &blocks[3];
        assert_eq!((block.kind.as_str(), block.path.as_str()), ("p", "/html/body/article/p[2]"));
        assert!(block.kept && block.score > 0.5 && block.comment.is_none());
        assert!(STORY[block.span[0] as usize..block.span[1] as usize].contains("It rained in the harbour"));
        assert!(!blocks[0].kept);
    }

    /// In a build for tests, judging this page takes several times as long as it is given, and parsing it less.
    #[test]
    fn judging_stops_at_the_time_limit() {
        let html = "<a href=x>b<p>".repeat(400_000);
        let bounds = Bounds { time: Duration::from_millis(250), ..Bounds::default() };
        let begin = Instant::now();
        let work = Work::new(WorkOptions { bounds, ..WorkOptions::default() });
        assert_eq!(work.try_row(&PageIn::of(Html::Text(&html))).unwrap_err(), PageError::Time);
        assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
    }
}
