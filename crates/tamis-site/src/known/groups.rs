//! Groups of similar texts.
//!
//! In the paper, a text joins the first similar one in the order of arrival. Here texts are ordered by number of pages,
//! so that groups depend only on the set of pages; the representative of a group is its most frequent text.

use std::collections::HashMap;

use tamis_methods::site::NearIndex;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::{Excluded, PageNumber};
use crate::hashing::IdentityHasher;
use crate::record::TextRef;

/// A text of a tag on a page.
pub(super) struct Unit<'m> {
    pub(super) name: &'m str,
    pub(super) text: TextRef<'m>,
    pub(super) page: PageNumber,
}

/// A group of similar texts.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) name: Box<str>,
    /// The most frequent text, or its prefix.
    pub(crate) text: Box<str>,
    pub(crate) digest: u128,
    whole: bool,
    /// The pages with any of the texts, ascending.
    pub(crate) pages: Vec<PageNumber>,
    /// The number of different texts.
    pub(crate) texts: u32,
}

/// All groups, indexed by exact and by similar texts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups {
    list: Vec<Group>,
    /// Group numbers by tag name and text.
    exact: HashMap<u64, u32, IdentityHasher>,
    /// The groups with at least two pages.
    near: NearIndex,
    of_near: Vec<u32>,
}

impl Groups {
    pub(super) fn of<'m>(units: impl Iterator<Item = Unit<'m>>) -> Groups {
        let mut distinct: HashMap<u64, (Unit<'m>, Vec<PageNumber>), IdentityHasher> = HashMap::default();
        for unit in units {
            let id = id(unit.name, unit.text.digest);
            let page = unit.page;
            let (kept, pages) = distinct.entry(id).or_insert_with(|| (Unit { ..unit }, Vec::new()));
            // One page may have the whole text where another has only a prefix.
            if unit.text.whole && !kept.text.whole {
                kept.text = unit.text;
            }
            if pages.last() != Some(&page) {
                pages.push(page);
            }
        }
        let mut order: Vec<(u64, (Unit<'m>, Vec<PageNumber>))> = distinct.into_iter().collect();
        for (_, (_, pages)) in &mut order {
            pages.sort_unstable();
            pages.dedup();
        }
        order.sort_unstable_by_key(|(id, (_, pages))| (usize::MAX - pages.len(), *id));
        let mut groups = Groups::default();
        let mut all = NearIndex::default();
        let mut of_all: Vec<u32> = Vec::new();
        for (id, (unit, pages)) in order {
            let near = if unit.text.whole { all.find(unit.name, unit.text.text) } else { None };
            let group = near.and_then(|near| of_all.get(near as usize).copied());
            let number = group.unwrap_or(groups.list.len() as u32);
            groups.exact.insert(id, number);
            if let Some(group) = groups.list.get_mut(number as usize) {
                group.pages.extend(pages);
                group.texts += 1;
                continue;
            }
            if unit.text.whole && all.add(unit.name, unit.text.text) as usize == of_all.len() {
                of_all.push(number);
            }
            let TextRef { digest, text, whole } = unit.text;
            groups.list.push(Group {
                name: unit.name.into(),
                text: text.into(),
                digest,
                whole,
                pages,
                texts: 1,
            });
        }
        for (number, group) in groups.list.iter_mut().enumerate() {
            group.pages.sort_unstable();
            group.pages.dedup();
            if group.pages.len() > 1 && group.whole {
                let at = groups.near.add(&group.name, &group.text) as usize;
                if at == groups.of_near.len() {
                    groups.of_near.push(number as u32);
                }
            }
        }
        groups
    }

    pub(crate) fn list(&self) -> &[Group] {
        &self.list
    }

    /// The number of pages with a text or a similar one.
    pub(super) fn pages_near(&self, name: &str, text: &str, digest: u128, excluded: &Excluded) -> u32 {
        let number = match self.exact.get(&id(name, digest)) {
            Some(number) => Some(*number),
            None => self.near.find_near(name, text).and_then(|near| self.of_near.get(near as usize).copied()),
        };
        let group = number.and_then(|number| self.list.get(number as usize));
        group.map_or(0, |group| excluded.count(&group.pages))
    }
}

fn id(name: &str, text: u128) -> u64 {
    xxh3_64_with_seed(&text.to_le_bytes(), xxh3_64(name.as_bytes()))
}
