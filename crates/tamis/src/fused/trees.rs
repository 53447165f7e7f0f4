//! Boosted trees: their plain form, and the walk down to the leaves.

use super::numbers::logistic;

/// A forest of boosted trees; the sum of the leaves that a row falls into is a logarithm of odds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forest {
    /// What a row starts with.
    pub base: f32,
    /// Where each tree begins among the nodes.
    pub roots: Vec<u32>,
    /// The nodes of all trees.
    pub nodes: Vec<Node>,
}

/// A node of a tree: a question, or an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Which feature it asks for; [`LEAF`] for an answer.
    pub feature: u16,
    /// Values up to this go left, others and what is no number go right. For an answer, the answer.
    pub value: f32,
    /// Where the left child is; the right one follows it.
    pub left: u32,
}

/// The feature number of nodes that ask nothing.
pub const LEAF: u16 = u16::MAX;

impl Forest {
    /// The logarithm of odds of a row.
    pub fn log_odds(&self, row: &[f32]) -> f32 {
        let mut sum = self.base;
        for root in &self.roots {
            let mut node = &self.nodes[*root as usize];
            while node.feature != LEAF {
                let right = u32::from(!(row[usize::from(node.feature)] <= node.value));
                node = &self.nodes[(node.left + right) as usize];
            }
            sum += node.value;
        }
        sum
    }

    /// The probability of a row.
    pub fn probability(&self, row: &[f32]) -> f32 {
        logistic(self.log_odds(row))
    }

    /// The probabilities of many rows of `width` values, one behind the other. Tree by tree, so that a tree stays at hand
    /// while all rows pass through it.
    pub fn probabilities(&self, rows: &[f32], width: usize) -> Vec<f32> {
        // A page without blocks has no rows, and rows without values have no answers.
        if width == 0 {
            return Vec::new();
        }
        let mut sums = vec![self.base; rows.len() / width];
        for root in &self.roots {
            for (row, sum) in rows.chunks_exact(width).zip(&mut sums) {
                let mut node = &self.nodes[*root as usize];
                while node.feature != LEAF {
                    let right = u32::from(!(row[usize::from(node.feature)] <= node.value));
                    node = &self.nodes[(node.left + right) as usize];
                }
                *sum += node.value;
            }
        }
        sums.into_iter().map(logistic).collect()
    }
}
