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
    /// The position of each node on the last path, from 1, by node index; 0 for others.
    places: Vec<u32>,
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
        if self.numbers.is_empty() {
            let count = element.dom().len();
            (self.numbers, self.places) = (vec![0; count], vec![0; count]);
        }
        let mut upwards = std::mem::take(&mut self.upwards);
        let place = |node: &NodeRef<'_>| self.places[node.id().index()] as usize;
        let mut above = std::iter::once(element).chain(element.ancestors());
        let common = above.find_map(|node| {
            let place = place(&node);
            if place == 0 {
                upwards.push(node.id());
            }
            (place > 0).then_some(place)
        });
        for (id, _) in self.nodes.drain(common.unwrap_or(0)..) {
            self.places[id.index()] = 0;
        }
        self.path.truncate(self.nodes.last().map_or(0, |(_, length)| *length));
        for id in upwards.iter().rev() {
            if let Some(node) = element.dom().node(*id) {
                self.push_step(node);
            }
            self.nodes.push((*id, self.path.len()));
            self.places[id.index()] = self.nodes.len() as u32;
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
            self.path.push('[');
            match char::from_digit(number, 10) {
                Some(digit) => self.path.push(digit),
                // Writing to a string cannot fail.
                None => _ = write!(self.path, "{number}"),
            }
            self.path.push(']');
        }
    }

    fn number(&mut self, node: NodeRef<'_>) -> u32 {
        let id = node.id().index();
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
