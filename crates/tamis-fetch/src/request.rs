//! Requests.

use std::fmt;

use url::Url;

use crate::address::without_credentials;

/// One GET request.
#[derive(Clone)]
#[non_exhaustive]
pub struct Request {
    /// The URL. Credentials in it are sent as Basic authentication.
    pub url: Url,
    /// The expected kind of document.
    pub accept: Accept,
    /// Validator of an earlier response, sent as `If-None-Match`.
    pub etag: Option<String>,
    /// Validator of an earlier response, sent as `If-Modified-Since`.
    pub last_modified: Option<String>,
    /// Overrides the limit of the client.
    pub max_body: Option<u64>,
    /// Truncate the body at the limit instead of failing, as RFC 9309 requires for robots.txt.
    pub truncate: bool,
}

impl Request {
    /// An unconditional request with the limits of the client.
    pub fn new(url: Url, accept: Accept) -> Request {
        Request { url, accept, etag: None, last_modified: None, max_body: None, truncate: false }
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("url", &without_credentials(&self.url).as_str())
            .field("accept", &self.accept)
            .finish_non_exhaustive()
    }
}

/// The expected kind of document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Accept {
    /// A web page.
    Page,
    /// RSS, Atom or JSON Feed.
    Feed,
    /// A sitemap: XML, plain text, or either in a gzip file.
    Sitemap,
    /// robots.txt.
    Robots,
    /// A page, feed or sitemap, such as a seed.
    Any,
}

impl Accept {
    /// The value of the header `Accept`.
    pub(crate) fn header(self) -> &'static str {
        match self {
            Accept::Page => "text/html, application/xhtml+xml, */*;q=0.5",
            Accept::Feed => {
                "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, \
                 text/xml;q=0.9, application/json;q=0.8, */*;q=0.5"
            }
            Accept::Sitemap => "application/xml, text/xml, text/plain;q=0.8, */*;q=0.5",
            Accept::Robots => "text/plain, */*;q=0.5",
            Accept::Any => {
                "text/html, application/xhtml+xml, application/rss+xml, application/atom+xml, application/feed+json, \
                 application/xml;q=0.9, */*;q=0.5"
            }
        }
    }

    /// Whether a body of this media type may be of the expected kind.
    ///
    /// Servers mislabel text and XML, or send `application/octet-stream`, so only images, videos and archives are
    /// excluded. robots.txt may have any type.
    pub fn admits(self, content_type: &str) -> bool {
        let kind = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let is_text = !kind.contains('/')
            || kind.starts_with("text/")
            || kind.contains("html")
            || kind.ends_with("xml")
            || matches!(
                kind.as_str(),
                "application/octet-stream" | "binary/octet-stream" | "unknown/unknown" | "*/*"
            );
        is_text
            || match self {
                Accept::Page => false,
                Accept::Feed => kind.ends_with("json"),
                Accept::Sitemap => kind.ends_with("gzip"),
                Accept::Any => kind.ends_with("json") || kind.ends_with("gzip"),
                Accept::Robots => true,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_that_cannot_be_the_document_are_ruled_out() {
        use Accept::{Feed, Page, Robots, Sitemap};
        for (content_types, admitted_by) in [
            (
                "text/html|TEXT/HTML; charset=gbk|application/xhtml+xml|html|",
                &[Page, Feed, Sitemap, Robots][..],
            ),
            ("application/octet-stream|text/plain", &[Page, Feed, Sitemap, Robots]),
            ("application/feed+json|application/json; charset=utf-8", &[Feed, Robots]),
            ("application/gzip|application/x-gzip", &[Sitemap, Robots]),
            ("image/png|application/pdf|video/mp4|application/zip", &[Robots]),
        ] {
            for content_type in content_types.split('|') {
                let admitted = [Page, Feed, Sitemap, Robots].into_iter().filter(|it| it.admits(content_type));
                assert!(admitted.eq(admitted_by.iter().copied()), "{content_type:?}");
            }
        }
    }

    #[test]
    fn debug_output_hides_credentials() {
        let url = Url::parse("http://me:secret@example.com/").unwrap();
        let shown = format!("{:?}", Request::new(url, Accept::Page));
        assert!(shown.contains("http://example.com/") && !shown.contains("secret"), "{shown}");
    }
}
