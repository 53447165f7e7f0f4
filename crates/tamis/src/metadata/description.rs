//! Description, tags, categories and image: the most trustworthy declaration wins.

use tamis_html::Name;

use super::Metadata;
use super::candidate::comparison_key;
use super::view::View;
use crate::annotate::microdata::{text_of, value};
use crate::annotate::{MetaField, collapse};
use crate::text::url;

/// Tags and categories given.
const MAX_TAGS: usize = 40;
/// Bytes of a description.
const MAX_DESCRIPTION: usize = 4000;

/// Fills the fields.
pub(crate) fn fill(view: &View<'_>, metadata: &mut Metadata) {
    metadata.description = description(view);
    metadata.tags = list(view, MetaField::Tag, "keywords", false);
    metadata.categories = list(view, MetaField::Category, "articleSection", true);
    if let Some(hints) = view.context.hints.filter(|_| metadata.tags.is_empty()) {
        metadata.tags = hints.tags.clone();
    }
    metadata.image = image(view);
}

fn description(view: &View<'_>) -> Option<String> {
    let metas = view.head.metas(MetaField::Description).into_iter().map(|meta| meta.content.as_str());
    let mut texts = metas.chain(view.piece_text("description")).map(collapse).filter(|text| text.len() > 1);
    let mut text = texts.next()?;
    if text.len() > MAX_DESCRIPTION {
        let end = text[..text.floor_char_boundary(MAX_DESCRIPTION)].rfind(' ').unwrap_or(0);
        text.truncate(if end > 0 { end } else { text.floor_char_boundary(MAX_DESCRIPTION) });
    }
    Some(text)
}

/// Tags or categories from `meta`, JSON-LD and links with `rel=tag`.
fn list(view: &View<'_>, field: MetaField, key: &str, categories: bool) -> Vec<String> {
    let graph = &view.head.graph;
    let declared = view
        .piece
        .and_then(|piece| graph.get(piece, key))
        .map(|value| graph.items(value))
        .unwrap_or_default();
    let mut texts: Vec<String> = view.head.metas(field).iter().map(|meta| meta.content.clone()).collect();
    texts.extend(declared.iter().filter_map(|value| graph.text(*value)).map(str::to_owned));
    if texts.is_empty() {
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
    found
}

fn is_uuid(word: &str) -> bool {
    word.len() == 36 && word.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

fn image(view: &View<'_>) -> Option<String> {
    let graph = &view.head.graph;
    let mut links: Vec<String> =
        view.head.metas(MetaField::Image).iter().map(|meta| meta.content.clone()).collect();
    let image = view
        .piece
        .and_then(|piece| graph.get(piece, "image"))
        .and_then(|image| graph.items(image).first().copied());
    links.extend(
        image.and_then(|image| graph.text(image).or_else(|| graph.text_of(image, "url"))).map(str::to_owned),
    );
    let property =
        view.head.marked.properties.iter().find(|property| property.names.iter().any(|name| name == "image"));
    let property = property.and_then(|property| view.page.dom.node(property.at.node));
    links.extend(property.map(|node| {
        node.attribute_named(Name::SRC).map_or_else(|| value(node), |source| source.into_owned())
    }));
    links
        .iter()
        .filter(|link| !link.starts_with("data:"))
        .find_map(|link| url::resolve(view.base.as_ref(), link))
        .map(String::from)
}
