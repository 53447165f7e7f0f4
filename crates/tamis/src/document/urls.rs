//! URLs of links and pictures: resolved, safe and bounded.

use std::cell::Cell;

use tamis_html::Name;
use url::Url;

use crate::page::Page;

/// Longer URLs are left out; a longer base resolves nothing.
const MAX_URL_BYTES: usize = 4096;
/// URLs of one document beyond a total are left out: a link around a thousand paragraphs is repeated in each. This much
/// is for every page, the rest for each byte of it.
const MIN_TOTAL_BYTES: usize = 1 << 20;
const TOTAL_BYTES_PER_BYTE: usize = 8;

/// Resolves the URLs of one page.
#[derive(Debug)]
pub(crate) struct Urls {
    base: Option<Url>,
    /// Bytes that URLs may still take.
    room: Cell<usize>,
}

impl Urls {
    /// Resolves against `<base>` and the URL of the page.
    pub(crate) fn new(page: &Page<'_>, url: Option<&str>) -> Urls {
        let url = url.filter(|url| url.len() <= MAX_URL_BYTES).and_then(|url| Url::parse(url).ok());
        let mut bases =
            page.dom.head().into_iter().flat_map(|head| head.children()).filter(|node| node.is(Name::BASE));
        let href = bases.find_map(|base| base.attribute_named(Name::HREF));
        let declared = href.filter(|href| href.len() <= MAX_URL_BYTES).and_then(|href| match &url {
            Some(url) => url.join(&href).ok(),
            None => Url::parse(&href).ok(),
        });
        let is_usable = |url: &Url| url.has_host() && url.as_str().len() <= MAX_URL_BYTES;
        let room = MIN_TOTAL_BYTES + TOTAL_BYTES_PER_BYTE * page.dom.source().len();
        Urls { base: declared.filter(is_usable).or(url.filter(is_usable)), room: Cell::new(room) }
    }

    /// Whether relative URLs become absolute.
    pub(crate) fn has_base(&self) -> bool {
        self.base.is_some()
    }

    /// The absolute form of `reference`, or `reference` itself if the base is unknown. `None` if it is empty, unsafe or
    /// too long.
    pub(crate) fn resolve(&self, reference: &str) -> Option<String> {
        let reference = reference.trim();
        if reference.is_empty() || reference.len() > MAX_URL_BYTES || !is_safe_url(reference) {
            return None;
        }
        let resolved = match self.base.as_ref().and_then(|base| base.join(reference).ok()) {
            Some(url) => String::from(url),
            None => reference.replace(['\t', '\n', '\r'], ""),
        };
        let room = self.room.get().checked_sub(resolved.len())?;
        if resolved.len() > 2 * MAX_URL_BYTES || !is_safe_url(&resolved) {
            return None;
        }
        self.room.set(room);
        Some(resolved)
    }
}

/// Whether following a URL only leads somewhere: it is relative, or has a scheme of the web, of mail or of telephones.
pub(crate) fn is_safe_url(url: &str) -> bool {
    let Some((scheme, _)) = url.split_once(':') else { return true };
    if scheme.contains(['/', '?', '#']) {
        return true;
    }
    const SAFE: [&str; 5] = ["http", "https", "mailto", "ftp", "tel"];
    if SAFE.iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return true;
    }
    // Browsers remove such characters before they look for a scheme, so `java<tab>script:` is one.
    let letters = scheme.chars().filter(|c| !c.is_ascii_control() && *c != ' ');
    let is = |known: &&str| letters.clone().map(|c| c.to_ascii_lowercase()).eq(known.chars());
    SAFE.iter().any(is)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_resolve_against_base_and_page() {
        for (html, url, reference, resolved) in [
            ("", Some("https://a.example/b/c"), "d", Some("https://a.example/b/d")),
            ("", Some("https://a.example/b/c"), " /d\n", Some("https://a.example/d")),
            ("", Some("https://a.example/b/c"), "#n", Some("https://a.example/b/c#n")),
            ("", Some("https://a.example/b/c"), "//x.example", Some("https://x.example/")),
            ("<base href='/news/'>", Some("https://a.example/x"), "p", Some("https://a.example/news/p")),
            ("<base href='https://b.example/'>", None, "p", Some("https://b.example/p")),
            ("", None, "p q", Some("p q")),
            ("", None, "", None),
            ("", Some("https://a.example/"), "javascript:x", None),
            ("<base href='javascript:x'>", Some("https://a.example/"), "p", Some("https://a.example/p")),
        ] {
            let page = Page::parse(html);
            assert_eq!(Urls::new(&page, url).resolve(reference).as_deref(), resolved, "{html} {reference}");
        }
    }

    #[test]
    fn only_harmless_schemes_are_safe() {
        for url in ["http://a", "HTTPS://a", "mailto:a@b", "a/b:c", "?a:b", "#a:b", "a", "", "//x"] {
            assert!(is_safe_url(url), "{url}");
        }
        for url in ["javascript:x", "JavaScript:x", "java\tscript:x", " javascript:x", "data:x", "vbscript:x"]
        {
            assert!(!is_safe_url(url), "{url}");
        }
    }

    #[test]
    fn long_bases_do_not_multiply() {
        let html = format!("<base href='https://a.example/{}/'>", "b".repeat(1 << 20));
        let page = Page::parse(&html);
        assert_eq!(Urls::new(&page, None).resolve("c").as_deref(), Some("c"));
        let html = format!("<base href='https://a.example/{}/'>", "b".repeat(4000));
        let page = Page::parse(&html);
        let urls = Urls::new(&page, None);
        let total: usize = (0..100_000).filter_map(|_| urls.resolve("c")).map(|url| url.len()).sum();
        assert!(total <= MIN_TOTAL_BYTES + TOTAL_BYTES_PER_BYTE * html.len());
    }
}
