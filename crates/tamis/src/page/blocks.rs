//! The block table: the lines of text of a page, with prefix sums of their counts.

use tamis_html::{NodeId, Span};

use super::hidden::HiddenBy;
use crate::text::characters::Counts;

/// Blocks in document order, as a struct of arrays. Excludes hidden blocks unless they make up much of the page.
#[derive(Debug, Default)]
pub struct Blocks {
    /// The row of the enclosing block-level element.
    pub element: Vec<u32>,
    /// Start offset in `text`, plus a final entry for the end.
    pub text_start: Vec<u32>,
    pub text: String,
    pub span: Vec<Span>,
    /// Index of the first text node in `text_nodes`, plus a final entry.
    pub first_text_node: Vec<u32>,
    /// Text nodes of all blocks, in document order; blank ones are left out.
    pub text_nodes: Vec<NodeId>,
    pub hidden: Vec<Option<HiddenBy>>,
    pub counts: Vec<Counts>,
    pub link_characters: Vec<u32>,
    pub links: Vec<u32>,
    pub images: Vec<u32>,
    /// Number of `br` directly before the block.
    pub line_breaks: Vec<u8>,
    /// Class of the innermost inline element at the start of the text.
    pub inline_class: Vec<u32>,
    /// Inline markup that covers the whole text, as bits: 1 emphasis, 2 `time`, 4 `code`.
    pub inline_markup: Vec<u8>,
    /// Entry `i` is the total over blocks `0..i`; `len() + 1` entries.
    pub prefix_sums: Vec<Sums>,
    /// Whether there were so many lines that some blocks hold several.
    pub merged: bool,
}

/// Totals over a range of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    pub characters: u32,
    pub words: u32,
    pub link_characters: u32,
    pub links: u32,
    pub images: u32,
    pub punctuation: u32,
    pub sentence_ends: u32,
}

impl std::ops::Sub for Sums {
    type Output = Sums;

    #[inline]
    fn sub(self, other: Sums) -> Sums {
        Sums {
            characters: self.characters - other.characters,
            words: self.words - other.words,
            link_characters: self.link_characters - other.link_characters,
            links: self.links - other.links,
            images: self.images - other.images,
            punctuation: self.punctuation - other.punctuation,
            sentence_ends: self.sentence_ends - other.sentence_ends,
        }
    }
}

impl Blocks {
    pub fn clear(&mut self) {
        self.element.clear();
        self.text_start.clear();
        self.text.clear();
        self.span.clear();
        self.first_text_node.clear();
        self.text_nodes.clear();
        self.hidden.clear();
        self.counts.clear();
        self.link_characters.clear();
        self.links.clear();
        self.images.clear();
        self.line_breaks.clear();
        self.inline_class.clear();
        self.inline_markup.clear();
        self.prefix_sums.clear();
        self.merged = false;
    }

    pub fn len(&self) -> usize {
        self.element.len()
    }

    pub fn is_empty(&self) -> bool {
        self.element.is_empty()
    }

    #[inline]
    pub fn text(&self, block: usize) -> &str {
        &self.text[self.text_start[block] as usize..self.text_start[block + 1] as usize]
    }

    /// The text nodes of a block, in document order.
    pub fn text_nodes(&self, block: usize) -> &[NodeId] {
        &self.text_nodes[self.first_text_node[block] as usize..self.first_text_node[block + 1] as usize]
    }

    /// Share of a block's characters that are anchor text.
    #[inline]
    pub fn link_share(&self, block: usize) -> f32 {
        self.link_characters[block] as f32 / self.counts[block].characters.max(1) as f32
    }

    /// Totals over blocks `from..to`.
    #[inline]
    pub fn sum(&self, from: usize, to: usize) -> Sums {
        self.prefix_sums[to] - self.prefix_sums[from]
    }

    pub fn total(&self) -> Sums {
        self.prefix_sums.last().copied().unwrap_or_default()
    }

    /// Computes the prefix sums. Call once all blocks are in place.
    pub fn compute_prefix_sums(&mut self) {
        let mut sum = Sums::default();
        self.prefix_sums.push(sum);
        for block in 0..self.element.len() {
            let counts = &self.counts[block];
            sum.characters += counts.characters;
            sum.words += counts.words;
            sum.punctuation += counts.punctuation;
            sum.sentence_ends += counts.sentence_ends;
            sum.link_characters += self.link_characters[block];
            sum.links += self.links[block];
            sum.images += self.images[block];
            self.prefix_sums.push(sum);
        }
    }

    /// Removes the blocks that `keep` rejects. Returns the new index of each old one; removed blocks map to the next
    /// kept one.
    pub fn retain(&mut self, keep: impl Fn(Option<HiddenBy>) -> bool) -> Vec<u32> {
        let kept: Vec<bool> = self.hidden.iter().map(|hidden| keep(*hidden)).collect();
        let mut new_index = Vec::with_capacity(kept.len() + 1);
        let mut next = 0;
        let mut text = String::with_capacity(self.text.len());
        let mut starts = Vec::with_capacity(kept.len() + 1);
        let (mut nodes, mut first_nodes) = (Vec::with_capacity(self.text_nodes.len()), Vec::new());
        for (block, kept) in kept.iter().enumerate() {
            new_index.push(next);
            if *kept {
                next += 1;
                starts.push(text.len() as u32);
                text.push_str(self.text(block));
                first_nodes.push(nodes.len() as u32);
                nodes.extend_from_slice(self.text_nodes(block));
            }
        }
        new_index.push(next);
        starts.push(text.len() as u32);
        first_nodes.push(nodes.len() as u32);
        (self.text, self.text_start) = (text, starts);
        (self.text_nodes, self.first_text_node) = (nodes, first_nodes);
        fn retain<T>(column: &mut Vec<T>, kept: &[bool]) {
            let mut flags = kept.iter();
            column.retain(|_| *flags.next().unwrap_or(&false));
        }
        retain(&mut self.element, &kept);
        retain(&mut self.span, &kept);
        retain(&mut self.hidden, &kept);
        retain(&mut self.counts, &kept);
        retain(&mut self.link_characters, &kept);
        retain(&mut self.links, &kept);
        retain(&mut self.images, &kept);
        retain(&mut self.line_breaks, &kept);
        retain(&mut self.inline_class, &kept);
        retain(&mut self.inline_markup, &kept);
        new_index
    }
}
