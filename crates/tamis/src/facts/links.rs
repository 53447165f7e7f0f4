//! Addresses that belong to a page: its own, the next one, its comments, its feeds.

use std::borrow::Cow;

use tamis_html::{Name, NodeRef};

use super::Around;
use super::comments_page;
use super::evidence::{Evidence, Field, Origin};
use super::scan::text_of;
use crate::assemble::Address;
use crate::page_address::site_of;

/// Puts the candidates for links among the evidence.
pub(super) fn gather(around: &Around<'_>, address: &Address, evidence: &mut Evidence) {
    let canonical = around.scan.links.iter().find(|(rel, _)| rel == "canonical");
    let canonical = canonical.and_then(|(_, node)| node.attribute_named(Name::HREF));
    let canonical = canonical.map(|href| address.resolve(&href));
    for (rel, node) in &around.scan.links {
        // Most lead to styles and pictures.
        if !rel.split_whitespace().any(is_of_page) {
            continue;
        }
        // A place on the page itself is no other page, nor the page's address.
        let leads = |href: &Cow<'_, str>| !href.trim().is_empty() && !href.trim().starts_with('#');
        let Some(href) = node.attribute_named(Name::HREF).filter(leads) else { continue };
        let is_link = node.is(Name::LINK);
        for word in rel.split_whitespace() {
            let (field, weight) = match word {
                "canonical" if is_link => (Field::Canonical, 90.0),
                "next" => {
                    // On most pages it leads to the next story.
                    let target = address.resolve(&href);
                    let mut own = around.url.as_deref().into_iter().chain(canonical.as_deref());
                    let goes_on = own.any(|own| continues(own, &target));
                    let weight = if is_link { 90.0 } else { 80.0 };
                    let is_next = goes_on
                        || (says_next_page(*node)
                            && !is_own(around, &target)
                            && may_go_on(around.url.as_deref(), &target));
                    (Field::NextPage, if is_next { weight } else { 0.0 })
                }
                "replies" => {
                    let is_page = comments_page::leads_away(around.url.as_deref(), &address.resolve(&href));
                    (Field::CommentsPage, if is_page { 80.0 } else { 0.0 })
                }
                // That of a picture is not the page's.
                "license" if is_of_picture(*node) || is_said_of_picture(*node) => continue,
                "license" => (Field::Licence, 90.0),
                "alternate" if is_link => {
                    let kind = node.attribute_named(Name::TYPE).unwrap_or_default().to_ascii_lowercase();
                    let is_feed =
                        ["rss+xml", "atom+xml", "feed+json", "rdf+xml"].iter().any(|it| kind.contains(it));
                    if !is_feed {
                        continue;
                    }
                    (Field::Feed, 80.0)
                }
                _ => continue,
            };
            evidence.add(field, address.resolve(&href), Origin::Link, format!("rel={word}"), weight);
        }
    }
    if let Some(url) = around.scan.meta_named(&["og:url"]) {
        evidence.add(Field::Canonical, address.resolve(url), Origin::OpenGraph, "og:url", 60.0);
    }
    if let Some(url) = around
        .piece()
        .and_then(|piece| piece.text_of("discussionUrl").or_else(|| piece.text_of("commentsUrl")))
        .filter(|url| comments_page::leads_away(around.url.as_deref(), &address.resolve(url)))
    {
        evidence.add(Field::CommentsPage, address.resolve(url), Origin::JsonLd, "discussionUrl", 70.0);
    }
    if let Some(licence) = around.piece().and_then(|piece| piece.text_of("license")) {
        // Most say it by address, and some by a name.
        let is_words = licence.contains(char::is_whitespace) || !licence.contains(['/', '.']);
        let licence = if is_words { licence.to_owned() } else { address.resolve(licence) };
        evidence.add(Field::Licence, licence, Origin::JsonLd, "license", 80.0);
    }
    if let Some(licence) = around.scan.meta_named(&[
        "dcterms.license",
        "dc.rights.license",
        "license",
        "dcterms.rights",
        "dc.rights",
    ]) && licence.chars().count() <= 120
    {
        // Whole paragraphs on rights are no name of a licence.
        evidence.add(Field::Licence, licence, Origin::DublinCore, "license", 60.0);
    }
    if let Some(licence) = super::microdata::address(&around.scan, "license") {
        evidence.add(Field::Licence, address.resolve(&licence), Origin::Microdata, "license", 70.0);
    }
    if evidence.of(Field::Licence).next().is_none() {
        linked_licence(around, address, evidence);
    }
    labelled(around, address, evidence);
    comments_page::gather(around, address, evidence);
}

/// Does a word of `rel` speak of the page: is it one of those that [`gather`] knows?
fn is_of_page(word: &str) -> bool {
    matches!(word, "canonical" | "next" | "replies" | "license" | "alternate")
}

/// A link in the page's foot to a licence of Creative Commons: what it has of it further up may be a picture's.
fn linked_licence(around: &Around<'_>, address: &Address, evidence: &mut Evidence) {
    let page = around.page;
    let last = around.text.map_or(0, |(_, last)| last);
    let blocks = page.blocks().iter().enumerate().skip(last).rev().take(40);
    for (_, block) in blocks.filter(|(_, block)| block.measures.links > 0) {
        for run in page.runs(block).iter().filter(|run| run.in_link) {
            let link = page.node(run.node).ancestors().find(|it| it.is(Name::A));
            let Some(href) = link.and_then(|link| link.attribute_named(Name::HREF)) else { continue };
            // Few are as long, and fewer name the house.
            if href.len() < "creativecommons.org/licenses/".len() || !href.contains("creativecommons.org/") {
                continue;
            }
            let is_licence = href.contains("creativecommons.org/licenses/")
                || href.contains("creativecommons.org/publicdomain/");
            if is_licence && !is_of_picture(page.node(run.node)) && !speaks_of_picture(page.text(block)) {
                evidence.add(Field::Licence, address.resolve(&href), Origin::Link, "in the foot", 50.0);
                return;
            }
        }
    }
}

/// Does a node stand with a picture?
fn is_of_picture(node: NodeRef<'_>) -> bool {
    let outer = node.ancestors().filter(NodeRef::is_element).take(6);
    outer.filter_map(|it| it.name_id()).any(|name| matches!(name, Name::FIGURE | Name::FIGCAPTION))
}

/// Does the line in which a node stands begin with a word for a picture: "Photo: Ada Finch, CC BY"?
fn is_said_of_picture(node: NodeRef<'_>) -> bool {
    let line = node.parent().filter(|_| node.is(Name::A)).map(|line| text_of(line, 60).to_lowercase());
    line.is_some_and(|line| PICTURES.iter().any(|word| line.trim_start().starts_with(word)))
}

/// Does a short line speak of a picture?
fn speaks_of_picture(line: &str) -> bool {
    let small = line.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| small.contains(word));
    line.len() <= 240 && (has(&PICTURES) || has(&["flickr", "wikimedia"]))
}

/// Words for pictures.
const PICTURES: [&str; 14] = [
    "photo",
    "image",
    "picture",
    "bild",
    "foto",
    "imagen",
    "immagine",
    "illustration",
    "图片",
    "圖片",
    "照片",
    "画像",
    "写真",
    "фото",
];

/// Is an address that of the page itself, or of a place on it?
fn is_own(around: &Around<'_>, target: &str) -> bool {
    let without_place = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
    let target = without_place(target);
    target.is_empty() || around.url.as_deref().is_some_and(|own| without_place(own) == target)
}

/// Does a link say in words that the text goes on there?
fn says_next_page(node: NodeRef<'_>) -> bool {
    let said = [Name::TITLE, Name::ARIA_LABEL].into_iter().filter_map(|name| node.attribute_named(name));
    let words = said.map(|it| it.into_owned()).chain((node.is(Name::A)).then(|| text_of(node, 60)));
    words.map(|it| it.trim().to_lowercase()).any(|it| NEXT.iter().any(|next| it.starts_with(next)))
}

/// May a text go on there, if a link says so? Not on another site, nor on a page before this one.
fn may_go_on(own: Option<&str>, next: &str) -> bool {
    let Some(own) = own else { return true };
    // Some count pages from 0 on, so that the second has the number 1.
    let ((base, from), (next_base, to)) = (without_page(own), without_page(next));
    // Sites have several hosts, for wide and narrow screens.
    site_of(own) == site_of(next) && (base != next_base || to >= from)
}

/// Is an address that of a later page of the same text? Both share all but the number of a page, which one may lack.
fn continues(own: &str, next: &str) -> bool {
    let ((own, from), (next, to)) = (without_page(own), without_page(next));
    own == next && to == from + 1
}

/// An address without what numbers its page, and that number.
fn without_page(url: &str) -> (String, u32) {
    const KEYS: [&str; 9] = ["page", "p", "pg", "paged", "pagenum", "pagenumber", "start", "offset", "seite"];
    let url = url.split_once("://").map_or(url, |(_, rest)| rest);
    let url = url.split('#').next().unwrap_or_default();
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let mut number = None;
    let is_number =
        |text: &str| (1..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let mut rest = query
        .split('&')
        .filter(|part| !part.is_empty())
        .filter(|part| {
            // Numbers of pages begin small: ?p=123 is the number of a story.
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let is_page = KEYS.iter().any(|it| it.eq_ignore_ascii_case(key))
                && is_number(value)
                && (value.len() <= 3 && key.len() > 1 || value.len() <= 2);
            number = number.or(is_page.then(|| value.parse().unwrap_or(1)));
            !is_page
        })
        .collect::<Vec<_>>();
    rest.sort_unstable();
    let mut last = parts.pop().unwrap_or_default().to_owned();
    let before = parts.last().copied().unwrap_or_default();
    if number.is_none() && parts.len() > 1 && ["page", "seite", "p"].contains(&before) && is_number(&last) {
        // /rain/page/2
        number = last.parse().ok();
        parts.pop();
        last = parts.pop().unwrap_or_default().to_owned();
    } else if number.is_none() && parts.len() > 2 && is_number(&last) && last.len() <= 2 {
        // /news/rain/2, but not /news/7
        number = last.parse().ok();
        last = parts.pop().unwrap_or_default().to_owned();
    }
    // rain_2.html, rain-2.html, rain-p2.html
    let (name, ending) = match last.rsplit_once('.') {
        Some((name, ending)) if ending.len() <= 5 => (name, ending),
        _ => (last.as_str(), ""),
    };
    let mut name = name;
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
    (format!("{}/{name}.{ending}?{}", parts.join("/"), rest.join("&")), number.unwrap_or(1))
}

/// Words for the next page.
const NEXT: &[&str] = &[
    "下一页",
    "下一頁",
    "下页",
    "next page",
    "nächste seite",
    "page suivante",
    "página siguiente",
    "siguiente página",
    "próxima página",
    "pagina successiva",
    "volgende pagina",
    "nästa sida",
    "neste side",
    "næste side",
    "następna strona",
    "следующая страница",
    "sonraki sayfa",
    "次のページ",
    "次へ",
    "다음 페이지",
    "كېيىنكى بەت",
    "الصفحة التالية",
];

/// Words for the next of anything: the address must tell that it is a page.
const NEXT_ALONE: &[&str] = &[
    "next",
    "older",
    "weiter",
    "suivant",
    "siguiente",
    "próxima",
    "volgende",
    "nästa",
    "следующая",
    "sonraki",
    "次",
];

/// Is an address that of a second page, whatever the first is?
fn is_second(url: &str) -> bool {
    without_page(url).1 == 2
}

/// Links whose words say that the text goes on there.
fn labelled(around: &Around<'_>, address: &Address, evidence: &mut Evidence) {
    let Some((_, last)) = around.text else { return };
    let page = around.page;
    for block in page.blocks().iter().skip(last.saturating_sub(1)).take(8) {
        if block.measures.links == 0 || page.text(block).len() > 200 {
            continue;
        }
        for run in page.runs(block).iter().filter(|run| run.in_link) {
            let node = page.node(run.node);
            let words = node.text().trim().to_lowercase();
            let says_page = NEXT.iter().any(|next| words.starts_with(next));
            let says_next = NEXT_ALONE.contains(&words.trim_matches(|c: char| !c.is_alphanumeric()));
            if !says_page && !says_next {
                continue;
            }
            let link =
                node.ancestors().find(|it| it.is(Name::A)).and_then(|link| link.attribute_named(Name::HREF));
            let Some(target) = link.map(|href| address.resolve(&href)) else { continue };
            if is_own(around, &target) {
                continue;
            }
            let own = around.url.as_deref();
            if (says_page && may_go_on(own, &target))
                || own.map_or(is_second(&target), |own| continues(own, &target))
            {
                evidence.add(Field::NextPage, target, Origin::Near, "its words", 70.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_was_one_before_or_of_another_site() {
        let own = Some("https://a.example/rain?page=2");
        assert!(may_go_on(own, "https://www.a.example/rain?page=3") && may_go_on(None, "https://b.example/"));
        assert!(may_go_on(own, "https://a.example/rain/more"));
        assert!(may_go_on(Some("https://www.a.example/rain"), "https://m.a.example/rain?page=1"));
        assert!(!may_go_on(own, "https://a.example/rain?page=1") && !may_go_on(own, "https://b.example/3"));
    }

    #[test]
    fn the_next_story_was_taken_for_the_next_page() {
        for (own, next) in [
            ("https://a.example/rain.html", "https://a.example/rain_2.html"),
            ("https://a.example/rain_2.html", "https://a.example/rain_3.html"),
            ("https://a.example/rain/", "https://a.example/rain/page/2/"),
            ("https://a.example/news/rain", "https://a.example/news/rain/2"),
            ("https://a.example/t.php?id=7", "https://a.example/t.php?id=7&page=2"),
            ("https://a.example/t.php?page=2&id=7", "https://a.example/t.php?id=7&page=3"),
            ("https://a.example/thread-77-1.html", "https://a.example/thread-77-2.html"),
        ] {
            assert!(continues(own, next), "{own} {next}");
            assert!(!continues(next, own), "{next} {own}");
        }
        for (own, next) in [
            ("https://a.example/rain", "https://a.example/sun"),
            ("https://a.example/article/1234", "https://a.example/article/1235"),
            ("https://a.example/t.php?id=7", "https://a.example/t.php?id=8"),
            ("https://a.example/rain", "https://a.example/rain"),
            ("https://a.example/?p=123", "https://a.example/?p=125"),
            ("https://a.example/?p=123", "https://a.example/?p=124"),
            ("https://a.example/news/7", "https://a.example/news/8"),
            ("https://a.example/2010/12/15/rain", "https://a.example/2010/12/16/sun"),
        ] {
            assert!(!continues(own, next), "{own} {next}");
        }
    }
}
