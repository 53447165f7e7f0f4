//! The paths of pieces and blocks, in time linear in the page: siblings are counted once, not once for each path.

use std::num::NonZeroU32;

use tamis_html::{NodeId, NodeRef};

use crate::by_name::ByName;

/// What the paths of one document may take together. A deep page of many small pieces could ask for gigabytes.
const MAX_BYTES: usize = 256 << 20;

#[derive(Default)]
pub(crate) struct Paths {
    /// The step of each element, by its number in the tree, where known.
    steps: Vec<Option<Step>>,
    /// The last path that was asked for: the next one often begins alike.
    path: String,
    /// The nodes on the way down to it, and how long the path is with each.
    way: Vec<(NodeId, usize)>,
    bytes: usize,
    /// Room for counting siblings.
    counts: ByName<Count>,
}

#[derive(Clone, Copy)]
struct Step {
    number: NonZeroU32,
    /// It has siblings of its name.
    several: bool,
}

const FIRST: Step = Step { number: NonZeroU32::MIN, several: false };

impl Paths {
    /// As [`NodeRef::path`] has it; empty when the paths of the document have become too long together.
    pub(crate) fn of(&mut self, element: NodeRef<'_>) -> String {
        if self.bytes > MAX_BYTES {
            return String::new();
        }
        self.go_to(element);
        let path = if self.path.is_empty() { "/".to_owned() } else { self.path.clone() };
        self.bytes += path.len();
        path
    }

    /// Makes `path` that of an element.
    fn go_to(&mut self, element: NodeRef<'_>) {
        let mut up = Vec::with_capacity(self.way.len() + 8);
        up.push(element);
        up.extend(element.ancestors());
        let down = up.iter().rev();
        let common = self.way.iter().zip(down.clone()).take_while(|((id, _), node)| *id == node.id()).count();
        self.way.truncate(common);
        self.path.truncate(self.way.last().map_or(0, |(_, length)| *length));
        for node in down.skip(common) {
            self.add_step(*node);
            self.way.push((node.id(), self.path.len()));
        }
    }

    fn add_step(&mut self, node: NodeRef<'_>) {
        let Some(name) = node.name() else { return };
        let step = self.step(node);
        self.path.push('/');
        self.path.push_str(name);
        if step.several {
            self.path.push('[');
            push_number(&mut self.path, step.number.get());
            self.path.push(']');
        }
    }

    fn step(&mut self, node: NodeRef<'_>) -> Step {
        let id = node.id().index();
        if self.steps.is_empty() {
            self.steps = vec![None; node.dom().len()];
        }
        if let Some(step) = self.steps[id] {
            return step;
        }
        let Some(parent) = node.parent() else { return FIRST };
        self.counts.clear();
        for child in parent.children() {
            let Some(name) = child.name_id() else { continue };
            let id = child.id().index();
            let Count { number, first } = self.counts.of(name, Count { number: FIRST.number, first: id });
            if *first == id {
                self.steps[id] = Some(FIRST);
                continue;
            }
            *number = number.saturating_add(1);
            self.steps[id] = Some(Step { number: *number, several: true });
            self.steps[*first] = Some(Step { number: FIRST.number, several: true });
        }
        self.steps[id].unwrap_or(FIRST)
    }
}

/// How often a name has been met among the children of an element.
struct Count {
    number: NonZeroU32,
    /// The first element of the name.
    first: usize,
}

fn push_number(text: &mut String, number: u32) {
    let mut divisor = 1;
    while number / divisor >= 10 {
        divisor *= 10;
    }
    while divisor > 0 {
        text.push(char::from(b'0' + (number / divisor % 10) as u8));
        divisor /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_tree_in_any_order() {
        let html = "<ul><li>a<li><b>c</b><b>d</b></ul><p>e<div><p>f</div>".repeat(12);
        let dom = tamis_html::parse(&html);
        let nodes: Vec<_> = dom.descendants().collect();
        let mut paths = Paths::default();
        for at in 0..nodes.len() {
            let node = nodes[at * 7 % nodes.len()];
            if node.is_element() {
                assert_eq!(paths.of(node), node.path());
            }
        }
        assert_eq!(paths.of(dom.root()), "/");
    }

    #[test]
    fn numbers_are_written_whole() {
        for number in [0, 7, 10, 99, 100, 65_536, u32::MAX] {
            let mut text = String::new();
            push_number(&mut text, number);
            assert_eq!(text, number.to_string());
        }
    }
}
