//! Addresses: resolving, comparing, and counting the pages of one piece.

use url::Url;

/// Longer addresses are rejected.
const MAX_BYTES: usize = 8 << 10;

/// Parameters that record where a visitor came from, not what is shown.
const TRACKING: [&str; 8] = ["fbclid", "gclid", "msclkid", "dclid", "igshid", "yclid", "mc_cid", "mc_eid"];

/// Second-level labels below which countries register names, as in `gazette.co.uk`.
const BELOW_COUNTRY: [&str; 12] =
    ["co", "com", "org", "net", "gov", "edu", "ac", "or", "ne", "go", "gob", "gouv"];

/// Query keys that hold a page number.
const PAGE_KEYS: [&str; 9] =
    ["page", "p", "pg", "paged", "pagenum", "pagenumber", "start", "offset", "seite"];

/// Parses a web address. Rejects other schemes, credentials and excessive length.
pub(crate) fn parse(address: &str) -> Option<Url> {
    let address = address.trim();
    if address.len() > MAX_BYTES || address.contains(['{', '}']) {
        return None;
    }
    let url = Url::parse(address).ok()?;
    let is_web =
        matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| !host.is_empty());
    (is_web && url.username().is_empty() && url.password().is_none()).then_some(url)
}

/// Resolves a link against `base`; without one, only absolute links resolve.
pub(crate) fn resolve(base: Option<&Url>, link: &str) -> Option<Url> {
    let link = link.trim();
    if link.len() > MAX_BYTES || link.is_empty() || link.starts_with('#') {
        return None;
    }
    match base {
        Some(base) => parse(base.join(link).ok()?.as_str()),
        None => parse(link),
    }
}

/// The host without `www.`.
pub(crate) fn host(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host)
}

/// The labels of a host up to and including the registered name; the public suffix is left out.
pub(crate) fn host_labels(host: &str) -> Vec<&str> {
    let mut labels: Vec<&str> = host.split('.').collect();
    labels.pop();
    if labels.len() >= 2 && labels.last().is_some_and(|label| BELOW_COUNTRY.contains(label)) {
        labels.pop();
    }
    labels
}

/// Whether two addresses have the same registered name.
pub(crate) fn same_site(one: &Url, other: &Url) -> bool {
    let site = |url: &Url| {
        let host = host(url).to_owned();
        let subdomains = host_labels(&host).len().saturating_sub(1);
        host.split('.').skip(subdomains).map(str::to_owned).collect::<Vec<_>>()
    };
    site(one) == site(other)
}

/// Whether two addresses show the same page: scheme, `www.`, fragment, tracking parameters and a final slash are
/// ignored.
pub(crate) fn same_page(one: &Url, other: &Url) -> bool {
    let query = |url: &Url| -> Vec<(String, String)> {
        url.query_pairs()
            .filter(|(key, _)| !key.starts_with("utm_") && !TRACKING.contains(&&**key))
            .map(|(key, value)| (key.into_owned(), value.into_owned()))
            .collect()
    };
    host(one) == host(other)
        && one.port() == other.port()
        && one.path().trim_end_matches('/') == other.path().trim_end_matches('/')
        && query(one) == query(other)
}

/// Whether `next` is the page after `own` of the same piece.
pub(crate) fn continues(own: &Url, next: &Url) -> bool {
    let ((own, from), (next, to)) = (without_page(own), without_page(next));
    own == next && to == from + 1
}

/// A URL without its page number, and that number; 1 by default.
pub(crate) fn without_page(url: &Url) -> (String, u32) {
    let is_number =
        |text: &str| (1..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut number: Option<u32> = None;
    let mut query: Vec<&str> = Vec::new();
    for part in url.query().unwrap_or_default().split('&').filter(|part| !part.is_empty()) {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        // Page numbers are small: `?p=123` is the id of a piece.
        let is_page = PAGE_KEYS.iter().any(|known| known.eq_ignore_ascii_case(key))
            && is_number(value)
            && value.len() <= if key.len() > 1 { 3 } else { 2 };
        if is_page && number.is_none() {
            number = value.parse().ok();
        } else {
            query.push(part);
        }
    }
    query.sort_unstable();
    let mut parts: Vec<&str> = url.path().split('/').filter(|part| !part.is_empty()).collect();
    let mut last = parts.pop().unwrap_or_default();
    let before = parts.last().copied().unwrap_or_default();
    if number.is_none() && !parts.is_empty() && PAGE_KEYS.contains(&before) && is_number(last) {
        // /rain/page/2
        number = last.parse().ok();
        parts.pop();
        last = parts.pop().unwrap_or_default();
    } else if number.is_none() && parts.len() > 1 && is_number(last) && last.len() <= 2 {
        // /news/rain/2, but not /news/7
        number = last.parse().ok();
        last = parts.pop().unwrap_or_default();
    }
    let (mut name, ending) =
        last.rsplit_once('.').filter(|(_, ending)| ending.len() <= 5).unwrap_or((last, ""));
    // rain_2.html, rain-p2.html
    if number.is_none()
        && let Some((head, tail)) = name.rsplit_once(['_', '-'])
        && let tail = tail.trim_start_matches("page").trim_start_matches('p')
        && is_number(tail)
        && tail.len() <= 2
        && !head.is_empty()
    {
        number = tail.parse().ok();
        name = head;
    }
    (format!("{}/{}/{name}.{ending}?{}", host(url), parts.join("/"), query.join("&")), number.unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        parse(text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn rejects_addresses_that_are_not_of_the_web() {
        for text in [
            "javascript:alert(1)",
            "mailto:ada@rain.example",
            "/a",
            "https://",
            "http://u:p@rain.example/",
            "data:text/html,x",
        ] {
            assert!(parse(text).is_none(), "{text}");
        }
        assert_eq!(
            resolve(Some(&url("https://rain.example/a/b")), "../c").map(String::from).as_deref(),
            Some("https://rain.example/c")
        );
        assert_eq!(resolve(None, "c"), None);
    }

    #[test]
    fn compares_pages_and_sites() {
        assert!(same_page(&url("https://www.rain.example/a/?utm_source=x#y"), &url("http://rain.example/a")));
        assert!(!same_page(&url("https://rain.example/a?id=1"), &url("https://rain.example/a?id=2")));
        assert!(same_site(&url("https://m.rain.co.uk/"), &url("https://www.rain.co.uk/a")));
        assert!(!same_site(&url("https://rain.co.uk/"), &url("https://sun.co.uk/")));
        assert_eq!(host_labels("blog.rain.org"), ["blog", "rain"]);
    }

    #[test]
    fn page_numbers_tell_the_next_page_from_the_next_story() {
        for (own, next) in [
            ("/rain.html", "/rain_2.html"),
            ("/rain_2.html", "/rain_3.html"),
            ("/rain/", "/rain/page/2/"),
            ("/news/rain", "/news/rain/2"),
            ("/t.php?id=7", "/t.php?id=7&page=2"),
            ("/t.php?page=2&id=7", "/t.php?id=7&page=3"),
            ("/thread-77-1.html", "/thread-77-2.html"),
        ] {
            let (own, next) =
                (url(&format!("https://a.example{own}")), url(&format!("https://a.example{next}")));
            assert!(continues(&own, &next) && !continues(&next, &own), "{own} {next}");
        }
        for (own, next) in [
            ("/rain", "/sun"),
            ("/article/1234", "/article/1235"),
            ("/t.php?id=7", "/t.php?id=8"),
            ("/?p=123", "/?p=124"),
            ("/news/7", "/news/8"),
            ("/2010/12/15/rain", "/2010/12/16/sun"),
        ] {
            let (own, next) =
                (url(&format!("https://a.example{own}")), url(&format!("https://a.example{next}")));
            assert!(!continues(&own, &next), "{own} {next}");
        }
    }
}
