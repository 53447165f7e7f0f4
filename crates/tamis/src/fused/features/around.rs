//! The elements around a block: what kind of part of the page they are, how much they hold, how they rank.

use super::super::elements::{Element, Elements, NONE, PARTS};
use super::super::numbers::ln_1p as ln;
use super::{LEVELS, Names, Places, Row, bit};
use crate::page::Page;

impl<N: Names> Row<N> {
    pub(super) fn elements(&mut self, around: &Around, elements: &Elements, place: u32, places: &mut Places) {
        let element = elements.get(place);
        let parts = element.map_or(0, |element| element.parts);
        for (number, part) in PARTS.iter().enumerate() {
            self.add(part, bit(parts >> number & 1 == 1));
        }
        self.add("class own", element.map_or(0.0, |element| element.own));
        self.add("class all", element.map_or(0.0, |element| element.all.sum));
        self.add("class least", element.map_or(0.0, |element| element.all.least));
        self.add("class most", element.map_or(0.0, |element| element.all.most));
        self.add("class nearest", element.map_or(0.0, |element| element.nearest));
        let parent = element.and_then(|element| elements.get(element.parent));
        self.add("class parent", parent.map_or(0.0, |parent| parent.own));

        let mut next = place;
        for (names, number) in AROUND.iter().zip(&mut places.around) {
            let Some((numbers, element)) = around.numbers.get(next as usize).zip(elements.get(next)) else {
                self.add_all(names, &[-1.0; 6]);
                continue;
            };
            self.add_all(names, numbers);
            *number = next;
            next = element.wider;
        }

        let best_score = around.best_score;
        self.add("score highest", element.map_or(0.0, |element| element.highest) / best_score);
        self.add("score own", element.map_or(0.0, |element| element.score) / best_score);
        self.add("score parent", parent.map_or(0.0, |parent| parent.score) / best_score);
        // How far up from the block, and from the best element, to where both are inside.
        let both = around.with_best.get(place as usize).copied().unwrap_or(NONE);
        let both = elements.levels(both);
        self.add("steps to best", (elements.levels(place) - both) as f32);
        self.add("steps from best", (elements.levels(elements.best) - both) as f32);
        self.add("share of best", around.best_share);
    }
}

/// What rows have in common that stand in the same elements.
pub(super) struct Around {
    /// For each element, what it holds.
    numbers: Vec<[f32; 6]>,
    /// For each element, the nearest one that holds both it and the best one.
    with_best: Vec<u32>,
    best_score: f32,
    best_share: f32,
}

impl Around {
    pub(super) fn of(page: &Page<'_>, elements: &Elements) -> Around {
        let all = page.total().text.characters.max(1) as f32;
        let best = elements.get(elements.best);
        let numbers = |element: &Element| {
            let measures = &element.measures;
            let characters = measures.text.characters as f32;
            let link_characters = measures.link_text.characters as f32;
            [
                ln(characters),
                link_characters / characters.max(1.0),
                characters / all,
                ln((characters - link_characters) / measures.links.max(1) as f32),
                measures.text.punctuation as f32 / measures.text.words.max(1) as f32,
                ln(characters / element.blocks.max(1) as f32),
            ]
        };
        Around {
            numbers: elements.list.iter().map(numbers).collect(),
            with_best: elements.holders(elements.best),
            best_score: best.map_or(1.0, |best| best.score).max(1e-6),
            best_share: best.map_or(0.0, |best| best.measures.text.characters as f32) / all,
        }
    }
}

const AROUND: [[&str; 6]; LEVELS] = [
    [
        "around0 characters",
        "around0 links",
        "around0 share",
        "around0 per link",
        "around0 punctuation",
        "around0 per block",
    ],
    [
        "around1 characters",
        "around1 links",
        "around1 share",
        "around1 per link",
        "around1 punctuation",
        "around1 per block",
    ],
    [
        "around2 characters",
        "around2 links",
        "around2 share",
        "around2 per link",
        "around2 punctuation",
        "around2 per block",
    ],
    [
        "around3 characters",
        "around3 links",
        "around3 share",
        "around3 per link",
        "around3 punctuation",
        "around3 per block",
    ],
    [
        "around4 characters",
        "around4 links",
        "around4 share",
        "around4 per link",
        "around4 punctuation",
        "around4 per block",
    ],
];
