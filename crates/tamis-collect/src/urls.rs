//! URL normalisation for the frontier, and what a URL reveals about its page.
//!
//! Every URL in the frontier has passed [`resolve`], so two spellings of a URL are one row.

mod parameters;

use std::fmt::Write as _;

use tamis_domains::registrable;
use url::{Host, Url};

use parameters::Kind;

/// Longest accepted URL, in bytes after normalisation.
pub const MAX_URL_BYTES: usize = 2048;

/// Longer references are rejected before parsing.
const MAX_HREF_BYTES: usize = 4 * MAX_URL_BYTES;

/// More path segments or parameters indicate a trap.
const MAX_SEGMENTS: usize = 12;
pub(crate) const MAX_PARAMETERS: usize = 12;

/// Resolves a reference against a base and normalises it: `http` and `https` only, no credentials, no fragment, no
/// tracking or session parameters, no empty query, escapes in one spelling. Remaining parameters keep their order,
/// which some servers depend on. `None` for other schemes, invalid hosts and oversized URLs.
///
/// Idempotent: resolving the result again returns it unchanged.
pub fn resolve(href: &str, base: &Url) -> Option<Url> {
    let href = href.trim();
    if href.len() > MAX_HREF_BYTES {
        return None;
    }
    normalise(base.join(href).ok()?)
}

/// As [`resolve`], for an absolute URL.
pub fn parse(text: &str) -> Option<Url> {
    let text = text.trim();
    if text.len() > MAX_HREF_BYTES {
        return None;
    }
    normalise(Url::parse(text).ok()?)
}

fn normalise(mut url: Url) -> Option<Url> {
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    url.set_fragment(None);
    if url.has_authority() && (!url.username().is_empty() || url.password().is_some()) {
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
    }
    if let Some(host) = url.host_str().filter(|host| host.ends_with('.')) {
        let host = host.trim_end_matches('.').to_owned();
        url.set_host(Some(&host)).ok()?;
    }
    if url.path().contains(['%', ';']) {
        let path = normalise_escapes(&without_path_session(url.path()));
        url.set_path(&path);
    }
    if let Some(query) = url.query() {
        let kept = normalise_escapes(&kept_parameters(query, |parameter| {
            !parameters::is(parameter, Kind::Tracking) && !parameters::is(parameter, Kind::Session)
        }));
        url.set_query((!kept.is_empty()).then_some(&kept));
    }
    (url.host_str().is_some_and(|host| !host.is_empty()) && url.as_str().len() <= MAX_URL_BYTES)
        .then_some(url)
}

/// The query with only those parameters for which `keep` returns true.
fn kept_parameters(query: &str, keep: impl Fn(&str) -> bool) -> String {
    let mut kept = String::with_capacity(query.len());
    for parameter in query.split('&').filter(|parameter| !parameter.is_empty() && keep(parameter)) {
        if !kept.is_empty() {
            kept.push('&');
        }
        kept.push_str(parameter);
    }
    kept
}

/// Drops `;jsessionid=…` up to the next parameter or segment.
fn without_path_session(path: &str) -> String {
    const SESSION: &str = ";jsessionid=";
    let mut kept = String::with_capacity(path.len());
    for (index, segment) in path.split('/').enumerate() {
        if index > 0 {
            kept.push('/');
        }
        for (index, part) in segment.split_inclusive(';').enumerate() {
            let name = part.trim_end_matches(';');
            let is_session = index > 0
                && name.get(..SESSION.len() - 1).is_some_and(|it| it.eq_ignore_ascii_case(&SESSION[1..]));
            if !is_session {
                kept.push_str(part);
            } else if kept.ends_with(';') && !part.ends_with(';') {
                kept.pop();
            }
        }
    }
    kept
}

/// Writes hex digits in upper case and unescapes the unreserved marks `-._~`. Letters and digits stay escaped:
/// unescaping them could form a new escape (`%%34%31`), so the result would not be idempotent.
fn normalise_escapes(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let (before, escape) = rest.split_at(at);
        normal.push_str(before);
        let digits = escape.get(1..3).filter(|digits| digits.bytes().all(|it| it.is_ascii_hexdigit()));
        match digits.map(str::to_ascii_uppercase).as_deref() {
            Some("2D") => normal.push('-'),
            Some("2E") => normal.push('.'),
            Some("5F") => normal.push('_'),
            Some("7E") => normal.push('~'),
            Some(digits) => {
                normal.push('%');
                normal.push_str(digits);
            }
            None => normal.push('%'),
        }
        rest = escape.get(if digits.is_some() { 3 } else { 1 }..).unwrap_or_default();
    }
    normal.push_str(rest);
    normal
}

/// The host in lower case, with `:port` unless it is the scheme's default: the unit of rate limits and leases.
pub fn host_key(url: &Url) -> String {
    let mut key = url.host_str().unwrap_or_default().to_ascii_lowercase();
    if let Some(port) = url.port() {
        let _ = write!(key, ":{port}");
    }
    key
}

/// Scheme and host key: what a robots.txt applies to.
pub fn origin(url: &Url) -> String {
    format!("{}://{}", url.scheme(), host_key(url))
}

/// The registrable domain (`example.co.uk` for `news.example.co.uk`); the host key for IP addresses and hosts whose
/// suffix is not on the public suffix list.
pub fn site_of(url: &Url) -> String {
    let domain = match url.host() {
        Some(Host::Domain(host)) => registrable(host),
        _ => None,
    };
    domain
        .filter(|domain| domain.is_listed)
        .map_or_else(|| host_key(url), |domain| domain.name.to_ascii_lowercase())
}

/// The URL of the original, if the URL is recognisable as an AMP or print copy of a story.
///
/// A trailing `/amp` or `/print` counts only below a segment that looks like a story: `/gear/amp/` is a section.
pub fn folded(url: &Url) -> Option<Url> {
    let mut original = url.clone();
    if let Some(Host::Domain(host)) = url.host()
        && let Some(rest) = host.strip_prefix("amp.")
        && registrable(rest).is_some_and(|domain| domain.is_listed)
    {
        original.set_host(Some(rest)).ok()?;
    }
    let path = url.path().trim_end_matches('/');
    if let Some((parent, "amp" | "print")) = path.rsplit_once('/')
        && parent.rsplit('/').next().is_some_and(looks_like_story)
    {
        let slash = if url.path().ends_with('/') { "/" } else { "" };
        original.set_path(&format!("{parent}{slash}"));
    }
    if let Some(query) = url.query() {
        let kept =
            kept_parameters(query, |it| !parameters::is(it, Kind::Amp) && !parameters::is(it, Kind::Print));
        original.set_query((!kept.is_empty()).then_some(&kept));
    }
    (original != *url).then(|| normalise(original)).flatten()
}

/// Whether a path segment looks like the name of a story rather than of a section.
pub(crate) fn looks_like_story(segment: &str) -> bool {
    let hyphens = segment.bytes().filter(|byte| matches!(byte, b'-' | b'_')).count();
    hyphens >= 2 || segment.contains('.') || segment.bytes().any(|byte| byte.is_ascii_digit())
}

/// The pattern of a URL, without its host: the endless URLs of a calendar share one pattern.
///
/// - A path segment is `@date` (`2026-11-18`), `@hex` (a UUID, or 16 and more hex digits with a digit among them),
///   `@slug` (three and more words, or over 24 bytes), or itself in lower case with `#` for every run of digits.
/// - Parameters are sorted and given by name; the value counts only as `=#` (digits), `=@date` or `=@hex`.
/// - More than twelve segments or parameters end in `…`.
///
/// ```
/// use tamis_collect::urls::{parse, pattern};
///
/// let url = parse("https://a.example/calendar?month=11&day=mon").unwrap();
/// assert_eq!(pattern(&url), "/calendar?day&month=#");
/// ```
pub fn pattern(url: &Url) -> String {
    let mut shape = String::new();
    for (index, segment) in url.path().split('/').skip(1).enumerate() {
        if index == MAX_SEGMENTS {
            shape.push_str("/…");
            break;
        }
        shape.push('/');
        push_segment_class(segment, &mut shape);
    }
    let Some(query) = url.query() else { return shape };
    let mut parameters: Vec<String> =
        query.split('&').take(4 * MAX_PARAMETERS).map(parameter_class).collect();
    parameters.sort_unstable();
    parameters.dedup();
    if parameters.len() > MAX_PARAMETERS {
        parameters.truncate(MAX_PARAMETERS);
        parameters.push("…".to_owned());
    }
    shape.push('?');
    shape.push_str(&parameters.join("&"));
    shape
}

fn push_segment_class(segment: &str, shape: &mut String) {
    let words = segment.split(['-', '_', '+']).filter(|word| !word.is_empty()).count();
    if is_date(segment) {
        shape.push_str("@date");
    } else if is_hex(segment) {
        shape.push_str("@hex");
    } else if words >= 3 || segment.len() > 24 {
        shape.push_str("@slug");
    } else {
        push_without_digits(segment, shape);
    }
}

fn parameter_class(parameter: &str) -> String {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    let mut class = String::new();
    push_without_digits(name, &mut class);
    if is_date(value) {
        class.push_str("=@date");
    } else if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        class.push_str("=#");
    } else if is_hex(value) {
        class.push_str("=@hex");
    }
    class
}

/// Pushes the text in lower case, with `#` for each run of digits.
fn push_without_digits(text: &str, shape: &mut String) {
    let mut in_digits = false;
    for character in text.chars() {
        let is_digit = character.is_ascii_digit();
        if !is_digit {
            shape.push(character.to_ascii_lowercase());
        } else if !in_digits {
            shape.push('#');
        }
        in_digits = is_digit;
    }
}

/// `2026-11-18`, `2026-11`, `20261118`, also with `_` or `.`; years from 1900 to 2099.
fn is_date(text: &str) -> bool {
    let digits: String = text.chars().filter(|it| !matches!(it, '-' | '_' | '.')).collect();
    let is_year = digits.starts_with("19") || digits.starts_with("20");
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_year
        && is_number
        && (digits.len() == 8 || (digits.len() != text.len() && matches!(digits.len(), 5..=7)))
}

fn is_hex(text: &str) -> bool {
    let digits = text.bytes().filter(|byte| *byte != b'-');
    let is_hex = digits.clone().all(|byte| byte.is_ascii_hexdigit());
    is_hex && digits.clone().count() >= 16 && digits.clone().any(|byte| byte.is_ascii_digit())
}

/// Why a URL looks like part of a trap, if it does: links relative to a wrong base repeat segments, and combined
/// filters accumulate parameters. Numbers may repeat, as in dates (`/2011/11/11/11/`).
pub fn is_trap_shaped(url: &Url) -> Option<&'static str> {
    let segments: Vec<&str> = url.path().split('/').filter(|segment| !segment.is_empty()).collect();
    if segments.len() > MAX_SEGMENTS {
        return Some("too many path segments");
    }
    let is_word = |segment: &str| !segment.bytes().all(|byte| byte.is_ascii_digit());
    let repeats = |segment: &&str| segments.iter().filter(|other| *other == segment).count() >= 3;
    if segments.iter().any(|segment| is_word(segment) && repeats(segment)) {
        return Some("repeated path segment");
    }
    let is_pair_twice = |four: &[&str]| match four {
        [a, b, c, d] => a == c && b == d && (is_word(a) || is_word(b)),
        _ => false,
    };
    if segments.windows(4).any(is_pair_twice) {
        return Some("repeated pair of path segments");
    }
    let parameters = url.query().map_or(0, |query| query.split('&').filter(|it| !it.is_empty()).count());
    (parameters > MAX_PARAMETERS).then_some("too many parameters")
}

#[cfg(test)]
mod tests;
