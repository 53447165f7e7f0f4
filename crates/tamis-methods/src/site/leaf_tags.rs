//! Leaf tags: elements with own text, the unit of a site's templates.

use std::borrow::Cow;

use tamis::page::Page;
use tamis::text::whitespace::collapse_whitespace;
use tamis_html::NodeId;

/// An element with own text, outside its child elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeafTag<'p> {
    /// The element.
    pub element: NodeId,
    /// Its tag name.
    pub name: &'p str,
    /// Its own text with white space collapsed, without the text of child elements.
    pub text: Cow<'p, str>,
}

/// The leaf tags of a page, in the order in which their elements were opened. Hidden text is left out.
pub fn leaf_tags<'p>(page: &'p Page<'_>) -> Vec<LeafTag<'p>> {
    let mut texts: Vec<(NodeId, NodeId, Option<&'p str>)> = Vec::with_capacity(page.blocks.text_nodes.len());
    for block in 0..page.blocks.len() {
        let nodes = page.blocks.text_nodes(block);
        // The text of a block with a single text node is already collapsed.
        let collapsed = (nodes.len() == 1).then(|| page.blocks.text(block));
        let parent = |id: NodeId| Some(page.dom.node(id)?.parent()?.id());
        texts.extend(nodes.iter().filter_map(|id| Some((parent(*id)?, *id, collapsed))));
    }
    // Groups the texts by element; stable, so their order is kept.
    texts.sort_by_key(|(parent, ..)| parent.index());
    let mut tags: Vec<LeafTag<'p>> = Vec::with_capacity(texts.len());
    for (parent, text, collapsed) in texts {
        if tags.last().is_none_or(|tag| tag.element != parent) {
            let Some(name) = page.dom.node(parent).and_then(|node| node.name()) else { continue };
            tags.push(LeafTag { element: parent, name, text: collapsed.unwrap_or_default().into() });
            if collapsed.is_some() {
                continue;
            }
        }
        if let (Some(tag), Some(node)) = (tags.last_mut(), page.dom.node(text)) {
            // A child element separates the two texts, so insert a space.
            let mut pending_space = !tag.text.is_empty();
            collapse_whitespace(&node.text(), tag.text.to_mut(), 0, &mut pending_space);
        }
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_text_excludes_that_of_child_elements() {
        for (html, expected) in [
            (
                "<div><p>By <b>Ann</b> today</p><p><i>Ha</i></p></div>",
                vec![("p", "By today"), ("b", "Ann"), ("i", "Ha")],
            ),
            ("<p> a\u{a0} \n b\u{200b}c　字 <b>x</b>", vec![("p", "a bc 字"), ("b", "x")]),
            ("<div>one<br>two<br></div><p hidden>no</p>", vec![("div", "one two")]),
            (" \n", vec![]),
        ] {
            let page = Page::parse(html);
            let tags = leaf_tags(&page);
            let tags: Vec<_> = tags.iter().map(|tag| (tag.name, &*tag.text)).collect();
            assert_eq!(tags, expected, "{html}");
        }
    }
}
