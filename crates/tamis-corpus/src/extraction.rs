//! Extracts a [`Draft`] from the bytes of a page, within limits. Panics are caught and fail only their page.

use std::sync::Arc;
use std::time::Duration;

use tamis::classify::Model;
use tamis::page::Page;
use tamis::render::RenderOptions;
use tamis::{Bias, Document, Hints, SiteMemory};
use tamis_batch::{Bounds, Html, PageError, PageIn, Work, WorkOptions};
use tamis_methods::CustomModel;
use tamis_site::{Known, RuleSet};
use url::Url;

use crate::draft::{CommentDraft, Draft, bare_url};

/// Most comments per page.
const MAX_COMMENTS: usize = 10_000;

/// A fetched page.
#[derive(Clone, Copy, Debug)]
pub struct PageInput<'a> {
    /// The body as served, after decoding `Content-Encoding`.
    pub body: &'a [u8],
    /// Its URL.
    pub url: &'a Url,
    /// The `Content-Type` header.
    pub content_type: Option<&'a str>,
    /// The fetch time, in milliseconds since 1970.
    pub fetched: i64,
}

/// Settings of an [`Engine`].
#[derive(Clone)]
pub struct EngineSettings {
    /// Size limit of a page. Default: 16 MiB.
    pub max_bytes: u32,
    /// Time limit of a page. Default: ten seconds.
    pub page_timeout: Duration,
    /// A custom model. Default: the built-in one.
    pub model: Option<Arc<Model>>,
    /// Bias towards precision or recall. Default: none.
    pub bias: Bias,
    /// Site rules. Default: none.
    pub rules: Option<Arc<RuleSet>>,
}

impl Default for EngineSettings {
    fn default() -> EngineSettings {
        let bounds = Bounds::default();
        EngineSettings {
            max_bytes: bounds.bytes,
            page_timeout: bounds.time,
            model: None,
            bias: Bias::default(),
            rules: None,
        }
    }
}

/// The extractor with its settings. Cheap to clone and shared by threads.
#[derive(Clone)]
pub struct Engine {
    work: Work,
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
        let bounds = Bounds { bytes: settings.max_bytes, time: settings.page_timeout };
        let mut version = env!("CARGO_PKG_VERSION").to_owned();
        let mut options = WorkOptions { bias: settings.bias, bounds, ..WorkOptions::default() };
        if let Some(model) = settings.model.map(CustomModel::from) {
            version += &format!(" model {}", model.digest());
            options.model = Some(model);
        }
        if settings.bias != Bias::default() {
            version += &format!(" {:?}", settings.bias).to_lowercase();
        }
        if let Some(rules) = settings.rules {
            version += &format!(" rules {:032x}", rules.digest());
            options.rules = Some(rules);
        }
        Engine { work: Work::new(options), version: version.into() }
    }

    /// The version of Tamis, with the settings that affect the text.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Extracts a page with its comments. `hints` come from a feed entry. `inspect` is called with the parsed page, to
    /// collect its links or its [`PageRecord`](tamis_site::PageRecord). The draft is sealed.
    ///
    /// ```
    /// use tamis_corpus::{Engine, EngineSettings, PageInput};
    ///
    /// let url = url::Url::parse("https://example.com/rain")?;
    /// let body = b"<h1>Rain at last</h1><p>It rained in the harbour on Monday, for the first time since the spring.";
    /// let page = PageInput { body, url: &url, content_type: None, fetched: 0 };
    /// let engine = Engine::new(EngineSettings::default());
    /// let (draft, blocks) = engine.extract(&page, None, None, |page, _| page.blocks.len()).unwrap();
    /// assert_eq!((draft.title.as_deref(), blocks), (Some("Rain at last"), 2));
    /// # Ok::<(), url::ParseError>(())
    /// ```
    pub fn extract<R>(
        &self,
        page: &PageInput<'_>,
        site: Option<&Known>,
        hints: Option<&Hints>,
        inspect: impl FnOnce(&Page<'_>, &Document) -> R,
    ) -> Result<(Draft, R), PageError> {
        // Links are resolved against it and must not contain credentials.
        let url = bare_url(page.url.clone());
        let input = PageIn {
            url: Some(&url),
            content_type: page.content_type,
            fetched: Some(page.fetched.saturating_mul(1_000)),
            site: site.map(|site| site as &dyn SiteMemory),
            ..PageIn::of(Html::Bytes(page.body))
        };
        let (mut draft, inspected) = self.work.analyze(&input, |_, input, analysis| {
            let input = hints.map_or(*input, |hints| input.hints(hints));
            let document = self.work.extractor().document(&input, analysis);
            let inspected = inspect(&analysis.page, &document);
            (draft_of(page.url, &analysis.page, document), inspected)
        })?;
        draft.memory_pages = site.map_or(0, SiteMemory::pages);
        draft.extractor = self.version().to_owned();
        draft.seal();
        Ok((draft, inspected))
    }
}

fn draft_of(url: &Url, page: &Page<'_>, document: Document) -> Draft {
    let absolute = |link: &str| url.join(link).ok().filter(|link| link.has_host()).map(bare_url);
    let markdown = document.to_markdown_with(&RenderOptions::new().comments(false));
    let comments = document.comments.into_iter().take(MAX_COMMENTS).map(|comment| CommentDraft {
        author: comment.author,
        time: comment.time,
        text: comment.text,
        reply_to: comment.reply_to,
    });
    let metadata = document.metadata;
    Draft {
        canonical: metadata.canonical.as_deref().and_then(absolute),
        next_page: metadata.next_page.as_deref().and_then(absolute),
        comments_page: metadata.comments_page.as_deref().and_then(absolute),
        feeds: metadata.feeds.iter().filter_map(|feed| absolute(feed)).collect(),
        robots: robots_directives(page),
        text: document.text,
        markdown,
        comments: comments.collect(),
        source: metadata.source,
        site_name: metadata.site_name,
        title: metadata.title,
        published: metadata.published.map(|moment| moment.to_string()),
        modified: metadata.modified.map(|moment| moment.to_string()),
        authors: metadata.authors,
        language: metadata.language,
        page_type: Some(document.page_type.name().to_owned()),
        page_type_probability: Some(document.page_type_probability),
        confidence: Some(document.confidence),
        ..Draft::new(url.as_str())
    }
}

/// The content of `<meta name=robots>`, in lower case.
fn robots_directives(page: &Page<'_>) -> Option<String> {
    let metas = page.head.metas.iter().filter_map(|id| page.dom.node(*id));
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
        Engine::new(EngineSettings::default()).extract(&page, None, None, |_, _| ()).map(|(draft, ())| draft)
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
            engine.extract(&page, None, None, |_, _| panic!("no such block")).map(|(draft, ())| draft);
        assert_eq!(failed.unwrap_err(), PageError::Fault("no such block".to_owned()));
    }
}
