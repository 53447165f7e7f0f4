//! What stands at a place of a site's pages: always the same, or something else on each page.

use std::collections::HashMap;

use super::{Left, PageNumber, Sight};
use crate::hashing::AsItIs;

/// What the pages of the sample have at a place.
#[derive(Clone, Debug, Default)]
pub(super) struct PlaceSeen {
    /// The pages that have the place, in their order.
    pages: Vec<PageNumber>,
    /// How many different texts stand there.
    texts: u32,
    /// For each text that a single page has there, that page; sorted.
    alone: Vec<PageNumber>,
    /// For each text that two pages have there, both; sorted.
    pairs: Vec<PageNumber>,
}

/// The numbers of a place, without the pages that are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct PlaceNumbers {
    pub(super) pages: u32,
    pub(super) texts: u32,
    pub(super) once: u32,
}

impl PlaceSeen {
    pub(super) fn without(&self, left: &Left) -> PlaceNumbers {
        let mut numbers =
            PlaceNumbers { pages: self.pages.len() as u32, texts: self.texts, once: self.alone.len() as u32 };
        for page in left.pages() {
            numbers.pages -= u32::from(self.pages.binary_search(&page).is_ok());
            let own = times(&self.alone, page);
            numbers.texts -= own;
            numbers.once = numbers.once - own + times(&self.pairs, page);
        }
        numbers
    }
}

fn times(sorted: &[PageNumber], page: PageNumber) -> u32 {
    (sorted.partition_point(|other| *other <= page) - sorted.partition_point(|other| *other < page)) as u32
}

pub(super) fn of(blocks: &HashMap<u128, Vec<Sight>, AsItIs>) -> HashMap<u32, PlaceSeen, AsItIs> {
    let mut places: HashMap<u32, PlaceSeen, AsItIs> = HashMap::default();
    let mut pages: Vec<PageNumber> = Vec::new();
    for sights in blocks.values() {
        // They are sorted by place.
        for at_place in sights.chunk_by(|a, b| a.place == b.place) {
            let Some(first) = at_place.first() else { continue };
            pages.clear();
            pages.extend(at_place.iter().map(|sight| sight.page));
            pages.dedup();
            let place = places.entry(first.place).or_default();
            place.texts += 1;
            match pages.as_slice() {
                [one] => place.alone.push(*one),
                [one, other] => place.pairs.extend([*one, *other]),
                _ => {}
            }
            place.pages.extend(&pages);
            if place.pages.len() > 1 << 14 {
                place.pages.sort_unstable();
                place.pages.dedup();
            }
        }
    }
    for place in places.values_mut() {
        place.pages.sort_unstable();
        place.pages.dedup();
        place.alone.sort_unstable();
        place.pairs.sort_unstable();
    }
    places
}
