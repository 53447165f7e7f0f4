//! Posts, entries, teasers: elements that stand beside others of the same make, and what such a row of items is like.

use crate::hashing::NumberMap;

use super::super::elements::{Elements, NONE};
use super::super::numbers::ln_1p as ln;
use super::Row;
use crate::page::Page;

/// For each element the row of items it belongs to.
pub(super) struct Items {
    rows: Vec<ItemRow>,
    /// By the place of an element: its row and which of the row's items it is.
    of: Vec<(u32, u32)>,
}

/// Elements with the same parent, name and class names.
#[derive(Clone, Copy, Default)]
struct ItemRow {
    items: u32,
    characters: u32,
    link_characters: u32,
    links: u32,
    blocks: u32,
    longest: u32,
}

impl Items {
    pub(super) fn of(elements: &Elements) -> Items {
        let mut numbers: NumberMap<(u32, u64), u32> = NumberMap::default();
        let mut items = Items { rows: Vec::new(), of: Vec::with_capacity(elements.list.len()) };
        for element in &elements.list {
            let number =
                *numbers.entry((element.parent, element.class_path)).or_insert(items.rows.len() as u32);
            if number as usize == items.rows.len() {
                items.rows.push(ItemRow::default());
            }
            let row = &mut items.rows[number as usize];
            items.of.push((number, row.items));
            row.items += 1;
            row.characters += element.measures.text.characters;
            row.link_characters += element.measures.link_text.characters;
            row.links += element.measures.links;
            row.blocks += element.blocks;
            row.longest = row.longest.max(element.measures.text.characters);
        }
        items
    }
}

const NAMES: [[&str; 8]; 2] = [
    [
        "item count",
        "item characters",
        "item links",
        "item share",
        "item blocks",
        "item link count",
        "item rank",
        "item longest",
    ],
    [
        "outer count",
        "outer characters",
        "outer links",
        "outer share",
        "outer blocks",
        "outer link count",
        "outer rank",
        "outer longest",
    ],
];

impl Row<'_> {
    pub(super) fn items(&mut self, items: &Items, elements: &Elements, place: u32, page: &Page<'_>) {
        let all = page.total().text.characters.max(1) as f32;
        let row_of =
            |place: u32| items.of.get(place as usize).map(|(row, rank)| (items.rows[*row as usize], *rank));
        self.add("siblings alike", row_of(place).map_or(0.0, |(row, _)| ln(row.items as f32)));
        let (mut inner, mut outer) = (None, None);
        let start = elements.get(place).map_or(NONE, |element| element.parent);
        for (above, _) in elements.up(start) {
            // An item has more than one block, and at least one item stands beside it.
            if let Some((row, rank)) =
                row_of(above).filter(|(row, _)| row.items > 1 && row.blocks > row.items)
            {
                inner = inner.or(Some((row, rank)));
                if row.items > 2 {
                    outer = Some((row, rank));
                }
            }
        }
        for (found, names) in [inner, outer].into_iter().zip(&NAMES) {
            let Some((row, rank)) = found else {
                names.iter().for_each(|name| self.add(name, -1.0));
                continue;
            };
            let count = row.items as f32;
            self.add(names[0], ln(count));
            self.add(names[1], ln(row.characters as f32 / count));
            self.add(names[2], row.link_characters as f32 / row.characters.max(1) as f32);
            self.add(names[3], row.characters as f32 / all);
            self.add(names[4], row.blocks as f32 / count);
            self.add(names[5], row.links as f32 / count);
            self.add(names[6], rank as f32);
            self.add(names[7], row.longest as f32 * count / row.characters.max(1) as f32);
        }
    }
}
