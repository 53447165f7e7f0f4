//! The elements around a block: what kind of part of the page they are, how much they hold, how they rank.

use super::super::elements::{Elements, NONE, PARTS};
use super::super::numbers::ln_1p as ln;
use super::{LEVELS, Places, Row, bit};
use crate::page::Page;

impl Row<'_> {
    pub(super) fn elements(&mut self, elements: &Elements, place: u32, page: &Page<'_>, places: &mut Places) {
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

        let all = page.total().text.characters.max(1) as f32;
        let mut level = 0;
        let mut before = 0;
        for (number, around) in elements.up(place) {
            let measures = &around.measures;
            if level > 0 && measures.text.characters == before {
                continue;
            }
            if level == LEVELS {
                break;
            }
            before = measures.text.characters;
            places.around[level] = number;
            let names = &AROUND[level];
            let characters = measures.text.characters as f32;
            let link_characters = measures.link_text.characters as f32;
            self.add(names[0], ln(characters));
            self.add(names[1], link_characters / characters.max(1.0));
            self.add(names[2], characters / all);
            self.add(names[3], ln((characters - link_characters) / measures.links.max(1) as f32));
            self.add(names[4], measures.text.punctuation as f32 / measures.text.words.max(1) as f32);
            self.add(names[5], ln(characters / around.blocks.max(1) as f32));
            level += 1;
        }
        for names in &AROUND[level..] {
            for name in names {
                self.add(name, -1.0);
            }
        }

        let best = elements.get(elements.best);
        let best_score = best.map_or(1.0, |best| best.score).max(1e-6);
        let highest = elements.up(place).map(|(_, around)| around.score).fold(0.0, f32::max);
        self.add("score highest", highest / best_score);
        self.add("score own", element.map_or(0.0, |element| element.score) / best_score);
        self.add("score parent", parent.map_or(0.0, |parent| parent.score) / best_score);
        // How far up from the block, and from the best element, to where both are inside.
        let (mut a, mut b, mut steps_a, mut steps_b) = (place, elements.best, 0.0, 0.0);
        while a != b {
            let depth = |place| elements.get(place).map_or(-1, |element| i64::from(element.depth));
            let (depth_a, depth_b) = (depth(a), depth(b));
            if depth_a < 0 && depth_b < 0 {
                break;
            }
            if depth_a >= depth_b {
                a = elements.get(a).map_or(NONE, |element| element.parent);
                steps_a += 1.0;
            } else {
                b = elements.get(b).map_or(NONE, |element| element.parent);
                steps_b += 1.0;
            }
        }
        self.add("steps to best", steps_a);
        self.add("steps from best", steps_b);
        self.add("share of best", best.map_or(0.0, |best| best.measures.text.characters as f32) / all);
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
