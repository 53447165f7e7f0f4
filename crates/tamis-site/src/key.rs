//! The site of a URL.
//!
//! Pages of one site share a template. A site is usually a host, sometimes a part of one:
//!
//! 0. A page from a web archive (`…/web/20150304050607/http://news.example.com/…`) belongs to the archived site.
//! 1. Scheme, user name, port, query and fragment are ignored; the host is in lower case, with Punycode decoded.
//! 2. Labels before the registrable domain (by the public suffix list) that name a variant of the same site are
//!    removed: `www`, `www2`, `m`, `mobile`, `wap`, `amp`. Other labels are kept: `news.example.com` and
//!    `blog.example.com` have different templates. `alice.github.io` is a separate site by the list itself.
//! 3. On a host with several sites, the path decides:
//!    - `/~alice/…` and `/@alice/…` on any host;
//!    - `/user/alice/…`, `/users/…`, `/u/…`, `/people/…`, `/member/…`, `/members/…`, `/space/…`, if a further segment
//!      follows the name;
//!    - the first segment, if the first label of the host suggests blogs or home pages (`blog`, `blogs`, `home`,
//!      `people`, `users`, …) or copies (`archive`, `mirror`, also in `old-archive.example`), a further segment
//!      follows, and it is a name: not a number, a date, or a word such as `category` or `page` that organises a single
//!      blog.
//!
//! A registrable domain is not one site: `news.example.com` and `shop.example.com` share hardly a line, and blog hosts
//! have a subdomain per site (`alice.blog.example`), listed as a public suffix or not. Merging two sites costs text
//! (what one of them repeats counts as rare); splitting a site only costs some pages of learning. So labels are kept
//! unless they are known to be irrelevant.

mod page;

use std::fmt;

use tamis_domains::registrable;

pub(crate) use self::page::page_name;

/// Bytes of a host, and of a name in a path.
const MAX_HOST: usize = 253;
const MAX_NAME: usize = 64;
/// Bytes of a key.
const MAX_KEY: usize = 400;

// Words, separated by spaces.
const SAME_SITE: &str = "www www1 www2 m mobile wap amp touch";
const HOSTS_OF_MANY: &str = "blog blogs home homepage homepages people user users member members personal space web \
    sites";
/// Parts of a label that suggest copies of sites.
const OF_COPIES: &str = "archive archives mirror mirrors";
/// Nested archives.
const MAX_ARCHIVES: usize = 4;
const NAME_FOLLOWS: &str = "user users u people member members space";
const OF_ONE_BLOG: &str = "page pages category categories tag tags topic topics archive archives author post posts p feed \
    search wp-content article articles news index static";

/// The key of a site.
///
/// ```
/// use tamis_site::SiteKey;
///
/// let key = |url| SiteKey::from_url(url).map(|key| key.to_string());
/// assert_eq!(key("https://www.example.co.uk/news/1?x=2").as_deref(), Some("example.co.uk"));
/// assert_eq!(key("http://blog.example.com/alice/2026/rain.html").as_deref(), Some("blog.example.com/alice"));
/// assert_eq!(key("https://alice.github.io/notes/").as_deref(), Some("alice.github.io"));
/// assert_eq!(key("https://cs.example.edu/~bob/index.html").as_deref(), Some("cs.example.edu/~bob"));
/// assert_eq!(key("no address"), None);
/// assert_eq!(SiteKey::named("my pages").unwrap().as_str(), "my pages");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SiteKey(String);

impl SiteKey {
    /// The site of a URL; `None` if it has no host.
    pub fn from_url(url: &str) -> Option<SiteKey> {
        let (authority, path) = own_parts(url)?;
        let host = host(authority)?;
        let host = without_forms(&host);
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let mut key = host.to_owned();
        if let Some(prefix) = prefix(host, path) {
            key.push_str(&prefix);
        }
        Some(SiteKey(key))
    }

    /// A custom key, for pages without a URL.
    pub fn named(name: &str) -> Option<SiteKey> {
        let name = name.trim();
        let bad = name.is_empty() || name.len() > MAX_KEY || name.chars().any(is_unseen);
        (!bad).then(|| SiteKey(name.to_owned()))
    }

    /// The key as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SiteKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The authority of a URL, and the rest.
fn parts(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.trim().split_once("://")?;
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    if scheme.is_empty() || !scheme.chars().all(is_scheme) {
        return None;
    }
    rest.split_at_checked(rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len()))
}

/// Like [`parts`], but of the archived URL for pages of web archives.
fn own_parts(url: &str) -> Option<(&str, &str)> {
    let (mut authority, mut path) = parts(url)?;
    for _ in 0..MAX_ARCHIVES {
        let Some(inner) = archived(path).and_then(parts) else { break };
        (authority, path) = inner;
    }
    Some((authority, path))
}

/// The archived URL: it follows the time of the copy, `20150304050607` or `20150304050607id_`.
fn archived(path: &str) -> Option<&str> {
    let at = ["/http://", "/https://"].into_iter().filter_map(|inner| path.find(inner)).min()?;
    let (before, inner) = path.split_at_checked(at)?;
    let time = before.rsplit('/').next().unwrap_or_default();
    let time = time.trim_end_matches(|c: char| c.is_ascii_lowercase() || c == '_');
    let is_time = (4..=14).contains(&time.len()) && time.bytes().all(|byte| byte.is_ascii_digit());
    is_time.then(|| inner.trim_start_matches('/'))
}

/// The host of a URL, or of the archived URL.
pub(crate) fn host_of(url: &str) -> Option<String> {
    host(own_parts(url)?.0)
}

/// The host of an authority in lower case, decoded from Punycode, without user name and port.
pub(crate) fn host(authority: &str) -> Option<String> {
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = match host.strip_prefix('[') {
        Some(v6) => v6.split(']').next()?,
        None => host.split(':').next()?,
    };
    let host = host.trim_end_matches('.').to_lowercase();
    let host = match idna::domain_to_unicode(&host) {
        (readable, Ok(())) if host.contains("xn--") => readable,
        _ => host,
    };
    let is_bad = |c: char| c.is_whitespace() || is_unseen(c) || "<>\"{}|^`%".contains(c);
    let bad_labels = host.is_empty() || host.starts_with('.') || host.contains("..");
    let bad = bad_labels || host.len() > MAX_HOST || host.contains(is_bad);
    (!bad).then_some(host)
}

/// Removes labels of variants of the same site; the registrable domain is kept.
fn without_forms(host: &str) -> &str {
    let registrable = registrable(host).map_or(host.len(), |domain| domain.name.len());
    let mut rest = host;
    while let Some((label, behind)) = rest.split_once('.')
        && behind.len() >= registrable
        && is_in(SAME_SITE, label)
    {
        rest = behind;
    }
    rest
}

fn prefix(host: &str, path: &str) -> Option<String> {
    let mut steps = path.split(['/', '\\']).filter(|step| !step.is_empty());
    let first = steps.next().filter(|step| is_name(step))?;
    let second = steps.next();
    if first.len() > 1 && first.starts_with(['~', '@']) {
        return Some(format!("/{first}"));
    }
    let lower = first.to_lowercase();
    if is_in(NAME_FOLLOWS, &lower) {
        let name = second.filter(|step| is_name(step) && is_a_site(step))?;
        return steps.next().map(|_| format!("/{first}/{name}"));
    }
    // A registrable domain itself has no such label.
    let is_below = registrable(host).is_some_and(|domain| domain.name.len() < host.len());
    let label = host.split('.').next().unwrap_or_default();
    let of_many = is_below && is_in(HOSTS_OF_MANY, label);
    let of_copies = label.split('-').any(|part| is_in(OF_COPIES, part));
    ((of_many || of_copies) && second.is_some() && is_a_site(first)).then(|| format!("/{first}"))
}

fn is_in(words: &str, word: &str) -> bool {
    words.split(' ').any(|other| other == word)
}

fn is_name(step: &str) -> bool {
    step.len() <= MAX_NAME && !step.chars().any(|c| is_unseen(c) || c.is_whitespace())
}

/// Control characters and direction marks, which would confuse readers of a key.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

/// Whether a path segment can be the name of one of several sites.
fn is_a_site(step: &str) -> bool {
    let is_number = step.chars().all(|c| c.is_numeric() || "-_.".contains(c));
    !is_number && !step.contains('.') && !is_in(OF_ONE_BLOG, &step.to_lowercase())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key(url: &str) -> Option<String> {
        SiteKey::from_url(url).map(|key| key.to_string())
    }

    #[test]
    fn the_host_without_variants_of_the_same_site() {
        for (url, expected) in [
            ("HTTP://WWW.Example.COM:8080/a", "example.com"),
            ("https://m.example.com.cn/a/b", "example.com.cn"),
            ("https://www.m.example.com/", "example.com"),
            ("https://news.example.com/", "news.example.com"),
            ("https://www.gov.uk/tax", "www.gov.uk"),
            ("https://m.com/x", "m.com"),
            ("https://user:pass@example.org/~/x", "example.org"),
            ("http://[2001:db8::1]:80/x", "2001:db8::1"),
            ("http://192.0.2.7/~ann/x", "192.0.2.7/~ann"),
            ("http://localhost/x/y", "localhost"),
            ("https://www.例子.中国/新闻", "例子.中国"),
        ] {
            assert_eq!(key(url).as_deref(), Some(expected), "{url}");
        }
    }

    #[test]
    fn the_path_on_a_host_with_several_sites() {
        for (url, expected) in [
            ("https://blog.example.com/alice/post/1", "blog.example.com/alice"),
            ("https://blog.example.com/2026/05/rain", "blog.example.com"),
            ("https://blog.example.com/category/rain", "blog.example.com"),
            ("https://blog.example.com/rain", "blog.example.com"),
            ("https://blog.example.com/post.html", "blog.example.com"),
            ("https://example.com/blog/rain/1", "example.com"),
            ("https://example.com/@ann/rain", "example.com/@ann"),
            ("https://example.com/users/ann/rain", "example.com/users/ann"),
            ("https://example.com/users/ann", "example.com"),
            ("https://example.com/u/12/x", "example.com"),
            ("https://blog.com/alice/x", "blog.com"),
            ("https://example.com/@\u{202E}nna/x", "example.com"),
            ("https://www.harbour-archive.com/gazette/bbs/1.html", "harbour-archive.com/gazette"),
            ("https://archive.example.com/2026/05/rain", "archive.example.com"),
            ("https://archived.example.com/gazette/rain", "archived.example.com"),
        ] {
            assert_eq!(key(url).as_deref(), Some(expected), "{url}");
        }
    }

    #[test]
    fn pages_of_web_archives_belong_to_the_archived_site() {
        for (url, expected) in [
            ("https://web.archive.org/web/20150304050607/http://www.example.com/a/b?c", "example.com"),
            ("https://web.archive.org/web/2015id_/https://news.example.com:8080/a", "news.example.com"),
            (
                "https://web.archive.org/web/20150304050607/http://blog.example.com/ann/x/",
                "blog.example.com/ann",
            ),
            ("https://arquivo.pt/wayback/20080116/http://example.pt/", "example.pt"),
            ("https://a.example/web/2020/http://a.example/web/2021/http://b.example/", "b.example"),
            ("https://example.com/share/http://other.example/", "example.com"),
            ("https://example.com/goto/1/http://other.example/", "example.com"),
        ] {
            assert_eq!(key(url).as_deref(), Some(expected), "{url}");
        }
        let deep = "https://a.example/web/2020/".repeat(10_000) + "http://b.example/";
        assert_eq!(key(&deep).as_deref(), Some("a.example"));
    }

    #[test]
    fn punycode_is_decoded() {
        assert_eq!(key("http://xn--d1abbgf6aiiy.xn--p1ai/x").as_deref(), Some("президент.рф"));
        assert_eq!(key("http://www.xn--fsqu00a.xn--fiqs8s/x"), key("http://www.例子.中国/x"));
        assert_eq!(key("http://xn--mnchen-3ya.example/").as_deref(), Some("münchen.example"));
        assert_eq!(key("http://xn--99999999999/").as_deref(), Some("xn--99999999999"));
    }

    #[test]
    fn urls_without_a_host_have_no_site() {
        for url in [
            "",
            "x",
            "://",
            "http://",
            "http:///x",
            "mailto:a@b.c",
            "http://a b/",
            "http://..",
            "http://%00/",
            "1 2://x",
            "http://.com/",
            "http://a\u{202E}b.example/",
        ] {
            assert_eq!(key(url), None, "{url}");
        }
        assert_eq!(SiteKey::named(" \n"), None);
        assert_eq!(SiteKey::named("a\nb"), None);
        assert_eq!(SiteKey::named(" my pages ").unwrap().as_str(), "my pages");
    }

    proptest! {
        #[test]
        fn any_url_is_handled(url in "(http://|//|[a-z]{0,3}:)?(xn--)?\\PC{0,60}", tail in "[/\\\\@:?#.\\[\\]~%]{0,12}") {
            if let Some(key) = SiteKey::from_url(&format!("{url}{tail}")) {
                prop_assert!(key.as_str().len() <= MAX_KEY);
                prop_assert_eq!(SiteKey::named(key.as_str()), Some(key));
            }
        }
    }
}
