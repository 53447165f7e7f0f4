//! Merges containers with the same attributes that are siblings or two levels apart.

use std::collections::HashMap;

use tamis::page::Page;
use tamis_html::{Name, NodeId, NodeRef};

use super::Scored;

impl Scored {
    /// Merges containers with juli = 1 and the same class.
    pub(super) fn merge(&mut self, page: &Page<'_>) {
        let mut numbers: HashMap<Vec<(String, String)>, u32> = HashMap::new();
        // The first container by parent and class.
        let mut siblings: HashMap<(NodeId, u32), usize> = HashMap::new();
        let mut looks: Vec<u32> = Vec::with_capacity(self.list.len());
        for index in 0..self.list.len() {
            let node = page.dom.node(self.elements[index]);
            let next = numbers.len() as u32;
            let look = node.map_or(next, |node| *numbers.entry(look(node)).or_insert(next));
            if let Some(parent) = node.and_then(|node| node.parent()) {
                let first = *siblings.entry((parent.id(), look)).or_insert(index);
                self.unite(first, index);
            }
            looks.push(look);
        }
        for index in 0..self.list.len() {
            let node = page.dom.node(self.elements[index]);
            let above = node.and_then(|node| node.ancestors().nth(1));
            if let Some(&above) = above.and_then(|above| self.index.get(&above.id()))
                && looks[above] == looks[index]
            {
                self.unite(above, index);
            }
        }
        for index in 0..self.list.len() {
            let first = self.first(index);
            self.list[index].merged_into = first;
            self.list[first].merged_sd += self.list[index].sd;
        }
    }

    /// The first container of a merged group: union-find with path halving.
    fn first(&mut self, index: usize) -> usize {
        let mut first = index;
        while self.list[first].merged_into != first {
            let next = self.list[first].merged_into;
            self.list[first].merged_into = self.list[next].merged_into;
            first = next;
        }
        first
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        self.list[a.max(b)].merged_into = a.min(b);
    }
}

/// The attributes that merged containers share: the class, or without a class all attributes but `id`.
fn look(node: NodeRef<'_>) -> Vec<(String, String)> {
    let has_class = node.attribute_named(Name::CLASS).is_some();
    let counts = |name: Name| if has_class { name == Name::CLASS } else { name != Name::ID };
    let attributes = node.attributes().filter(|attribute| counts(attribute.name_id()));
    let mut look: Vec<_> = attributes.map(|it| (it.name().to_owned(), it.value().into_owned())).collect();
    look.sort();
    look
}
