//! Authors that data declare: JSON-LD, `meta`, microdata and links with `rel=author`.

use tamis_html::{Name, NodeRef};

use super::author::AuthorSign::*;
use super::author::{AuthorPool, add, add_byline, add_names, people_of};
use super::candidate::Evidence;
use super::names::{self, people};
use super::not_people;
use super::view::View;
use crate::annotate::MetaField;
use crate::annotate::json_ld::SchemaRole;
use crate::annotate::microdata::{Marked, text_of, value};

/// Values read.
const MAX_VALUES: usize = 100;
/// Longer values are texts, in bytes.
const MAX_VALUE: usize = 160;

pub(super) fn from_json_ld(view: &View<'_>, pool: &mut AuthorPool, editors: &mut Vec<String>) {
    let (Some(piece), graph) = (view.piece, &view.head.graph) else { return };
    let values = |key: &str| graph.get(piece, key).map(|value| graph.items(value)).unwrap_or_default();
    let authors = if graph.get(piece, "author").is_some() { values("author") } else { values("creator") };
    let (mut everybody, mut are_people, mut others) = (Vec::new(), true, Vec::new());
    for author in authors.into_iter().take(MAX_VALUES) {
        let role = graph.role(author);
        for name in
            graph.names(author).into_iter().take(names::MAX_NAMES).filter(|name| name.len() <= MAX_VALUE)
        {
            let found = people_of(view, &name);
            // Templates declare some people organisations.
            let is_organisation = role == Some(SchemaRole::Organisation)
                && !found.iter().all(|name| names::has_given_name(name));
            if is_organisation || found.is_empty() {
                // "author": "Reuters"
                let house = role.is_none() && not_people::is_organisation(&name);
                others.push((name, if house { Some(SchemaRole::Organisation) } else { role }));
            } else {
                are_people &= role == Some(SchemaRole::Person);
                everybody.extend(found);
            }
        }
    }
    everybody.dedup();
    if everybody.is_empty() {
        for (name, role) in others.iter().take(2) {
            let sign = match role {
                Some(SchemaRole::Organisation) => JsonOrganisation,
                Some(SchemaRole::Person) => JsonNoPerson,
                _ => JsonOther,
            };
            if sign == JsonOrganisation {
                add_byline(pool, name, sign, Evidence::JsonLd);
            } else {
                add(view, pool, name, sign, Evidence::JsonLd);
            }
        }
    } else {
        let sign = if are_people { JsonPerson } else { JsonOther };
        add_names(pool, everybody, sign, Evidence::JsonLd);
    }
    for editor in values("editor").into_iter().take(names::MAX_NAMES) {
        if graph.role(editor) != Some(SchemaRole::Organisation) {
            editors.extend(graph.names(editor).iter().flat_map(|name| people(name)));
        }
    }
}

/// `meta` elements; several of one key name several authors.
pub(super) fn from_metas(view: &View<'_>, pool: &mut AuthorPool) {
    let metas = view.head.metas(MetaField::Author);
    let mut done: Vec<&str> = Vec::new();
    for meta in metas.iter().take(MAX_VALUES) {
        if done.contains(&meta.key.as_str()) {
            continue;
        }
        let sign = if meta.priority >= 6 { MetaStrong } else { MetaWeak };
        let same = metas.iter().filter(|it| it.key == meta.key).take(names::MAX_NAMES);
        let mut all: Vec<String> = Vec::new();
        for name in same.flat_map(|it| people_of(view, &it.content)) {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        if all.len() > 1 {
            add_names(pool, all, sign, Evidence::Meta);
            done.push(&meta.key);
        } else {
            add(view, pool, &meta.content, sign, Evidence::Meta);
        }
    }
}

/// Microdata and links with `rel=author`, near the text.
pub(super) fn from_marked(view: &View<'_>, pool: &mut AuthorPool) {
    let node = |at: &Marked| {
        let node = view.page.dom.node(at.node);
        node.filter(|node| node.is(Name::META) || view.is_near(at.block as usize))
    };
    let mut texts: Vec<String> = Vec::new();
    for property in &view.head.marked.properties {
        let is_author = property.names.iter().any(|name| matches!(*name, "author" | "creator"));
        if !is_author || property.scope == Some(SchemaRole::Foreign) {
            continue;
        }
        let Some(node) = node(&property.at) else { continue };
        let inner = node.descendants().take(60).find(|it| {
            let name = it
                .is_element()
                .then(|| it.attribute_named(Name::ITEMPROP).or_else(|| it.attribute_named(Name::PROPERTY)));
            name.flatten().is_some_and(|name| name.trim() == "name")
        });
        let text = value(inner.unwrap_or(node));
        if text.len() <= MAX_VALUE && !texts.contains(&text) {
            texts.push(text);
        }
    }
    // More are those of a thread, or of the works that a paper cites.
    if texts.len() <= 3 {
        let all: Vec<String> = texts.iter().flat_map(|text| people(text)).collect();
        if all.is_empty() {
            texts.iter().take(1).for_each(|text| {
                add(view, pool, text, Microdata, Evidence::Microdata);
            });
        } else {
            add_names(pool, all, Microdata, Evidence::Microdata);
        }
    }
    let is_author = |rel: &str| rel.split_ascii_whitespace().any(|rel| rel == "author");
    let links = view.head.marked.links.iter().filter(|(rel, _)| is_author(rel));
    let links = links.filter_map(|(_, at)| node(at).filter(|node| node.is(Name::A)));
    let mut linked: Vec<(NodeRef<'_>, String)> = Vec::new();
    for link in links.take(MAX_VALUES) {
        let text = text_of(link, MAX_VALUE, true, |_| false);
        // Those of one line wrote it together.
        let parent = |node: NodeRef<'_>| node.parent().map(|parent| parent.id());
        let is_beside = linked.first().is_none_or(|(first, _)| parent(*first) == parent(link));
        if !text.is_empty() && is_beside && !linked.iter().any(|(_, known)| *known == text) {
            linked.push((link, text));
        }
    }
    let all: Vec<String> = linked.iter().flat_map(|(_, text)| people(text)).collect();
    match (all.is_empty(), linked.first()) {
        (false, _) => _ = add_names(pool, all, RelAuthor, Evidence::Link),
        (true, Some((_, text))) => _ = add(view, pool, text, RelAuthor, Evidence::Link),
        _ => {}
    }
}
