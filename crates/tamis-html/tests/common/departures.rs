//! Known deviations of html5ever 0.40.1 from the standard.
//!
//! If trees differ and the page contains one of these tags, they are compared again with the tag renamed, and must then
//! be equal. Each exception thus has a single reason, and the rest of the page is still tested.

// The tests that share this file use different parts of it.
#![allow(dead_code)]

use super::compare::difference;

/// A tag for which html5ever deviates from the standard, and its replacement.
struct Departure {
    /// As after `<` or `</`, in lower case.
    tag: &'static str,
    instead: &'static str,
    why: &'static str,
}

const fn departure(tag: &'static str, instead: &'static str, why: &'static str) -> Departure {
    Departure { tag, instead, why }
}

const DEPARTURES: &[Departure] = &[
    // Replaced by elements that the standard treats the same in every rule.
    departure("search", "section", "not among html5ever's special elements"),
    departure("thead", "tfoot", "forgotten where a table body is closed by what follows it"),
    // Replaced by names that are unknown to both.
    departure("isindex", "x-isindex", "special in html5ever; the standard has dropped it"),
    departure("selectedcontent", "x-selected", "html5ever leaves copying the chosen option to its sink"),
    departure("annotation-xml", "x-annotation", "bounds no scope and is not special in html5ever"),
    departure("mi", "x-mi", "not special in html5ever, as all foreign elements"),
    departure("mo", "x-mo", "likewise"),
    departure("mn", "x-mn", "likewise"),
    departure("ms", "x-ms", "likewise"),
    departure("mtext", "x-mtext", "likewise"),
    departure("foreignobject", "x-foreign", "likewise"),
    departure("desc", "x-desc", "likewise"),
    departure("title", "x-title", "likewise"),
    departure(
        "template",
        "x-template",
        "white space directly in one, among rows, is no table text in html5ever",
    ),
    // An end tag that is ignored, but like every token ends a run of characters in a table.
    departure("!doctype", "/x-doctype", "does not end a run of characters in a table in html5ever"),
];

/// The first difference from html5ever that the known deviations do not explain.
pub(crate) fn unexplained(page: &str, context: Option<&str>, scripting: bool) -> Option<String> {
    let first = difference(page, context, scripting)?;
    let context = match context {
        // html5ever inserts an `input` into a fragment inside a `select`; the standard drops it. Apart from that,
        // `select` and `div` are alike as contexts.
        Some("select") => Some("div"),
        // In a foreign element directly below the root of a fragment, html5ever drops end tags that the standard
        // processes by the rules for HTML.
        Some(foreign) if foreign.contains(' ') => Some("div"),
        other => other,
    };
    difference(&renamed(page), context, scripting)
        .map(|second| format!("{first}; without departures {second}"))
}

/// The page without parse errors after `<pre>`, at which html5ever keeps a line feed that the standard drops: closes
/// numeric references (`&#10`) and removes `</>`, which has no effect.
fn without_errors(page: &str) -> String {
    let page = page.replace("</>", "");
    let mut parts = page.split("&#");
    let mut closed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let hexadecimal = part.starts_with(['x', 'X']);
        let digits = |c: char| if hexadecimal { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
        let start = usize::from(hexadecimal);
        let end = part[start..].find(|c| !digits(c)).map_or(part.len(), |end| start + end);
        let close = if end > start && !part[end..].starts_with(';') { ";" } else { "" };
        closed.extend(["&#", &part[..end], close, &part[end..]]);
    }
    closed
}

/// The page with the tags of all deviations renamed.
fn renamed(page: &str) -> String {
    let page = &without_errors(page);
    let mut changed = String::with_capacity(page.len());
    let mut copied = 0;
    for (at, _) in page.match_indices('<') {
        let at = at + 1 + usize::from(page[at + 1..].starts_with('/'));
        let name = &page.as_bytes()[at.max(copied)..];
        let found = DEPARTURES.iter().find(|departure| {
            let length = departure.tag.len();
            name.get(..length).is_some_and(|start| start.eq_ignore_ascii_case(departure.tag.as_bytes()))
                && (departure.tag.starts_with('!')
                    || name
                        .get(length)
                        .is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>')))
        });
        if let Some(departure) = found {
            changed.push_str(&page[copied..at]);
            changed.push_str(departure.instead);
            copied = at + departure.tag.len();
        }
    }
    changed.push_str(&page[copied..]);
    changed
}
