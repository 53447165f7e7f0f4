//! Addresses: links and pictures resolved against the page's own, as RFC 3986 has it, and only such as are safe.

use tamis_html::{Name, NodeRef};

use crate::page::Page;

/// What relative addresses of a page are relative to.
pub(crate) struct Address {
    base: Option<Base>,
    /// The page's own address without its fragment.
    page: Option<String>,
}

struct Base {
    /// `https:`
    scheme: String,
    /// `//example.org`
    host: String,
    /// `/news/today`
    path: String,
}

impl Address {
    pub(crate) fn of(page: &Page<'_>) -> Address {
        let own = page.url().map(|url| url.split('#').next().unwrap_or(url).to_owned());
        let declared = page.dom().head().and_then(|head| {
            head.children()
                .filter(|node| node.is(Name::BASE))
                .find_map(|base| base.attribute_named(Name::HREF))
        });
        let mut address = Address { base: own.as_deref().and_then(Base::of), page: own };
        if let Some(declared) = declared {
            let resolved = address.resolve(&declared);
            address.base = Base::of(&resolved).or(address.base);
        }
        address
    }

    /// That of no page: what is relative is relative to a given address.
    pub(crate) fn relative_to(url: Option<&str>) -> Address {
        Address { base: url.and_then(Base::of), page: None }
    }

    /// The same, with another address as what relative ones are relative to, where the page's own is not known.
    pub(crate) fn or_from(self, url: Option<&str>) -> Address {
        Address { base: self.base.or_else(|| url.and_then(Base::of)), page: self.page }
    }

    /// Does a link lead anywhere that a reader could go?
    pub(super) fn leads(&self, link: NodeRef<'_>) -> bool {
        link.attribute_named(Name::HREF).is_some_and(|href| is_safe(href.trim()) && !href.trim().is_empty())
    }

    /// Where a link leads.
    pub(super) fn of_link(&self, link: NodeRef<'_>) -> Option<String> {
        self.leads(link).then(|| link.attribute_named(Name::HREF).map(|href| self.resolve(&href)))?
    }

    /// A reference as an address by itself, or as it is written where the page's own is not known.
    pub(crate) fn resolve(&self, reference: &str) -> String {
        let is_left_out = |it: char| matches!(it, '\t' | '\n' | '\r');
        let reference = match reference.trim() {
            broken if broken.contains(is_left_out) => broken.replace(is_left_out, ""),
            whole => whole.to_owned(),
        };
        if let Some(page) = &self.page
            && reference.starts_with('#')
        {
            return format!("{page}{reference}");
        }
        let Some(base) = self.base.as_ref().filter(|_| scheme(&reference).is_none()) else {
            return reference;
        };
        let Base { scheme, host, path } = base;
        if reference.starts_with("//") {
            return format!("{scheme}{reference}");
        }
        if reference.is_empty() || reference.starts_with(['?', '#']) {
            return format!("{scheme}{host}{path}{reference}");
        }
        let end = reference.find(['?', '#']).unwrap_or(reference.len());
        let (asked, rest) = reference.split_at(end);
        let whole = match path.rfind('/') {
            _ if asked.starts_with('/') => asked.to_owned(),
            Some(folder) => format!("{}{asked}", &path[..=folder]),
            None => format!("/{asked}"),
        };
        format!("{scheme}{host}{}{rest}", without_dots(&whole))
    }
}

impl Base {
    /// Takes an address of the web apart; others are no base for anything.
    fn of(url: &str) -> Option<Base> {
        let rest = &url[scheme(url)?.len() + 1..];
        let scheme = url[..url.len() - rest.len()].to_owned();
        let host_end = rest.strip_prefix("//")?.find(['/', '?', '#']).map_or(rest.len(), |end| end + 2);
        let (host, path) = rest.split_at(host_end);
        let path = path.split(['?', '#']).next().unwrap_or("");
        Some(Base { scheme, host: host.to_owned(), path: path.to_owned() })
    }
}

/// The scheme of an address, without its colon.
fn scheme(address: &str) -> Option<&str> {
    let (scheme, _) = address.split_once(':')?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '+' | '-' | '.'));
    is_scheme.then_some(scheme)
}

/// Is it an address that does no more than lead somewhere? Relative ones are; of schemes, those of the web, of
/// letters and of telephones.
pub(crate) fn is_safe(address: &str) -> bool {
    let Some((scheme, _)) = address.split_once(':') else { return true };
    if scheme.contains(['/', '?', '#']) {
        return true;
    }
    // Browsers leave such characters out before they look for a scheme, so `java<tab>script:` is one.
    let letters = scheme.chars().filter(|it| !it.is_ascii_control() && *it != ' ');
    let is = |known: &&str| letters.clone().map(|it| it.to_ascii_lowercase()).eq(known.chars());
    ["http", "https", "mailto", "ftp", "tel"].iter().any(is)
}

/// Takes `.` and `..` out of a path.
fn without_dots(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let mut rest = path.strip_prefix('/').unwrap_or(path).split('/').peekable();
    while let Some(part) = rest.next() {
        let is_last = rest.peek().is_none();
        match part {
            "." | ".." => {
                if part == ".." {
                    parts.pop();
                }
                if is_last {
                    parts.push("");
                }
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_as_the_standard_resolves_them() {
        // The cases of RFC 3986, section 5.4, for a base with a host.
        let page = Page::parse("").with_url("http://a/b/c/d;p?q");
        let address = Address::of(&page);
        for (reference, resolved) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"),
            ("g?y/./x#s", "http://a/b/c/g?y/./x#s"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../../g", "http://a/g"),
            ("g;x=1/../y", "http://a/b/c/y"),
            (" g\n", "http://a/b/c/g"),
        ] {
            assert_eq!(address.resolve(reference), resolved, "{reference}");
        }
    }

    #[test]
    fn a_declared_base_comes_first() {
        let page = Page::parse("<base href='/news/'>").with_url("https://example.org/x");
        assert_eq!(Address::of(&page).resolve("a.png"), "https://example.org/news/a.png");
        let page = Page::parse("");
        assert_eq!(Address::of(&page).resolve("a.png"), "a.png");
    }

    #[test]
    fn only_addresses_that_lead_somewhere_are_safe() {
        for safe in ["http://a", "HTTPS://a", "mailto:a@b", "a/b:c", "?a:b", "#a:b", "a", "", "//x"] {
            assert!(is_safe(safe), "{safe}");
        }
        for unsafe_ in
            ["javascript:x", "JavaScript:x", "java\tscript:x", " javascript:x", "data:x", "vbscript:x"]
        {
            assert!(!is_safe(unsafe_), "{unsafe_}");
        }
    }
}
