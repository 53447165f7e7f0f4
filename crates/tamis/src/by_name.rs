//! Something for each name among the children of an element.

use std::collections::HashMap;

use tamis_html::Name;

/// Most elements have children of a few names; these are found by looking at all of them.
#[derive(Debug)]
pub(crate) struct ByName<T> {
    few: Vec<(Name, T)>,
    many: HashMap<Name, T>,
}

impl<T> Default for ByName<T> {
    fn default() -> Self {
        ByName { few: Vec::new(), many: HashMap::new() }
    }
}

impl<T> ByName<T> {
    const FEW: usize = 8;

    /// What a name has, and `new` if it has nothing yet.
    #[inline]
    pub(crate) fn of(&mut self, name: Name, new: T) -> &mut T {
        match self.few.iter().position(|(other, _)| *other == name) {
            Some(place) => &mut self.few[place].1,
            None if self.few.len() < Self::FEW => {
                self.few.push((name, new));
                let last = self.few.len() - 1;
                &mut self.few[last].1
            }
            None => self.many.entry(name).or_insert(new),
        }
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.few.clear();
        if !self.many.is_empty() {
            self.many.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ByName;

    #[test]
    fn many_names_are_kept_apart() {
        let html: String = (0..40).map(|i| format!("<x{} />", i % 20)).collect();
        let dom = tamis_html::parse(&html);
        let mut counts: ByName<u32> = ByName::default();
        let names: Vec<_> = dom.body().unwrap().descendants().filter_map(|node| node.name_id()).collect();
        names.iter().for_each(|name| *counts.of(*name, 0) += 1);
        assert_eq!(names.len(), 40);
        assert!(names.iter().all(|name| *counts.of(*name, 0) == 2));
        counts.clear();
        assert!(names.iter().all(|name| *counts.of(*name, 0) == 0));
    }
}
