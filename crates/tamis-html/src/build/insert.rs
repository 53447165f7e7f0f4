//! Inserting and closing nodes.

use std::collections::HashSet;

use crate::arena::{Mark, NONE, RawNode};
use crate::attribute::{RawAttribute, run};
use crate::dom::Namespace;
use crate::limits::Limit;
use crate::name::Name;
use crate::node::NodeKind;
use crate::span::Span;
use crate::tokenizer::{ContentModel, Piece, Tag};

use super::open_elements::Open;
use super::traits::Traits;
use super::{Builder, Mode, Next};

/// An insertion location.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    LastIn(u32),
    Before(u32),
}

impl Builder<'_> {
    /// The location for the next node.
    #[inline(always)]
    pub(super) fn place(&self) -> Place {
        match self.open.top() {
            Some(top) if self.foster_parenting && top.traits.has(Traits::FOSTERS) => self.foster_place(),
            Some(top) => Place::LastIn(top.inside),
            None => Place::LastIn(super::DOCUMENT),
        }
    }

    /// The location for a node in `target`.
    pub(super) fn place_in(&self, target: &Open) -> Place {
        if self.foster_parenting && target.traits.has(Traits::FOSTERS) {
            self.foster_place()
        } else {
            Place::LastIn(target.inside)
        }
    }

    /// Foster parenting: before the table.
    #[cold]
    fn foster_place(&self) -> Place {
        let inside = |place: usize| self.open.get(place).map_or(super::DOCUMENT, |entry| entry.inside);
        match (self.open.find(Name::TEMPLATE), self.open.find(Name::TABLE)) {
            (Some(template), table) if table.is_none_or(|table| template > table) => {
                Place::LastIn(inside(template))
            }
            (_, None) => Place::LastIn(inside(0)),
            (_, Some(table)) => {
                let node = self.open.node_at(table);
                if self.arena.node(node).parent == NONE {
                    Place::LastIn(self.open.below(table).map_or(super::DOCUMENT, |entry| entry.inside))
                } else {
                    Place::Before(node)
                }
            }
        }
    }

    pub(super) fn insert_at(&mut self, place: Place, node: u32) {
        match place {
            Place::LastIn(parent) => self.arena.append(parent, node),
            Place::Before(sibling) => self.arena.insert_before(sibling, node),
        }
    }

    /// Inserts an element at the location for the next node.
    #[inline]
    pub(super) fn insert_element(&mut self, node: u32) {
        let place = self.place();
        self.insert_within_depth(place, node);
    }

    /// Inserts an element at a location, or as a sibling of the parent at the maximum depth.
    #[inline]
    pub(super) fn insert_within_depth(&mut self, mut place: Place, node: u32) {
        if self.open.len() >= self.limits.depth as usize
            && let Place::LastIn(parent) = place
        {
            self.reach(Limit::Depth(self.limits.depth));
            // The content of a template has the depth of the template.
            let parent = self.arena.node(parent);
            let parent = if parent.kind() == NodeKind::Fragment && parent.parent != NONE {
                self.arena.node(parent.parent)
            } else {
                parent
            };
            if parent.kind() == NodeKind::Element && parent.parent != NONE {
                place = Place::LastIn(parent.parent);
            }
        }
        self.insert_at(place, node);
    }

    /// An element for a start tag.
    #[inline]
    fn element(&mut self, namespace: Namespace, name: Name, tag: Tag) -> u32 {
        self.arena.add(RawNode::element(namespace, name, tag.span, tag.attributes))
    }

    /// Inserts the HTML element of a start tag and opens it.
    #[inline]
    pub(super) fn insert_html(&mut self, tag: Tag) -> u32 {
        let node = self.element(Namespace::Html, tag.name, tag);
        self.insert_element(node);
        self.push(Open::new(node, node, Namespace::Html, tag.name, false));
        node
    }

    /// Inserts an HTML element that has no content.
    pub(super) fn insert_void(&mut self, tag: Tag) -> Next {
        let node = self.element(Namespace::Html, tag.name, tag);
        self.insert_element(node);
        Next::Done
    }

    /// Inserts an implied HTML element.
    pub(super) fn insert_implied(&mut self, name: Name) -> u32 {
        let span = self.here();
        let tag = Tag { name, self_closing: false, span, attributes: NONE };
        let node = self.insert_html(tag);
        self.arena.node_mut(node).mark(Mark::NoTag);
        node
    }

    /// Inserts an SVG or MathML element; it stays open unless its tag closes itself.
    pub(super) fn insert_foreign(&mut self, namespace: Namespace, name: Name, html_inside: bool, tag: Tag) {
        let node = self.element(namespace, name, tag);
        self.insert_element(node);
        if !tag.self_closing {
            self.push(Open::new(node, node, namespace, name, html_inside));
        }
    }

    /// Inserts a template with the fragment that is its content.
    pub(super) fn insert_template(&mut self, tag: Tag) {
        let node = self.element(Namespace::Html, tag.name, tag);
        let content = self.arena.add(RawNode::other(NodeKind::Fragment, tag.span));
        self.arena.append(node, content);
        self.insert_element(node);
        self.push(Open::new(node, content, Namespace::Html, tag.name, false));
    }

    /// Inserts an element with another content model, and reads its content.
    pub(super) fn insert_raw(&mut self, tag: Tag, model: ContentModel) -> Next {
        self.insert_html(tag);
        self.tokenizer.set_content_model(model);
        self.original_mode = self.mode;
        self.mode = Mode::Text;
        Next::Done
    }

    /// Inserts characters, joining them to an adjacent text.
    #[inline]
    pub(super) fn insert_text(&mut self, piece: Piece) {
        let place = self.place();
        let before = match place {
            // A document cannot have text children.
            Place::LastIn(super::DOCUMENT) if self.context.is_none() => return,
            Place::LastIn(parent) => self.arena.last_child(parent),
            Place::Before(sibling) => self.arena.previous_sibling(sibling),
        };
        if before != NONE && self.arena.node(before).is_text() {
            self.arena.extend_text(before, piece);
            return;
        }
        let node = self.arena.add(RawNode::text(NodeKind::Text, piece));
        self.insert_at(place, node);
    }

    /// The current position in the source.
    pub(super) fn here(&self) -> Span {
        Span { start: self.token.start, end: self.token.start }
    }

    #[inline]
    pub(super) fn push(&mut self, entry: Open) {
        if entry.traits.has(Traits::FORMATTING) {
            self.arena.node_mut(entry.node).mark(Mark::Open);
        }
        self.open.push(entry);
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        if let Some(entry) = self.open.pop() {
            self.close_node(&entry);
            if entry.traits.has(Traits::CLOSES_LOUDLY) {
                self.option_or_select_closed(entry.node);
            }
        }
    }

    /// Records the end of a closed node.
    #[inline]
    pub(super) fn close_node(&mut self, entry: &Open) {
        let end = match self.token_closes {
            Some(name) if name == entry.name || name == entry.name.svg_tag() => self.token.end,
            _ if entry.is(Name::BODY) => self.body_end.unwrap_or(self.token.start),
            _ if entry.is(Name::HTML) => self.html_end.unwrap_or(self.token.start),
            _ => self.token.start,
        };
        let node = self.arena.node_mut(entry.node);
        node.span.end = end.max(node.span.end);
        node.unmark(Mark::Open);
    }

    /// Pops all entries down to and including the one at `place`.
    #[inline]
    pub(super) fn pop_to(&mut self, place: usize) {
        while self.open.len() > place {
            self.pop();
        }
    }

    /// Pops up to and including the highest element of this name.
    #[inline]
    pub(super) fn pop_until(&mut self, name: Name) {
        if let Some(place) = self.open.find(name) {
            self.pop_to(place);
        }
    }

    /// Closes elements whose end tags may be left out, up to one of the given name.
    #[inline(always)]
    pub(super) fn imply_ends_except(&mut self, name: Name) {
        while self.open.top_traits().has(Traits::IMPLIED_END) && !self.open.top_is(name) {
            self.pop();
        }
    }

    #[inline(always)]
    pub(super) fn imply_ends(&mut self) {
        self.imply_ends_except(Name(NONE));
    }

    pub(super) fn imply_ends_thoroughly(&mut self) {
        while self.open.top_traits().has(Traits::IMPLIED_END_THOROUGHLY) {
            self.pop();
        }
    }

    /// Closes a `p` that is open here, as every block does.
    #[inline(always)]
    pub(super) fn close_p(&mut self) {
        if self.open.in_button_scope(Name::P) {
            self.imply_ends_except(Name::P);
            self.pop_until(Name::P);
        }
    }

    /// Adds the attributes of a repeated tag that `node` does not have yet.
    #[cold]
    pub(super) fn add_missing_attributes(&mut self, node: u32, tag: Tag) {
        if tag.attributes == NONE {
            return;
        }
        let all = &mut self.tokenizer.attributes;
        let own = self.arena.node(node).data;
        let place = self.repeated.iter().position(|repeated| repeated.node == node).unwrap_or_else(|| {
            let names = run(all, own).iter().map(RawAttribute::name).collect();
            self.repeated.push(Repeated { node, names, added: Vec::new() });
            self.repeated.len() - 1
        });
        let repeated = &mut self.repeated[place];
        let mut full = false;
        for attribute in run(all, tag.attributes) {
            if repeated.names.len() >= self.limits.attributes as usize {
                full = true;
                break;
            }
            if repeated.names.insert(attribute.name()) {
                repeated.added.push(*attribute);
            }
        }
        // The tag's own attributes are at the end and no longer needed.
        all.truncate(tag.attributes as usize);
        if full {
            self.reach(Limit::Attributes(self.limits.attributes));
        }
    }

    /// Appends the attributes that repeated tags have added to those of their elements.
    pub(super) fn settle_repeated(&mut self) {
        let all = &mut self.tokenizer.attributes;
        for Repeated { node, added, .. } in std::mem::take(&mut self.repeated) {
            if added.is_empty() {
                continue;
            }
            let own = run(all, self.arena.node(node).data).to_vec();
            let start = all.len();
            all.extend(own);
            all.extend(added);
            let count = all.len();
            for (at, attribute) in all.iter_mut().enumerate().skip(start) {
                attribute.set_last(at + 1 == count);
            }
            self.arena.node_mut(node).data = start as u32;
        }
    }
}

/// An element whose tag was repeated (`html` or `body`), with the added attributes. Applied at the end, so that
/// repeated tags do not take quadratic time.
pub(super) struct Repeated {
    node: u32,
    names: HashSet<Name>,
    added: Vec<RawAttribute>,
}
