//! Normalisation of URLs, so that several URLs of one page do not count as several pages.
//!
//! A page that was learned as `http://www.…` and is extracted as `https://…?utm_source=…` would find its own sentences
//! on "another" page and lose them. So scheme, variants of the host, default ports, fragment and tracking parameters
//! are ignored.

use std::borrow::Cow;

use super::{host, parts, without_forms};

/// Tracking parameters.
const TRACKING: [&str; 8] = ["fbclid", "gclid", "msclkid", "dclid", "igshid", "yclid", "mc_cid", "mc_eid"];

fn is_tracking(parameter: &str) -> bool {
    let name = parameter.split('=').next().unwrap_or_default();
    name.starts_with("utm_") || TRACKING.contains(&name)
}

/// The normalised URL; anything but http and https is returned unchanged.
pub(crate) fn page_name(url: &str) -> Cow<'_, str> {
    let url = url.split('#').next().unwrap_or_default().trim();
    let is_web = url
        .split_once("://")
        .is_some_and(|(it, _)| ["http", "https"].iter().any(|web| it.eq_ignore_ascii_case(web)));
    let Some((authority, rest)) = parts(url).filter(|_| is_web) else { return Cow::Borrowed(url) };
    let Some(host) = host(authority) else { return Cow::Borrowed(url) };
    let port = authority.rsplit(']').next().and_then(|behind| behind.rsplit_once(':')).map(|(_, port)| port);
    let mut name = without_forms(&host).to_owned();
    if let Some(port) = port.filter(|port| !["", "80", "443"].contains(port)) {
        name.push(':');
        name.push_str(port);
    }
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    name.push_str(if path.is_empty() { "/" } else { path });
    let mut before = '?';
    for parameter in query.split('&').filter(|parameter| !parameter.is_empty() && !is_tracking(parameter)) {
        name.push(before);
        name.push_str(parameter);
        before = '&';
    }
    Cow::Owned(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_the_same_page_are_equal() {
        for (one, other) in [
            ("http://www.example.com/rain", "https://example.com/rain#top"),
            ("https://example.com", "https://EXAMPLE.com:443/"),
            ("https://example.com/?p=7", "http://m.example.com/?utm_source=mail&p=7&fbclid=x"),
            ("https://www.xn--fsqu00a.xn--fiqs8s/x", "https://例子.中国/x"),
        ] {
            assert_eq!(page_name(one), page_name(other));
        }
        for (one, other) in [
            ("https://example.com/rain", "https://example.com/Rain"),
            ("https://example.com/?p=7", "https://example.com/?p=8"),
            ("https://example.com/", "https://example.com:8080/"),
            ("https://news.example.com/", "https://example.com/"),
            ("page-1", "page-2"),
            ("ftp://example.com/", "http://example.com/"),
        ] {
            assert_ne!(page_name(one), page_name(other));
        }
    }
}
