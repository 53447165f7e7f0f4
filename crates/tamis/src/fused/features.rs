//! The numbers by which the model knows a block: its own text, the elements around it, its neighbours, the items it is one
//! of, the blocks with the same path, the page, and what the published methods say.

mod around;
mod groups;
mod head;
mod items;
mod methods;
mod neighbours;
mod own;
mod page_row;
mod position;
mod replies;
mod section;
mod whole;

use std::sync::LazyLock;

use super::elements::{Elements, NONE};
use super::odds::Odds;
use super::page_type::LEARNED;
use crate::page::Page;
use crate::site::Site;
use groups::Groups;
use head::Head;
use items::Items;
use methods::Methods;
use own::Own;
pub use page_row::{page_classes, page_names};
use position::Position;
use replies::Replies;
use section::Sections;
pub(super) use section::heading_level;
use whole::Whole;

/// The features of a page's blocks, one row a block.
///
/// ```
/// use tamis::{Page, Site, fused::features::{Features, Words}};
///
/// let page = Page::parse("<p>One block.<p>And another one.");
/// let features = Features::of(&page, &Site::default(), &Words::default());
/// assert_eq!(features.values.len(), 2 * features.width);
/// assert_eq!(features.row(1).len(), features.names.len());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// How many there are in a row.
    pub width: usize,
    /// All rows, one behind the other.
    pub values: Vec<f32>,
    /// Their names, in order.
    pub names: Vec<&'static str>,
    /// For each block the groups it belongs to, for the second pass.
    pub places: Vec<Places>,
    /// What the page as a whole is like, for telling kinds of pages apart; see [`Features::page_row`].
    pub page: Vec<f32>,
    /// Does it call itself questions and answers?
    pub says_questions: bool,
    /// Does it call itself an article?
    pub says_article: bool,
    /// Is the text that blocks are compared with that of a feed?
    pub(super) is_fed: bool,
    elements: Elements,
}

/// Where a block stands, by numbers that mean something only within its page.
///
/// ```
/// use tamis::{Page, Site, fused::features::{Features, LEVELS, Words}};
///
/// let page = Page::parse("<p>One block.<p>And another one.");
/// let places = Features::of(&page, &Site::default(), &Words::default()).places;
/// assert_eq!((places[0].tag_path, places[0].class_path), (places[1].tag_path, places[1].class_path));
/// assert_eq!(places[0].around.len(), LEVELS);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Places {
    /// The path with class names.
    pub class_path: u64,
    /// The path without them.
    pub tag_path: u64,
    /// The elements around it that hold more than the one before, from the inside out.
    pub around: [u32; LEVELS],
}

/// How many elements around a block are looked at.
///
/// ```
/// assert_eq!(tamis::fused::features::LEVELS, 5);
/// ```
pub const LEVELS: usize = 5;

/// What was learned of words.
///
/// ```
/// use tamis::fused::features::Words;
///
/// assert!(Words::default().classes.entries().next().is_none(), "nothing was learned yet");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words {
    /// Words in class names and ids.
    pub classes: Odds,
    /// Words of short texts.
    pub texts: Odds,
    /// For each [kind of page](super::PageType) that is learned, words in its class names.
    pub types: [Odds; LEARNED],
}

/// So many words of a text are looked up.
///
/// ```
/// assert!(tamis::fused::features::LOOKED_UP > 8);
/// ```
pub const LOOKED_UP: usize = 16;

impl Features {
    /// The row of a block.
    pub fn row(&self, block: usize) -> &[f32] {
        &self.values[block * self.width..][..self.width]
    }

    /// Measures all blocks of a page.
    pub fn of(page: &Page<'_>, site: &Site, words: &Words) -> Features {
        Features::told(page, site, None, words)
    }

    /// The same, with the words of the page's whole text, where a feed has them.
    pub(super) fn told(page: &Page<'_>, site: &Site, told: Option<&str>, words: &Words) -> Features {
        let elements = Elements::of(page, &words.classes);
        let blocks = page.blocks();
        let head = Head::of(page, told);
        let in_time = blocks.iter().enumerate().take_while(|(at, _)| !page.is_late_at(*at));
        let own: Vec<Own> = in_time.map(|(_, block)| own::own(page, block, words, &head)).collect();
        let methods = Methods::of(page, site);
        // From here on there must be something of every block.
        if page.is_late() {
            return Features::default();
        }
        let groups = Groups::of(page, &elements, &own);
        let items = Items::of(&elements);
        let replies = Replies::of(page);
        let sections = Sections::of(page, &elements, &own);
        let whole = Whole::of(page, &elements, &own, &groups, &head);
        let mut features = Features::default();
        let mut position = Position::new(&own);
        for (at, block) in blocks.iter().enumerate() {
            if page.is_late_at(at) {
                return Features::default();
            }
            let names = (at == 0).then_some(&mut features.names);
            let mut row = Row { values: [0.0; 256], len: 0, names };
            position.reach(at, block, page, &own);
            let place = elements.place(block.element);
            let mut places = Places { around: [NONE; LEVELS], ..Places::default() };
            row.own(block, &own[at], page);
            row.elements(&elements, place, page, &mut places);
            row.neighbours(at, blocks, &own, &elements);
            row.position(&position, at, blocks.len());
            row.section(&sections, &elements, place, at, page);
            row.items(&items, &elements, place, page);
            row.groups(&groups, &elements, place, &own[at], &mut places);
            row.replies(&replies, at, page);
            row.whole(&whole);
            row.methods(at, &methods, site);
            if at == 0 {
                features.width = usize::from(row.len);
                features.values.reserve_exact(features.width * blocks.len());
                features.places.reserve_exact(blocks.len());
            }
            features.values.extend_from_slice(&row.values[..usize::from(row.len)]);
            features.places.push(places);
        }
        if blocks.is_empty() {
            features.width = names().len();
        }
        features.set_page(page, &elements, words);
        features.is_fed = head.is_fed;
        features.says_questions = head.questions;
        features.says_article = head.article || head.og_article;
        features.elements = elements;
        features
    }

    pub(super) fn elements(&self) -> &Elements {
        &self.elements
    }
}

/// The row that is being filled. It has fewer values than a byte has, so that no place needs to be checked: this is done for
/// two hundred values of every block.
struct Row<'f> {
    values: [f32; 256],
    len: u8,
    /// Where names are noted down, for the first row.
    names: Option<&'f mut Vec<&'static str>>,
}

impl Row<'_> {
    fn add(&mut self, name: &'static str, value: f32) {
        self.values[usize::from(self.len)] = value;
        self.len = self.len.wrapping_add(1);
        if let Some(names) = &mut self.names {
            names.push(name);
        }
    }
}

/// The names of all features, in the order of a row.
///
/// ```
/// use tamis::fused::features::names;
///
/// assert!(names().contains(&"link share"));
/// ```
pub fn names() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> =
        LazyLock::new(|| Features::of(&Page::parse("<p>a block"), &Site::default(), &Words::default()).names);
    &NAMES
}

fn bit(value: bool) -> f32 {
    f32::from(u8::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_room_for_all_features() {
        assert!(names().len() < usize::from(u8::MAX), "a row wraps around at 256 values");
        let mut different = names().to_vec();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), names().len(), "a name stands for one feature");
    }
}
