//! Where on a page a block stands: the names and classes of the elements around it, without their numbers.
//!
//! The same text means different things at different places. A sentence that stands in the article of one page and in a
//! teaser of another is quoted; one that stands at the same place on forty pages is furniture.

use tamis::Page;
use tamis_html::{Name, NodeId, NodeRef};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The places of a page's elements, each worked out once.
pub(crate) struct Places<'p, 's> {
    page: &'p Page<'s>,
    /// By the element's number; 0 where it is not known yet.
    known: Vec<u32>,
    above: Vec<NodeId>,
}

impl<'p, 's> Places<'p, 's> {
    pub(crate) fn new(page: &'p Page<'s>) -> Places<'p, 's> {
        Places { page, known: vec![0; page.dom().len()], above: Vec::new() }
    }

    /// The place of an element. Never 0.
    pub(crate) fn of(&mut self, element: NodeId) -> u32 {
        let page = self.page;
        let mut place = 0;
        let mut next = Some(page.node(element));
        while let Some(node) = next {
            place = self.known.get(node.id().index()).copied().unwrap_or(1);
            if place != 0 {
                break;
            }
            self.above.push(node.id());
            next = node.parent();
        }
        while let Some(id) = self.above.pop() {
            place = step(page.node(id), place);
            if let Some(known) = self.known.get_mut(id.index()) {
                *known = place;
            }
        }
        place
    }
}

/// The place of a node below another place.
fn step(node: NodeRef<'_>, above: u32) -> u32 {
    let name = node.name().unwrap_or_default();
    let mut hash = xxh3_64_with_seed(name.as_bytes(), u64::from(above));
    if let Some(class) = node.attribute_named(Name::CLASS) {
        // The first class says what it is, later ones how it is at the moment. Numbers are a page's own (`post-1234`).
        let first = class.split_ascii_whitespace().next().unwrap_or_default();
        let letters = first.split(|c: char| c.is_ascii_digit()).next().unwrap_or_default();
        hash = xxh3_64_with_seed(letters.as_bytes(), hash);
    }
    ((hash >> 32) as u32).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(html: &str) -> Vec<u32> {
        let page = Page::parse(html);
        let mut places = Places::new(&page);
        page.blocks().iter().map(|block| places.of(block.element)).collect()
    }

    #[test]
    fn siblings_share_a_place_and_numbers_do_not_count() {
        let a = places("<div class='post post-1'><p>One.<p>Two.</div><div class=teaser><p>Three.</div>");
        assert_eq!(a[0], a[1]);
        assert_ne!(a[0], a[2]);
        assert_eq!(a[0], places("<ul><li>x</ul><div class='post new'><p>One.</div>")[1]);
        assert_eq!(places("<div id=a><p class=p12>x</div>"), places("<div id=b><p class=p7>y</div>"));
    }

    #[test]
    fn a_deep_page_takes_no_recursion() {
        let html = "<div>".repeat(400) + "deep";
        assert_eq!(places(&html).len(), 1);
    }
}
