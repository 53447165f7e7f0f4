//! Collects the links of a page, its robots directives and its declarations in the head, in one walk over the tree.

use std::collections::HashMap;
use std::time::Duration;

use tamis::page::Page;
use tamis_html::{Name, NodeKind, NodeRef, Step};
use url::Url;

use crate::settings::AGENT;
use crate::urls::{MAX_URL_BYTES, resolve};

const MAX_FEEDS: usize = 16;

/// A link of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// Normalised URL.
    pub url: Url,
    /// Non-space characters of the link's text; the maximum over several links to one URL.
    pub text_chars: u32,
    /// Every link to this URL has `rel=nofollow`.
    pub nofollow: bool,
}

/// A `<meta http-equiv=refresh>` to another page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refresh {
    /// The target.
    pub url: Url,
    /// The delay.
    pub after: Duration,
}

/// The links of a page, and the declarations in its head.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PageLinks {
    /// Unique URLs of `a` and `area`, in page order, without the page's own.
    pub links: Vec<Link>,
    /// Whether there were more links than `max_links`.
    pub truncated: bool,
    /// RSS, Atom and JSON feeds of `link rel=alternate`.
    pub feeds: Vec<Url>,
    /// `link rel=canonical`.
    pub canonical: Option<Url>,
    /// `link rel=amphtml`.
    pub amphtml: Option<Url>,
    /// `rel=next` of a `link` or `a`.
    pub next: Option<Url>,
    /// `noindex` of `meta name=robots` or `meta name=tamis`.
    pub noindex: bool,
    /// `nofollow` of the same.
    pub nofollow: bool,
    /// The target of `meta http-equiv=refresh`.
    pub refresh: Option<Refresh>,
}

/// Collects the links of a page at `url`, at most `max_links` of them.
pub fn of_page(page: &Page<'_>, url: &Url, max_links: usize) -> PageLinks {
    let base = base_of(page, url);
    let mut found = PageLinks::default();
    let mut places: HashMap<Url, usize> = HashMap::new();
    let mut open: Option<(NodeRef<'_>, usize, u32)> = None;
    let mut walk = page.dom.root().walk();
    while let Some(step) = walk.next() {
        match step {
            Step::Enter(node) if node.kind() == NodeKind::Text => {
                if let Some((_, _, chars)) = &mut open {
                    let count = node.text().chars().filter(|it| !it.is_whitespace()).count();
                    *chars = chars.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
                }
            }
            // The content of a template is not part of the page.
            Step::Enter(node) if node.is(Name::TEMPLATE) => walk.skip_below(),
            Step::Enter(node) if node.is(Name::LINK) => head_link(node, &base, &mut found),
            Step::Enter(node) if node.is(Name::META) => meta(node, &base, &mut found),
            Step::Enter(node) if node.is(Name::A) || node.is(Name::AREA) => {
                let Some(href) = node.attribute_named(Name::HREF) else { continue };
                // On some pages, most links are fragments.
                if href.trim_start().starts_with('#') {
                    continue;
                }
                if found.links.len() >= max_links {
                    found.truncated = true;
                    continue;
                }
                let Some(target) = resolve(&href, &base).filter(|target| target != url) else { continue };
                let rel = node.attribute_named(Name::REL).unwrap_or_default();
                let nofollow = has_token(&rel, "nofollow");
                if found.next.is_none() && has_token(&rel, "next") {
                    found.next = Some(target.clone());
                }
                let place = *places.entry(target).or_insert_with_key(|target| {
                    found.links.push(Link { url: target.clone(), text_chars: 0, nofollow });
                    found.links.len() - 1
                });
                if let Some(link) = found.links.get_mut(place) {
                    link.nofollow &= nofollow;
                }
                open = Some((node, place, 0));
            }
            Step::Leave(node) => {
                if let Some((_, place, chars)) = open.take_if(|(opened, ..)| *opened == node)
                    && let Some(link) = found.links.get_mut(place)
                {
                    link.text_chars = link.text_chars.max(chars);
                }
            }
            Step::Enter(_) => {}
        }
    }
    found
}

/// The base URL of links: that of the first `base` in the head, unless it is oversized, since every link would
/// repeat it.
pub(crate) fn base_of(page: &Page<'_>, url: &Url) -> Url {
    let base = page
        .dom
        .head()
        .into_iter()
        .flat_map(|head| head.children())
        .find_map(|node| node.is(Name::BASE).then(|| node.attribute_named(Name::HREF)).flatten());
    base.filter(|href| href.len() <= MAX_URL_BYTES)
        .and_then(|href| url.join(href.trim()).ok())
        .filter(|base| !base.cannot_be_a_base())
        .unwrap_or_else(|| url.clone())
}

fn head_link(node: NodeRef<'_>, base: &Url, found: &mut PageLinks) {
    let Some(rel) = node.attribute_named(Name::REL) else { return };
    for token in rel.split_ascii_whitespace() {
        let slot = match token.to_ascii_lowercase().as_str() {
            "canonical" => &mut found.canonical,
            "amphtml" => &mut found.amphtml,
            "next" => &mut found.next,
            "alternate" if is_feed(node) => {
                let feed = node.attribute_named(Name::HREF).and_then(|href| resolve(&href, base));
                if let Some(feed) = feed.filter(|feed| !found.feeds.contains(feed))
                    && found.feeds.len() < MAX_FEEDS
                {
                    found.feeds.push(feed);
                }
                continue;
            }
            _ => continue,
        };
        if slot.is_none() {
            let href = node.attribute_named(Name::HREF).filter(|href| !href.trim().is_empty());
            *slot = href.and_then(|href| resolve(&href, base));
        }
    }
}

fn is_feed(node: NodeRef<'_>) -> bool {
    let kind = node.attribute_named(Name::TYPE).unwrap_or_default().to_ascii_lowercase();
    ["application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"]
        .iter()
        .any(|feed| kind.trim().starts_with(feed))
}

fn meta(node: NodeRef<'_>, base: &Url, found: &mut PageLinks) {
    let Some(content) = node.attribute_named(Name::CONTENT) else { return };
    let name = node.attribute_named(Name::NAME).unwrap_or_default();
    let name = name.trim();
    // A `meta` with our product token is for this crawler only.
    if name.eq_ignore_ascii_case("robots") || name.eq_ignore_ascii_case(AGENT) {
        for directive in content.split(',').map(str::trim) {
            let is = |word: &str| directive.eq_ignore_ascii_case(word);
            found.noindex |= is("noindex") || is("none");
            found.nofollow |= is("nofollow") || is("none");
        }
    }
    let equivalent = node.attribute_named(Name::HTTP_EQUIV).unwrap_or_default();
    if found.refresh.is_none() && equivalent.trim().eq_ignore_ascii_case("refresh") {
        found.refresh = refresh(&content, base);
    }
}

/// Parses `5; url='/there'`. Without a URL, the page only reloads itself.
fn refresh(content: &str, base: &Url) -> Option<Refresh> {
    let content = content.trim();
    let end = content.find(|it: char| !it.is_ascii_digit() && it != '.').unwrap_or(content.len());
    let (seconds, rest) = content.split_at(end);
    let seconds: f64 = seconds.parse().ok()?;
    let is_separator = |it: char| it.is_whitespace() || it == ';' || it == ',';
    let rest = rest.strip_prefix(is_separator)?.trim_start_matches(is_separator);
    let target = match rest.get(..3) {
        Some(name) if name.eq_ignore_ascii_case("url") => {
            let value = rest.get(3..).unwrap_or_default().trim_start();
            value.strip_prefix('=').map_or(rest, str::trim_start)
        }
        _ => rest,
    };
    let target = match target.chars().next() {
        Some(quote @ ('"' | '\'')) => target.split(quote).nth(1).unwrap_or_default(),
        _ => target,
    };
    let url = Some(target).filter(|target| !target.trim().is_empty()).and_then(|it| resolve(it, base))?;
    Some(Refresh { url, after: Duration::from_secs_f64(seconds.min(86_400.0)) })
}

pub(crate) fn has_token(list: &str, token: &str) -> bool {
    list.split_ascii_whitespace().any(|it| it.eq_ignore_ascii_case(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links_of(html: &str, max_links: usize) -> PageLinks {
        let url = Url::parse("https://gazette.example/news/").unwrap();
        of_page(&Page::parse(html), &url, max_links)
    }

    fn address(url: &Option<Url>) -> Option<&str> {
        url.as_ref().map(Url::as_str)
    }

    #[test]
    fn links_are_resolved_counted_and_given_once() {
        let found = links_of(
            "<a href=rain?utm_source=x rel=nofollow>Rain</a> <a href='#top'>Top</a> <a href='/news/'>Home</a>\
             <a href='./rain'><b>Rain</b> at last</a> <a href='javascript:void(0)'>No</a> <a name=x>None</a>\
             <map><area href='//other.example/map' rel='external NOFOLLOW'></map>\
             <template><a href=hidden>Hidden</a></template><a href='wind' rel=next>Wi&nbsp;nd</a>",
            100,
        );
        let links: Vec<_> =
            found.links.iter().map(|it| (it.url.as_str(), it.text_chars, it.nofollow)).collect();
        assert_eq!(
            links,
            [
                ("https://gazette.example/news/rain", 10, false),
                ("https://other.example/map", 0, true),
                ("https://gazette.example/news/wind", 4, false),
            ]
        );
        assert!(!found.truncated);
        assert_eq!(address(&found.next), Some("https://gazette.example/news/wind"));
    }

    #[test]
    fn the_head_names_feeds_and_relatives() {
        let found = links_of(
            "<head><base href='https://www.gazette.example/'><link rel=canonical href=news>\
             <link rel='alternate home' type='application/rss+xml' href=feed><link rel=alternate hreflang=de href=de>\
             <link rel=alternate type='application/feed+json; charset=utf-8' href=feed.json><link rel=amphtml href=amp>\
             <link rel=next href='?page=2'><link rel=alternate type='application/rss+xml' href=feed></head><a href=x>x",
            100,
        );
        assert_eq!(address(&found.canonical), Some("https://www.gazette.example/news"));
        assert_eq!(address(&found.amphtml), Some("https://www.gazette.example/amp"));
        assert_eq!(address(&found.next), Some("https://www.gazette.example/?page=2"));
        let feeds: Vec<_> = found.feeds.iter().map(Url::as_str).collect();
        assert_eq!(feeds, ["https://www.gazette.example/feed", "https://www.gazette.example/feed.json"]);
        assert_eq!(found.links[0].url.as_str(), "https://www.gazette.example/x");
    }

    #[test]
    fn robots_meta_is_for_all_or_for_this_crawler() {
        for (name, content, noindex, nofollow) in [
            ("robots", "NOINDEX, follow", true, false),
            ("Tamis", "max-snippet:3,nofollow", false, true),
            ("robots", "none", true, true),
            ("robots", "index", false, false),
            ("otherbot", "none", false, false),
        ] {
            let found = links_of(&format!("<meta name='{name}' content='{content}'>"), 10);
            assert_eq!((found.noindex, found.nofollow), (noindex, nofollow), "{name} {content}");
        }
    }

    #[test]
    fn refresh_leads_elsewhere_only_with_an_address() {
        for (content, target) in [
            ("0; url=/there", Some(("https://gazette.example/there", 0))),
            ("5;URL=\"/there\"", Some(("https://gazette.example/there", 5))),
            ("3, /there", Some(("https://gazette.example/there", 3))),
            ("1e9; url=/x", None),
            ("60", None),
            ("0; url=", None),
            ("0; url=javascript:x()", None),
            ("", None),
        ] {
            let found = links_of(&format!("<meta http-equiv=Refresh content='{content}'>"), 10);
            let refresh = found.refresh.as_ref().map(|it| (it.url.as_str(), it.after.as_secs()));
            assert_eq!(refresh, target, "{content}");
        }
    }

    #[test]
    fn a_million_links_and_a_huge_base_stay_bounded() {
        let many = "<a href=a>".repeat(500_000) + &"<a href=b>".repeat(500_000);
        let found = links_of(&many, 1);
        assert_eq!((found.links.len(), found.truncated), (1, true));
        let huge = format!("<base href='/{}/'>{}", "x".repeat(1 << 20), "<a href=y>".repeat(1000));
        assert_eq!(links_of(&huge, 10).links[0].url.as_str(), "https://gazette.example/news/y");
        let long = format!("<a href='/{}'>x</a><a href=y>", "x".repeat(1 << 20));
        assert_eq!(links_of(&long, 10).links.len(), 1);
    }
}
