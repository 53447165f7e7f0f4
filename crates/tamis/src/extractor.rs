//! The pipeline for one page: decode, parse, segment, annotate, classify, and the document made of it.

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::{Arc, LazyLock, Mutex};

use tamis_html::decode::{Decoder, check_page};
use tamis_html::{Deadline, Limit, Limits};

use crate::annotate::Annotations;
use crate::classify::{self, Bias, Model, PageType, Prediction, Scratch, Settings, SiteMemory};
use crate::document::{ComposeOptions, Document, compose, from_regions, plain_text};
use crate::error::ExtractError;
use crate::explain::{self, Explanation};
use crate::input::{Body, Input};
use crate::metadata;
use crate::options::{Options, PageLimits};
use crate::page::{HiddenText, NONE, Page, Tables};
use crate::regions::{RegionContext, Regions};
use crate::text::arabic;

/// A classifier that replaces the default one, such as a published method.
pub trait Classifier: Debug + Send + Sync {
    /// The name in output.
    fn name(&self) -> &'static str;

    /// Whether each block is main text, and its score from 0 to 1. Page type and confidence stay those of the default
    /// classifier.
    fn classify(&self, page: &Page<'_>, site: Option<&dyn SiteMemory>) -> Vec<(bool, f32)>;
}

/// Extracts main text and metadata. Cheap to clone; use one for all pages and threads.
#[derive(Clone, Debug)]
pub struct Extractor {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    options: Options,
    model: Arc<Model>,
    classifier: Option<Arc<dyn Classifier>>,
    /// Memory of earlier pages, reused.
    sessions: Mutex<Vec<Session>>,
}

#[derive(Debug, Default)]
struct Session {
    tables: Tables,
    annotations: Annotations,
    scratch: Scratch,
}

/// A page with everything that was found out about its blocks.
#[derive(Debug)]
pub struct Analysis<'s> {
    /// The page.
    pub page: Page<'s>,
    /// What later stages read.
    pub annotations: Annotations,
    /// What is main text.
    pub prediction: Prediction,
    /// The WHATWG name of the encoding, if the input was bytes.
    pub encoding: Option<&'static str>,
    /// The limit at which parsing stopped.
    pub truncated: Option<Limit>,
}

/// Sessions kept for reuse.
const MAX_IDLE_SESSIONS: usize = 64;
/// Features of larger pages are freed before the document is made.
const MAX_KEPT_FEATURES: usize = 16_384;
/// Larger tables are freed, so that one huge page does not hold its memory for ever.
const MAX_IDLE_BLOCKS: usize = 16_384;
/// The same for elements: a page may have many of them and no text.
const MAX_IDLE_ELEMENTS: usize = 65_536;

/// The model that comes with the crate.
static BUILT_IN: LazyLock<Arc<Model>> = LazyLock::new(|| Arc::new(Model::built_in()));

impl Default for Extractor {
    fn default() -> Extractor {
        Extractor::new()
    }
}

impl Extractor {
    /// An extractor with default settings.
    pub fn new() -> Extractor {
        Extractor::builder().build()
    }

    /// Starts from the default settings.
    pub fn builder() -> ExtractorBuilder {
        ExtractorBuilder { options: Options::default(), model: None, classifier: None }
    }

    /// The main text with structure and metadata.
    pub fn extract<'a>(&self, input: impl Into<Input<'a>>) -> Result<Document, ExtractError> {
        let input = input.into();
        self.analyze_with(input, |analysis| self.document(&input, analysis))
    }

    /// The plain main text, without metadata and structure. Faster than [`extract`](Self::extract).
    pub fn extract_text<'a>(&self, input: impl Into<Input<'a>>) -> Result<String, ExtractError> {
        self.analyze_with(input.into(), |analysis| plain_text(&analysis.page, &analysis.prediction.kept))
    }

    /// Why the blocks of a page are kept or dropped.
    pub fn explain<'a>(&self, input: impl Into<Input<'a>>) -> Result<Explanation, ExtractError> {
        self.explain_with(input.into(), |_, explanation| explanation)
    }

    /// Like [`analyze_with`](Self::analyze_with), with the explanation of the prediction.
    pub fn explain_with<'a, R>(
        &self,
        input: Input<'a>,
        then: impl FnOnce(&Analysis<'_>, Explanation) -> R,
    ) -> Result<R, ExtractError> {
        let model = &self.shared.model;
        self.analyze(input, true, |analysis, scratch| {
            let explanation = explain::explain(&analysis.page, model, &analysis.prediction, &scratch.columns);
            then(analysis, explanation)
        })
    }

    /// Builds the document of an analysed page, for callers of [`analyze_with`](Self::analyze_with). `input` may carry
    /// hints that were found meanwhile.
    pub fn document(&self, input: &Input<'_>, analysis: &Analysis<'_>) -> Document {
        let Analysis { page, annotations, prediction, encoding, truncated } = analysis;
        let metadata = metadata::extract(page, annotations, prediction, &input.metadata_context());
        if page.deadline_exceeded() {
            return Document::default();
        }
        let region_context = RegionContext {
            reference_time: input.fetched,
            language: metadata.language.as_deref(),
            month_first: None,
        };
        let regions = Regions::new(page, annotations, prediction, &region_context);
        let posts = regions.thread();
        let is_thread = posts.len() > 1;
        let rows: Vec<u32> = posts.iter().map(|post| post.element).filter(|row| *row != NONE).collect();
        let options = ComposeOptions { url: input.url, title: metadata.title.as_deref(), posts: &rows };
        let mut document = Document {
            url: input.url.map(str::to_owned),
            page_type: prediction.page_type,
            page_type_probability: prediction.page_type_probability,
            confidence: prediction.confidence,
            text: plain_text(page, &prediction.kept),
            content: compose(page, &prediction.kept, &options),
            posts: from_regions::posts(page, posts),
            site_rules: prediction.rules.as_ref().map(|rules| rules.summary.clone()),
            encoding: encoding.map(str::to_owned),
            truncated: truncated.map(|limit| limit.to_string()),
            ..Document::default()
        };
        if is_thread && document.page_type != PageType::Forum {
            document.page_type = PageType::Forum;
            document.page_type_probability = prediction.thread_probability.max(0.5);
        }
        if page.deadline_exceeded() {
            return document;
        }
        // A single post is no thread: the page may be an article with comments that was taken for one.
        if self.shared.options.comments && document.posts.len() < 2 {
            document.comments = from_regions::comments(page, regions.comments());
        }
        if page.deadline_exceeded() {
            return document;
        }
        if document.page_type == PageType::Listing {
            document.entries = from_regions::entries(page, input.url, regions.listing());
        }
        if self.shared.options.hidden == HiddenText::Flag {
            document.hidden = from_regions::hidden(page);
        }
        document.metadata = metadata;
        document
    }

    /// Runs the pipeline up to the classification and passes the tables to `then`.
    pub fn analyze_with<'a, R>(
        &self,
        input: Input<'a>,
        then: impl FnOnce(&Analysis<'_>) -> R,
    ) -> Result<R, ExtractError> {
        self.analyze(input, false, |analysis, _| then(analysis))
    }

    fn analyze<'a, R>(
        &self,
        input: Input<'a>,
        all_columns: bool,
        then: impl FnOnce(&Analysis<'_>, &mut Scratch) -> R,
    ) -> Result<R, ExtractError> {
        let parse_limits = self.parse_limits();
        let (source, encoding) = decode(&input, &self.shared.options.limits)?;
        let mut session = self.session();
        let hidden = self.shared.options.hidden;
        let mut page = Page::parse_with(&source, parse_limits, hidden, session.tables);
        self.check_deadline(&page)?;
        let site_without_page = input.site.and_then(|site| site.excluding(&page, input.url));
        let site = site_without_page.as_deref().or(input.site);
        self.annotate(&mut page, &mut session.annotations);
        self.check_deadline(&page)?;
        let settings = Settings {
            bias: self.shared.options.bias,
            site,
            comments: self.shared.options.comments,
            all_columns,
            ..Settings::default()
        };
        let mut prediction = classify::classify(
            &page,
            &session.annotations,
            &self.shared.model,
            settings,
            &mut session.scratch,
        );
        if let Some(classifier) = &self.shared.classifier {
            (prediction.kept, prediction.probabilities) =
                classifier.classify(&page, site).into_iter().unzip();
        }
        if let Some(rules) = input.rules {
            classify::site_rules::apply(&page, rules, &mut prediction);
        }
        if !all_columns && page.blocks.len() > MAX_KEPT_FEATURES {
            session.scratch = Scratch::new(&self.shared.model);
        }
        self.check_deadline(&page)?;
        let truncated = page.dom.limit_reached();
        let analysis = Analysis { page, annotations: session.annotations, prediction, encoding, truncated };
        let result = then(&analysis, &mut session.scratch);
        let Analysis { page, annotations, .. } = analysis;
        let in_time = self.check_deadline(&page);
        let elements = page.elements.len();
        self.recycle(Session { tables: page.into_tables(), annotations, scratch: session.scratch }, elements);
        in_time.map(|()| result)
    }

    /// Decodes and parses the page and passes it to `then`, without classifying it.
    pub fn parse_with<'a, R>(
        &self,
        input: impl Into<Input<'a>>,
        then: impl FnOnce(&Page<'_>) -> R,
    ) -> Result<R, ExtractError> {
        let parse_limits = self.parse_limits();
        let (source, _) = decode(&input.into(), &self.shared.options.limits)?;
        let mut session = self.session();
        let page = Page::parse_with(&source, parse_limits, self.shared.options.hidden, session.tables);
        let result = then(&page);
        let in_time = self.check_deadline(&page);
        let elements = page.elements.len();
        session.tables = page.into_tables();
        self.recycle(session, elements);
        in_time.map(|()| result)
    }

    /// Limits of the parser; the time starts now.
    fn parse_limits(&self) -> Limits {
        let PageLimits { max_nodes, max_depth, timeout, .. } = self.shared.options.limits;
        let deadline = timeout.map(Deadline::after);
        Limits { nodes: max_nodes, depth: max_depth, deadline, ..Limits::default() }
    }

    fn check_deadline(&self, page: &Page<'_>) -> Result<(), ExtractError> {
        match self.shared.options.limits.timeout {
            Some(limit) if page.deadline_exceeded() => Err(ExtractError::DeadlineExceeded { limit }),
            _ => Ok(()),
        }
    }

    // `inline(never)` keeps the stage apart in profiles.
    #[inline(never)]
    fn annotate(&self, page: &mut Page<'_>, annotations: &mut Annotations) {
        let model = &self.shared.model;
        page.classes.score(&model.class_log_odds, &model.comment_log_odds, &model.type_log_odds);
        annotations.fill(page, &model.word_log_odds);
    }

    fn session(&self) -> Session {
        let idle = self.shared.sessions.lock().ok().and_then(|mut sessions| sessions.pop());
        idle.unwrap_or_else(|| Session { scratch: Scratch::new(&self.shared.model), ..Session::default() })
    }

    fn recycle(&self, session: Session, elements: usize) {
        if let Ok(mut sessions) = self.shared.sessions.lock()
            && sessions.len() < MAX_IDLE_SESSIONS
            && session.scratch.derived.ancestors.len() <= MAX_IDLE_BLOCKS
            && elements <= MAX_IDLE_ELEMENTS
        {
            sessions.push(session);
        }
    }
}

/// Settings of an [`Extractor`] to be.
#[derive(Clone, Debug)]
pub struct ExtractorBuilder {
    options: Options,
    model: Option<Arc<Model>>,
    classifier: Option<Arc<dyn Classifier>>,
}

impl ExtractorBuilder {
    /// Whether to lose text or to keep noise where the model is unsure. Default: balanced.
    pub fn bias(mut self, bias: Bias) -> Self {
        self.options.bias = bias;
        self
    }

    /// What to do with text hidden by markup. Default: drop it.
    pub fn hidden(mut self, hidden: HiddenText) -> Self {
        self.options.hidden = hidden;
        self
    }

    /// Whether to collect reader comments. Default: off.
    pub fn comments(mut self, collect: bool) -> Self {
        self.options.comments = collect;
        self
    }

    /// Bounds on what a page may cost.
    pub fn limits(mut self, limits: PageLimits) -> Self {
        self.options.limits = limits;
        self
    }

    /// A custom model. Default: the built-in one.
    pub fn model(mut self, model: Arc<Model>) -> Self {
        self.model = Some(model);
        self
    }

    /// A classifier in place of the default one.
    pub fn classifier(mut self, classifier: Arc<dyn Classifier>) -> Self {
        self.classifier = Some(classifier);
        self
    }

    /// Builds the extractor.
    pub fn build(self) -> Extractor {
        let model = self.model.unwrap_or_else(|| BUILT_IN.clone());
        let shared = Shared {
            options: self.options,
            model,
            classifier: self.classifier,
            sessions: Mutex::new(Vec::new()),
        };
        Extractor { shared: Arc::new(shared) }
    }
}

#[inline(never)]
fn decode<'a>(
    input: &Input<'a>,
    limits: &PageLimits,
) -> Result<(Cow<'a, str>, Option<&'static str>), ExtractError> {
    let bytes = match input.body {
        Body::Bytes(bytes) => bytes,
        Body::Text(text) => text.as_bytes(),
    };
    if bytes.len() as u64 > limits.max_bytes {
        return Err(ExtractError::TooLarge { bytes: bytes.len() as u64, limit: limits.max_bytes });
    }
    if let Body::Text(text) = input.body {
        return Ok((arabic::fold_page(Cow::Borrowed(text)), None));
    }
    let mut decoder = Decoder::new();
    if let Some(header) = input.content_type {
        decoder = decoder.content_type(header);
    }
    if let Some(url) = input.url {
        decoder = decoder.url(url);
    }
    if let Some(label) = input.encoding {
        decoder = decoder
            .encoding_label(label)
            .map_err(|_| ExtractError::UnknownEncoding { label: label.to_owned() })?;
    }
    let decoded = decoder.decode(bytes);
    check_page(bytes, &decoded).map_err(|error| ExtractError::NotAPage { what: error.to_string() })?;
    let encoding = decoded.encoding.name();
    Ok((arabic::fold_page(decoded.text), Some(encoding)))
}
