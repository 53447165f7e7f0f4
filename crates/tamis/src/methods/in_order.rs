//! The elements of a page one behind the other, in page order, and where each text stands among them.
//!
//! Most methods look at every element and at the texts that can be seen. A walk of the tree meets all texts and comments,
//! and everything twice; here it is gone once for all methods, which then go through a list.

use std::ops::Range;

use tamis_html::{Name, Namespace, NodeId};

use crate::page::Page;

/// No place.
pub(crate) const NONE: u32 = u32::MAX;

/// An element in the list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) id: NodeId,
    pub(crate) name: Name,
    /// The place of the nearest element around it, or [`NONE`].
    pub(crate) parent: u32,
    /// How many elements are around it.
    pub(crate) depth: u32,
    /// The elements in it, itself included: they follow it in the list.
    pub(crate) size: u32,
    /// Is it an element of HTML, not of a picture or a formula?
    pub(crate) is_html: bool,
    /// Is the element around it its parent? The content of a `template` stands in between.
    pub(crate) is_child: bool,
}

impl Entry {
    /// Is it an HTML element of this name?
    #[inline]
    pub(crate) fn is(&self, name: Name) -> bool {
        self.name == name && self.is_html
    }
}

/// Where a [run](crate::Run) of the page stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunPlace {
    /// The place of the nearest element around it, or [`NONE`].
    pub(crate) nearest: u32,
    /// The same where that is its parent; else [`NONE`].
    pub(crate) parent: u32,
}

/// The elements of a page.
#[derive(Clone, Debug)]
pub(crate) struct InOrder {
    pub(crate) list: Vec<Entry>,
    /// Where `body` stands, with all in it; everything on pages without one.
    pub(crate) body: Range<usize>,
    /// Is there a `body`?
    pub(crate) has_body: bool,
    /// For each node its place in the list; none for those that are no elements.
    places: Vec<u32>,
    /// For each run of the page, in their order.
    runs: Vec<RunPlace>,
}

impl InOrder {
    pub(crate) fn of(page: &Page<'_>) -> InOrder {
        let dom = page.dom();
        let mut places = vec![NONE; dom.len()];
        // About a third of the nodes of pages are elements; rather some more than to copy the list.
        let mut list: Vec<Entry> = Vec::with_capacity(dom.len() / 2 + 1);
        for node in dom.root().descendants() {
            let Some(name) = node.name_id() else { continue };
            let above = node.parent().map_or(NONE, |parent| places[parent.id().index()]);
            let is_child = above != NONE;
            // Something else than an element is its parent: the page, or the content of a template.
            let parent = if is_child { above } else { nearest(&places, node.ancestors().map(|it| it.id())) };
            let depth = list.get(parent as usize).map_or(0, |parent| parent.depth + 1);
            places[node.id().index()] = list.len() as u32;
            let is_html = node.namespace() == Namespace::Html;
            list.push(Entry { id: node.id(), name, parent, depth, size: 1, is_html, is_child });
        }
        // Children stand behind their parents: backwards, each is complete before it is added to its parent.
        for place in (0..list.len()).rev() {
            let Entry { parent, size, .. } = list[place];
            if let Some(parent) = list.get_mut(parent as usize) {
                parent.size += size;
            }
        }
        let body = dom.body().map(|body| places[body.id().index()] as usize);
        let has_body = body.is_some_and(|body| body < list.len());
        let body = match body.and_then(|body| Some((body, list.get(body)?.size as usize))) {
            Some((start, size)) => start..start + size,
            None => 0..list.len(),
        };
        let run_place = |node: NodeId| {
            let parent = page.node(node).parent().map_or(NONE, |parent| places[parent.id().index()]);
            let around = || nearest(&places, page.node(node).ancestors().map(|it| it.id()));
            RunPlace { nearest: if parent == NONE { around() } else { parent }, parent }
        };
        let runs = page.all_runs().iter().map(|run| run_place(run.node)).collect();
        InOrder { list, body, has_body, places, runs }
    }

    /// The place of an element; [`NONE`] for nodes of other kinds.
    #[inline]
    pub(crate) fn place(&self, id: NodeId) -> u32 {
        self.places.get(id.index()).copied().unwrap_or(NONE)
    }

    /// Where the runs of a block stand, in their order.
    #[inline]
    pub(crate) fn runs(&self, block: &crate::block::Block) -> &[RunPlace] {
        &self.runs[block.runs.clone()]
    }
}

/// The place of the first of some nodes that has one.
fn nearest(places: &[u32], mut nodes: impl Iterator<Item = NodeId>) -> u32 {
    nodes.find_map(|id| places.get(id.index()).copied().filter(|place| *place != NONE)).unwrap_or(NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_with_what_is_around_them_and_in_them() {
        let page = Page::parse("<title>t</title><body><ul><li>a<li><b>c</b></ul><template><p>d</template>e");
        let in_order = InOrder::of(&page);
        let name = |entry: &Entry| page.node(entry.id).name().unwrap();
        let seen: Vec<_> = in_order.list.iter().map(|it| (name(it), it.depth, it.size)).collect();
        assert_eq!(seen[..3], [("html", 0, 10), ("head", 1, 2), ("title", 2, 1)]);
        assert_eq!(seen[3..7], [("body", 1, 7), ("ul", 2, 4), ("li", 3, 1), ("li", 3, 2)]);
        assert_eq!(seen[7..], [("b", 4, 1), ("template", 2, 2), ("p", 3, 1)]);
        assert!(in_order.has_body && in_order.body == (3..10));
        let p = in_order.list[9];
        assert_eq!((p.parent, p.is_child, in_order.list[8].is_child), (8, false, true));
        assert!(p.is(Name::P) && in_order.place(p.id) == 9);
        for block in page.blocks() {
            for (run, place) in page.runs(block).iter().zip(in_order.runs(block)) {
                let parent = page.node(run.node).parent().unwrap().id();
                assert_eq!(place.parent, in_order.place(parent));
                assert_eq!(place.nearest, place.parent);
            }
        }
    }

    #[test]
    fn a_text_right_in_a_template_has_an_element_around_it_but_no_parent_that_is_one() {
        let page = Page::parse("<body><div>a</div><template>text</template>");
        let in_order = InOrder::of(&page);
        let template = in_order.list.iter().position(|entry| entry.is(Name::TEMPLATE)).unwrap() as u32;
        let block = page.blocks().iter().find(|block| page.text(block) == "text").unwrap();
        let place = in_order.runs(block)[0];
        assert_eq!((place.nearest, place.parent), (template, NONE));
    }
}
