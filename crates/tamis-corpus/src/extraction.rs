//! From the bytes of a page to a [`Draft`], within bounds. A page that fails costs one page.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tamis::facts::dates::Moment;
use tamis::{Balance, Document, Extractor, Feed, Options, OwnModel, Page};
use tamis_batch::{Bounds, PageError, guarded};
use tamis_html::decode::{Decoder, check_page};
use tamis_html::{Limit, Name};
use tamis_site::Known;
use url::Url;

use crate::draft::{CommentDraft, Draft, bare_url};

/// Pages of this size and above are extracted one at a time, since they take many times that of memory.
const HEAVY: usize = 2 << 20;
/// Comments of one page that are taken.
const MAX_COMMENTS: usize = 10_000;

static HEAVY_TURN: Mutex<()> = Mutex::new(());

/// A fetched page.
#[derive(Clone, Copy, Debug)]
pub struct PageInput<'a> {
    /// The body as it was served, without content encoding.
    pub body: &'a [u8],
    /// Where it was fetched.
    pub url: &'a Url,
    /// The `Content-Type` header.
    pub content_type: Option<&'a str>,
    /// When, in milliseconds since 1970.
    pub fetched: i64,
}

/// Settings of an [`Engine`].
#[derive(Clone)]
pub struct EngineSettings {
    /// Larger pages fail. Default: 16 MiB.
    pub max_bytes: u32,
    /// Pages that take longer fail. Default: ten seconds.
    pub page_timeout: Duration,
    /// A custom model. Default: the one compiled in.
    pub model: Option<OwnModel>,
    /// Whether precision or recall matters more. Default: neither.
    pub balance: Balance,
}

impl Default for EngineSettings {
    fn default() -> EngineSettings {
        let bounds = Bounds::default();
        let balance = Balance::default();
        EngineSettings { max_bytes: bounds.bytes, page_timeout: bounds.time, model: None, balance }
    }
}

/// The extractor with its settings. Cheap to clone and shared by threads.
#[derive(Clone)]
pub struct Engine {
    settings: Arc<EngineSettings>,
    version: Arc<str>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Engine({})", self.version)
    }
}

impl Engine {
    /// An engine with these settings.
    pub fn new(settings: EngineSettings) -> Engine {
        let mut version = env!("CARGO_PKG_VERSION").to_owned();
        if let Some(model) = &settings.model {
            version += &format!(" model {}", model.digest());
        }
        if settings.balance != Balance::default() {
            version += &format!(" {:?}", settings.balance).to_lowercase();
        }
        Engine { settings: Arc::new(settings), version: version.into() }
    }

    /// Version of Tamis, and what of the settings changes the text.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Decodes, parses and extracts a page, with its comments. `look` sees the page while it exists, for its links or its
    /// [`PageRecord`](tamis_site::PageRecord). The draft is sealed.
    ///
    /// ```
    /// use tamis_corpus::{Engine, EngineSettings, PageInput};
    ///
    /// let url = url::Url::parse("https://example.com/rain")?;
    /// let body = b"<h1>Rain at last</h1><p>It rained in the harbour on Monday, for the first time since the spring.";
    /// let page = PageInput { body, url: &url, content_type: None, fetched: 0 };
    /// let engine = Engine::new(EngineSettings::default());
    /// let (draft, blocks) = engine.extract(&page, None, &[], |page, _| page.blocks().len()).unwrap();
    /// assert_eq!((draft.title.as_deref(), blocks), (Some("Rain at last"), 2));
    /// # Ok::<(), url::ParseError>(())
    /// ```
    pub fn extract<R>(
        &self,
        input: &PageInput<'_>,
        site: Option<&Known>,
        feeds: &[Arc<Feed>],
        look: impl FnOnce(&Page<'_>, &Document) -> R,
    ) -> Result<(Draft, R), PageError> {
        let _alone =
            (input.body.len() >= HEAVY).then(|| HEAVY_TURN.lock().unwrap_or_else(PoisonError::into_inner));
        guarded(|| self.extract_unguarded(input, site, feeds, look)).flatten()
    }

    fn extract_unguarded<R>(
        &self,
        input: &PageInput<'_>,
        site: Option<&Known>,
        feeds: &[Arc<Feed>],
        look: impl FnOnce(&Page<'_>, &Document) -> R,
    ) -> Result<(Draft, R), PageError> {
        let bounds = Bounds { bytes: self.settings.max_bytes, time: self.settings.page_timeout };
        if input.body.len() > bounds.bytes as usize {
            return Err(PageError::TooLarge(bounds.bytes));
        }
        // Before decoding, which takes time as well.
        let limits = bounds.limits();
        let html = decode(input)?;
        // Links are resolved against it, and credentials must not come out in them.
        let url = bare_url(input.url.clone());
        let mut extractor =
            Extractor::new().comments(true).balance(self.settings.balance).limits(limits).url(url);
        if let Some(model) = &self.settings.model {
            extractor = extractor.own_model(model);
        }
        if let Some(fetched) = Moment::from_unix(input.fetched.div_euclid(1_000)) {
            extractor = extractor.fetched(fetched);
        }
        for feed in feeds {
            extractor = extractor.feed(Arc::clone(feed));
        }
        let page = extractor.page(&html);
        check_deadline(&page)?;
        if let Some(site) = site {
            extractor = extractor.site(site.site_for(&page));
        }
        let document = extractor.document(&page, &extractor.judge(&page));
        check_deadline(&page)?;
        let looked = look(&page, &document);
        let mut draft = draft_of(input.url, &page, document);
        draft.memory_pages = site.map_or(0, Known::pages);
        draft.extractor = self.version().to_owned();
        draft.seal();
        Ok((draft, looked))
    }
}

fn decode<'a>(input: &PageInput<'a>) -> Result<Cow<'a, str>, PageError> {
    let mut decoder = Decoder::new().url(input.url.as_str());
    if let Some(content_type) = input.content_type {
        let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if !may_be_page(&media_type) {
            return Err(PageError::NotAPage(format!("not a web page but {media_type}")));
        }
        decoder = decoder.content_type(content_type);
    }
    let decoded = decoder.decode(input.body);
    check_page(input.body, &decoded).map_err(|error| PageError::NotAPage(error.to_string()))?;
    Ok(decoded.text)
}

/// Servers mislabel pages often; only types that never are pages are refused.
fn may_be_page(media_type: &str) -> bool {
    let subtype = media_type.rsplit(['/', '+']).next().unwrap_or_default();
    !["image/", "video/", "audio/", "font/"].iter().any(|family| media_type.starts_with(family))
        && !matches!(subtype, "json" | "javascript" | "x-javascript" | "css" | "pdf" | "zip")
}

fn check_deadline(page: &Page<'_>) -> Result<(), PageError> {
    let exceeded = page.is_late() || page.dom().limit_reached() == Some(Limit::Time);
    if exceeded { Err(PageError::Time) } else { Ok(()) }
}

fn draft_of(url: &Url, page: &Page<'_>, document: Document) -> Draft {
    let plain = Options { comments: false, ..Options::default() };
    let absolute = |link: &str| url.join(link).ok().filter(|link| link.has_host()).map(bare_url);
    let comments = document.comments.iter().take(MAX_COMMENTS).map(|comment| CommentDraft {
        author: comment.author.clone(),
        time: comment.time.clone(),
        text: comment.to_text(),
        reply_to: comment.reply_to,
    });
    Draft {
        canonical: document.canonical.as_deref().and_then(absolute),
        next_page: document.next_page.as_deref().and_then(absolute),
        comments_page: document.comments_page.as_deref().and_then(absolute),
        feeds: document.feeds.iter().filter_map(|feed| absolute(feed)).collect(),
        robots: robots_directives(page),
        text: document.to_text(&plain),
        markdown: document.to_markdown(&plain),
        comments: comments.collect(),
        source: document.source,
        site_name: document.site_name,
        title: document.title,
        published: document.published,
        modified: document.modified,
        authors: document.authors,
        language: document.language,
        page_type: document.page_type,
        page_type_probability: document.page_type_probability,
        confidence: document.confidence,
        ..Draft::new(url.as_str())
    }
}

/// The content of `<meta name=robots>`, in lower case.
fn robots_directives(page: &Page<'_>) -> Option<String> {
    let metas = page.dom().head()?.descendants().filter(|node| node.is(Name::META));
    let directives: Vec<String> = metas
        .filter(|meta| meta.attribute("name").is_some_and(|name| name.trim().eq_ignore_ascii_case("robots")))
        .filter_map(|meta| meta.attribute("content"))
        .map(|content| content.trim().to_lowercase())
        .filter(|content| !content.is_empty())
        .take(8)
        .collect();
    (!directives.is_empty()).then(|| directives.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STORY: &str = "<html lang=en><head><title>Rain at last - Gazette</title>\
        <meta name=Robots content='NoArchive'><link rel=canonical href=/rain></head><body><h1>Rain at last</h1>\
        <p>It rained in the harbour on Monday, for the first time since the spring, and the gardens were glad of it.\
        <p>More is expected until Thursday, says the weather office, and then a week of wind from the west.</body>";

    fn extract(body: &[u8], content_type: Option<&str>) -> Result<Draft, PageError> {
        let url = Url::parse("https://ada:secret@example.com/rain?from=feed").unwrap();
        let page = PageInput { body, url: &url, content_type, fetched: 1_790_000_000_000 };
        Engine::new(EngineSettings::default()).extract(&page, None, &[], |_, _| ()).map(|(draft, ())| draft)
    }

    #[test]
    fn a_page_becomes_a_draft() {
        let draft = extract(STORY.as_bytes(), Some("text/html; charset=utf-8")).unwrap();
        assert_eq!(draft.url, "https://example.com/rain?from=feed");
        assert_eq!(draft.canonical.as_deref(), Some("https://example.com/rain"));
        assert_eq!(draft.title.as_deref(), Some("Rain at last"));
        assert_eq!(draft.robots.as_deref(), Some("noarchive"));
        assert!(draft.text.contains("It rained in the harbour") && draft.markdown.contains("Thursday"));
        assert_eq!((draft.digest().len(), draft.extractor.as_str()), (32, env!("CARGO_PKG_VERSION")));
    }

    #[test]
    fn what_is_no_page_fails() {
        for (body, content_type) in [
            (STORY.as_bytes(), Some("application/ld+json")),
            (STORY.as_bytes(), Some("image/png")),
            (b"%PDF-1.7 and more".as_slice(), Some("text/html")),
        ] {
            let error = extract(body, content_type).unwrap_err();
            assert!(matches!(error, PageError::NotAPage(_)), "{content_type:?}: {error}");
        }
    }

    #[test]
    fn a_panic_costs_one_page() {
        let engine = Engine::new(EngineSettings::default());
        let url = Url::parse("https://example.com/").unwrap();
        let page = PageInput { body: STORY.as_bytes(), url: &url, content_type: None, fetched: 0 };
        let failed =
            engine.extract(&page, None, &[], |_, _| panic!("no such block")).map(|(draft, ())| draft);
        assert_eq!(failed.unwrap_err(), PageError::Fault("no such block".to_owned()));
    }
}
