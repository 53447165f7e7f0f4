//! Putting nodes into the tree, and closing them again.

use std::collections::HashSet;

use crate::attribute::{RawAttribute, run};
use crate::dom::{Mark, NONE, Namespace, RawNode};
use crate::limits::Limit;
use crate::name::Name;
use crate::node::NodeKind;
use crate::span::Span;
use crate::tokenizer::{ContentModel, Piece, Tag};

use super::open_elements::Open;
use super::traits::Traits;
use super::{Builder, Mode, Next};

/// Where a node goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    LastIn(u32),
    Before(u32),
}

impl Builder<'_> {
    /// The place for the next node.
    #[inline(always)]
    pub(super) fn place(&self) -> Place {
        match self.open.top() {
            Some(top) if self.foster_parenting && top.traits.has(Traits::FOSTERS) => self.foster_place(),
            Some(top) => Place::LastIn(top.inside),
            None => Place::LastIn(super::DOCUMENT),
        }
    }

    /// The place for a node that is meant to go into `target`.
    pub(super) fn place_in(&self, target: &Open) -> Place {
        if self.foster_parenting && target.traits.has(Traits::FOSTERS) {
            self.foster_place()
        } else {
            Place::LastIn(target.inside)
        }
    }

    /// Before the table in which it stands but may not.
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

    /// Puts an element at the place for the next node.
    #[inline]
    pub(super) fn insert_element(&mut self, node: u32) {
        let place = self.place();
        self.insert_within_depth(place, node);
    }

    /// Puts an element at a place, or beside the parent where the tree is as deep as it may be.
    #[inline]
    pub(super) fn insert_within_depth(&mut self, mut place: Place, node: u32) {
        if self.open.len() >= self.limits.depth as usize
            && let Place::LastIn(parent) = place
        {
            self.reach(Limit::Depth(self.limits.depth));
            // The content of a template counts as the template.
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

    /// An element as its start tag gives it.
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

    /// Inserts an HTML element for which there is no tag.
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

    /// Inserts an element whose content is text of another kind, and reads that.
    pub(super) fn insert_raw(&mut self, tag: Tag, model: ContentModel) -> Next {
        self.insert_html(tag);
        self.tokenizer.set_content_model(model);
        self.original_mode = self.mode;
        self.mode = Mode::Text;
        Next::Done
    }

    /// Inserts characters, joining them to a text that stands right before.
    #[inline]
    pub(super) fn insert_text(&mut self, piece: Piece) {
        let place = self.place();
        let before = match place {
            // Nothing but elements and comments stands in a document itself.
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

    /// The place in the source where the parser is.
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

    /// Notes where a node that is no longer open ends.
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

    /// Pops the entry at `place` and all above it.
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

    /// Gives `node` the attributes of a repeated tag that it does not have yet.
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
        // The tag's own attributes stand at the end and are not needed any more.
        all.truncate(tag.attributes as usize);
        if full {
            self.reach(Limit::Attributes(self.limits.attributes));
        }
    }

    /// Puts the attributes that repeated tags added behind those that their elements had.
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

/// An element whose tag was repeated (`html` or `body`), with what that added to it. Kept aside until the end, so that
/// a page can repeat its tags as often as it likes.
pub(super) struct Repeated {
    node: u32,
    names: HashSet<Name>,
    added: Vec<RawAttribute>,
}
