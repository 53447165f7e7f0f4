//! What a heading says to a reader, be it words or a picture, and whether the page says the same elsewhere.

use std::collections::HashSet;

use tamis_html::{Name, Namespace, NodeRef};

use super::super::Around;
use super::super::dates::{Hints, find};
use super::super::scan::{folded, text_of, text_where};
use super::normal;
use super::site_name::{is_normal_site_name, without_site};
use crate::segment::hidden_by;

/// Classes of what only readers with a machine that reads aloud are told, and of links for writers.
const NOT_SHOWN: &[&str] = &[
    "sr-only",
    "visually-hidden",
    "visuallyhidden",
    "screen-reader-text",
    "screen-reader-only",
    "screenreader",
    "offscreen",
    "mw-editsection",
    "editsection",
];

/// Links for writers behind a heading, where no class says so.
const EDIT: &[&str] = &[
    "[edit]",
    "[edit source]",
    "[bearbeiten]",
    "[modifier]",
    "[editar]",
    "[modifica]",
    "[править]",
    "[编辑]",
    "[編輯]",
];

/// The words of a heading that a reader sees, white space folded; those that nobody sees where there are no others.
pub(super) fn heading_text(node: NodeRef<'_>, most: usize) -> String {
    let text = text_where(node, most, false, is_not_shown);
    let text = if text.is_empty() { text_where(node, most, false, is_picture) } else { text };
    // All of them end with a bracket, and few headings do.
    let edit = text.ends_with(']').then(|| text.to_lowercase());
    let edit = edit.and_then(|small| EDIT.iter().find(|it| small.ends_with(*it)));
    // Small letters may take other bytes than the letters they stand for; then it stays.
    match edit.and_then(|it| text.get(..text.len() - it.len())) {
        Some(own) if !own.trim().is_empty() => own.trim_end().to_owned(),
        _ => text,
    }
}

/// A heading without the day that a template put before or behind it. Whether it did, `title` or metadata must say: there are
/// pieces that are called after a day.
pub(super) fn without_day(text: &str) -> Option<&str> {
    const BETWEEN: &[char] = &[
        ' ', '\u{a0}', '\u{3000}', '-', '–', '—', '|', '·', '•', ',', '(', ')', '[', ']', '（', '）', '【',
        '】', ':',
    ];
    // No day without a digit; and most headings have none.
    if !text.bytes().any(|byte| byte.is_ascii_digit() || byte >= 0xD9) {
        return None;
    }
    let found = find(text, &Hints::default());
    let (first, last) = (found.first()?, found.last()?);
    let (head, tail) = (&text[..last.place.start], &text[first.place.end..]);
    let is_end = text[last.place.end..].trim_matches(BETWEEN).is_empty();
    let is_start = text[..first.place.start].trim_matches(BETWEEN).is_empty();
    let own = if is_end {
        head
    } else if is_start {
        tail
    } else {
        return None;
    };
    Some(own.trim_matches(BETWEEN)).filter(|own| own.chars().any(char::is_alphabetic))
}

/// A heading without the word above the headline that an element at its head holds: `<h1><span>Weather</span> Rain at last</h1>`.
/// Whether that is one, `title` or metadata must say.
pub(super) fn without_kicker<'t>(node: NodeRef<'_>, text: &'t str) -> Option<&'t str> {
    let first = node.children().find(|it| it.is_element() || !it.text().trim().is_empty())?;
    let kicker = if first.is_element() { heading_text(first, super::LONGEST) } else { return None };
    let own = text.strip_prefix(kicker.as_str()).filter(|_| !kicker.is_empty())?;
    Some(own.trim_start_matches([' ', ':', '|', '-', '–', '—', '·', '/'])).filter(|own| !own.is_empty())
}

/// A drawing has a title of its own.
fn is_picture(node: NodeRef<'_>) -> bool {
    node.namespace() == Namespace::Svg
}

fn is_not_shown(node: NodeRef<'_>) -> bool {
    let by_class = || {
        let class = node.attribute_named(Name::CLASS).unwrap_or_default();
        class.split_ascii_whitespace().any(|it| NOT_SHOWN.iter().any(|name| it.eq_ignore_ascii_case(name)))
    };
    // A colon that is read aloud between a kicker and a headline is one for readers of titles as well.
    let has_words = || text_of(node, super::LONGEST).contains(char::is_alphanumeric);
    // "Rain at last<time>15 May</time>": the day is not what the piece is called.
    is_picture(node) || node.is(Name::TIME) || hidden_by(node, false).is_some() || (by_class() && has_words())
}

/// The words for a picture that is a heading: those that stand in for it, else those that name it.
pub(super) fn image_text(node: NodeRef<'_>) -> Option<String> {
    let said = |name| {
        let inside = node.descendants().filter(|it| it.is(Name::IMG) || it.is(Name::INPUT));
        inside.filter_map(|it| it.attribute_named(name)).map(|it| folded(&it)).find(|it| !it.is_empty())
    };
    said(Name::ALT).or_else(|| said(Name::TITLE)).or_else(|| {
        let drawn = node.descendants().find(|it| is_picture(*it) && it.name() == Some("title"));
        drawn.map(|it| text_of(it, super::LONGEST)).filter(|it| !it.is_empty())
    })
}

/// What the page calls the piece elsewhere, as [`normal`] has it.
pub(super) struct Backed {
    names: HashSet<String>,
    slug: Vec<String>,
    site: Vec<String>,
}

impl Backed {
    pub(super) fn of(around: &Around<'_>) -> Backed {
        let title = around.title_text.as_str();
        let parts = around.title_parts();
        let ends = parts.iter().take(parts.len().saturating_sub(1).clamp(1, 12));
        let mut names: HashSet<String> = ends.map(|part| normal(&title[..part.end])).collect();
        for text in ["og:title", "twitter:title"].iter().filter_map(|key| around.scan.meta_named(&[key])) {
            if text.len() <= super::LONGEST {
                names.insert(normal(text));
                names.insert(normal(&without_site(text, around)));
            }
        }
        names.extend(around.piece().and_then(|piece| piece.text_of("headline")).map(normal));
        let site = names.iter().filter(|it| is_normal_site_name(it, around)).cloned().collect();
        Backed { names, slug: around.slug_words(), site }
    }

    pub(super) fn has(&self, text: &str) -> bool {
        let text = normal(text);
        let spelt = self.slug.len() >= 2 && self.slug.iter().all(|word| text.contains(word.as_str()));
        !text.is_empty() && !self.site.contains(&text) && (spelt || self.names.contains(&text))
    }
}

/// What stands before the last bare hyphen of a title that nothing else parts: whether that parts it, a heading can say. In
/// many scripts a hyphen stands in words as well.
pub(super) fn bare_head(around: &Around<'_>) -> Option<String> {
    let (head, tail) = around.title_text.rsplit_once('-')?;
    let is_bare = !head.ends_with(char::is_whitespace) && !tail.starts_with(char::is_whitespace);
    (is_bare && around.title_parts().len() == 1).then(|| normal(head)).filter(|head| !head.is_empty())
}

/// Is a heading a link, or in the header of the page and not in that of the piece?
pub(super) fn in_banner(node: NodeRef<'_>) -> bool {
    let linked = node.descendants().take(6).any(|it| it.is(Name::A));
    let outer = || node.ancestors().filter(|it| it.is_element()).take(12);
    linked
        || outer().take(2).any(|it| it.is(Name::A))
        || (outer().any(|it| it.is(Name::HEADER))
            && !outer().any(|it| it.is(Name::ARTICLE) || it.is(Name::MAIN)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;

    fn said(html: &str) -> String {
        let page = Page::parse(html);
        let heading = page.dom().descendants().find(|node| node.is(Name::H1)).unwrap();
        heading_text(heading, 1_000)
    }

    #[test]
    fn what_nobody_sees_was_part_of_a_heading() {
        for html in [
            "<h1>Rain at last<span style='display:none'>secret</span></h1>",
            "<h1>Rain at last<span hidden>secret</span></h1>",
            "<h1><svg><title>icon</title></svg>Rain at last</h1>",
            "<h1>Rain at last<span class=mw-editsection>[<a href=/e>edit</a>]</span></h1>",
            "<h1>Rain at last <small>[Edit]</small></h1>",
            "<h1><span class='label sr-only'>Article:</span> Rain at last</h1>",
            "<h1 hidden><span class=sr-only>Rain at last</span></h1>",
        ] {
            assert_eq!(said(html), "Rain at last", "{html}");
        }
        assert_eq!(said("<h1>Harbour<span class=sr-only>: </span><b>Rain</b></h1>"), "Harbour: Rain");
    }

    #[test]
    fn days_were_glued_to_headings() {
        assert_eq!(said("<h1>Rain at last<time>15 May 2010</time></h1>"), "Rain at last");
        assert_eq!(said("<h1><time>15 May 2010</time></h1>"), "15 May 2010");
        for text in [
            "Rain at last 15 December 2010",
            "Rain at last (15.12.2010)",
            "Rain at last - 2010-12-15 08:30",
            "15 December 2010: Rain at last",
            "[2010-12-15] Rain at last",
        ] {
            assert_eq!(without_day(text), Some("Rain at last"), "{text}");
        }
        assert_eq!(without_day("终于下雨了2010年12月15日"), Some("终于下雨了"));
        assert_eq!(without_day("The rain of 15 December 2010 in the harbour"), None);
        assert_eq!(without_day("15 December 2010"), None);
        assert_eq!(without_day("Rain at last"), None);
    }

    #[test]
    fn pictures_that_are_headings() {
        for (html, expected) in [
            ("<h1><img alt='Rain at last' title=Photo></h1>", Some("Rain at last")),
            ("<h1><img alt='' title='Rain at last'></h1>", Some("Rain at last")),
            ("<h1><svg><title>Rain at last</title></svg></h1>", Some("Rain at last")),
            ("<h1><img src=a.png></h1>", None),
        ] {
            let page = Page::parse(html);
            let heading = page.dom().descendants().find(|node| node.is(Name::H1)).unwrap();
            assert_eq!(image_text(heading).as_deref(), expected, "{html}");
        }
    }
}
