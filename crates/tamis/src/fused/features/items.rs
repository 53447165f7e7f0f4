//! Posts, entries, teasers: elements that stand beside others of the same make, and what such a row of items is like.

use crate::hashing::NumberMap;

use super::super::elements::{Elements, NONE};
use super::super::numbers::ln_1p as ln;
use super::{Names, Row};
use crate::page::Page;

/// For each element the row of items it belongs to.
pub(super) struct Items {
    /// By the place of an element: its row and which of the row's items it is.
    of: Vec<(u32, u32)>,
    /// Likewise: the innermost and the outermost item that it is or stands in, the latter one of three and more.
    around: Vec<(u32, u32)>,
    /// For each row, how many items it has (a logarithm).
    alike: Vec<f32>,
    /// For each row of true items, what it is like.
    numbers: Vec<[f32; 8]>,
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
    pub(super) fn of(page: &Page<'_>, elements: &Elements) -> Items {
        let count = elements.list.len();
        let mut numbers: NumberMap<(u32, u64), u32> =
            NumberMap::with_capacity_and_hasher(count, <_>::default());
        let mut rows: Vec<ItemRow> = Vec::new();
        let mut of = Vec::with_capacity(count);
        for element in &elements.list {
            let number = *numbers.entry((element.parent, element.class_path)).or_insert(rows.len() as u32);
            if number as usize == rows.len() {
                rows.push(ItemRow::default());
            }
            let row = &mut rows[number as usize];
            of.push((number, row.items));
            row.items += 1;
            row.characters += element.measures.text.characters;
            row.link_characters += element.measures.link_text.characters;
            row.links += element.measures.links;
            row.blocks += element.blocks;
            row.longest = row.longest.max(element.measures.text.characters);
        }
        let mut around: Vec<(u32, u32)> = Vec::with_capacity(count);
        for (place, (element, (row, _))) in (0..).zip(elements.list.iter().zip(&of)) {
            // What stands around an element comes before it in the list.
            let (mut inner, mut outer) = around.get(element.parent as usize).copied().unwrap_or((NONE, NONE));
            let row = &rows[*row as usize];
            if row.has_items() {
                inner = place;
                if row.items > 2 && outer == NONE {
                    outer = place;
                }
            }
            around.push((inner, outer));
        }
        let all = page.total().text.characters.max(1) as f32;
        let alike = rows.iter().map(|row| ln(row.items as f32)).collect();
        let numbers = rows.iter().map(|row| row.numbers(all)).collect();
        Items { of, around, alike, numbers }
    }
}

impl ItemRow {
    /// An item has more than one block, and at least one item stands beside it.
    fn has_items(&self) -> bool {
        self.items > 1 && self.blocks > self.items
    }

    /// What is said of each of its items, in the order of [`NAMES`]; nothing where nobody will ask.
    fn numbers(&self, all: f32) -> [f32; 8] {
        if !self.has_items() {
            return [0.0; 8];
        }
        let count = self.items as f32;
        [
            ln(count),
            ln(self.characters as f32 / count),
            self.link_characters as f32 / self.characters.max(1) as f32,
            self.characters as f32 / all,
            self.blocks as f32 / count,
            self.links as f32 / count,
            0.0,
            self.longest as f32 * count / self.characters.max(1) as f32,
        ]
    }
}

/// Which of the numbers is not that of the row: which of its items it is.
const RANK: usize = 6;

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

impl<N: Names> Row<N> {
    pub(super) fn items(&mut self, items: &Items, elements: &Elements, place: u32) {
        let row = items.of.get(place as usize).map(|(row, _)| *row as usize);
        self.add("siblings alike", row.map_or(0.0, |row| items.alike[row]));
        let start = elements.get(place).map_or(NONE, |element| element.parent);
        let (inner, outer) = items.around.get(start as usize).copied().unwrap_or((NONE, NONE));
        for (item, names) in [inner, outer].into_iter().zip(&NAMES) {
            let Some((row, rank)) = items.of.get(item as usize) else {
                self.add_all(names, &[-1.0; 8]);
                continue;
            };
            let mut numbers = items.numbers[*row as usize];
            numbers[RANK] = *rank as f32;
            self.add_all(names, &numbers);
        }
    }
}
