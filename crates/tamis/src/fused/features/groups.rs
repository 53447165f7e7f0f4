//! Blocks with the same path, and with the same text.

use crate::hashing::NumberMap;

use super::super::elements::Elements;
use super::super::numbers::ln_1p as ln;
use super::own::Own;
use super::{Places, Row, bit};
use crate::page::Page;

impl Row<'_> {
    pub(super) fn groups(
        &mut self,
        groups: &Groups,
        elements: &Elements,
        place: u32,
        own: &Own,
        places: &mut Places,
    ) {
        let element = elements.get(place);
        places.class_path = element.map_or(0, |element| element.class_path);
        places.tag_path = element.map_or(0, |element| element.tag_path);
        let none = Group::default();
        for (group, names) in [
            (groups.by_class.get(&places.class_path), &GROUPS[0]),
            (groups.by_tag.get(&places.tag_path), &GROUPS[1]),
        ] {
            let group = group.unwrap_or(&none);
            self.add(names[0], ln(group.blocks));
            self.add(names[1], group.characters / groups.characters.max(1.0));
            self.add(names[2], ln(group.characters / group.blocks.max(1.0)));
            self.add(names[3], group.links / group.characters.max(1.0));
            self.add(names[4], group.sentences / group.blocks.max(1.0));
            self.add(names[5], group.said / group.blocks.max(1.0));
        }
        self.add("same text", ln(groups.by_text.get(&own.hash).copied().unwrap_or(0.0)));
    }
}

const GROUPS: [[&str; 6]; 2] = [
    [
        "class path blocks",
        "class path share",
        "class path characters",
        "class path links",
        "class path sentences",
        "class path words",
    ],
    [
        "tag path blocks",
        "tag path share",
        "tag path characters",
        "tag path links",
        "tag path sentences",
        "tag path words",
    ],
];

#[derive(Clone, Copy, Default)]
pub(super) struct Group {
    pub(super) blocks: f32,
    pub(super) characters: f32,
    pub(super) links: f32,
    pub(super) sentences: f32,
    pub(super) said: f32,
    pub(super) long: f32,
}

/// Blocks with the same path, and with the same text.
pub(super) struct Groups {
    pub(super) by_class: NumberMap<u64, Group>,
    pub(super) by_tag: NumberMap<u64, Group>,
    pub(super) by_text: NumberMap<u64, f32>,
    pub(super) characters: f32,
}

impl Groups {
    pub(super) fn of(page: &Page<'_>, elements: &Elements, own: &[Own]) -> Groups {
        let mut groups = Groups {
            by_class: NumberMap::default(),
            by_tag: NumberMap::default(),
            by_text: NumberMap::default(),
            characters: 0.0,
        };
        for (block, own) in page.blocks().iter().zip(own) {
            if block.hidden.is_some() {
                continue;
            }
            let Some(element) = elements.get(elements.place(block.element)) else { continue };
            for group in [
                groups.by_class.entry(element.class_path).or_default(),
                groups.by_tag.entry(element.tag_path).or_default(),
            ] {
                group.blocks += 1.0;
                group.characters += own.characters;
                group.links += own.characters * own.link_share;
                group.sentences += bit(own.ends_sentence);
                group.said += own.said.sum;
                group.long += bit(own.words >= 15.0 && own.link_share < 0.5);
            }
            *groups.by_text.entry(own.hash).or_default() += 1.0;
            groups.characters += own.characters;
        }
        groups
    }
}
