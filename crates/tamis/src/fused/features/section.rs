//! Under which heading a block stands, and how far it is from the page's title.

use tamis_html::Name;

use super::super::elements::{Element, Elements, NONE};
use super::super::numbers::ln_1p as ln;
use super::own::{Own, is_title};
use super::{Names, Row, bit};
use crate::page::Page;

/// The headings of a page, and the block that is its title.
pub(super) struct Sections {
    /// For each block the last heading before it.
    under: Vec<u32>,
    headings: Vec<Heading>,
    title: Option<Title>,
}

struct Heading {
    said: f32,
    level: f32,
    /// The logarithm of its words.
    words: f32,
    /// The element that holds the heading's element.
    parent: u32,
}

struct Title {
    block: usize,
    /// For each element the nearest one that holds both it and the title.
    with: Vec<u32>,
}

impl Sections {
    pub(super) fn of(page: &Page<'_>, elements: &Elements, own: &[Own]) -> Sections {
        let mut sections =
            Sections { under: Vec::with_capacity(own.len()), headings: Vec::new(), title: None };
        let (mut best, mut title) = (0, None);
        for (at, (block, own)) in page.blocks().iter().zip(own).enumerate() {
            let level = heading_level(page.element(block).name_id());
            if level > 0.0 && block.hidden.is_none() {
                let parent =
                    elements.get(elements.place(block.element)).map_or(NONE, |element| element.parent);
                let (said, words) = (own.said.sum, ln(own.words));
                sections.headings.push(Heading { said, level, words, parent });
            }
            sections.under.push(sections.headings.len() as u32);
            // A heading of the first level that says what the title says, else one of the two.
            let rank =
                2 * u8::from(is_title(own)) + u8::from(level == 1.0) + u8::from(is_title(own) && level > 0.0);
            if rank > best && block.hidden.is_none() {
                (best, title) = (rank, Some(at));
            }
        }
        sections.title = title.map(|block| Title {
            block,
            with: elements.holders(elements.place(page.blocks()[block].element)),
        });
        sections
    }
}

/// The level of a heading, 0 for what is none.
pub(super) fn heading_level(name: Option<Name>) -> f32 {
    name.and_then(Name::heading_level).map_or(0.0, f32::from)
}

impl<N: Names> Row<N> {
    pub(super) fn section(
        &mut self,
        sections: &Sections,
        elements: &Elements,
        place: u32,
        at: usize,
        page: &Page<'_>,
    ) {
        let heading = (sections.under[at] as usize).checked_sub(1).map(|number| &sections.headings[number]);
        self.add("heading says", heading.map_or(0.0, |heading| heading.said));
        self.add("heading words", heading.map_or(-1.0, |heading| heading.words));
        self.add("section level", heading.map_or(0.0, |heading| heading.level));
        let under = heading.is_some_and(|heading| elements.is_inside(place, heading.parent));
        self.add("under heading", bit(under));

        let Some(title) = &sections.title else {
            for name in ["title apart", "title steps", "title holder share", "title holder links"] {
                self.add(name, -99.0);
            }
            return;
        };
        self.add("title apart", (at as f32 - title.block as f32).clamp(-60.0, 200.0));
        let holder = title.with.get(place as usize).and_then(|holder| elements.get(*holder));
        let steps = |holder: &Element| (elements.levels(place) - 1 - holder.depth) as f32;
        self.add("title steps", holder.map_or(-1.0, steps));
        let measures = holder.map(|element| element.measures).unwrap_or_default();
        let characters = measures.text.characters as f32;
        self.add("title holder share", characters / page.total().text.characters.max(1) as f32);
        self.add("title holder links", measures.link_text.characters as f32 / characters.max(1.0));
    }
}
