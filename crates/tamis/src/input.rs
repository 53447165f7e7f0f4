//! A page to extract, with what is known about it.

use tamis_dates::Moment;

use crate::classify::SiteMemory;
use crate::metadata::MetadataContext;
use crate::page::SiteRules;

/// A page to extract, with what is known about it.
///
/// ```
/// let input = tamis::Input::bytes(b"<p>Rain").url("https://example.com/a").content_type("text/html; charset=utf-8");
/// let document = tamis::Extractor::new().extract(input)?;
/// assert_eq!(document.url.as_deref(), Some("https://example.com/a"));
/// # Ok::<(), tamis::ExtractError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    pub(crate) body: Body<'a>,
    pub(crate) url: Option<&'a str>,
    pub(crate) content_type: Option<&'a str>,
    pub(crate) encoding: Option<&'a str>,
    pub(crate) fetched: Option<Moment>,
    pub(crate) site: Option<&'a dyn SiteMemory>,
    pub(crate) hints: Option<&'a Hints>,
    pub(crate) rules: Option<&'a SiteRules>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Body<'a> {
    Bytes(&'a [u8]),
    Text(&'a str),
}

/// What another source, such as the site's feed, says about the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hints {
    /// The title.
    pub title: Option<String>,
    /// When it was published.
    pub published: Option<Moment>,
    /// When it was changed.
    pub modified: Option<Moment>,
    /// Its authors.
    pub authors: Vec<String>,
    /// Its keywords.
    pub tags: Vec<String>,
}

impl<'a> Input<'a> {
    fn new(body: Body<'a>) -> Input<'a> {
        Input {
            body,
            url: None,
            content_type: None,
            encoding: None,
            fetched: None,
            site: None,
            hints: None,
            rules: None,
        }
    }

    /// A page as served, in any encoding.
    pub fn bytes(bytes: &'a [u8]) -> Input<'a> {
        Input::new(Body::Bytes(bytes))
    }

    /// A decoded page.
    pub fn text(text: &'a str) -> Input<'a> {
        Input::new(Body::Text(text))
    }

    /// The address of the page: resolves relative links, dates some pages.
    pub fn url(mut self, url: &'a str) -> Input<'a> {
        self.url = Some(url);
        self
    }

    /// The `Content-Type` header of the response.
    pub fn content_type(mut self, header: &'a str) -> Input<'a> {
        self.content_type = Some(header);
        self
    }

    /// Forces an encoding by its WHATWG label.
    pub fn encoding(mut self, label: &'a str) -> Input<'a> {
        self.encoding = Some(label);
        self
    }

    /// The fetch time: resolves relative dates, rejects later ones.
    pub fn fetched(mut self, time: Moment) -> Input<'a> {
        self.fetched = Some(time);
        self
    }

    /// Knowledge about the site, gathered from its other pages.
    pub fn site(mut self, site: &'a dyn SiteMemory) -> Input<'a> {
        self.site = Some(site);
        self
    }

    /// What another source says about the page.
    pub fn hints(mut self, hints: &'a Hints) -> Input<'a> {
        self.hints = Some(hints);
        self
    }

    /// Rules of the user for the site. They win over the classifier and over other evidence.
    pub fn rules(mut self, rules: &'a SiteRules) -> Input<'a> {
        self.rules = Some(rules);
        self
    }

    /// What is known of the page besides its text, for [`metadata::explain`](crate::metadata::explain).
    pub fn metadata_context(&self) -> MetadataContext<'a> {
        MetadataContext {
            url: self.url,
            reference_time: self.fetched,
            hints: self.hints,
            rules: self.rules,
            ..MetadataContext::default()
        }
    }

    /// The memory that [`site`](Self::site) gave.
    pub fn site_memory(&self) -> Option<&'a dyn SiteMemory> {
        self.site
    }
}

impl<'a> From<&'a str> for Input<'a> {
    fn from(text: &'a str) -> Input<'a> {
        Input::text(text)
    }
}

impl<'a> From<&'a String> for Input<'a> {
    fn from(text: &'a String) -> Input<'a> {
        Input::text(text)
    }
}

impl<'a> From<&'a [u8]> for Input<'a> {
    fn from(bytes: &'a [u8]) -> Input<'a> {
        Input::bytes(bytes)
    }
}

impl<'a> From<&'a Vec<u8>> for Input<'a> {
    fn from(bytes: &'a Vec<u8>) -> Input<'a> {
        Input::bytes(bytes)
    }
}
