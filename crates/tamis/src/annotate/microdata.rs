//! Elements that say what they are: microdata and RDFa properties, `time`, links with `rel`, classes of bylines and dates.

use tamis_html::{Name, NodeId, NodeKind, NodeRef, Step};

use super::json_ld::{SchemaRole, schema_role};
use crate::page::{Marking, Page, is_ruby_annotation};
use crate::text::lexicon::{CLASS_AUTHOR, CLASS_DATE, CLASS_TOKENS};
use crate::text::whitespace::collapse_whitespace;

/// Elements kept of each kind.
const MAX_ELEMENTS: usize = 400;
/// Words of `rel` that metadata ask for.
const RELS: [&str; 8] = ["canonical", "next", "license", "replies", "alternate", "author", "tag", "category"];
/// Properties that metadata ask for.
const PROPERTIES: [&str; 13] = [
    "headline",
    "author",
    "creator",
    "image",
    "datepublished",
    "published",
    "issued",
    "pubdate",
    "datecreated",
    "date",
    "uploaddate",
    "datemodified",
    "modified",
];
/// Ancestors searched for the item that a property belongs to.
const MAX_ANCESTORS: usize = 64;

/// An element of interest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marked {
    pub(crate) node: NodeId,
    /// The first block at or after the start of the element.
    pub(crate) block: u32,
}

impl Marked {
    fn of(page: &Page<'_>, node: NodeRef<'_>) -> Marked {
        let start = node.span().map_or(0, |span| span.start);
        let block = page.blocks.span.partition_point(|span| span.start < start) as u32;
        Marked { node: node.id(), block }
    }
}

/// A microdata or RDFa property.
#[derive(Debug)]
pub(crate) struct Property {
    /// Its names among [`PROPERTIES`].
    pub(crate) names: Vec<&'static str>,
    pub(crate) at: Marked,
    /// The type of the item that it belongs to.
    pub(crate) scope: Option<SchemaRole>,
}

/// Elements that say what they are, in document order.
#[derive(Debug, Default)]
pub(crate) struct MarkedElements {
    pub(crate) properties: Vec<Property>,
    pub(crate) times: Vec<Marked>,
    /// `a` and `link` elements whose `rel` says something of the page.
    pub(crate) links: Vec<(String, Marked)>,
    /// Elements whose class names an author or a date.
    pub(crate) author_classes: Vec<Marked>,
    pub(crate) date_classes: Vec<Marked>,
    pub(crate) base: Option<String>,
}

impl MarkedElements {
    /// Collects the elements that segmentation found.
    pub(crate) fn collect(page: &Page<'_>) -> MarkedElements {
        let mut found = MarkedElements::default();
        for (count, (id, marking)) in page.head.marked.iter().enumerate() {
            if count % 4096 == 4095 && page.deadline_exceeded() {
                break;
            }
            let of_class = match marking {
                Marking::Class(class) => Some(page.classes.concepts(*class)),
                _ => None,
            };
            if of_class.is_some_and(|concepts| concepts & (CLASS_AUTHOR | CLASS_DATE) == 0) {
                continue;
            }
            let Some(node) = page.dom.node(*id) else { continue };
            match of_class {
                Some(concepts) => found.add_class(page, node, concepts),
                None => found.add(page, node),
            }
            if matches!(marking, Marking::Unread) {
                node.descendants().for_each(|below| found.add(page, below));
            }
        }
        found
    }

    fn add_class(&mut self, page: &Page<'_>, node: NodeRef<'_>, concepts: u32) {
        // Classes of the whole page speak of no part of it.
        if matches!(node.name_id(), Some(Name::BODY | Name::HTML)) {
            return;
        }
        for (concept, list) in
            [(CLASS_AUTHOR, &mut self.author_classes), (CLASS_DATE, &mut self.date_classes)]
        {
            if concepts & concept != 0 && list.len() < MAX_ELEMENTS {
                list.push(Marked::of(page, node));
            }
        }
    }

    fn add(&mut self, page: &Page<'_>, node: NodeRef<'_>) {
        let Some(name) = node.name_id() else { return };
        let at = || Marked::of(page, node);
        if name == Name::TIME && self.times.len() < MAX_ELEMENTS {
            self.times.push(at());
        }
        for attribute in node.attributes() {
            match attribute.name_id() {
                // A picture holds no text that its class could speak of.
                Name::CLASS if !matches!(name, Name::IMG | Name::BR) => {
                    let value = attribute.value();
                    let class = page.classes.get(&value);
                    let concepts = |class| page.classes.concepts(class);
                    self.add_class(page, node, class.map_or_else(|| CLASS_TOKENS.bits(&value), concepts));
                }
                Name::ITEMPROP | Name::PROPERTY => {
                    // Open Graph uses `property` as well; the meta reader has those.
                    let is_meta = name == Name::META && attribute.name_id() == Name::PROPERTY;
                    if !is_meta && self.properties.len() < MAX_ELEMENTS {
                        let value = attribute.value();
                        let names: Vec<&str> =
                            value.split_ascii_whitespace().take(4).filter_map(property).collect();
                        if !names.is_empty() {
                            self.properties.push(Property { names, at: at(), scope: scope(node) });
                        }
                    }
                }
                Name::REL if matches!(name, Name::A | Name::LINK) && self.links.len() < MAX_ELEMENTS => {
                    let rel = attribute.value();
                    let is_known = |word: &str| RELS.iter().any(|known| known.eq_ignore_ascii_case(word));
                    if rel.split_ascii_whitespace().any(is_known) {
                        self.links.push((rel.to_ascii_lowercase(), at()));
                    }
                }
                Name::HREF if name == Name::BASE && self.base.is_none() => {
                    self.base = Some(attribute.value().into_owned());
                }
                _ => {}
            }
        }
    }
}

/// The property of a name with or without a prefix.
fn property(name: &str) -> Option<&'static str> {
    let name = name.rsplit([':', '/']).next().unwrap_or(name);
    PROPERTIES.into_iter().find(|known| known.eq_ignore_ascii_case(name))
}

/// The role of the item around a property.
fn scope(node: NodeRef<'_>) -> Option<SchemaRole> {
    let types = node.ancestors().take(MAX_ANCESTORS).filter(NodeRef::is_element);
    let types = types
        .filter_map(|it| it.attribute_named(Name::ITEMTYPE).or_else(|| it.attribute_named(Name::TYPEOF)));
    types.map(|value| schema_role(&value)).next().flatten()
}

/// The value of a property: what it carries for machines, else its text.
pub(crate) fn value(node: NodeRef<'_>) -> String {
    let carried = [Name::CONTENT, Name::DATETIME].iter().find_map(|name| node.attribute_named(*name));
    match carried.filter(|value| !value.trim().is_empty()) {
        Some(value) => value.into_owned(),
        None => text_of(node, 400, true, |inner| inner.is(Name::BUTTON)),
    }
}

/// The collapsed text of a node, up to `max` bytes, without the elements that `skip` names. Inline elements join the
/// words around them unless they are `apart`.
pub(crate) fn text_of(
    node: NodeRef<'_>,
    max: usize,
    apart: bool,
    skip: impl Fn(NodeRef<'_>) -> bool,
) -> String {
    let mut text = String::with_capacity(max.min(80));
    let mut pending_space = false;
    let mut walk = node.walk();
    while let Some(step) = walk.next() {
        match step {
            Step::Enter(inner) if inner.kind() == NodeKind::Text => {
                collapse_whitespace(&inner.text(), &mut text, 0, &mut pending_space);
                if text.len() > max {
                    break;
                }
            }
            Step::Enter(inner) if inner.is_element() => {
                let is_unread = inner.name_id().is_some_and(|name| {
                    matches!(name, Name::SCRIPT | Name::STYLE | Name::TEMPLATE)
                        || is_ruby_annotation(name, inner)
                });
                if is_unread || (inner != node && skip(inner)) {
                    walk.skip_below();
                }
                pending_space |= apart || is_block(inner);
            }
            Step::Leave(inner) if inner.is_element() => pending_space |= apart || is_block(inner),
            _ => {}
        }
    }
    text.truncate(text.floor_char_boundary(max));
    text
}

fn is_block(node: NodeRef<'_>) -> bool {
    matches!(node.name_id(), Some(Name::BR | Name::DIV | Name::P | Name::LI | Name::TD | Name::BUTTON))
}
