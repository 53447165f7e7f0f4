//! Readers' comments: which blocks of a page stand in a section of comments, and which of them say something.
//!
//! The published methods know only text and noise, and comments are text: prose without links. So they are told apart
//! here, before a document is made of what a method keeps. No sign is believed alone. A class may say `comments` of a
//! whole article, a heading may speak of a minister's comments, and a run of posts may be a forum's thread; a section
//! takes [two kinds of evidence](Evidence), of which one says the word, and a text before it that it belongs to.
//!
//! Threads of forums and pages of questions and answers have no comments in this sense: what people say there is the
//! main text.
//!
//! ```
//! use tamis::comments::{Evidence, Part, Section, Unit};
//!
//! let page = tamis::Page::parse("<p>A walk along the river, in the first warm week of the year: the path is dry as far \
//!     as the mill, and from there on it is not. Take boots, and something to eat, since the inn at the bridge is \
//!     closed until May and there is nothing else on the way.</p>\
//!     <div id=comments><h3>1 comment</h3><div class=comment><b>Ada</b> <time>1 March</time>\
//!     <p>The inn is open again.</p></div></div>");
//! let section: &Section = &page.comments().sections()[0];
//! assert!(section.evidence.contains(&Evidence::Name) && section.evidence.contains(&Evidence::Heading));
//! let comment: &Unit = &section.comments[0];
//! assert_eq!(page.text(&page.blocks()[comment.blocks[0]]), "The inn is open again.");
//! assert_eq!(page.comments().part(1).map(Part::name), Some("around"));
//! ```

mod evidence;
mod first_look;
mod layout;
mod thread;
mod units;
mod words;

use std::borrow::Cow;
use std::ops::Range;

use tamis_html::NodeId;

use self::layout::{Said, headings, may_have_sections};
use crate::judgement::Judgement;
use crate::page::Page;

/// The sections of comments of a page.
///
/// ```
/// use tamis::{Page, comments::Part};
///
/// let page = Page::parse("<p>A walk along the river, in the first warm week of the year: the path is dry as far as \
///     the mill, and from there on it is not. Take boots, and something to eat, since the inn at the bridge is closed \
///     until May and there is nothing else on the way.</p>\
///     <div id=comments><h3>2 comments</h3>\
///     <div class=comment><b>Ada</b> <time>1 March</time><p>The inn is open again.</p></div>\
///     <div class=comment><b>Ben</b> <time>2 March</time><p>And the soup is good.</p></div></div>");
/// let comments = page.comments();
/// assert_eq!(comments.sections().len(), 1);
/// let bodies: Vec<_> =
///     page.blocks().iter().enumerate().filter(|(place, _)| comments.part(*place) == Some(Part::Body)).collect();
/// assert_eq!(page.text(bodies[0].1), "The inn is open again.");
/// assert_eq!(bodies.len(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comments {
    sections: Vec<Section>,
    /// Empty where there are no sections.
    parts: Vec<Option<Part>>,
    says_thread: bool,
    says_shop: bool,
    says_questions: bool,
    names_thread: bool,
    times: u32,
}

/// What a block is in a section of comments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// What a reader wrote.
    Body,
    /// What stands around it: names, times, buttons, the heading of the section, its form.
    Around,
}

/// Kinds of evidence for a section of comments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Evidence {
    /// A class or an id speaks of comments.
    Name,
    /// Markup says what it is: schema.org's `Comment`, `role=comment`, articles inside an article.
    Markup,
    /// A heading speaks of comments, or of a count of replies.
    Heading,
    /// A form with room for a text is near.
    Form,
    /// A run of pieces of one shape, each with a text and a time or a name.
    Posts,
}

/// A section of comments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// The element that holds it.
    pub root: NodeId,
    /// Its blocks among those of the page.
    pub blocks: Range<usize>,
    /// What speaks for it.
    pub evidence: Vec<Evidence>,
    /// The comments in it, in page order.
    pub comments: Vec<Unit>,
}

/// One comment on the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Its element.
    pub element: NodeId,
    /// The blocks of what it says.
    pub blocks: Vec<usize>,
}

impl Part {
    /// `body` or `around`.
    pub fn name(self) -> &'static str {
        match self {
            Part::Body => "body",
            Part::Around => "around",
        }
    }
}

impl Comments {
    pub(crate) fn of(page: &Page<'_>) -> Comments {
        let said = Said::of(page);
        let says_thread = thread::is_thread(page, said.marks);
        let says_shop = said.marks.goods || said.marks.shop;
        let says_questions = said.marks.questions();
        let (names_thread, times) = (said.marks.names_thread, said.marks.times);
        // A thread has no comments in this sense, whatever its headings say.
        let headings = if says_thread { Vec::new() } else { headings(page) };
        let may_have = !says_thread && may_have_sections(&said, &headings);
        let sections = if may_have { evidence::sections(page, said, headings) } else { Vec::new() };
        let mut parts = Vec::new();
        if !sections.is_empty() {
            parts = vec![None; page.blocks().len()];
            for section in &sections {
                parts[section.blocks.clone()].fill(Some(Part::Around));
                for place in section.comments.iter().flat_map(|unit| &unit.blocks) {
                    parts[*place] = Some(Part::Body);
                }
            }
        }
        Comments { sections, parts, says_thread, says_shop, says_questions, names_thread, times }
    }

    /// Does the page say, by its markup, its software or its address, that what people say is what it is about?
    pub(crate) fn says_thread(&self) -> bool {
        self.says_thread
    }

    /// Does the page say that it sells something? What people say there are reviews.
    pub(crate) fn says_shop(&self) -> bool {
        self.says_shop
    }

    /// Does the page say, by its markup, that somebody is asked something there?
    pub(crate) fn says_questions(&self) -> bool {
        self.says_questions
    }

    /// Has an element of the page a class or an id that only threads have?
    pub(crate) fn names_thread(&self) -> bool {
        self.names_thread
    }

    /// How many elements of the page are times, by name or by class.
    pub(crate) fn time_elements(&self) -> usize {
        self.times as usize
    }

    /// The sections, in page order.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// What the block at this place is among comments; nothing if it stands in no section of them.
    pub fn part(&self, block: usize) -> Option<Part> {
        self.parts.get(block).copied().flatten()
    }

    /// Do these comments belong to the text that a judgement keeps? Where it keeps nothing else, what looks like
    /// comments is the main text.
    ///
    /// ```
    /// let page = tamis::Page::parse("<p>A text, and no comments.");
    /// assert!(!page.comments().apart_from(&tamis::Judgement::of([true])));
    /// ```
    pub fn apart_from(&self, judgement: &Judgement) -> bool {
        // In a thread, what readers wrote is the text.
        let is_thread = judgement.whole.is_some_and(|whole| whole.page_type.is_thread());
        !self.sections.is_empty()
            && !is_thread
            && (judgement.kept().any(|place| self.part(place).is_none()) || judgement.kept().next().is_none())
    }

    /// The judgement of the main text: without what stands in sections of comments.
    ///
    /// ```
    /// let page = tamis::Page::parse("<p>Nothing but a text.");
    /// let judgement = tamis::Judgement::of([true]);
    /// assert_eq!(*page.comments().main_text(&judgement), judgement);
    /// ```
    pub fn main_text<'j>(&self, judgement: &'j Judgement) -> Cow<'j, Judgement> {
        if !self.apart_from(judgement) {
            return Cow::Borrowed(judgement);
        }
        let mut judgement = judgement.clone();
        for (verdict, part) in judgement.verdicts.iter_mut().zip(&self.parts) {
            verdict.keep &= part.is_none();
        }
        Cow::Owned(judgement)
    }
}

#[cfg(test)]
mod tests;
