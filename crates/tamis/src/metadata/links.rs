//! Addresses that belong to a page: its own, the next page, comments, feeds, the licence.

use ::url::Url;
use tamis_html::{Name, NodeRef};

use super::candidate::Evidence;
use super::lexicon::phrases;
use super::view::View;
use super::{Field, Metadata};
use crate::annotate::MetaField;
use crate::annotate::microdata::text_of;
use crate::text::characters::lowercase;
use crate::text::lexicon::{CLASS_COMMENT, COMMENT};
use crate::text::url;

/// Links with text that are looked at around the end of the text.
const MAX_BLOCKS_BEHIND: usize = 60;
const MAX_FEEDS: usize = 20;
/// Longer texts of links are sentences, in bytes.
const MAX_TEXT: usize = 60;
/// Elements around a link that may be a place for comments.
const MAX_COMMENT_ANCESTORS: usize = 4;

/// A link in the page.
struct Link {
    text: String,
    target: Url,
}

/// Fills the fields.
pub(crate) fn fill(view: &View<'_>, metadata: &mut Metadata) {
    let resolve = |href: &str| url::resolve(view.base.as_ref(), href);
    let mut next: Vec<(Url, Evidence, f32)> = Vec::new();
    for (rel, at) in &view.head.marked.links {
        // Most lead to styles and images.
        let is_own = |word: &str| matches!(word, "canonical" | "next" | "license" | "replies" | "alternate");
        if !rel.split_ascii_whitespace().any(is_own) {
            continue;
        }
        let Some(node) = view.page.dom.node(at.node) else { continue };
        let Some(target) = node.attribute_named(Name::HREF).and_then(|href| resolve(&href)) else { continue };
        let is_link = node.is(Name::LINK);
        for word in rel.split_ascii_whitespace() {
            match word {
                "canonical" if is_link && metadata.canonical.is_none() => {
                    metadata.canonical = Some(target.to_string());
                    metadata.note(Field::Canonical, Evidence::Link, 0.95);
                }
                // On most pages it leads to the next story.
                "next"
                    if leads_on(view, &target)
                        || (says_next(node_text(node).trim().to_lowercase().as_str())
                            && may_lead_on(view, &target)) =>
                {
                    next.push((target.clone(), Evidence::Link, 0.95));
                }
                "license" if metadata.licence.is_none() && !in_figure(node) => {
                    metadata.licence = Some(target.to_string());
                    metadata.note(Field::Licence, Evidence::Link, 0.9);
                }
                "replies" if metadata.comments_page.is_none() && leads_away(view, &target) => {
                    metadata.comments_page = Some(target.to_string());
                }
                "alternate" if is_link && is_feed(node) && metadata.feeds.len() < MAX_FEEDS => {
                    metadata.feeds.push(target.to_string());
                }
                _ => {}
            }
        }
    }
    metadata.feeds.dedup();
    if metadata.canonical.is_none() {
        let metas = view.head.metas(MetaField::Url);
        if let Some(target) = metas.iter().find_map(|meta| resolve(&meta.content)) {
            metadata.canonical = Some(String::from(target));
            metadata.note(Field::Canonical, Evidence::Meta, 0.85);
        }
    }
    if let Some((licence, evidence)) = licence(view).filter(|_| metadata.licence.is_none()) {
        metadata.licence = Some(licence);
        metadata.note(Field::Licence, evidence, 0.8);
    }
    if !metadata.feeds.is_empty() {
        metadata.note(Field::Feeds, Evidence::Link, 0.95);
    }
    let links = links_around(view);
    if let Some((target, evidence, confidence)) =
        next.into_iter().next().or_else(|| labelled_next(view, &links))
    {
        metadata.next_page = Some(target.to_string());
        metadata.note(Field::NextPage, evidence, confidence);
    }
    if metadata.comments_page.is_none() {
        let target =
            view.piece_text("discussionUrl").and_then(resolve).filter(|target| leads_away(view, target));
        metadata.comments_page = target.or_else(|| labelled_comments(view)).map(String::from);
    }
    if metadata.comments_page.is_some() {
        metadata.note(Field::CommentsPage, Evidence::Link, 0.8);
    }
}

fn node_text(node: NodeRef<'_>) -> String {
    let text = text_of(node, MAX_TEXT, true, |_| false);
    let said = || [Name::TITLE, Name::ARIA_LABEL].into_iter().find_map(|name| node.attribute_named(name));
    if text.is_empty() { said().unwrap_or_default().into_owned() } else { text }
}

fn is_feed(node: NodeRef<'_>) -> bool {
    let kind = node.attribute_named(Name::TYPE).unwrap_or_default().to_ascii_lowercase();
    ["rss+xml", "atom+xml", "feed+json", "rdf+xml"].iter().any(|it| kind.contains(it))
}

fn in_figure(node: NodeRef<'_>) -> bool {
    node.ancestors().take(6).any(|it| it.is(Name::FIGURE) || it.is(Name::FIGCAPTION))
}

/// Whether a target is the next page of this one by its address.
fn leads_on(view: &View<'_>, target: &Url) -> bool {
    view.url.as_ref().is_some_and(|own| url::continues(own, target))
}

/// Whether a target may be: of the same site, another page, and no earlier one.
fn may_lead_on(view: &View<'_>, target: &Url) -> bool {
    let Some(own) = &view.url else { return true };
    let ((base, from), (next, to)) = (url::without_page(own), url::without_page(target));
    url::same_site(own, target) && !url::same_page(own, target) && (base != next || to >= from)
}

fn leads_away(view: &View<'_>, target: &Url) -> bool {
    match &view.url {
        Some(own) => !url::same_page(own, target),
        None => target.fragment().is_none(),
    }
}

/// Whether the text of a link, in lowercase, says "next page".
fn says_next(text: &str) -> bool {
    phrases("next_page").at_start(text, |phrase| !phrase.flags.alone).is_some()
}

/// Links with short texts behind the text, and in pagers anywhere.
fn links_around(view: &View<'_>) -> Vec<Link> {
    let blocks = &view.page.blocks;
    let last = view.text.map_or(0, |(_, last)| last);
    let (mut links, mut last_link) = (Vec::new(), None);
    for block in last.saturating_sub(1)..blocks.len().min(last + MAX_BLOCKS_BEHIND) {
        if blocks.links[block] == 0 || blocks.text(block).len() > 300 {
            continue;
        }
        for id in blocks.text_nodes(block).iter().take(40) {
            let Some(node) = view.page.dom.node(*id) else { continue };
            let Some(link) = node.ancestors().take(6).find(|it| it.is(Name::A)) else { continue };
            if last_link.replace(link) == Some(link) || !may_start_next(node.text().trim_start()) {
                continue;
            }
            let text = lowercase(node_text(link).trim()).into_owned();
            if !may_say_next(&text) {
                continue;
            }
            let target = link.attribute_named(Name::HREF);
            if let Some(target) = target.and_then(|href| url::resolve(view.base.as_ref(), &href)) {
                links.push(Link { text, target });
            }
        }
    }
    links
}

/// A link of its own behind the text that names comments, in a place for comments or with their number.
fn labelled_comments(view: &View<'_>) -> Option<Url> {
    let (page, labels) = (view.page, &view.annotations.labels);
    let blocks = &page.blocks;
    let (_, last) = view.text?;
    let is_place = |block: usize| {
        let parent = |row: &u32| page.elements.parent.get(*row as usize).copied();
        let rows = std::iter::successors(Some(blocks.element[block]), parent).take(MAX_COMMENT_ANCESTORS);
        let classes = rows.filter_map(|row| page.elements.class.get(row as usize)).flatten();
        classes.into_iter().any(|id| page.classes.entries[*id as usize].concepts & CLASS_COMMENT != 0)
    };
    let names_comments = |block: &usize| {
        let text = blocks.text(*block);
        labels.categories[*block] & COMMENT != 0
            && text.len() <= MAX_TEXT
            && blocks.link_share(*block) > 0.5
            && (is_place(*block) || text.contains(|c: char| c.is_ascii_digit()))
    };
    let target = |block: usize| {
        let node = page.dom.node(*blocks.text_nodes(block).first()?)?;
        let link = node.ancestors().take(6).find(|it| it.is(Name::A))?;
        url::resolve(view.base.as_ref(), &link.attribute_named(Name::HREF)?)
    };
    let may_be = |target: &Url| {
        leads_away(view, target) && view.url.as_ref().is_none_or(|own| url::same_site(own, target))
    };
    let until = blocks.len().min(last + MAX_BLOCKS_BEHIND);
    let mut targets: Vec<Url> =
        (last + 1..until).filter(names_comments).filter_map(target).filter(may_be).collect();
    targets.dedup();
    // Several pages have the comments of several stories.
    (targets.len() == 1).then(|| targets.remove(0))
}

fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| !c.is_alphanumeric())
}

fn is_number(text: &str) -> bool {
    (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text may be that of a link to the next page: words for it, an arrow, a number.
fn may_say_next(text: &str) -> bool {
    let is_arrow = matches!(text, ">" | "»" | "›" | "→" | ">>");
    is_arrow || is_number(bare(text)) || says_next(text) || phrases("next_page").contains(bare(text))
}

/// Whether the first text of a link may be the start of one that [`may_say_next`] takes; a cheap test that others pass.
fn may_start_next(text: &str) -> bool {
    let mut start = [0; 2];
    start.iter_mut().zip(text.bytes()).for_each(|(own, byte)| *own = byte.to_ascii_lowercase());
    !start[0].is_ascii_alphabetic() || phrases("next_page").starts().may_start(&start)
}

/// A link whose text says that it leads to the next page.
fn labelled_next(view: &View<'_>, links: &[Link]) -> Option<(Url, Evidence, f32)> {
    let is_next = |link: &&Link| {
        if is_number(bare(&link.text)) {
            return leads_on(view, &link.target);
        }
        may_lead_on(view, &link.target) && (says_next(&link.text) || is_second_or_next(view, &link.target))
    };
    links.iter().find(is_next).map(|link| (link.target.clone(), Evidence::Link, 0.8))
}

fn is_second_or_next(view: &View<'_>, target: &Url) -> bool {
    match &view.url {
        Some(own) => {
            url::continues(own, target) || url::without_page(target).1 == url::without_page(own).1 + 1
        }
        None => url::without_page(target).1 == 2,
    }
}

/// The licence that data declare, by address or by name.
fn licence(view: &View<'_>) -> Option<(String, Evidence)> {
    let declared = view.piece_text("license").map(|text| (text, Evidence::JsonLd));
    let metas = view.head.metas(MetaField::Licence).into_iter();
    let metas = metas.map(|meta| (meta.content.as_str(), Evidence::Meta));
    // Whole paragraphs on rights are no name of a licence.
    let named = declared.into_iter().chain(metas).find(|(text, _)| text.chars().count() <= 120);
    let (text, evidence) = named?;
    let is_words = text.contains(char::is_whitespace) || !text.contains(['/', '.']);
    let licence =
        if is_words { text.to_owned() } else { url::resolve(view.base.as_ref(), text).map(String::from)? };
    Some((licence, evidence))
}
