//! Which containers are one: those that look alike, side by side or two levels apart.

use std::borrow::Cow;

use tamis_html::{Name, NodeRef};

use super::super::in_order::{InOrder, NONE};
use super::Scored;
use crate::hashing::{NumberMap, TextMap};
use crate::page::Page;

impl Scored {
    /// Merges containers that stand side by side (or two levels apart) and look alike.
    pub(super) fn merge(&mut self, page: &Page<'_>, in_order: &InOrder) {
        // Every look by a number; by parent and look the first such container.
        let mut numbers: TextMap<Look<'_>, u32> = TextMap::default();
        let mut siblings: NumberMap<(u32, u32), usize> = NumberMap::default();
        let mut looks: Vec<u32> = Vec::with_capacity(self.list.len());
        for place in 0..self.list.len() {
            let node = page.node(self.list[place].element);
            let next = numbers.len() as u32;
            let look = *numbers.entry(Look::of(node)).or_insert(next);
            if let Some(parent) = node.parent() {
                let first = *siblings.entry((parent.id().index() as u32, look)).or_insert(place);
                self.unite(first, place);
            }
            looks.push(look);
        }
        for place in 0..self.list.len() {
            let element = self.list[place].element;
            let Some(above) = page.node(element).ancestors().nth(1) else { continue };
            let above =
                self.places.get(in_order.place(above.id()) as usize).copied().unwrap_or(NONE) as usize;
            if looks.get(above).is_some_and(|look| *look == looks[place]) {
                self.unite(above, place);
            }
        }
        for place in 0..self.list.len() {
            let first = self.first(place);
            self.list[place].merged_into = first;
            self.list[first].merged_sd += self.list[place].sd;
        }
    }

    /// The first of those that a container is merged with.
    fn first(&mut self, place: usize) -> usize {
        let mut first = place;
        while self.list[first].merged_into != first {
            // Halving the way as it is gone keeps all ways short.
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

/// What two containers must share to be merged: the class, or where there is none all attributes but `id`.
#[derive(PartialEq, Eq, Hash)]
enum Look<'p> {
    Class(Cow<'p, str>),
    Attributes(String),
}

impl<'p> Look<'p> {
    fn of(node: NodeRef<'p>) -> Look<'p> {
        if let Some(class) = node.attribute_named(Name::CLASS) {
            return Look::Class(class);
        }
        let attributes = node.attributes().filter(|attribute| attribute.name_id() != Name::ID);
        let mut attributes: Vec<_> = attributes.map(|it| format!("{}={}", it.name(), it.value())).collect();
        attributes.sort();
        Look::Attributes(attributes.join(" "))
    }
}
