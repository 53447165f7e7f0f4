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
use around::Around;
use groups::Groups;
use head::Head;
use items::Items;
use methods::Methods;
use own::Own;
pub use page_row::{page_classes, page_names};
use position::Position;
use replies::Replies;
use section::Sections;
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
    /// Is it one article, by Open Graph? Front pages are of another type there.
    pub(super) is_one_article: bool,
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
    /// The numbers of the two paths among those of the page.
    pub(super) numbers: [u32; 2],
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
        let mut own: Vec<Own> = Vec::with_capacity(blocks.len());
        own.extend(in_time.map(|(_, block)| own::own(page, block, words, &head)));
        let methods = Methods::of(page, site);
        // From here on there must be something of every block.
        if page.is_late() {
            return Features::default();
        }
        let all = All {
            page,
            site,
            at: blocks.iter().map(|block| elements.place(block.element)).collect(),
            around: Around::of(page, &elements),
            groups: Groups::of(page, &elements, &own),
            items: Items::of(page, &elements),
            replies: Replies::of(page),
            sections: Sections::of(page, &elements, &own),
            elements: &elements,
            own: &own,
            methods,
        };
        let whole = Whole::of(page, &elements, &own, &all.groups, &head);
        let mut features = Features::default();
        let mut position = Position::new(&own);
        let mut row = Row::new(NoNames);
        for (at, block) in blocks.iter().enumerate() {
            if page.is_late_at(at) {
                return Features::default();
            }
            position.reach(at, block, page, &own);
            if at == 0 {
                let mut first = Row::new(Vec::new());
                all.fill(&mut first, at, &position, &whole);
                features.names = first.names;
                features.width = features.names.len();
                features.values.reserve_exact(features.width * blocks.len());
                features.places.reserve_exact(blocks.len());
            }
            let places = all.fill(&mut row, at, &position, &whole);
            features.values.extend_from_slice(&row.values[..usize::from(row.len)]);
            features.places.push(places);
        }
        if blocks.is_empty() {
            features.width = names().len();
        }
        features.set_page(page, &elements, words);
        features.is_fed = head.is_fed;
        features.says_questions = head.questions || page.comments().says_questions();
        features.is_one_article = head.og_article;
        features.says_article = head.article || head.og_article;
        features.elements = elements;
        features
    }

    pub(super) fn elements(&self) -> &Elements {
        &self.elements
    }
}

/// All that rows are made of.
struct All<'p> {
    page: &'p Page<'p>,
    site: &'p Site,
    elements: &'p Elements,
    /// For each block the place of its element.
    at: Vec<u32>,
    own: &'p [Own],
    around: Around,
    groups: Groups,
    items: Items,
    replies: Replies,
    sections: Sections,
    methods: Methods,
}

impl All<'_> {
    /// Fills the row of a block.
    fn fill<N: Names>(&self, row: &mut Row<N>, at: usize, position: &Position, whole: &Whole) -> Places {
        let All { page, elements, own, .. } = *self;
        row.len = 0;
        let place = self.at[at];
        let mut places = Places { around: [NONE; LEVELS], ..Places::default() };
        row.own(&page.blocks()[at], &own[at], page);
        row.elements(&self.around, elements, place, &mut places);
        row.neighbours(at, &self.at, own, elements);
        row.position(position, at);
        row.section(&self.sections, elements, place, at, page);
        row.items(&self.items, elements, place);
        row.groups(&self.groups, elements, place, at, &mut places);
        row.replies(&self.replies, at, page);
        row.whole(whole);
        row.methods(at, &self.methods, self.site);
        places
    }
}

/// The row that is being filled. It has fewer values than a byte has, so that no place needs to be checked: this is done for
/// two hundred values of every block.
struct Row<N> {
    values: [f32; 256],
    len: u8,
    names: N,
}

/// Where the names of values are noted down.
trait Names {
    fn note(&mut self, name: &'static str);
}

impl Names for Vec<&'static str> {
    fn note(&mut self, name: &'static str) {
        self.push(name);
    }
}

/// Nobody asks for the names of a row once those of the first are known.
struct NoNames;

impl Names for NoNames {
    #[inline(always)]
    fn note(&mut self, _: &'static str) {}
}

impl<N: Names> Row<N> {
    fn new(names: N) -> Row<N> {
        Row { values: [0.0; 256], len: 0, names }
    }

    #[inline(always)]
    fn add(&mut self, name: &'static str, value: f32) {
        self.values[usize::from(self.len)] = value;
        self.len = self.len.wrapping_add(1);
        self.names.note(name);
    }

    /// Adds several values.
    #[inline(always)]
    fn add_all<const M: usize>(&mut self, names: &[&'static str; M], values: &[f32; M]) {
        for (name, value) in names.iter().zip(values) {
            self.add(name, *value);
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
