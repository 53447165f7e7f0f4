//! The block: the unit of decision, and the common currency of all methods.

use std::ops::Range;

use tamis_html::{NodeId, Span};

use crate::page::Measures;

/// Why a reader does not see a text.
///
/// ```
/// use tamis::{Hidden, Page};
///
/// let page = Page::parse("<p>Seen.<p hidden>Not seen.<p style='display: none'>Nor this.");
/// let why: Vec<_> = page.blocks().iter().map(|block| block.hidden).collect();
/// assert_eq!(why, [None, Some(Hidden::Attribute), Some(Hidden::Style)]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Hidden {
    /// The `hidden` attribute.
    Attribute,
    /// `display: none` or `visibility: hidden` in a `style` attribute.
    Style,
    /// `aria-hidden="true"` on an element that holds blocks.
    Aria,
    /// Inside `noscript`: seen only where scripts are off. Some forums put whole threads there.
    Noscript,
    /// The content of a `template`.
    Template,
}

impl Hidden {
    /// In one word.
    ///
    /// ```
    /// assert_eq!(tamis::Hidden::Style.name(), "style");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Hidden::Attribute => "attribute",
            Hidden::Style => "style",
            Hidden::Aria => "aria",
            Hidden::Noscript => "noscript",
            Hidden::Template => "template",
        }
    }
}

/// A run of inline content in one block-level element, up to the next line break or block.
///
/// ```
/// let source = "<div>One two<br><br><a href=/>three</a> four</div>";
/// let page = tamis::Page::parse(source);
/// let [_, block] = page.blocks() else { panic!("two blocks") };
/// assert_eq!(page.text(block), "three four");
/// assert_eq!(block.span.of(source), "three</a> four");
/// assert_eq!((block.measures.links, block.measures.text.words, block.breaks_before), (1, 2, 2));
/// assert_eq!(block.link_share(), 5.0 / 9.0);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The block-level element in which it stands.
    pub element: NodeId,
    /// Where its texts stand in the source, from the first to the last.
    pub span: Span,
    /// What it holds; `measures.links` counts the links that begin in it.
    pub measures: Measures,
    /// How many elements the block-level element is inside of.
    pub depth: u32,
    /// Why it is not seen, if so.
    pub hidden: Option<Hidden>,
    /// What would hide it by the page's markup. On a page that hides much of its text so, until a script has run, it is
    /// taken as seen all the same.
    pub veiled: Option<Hidden>,
    /// How many `br` stand between it and the block before it in the same element.
    pub breaks_before: u8,
    pub(crate) text: Range<usize>,
    pub(crate) runs: Range<usize>,
}

impl Block {
    /// The share of its characters that stand in links, from 0 to 1.
    pub fn link_share(&self) -> f32 {
        self.measures.link_text.characters as f32 / self.measures.text.characters.max(1) as f32
    }
}

/// A text node as part of a block.
///
/// ```
/// let page = tamis::Page::parse("<p>See <a href=/>there</a>.");
/// let runs = page.runs(&page.blocks()[0]);
/// let texts: Vec<_> = runs.iter().map(|run| (page.node(run.node).text(), run.characters, run.in_link)).collect();
/// assert_eq!(texts, [("See ".into(), 3, false), ("there".into(), 5, true), (".".into(), 1, false)]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The text node.
    pub node: NodeId,
    /// Does it stand in a link?
    pub in_link: bool,
    /// Its characters, white space left out.
    pub characters: u32,
}

/// The blocks of a page, with the texts they share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    pub(crate) list: Vec<Block>,
    pub(crate) runs: Vec<Run>,
    pub(crate) text: String,
}
