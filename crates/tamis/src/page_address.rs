//! By which part of its address a page is known, whoever writes it down: a feed, the page itself, a visitor's browser.
//!
//! The scheme, `www.`, the usual ports, the fragment, a slash at the end, how characters are escaped, and the parameters by which
//! visitors are followed do not count. All other parameters do: they may choose what is shown.

use std::fmt::Write;

/// An address is longer than this only to do harm.
const LONGEST: usize = 8 << 10;

/// Parameters that say where a visitor came from, not what is shown.
const FOLLOWING: [&str; 8] = ["fbclid", "gclid", "msclkid", "dclid", "igshid", "yclid", "mc_cid", "mc_eid"];

/// Does a parameter of an address (`name=value`) follow visitors, and say nothing of what is shown?
///
/// ```
/// use tamis::page_address::follows;
///
/// assert!(follows("utm_source=mail") && follows("fbclid=x"));
/// assert!(!follows("id=7"));
/// ```
pub fn follows(parameter: &str) -> bool {
    let name = parameter.split('=').next().unwrap_or_default();
    name.starts_with("utm_") || FOLLOWING.contains(&name)
}

/// What stands before the country where names are given out one level below it: `gazette.co.uk`.
const BELOW_COUNTRY: [&str; 10] = ["co", "com", "org", "net", "gov", "edu", "ac", "or", "ne", "go"];

/// The host of an address, without `www.` and a usual port.
pub(crate) fn host_of(url: &str) -> Option<String> {
    let mut known = known_by(url)?;
    known.truncate(known.find(['/', '?']).unwrap_or(known.len()));
    Some(known)
}

/// The site that an address is of, by the end of its host: two parts of it, three in `co.uk` and its like.
pub(crate) fn site_of(url: &str) -> Option<String> {
    let host = host_of(url)?;
    let host = match host.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|it| it.is_ascii_digit()) => host,
        _ => &host,
    };
    let labels: Vec<&str> = host.rsplit('.').take(3).collect();
    let is_below = |label: &str| BELOW_COUNTRY.contains(&label);
    let count = if labels.len() == 3 && labels[0].len() == 2 && is_below(labels[1]) { 3 } else { 2 };
    Some(labels[..labels.len().min(count)].iter().rev().copied().collect::<Vec<_>>().join("."))
}

/// What a page with this address is known by; nothing where it is no address of the web.
pub(crate) fn known_by(url: &str) -> Option<String> {
    let url = url.trim().split('#').next()?;
    let (scheme, rest) = url.split_once("//")?;
    let is_web = ["http:", "https:", ""].iter().any(|it| scheme.eq_ignore_ascii_case(it));
    if !is_web || url.len() > LONGEST {
        return None;
    }
    let (authority, rest) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let host = authority.rsplit('@').next()?.to_lowercase();
    let host = [":80", ":443", ":"].iter().find_map(|port| host.strip_suffix(port)).unwrap_or(&host);
    let host = host.strip_prefix("www.").unwrap_or(host).trim_end_matches('.');
    if !host.chars().any(char::is_alphanumeric) || host.contains(char::is_whitespace) {
        return None;
    }
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let mut known = host.to_owned();
    escape(path.trim_end_matches('/'), &mut known);
    let mut before = '?';
    for parameter in query.split('&').filter(|it| !it.is_empty() && !follows(it)) {
        known.push(before);
        escape(parameter, &mut known);
        before = '&';
    }
    Some(known)
}

/// A part of a page that an address leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// What a reader said.
    Comment,
    /// One of several of its kind.
    Numbered,
}

/// The part of a page that an address leads to, where its fragment says that what is meant is not the page: `#comment-7`, `#p12`.
pub(crate) fn part_of(url: &str) -> Option<Part> {
    let (_, fragment) = url.split_once('#')?;
    let fragment = fragment.to_lowercase();
    let name = fragment.split_once('=').map(|(name, _)| name);
    // Some sites follow visitors here.
    if name.is_some_and(|name| follows(name) || name == "xtor" || name.starts_with("at_")) {
        return None;
    }
    if ["comment", "reply", "respond", "replies", "评论", "回复"].iter().any(|it| fragment.contains(it)) {
        Some(Part::Comment)
    } else {
        fragment.bytes().any(|it| it.is_ascii_digit()).then_some(Part::Numbered)
    }
}

/// Escapes in one way: letters, digits and `-._~` as they are, what is outside of ASCII by its bytes, in capitals.
fn escape(part: &str, into: &mut String) {
    let bytes = part.as_bytes();
    let hex = |at: usize| {
        let digits = part.get(at..at + 2)?;
        digits.bytes().all(|it| it.is_ascii_hexdigit()).then(|| u8::from_str_radix(digits, 16).ok())?
    };
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%').then(|| hex(at + 1)).flatten();
        let byte = escaped.unwrap_or(bytes[at]);
        let is_plain = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if is_plain || (escaped.is_none() && byte.is_ascii_graphic()) {
            into.push(char::from(byte));
        } else {
            // Writing to a text cannot fail.
            let _ = write!(into, "%{byte:02X}");
        }
        at += if escaped.is_some() { 3 } else { 1 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_count_in_an_address() {
        for (one, other) in [
            ("http://www.example.com/rain", "https://example.com/rain#top"),
            ("https://example.com", "https://EXAMPLE.com:443/"),
            ("https://example.com/rain/", "//example.com:80/rain"),
            ("https://example.com/?p=7", "http://example.com?utm_source=mail&p=7&fbclid=x"),
            ("https://example.com/%e6%b8%af", "https://example.com/港"),
            ("https://example.com/%7Eada", "https://user:word@example.com/~ada"),
            (" https://example.com./rain ", "https://example.com/rain"),
        ] {
            assert_eq!(known_by(one), known_by(other), "{one} {other}");
            assert!(known_by(one).is_some());
        }
    }

    #[test]
    fn what_a_fragment_leads_to() {
        for (fragment, part) in [
            ("#comment-7", Some(Part::Comment)),
            ("#Comments", Some(Part::Comment)),
            ("#respond", Some(Part::Comment)),
            ("#c123", Some(Part::Numbered)),
            ("#post-12", Some(Part::Numbered)),
            ("#p12", Some(Part::Numbered)),
            ("#top", None),
            ("#", None),
            ("", None),
            ("#xtor=RSS-3208", None),
            ("#utm_source=rss2", None),
        ] {
            assert_eq!(part_of(&format!("https://example.com/2010/rain{fragment}")), part, "{fragment}");
        }
    }

    #[test]
    fn what_counts_in_an_address() {
        for (one, other) in [
            ("https://example.com/rain", "https://example.com/Rain"),
            ("https://example.com/?p=7", "https://example.com/?p=8"),
            ("https://example.com/rain", "https://news.example.com/rain"),
            ("https://example.com:8080/rain", "https://example.com/rain"),
            ("https://example.com/a%2Fb", "https://example.com/a/b"),
        ] {
            assert_ne!(known_by(one), known_by(other), "{one} {other}");
        }
        for none in [
            "",
            "rain",
            "tag:example.com,2010:7",
            "mailto:a@b",
            "ftp://example.com/x",
            "https:///x",
            "http://a b/",
        ] {
            assert_eq!(known_by(none), None, "{none}");
        }
        assert_eq!(known_by("https://example.com/%"), Some("example.com/%".to_owned()));
        assert_eq!(known_by("https://example.com/%é"), Some("example.com/%%C3%A9".to_owned()));
    }
}
