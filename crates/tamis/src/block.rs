//! The block: the unit of decision, and the common currency of all methods.

use std::ops::Range;

use tamis_html::{NodeId, Span};

use crate::page::Measures;

/// Why a reader does not see a text.
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

/// A run of inline content in one block-level element, up to the next line break or block.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The text node.
    pub node: NodeId,
    /// Does it stand in a link?
    pub in_link: bool,
}

/// The blocks of a page, with the texts they share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    pub(crate) list: Vec<Block>,
    pub(crate) runs: Vec<Run>,
    pub(crate) text: String,
}
