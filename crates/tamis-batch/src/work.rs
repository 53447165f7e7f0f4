//! From a page to its record, as used by the threads of a run and for each row of a batch.

use std::sync::{Arc, Mutex, PoisonError};

use tamis::document::plain_text;
use tamis::explain::Explanation;
use tamis::metadata::Metadata;
use tamis::page::{HiddenText, SiteRules};
use tamis::render::RenderOptions;
use tamis::{Analysis, Bias, Document, Extractor, Hints, Input};
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
use crate::page_in::{Html, PageIn};
use crate::record::Record;
use crate::sites::KnownSites;
use crate::unwrapped::Unwrapped;

/// Pages of this size and above are extracted one at a time, since they take many times their size in memory.
const HEAVY: usize = 2 << 20;

/// How pages become records.
#[derive(Clone, Default)]
pub struct WorkOptions {
    /// The extraction method.
    pub method: Selection,
    /// A custom model.
    pub model: Option<CustomModel>,
    /// Bias towards precision or recall.
    pub bias: Bias,
    /// The fields to compute.
    pub fields: Fields,
    /// Limits on a page.
    pub bounds: Bounds,
    /// The WHATWG label of an encoding that overrides detection.
    pub encoding: Option<String>,
    /// Site memory.
    pub sites: Option<Arc<dyn KnownSites>>,
    /// Feeds of the sites, as evidence for metadata.
    #[cfg(feature = "sites")]
    pub feeds: Vec<Arc<Feed>>,
    /// The user's site rules, selected by URL.
    pub rules: Option<Arc<RuleSet>>,
    /// What to do with text hidden by markup.
    pub hidden: HiddenText,
    /// How the field `chunks` is split.
    pub chunking: Chunking,
    /// The current time. On pages whose fetch time is unknown, later dates are rejected; relative dates stay
    /// unresolved.
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

/// Held while a large page is extracted.
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
        // The status says more than an error in the body.
        if let Some(error) = page.status.and_then(PageError::of_status) {
            record.error = Some(error.to_string());
        }
        record
    }

    /// The record of a page, or its error.
    pub fn try_extract(&self, page: &PageIn<'_>) -> Result<Record, PageError> {
        self.analyze(page, |page, input, analysis| self.record(page, input, analysis))
    }

    /// Analyses a page and calls `then` with the unwrapped page and the result. A panic becomes an error of the page.
    pub fn analyze<R>(
        &self,
        page: &PageIn<'_>,
        then: impl FnOnce(&PageIn<'_>, &Input<'_>, &Analysis<'_>) -> R,
    ) -> Result<R, PageError> {
        self.with_input(page, |page, input| {
            Ok(self.extractor.analyze_with(input, |analysis| then(page, &input, analysis))?)
        })
    }

    /// Like [`analyze`](Self::analyze), with explanations of every block. The input includes hints from feeds.
    pub fn explain<R>(
        &self,
        page: &PageIn<'_>,
        then: impl FnOnce(&Input<'_>, &Analysis<'_>, Explanation) -> R,
    ) -> Result<R, PageError> {
        self.with_input(page, |page, input| {
            Ok(self.extractor.explain_with(input, |analysis, explanation| {
                let hints = self.hints(page.url, analysis);
                then(&hints.as_ref().map_or(input, |hints| input.hints(hints)), analysis, explanation)
            })?)
        })
    }

    /// Calls `then` with the unwrapped page as extractor input.
    fn with_input<R>(
        &self,
        page: &PageIn<'_>,
        then: impl FnOnce(&PageIn<'_>, Input<'_>) -> Result<R, PageError>,
    ) -> Result<R, PageError> {
        let work = || {
            let is_heavy = page.html.len() >= HEAVY;
            let _alone = is_heavy.then(|| TURN.lock().unwrap_or_else(PoisonError::into_inner));
            let unwrapped = self.unwrapped(page)?;
            let page = &page.inside(&unwrapped);
            let known = if page.site.is_none() { self.known(page)? } else { None };
            let input = self.input(page)?;
            then(page, known.as_ref().map_or(input, |known| input.site(known)))
        };
        guarded(work).flatten()
    }

    /// The record of an analysed page.
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
        // Other limits do not lose text.
        if let Some(Limit::Nodes(most)) = analysis.truncated {
            record.error.get_or_insert(format!("only the first {most} nodes of the page were read"));
        }
        record
    }

    /// The document. If it has dates after the current time, it is composed again without them.
    fn document(&self, page: &PageIn<'_>, input: &Input<'_>, analysis: &Analysis<'_>) -> Document {
        let document = self.extractor.document(input, analysis);
        match self.reference_for(page, &document.metadata) {
            Some(now) => self.extractor.document(&input.fetched(now), analysis),
            None => document,
        }
    }

    /// The current time, if the fetch time is unknown and the metadata has later dates.
    pub fn reference_for(&self, page: &PageIn<'_>, metadata: &Metadata) -> Option<Moment> {
        let is_unknown = page.reference_time.is_none() && page.fetched.is_none();
        let dates = [metadata.published, metadata.modified];
        let is_late = |now: &Moment| is_unknown && dates.iter().flatten().any(|date| date.is_after(now));
        self.options.now.filter(is_late)
    }

    /// The page as evidence for its site memory.
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

    /// The input for the extractor, without site memory unless the page brings its own.
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

    /// Hints from the feeds, whose entries may refer to the page by its canonical URL.
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

    /// Empty without feeds.
    #[cfg(not(feature = "sites"))]
    pub fn hints(&self, _: Option<&str>, _: &Analysis<'_>) -> Option<Hints> {
        None
    }
}

/// A document with text and classification only, which suffices for some outputs.
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
mod tests;
