//! The paths of pieces and blocks, in time linear in the page: siblings are counted once, not once for each path.

use std::collections::HashMap;
use std::fmt::Write;
use std::num::NonZeroU32;

use tamis_html::{Name, NodeId, NodeRef};

/// What the paths of one document may take together. A deep page of many small pieces could ask for gigabytes.
const MAX_BYTES: usize = 256 << 20;

#[derive(Default)]
pub(crate) struct Paths {
    /// The step of each element, by its number in the tree, where known.
    steps: Vec<Option<Step>>,
    /// The parent of the last element asked for, with its path: the next one often has the same.
    parent: Option<(NodeId, String)>,
    bytes: usize,
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
        let mut path = match element.parent() {
            Some(parent) => self.of_parent(parent),
            None => String::new(),
        };
        self.add_step(element, &mut path);
        if path.is_empty() {
            path.push('/');
        }
        self.bytes += path.len();
        path
    }

    fn of_parent(&mut self, parent: NodeRef<'_>) -> String {
        if let Some((node, path)) = &self.parent
            && *node == parent.id()
        {
            return path.clone();
        }
        let mut way: Vec<NodeRef<'_>> = vec![parent];
        way.extend(parent.ancestors());
        let mut path = String::new();
        for node in way.into_iter().rev() {
            self.add_step(node, &mut path);
        }
        self.parent = Some((parent.id(), path.clone()));
        path
    }

    fn add_step(&mut self, node: NodeRef<'_>, path: &mut String) {
        let Some(name) = node.name() else { return };
        let step = self.step(node);
        path.push('/');
        path.push_str(name);
        if step.several {
            // Writing to a string does not fail.
            let _ = write!(path, "[{}]", step.number);
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
        let mut counts = Counts::default();
        for child in parent.children() {
            let Some(name) = child.name_id() else { continue };
            let id = child.id().index();
            let Count { number, first } = counts.of(name, id);
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

/// How often each name has been met among the children of an element.
#[derive(Default)]
struct Counts {
    /// Most elements have children of a few names; these are found by looking at all of them.
    few: Vec<(Name, Count)>,
    many: HashMap<Name, Count>,
}

struct Count {
    number: NonZeroU32,
    /// The first element of the name.
    first: usize,
}

impl Counts {
    const FEW: usize = 8;

    fn of(&mut self, name: Name, id: usize) -> &mut Count {
        let new = Count { number: FIRST.number, first: id };
        match self.few.iter().position(|(other, _)| *other == name) {
            Some(place) => &mut self.few[place].1,
            None if self.few.len() < Counts::FEW => {
                self.few.push((name, new));
                let last = self.few.len() - 1;
                &mut self.few[last].1
            }
            None => self.many.entry(name).or_insert(new),
        }
    }
}
