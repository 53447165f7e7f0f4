//! What is known of the elements on the way down to a block: what kind of part of the page they are, what their class names
//! say, how much they hold, and how a readability score would rank them.

use std::hash::{BuildHasher, BuildHasherDefault};

use tamis_html::{Name, NodeId, NodeRef};

use super::odds::{Odds, Said, class_words};
use crate::hashing::{AsItIs, NumberMap};
use crate::page::{Measures, Page};

/// The parts of a page that markup tells apart; an element has those of all elements around it.
pub(crate) const PARTS: [&str; 20] = [
    "in article",
    "in main",
    "in nav",
    "in header",
    "in footer",
    "in aside",
    "in form",
    "in table",
    "in list",
    "in blockquote",
    "in figure",
    "in pre",
    "in heading",
    "in dl",
    "in section",
    "in control",
    "in articleBody",
    "in comment markup",
    "in dialog",
    "in link",
];

/// An element that holds text which can be seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    pub(crate) node: NodeId,
    pub(crate) parent: u32,
    pub(crate) name: Name,
    /// Bits, in the order of [`PARTS`].
    pub(crate) parts: u32,
    /// What the class names of this element say.
    pub(crate) own: f32,
    /// ... of this and the elements around it.
    pub(crate) all: Said,
    /// The last element around it, itself included, whose class names said something.
    pub(crate) nearest: f32,
    /// A hash of the names of the elements down to here.
    pub(crate) tag_path: u64,
    /// ... with their class names.
    pub(crate) class_path: u64,
    pub(crate) measures: Measures,
    pub(crate) blocks: u32,
    pub(crate) depth: u32,
    /// A score as readability has it: paragraphs below it, nearer ones more.
    pub(crate) score: f32,
    /// The highest score of this and the elements around it.
    pub(crate) highest: f32,
    /// The nearest element around it that holds more characters.
    pub(crate) wider: u32,
    /// The place behind all elements inside of it: they follow it in the list.
    end: u32,
}

pub(crate) const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(crate) struct Elements {
    pub(crate) list: Vec<Element>,
    places: Vec<u32>,
    /// The element with the highest score.
    pub(crate) best: u32,
    /// The words of all class names and ids, each once, sorted.
    pub(crate) class_words: Vec<u32>,
}

impl Default for Elements {
    fn default() -> Self {
        Elements { list: Vec::new(), places: Vec::new(), best: NONE, class_words: Vec::new() }
    }
}

impl Elements {
    pub(crate) fn of(page: &Page<'_>, odds: &Odds) -> Elements {
        let dom = page.dom();
        let mut elements = Elements { places: vec![NONE; dom.len()], ..Elements::default() };
        // Of four nodes, one is an element with text.
        elements.list.reserve(dom.len() / 4);
        // Those that are open, each with where in the list of all elements it ends.
        let mut open: Vec<(u32, usize)> = Vec::new();
        let mut names = Names { odds, known: NumberMap::default(), words: Vec::new() };
        let all = &page.in_order().list;
        let mut at = 0;
        while let Some(entry) = all.get(at) {
            if page.is_late_at(at) {
                break;
            }
            let node = page.node(entry.id);
            let measures = *page.measures(node);
            if measures.text.characters == 0 {
                at += entry.size as usize;
                continue;
            }
            elements.end_before(at, &mut open);
            let place = elements.list.len() as u32;
            elements.places[node.id().index()] = place;
            let parent = open.last().map_or(NONE, |(place, _)| *place);
            let above = elements.list.get(parent as usize);
            let mut element = element(node, measures, parent, above, &mut names);
            element.wider = match above {
                Some(above) if above.measures.text.characters == measures.text.characters => above.wider,
                _ => parent,
            };
            elements.list.push(element);
            open.push((place, at + entry.size as usize));
            at += 1;
        }
        elements.end_before(usize::MAX, &mut open);
        elements.class_words = names.words;
        elements.class_words.sort_unstable();
        elements.class_words.dedup();
        elements.score(page);
        elements
    }

    /// Ends the open elements that do not reach so far.
    fn end_before(&mut self, at: usize, open: &mut Vec<(u32, usize)>) {
        let end = self.list.len() as u32;
        while let Some((place, _)) = open.pop_if(|(_, upto)| *upto <= at) {
            self.list[place as usize].end = end;
        }
    }

    pub(crate) fn place(&self, node: NodeId) -> u32 {
        self.places[node.index()]
    }

    pub(crate) fn get(&self, place: u32) -> Option<&Element> {
        self.list.get(place as usize)
    }

    /// The element and those around it, from the inside out.
    pub(crate) fn up(&self, place: u32) -> impl Iterator<Item = (u32, &Element)> {
        let next = |(_, element): &(u32, &Element)| Some((element.parent, self.get(element.parent)?));
        std::iter::successors(self.get(place).map(|element| (place, element)), next)
    }

    /// Is an element inside of another, or the same?
    pub(crate) fn is_inside(&self, place: u32, of: u32) -> bool {
        self.get(of).is_some_and(|around| of <= place && place < around.end)
    }

    /// For each element, the nearest one around it, or itself, that holds a certain element.
    pub(crate) fn holders(&self, held: u32) -> Vec<u32> {
        let mut holders: Vec<u32> = Vec::with_capacity(self.list.len());
        for (place, element) in (0..).zip(&self.list) {
            // What stands around it comes before it in the list.
            let above = || holders.get(element.parent as usize).copied().unwrap_or(NONE);
            holders.push(if self.is_inside(held, place) { place } else { above() });
        }
        holders
    }

    /// How many elements are around this one and it; 0 for none.
    pub(crate) fn levels(&self, place: u32) -> u32 {
        self.get(place).map_or(0, |element| element.depth + 1)
    }

    /// Each paragraph gives points to the elements around it, the nearer the more.
    fn score(&mut self, page: &Page<'_>) {
        for (at, block) in page.blocks().iter().enumerate().filter(|(_, block)| block.hidden.is_none()) {
            if page.is_late_at(at) {
                break;
            }
            let mut place = self.place(block.element);
            if let Some(element) = self.list.get_mut(place as usize) {
                element.blocks += 1;
            }
            let measures = &block.measures;
            let characters =
                measures.text.characters - measures.link_text.characters.min(measures.text.characters);
            if characters < 25 {
                continue;
            }
            let points = 1.0
                + (measures.text.punctuation as f32).min(12.0) / 2.0
                + (measures.text.words as f32 / 20.0).min(3.0);
            let own = self.get(place).map_or(Name::DIV, |element| element.name);
            if matches!(own, Name::P | Name::PRE | Name::LI | Name::TD | Name::BLOCKQUOTE | Name::DD) {
                place = self.get(place).map_or(NONE, |element| element.parent);
            }
            let mut share = 1.0;
            for _ in 0..5 {
                let Some(element) = self.list.get_mut(place as usize) else { break };
                element.score += points * share;
                place = element.parent;
                share /= 2.0;
            }
        }
        // What an element holds, those around it hold: they come before it in the list.
        for place in (0..self.list.len()).rev() {
            let Element { parent, blocks, .. } = self.list[place];
            if let Some(above) = self.list.get_mut(parent as usize) {
                above.blocks += blocks;
            }
        }
        let mut best = 0.0;
        for place in 0..self.list.len() {
            let above = self.list.get(self.list[place].parent as usize).map_or(0.0, |above| above.highest);
            let element = &mut self.list[place];
            let links =
                element.measures.link_text.characters as f32 / element.measures.text.characters.max(1) as f32;
            element.score *= 1.0 - links.min(1.0);
            element.highest = above.max(element.score);
            if element.score > best {
                best = element.score;
                self.best = place as u32;
            }
        }
    }
}

/// What the class names and ids of a page say. A page has thousands of elements and some dozens of classes, so these are
/// read once.
struct Names<'o> {
    odds: &'o Odds,
    known: NumberMap<u64, (Said, u64)>,
    /// All words, some of them several times.
    words: Vec<u32>,
}

impl Names<'_> {
    fn class(&mut self, class: &str) -> (Said, u64) {
        let key = xxhash_rust::xxh3::xxh3_64(class.as_bytes());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let read = self.read(class);
        self.known.insert(key, read);
        read
    }

    /// What the words say, and a number for all of them, whatever their order.
    fn read(&mut self, value: &str) -> (Said, u64) {
        let (mut said, mut number) = (Said::default(), 0_u64);
        class_words(value, |word| {
            said.hear(self.odds.of(word));
            self.words.push(word);
            number = number.wrapping_add(u64::from(word).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        });
        (said, number)
    }
}

fn element(
    node: NodeRef<'_>,
    measures: Measures,
    parent: u32,
    above: Option<&Element>,
    names: &mut Names<'_>,
) -> Element {
    let name = node.name_id().unwrap_or(Name::DIV);
    let (mut own, mut classes) = (Said::default(), 0u64);
    let mut parts = above.map_or(0, |above| above.parts) | part_of_name(name);
    for attribute in node.attributes() {
        match attribute.name_id() {
            Name::CLASS => {
                let said = names.class(&attribute.value());
                own.join(&said.0);
                classes = said.1;
            }
            Name::ID => own.join(&names.read(&attribute.value()).0),
            Name::ROLE => parts |= part_of_role(&attribute.value()),
            Name::ITEMPROP | Name::PROPERTY => {
                let value = attribute.value();
                parts |= u32::from(value.contains("articleBody")) << 16;
                parts |= u32::from(value.eq_ignore_ascii_case("comment")) << 17;
            }
            Name::ITEMTYPE | Name::TYPEOF => parts |= u32::from(attribute.value().ends_with("Comment")) << 17,
            _ => {}
        }
    }
    let mix = |hash: u64, value: u64| (hash.rotate_left(5) ^ value).wrapping_mul(0x517C_C1B7_2722_0A95);
    let (tags_above, classes_above) = above.map_or((0, 0), |above| (above.tag_path, above.class_path));
    let number = u64::from(name_number(name));
    let mut all = above.map_or(Said::default(), |above| above.all);
    all.sum += own.sum;
    all.least = all.least.min(own.sum);
    all.most = all.most.max(own.sum);
    Element {
        node: node.id(),
        parent,
        name,
        parts,
        own: own.sum,
        all,
        nearest: if own.known > 0 { own.sum } else { above.map_or(0.0, |above| above.nearest) },
        tag_path: mix(tags_above, number),
        class_path: mix(mix(classes_above, number), classes),
        measures,
        blocks: 0,
        depth: above.map_or(0, |above| above.depth + 1),
        score: 0.0,
        highest: 0.0,
        wider: NONE,
        end: 0,
    }
}

fn name_number(name: Name) -> u32 {
    BuildHasherDefault::<AsItIs>::default().hash_one(name) as u32
}

fn part_of_name(name: Name) -> u32 {
    let bit = match name {
        Name::ARTICLE => 0,
        Name::MAIN => 1,
        Name::NAV => 2,
        Name::HEADER => 3,
        Name::FOOTER => 4,
        Name::ASIDE => 5,
        Name::FORM => 6,
        Name::TABLE => 7,
        Name::UL | Name::OL | Name::MENU => 8,
        Name::BLOCKQUOTE => 9,
        Name::FIGURE | Name::FIGCAPTION => 10,
        Name::PRE | Name::CODE => 11,
        Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6 => 12,
        Name::DL => 13,
        Name::SECTION => 14,
        Name::BUTTON | Name::SELECT | Name::LABEL | Name::FIELDSET | Name::OPTION => 15,
        Name::DIALOG => 18,
        Name::A => 19,
        _ => return 0,
    };
    1 << bit
}

fn part_of_role(role: &str) -> u32 {
    let bit = match role.trim() {
        "article" => 0,
        "main" => 1,
        "navigation" | "menu" | "menubar" | "tablist" => 2,
        "banner" => 3,
        "contentinfo" => 4,
        "complementary" => 5,
        "search" | "form" => 6,
        "list" => 8,
        "heading" => 12,
        "button" => 15,
        "dialog" | "alertdialog" => 18,
        _ => return 0,
    };
    1 << bit
}
