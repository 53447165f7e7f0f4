//! Description, tags, categories and image: the most trustworthy declaration wins.

use tamis_html::Name;

use super::candidate::{Evidence, comparison_key};
use super::view::View;
use super::{Field, Metadata};
use crate::annotate::microdata::{text_of, value};
use crate::annotate::{MetaField, collapse};
use crate::text::url;

/// Tags and categories given.
const MAX_TAGS: usize = 40;
/// Bytes of a description.
const MAX_DESCRIPTION: usize = 4000;

/// Fills the fields.
pub(crate) fn fill(view: &View<'_>, metadata: &mut Metadata) {
    if let Some((description, evidence)) = description(view) {
        metadata.description = Some(description);
        metadata.note(Field::Description, evidence, 0.9);
    }
    let (mut tags, mut evidence) = list(view, MetaField::Tag, "keywords", false);
    if let Some(hints) = view.context.hints.filter(|_| tags.is_empty()) {
        (tags, evidence) = (hints.tags.clone(), Evidence::Hint);
    }
    if !tags.is_empty() {
        metadata.tags = tags;
        metadata.note(Field::Tags, evidence, 0.8);
    }
    let (categories, evidence) = list(view, MetaField::Category, "articleSection", true);
    if !categories.is_empty() {
        metadata.categories = categories;
        metadata.note(Field::Categories, evidence, 0.8);
    }
    if let Some((image, evidence)) = image(view) {
        metadata.image = Some(image);
        metadata.note(Field::Image, evidence, 0.9);
    }
}

fn description(view: &View<'_>) -> Option<(String, Evidence)> {
    let metas = view.head.metas(MetaField::Description).into_iter();
    let metas = metas.map(|meta| (meta.content.as_str(), Evidence::Meta));
    let declared = view.piece_text("description").map(|text| (text, Evidence::JsonLd));
    let texts = metas.chain(declared).map(|(text, evidence)| (collapse(text), evidence));
    let (mut text, evidence) = texts.into_iter().find(|(text, _)| text.len() > 1)?;
    if text.len() > MAX_DESCRIPTION {
        let end = text[..text.floor_char_boundary(MAX_DESCRIPTION)].rfind(' ').unwrap_or(0);
        text.truncate(if end > 0 { end } else { text.floor_char_boundary(MAX_DESCRIPTION) });
    }
    Some((text, evidence))
}

/// Tags or categories from `meta`, JSON-LD and links with `rel=tag`.
fn list(view: &View<'_>, field: MetaField, key: &str, categories: bool) -> (Vec<String>, Evidence) {
    let graph = &view.head.graph;
    let declared = view
        .piece
        .and_then(|piece| graph.get(piece, key))
        .map(|value| graph.items(value))
        .unwrap_or_default();
    let mut texts: Vec<String> = view.head.metas(field).iter().map(|meta| meta.content.clone()).collect();
    let mut evidence = if texts.is_empty() { Evidence::JsonLd } else { Evidence::Meta };
    texts.extend(declared.iter().filter_map(|value| graph.text(*value)).map(str::to_owned));
    if texts.is_empty() {
        evidence = Evidence::Link;
        let is_own =
            |rel: &str| rel.split(' ').any(|rel| rel == "tag") && rel.contains("category") == categories;
        let links = view.head.marked.links.iter().filter(|(rel, _)| is_own(rel)).take(MAX_TAGS);
        let nodes = links.filter_map(|(_, at)| view.page.dom.node(at.node)).filter(|node| node.is(Name::A));
        texts.extend(nodes.map(|node| text_of(node, 80, true, |_| false)));
    }
    let (mut found, mut keys): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for part in texts.iter().flat_map(|text| text.split([',', ';', '，', '、', '；'])) {
        let part = collapse(part.trim_start_matches('#'));
        let key = comparison_key(&part);
        let is_tag = (2..=60).contains(&part.chars().count()) && !part.contains("://") && !is_uuid(&part);
        if is_tag && !key.is_empty() && !keys.contains(&key) && found.len() < MAX_TAGS {
            keys.push(key);
            found.push(part);
        }
    }
    (found, evidence)
}

fn is_uuid(word: &str) -> bool {
    word.len() == 36 && word.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

fn image(view: &View<'_>) -> Option<(String, Evidence)> {
    let graph = &view.head.graph;
    let metas = view.head.metas(MetaField::Image).into_iter();
    let mut links: Vec<(String, Evidence)> =
        metas.map(|meta| (meta.content.clone(), Evidence::Meta)).collect();
    let image = view.piece.and_then(|piece| graph.get(piece, "image"));
    let image = image.and_then(|image| graph.items(image).first().copied());
    let declared = image.and_then(|image| graph.text(image).or_else(|| graph.text_of(image, "url")));
    links.extend(declared.map(|link| (link.to_owned(), Evidence::JsonLd)));
    let property = view.head.marked.properties.iter().find(|property| property.names.contains(&"image"));
    let property = property.and_then(|property| view.page.dom.node(property.at.node));
    links.extend(property.map(|node| {
        let source = node.attribute_named(Name::SRC).map(|source| source.into_owned());
        (source.unwrap_or_else(|| value(node)), Evidence::Microdata)
    }));
    let links = links.iter().filter(|(link, _)| !link.starts_with("data:"));
    let mut found =
        links.filter_map(|(link, evidence)| Some((url::resolve(view.base.as_ref(), link)?, *evidence)));
    found.next().map(|(link, evidence)| (String::from(link), evidence))
}
