//! Where the walk stands among the blocks: the texts of the tree come in the order of the blocks' runs.

use tamis_html::NodeId;

use crate::{Judgement, Page};

pub(super) struct Cursor<'p> {
    page: &'p Page<'p>,
    /// The block of the next run.
    block: usize,
    /// The next run within it.
    run: usize,
    /// For each block, the nearest one before it, itself included, that is shown or kept; and for the end of the page.
    shown_before: Vec<u32>,
    /// Likewise, the nearest one from it on.
    shown_from: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl<'p> Cursor<'p> {
    pub(super) fn new(page: &'p Page<'p>, judgement: &Judgement) -> Self {
        let blocks = page.blocks();
        let counts = |place: usize| blocks[place].hidden.is_none() || judgement.keeps(place);
        let mut nearest = NONE;
        let mut shown_before = Vec::with_capacity(blocks.len());
        for place in 0..blocks.len() {
            nearest = if counts(place) { place as u32 } else { nearest };
            shown_before.push(nearest);
        }
        nearest = NONE;
        let mut shown_from = vec![NONE; blocks.len()];
        for place in (0..blocks.len()).rev() {
            nearest = if counts(place) { place as u32 } else { nearest };
            shown_from[place] = nearest;
        }
        Cursor { page, block: 0, run: 0, shown_before, shown_from }
    }

    /// The block that a text belongs to, if any. Texts must come in page order.
    pub(super) fn take(&mut self, text: NodeId) -> Option<usize> {
        let block = self.page.blocks().get(self.block)?;
        let runs = self.page.runs(block);
        if runs.get(self.run)?.node != text {
            return None;
        }
        let place = self.block;
        self.run += 1;
        if self.run == runs.len() {
            (self.block, self.run) = (self.block + 1, 0);
        }
        Some(place)
    }

    /// The block whose text stands on both sides of the current place.
    pub(super) fn inside(&self) -> Option<usize> {
        (self.run > 0).then_some(self.block)
    }

    /// The nearest block before the current place.
    pub(super) fn before(&self) -> Option<usize> {
        let last = if self.run > 0 { self.block } else { self.block.checked_sub(1)? };
        self.shown_before.get(last).filter(|place| **place != NONE).map(|place| *place as usize)
    }

    /// The nearest block after it.
    pub(super) fn after(&self) -> Option<usize> {
        self.shown_from.get(self.block).filter(|place| **place != NONE).map(|place| *place as usize)
    }
}
