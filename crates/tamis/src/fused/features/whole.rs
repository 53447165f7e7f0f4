//! The page as a whole.

use tamis_html::Name;

use super::super::elements::Elements;
use super::super::numbers::ln_1p as ln;
use super::groups::Groups;
use super::head::Head;
use super::own::Own;
use super::{Names, Row, bit};
use crate::page::Page;

impl<N: Names> Row<N> {
    pub(super) fn whole(&mut self, whole: &Whole) {
        self.add_all(&WHOLE, &whole.values);
    }
}

const WHOLE: [&str; 21] = [
    "page characters",
    "page blocks",
    "page links",
    "page punctuation",
    "page long share",
    "page articles",
    "page h1",
    "page time",
    "page whole words",
    "page arabic",
    "page repeats",
    "page repeats share",
    "page og article",
    "page ld article",
    "page ld product",
    "page ld forum",
    "page ld list",
    "page best share",
    "page p share",
    "page longest",
    "page veiled",
];

/// What the page as a whole is like.
pub(super) struct Whole {
    values: [f32; WHOLE.len()],
}

impl Whole {
    pub(super) fn of(
        page: &Page<'_>,
        elements: &Elements,
        own: &[Own],
        groups: &Groups,
        head: &Head,
    ) -> Whole {
        let total = page.total();
        let characters = total.text.characters.max(1) as f32;
        let (mut long, mut longest, mut in_p, mut whole, mut arabic, mut veiled) =
            (0.0, 0.0f32, 0.0, 0.0, 0.0, 0.0);
        for (block, own) in page.blocks().iter().zip(own).filter(|(block, _)| block.hidden.is_none()) {
            long += if own.words >= 20.0 && own.link_share < 0.3 { own.characters } else { 0.0 };
            longest = longest.max(own.characters);
            in_p += if page.element(block).is(Name::P) { own.characters } else { 0.0 };
            veiled += if block.veiled.is_some() { own.characters } else { 0.0 };
            whole += own.whole_words * own.characters;
            arabic += own.arabic * own.characters;
        }
        let (mut articles, mut h1, mut times) = (0.0, 0.0, 0.0);
        for element in &elements.list {
            match element.name {
                Name::ARTICLE => articles += 1.0,
                Name::H1 => h1 += 1.0,
                Name::TIME => times += 1.0,
                _ => {}
            }
        }
        // Groups of blocks that are paragraphs of several parts alike: posts, items.
        let repeats = groups.by_class.iter().filter(|group| group.long >= 3.0);
        let (mut repeated, mut repeated_characters) = (0.0, 0.0);
        for group in repeats {
            repeated += 1.0;
            repeated_characters += group.characters;
        }
        let best = elements.get(elements.best);
        Whole {
            values: [
                ln(characters),
                ln(own.len() as f32),
                total.link_text.characters as f32 / characters,
                total.text.punctuation as f32 / total.text.words.max(1) as f32,
                long / characters,
                ln(articles),
                h1,
                ln(times),
                whole / characters,
                arabic / characters,
                ln(repeated),
                repeated_characters / characters,
                bit(head.og_article),
                bit(head.article),
                bit(head.product),
                bit(head.forum),
                bit(head.list),
                best.map_or(0.0, |best| best.measures.text.characters as f32) / characters,
                in_p / characters,
                ln(longest),
                veiled / characters,
            ],
        }
    }
}
