//! URLs in feeds: normalisation, the site they belong to, and the part of a page that a fragment refers to.

use tamis_domains::registrable;
use url::Url;

use crate::terms;

/// Longer URLs are ignored.
const MAX_URL_BYTES: usize = 8 << 10;

/// Resolves a link of a feed. `None` if it is not a web URL or contains credentials.
pub(crate) fn resolve(link: &str, base: Option<&Url>) -> Option<Url> {
    let link = link.trim();
    if link.is_empty() || link.len() > MAX_URL_BYTES || link.contains(['{', '}']) {
        return None;
    }
    let url = Url::options().base_url(base).parse(link).ok()?;
    let is_web = matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|it| !it.is_empty());
    (is_web && url.username().is_empty() && url.password().is_none()).then_some(url)
}

/// Normalises the URL of a page: ignores scheme, `www.`, fragment, a final slash, the spelling of escapes and tracking
/// parameters. All other parameters may select the content.
pub(crate) fn page_key(url: &Url) -> String {
    let mut key = host(url).to_owned();
    if let Some(port) = url.port() {
        key.push_str(&format!(":{port}"));
    }
    normalise_escapes(url.path().trim_end_matches('/'), &mut key);
    let parameters = url.query().unwrap_or_default().split('&');
    let mut separator = '?';
    for parameter in parameters.filter(|it| !it.is_empty() && !terms::is_tracking_parameter(it)) {
        key.push(separator);
        normalise_escapes(parameter, &mut key);
        separator = '&';
    }
    key
}

/// The host, without `www.`.
pub(crate) fn host(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    host.strip_prefix("www.").unwrap_or(host)
}

/// The registrable domain of a URL; `None` if the host serves feeds of many sites.
pub(crate) fn site(url: &Url) -> Option<String> {
    let host = host(url);
    (!terms::is_shared_host(host)).then(|| registrable(host).map_or(host, |domain| domain.name).to_owned())
}

/// Writes escapes in upper case, and decodes those of letters, digits and `-._~`.
fn normalise_escapes(part: &str, key: &mut String) {
    let mut rest = part;
    while let Some(at) = rest.find('%') {
        key.push_str(&rest[..at]);
        let digits = rest.get(at + 1..at + 3).filter(|it| it.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(digits) = digits else {
            key.push('%');
            rest = &rest[at + 1..];
            continue;
        };
        match u8::from_str_radix(digits, 16).map(char::from) {
            Ok(plain) if plain.is_ascii_alphanumeric() || "-._~".contains(plain) => key.push(plain),
            _ => key.push_str(&format!("%{}", digits.to_ascii_uppercase())),
        }
        rest = &rest[at + 3..];
    }
    key.push_str(rest);
}

/// The target of a fragment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// The page itself.
    Whole,
    /// A reader comment.
    Comment,
    /// One of several numbered parts.
    Numbered,
}

/// The part of a page that a URL refers to: `#comment-7`, `#p12`.
pub(crate) fn part(url: &Url) -> Part {
    let fragment = url.fragment().unwrap_or_default().to_lowercase();
    if fragment.contains('=') && terms::is_tracking_parameter(&fragment) {
        Part::Whole
    } else if terms::is_comment_fragment(&fragment) {
        Part::Comment
    } else if fragment.bytes().any(|byte| byte.is_ascii_digit()) {
        Part::Numbered
    } else {
        Part::Whole
    }
}
