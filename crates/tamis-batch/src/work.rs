//! From one page to its record: what every thread of a run does, and what Spark and Ray call for each row of a batch.

use std::sync::{Arc, Mutex, PoisonError};

use tamis::document::plain_text;
use tamis::explain::Explanation;
use tamis::metadata::Metadata;
use tamis::page::{HiddenText, SiteRules};
use tamis::render::RenderOptions;
use tamis::{Analysis, Bias, Document, Extractor, Hints, Input, SiteMemory};
use tamis_dates::Moment;
#[cfg(feature = "sites")]
use tamis_feeds::Feed;
use tamis_html::Limit;
#[cfg(feature = "sites")]
use tamis_html::Name;
use tamis_methods::{CustomModel, Selection};
use tamis_site::{Known, PageRecord, RuleSet};

use crate::block_record;
use crate::bounds::Bounds;
use crate::chunking::Chunking;
use crate::fields::{Fields, RecordField};
use crate::http::{may_be_page, media_type};
use crate::page_error::{PageError, guarded};
use crate::record::Record;
use crate::sites::KnownSites;
use crate::unwrapped::Unwrapped;

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
    /// The fetch time for relative dates, where only its day is known.
    pub reference_time: Option<Moment>,
    /// Why only a part of the page could be read.
    pub fault: Option<&'a str>,
    /// The memory of its site; overrides [`WorkOptions::sites`].
    pub site: Option<&'a dyn SiteMemory>,
}

impl<'a> PageIn<'a> {
    /// A page of which nothing else is known.
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

    /// A record with what is known about the page, without a document.
    fn about(&self) -> Record {
        let error = self.fault.map(str::to_owned);
        Record { status: self.status, fetched: self.fetched, error, ..Record::of_url(self.url) }
    }

    /// The same page without gzip and MHTML around it.
    fn inside(self, unwrapped: &'a Option<Unwrapped>) -> PageIn<'a> {
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
    /// Its bytes; those of a decoded page are UTF-8.
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

/// How pages become records.
#[derive(Clone, Default)]
pub struct WorkOptions {
    /// The learned extractor or a published method.
    pub method: Selection,
    /// A model in place of the built-in one.
    pub model: Option<CustomModel>,
    /// Whether precision or recall matters more.
    pub bias: Bias,
    /// The fields to compute.
    pub fields: Fields,
    /// What a page may cost.
    pub bounds: Bounds,
    /// The WHATWG label of an encoding that all pages are read in, whatever they declare.
    pub encoding: Option<String>,
    /// What is known of the pages' sites.
    pub sites: Option<Arc<dyn KnownSites>>,
    /// Feeds of the pages' sites: what they say of a page is evidence for its metadata.
    #[cfg(feature = "sites")]
    pub feeds: Vec<Arc<Feed>>,
    /// Rules of the user for sites; pages get them by URL.
    pub rules: Option<Arc<RuleSet>>,
    /// What to do with text hidden by markup.
    pub hidden: HiddenText,
    /// How the field `chunks` is split.
    pub chunking: Chunking,
    /// The current time. On pages whose fetch time is unknown, later dates are rejected; relative dates stay unresolved.
    pub now: Option<Moment>,
}

/// Makes records of pages. Cheap to clone; use one for all pages and threads.
///
/// ```
/// use tamis_batch::{Html, PageIn, Work};
///
/// let record = Work::default().extract(&PageIn::of(Html::Bytes(b"%PDF-1.7")));
/// assert!(record.error.unwrap().contains("PDF"));
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
        let comments = [RecordField::Comments, RecordField::Blocks].map(|field| options.fields.has(field));
        let builder = Extractor::builder()
            .bias(options.bias)
            .limits(options.bounds.limits())
            .hidden(options.hidden)
            .comments(comments.contains(&true));
        let builder = match &options.model {
            Some(model) => model.apply(options.method, builder),
            None => options.method.apply(builder, None),
        };
        Work { options, extractor: builder.build() }
    }

    /// The extractor, for what needs more than a record.
    pub fn extractor(&self) -> &Extractor {
        &self.extractor
    }

    /// The options.
    pub fn options(&self) -> &WorkOptions {
        &self.options
    }

    /// Returns the record of a page; a failure is recorded in its `error`.
    pub fn extract(&self, page: &PageIn<'_>) -> Record {
        let failed = |error: PageError| Record { error: Some(error.to_string()), ..page.about() };
        let mut record = self.try_extract(page).unwrap_or_else(failed);
        // That of an answer without success says more than what is wrong with its body.
        if let Some(error) = page.status.and_then(PageError::of_status) {
            record.error = Some(error.to_string());
        }
        record
    }

    /// The record of a page, or what goes wrong.
    ///
    /// ```
    /// use tamis_batch::{Bounds, Html, PageError, PageIn, Work, WorkOptions};
    ///
    /// let bounds = Bounds { bytes: 5, ..Bounds::default() };
    /// let work = Work::new(WorkOptions { bounds, ..WorkOptions::default() });
    /// let error = work.try_extract(&PageIn::of(Html::Text("<p>Rain"))).unwrap_err();
    /// assert_eq!(error, PageError::TooLarge(5));
    /// ```
    pub fn try_extract(&self, page: &PageIn<'_>) -> Result<Record, PageError> {
        self.analyze(page, |page, input, analysis| self.record(page, input, analysis))
    }

    /// Analyses a page and passes it on, unwrapped, with the result. A panic is an error of the page.
    pub fn analyze<R>(
        &self,
        page: &PageIn<'_>,
        then: impl FnOnce(&PageIn<'_>, &Input<'_>, &Analysis<'_>) -> R,
    ) -> Result<R, PageError> {
        let analyze = || {
            let is_heavy = page.html.len() >= HEAVY;
            let _alone = is_heavy.then(|| TURN.lock().unwrap_or_else(PoisonError::into_inner));
            let unwrapped = self.unwrapped(page)?;
            let page = &page.inside(&unwrapped);
            let known = if page.site.is_none() { self.known(page)? } else { None };
            let mut input = self.input(page)?;
            if let Some(known) = &known {
                input = input.site(known);
            }
            Ok(self.extractor.analyze_with(input, |analysis| then(page, &input, analysis))?)
        };
        guarded(analyze).flatten()
    }

    /// Like [`analyze`](Self::analyze), with why each block is kept or dropped. The input has what the feeds say.
    pub fn explain<R>(
        &self,
        page: &PageIn<'_>,
        then: impl FnOnce(&Input<'_>, &Analysis<'_>, Explanation) -> R,
    ) -> Result<R, PageError> {
        let explain = || {
            let is_heavy = page.html.len() >= HEAVY;
            let _alone = is_heavy.then(|| TURN.lock().unwrap_or_else(PoisonError::into_inner));
            let known = if page.site.is_none() { self.known(page)? } else { None };
            let mut input = self.input(page)?;
            if let Some(known) = &known {
                input = input.site(known);
            }
            Ok(self.extractor.explain_with(input, |analysis, explanation| {
                let hints = self.hints(page.url, analysis);
                then(&hints.as_ref().map_or(input, |hints| input.hints(hints)), analysis, explanation)
            })?)
        };
        guarded(explain).flatten()
    }

    /// The record of a page that [`analyze`](Self::analyze) passes on.
    pub fn record(&self, page: &PageIn<'_>, input: &Input<'_>, analysis: &Analysis<'_>) -> Record {
        let WorkOptions { method, model, fields, .. } = &self.options;
        let mut record = page.about();
        let document = match fields.need_document() {
            true => {
                let hints = self.hints(page.url, analysis);
                let input = hints.as_ref().map_or(*input, |hints| input.hints(hints));
                self.document(page, &input, analysis)
            }
            false => without_metadata(page, analysis),
        };
        if fields.has(RecordField::Blocks) {
            record.blocks = Some(block_record::blocks(analysis, &document.comments));
        }
        if fields.has(RecordField::Chunks) {
            let options = self.options.chunking.options(RenderOptions::new());
            record.chunks = Some(document.chunks(&options));
        }
        record.document = Some(document);
        record.method = Some(method.name().to_owned());
        record.model = model.as_ref().map(|model| model.digest().to_owned());
        // Other limits lose no text.
        if let Some(Limit::Nodes(most)) = analysis.truncated {
            record.error.get_or_insert(format!("only the first {most} nodes of the page were read"));
        }
        record
    }

    /// The document; built again if it has dates after the current time, which then are no candidates.
    fn document(&self, page: &PageIn<'_>, input: &Input<'_>, analysis: &Analysis<'_>) -> Document {
        let document = self.extractor.document(input, analysis);
        match self.reference_for(page, &document.metadata) {
            Some(now) => self.extractor.document(&input.fetched(now), analysis),
            None => document,
        }
    }

    /// The current time, if the metadata has later dates and the fetch time is unknown.
    pub fn reference_for(&self, page: &PageIn<'_>, metadata: &Metadata) -> Option<Moment> {
        let is_unknown = page.reference_time.is_none() && page.fetched.is_none();
        let dates = [metadata.published, metadata.modified];
        let is_late = |now: &Moment| is_unknown && dates.iter().flatten().any(|date| date.is_after(now));
        self.options.now.filter(is_late)
    }

    /// What a page shows of its site.
    ///
    /// ```
    /// use tamis_batch::{Html, PageIn, Work};
    ///
    /// let record = Work::default().observe(&PageIn::of(Html::Text("<p>Mail us, or call."))).unwrap();
    /// assert!(tamis_site::SiteProfile::default().insert(record));
    /// ```
    pub fn observe(&self, page: &PageIn<'_>) -> Result<PageRecord, PageError> {
        let record = || {
            let unwrapped = self.unwrapped(page)?;
            let page = &page.inside(&unwrapped);
            let input = self.input(page)?;
            Ok(self.extractor.parse_with(input, |parsed| PageRecord::of(parsed, page.url))?)
        };
        guarded(record).flatten()
    }

    fn unwrapped(&self, page: &PageIn<'_>) -> Result<Option<Unwrapped>, PageError> {
        Unwrapped::of(page.html.as_bytes(), page.content_type, self.options.bounds.bytes)
    }

    /// The page for the extractor, with what is known about it but its site, unless the page brings that along.
    pub fn input<'a>(&'a self, page: &PageIn<'a>) -> Result<Input<'a>, PageError> {
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
        let fetched = || page.fetched.and_then(|time| Moment::from_unix(time.div_euclid(1_000_000)));
        if let Some(time) = page.reference_time.or_else(fetched) {
            input = input.fetched(time);
        }
        if let Some(site) = page.site {
            input = input.site(site);
        }
        if let Some(rules) = self.rules(page.url) {
            input = input.rules(rules);
        }
        Ok(input)
    }

    /// The user's rules for a page.
    pub fn rules(&self, url: Option<&str>) -> Option<&SiteRules> {
        let (rules, url) = (self.options.rules.as_deref()?, url?);
        if cfg!(feature = "sites") { rules.for_url(url) } else { None }
    }

    fn known(&self, page: &PageIn<'_>) -> Result<Option<Known>, PageError> {
        match (&self.options.sites, page.url) {
            (Some(sites), Some(url)) if cfg!(feature = "sites") => {
                sites.known_for(url).map_err(|error| PageError::Site(error.to_string()))
            }
            _ => Ok(None),
        }
    }

    /// What the feeds say of the page, which they may know by its canonical address.
    #[cfg(feature = "sites")]
    pub fn hints(&self, url: Option<&str>, analysis: &Analysis<'_>) -> Option<Hints> {
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

    /// Without feeds there is nothing to hint at.
    #[cfg(not(feature = "sites"))]
    pub fn hints(&self, _: Option<&str>, _: &Analysis<'_>) -> Option<Hints> {
        None
    }
}

/// The text and what the classification says, which is all that some outputs ask for.
fn without_metadata(page: &PageIn<'_>, analysis: &Analysis<'_>) -> Document {
    let prediction = &analysis.prediction;
    let mut document = Document::default();
    document.url = page.url.map(str::to_owned);
    document.text = plain_text(&analysis.page, &prediction.kept);
    document.page_type = prediction.page_type;
    document.page_type_probability = prediction.page_type_probability;
    document.confidence = prediction.confidence;
    document.site_rules = prediction.rules.as_ref().map(|rules| rules.summary.clone());
    document.encoding = analysis.encoding.map(str::to_owned);
    document.truncated = analysis.truncated.map(|limit| limit.to_string());
    document
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};
    use tamis_site::{Error, SiteKey};

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
        let row = work.extract(&page);
        assert_eq!((row.url.as_deref(), row.text()), (Some("http://e.com/x"), None));
        assert!(row.error.unwrap().ends_with("(please report it): the index is 7"));
        // Heavy pages wait for each other: one that failed gives up its turn.
        let heavy = "<p>A sound page.".repeat(HEAVY / 10);
        for _ in 0..2 {
            let row = work.extract(&PageIn { html: Html::Text(&heavy), ..page });
            assert!(row.error.unwrap().contains("index"));
        }
    }

    const STORY: &str = "<title>Rain - The Paper</title><nav><a href=/>Home</a></nav><article><h1>Rain</h1><p>3 hours ago</p>\
        <p>It rained in the harbour on Monday, and it poured on Tuesday, so that the ferries stayed at the pier.</p>\
        <p>On Wednesday the council met, and its members spoke about the old bridge, which had been closed.</p></article>";

    #[test]
    fn relative_dates_count_from_the_fetch_time() {
        let page = PageIn { fetched: time::parse("2010-12-15T12:00:00Z"), ..PageIn::of(Html::Text(STORY)) };
        let document = Work::default().extract(&page).document.unwrap();
        assert_eq!(document.metadata.published.unwrap().to_string(), "2010-12-15T09:00Z");
        let fields = Fields::of(&[RecordField::Text, RecordField::Confidence]);
        let alone = Work::new(WorkOptions { fields, ..WorkOptions::default() }).extract(&page);
        let alone = alone.document.unwrap();
        assert_eq!((alone.metadata.published, &alone.text), (None, &document.text), "what is not asked for");
        assert!(alone.content.is_empty() && alone.confidence == document.confidence);
    }

    #[test]
    fn dates_after_the_current_time_are_rejected_and_relative_ones_left_alone() {
        let html = STORY.replace("3 hours ago", "Published: 12 March 2099");
        let now = Moment::parse_iso("2026-01-01T00:00Z");
        let published = |now, fetched, html: &str| {
            let work = Work::new(WorkOptions { now, ..WorkOptions::default() });
            let page = PageIn { fetched, ..PageIn::of(Html::Text(html)) };
            work.extract(&page).document.unwrap().metadata.published.map(|date| date.to_string())
        };
        assert_eq!(published(None, None, &html).as_deref(), Some("2099-03-12"));
        assert_eq!(published(now, None, &html), None);
        assert_eq!(published(now, None, STORY), None, "no fetch time, so relative dates have no reference");
        let earlier = time::parse("2010-12-15T12:00:00Z");
        assert_eq!(published(now, earlier, STORY).as_deref(), Some("2010-12-15T09:00Z"));
    }

    #[test]
    fn chunks_are_a_field_of_the_record() {
        let options = |chunking: &str| WorkOptions {
            fields: Fields::of(&[RecordField::Chunks]),
            chunking: chunking.parse().unwrap(),
            ..WorkOptions::default()
        };
        for (chunking, most) in [("80", 80), ("9tokens", 9), ("80,markdown", 80)] {
            let record = Work::new(options(chunking)).extract(&PageIn::of(Html::Text(STORY)));
            let chunks = record.chunks.unwrap();
            assert!(
                chunks.len() > 2 && chunks.iter().all(|chunk| chunk.size <= most),
                "{chunking}: {chunks:?}"
            );
        }
    }

    #[test]
    fn feeds_know_pages_by_their_canonical_address() {
        let feed = "<feed><entry><link href='https://e.com/rain'/><author><name>Ada Finch</name></author></entry></feed>";
        let feeds = vec![Arc::new(Feed::read(feed).unwrap())];
        let work = Work::new(WorkOptions { feeds, ..WorkOptions::default() });
        let html = format!("<link rel=canonical href=/rain>{STORY}");
        for (url, html) in [("https://e.com/rain", STORY), ("https://e.com/?p=7", &html)] {
            let record = work.extract(&PageIn { url: Some(url), ..PageIn::of(Html::Text(html)) });
            assert_eq!(record.document.unwrap().metadata.authors, ["Ada Finch"], "{url}");
        }
    }

    #[test]
    fn a_page_cut_off_at_a_limit_says_so_beside_its_text() {
        let html = format!("{STORY}{}", "<b></b>".repeat(500_001));
        let record = Work::default().extract(&PageIn::of(Html::Text(&html)));
        assert_eq!(record.error.as_deref(), Some("only the first 500000 nodes of the page were read"));
        let document = record.document.unwrap();
        assert!(document.text.contains("It rained") && document.truncated.unwrap().contains("500000 nodes"));
        let deep = format!("{}{STORY}", "<div>".repeat(600));
        assert_eq!(Work::default().extract(&PageIn::of(Html::Text(&deep))).error, None, "nothing is lost");
    }

    #[test]
    fn blocks_have_their_element_and_place() {
        let work = Work::new(WorkOptions { fields: Fields::ALL, ..WorkOptions::default() });
        let blocks = work.extract(&PageIn::of(Html::Text(STORY))).blocks.unwrap();
        let block = &blocks[3];
        assert_eq!((block.kind.as_str(), block.path.as_str()), ("p", "/html/body/article/p[2]"));
        assert!(block.kept && block.score > 0.5 && block.comment.is_none());
        assert!(STORY[block.span[0] as usize..block.span[1] as usize].contains("It rained in the harbour"));
        assert!(!blocks[0].kept);
    }

    #[test]
    fn statuses_without_success_are_errors_beside_the_text() {
        let error = |status, html| {
            let page = PageIn { status: Some(status), ..PageIn::of(Html::Text(html)) };
            let record = Work::default().extract(&page);
            (record.error, record.document.map(|document| document.text))
        };
        assert_eq!(error(200, STORY).0, None);
        for (status, what) in [
            (204, "no content"),
            (304, "not modified"),
            (404, "not found"),
            (429, "wait"),
            (999, "not a standard status"),
        ] {
            assert!(error(status, "").0.unwrap().contains(what), "{status}");
            assert!(error(status, STORY).1.unwrap().contains("It rained"), "{status}");
        }
    }

    /// In a build for tests, judging this page takes several times as long as it is given, and parsing it less.
    #[test]
    fn judging_stops_at_the_time_limit() {
        let html = "<a href=x>b<p>".repeat(400_000);
        let bounds = Bounds { time: Duration::from_millis(250), ..Bounds::default() };
        let begin = Instant::now();
        let work = Work::new(WorkOptions { bounds, ..WorkOptions::default() });
        assert_eq!(
            work.try_extract(&PageIn::of(Html::Text(&html))).unwrap_err(),
            PageError::Time(bounds.time)
        );
        assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
    }
}
