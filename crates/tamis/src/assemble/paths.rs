//! The paths of pieces, in time linear in the page: siblings are counted once, not once for each path.

use std::collections::HashMap;
use std::fmt::Write;

use tamis_html::{Name, NodeRef};

/// What the paths of one document may take together. A deep page of many small pieces could ask for gigabytes.
const MAX_BYTES: usize = 256 << 20;

#[derive(Default)]
pub(super) struct Paths {
    /// The step of each element by its number, where known.
    steps: HashMap<usize, Step>,
    bytes: usize,
}

#[derive(Clone, Copy)]
struct Step {
    number: u32,
    /// It has siblings of its name.
    several: bool,
}

impl Paths {
    /// As [`NodeRef::path`] has it; empty when the paths of the document have become too long together.
    pub(super) fn of(&mut self, element: NodeRef<'_>) -> String {
        let mut path = String::new();
        if self.bytes > MAX_BYTES {
            return path;
        }
        let mut way: Vec<NodeRef<'_>> = vec![element];
        way.extend(element.ancestors());
        for node in way.into_iter().rev() {
            let Some(name) = node.name() else { continue };
            let step = self.step(node);
            path.push('/');
            path.push_str(name);
            if step.several {
                // Writing to a string does not fail.
                let _ = write!(path, "[{}]", step.number);
            }
        }
        if path.is_empty() {
            path.push('/');
        }
        self.bytes += path.len();
        path
    }

    fn step(&mut self, node: NodeRef<'_>) -> Step {
        if let Some(step) = self.steps.get(&node.id().index()) {
            return *step;
        }
        let Some(parent) = node.parent() else { return Step { number: 1, several: false } };
        let mut counts: HashMap<Name, u32> = HashMap::new();
        let elements = || parent.children().filter_map(|child| Some((child.id().index(), child.name_id()?)));
        for (id, name) in elements() {
            let count = counts.entry(name).or_insert(0);
            *count += 1;
            self.steps.insert(id, Step { number: *count, several: false });
        }
        for (id, name) in elements() {
            if let Some(step) = self.steps.get_mut(&id) {
                step.several = counts.get(&name).is_some_and(|count| *count > 1);
            }
        }
        self.steps.get(&node.id().index()).copied().unwrap_or(Step { number: 1, several: false })
    }
}
