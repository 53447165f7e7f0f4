//! `selectedcontent`: a copy of the selected option in the button of a `select`.

use crate::arena::{NONE, RawNode};
use crate::limits::Limit;
use crate::name::Name;
use crate::node::NodeKind;

use super::Builder;

/// The first `selectedcontent` element of the open `select`.
#[derive(Clone, Copy, Debug)]
pub(super) struct SelectedContent {
    select: u32,
    element: u32,
    /// Whether it is disabled, which disables copying for the whole `select`.
    disabled: bool,
    /// The option to copy: the last selected one, or the first.
    chosen: u32,
}

impl Builder<'_> {
    /// Records a newly opened `selectedcontent` element; the first one of a `select` counts.
    pub(super) fn selected_content_opened(&mut self, element: u32) {
        let Some(place) = self.open.find(Name::SELECT) else { return };
        let select = self.open.node_at(place);
        if self.selected_content.is_some_and(|known| known.select == select) {
            return;
        }
        let disabled = self.open.contains(Name::OPTION)
            || self.open.contains_several(Name::SELECTEDCONTENT)
            || self.open.contains_several(Name::SELECT)
            || self.has_attribute(select, Name::MULTIPLE);
        self.selected_content = Some(SelectedContent { select, element, disabled, chosen: NONE });
    }

    /// Records a closed option if it is selected; copies its content when the `select` is closed. (The standard copies
    /// each time, but only the last copy remains.)
    #[cold]
    pub(super) fn option_or_select_closed(&mut self, closed: u32) {
        let Some(content) = self.selected_content.filter(|content| !content.disabled) else { return };
        if closed == content.select {
            self.selected_content = None;
            if content.chosen != NONE {
                self.fill(content);
            }
            return;
        }
        let select = self.open.find(Name::SELECT).map_or(NONE, |place| self.open.node_at(place));
        let is_option = self.arena.node(closed).name() == Name::OPTION;
        if is_option
            && select == content.select
            && (content.chosen == NONE || self.has_attribute(closed, Name::SELECTED))
        {
            self.selected_content = Some(SelectedContent { chosen: closed, ..content });
        }
    }

    fn has_attribute(&self, node: u32, name: Name) -> bool {
        self.attributes_of(node).iter().any(|attribute| attribute.name() == name)
    }

    fn fill(&mut self, content: SelectedContent) {
        // Copied to a fragment first: misnested tags can have put the target into the option itself.
        let aside = self.arena.add(RawNode::other(NodeKind::Fragment, self.here()));
        let mut depth = 0;
        let mut above = content.element;
        while above != NONE {
            depth += 1;
            above = self.arena.node(above).parent;
        }
        self.copy_children(content.chosen, aside, (self.limits.depth as usize).saturating_sub(depth));
        while self.arena.node(content.element).first != NONE {
            let child = self.arena.node(content.element).first;
            self.arena.detach(child);
        }
        self.arena.move_children(aside, content.element);
    }

    /// Copies the descendants of `from` into `to`, at most `levels` deep.
    fn copy_children(&mut self, from: u32, to: u32, levels: usize) {
        let mut node = from;
        let mut into = to;
        let mut level = 0;
        loop {
            let at = self.arena.node(node);
            let mut next = if at.is_text() { NONE } else { at.first };
            if next != NONE && level >= levels {
                self.reach(Limit::Depth(self.limits.depth));
                next = NONE;
            } else if next != NONE {
                level += 1;
            }
            if next == NONE {
                // Up to the next node with a sibling.
                while node != from && self.arena.node(node).next == NONE {
                    node = self.arena.node(node).parent;
                    into = self.arena.node(into).parent;
                    level = level.saturating_sub(1);
                }
                if node == from || into == NONE {
                    return;
                }
                next = self.arena.node(node).next;
                into = self.arena.node(into).parent;
            }
            if self.arena.nodes.len() + Self::NODES_PER_TOKEN > self.limits.nodes as usize {
                self.reach(Limit::Nodes(self.limits.nodes));
                return;
            }
            let copy = self.arena.node(next).copy();
            let copy = self.arena.add(copy);
            self.arena.append(into, copy);
            (node, into) = (next, copy);
        }
    }
}
