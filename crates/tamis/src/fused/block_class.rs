//! What a block is: main text, a comment, the title, a byline or date, a caption, or noise; each with a probability.
//!
//! Main text and noise are told apart by the trees. The other classes are told by what the page shows: where comments
//! stand, which heading says what the title says, which line near it tells a time, what stands in a `figcaption`. How
//! probable a title and a byline are where that is seen was measured on labelled pages (`docs/fused.md`).

use tamis_html::{Name, NodeRef};

use crate::characters::is_letter_or_number;
use crate::comments::Part;
use crate::facts::dates::{Hints, find};
use crate::facts::is_byline;
use crate::page::Page;

/// What a block is.
///
/// ```
/// use tamis::fused::BlockClass;
///
/// assert_eq!(BlockClass::ALL.len(), BlockClass::COUNT);
/// assert_eq!(BlockClass::Byline.name(), "byline");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BlockClass {
    /// What the page is about.
    Main,
    /// What a reader wrote below it.
    Comment,
    /// The title of the piece.
    Title,
    /// A line that says who wrote it and when.
    Byline,
    /// What stands below a picture.
    Caption,
    /// Anything else.
    Noise,
}

impl BlockClass {
    /// How many there are.
    pub const COUNT: usize = 6;
    /// All of them.
    pub const ALL: [BlockClass; BlockClass::COUNT] = [
        BlockClass::Main,
        BlockClass::Comment,
        BlockClass::Title,
        BlockClass::Byline,
        BlockClass::Caption,
        BlockClass::Noise,
    ];

    /// `main`, `comment`, `title`, `byline`, `caption` or `noise`.
    pub fn name(self) -> &'static str {
        match self {
            BlockClass::Main => "main",
            BlockClass::Comment => "comment",
            BlockClass::Title => "title",
            BlockClass::Byline => "byline",
            BlockClass::Caption => "caption",
            BlockClass::Noise => "noise",
        }
    }
}

/// The probabilities of the classes of a block.
///
/// ```
/// use tamis::{Page, fused::{BlockClass, Classes}};
///
/// let page = Page::parse("<title>The ferry</title><h1>The ferry</h1><p>It runs again, says the company: twice a day.");
/// let classes: Vec<Classes> = Classes::of_page(&page, &[0.4, 0.9]);
/// assert_eq!(classes[0].best().0, BlockClass::Title);
/// assert_eq!(classes[1].best().0, BlockClass::Main);
/// assert!((classes[1].of(BlockClass::Main) + classes[1].of(BlockClass::Noise) - 1.0).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Classes {
    probabilities: [f32; BlockClass::COUNT],
}

/// A block in the body of a comment is one.
const COMMENT: f32 = 0.95;
/// The first heading that says what the title says is the title of the piece.
const TITLE: f32 = 0.85;
/// A short line near it that tells a time or names a writer is a byline, where it is no text.
const BYLINE: f32 = 0.95;
/// What stands in a `figcaption`, and what stands in a `figure`.
const CAPTION: [f32; 2] = [0.95, 0.7];
/// So far from the title, in blocks, a byline stands at most, and so many words it has.
const NEAR: usize = 6;
const LINE: u32 = 24;

impl Classes {
    /// The classes of all blocks of a page, from how probably each is main text.
    pub fn of_page(page: &Page<'_>, main: &[f32]) -> Vec<Classes> {
        let title = title_of(page);
        let blocks = page.blocks().iter().zip(main).enumerate();
        let class = |(place, (block, main)): (usize, (&crate::Block, &f32))| {
            let text = page.text(block);
            let is_line = || {
                block.measures.text.words <= LINE
                    && title.is_some_and(|title| title.abs_diff(place) <= NEAR)
                    && (is_byline(text) || !find(text, &Hints::default()).is_empty())
            };
            let (class, probability) = if block.hidden.is_some() {
                (BlockClass::Noise, 1.0)
            } else if page.comments().part(place) == Some(Part::Body) {
                (BlockClass::Comment, COMMENT)
            } else if title == Some(place) {
                (BlockClass::Title, TITLE)
            } else if let Some(probability) = caption(page.element(block)) {
                (BlockClass::Caption, probability)
            } else if is_line() {
                (BlockClass::Byline, BYLINE)
            } else {
                (BlockClass::Main, 0.0)
            };
            let mut classes = Classes::default();
            if class == BlockClass::Byline {
                // A sentence may begin with a day: what is text is no byline.
                classes.add(BlockClass::Byline, probability * (1.0 - main));
                classes.add(BlockClass::Main, *main);
                classes.add(BlockClass::Noise, (1.0 - probability) * (1.0 - main));
                return classes;
            }
            classes.add(class, probability);
            classes.add(BlockClass::Main, (1.0 - probability) * main);
            classes.add(BlockClass::Noise, (1.0 - probability) * (1.0 - main));
            classes
        };
        blocks.map(class).collect()
    }

    fn add(&mut self, class: BlockClass, probability: f32) {
        self.probabilities[class as usize] += probability;
    }

    /// How probable a class is.
    pub fn of(&self, class: BlockClass) -> f32 {
        self.probabilities[class as usize]
    }

    /// The most probable class, and how probable it is.
    pub fn best(&self) -> (BlockClass, f32) {
        let of = |class: BlockClass| (class, self.of(class));
        let higher = |best: (BlockClass, f32), it: (BlockClass, f32)| if it.1 > best.1 { it } else { best };
        BlockClass::ALL.into_iter().map(of).fold((BlockClass::Noise, 0.0), higher)
    }
}

/// The heading that says what the title of the page says: of several the highest, of those the first.
fn title_of(page: &Page<'_>) -> Option<usize> {
    let title = fold(&page.title());
    let headings = page.blocks().iter().enumerate().filter(|(_, block)| block.hidden.is_none());
    let headings = headings
        .filter_map(|(place, block)| Some((level(page.element(block))?, place, fold(page.text(block)))));
    let says = |heading: &str| {
        heading.chars().count() >= 4
            && (title.contains(heading) || heading.contains(&title))
            && !title.is_empty()
    };
    let headings: Vec<_> = headings.collect();
    let alike =
        headings.iter().filter(|(_, _, text)| says(text)).min_by_key(|(level, place, _)| (*level, *place));
    // A page whose title says something else may still have one first heading.
    let mut first = headings.iter().filter(|(level, _, text)| *level == 1 && !text.is_empty());
    let only = first.next().filter(|_| first.next().is_none());
    alike.or(only).map(|(_, place, _)| *place)
}

/// The letters and digits of a text, in small letters.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_alphanumeric() {
            folded.push(character.to_ascii_lowercase());
        } else if !character.is_ascii() && is_letter_or_number(character) {
            folded.extend(character.to_lowercase());
        }
    }
    folded
}

/// The level of the heading that an element is or stands in.
fn level(element: NodeRef<'_>) -> Option<u8> {
    let of = |node: NodeRef<'_>| node.heading_level();
    of(element).or_else(|| of(element.parent()?))
}

/// How probably a block in this element is a caption, if anything says so.
fn caption(element: NodeRef<'_>) -> Option<f32> {
    let mut around = std::iter::once(element).chain(element.ancestors()).take(4);
    around.find_map(|node| match node.name_id()? {
        Name::FIGCAPTION | Name::CAPTION => Some(CAPTION[0]),
        Name::FIGURE => Some(CAPTION[1]),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(html: &str) -> Vec<&'static str> {
        classes_of(html, 0.4)
    }

    fn classes_of(html: &str, main: f32) -> Vec<&'static str> {
        let page = Page::parse(html);
        let main = vec![main; page.blocks().len()];
        Classes::of_page(&page, &main).iter().map(|classes| classes.best().0.name()).collect()
    }

    #[test]
    fn title_byline_caption_and_text_are_told_apart() {
        let html = "<title>The ferry runs - Harbour News</title><h1>The ferry runs</h1><p>By Ada Lind, 1 March 2026</p>\
            <figure><img src=x><figcaption>The ferry in May.</figcaption></figure><p>It runs again, says the company.";
        assert_eq!(classes(html), ["title", "byline", "caption", "noise"]);
    }

    #[test]
    fn a_date_far_from_the_title_is_no_byline() {
        let blocks = "<p>It runs.".repeat(9);
        let html = format!("<title>The ferry</title><h1>The ferry</h1>{blocks}<p>1 March 2026");
        assert_eq!(classes(&html).last(), Some(&"noise"));
    }

    #[test]
    fn a_line_that_names_the_author_and_no_day_was_no_byline() {
        let html = "<title>The ferry</title><h1>The ferry</h1><p>By Ada Lind, staff writer<p>It runs again.";
        assert_eq!(classes(html), ["title", "byline", "noise"]);
    }

    #[test]
    fn a_first_sentence_with_a_day_was_a_byline() {
        let html = "<title>The ferry</title><h1>The ferry</h1><p>On 12 March 2026 the ferry ran again for the first time.";
        assert_eq!(classes_of(html, 0.98), ["title", "main"]);
    }

    #[test]
    fn what_is_hidden_is_noise() {
        assert_eq!(classes_of("<p>The ferry runs.<p hidden>It does not.", 0.8), ["main", "noise"]);
    }
}
