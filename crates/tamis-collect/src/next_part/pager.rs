//! Finds the link to the next part or page.

use std::borrow::Cow;

use tamis::page::Page;
use tamis_html::{Name, NodeKind, NodeRef};
use url::Url;

use super::address::{is_next_part, page_number};
use super::lexicon::{self, Kind};
use crate::links::{base_of, has_token};
use crate::urls::{resolve, site_of};

/// Links with longer texts are headlines.
const MAX_LABEL_CHARS: usize = 40;
/// Most nodes read per link; malformed links can contain tables.
const MAX_LABEL_NODES: usize = 100;
/// Most links examined.
const MAX_LINKS: usize = 20_000;
/// The minimum score of a next link.
const THRESHOLD: i32 = 5;

/// Finds the link to the next part or page, by its text, `rel`, class and pager number. Unlike [`is_next_part`] it does
/// not distinguish the next part of a story from the next page of a list.
pub fn next_link(page: &Page<'_>, url: &Url) -> Option<Url> {
    let base = base_of(page, url);
    let number = page_number(url);
    let site = site_of(url);
    let mut best: Option<(i32, Url)> = None;
    let nodes = page.dom.descendants().filter(|node| node.is(Name::A) || node.is(Name::LINK));
    for node in nodes.take(MAX_LINKS) {
        let label = label_score(node, number);
        if label == 0 {
            continue;
        }
        let Some(href) = node.attribute_named(Name::HREF).filter(|href| !href.trim().starts_with('#')) else {
            continue;
        };
        let Some(target) = resolve(&href, &base).filter(|target| target != url && site_of(target) == site)
        else {
            continue;
        };
        // Pagers that add other parameters still number their pages.
        let by_address = if is_next_part(url, &target) {
            4
        } else if page_number(&target) == Some(number.unwrap_or(1) + 1) {
            2
        } else {
            0
        };
        let score = label + by_address;
        if score >= THRESHOLD && best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, target));
        }
    }
    best.map(|(_, target)| target)
}

/// Scores the text, `rel` and class of a link as a link to the next page.
fn label_score(node: NodeRef<'_>, number: Option<u32>) -> i32 {
    let rel = node.attribute_named(Name::REL).unwrap_or_default();
    let by_rel = if has_token(&rel, "next") { 4 } else { 0 };
    if node.is(Name::LINK) {
        return by_rel;
    }
    let Some(text) = label(node) else { return by_rel };
    let text = text.trim().to_lowercase();
    let bare = text.trim_matches(|it: char| !it.is_alphanumeric());
    let by_text = if lexicon::is(bare, Kind::Next) {
        4
    } else if bare.is_empty() && lexicon::is(&text, Kind::Symbol) {
        3
    } else if bare.parse() == Ok(number.unwrap_or(1) + 1) && text.len() <= bare.len() + 2 {
        2
    } else {
        0
    };
    let said = [Name::TITLE, Name::ARIA_LABEL].into_iter().filter_map(|name| node.attribute_named(name));
    let is_said = said.map(|it| it.trim().to_lowercase()).any(|it| lexicon::is(&it, Kind::Next));
    let around = node.parent().filter(|parent| parent.is(Name::LI) || parent.is(Name::SPAN));
    let is_classed = [Some(node), around].into_iter().flatten().any(has_class);
    by_rel + by_text + if is_said { 2 } else { 0 } + if is_classed { 2 } else { 0 }
}

fn has_class(node: NodeRef<'_>) -> bool {
    let named = [Name::CLASS, Name::ID].into_iter().filter_map(|name| node.attribute_named(name));
    named.into_iter().any(|names: Cow<'_, str>| {
        names.split_ascii_whitespace().take(20).any(|it| lexicon::is(&it.to_ascii_lowercase(), Kind::Class))
    })
}

/// The text of a link or the alternative text of its image; `None` if it is too long for a pager.
fn label(node: NodeRef<'_>) -> Option<String> {
    let mut label = String::new();
    for node in node.descendants().take(MAX_LABEL_NODES) {
        match node.kind() {
            NodeKind::Text => label.push_str(&node.text()),
            NodeKind::Element if node.is(Name::IMG) => {
                label.push_str(&node.attribute_named(Name::ALT).unwrap_or_default());
            }
            _ => {}
        }
        if label.len() > 8 * MAX_LABEL_CHARS {
            return None;
        }
    }
    let label = label.split_whitespace().collect::<Vec<_>>().join(" ");
    (label.chars().count() <= MAX_LABEL_CHARS).then_some(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pagers_are_read_by_word_class_symbol_and_number() {
        let url = Url::parse("https://gazette.example/news?page=3").unwrap();
        for (html, next) in [
            ("<a href='?page=2'>«</a> <a href='?page=4'>»</a>", Some("/news?page=4")),
            (
                "<a href='?page=2'>2</a> 3 <a href='?page=4'>4</a> <a href='?page=9'>9</a>",
                Some("/news?page=4"),
            ),
            ("<a href='/news?page=4'>下一页</a>", Some("/news?page=4")),
            ("<link rel=next href='?page=4'>", Some("/news?page=4")),
            ("<li class=next><a href='/more'>Older posts</a>", Some("/more")),
            ("<a href='/wind'>Next</a>", None),
            ("<a href='https://other.example/news?page=4' rel=next>Next</a>", None),
            ("<a href='/4'>4</a>", None),
        ] {
            let given = next_link(&Page::parse(html), &url);
            let expected = next.map(|path| format!("https://gazette.example{path}"));
            assert_eq!(given.map(String::from), expected, "{html}");
        }
    }
}
