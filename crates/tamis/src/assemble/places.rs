//! Where the kept blocks are in the tree, so that the walk can pass by what holds nothing of them.

use std::cell::OnceCell;

use tamis_html::{NodeId, NodeRef, Span};

use crate::{Judgement, Page};

const NONE: u32 = u32::MAX;

/// A kept block stands in the element or below it.
const HOLDS: u8 = 1;
/// The element is that of a kept block, so texts directly in it may be kept.
const OWN: u8 = 2;

pub(super) struct Places<'p> {
    page: &'p Page<'p>,
    judgement: &'p Judgement,
    /// For each node, the kept block whose text it is.
    block_of: Vec<u32>,
    marks: Vec<u8>,
    shown: OnceCell<Shown>,
}

/// For each block, the nearest ones that are shown or kept.
struct Shown {
    /// From the block itself backwards.
    before: Vec<u32>,
    /// From the block itself on.
    from: Vec<u32>,
}

impl<'p> Places<'p> {
    pub(super) fn new(page: &'p Page<'p>, judgement: &'p Judgement) -> Self {
        let mut block_of = vec![NONE; page.dom().len()];
        let mut marks = vec![0; page.dom().len()];
        let blocks = page.blocks();
        for place in judgement.kept().take_while(|place| *place < blocks.len()) {
            let block = &blocks[place];
            for run in page.runs(block) {
                block_of[run.node.index()] = place as u32;
            }
            marks[block.element.index()] |= OWN;
            let mut up = Some(page.element(block));
            while let Some(node) = up.filter(|node| marks[node.id().index()] & HOLDS == 0) {
                marks[node.id().index()] |= HOLDS;
                up = node.parent();
            }
        }
        for text in &judgement.apart {
            if let Some(block) = block_of.get_mut(text.index()) {
                *block = NONE;
            }
        }
        Places { page, judgement, block_of, marks, shown: OnceCell::new() }
    }

    /// The kept block that a text belongs to.
    pub(super) fn block_of(&self, text: NodeId) -> Option<usize> {
        self.block_of.get(text.index()).filter(|place| **place != NONE).map(|place| *place as usize)
    }

    /// Does a kept block stand in the element or below it?
    pub(super) fn holds(&self, element: NodeRef<'_>) -> bool {
        self.marks[element.id().index()] & HOLDS != 0
    }

    /// Is it the element of a kept block?
    pub(super) fn is_own(&self, element: NodeRef<'_>) -> bool {
        self.marks[element.id().index()] & OWN != 0
    }

    /// The nearest blocks before and after a place in the source. Where the tree is not in the order of the source
    /// (text that stood in a table outside of its cells) they may be others than in the tree.
    pub(super) fn neighbours(&self, span: Option<Span>) -> (Option<usize>, Option<usize>) {
        let Some(span) = span else { return (None, None) };
        let blocks = self.page.blocks();
        let next = blocks.partition_point(|block| block.span.start < span.start);
        let shown = self.shown.get_or_init(|| Shown::of(self.page, self.judgement));
        let at =
            |list: &[u32], place: usize| list.get(place).filter(|it| **it != NONE).map(|it| *it as usize);
        let before = next.checked_sub(1).and_then(|last| at(&shown.before, last));
        (before, at(&shown.from, next))
    }
}

impl Shown {
    fn of(page: &Page<'_>, judgement: &Judgement) -> Shown {
        let count = page.blocks().len();
        let is_shown = |place: usize| page.blocks()[place].hidden.is_none() || judgement.keeps(place);
        let nearest = |last: &mut u32, place: usize| {
            if is_shown(place) {
                *last = place as u32;
            }
            Some(*last)
        };
        let before = (0..count).scan(NONE, nearest).collect();
        let mut from: Vec<u32> = (0..count).rev().scan(NONE, nearest).collect();
        from.reverse();
        Shown { before, from }
    }
}
