//! Blocks with the same path, and with the same text.

use crate::hashing::NumberMap;

use super::super::elements::Elements;
use super::super::numbers::ln_1p as ln;
use super::own::Own;
use super::{Names, Places, Row, bit};
use crate::page::Page;

impl<N: Names> Row<N> {
    pub(super) fn groups(
        &mut self,
        groups: &Groups,
        elements: &Elements,
        place: u32,
        at: usize,
        places: &mut Places,
    ) {
        let element = elements.get(place);
        places.class_path = element.map_or(0, |element| element.class_path);
        places.tag_path = element.map_or(0, |element| element.tag_path);
        let [by_class, by_tag, by_text] = groups.of[at];
        places.numbers = [by_class, by_tag];
        self.add_all(&GROUPS[0], &groups.class_numbers[by_class as usize]);
        self.add_all(&GROUPS[1], &groups.tag_numbers[by_tag as usize]);
        self.add("same text", groups.ln_texts[by_text as usize]);
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
    pub(super) by_class: Vec<Group>,
    /// For each block its groups by class names, by tags and by text.
    of: Vec<[u32; 3]>,
    /// For each group what it is like, in the order of [`GROUPS`].
    class_numbers: Vec<[f32; 6]>,
    tag_numbers: Vec<[f32; 6]>,
    /// How many blocks have the text (a logarithm).
    ln_texts: Vec<f32>,
}

impl Groups {
    pub(super) fn of(page: &Page<'_>, elements: &Elements, own: &[Own]) -> Groups {
        let (mut classes, mut tags, mut texts) = (Numbers::new(own), Numbers::new(own), Numbers::new(own));
        let (mut by_class, mut by_tag, mut by_text) =
            (Vec::<Group>::new(), Vec::<Group>::new(), Vec::<f32>::new());
        let mut of = Vec::with_capacity(own.len());
        let mut all = 0.0;
        for (block, own) in page.blocks().iter().zip(own) {
            let element = elements.get(elements.place(block.element));
            let (class_path, tag_path) = element.map_or((0, 0), |it| (it.class_path, it.tag_path));
            // A group of which no block is seen stays empty, and says what none would.
            let class = classes.group(class_path, &mut by_class);
            let tag = tags.group(tag_path, &mut by_tag);
            let text = texts.group(own.hash, &mut by_text);
            of.push([class, tag, text]);
            if block.hidden.is_some() || element.is_none() {
                continue;
            }
            by_class[class as usize].add(own);
            by_tag[tag as usize].add(own);
            by_text[text as usize] += 1.0;
            all += own.characters;
        }
        Groups {
            of,
            class_numbers: by_class.iter().map(|group| group.numbers(all)).collect(),
            tag_numbers: by_tag.iter().map(|group| group.numbers(all)).collect(),
            ln_texts: by_text.into_iter().map(ln).collect(),
            by_class,
        }
    }
}

impl Group {
    fn add(&mut self, own: &Own) {
        self.blocks += 1.0;
        self.characters += own.characters;
        self.links += own.characters * own.link_share;
        self.sentences += bit(own.ends_sentence);
        self.said += own.said.sum;
        self.long += bit(own.words >= 15.0 && own.link_share < 0.5);
    }

    fn numbers(&self, all: f32) -> [f32; 6] {
        [
            ln(self.blocks),
            self.characters / all.max(1.0),
            ln(self.characters / self.blocks.max(1.0)),
            self.links / self.characters.max(1.0),
            self.sentences / self.blocks.max(1.0),
            self.said / self.blocks.max(1.0),
        ]
    }
}

/// The numbers of groups, by what their blocks have in common.
struct Numbers(NumberMap<u64, u32>);

impl Numbers {
    fn new(own: &[Own]) -> Numbers {
        Numbers(NumberMap::with_capacity_and_hasher(own.len(), <_>::default()))
    }

    /// The number of a group, which is new if nothing had the same in common before.
    fn group<T: Default>(&mut self, by: u64, groups: &mut Vec<T>) -> u32 {
        let number = *self.0.entry(by).or_insert(groups.len() as u32);
        if number as usize == groups.len() {
            groups.push(T::default());
        }
        number
    }
}
