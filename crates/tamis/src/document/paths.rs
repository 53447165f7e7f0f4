//! XPaths of elements, in linear time: siblings are counted once, not once for each path.

use std::fmt::Write;

use tamis_html::{Name, NodeId, NodeRef};

use crate::text::hash::FastMap;

/// Paths of one document beyond a total are left empty: a deep page of many small pieces would ask for gigabytes. This
/// much is for every page, the rest for each byte of it.
const MIN_TOTAL_BYTES: usize = 256 << 10;
const TOTAL_BYTES_PER_BYTE: usize = 8;

/// Number of an element among the siblings of its name; 0 is unknown. The top bit marks the only one of its name.
const ONLY: u32 = 1 << 31;

/// Writes XPaths of the elements of one page.
#[derive(Debug, Default)]
pub struct Paths {
    /// The number of each element, by node index.
    numbers: Vec<u32>,
    /// The last path; the next one often starts alike.
    path: String,
    /// The nodes on the last path and the length of the path up to each.
    nodes: Vec<(NodeId, usize)>,
    /// Scratch memory.
    upwards: Vec<NodeId>,
    total: usize,
    counts: FastMap<Name, (u32, usize)>,
}

impl Paths {
    /// The XPath of an element, as [`NodeRef::path`]; empty beyond the limit.
    pub fn of(&mut self, element: NodeRef<'_>) -> String {
        if self.total > MIN_TOTAL_BYTES + TOTAL_BYTES_PER_BYTE * element.dom().source().len() {
            return String::new();
        }
        let mut upwards = std::mem::take(&mut self.upwards);
        upwards.push(element.id());
        upwards.extend(element.ancestors().map(|node| node.id()));
        let downwards = || upwards.iter().rev();
        let common = self.nodes.iter().zip(downwards()).take_while(|((id, _), node)| id == *node).count();
        self.nodes.truncate(common);
        self.path.truncate(self.nodes.last().map_or(0, |(_, length)| *length));
        for id in downwards().skip(common) {
            if let Some(node) = element.dom().node(*id) {
                self.push_step(node);
            }
            self.nodes.push((*id, self.path.len()));
        }
        upwards.clear();
        self.upwards = upwards;
        self.total += self.path.len();
        if self.path.is_empty() { "/".to_owned() } else { self.path.clone() }
    }

    fn push_step(&mut self, node: NodeRef<'_>) {
        let Some(name) = node.name() else { return };
        let number = self.number(node);
        self.path.push('/');
        self.path.push_str(name);
        if number & ONLY == 0 {
            // Writing to a string cannot fail.
            let _ = write!(self.path, "[{number}]");
        }
    }

    fn number(&mut self, node: NodeRef<'_>) -> u32 {
        let id = node.id().index();
        if self.numbers.is_empty() {
            self.numbers = vec![0; node.dom().len()];
        }
        let Some(parent) = node.parent().filter(|_| self.numbers[id] == 0) else { return self.numbers[id] };
        self.counts.clear();
        for child in parent.children() {
            let Some(name) = child.name_id() else { continue };
            let index = child.id().index();
            let (count, first) = self.counts.entry(name).or_insert((0, index));
            *count += 1;
            self.numbers[index] = if *count == 1 { 1 | ONLY } else { *count };
            if *count == 2 {
                self.numbers[*first] = 1;
            }
        }
        self.numbers[id]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_equal_those_of_the_tree() {
        let html = "<p>a<p>b<div>c<span>d</span></div><x-y><p>e</x-y><table><tr><td>f<td>g<tr><td>h</table>";
        let dom = tamis_html::parse(html);
        let mut paths = Paths::default();
        for node in dom.descendants().filter(|node| node.is_element()) {
            assert_eq!(paths.of(node), node.path());
        }
    }

    #[test]
    fn the_total_is_bounded() {
        let html = format!("{}{}", "<div>".repeat(400), "<p>a".repeat(50_000));
        let dom = tamis_html::parse(&html);
        let mut paths = Paths::default();
        let total: usize = dom.descendants().filter(|node| node.is(Name::P)).map(|p| paths.of(p).len()).sum();
        assert!(total < 9 * html.len() + MIN_TOTAL_BYTES, "{total}");
    }
}
