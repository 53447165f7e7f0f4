//! The page as tables: one tree walk fills the element, block and class tables.
//!
//! Elements are in document order, so a subtree is a contiguous range of blocks and any total over it is the difference
//! of two prefix sums.

#[allow(missing_docs, reason = "columns and tables: their names say what they hold")]
mod blocks;
#[allow(missing_docs, reason = "columns and tables: their names say what they hold")]
mod classes;
#[allow(missing_docs, reason = "columns and tables: their names say what they hold")]
mod elements;
mod hidden;
mod rules;
mod segment;
mod style_rules;
mod tags;

pub use blocks::{Blocks, Sums};
pub use classes::{Class, Classes};
pub use elements::{Elements, NONE, Region};
pub(crate) use hidden::is_display_none;
pub use hidden::{HiddenBy, HiddenElement, HiddenText};
pub use rules::SiteRules;
pub(crate) use tags::{is_ruby_annotation, separates_words};

use tamis_html::{Deadline, Dom, Limits, NodeId, Parser};

/// A parsed page with its tables.
#[derive(Debug)]
pub struct Page<'s> {
    /// The tree.
    pub dom: Dom<'s>,
    /// Block-level elements.
    pub elements: Elements,
    /// Lines of visible text.
    pub blocks: Blocks,
    /// Distinct `class` and `id` values.
    pub classes: Classes,
    /// Nodes that carry metadata.
    pub head: HeadNodes,
    /// Outermost hidden elements, in document order.
    pub hidden: Vec<HiddenElement>,
    /// Stops long-running stages.
    pub deadline: Option<Deadline>,
}

/// Nodes that carry metadata, wherever they are in the page.
#[derive(Debug, Default)]
pub struct HeadNodes {
    /// The text of the first `<title>`.
    pub title: String,
    /// `meta` elements.
    pub metas: Vec<NodeId>,
    /// `link` elements.
    pub links: Vec<NodeId>,
    /// JSON-LD scripts.
    pub json_ld: Vec<NodeId>,
    /// Elements that may say what they are, in document order; metadata reads them.
    pub(crate) marked: Vec<(NodeId, Marking)>,
    has_noscript: bool,
    /// Whether an unclosed `iframe` consumed the end of a `noscript`.
    has_open_iframe: bool,
}

/// What segmentation knows of an element that may say what it is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Marking {
    /// Its class alone may, by id in the class table.
    Class(u32),
    /// Its name or other attributes do.
    Attributes,
    /// Nothing: neither it nor what is below was read.
    Unread,
}

/// The tables without the tree, recycled from page to page to avoid reallocating.
#[derive(Debug, Default)]
pub struct Tables {
    elements: Elements,
    blocks: Blocks,
    classes: Classes,
    head: HeadNodes,
    hidden: Vec<HiddenElement>,
}

/// With less visible text, content of `noscript` may have confused the parser: parse again as a browser does.
const MIN_VISIBLE_CHARACTERS: u32 = 200;

impl<'s> Page<'s> {
    /// Parses `source` with default limits.
    pub fn parse(source: &'s str) -> Page<'s> {
        Page::parse_with(source, Limits::default(), HiddenText::Drop, Tables::default())
    }

    /// Parses `source`, reusing the memory of `tables`.
    pub fn parse_with(source: &'s str, limits: Limits, hidden: HiddenText, tables: Tables) -> Page<'s> {
        let parser = Parser::new().limits(limits);
        let page = Page::new(parser.clone().parse(source), limits.deadline, hidden, tables);
        let dom = if page.head.has_open_iframe {
            parser.parse_owned(with_inert_iframes(source))
        } else if page.head.has_noscript && page.blocks.total().characters < MIN_VISIBLE_CHARACTERS {
            parser.scripting(true).drop_noscript(true).parse(source)
        } else {
            return page;
        };
        Page::new(dom, limits.deadline, hidden, page.into_tables())
    }

    /// Fills the tables from a tree.
    pub fn new(dom: Dom<'s>, deadline: Option<Deadline>, hidden: HiddenText, mut tables: Tables) -> Page<'s> {
        tables.clear();
        segment::segment(&dom, hidden, deadline, &mut tables);
        let Tables { elements, blocks, classes, head, hidden } = tables;
        Page { dom, elements, blocks, classes, head, hidden, deadline }
    }

    /// Returns the tables for reuse.
    pub fn into_tables(self) -> Tables {
        let Page { elements, blocks, classes, head, hidden, .. } = self;
        Tables { elements, blocks, classes, head, hidden }
    }

    /// Whether the deadline has passed. If so, discard the result.
    pub fn deadline_exceeded(&self) -> bool {
        self.deadline.is_some_and(Deadline::has_passed)
    }
}

/// The page with another name for every `iframe` inside `noscript`, of the same length.
///
/// An unclosed `iframe` consumes the rest of the page as raw text. Browsers run scripts and never parse the content of
/// `noscript`, so the page looks fine there.
fn with_inert_iframes(source: &str) -> String {
    let lowercase = source.to_ascii_lowercase();
    let mut renamed = source.to_owned();
    let mut rest = 0;
    while let Some(start) = lowercase[rest..].find("<noscript").map(|start| rest + start)
        && let Some(length) = lowercase[start..].find("</noscript")
    {
        rest = start + length;
        for (place, iframe) in lowercase[start..rest].match_indices("<iframe") {
            renamed.replace_range(start + place..start + place + iframe.len(), "<xframe");
        }
    }
    renamed
}

impl Tables {
    fn clear(&mut self) {
        self.elements.clear();
        self.blocks.clear();
        self.classes.clear();
        self.hidden.clear();
        self.head.title.clear();
        self.head.metas.clear();
        self.head.links.clear();
        self.head.json_ld.clear();
        self.head.marked.clear();
        self.head.has_noscript = false;
        self.head.has_open_iframe = false;
    }
}
