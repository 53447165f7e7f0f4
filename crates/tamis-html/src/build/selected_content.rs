//! `selectedcontent`: a copy of the chosen option, inside the button of a `select`.

use crate::dom::{NONE, RawNode};
use crate::name::Name;
use crate::node::NodeKind;

use super::Builder;

/// The first `selectedcontent` element of the `select` that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct SelectedContent {
    select: u32,
    element: u32,
    /// It shows nothing where it stands, and so does the whole `select` then.
    disabled: bool,
    /// An option's content has been copied.
    filled: bool,
}

impl Builder<'_> {
    /// Remembers a `selectedcontent` element that was just opened; the first one of a `select` counts.
    pub(super) fn selected_content_opened(&mut self, element: u32) {
        let Some(place) = self.open.find(Name::SELECT) else { return };
        let select = self.open.node_at(place);
        if self.selected_content.is_some_and(|known| known.select == select) {
            return;
        }
        let disabled = self.open.contains(Name::OPTION)
            || self.open.contains_several(Name::SELECTEDCONTENT)
            || self.open.contains_several(Name::SELECT)
            || self.attributes_of(select).iter().any(|attribute| attribute.name == Name::MULTIPLE);
        self.selected_content = Some(SelectedContent { select, element, disabled, filled: false });
    }

    /// Copies a closed option's content, if it is the chosen one: the first, or one that says so.
    #[cold]
    pub(super) fn option_closed(&mut self, option: u32) {
        let Some(content) = self.selected_content else { return };
        let select = self.open.find(Name::SELECT).map_or(NONE, |place| self.open.node_at(place));
        let selected = self.attributes_of(option).iter().any(|attribute| attribute.name == Name::SELECTED);
        if content.disabled || select != content.select || (content.filled && !selected) {
            return;
        }
        self.selected_content = Some(SelectedContent { filled: true, ..content });
        // Copied aside first: misnested tags can have put the target into the option itself.
        let aside = self.arena.add(RawNode::new(NodeKind::Fragment, self.here()));
        self.copy_children(option, aside);
        while self.arena.node(content.element).first != NONE {
            let child = self.arena.node(content.element).first;
            self.arena.detach(child);
        }
        self.arena.move_children(aside, content.element);
    }

    /// Copies all below `from` into `to`.
    fn copy_children(&mut self, from: u32, to: u32) {
        let mut node = from;
        let mut into = to;
        loop {
            let RawNode { first, kind, .. } = *self.arena.node(node);
            let mut next = if kind == NodeKind::Text { NONE } else { first };
            if next == NONE {
                // Up until there is a sibling to go to.
                while node != from && self.arena.node(node).next == NONE {
                    node = self.arena.node(node).parent;
                    into = self.arena.node(into).parent;
                }
                if node == from || into == NONE {
                    return;
                }
                next = self.arena.node(node).next;
                into = self.arena.node(into).parent;
            }
            if self.nodes_run_out() {
                return;
            }
            let mut copy = *self.arena.node(next);
            (copy.parent, copy.previous, copy.next) = (NONE, NONE, NONE);
            if copy.kind != NodeKind::Text {
                (copy.first, copy.last) = (NONE, NONE);
            }
            if copy.kind == NodeKind::Element {
                copy.marks = RawNode::NO_TAG;
            }
            let copy = self.arena.add(copy);
            self.arena.append(into, copy);
            (node, into) = (next, copy);
        }
    }
}
