//! The texts of a block in a row, so that a piece may begin in one and end in another.

use std::ops::Range;

use tamis_html::{Name, NodeId};

use super::Apart;
use crate::block::Run;
use crate::page::Page;

/// The texts of a block in one string. Between two links that touch, and wherever a text was parted by nothing but white space, the
/// string has none: places are what counts here.
pub(in crate::fused) struct Row<'p> {
    pub(in crate::fused) text: String,
    /// Where each run begins, and behind them where the last one ends.
    starts: Vec<usize>,
    runs: &'p [Run],
}

impl<'p> Row<'p> {
    pub(in crate::fused) fn of(page: &Page<'_>, runs: &'p [Run]) -> Row<'p> {
        let (mut text, mut starts) = (String::new(), Vec::with_capacity(runs.len() + 1));
        for run in runs {
            starts.push(text.len());
            text.push_str(&page.node(run.node).text());
        }
        starts.push(text.len());
        Row { text, starts, runs }
    }

    /// Where a run stands in the text.
    pub(in crate::fused) fn place(&self, run: usize) -> Range<usize> {
        self.starts[run]..self.starts[run + 1]
    }

    /// The words of a run.
    pub(in crate::fused) fn run(&self, run: usize) -> &str {
        &self.text[self.place(run)]
    }

    /// Does one run end here and another begin?
    pub(in crate::fused) fn is_border(&self, at: usize) -> bool {
        self.starts.binary_search(&at).is_ok()
    }

    /// Leaves a stretch of the text out: whole runs, and parts of those at its ends.
    pub(in crate::fused) fn leave_out(&self, piece: Range<usize>, apart: &mut Apart) {
        let first = self.starts.partition_point(|start| *start <= piece.start).saturating_sub(1);
        for (at, run) in self.runs.iter().enumerate().skip(first) {
            let place = self.place(at);
            let (from, to) = (piece.start.max(place.start), piece.end.min(place.end));
            if place.start >= piece.end {
                break;
            }
            let has_words = |part: Range<usize>| !self.text[part].trim().is_empty();
            if from < to && !has_words(place.start..from) && !has_words(to..place.end) {
                apart.whole.push(run.node);
            } else if from < to {
                apart.parts.push((run.node, from - place.start..to - place.start));
            }
        }
    }
}

/// The link that a text stands in.
pub(super) fn link_of(page: &Page<'_>, text: NodeId) -> Option<NodeId> {
    page.node(text).ancestors().take(6).find(|node| node.is(Name::A)).map(|node| node.id())
}
