//! The leaf tags of a page: elements with text of their own, the unit in which a site's templates are learned.

use tamis_html::NodeId;

use crate::characters::{Class, class};
use crate::page::Page;

/// An element with text of its own, not only inside child elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeafTag<'p> {
    /// The element.
    pub element: NodeId,
    /// Its name.
    pub name: &'p str,
    /// Its own text, white space folded; the text of child elements is not part of it.
    pub text: String,
}

/// The leaf tags of a page, in the order in which their elements were opened. Text that is never shown is left out.
///
/// ```
/// use tamis::{Page, site::leaf_tags};
///
/// let page = Page::parse("<div><p>By <b>Ann</b> today</p><p><i>Ha</i></p></div>");
/// let tags: Vec<_> = leaf_tags(&page).into_iter().map(|tag| (tag.name, tag.text)).collect();
/// let expected = [("p", "By today"), ("b", "Ann"), ("i", "Ha")];
/// assert_eq!(tags, expected.map(|(name, text)| (name, text.to_owned())));
/// ```
pub fn leaf_tags<'p>(page: &'p Page<'_>) -> Vec<LeafTag<'p>> {
    let mut runs: Vec<(NodeId, NodeId)> = page
        .blocks()
        .iter()
        .flat_map(|block| page.runs(block))
        .filter_map(|run| Some((page.node(run.node).parent()?.id(), run.node)))
        .collect();
    // The texts of one element come together, in their order.
    runs.sort_by_key(|(parent, _)| parent.index());
    let mut tags: Vec<LeafTag<'p>> = Vec::new();
    for (parent, text) in runs {
        if tags.last().is_none_or(|tag| tag.element != parent) {
            let name = page.node(parent).name().unwrap_or_default();
            tags.push(LeafTag { element: parent, name, text: String::new() });
        }
        if let Some(tag) = tags.last_mut() {
            fold_into(&page.node(text).text(), &mut tag.text);
        }
    }
    tags
}

/// Adds a text with its white space folded. A child element stood between two texts, so white space does too.
fn fold_into(text: &str, into: &mut String) {
    let mut due = !into.is_empty();
    for character in text.chars() {
        if class(character) == Class::Space {
            due |= character.is_whitespace();
        } else {
            if due && !into.is_empty() {
                into.push(' ');
            }
            due = false;
            into.push(character);
        }
    }
}
