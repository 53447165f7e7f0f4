//! The blocks before and behind a block.

use super::super::elements::Elements;
use super::super::numbers::ln_1p as ln;
use super::own::Own;
use super::{Names, Row, bit};

impl<N: Names> Row<N> {
    pub(super) fn neighbours(&mut self, at: usize, places: &[u32], own: &[Own], elements: &Elements) {
        let here = elements.get(places[at]);
        for (number, names) in [-2, -1, 1, 2].into_iter().zip(&NEIGHBOURS) {
            let other = at.checked_add_signed(number).and_then(|at| Some((own.get(at)?, *places.get(at)?)));
            self.add(names[0], other.map_or(-1.0, |(own, _)| own.ln_characters));
            self.add(names[1], other.map_or(-1.0, |(own, _)| own.link_share));
            self.add(names[2], other.map_or(0.0, |(own, _)| own.said.sum));
            let other = other.and_then(|(_, place)| elements.get(place));
            let same = here.zip(other).map_or(0.0, |(here, other)| {
                if here.node == other.node {
                    3.0
                } else if here.class_path == other.class_path {
                    2.0
                } else {
                    bit(here.parent == other.parent)
                }
            });
            self.add(names[3], same);
        }
        let from = at.saturating_sub(4);
        let near = &own[from..(at + 5).min(own.len())];
        let (mut characters, mut links, mut sentences) = (0.0, 0.0, 0.0);
        for own in near {
            characters += own.characters;
            links += own.characters * own.link_share;
            sentences += bit(own.ends_sentence);
        }
        self.add("near characters", ln(characters / near.len() as f32));
        self.add("near links", links / characters.max(1.0));
        self.add("near sentences", sentences / near.len() as f32);
    }
}

const NEIGHBOURS: [[&str; 4]; 4] = [
    ["back2 characters", "back2 links", "back2 words", "back2 same"],
    ["back1 characters", "back1 links", "back1 words", "back1 same"],
    ["next1 characters", "next1 links", "next1 words", "next1 same"],
    ["next2 characters", "next2 links", "next2 words", "next2 same"],
];
