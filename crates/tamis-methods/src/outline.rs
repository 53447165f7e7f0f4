//! The rendered elements of a page in document order, and the texts of its blocks with their parent elements.
//!
//! The element table of [`Page`] has block-level elements only; the papers measure every element.

use std::collections::BTreeSet;
use std::ops::Range;

use tamis::page::{HiddenBy, Page};
use tamis::text::characters::Counts;
use tamis_html::{Name, Namespace, NodeId, NodeRef, Step};

/// Sentinel for "no element".
pub(crate) const NONE: u32 = u32::MAX;

/// Nodes between two checks of the deadline.
const NODES_PER_DEADLINE_CHECK: u32 = 4096;

/// A rendered element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    pub(crate) id: NodeId,
    pub(crate) name: Name,
    pub(crate) parent: u32,
    /// Its subtree is `e..end`.
    pub(crate) end: u32,
    pub(crate) depth: u32,
    pub(crate) is_html: bool,
    /// Whether it is an `a` with an `href`.
    pub(crate) is_link: bool,
    pub(crate) in_link: bool,
}

impl Element {
    pub(crate) fn is(&self, name: Name) -> bool {
        self.name == name && self.is_html
    }
}

/// A text of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text {
    /// Its parent, or [`NONE`].
    pub(crate) element: u32,
    /// Non-whitespace characters.
    pub(crate) characters: u32,
    pub(crate) in_link: bool,
}

/// Elements and texts of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    pub(crate) elements: Vec<Element>,
    /// Parallel to `page.blocks.text_nodes`.
    pub(crate) texts: Vec<Text>,
    /// The rows of `body` and its subtree; all rows on a page without one.
    pub(crate) body: Range<usize>,
    pub(crate) has_body: bool,
    /// The row of each node, or [`NONE`].
    rows: Vec<u32>,
}

impl Outline {
    pub(crate) fn of(page: &Page<'_>) -> Outline {
        Outline::counting(page, |text| Counts::of(text).characters)
    }

    /// Like [`Outline::of`], with a custom count of the characters of a text.
    pub(crate) fn counting(page: &Page<'_>, count: impl Fn(&str) -> u32) -> Outline {
        let mut outline = Outline { rows: vec![NONE; page.dom.len()], ..Outline::default() };
        outline.collect_elements(page);
        let elements = &outline.elements;
        let body = elements.iter().position(|element| element.is(Name::BODY));
        outline.has_body = body.is_some();
        outline.body = body.map_or(0..elements.len(), |body| body..elements[body].end as usize);
        let texts = page.blocks.text_nodes.iter().filter_map(|id| page.dom.node(*id));
        let text = |text: NodeRef<'_>| {
            let element = text.parent().map_or(NONE, |parent| outline.row(parent.id()));
            let in_link = elements.get(element as usize).is_some_and(|element| element.in_link);
            Text { element, characters: count(&text.text()), in_link }
        };
        outline.texts = texts.map(text).collect();
        outline
    }

    fn collect_elements(&mut self, page: &Page<'_>) {
        // On pages that are mostly hidden, blocks include text hidden by markup.
        let shown: BTreeSet<HiddenBy> = page.blocks.hidden.iter().copied().flatten().collect();
        let hidden = page.hidden.iter().filter(|hidden| !shown.contains(&hidden.by));
        let mut hidden = hidden.map(|hidden| hidden.node).peekable();
        let mut open: Vec<u32> = Vec::new();
        walk(page, |step| {
            let next = self.elements.len() as u32;
            match step {
                Step::Enter(node) => {
                    let is_hidden = hidden.next_if_eq(&node.id()).is_some();
                    let Some(name) = node.name_id() else { return true };
                    if is_hidden || is_never_rendered(name, node) {
                        return false;
                    }
                    self.rows[node.id().index()] = next;
                    let parent = open.last().copied().unwrap_or(NONE);
                    self.elements.push(self.element(node, name, parent, open.len() as u32));
                    open.push(next);
                }
                Step::Leave(node) => {
                    let row = self.row(node.id());
                    if let Some(element) = self.elements.get_mut(row as usize) {
                        element.end = next;
                        open.pop();
                    }
                }
            }
            true
        });
        for row in open {
            self.elements[row as usize].end = self.elements.len() as u32;
        }
    }

    fn element(&self, node: NodeRef<'_>, name: Name, parent: u32, depth: u32) -> Element {
        let is_html = node.namespace() == Namespace::Html;
        let is_link = is_html && name == Name::A && node.attribute_named(Name::HREF).is_some();
        let in_link = is_link || self.elements.get(parent as usize).is_some_and(|parent| parent.in_link);
        Element { id: node.id(), name, parent, end: 0, depth, is_html, is_link, in_link }
    }

    /// The row of an element, or [`NONE`].
    pub(crate) fn row(&self, id: NodeId) -> u32 {
        self.rows.get(id.index()).copied().unwrap_or(NONE)
    }

    /// The texts of a block.
    pub(crate) fn texts(&self, page: &Page<'_>, block: usize) -> &[Text] {
        let first = &page.blocks.first_text_node;
        &self.texts[first[block] as usize..first[block + 1] as usize]
    }

    /// The elements of `body`.
    pub(crate) fn body_elements(&self) -> &[Element] {
        &self.elements[self.body.clone()]
    }

    /// The index of a row among the elements of `body`; out of range if it is not one of them.
    pub(crate) fn body_index(&self, row: u32) -> usize {
        (row as usize).wrapping_sub(self.body.start)
    }

    /// The mean over the characters of a block of a value of their elements in `body`; 0 for characters in others.
    pub(crate) fn mean(&self, page: &Page<'_>, block: usize, value: impl Fn(usize) -> f64) -> f64 {
        let (mut sum, mut all) = (0.0, 0);
        for text in self.texts(page, block) {
            all += text.characters;
            let element = self.body_index(text.element);
            sum += if element < self.body.len() { f64::from(text.characters) * value(element) } else { 0.0 };
        }
        sum / f64::from(all.max(1))
    }

    /// The element in `body` with the longest text of a block; the first of several.
    pub(crate) fn main_element(&self, page: &Page<'_>, block: usize) -> Option<usize> {
        let in_body = |text: &&Text| text.characters > 0 && self.body_index(text.element) < self.body.len();
        let texts = self.texts(page, block).iter().rev().filter(in_body);
        texts.max_by_key(|text| text.characters).map(|text| self.body_index(text.element))
    }
}

/// Walks the tree of a page until its deadline. `visit` returns whether to go below the node.
pub(crate) fn walk<'p>(page: &'p Page<'_>, mut visit: impl FnMut(Step<'p>) -> bool) {
    let mut walk = page.dom.root().walk();
    let mut visited = 0_u32;
    while let Some(step) = walk.next() {
        visited += 1;
        if visited.is_multiple_of(NODES_PER_DEADLINE_CHECK) && page.deadline_exceeded() {
            break;
        }
        if !visit(step) {
            walk.skip_below();
        }
    }
}

/// Elements whose content is never shown as text of the page.
pub(crate) fn is_never_rendered(name: Name, node: NodeRef<'_>) -> bool {
    match node.namespace() {
        Namespace::Html => {
            matches!(name, Name::HEAD | Name::TITLE | Name::META | Name::LINK | Name::SCRIPT | Name::STYLE)
                || matches!(name, Name::IFRAME | Name::NOEMBED | Name::NOFRAMES | Name::OBJECT)
                || matches!(name, Name::VIDEO | Name::AUDIO | Name::CANVAS)
                || matches!(name, Name::TEMPLATE | Name::DATALIST | Name::TEXTAREA | Name::OPTION)
        }
        Namespace::Svg => name == Name::SVG,
        Namespace::MathMl => matches!(name, Name::ANNOTATION | Name::ANNOTATION_XML),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_nested_ranges() {
        let page =
            Page::parse("<title>t</title><ul><li>a<li><b>c</b></ul><p hidden>x<template><p>d</template>e");
        let outline = Outline::of(&page);
        let name = |element: &Element| page.dom.node(element.id).and_then(|node| node.name()).unwrap();
        let seen: Vec<_> =
            outline.elements.iter().map(|element| (name(element), element.depth, element.end)).collect();
        assert_eq!(seen[..3], [("html", 0, 6), ("body", 1, 6), ("ul", 2, 6)]);
        assert_eq!(seen[3..], [("li", 3, 4), ("li", 3, 6), ("b", 4, 6)]);
        assert!(outline.has_body && outline.body == (1..6));
        let parents: Vec<_> =
            outline.texts.iter().map(|text| name(&outline.elements[text.element as usize])).collect();
        assert_eq!(parents, ["li", "b"]);
    }

    #[test]
    fn hidden_elements_are_shown_where_the_page_shows_their_text() {
        let story = "It rained for nine days, and the river rose by two metres. ".repeat(4);
        let html = format!("<div style='display:none'><p>{story}</div>");
        let page = Page::parse(&html);
        let outline = Outline::of(&page);
        assert_eq!(outline.texts.len(), 1);
        assert_ne!(outline.texts[0].element, NONE);
    }

    #[test]
    fn texts_in_links_are_marked() {
        let page = Page::parse("<p>one <a href=/><b>two</b></a> <a name=x>three</a>");
        let texts: Vec<_> =
            Outline::of(&page).texts.iter().map(|text| (text.characters, text.in_link)).collect();
        assert_eq!(texts, [(3, false), (3, true), (5, false)]);
    }
}
