//! The adoption agency algorithm, for misnested tags such as `<b>one<p>two</b>three`.

use crate::arena::Mark;
use crate::dom::Namespace;
use crate::name::Name;

use super::Builder;
use super::formatting_list::Formatting;
use super::open_elements::Open;

/// Iterations of the outer and the inner loop.
const OUTER_ROUNDS: usize = 8;
const INNER_ROUNDS_IN_LIST: usize = 3;

impl Builder<'_> {
    /// Closes the formatting element `name`. False if there is none: then the end tag is an ordinary one.
    pub(super) fn adopt(&mut self, name: Name) -> bool {
        // The common case: the element is the current node.
        if let Some(top) = self.open.top()
            && top.is(name)
            && !self.formatting.iter().rev().any(|entry| entry.node == top.node)
        {
            self.pop();
            return true;
        }
        for _ in 0..OUTER_ROUNDS {
            let Some(in_list) = self.formatting.find(name) else { return false };
            let formatting = self.formatting.get(in_list).node;
            let Some(in_stack) = self.open.place_of(name, formatting) else {
                self.formatting.remove(in_list);
                return true;
            };
            if !self.open.place_in_scope(in_stack) {
                return true;
            }
            let Some(furthest) = self.open.first_special_above(in_stack) else {
                self.pop_to(in_stack);
                self.formatting.remove(in_list);
                return true;
            };
            self.adopt_block(in_list, in_stack, furthest);
        }
        true
    }

    /// One iteration: moves the block at `furthest` out of the formatting element at `in_stack` and copies the latter
    /// into it.
    fn adopt_block(&mut self, mut in_list: usize, in_stack: usize, furthest: usize) {
        let entry = self.formatting.get(in_list);
        let Formatting { node: formatting, name, .. } = entry;
        let stretch = self.open.stretch(in_stack, furthest);
        let [removed, between @ .., block] = stretch.as_slice() else { return };
        // The copy replaces the formatting element in the list, or follows the lowest element kept with it.
        let mut bookmark = None;
        let mut last = block.node;
        let mut kept: Vec<Open> = Vec::new();
        for (round, entry) in between.iter().rev().enumerate() {
            let place = self.formatting.place_of(entry.node);
            match place {
                Some(place) if round < INNER_ROUNDS_IN_LIST => {
                    let copy = self.copy_element(entry.node);
                    self.arena.node_mut(entry.node).unmark(Mark::Open);
                    self.arena.node_mut(copy).mark(Mark::Open);
                    self.formatting.replace_node(place, copy);
                    if last == block.node {
                        bookmark = Some(copy);
                    }
                    self.arena.detach(last);
                    self.arena.append(copy, last);
                    last = copy;
                    kept.push(Open::new(copy, copy, entry.namespace, entry.name, false));
                }
                other => {
                    // Remove from the stack, and after the third iteration from the list as well.
                    if let Some(place) = other {
                        self.formatting.remove(place);
                        if place < in_list {
                            in_list -= 1;
                        }
                    }
                    self.close_node(entry);
                }
            }
        }
        self.arena.detach(last);
        if let Some(ancestor) = self.open.below(in_stack) {
            let place = self.place_in(ancestor);
            self.insert_within_depth(place, last);
        }
        let copy = self.copy_element(formatting);
        self.arena.move_children(block.inside, copy);
        self.arena.append(block.inside, copy);
        match bookmark.and_then(|node| self.formatting.place_of(node)) {
            Some(after) => {
                self.formatting.insert(after + 1, Formatting { node: copy, ..entry });
                if let Some(place) = self.formatting.place_of(formatting) {
                    self.formatting.remove(place);
                }
            }
            None => self.formatting.replace_node(in_list, copy),
        }
        // The stack: without the formatting element, its copy right above the block.
        self.close_node(removed);
        self.arena.node_mut(copy).mark(Mark::Open);
        kept.reverse();
        kept.push(*block);
        kept.push(Open::new(copy, copy, Namespace::Html, name, false));
        self.open.rewrite(in_stack, furthest, &kept);
    }
}
