//! The stack of open elements, with all queries in constant time.
//!
//! The standard checks whether elements are "in scope" by walking down the stack, which is quadratic on deeply nested
//! pages. Here each entry stores the nearest barrier of each kind below it, and each name the position where it was
//! opened last, so a check is a comparison of two numbers.

use crate::arena::NONE;
use crate::dom::Namespace;
use crate::name::{HTML_COUNT, Name};

use super::traits::{self, Traits};

/// One open element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) node: u32,
    /// The parent of its children: the node itself, or the content fragment of a template.
    pub(super) inside: u32,
    pub(super) name: Name,
    pub(super) namespace: Namespace,
    pub(super) traits: Traits,
    /// The next lower and the next higher entry of the same name, plus one.
    lower_same: u32,
    upper_same: u32,
    /// The nearest entry from here down that bounds a scope, is special, or ends the search for a list item.
    scope: u32,
    special: u32,
    stops_items: u32,
}

impl Open {
    pub(super) fn new(node: u32, inside: u32, namespace: Namespace, name: Name, html_inside: bool) -> Open {
        let traits = traits::of(namespace, name, html_inside);
        Open {
            node,
            inside,
            name,
            namespace,
            traits,
            lower_same: 0,
            upper_same: 0,
            scope: 0,
            special: 0,
            stops_items: 0,
        }
    }

    /// Whether it is the HTML element of this name.
    #[inline(always)]
    pub(super) fn is(&self, name: Name) -> bool {
        self.name == name && self.namespace == Namespace::Html
    }

    pub(super) fn is_html(&self) -> bool {
        self.namespace == Namespace::Html
    }

    /// Sets the nearest barriers from here down.
    #[inline(always)]
    fn look_down(&mut self, place: usize, below: Option<&Open>) {
        let (scope, special, stops_items) =
            below.map_or((0, 0, 0), |below| (below.scope, below.special, below.stops_items));
        let place = place as u32;
        self.scope = if self.traits.has(Traits::SCOPE) { place } else { scope };
        self.special = if self.traits.has(Traits::SPECIAL) { place } else { special };
        self.stops_items = if self.traits.has(Traits::STOPS_ITEMS) { place } else { stops_items };
    }

    /// The position of a removed entry. Gaps avoid moving all entries above.
    fn gap() -> Open {
        Open::new(NONE, NONE, Namespace::Html, Name(NONE), false)
    }

    fn is_gap(&self) -> bool {
        self.node == NONE
    }
}

#[derive(Debug)]
pub(super) struct OpenElements {
    entries: Vec<Open>,
    /// For each name, the index of the highest open HTML element of that name, plus one.
    latest: Vec<u32>,
    /// For each tag name, the number of open SVG and MathML elements that it closes.
    foreign: Vec<u32>,
}

impl OpenElements {
    pub(super) fn new() -> Self {
        OpenElements { entries: Vec::with_capacity(16), latest: vec![0; HTML_COUNT], foreign: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn top(&self) -> Option<&Open> {
        self.entries.last()
    }

    pub(super) fn get(&self, place: usize) -> Option<&Open> {
        self.entries.get(place)
    }

    /// Whether the current node is the HTML element of this name.
    #[inline(always)]
    pub(super) fn top_is(&self, name: Name) -> bool {
        self.top().is_some_and(|top| top.is(name))
    }

    #[inline(always)]
    pub(super) fn top_traits(&self) -> Traits {
        self.top().map_or(Traits::NONE, |top| top.traits)
    }

    #[inline]
    pub(super) fn push(&mut self, mut entry: Open) {
        let place = self.entries.len();
        entry.look_down(place, self.entries.last());
        if entry.is_html() {
            let number = entry.name.0 as usize;
            if number >= self.latest.len() {
                self.latest.resize(number + 1, 0);
            }
            entry.lower_same = std::mem::replace(&mut self.latest[number], place as u32 + 1);
            entry.upper_same = 0;
            if let Some(lower) = self.entries.get_mut((entry.lower_same as usize).wrapping_sub(1)) {
                lower.upper_same = place as u32 + 1;
            }
        } else {
            self.count_foreign(entry.name, 1);
        }
        self.entries.push(entry);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Open> {
        let entry = self.entries.pop()?;
        self.unlink(&entry);
        while self.entries.last().is_some_and(Open::is_gap) {
            self.entries.pop();
        }
        Some(entry)
    }

    /// Removes an entry from the chain of its name.
    #[inline]
    fn unlink(&mut self, entry: &Open) {
        if !entry.is_html() {
            self.count_foreign(entry.name, u32::MAX);
            return;
        }
        let (lower, upper) = (entry.lower_same, entry.upper_same);
        if let Some(lower) = self.entries.get_mut((lower as usize).wrapping_sub(1)) {
            lower.upper_same = upper;
        }
        match self.entries.get_mut((upper as usize).wrapping_sub(1)) {
            Some(upper) => upper.lower_same = lower,
            None => {
                if let Some(latest) = self.latest.get_mut(entry.name.0 as usize) {
                    *latest = lower;
                }
            }
        }
    }

    /// Replaces the entries from `from` to `to` by others, at the upper end of the range, with gaps below if they are
    /// fewer. HTML elements only.
    pub(super) fn rewrite(&mut self, from: usize, to: usize, new: &[Open]) {
        // Removed from above, the lowest entry of a name still has its neighbours outside of the range.
        let mut neighbours: Vec<(Name, u32, u32)> = new.iter().map(|entry| (entry.name, 0, 0)).collect();
        for place in (from..=to).rev() {
            let entry = std::mem::replace(&mut self.entries[place], Open::gap());
            if entry.is_gap() {
                continue;
            }
            self.unlink(&entry);
            for (name, lower, upper) in &mut neighbours {
                if *name == entry.name {
                    (*lower, *upper) = (entry.lower_same, entry.upper_same);
                }
            }
        }
        let first = to + 1 - new.len();
        for (i, &entry) in new.iter().enumerate() {
            let place = first + i;
            let (name, lower, upper) = neighbours[i];
            self.entries[place] = Open { lower_same: lower, upper_same: upper, ..entry };
            if let Some(lower) = self.entries.get_mut((lower as usize).wrapping_sub(1)) {
                lower.upper_same = place as u32 + 1;
            }
            match self.entries.get_mut((upper as usize).wrapping_sub(1)) {
                Some(upper) => upper.lower_same = place as u32 + 1,
                None => self.latest[name.0 as usize] = place as u32 + 1,
            }
            for (other, lower, _) in &mut neighbours[i + 1..] {
                if *other == name {
                    *lower = place as u32 + 1;
                }
            }
        }
        // Update the barriers of the entries above, as far as they change.
        for place in from..self.entries.len() {
            let below = place.checked_sub(1).map(|below| self.entries[below]);
            let entry = &mut self.entries[place];
            let before = (entry.scope, entry.special, entry.stops_items);
            entry.look_down(place, below.as_ref());
            if place > to && before == (entry.scope, entry.special, entry.stops_items) {
                break;
            }
        }
    }

    #[cold]
    fn count_foreign(&mut self, name: Name, change: u32) {
        let number = name.svg_tag().0 as usize;
        if number >= self.foreign.len() {
            self.foreign.resize(number + 1, 0);
        }
        self.foreign[number] = self.foreign[number].wrapping_add(change);
    }

    /// The index of the highest SVG or MathML element that a tag of this name closes, if no HTML element is above it.
    pub(super) fn find_foreign(&self, name: Name) -> Option<usize> {
        // Without the counter, every wrong end tag would walk the whole stack.
        if self.foreign.get(name.0 as usize).is_none_or(|&count| count == 0) {
            return None;
        }
        let solid = self.entries.iter().enumerate().rev().filter(|(_, entry)| !entry.is_gap());
        let mut foreign = solid.take_while(|(_, entry)| !entry.is_html());
        foreign.find(|(_, entry)| entry.name.svg_tag() == name).map(|(place, _)| place)
    }

    /// The index of the highest open HTML element of this name, plus one; zero if none is open.
    #[inline(always)]
    fn latest(&self, name: Name) -> u32 {
        self.latest.get(name.0 as usize).copied().unwrap_or(0)
    }

    /// The index of the highest open HTML element of this name.
    #[inline(always)]
    pub(super) fn find(&self, name: Name) -> Option<usize> {
        (self.latest(name) as usize).checked_sub(1)
    }

    pub(super) fn contains(&self, name: Name) -> bool {
        self.latest(name) > 0
    }

    pub(super) fn contains_several(&self, name: Name) -> bool {
        self.find(name).is_some_and(|place| self.entries[place].lower_same > 0)
    }

    #[inline(always)]
    fn scope(&self) -> u32 {
        self.top().map_or(0, |top| top.scope)
    }

    /// Whether such an element is in scope.
    #[inline(always)]
    pub(super) fn in_scope(&self, name: Name) -> bool {
        self.latest(name) > self.scope()
    }

    /// Whether such an element is in button scope.
    #[inline(always)]
    pub(super) fn in_button_scope(&self, name: Name) -> bool {
        self.latest(name) > self.scope().max(self.latest(Name::BUTTON))
    }

    /// Whether such an element is in list item scope.
    pub(super) fn in_item_scope(&self, name: Name) -> bool {
        self.latest(name) > self.scope().max(self.latest(Name::OL)).max(self.latest(Name::UL))
    }

    /// Whether such an element is in table scope.
    pub(super) fn in_table_scope(&self, name: Name) -> bool {
        let barrier = self.latest(Name::HTML).max(self.latest(Name::TABLE)).max(self.latest(Name::TEMPLATE));
        let place = self.latest(name);
        place > 0 && place >= barrier
    }

    /// The highest element with one of these names that is in scope.
    pub(super) fn highest_in_scope(&self, names: &[Name]) -> Option<usize> {
        let place = self.highest_of(names)?;
        (place as u32 + 1 > self.scope()).then_some(place)
    }

    /// The highest open HTML element with one of these names.
    pub(super) fn highest_of(&self, names: &[Name]) -> Option<usize> {
        let latest = names.iter().map(|&name| self.latest(name)).max()?;
        (latest as usize).checked_sub(1)
    }

    /// Whether the entry at this index is in scope.
    pub(super) fn place_in_scope(&self, place: usize) -> bool {
        place as u32 >= self.scope()
    }

    /// The highest element of this name, if no special element is above it.
    pub(super) fn find_below_special(&self, name: Name) -> Option<usize> {
        let special = self.top().map_or(0, |top| top.special);
        self.find(name).filter(|&place| place as u32 >= special)
    }

    /// The nearest special element other than `address`, `div` and `p`, which ends the search for an open item.
    pub(super) fn item_stop(&self) -> Option<&Open> {
        let top = self.top()?;
        self.get(top.stops_items as usize)
    }

    /// The index of an HTML element, given its name and node.
    pub(super) fn place_of(&self, name: Name, node: u32) -> Option<usize> {
        let mut next = self.latest(name);
        while let Some(place) = (next as usize).checked_sub(1) {
            let entry = &self.entries[place];
            if entry.node == node {
                return Some(place);
            }
            next = entry.lower_same;
        }
        None
    }

    /// Removes the entry at `place`.
    pub(super) fn remove(&mut self, place: usize) -> Option<Open> {
        if place + 1 == self.entries.len() {
            return self.pop();
        }
        let removed = *self.entries.get(place)?;
        self.rewrite(place, place, &[]);
        Some(removed)
    }

    /// The entries from `from` to `to`, lowest first.
    pub(super) fn stretch(&self, from: usize, to: usize) -> Vec<Open> {
        self.entries[from..=to].iter().filter(|entry| !entry.is_gap()).copied().collect()
    }

    /// The entry below the one at `place`.
    pub(super) fn below(&self, place: usize) -> Option<&Open> {
        self.entries[..place].iter().rev().find(|entry| !entry.is_gap())
    }

    /// The first special element above `place`.
    pub(super) fn first_special_above(&self, place: usize) -> Option<usize> {
        let special = self.top()?.special as usize;
        if special <= place {
            return None;
        }
        (place + 1..=special).find(|&above| self.entries[above].traits.has(Traits::SPECIAL))
    }

    /// The node below the entry at `place`, or none.
    pub(super) fn node_at(&self, place: usize) -> u32 {
        self.get(place).map_or(NONE, |entry| entry.node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(names: &[Name]) -> OpenElements {
        let mut open = OpenElements::new();
        for (node, &name) in names.iter().enumerate() {
            open.push(Open::new(node as u32, node as u32, Namespace::Html, name, false));
        }
        open
    }

    #[test]
    fn scopes_end_at_their_barriers() {
        let open = stack(&[Name::HTML, Name::BODY, Name::P, Name::BUTTON, Name::SPAN]);
        assert!(open.in_scope(Name::P));
        assert!(!open.in_button_scope(Name::P));
        let open = stack(&[Name::HTML, Name::BODY, Name::P, Name::TABLE, Name::TR, Name::TD, Name::B]);
        assert!(!open.in_scope(Name::P));
        assert!(open.in_table_scope(Name::TR) && open.in_table_scope(Name::TABLE));
        assert!(!open.in_table_scope(Name::BODY));
        let open = stack(&[Name::HTML, Name::BODY, Name::LI, Name::UL, Name::DIV]);
        assert!(open.in_scope(Name::LI) && !open.in_item_scope(Name::LI));
    }

    #[test]
    fn removing_from_the_middle_keeps_the_answers_true() {
        let mut open = stack(&[Name::HTML, Name::BODY, Name::FORM, Name::B, Name::P, Name::B]);
        assert_eq!(open.remove(2).map(|entry| entry.name), Some(Name::FORM));
        assert!(!open.contains(Name::FORM));
        assert_eq!(open.find(Name::P), Some(4), "places above do not move");
        assert_eq!(open.first_special_above(1), Some(4));
        assert!(open.in_button_scope(Name::P));
        assert_eq!(open.below(3).map(|entry| entry.name), Some(Name::BODY));
        assert_eq!(open.find_below_special(Name::B), Some(5));
        for name in [Name::B, Name::P, Name::B] {
            assert_eq!(open.pop().map(|entry| entry.name), Some(name));
        }
        assert_eq!(open.len(), 2, "the gap went with what stood on it");
    }

    #[test]
    fn rewriting_a_stretch_keeps_the_chains_of_names() {
        let mut open = stack(&[Name::HTML, Name::B, Name::DIV, Name::SPAN, Name::DIV, Name::B, Name::DIV]);
        // As the adoption agency for `b` at 1, with the span at 3 not in the list and the block at 4.
        let entries = open.stretch(1, 4);
        let copy = Open::new(99, 99, Namespace::Html, Name::B, false);
        open.rewrite(1, 4, &[entries[1], entries[3], copy]);
        assert!(!open.contains(Name::SPAN));
        let (mut bs, mut divs) = (Vec::new(), Vec::new());
        while open.len() > 1 {
            let top = open.pop().unwrap();
            assert_eq!(open.find(Name::HTML), Some(0));
            if top.name == Name::B { bs.push(top.node) } else { divs.push(top.node) }
        }
        assert_eq!((bs, divs), (vec![5, 99], vec![6, 4, 2]));
        assert!(!open.contains(Name::B) && !open.contains(Name::DIV));
    }
}
