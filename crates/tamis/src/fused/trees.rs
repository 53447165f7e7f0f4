//! Boosted trees: their plain form, and the walk down to the leaves.

use super::numbers::logistic;
use super::small_trees::SmallTrees;

/// A forest of boosted trees; the sum of the leaves that a row falls into is a logarithm of odds.
///
/// ```
/// use tamis::fused::trees::{Forest, LEAF, Node};
///
/// // One tree with one question: is the first number above a half?
/// let leaf = |value| Node { feature: LEAF, value, left: 0 };
/// let nodes = vec![Node { feature: 0, value: 0.5, left: 1 }, leaf(-1.0), leaf(1.0)];
/// let forest = Forest { base: 0.0, roots: vec![0], nodes };
/// assert_eq!((forest.log_odds(&[0.2]), forest.log_odds(&[0.7])), (-1.0, 1.0));
/// ```
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
///
/// ```
/// use tamis::fused::trees::{LEAF, Node};
///
/// let answer = Node { feature: LEAF, value: 0.5, left: 0 };
/// assert_eq!(answer.feature, LEAF);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Which feature it asks for; [`LEAF`] for an answer.
    pub feature: u16,
    /// Values above this go right, all others left. For an answer, the answer.
    pub value: f32,
    /// Where the left child is; the right one follows it.
    pub left: u32,
}

/// The feature number of nodes that ask nothing.
///
/// ```
/// assert_eq!(tamis::fused::trees::LEAF, u16::MAX);
/// ```
pub const LEAF: u16 = u16::MAX;

impl Forest {
    /// What the tree that begins at `root` says of a row.
    fn answer(&self, root: u32, row: &[f32]) -> f32 {
        let mut node = &self.nodes[root as usize];
        while node.feature != LEAF {
            let right = u32::from(row[usize::from(node.feature)] > node.value);
            node = &self.nodes[(node.left + right) as usize];
        }
        node.value
    }

    /// The logarithm of odds of a row.
    ///
    /// ```
    /// assert_eq!(stump().log_odds(&[0.2]), -1.5);
    /// # fn stump() -> tamis::fused::trees::Forest {
    /// #     use tamis::fused::trees::{Forest, LEAF, Node};
    /// #     let leaf = |value| Node { feature: LEAF, value, left: 0 };
    /// #     let nodes = vec![Node { feature: 0, value: 0.5, left: 1 }, leaf(-1.0), leaf(1.0)];
    /// #     Forest { base: -0.5, roots: vec![0], nodes }
    /// # }
    /// ```
    pub fn log_odds(&self, row: &[f32]) -> f32 {
        self.roots.iter().fold(self.base, |sum, root| sum + self.answer(*root, row))
    }

    /// The probability of a row.
    ///
    /// ```
    /// use tamis::fused::trees::Forest;
    ///
    /// assert_eq!(Forest::default().probability(&[]), 0.5);
    /// ```
    pub fn probability(&self, row: &[f32]) -> f32 {
        logistic(self.log_odds(row))
    }

    /// The probabilities of many rows of `width` values, one behind the other.
    ///
    /// ```
    /// use tamis::fused::trees::Forest;
    ///
    /// assert_eq!(Forest::default().probabilities(&[1.0, 2.0, 3.0, 4.0], 2), [0.5, 0.5]);
    /// assert!(Forest::default().probabilities(&[], 0).is_empty());
    /// ```
    pub fn probabilities(&self, rows: &[f32], width: usize) -> Vec<f32> {
        // A page without blocks has no rows, and rows without values have no answers.
        if width == 0 {
            return Vec::new();
        }
        match SmallTrees::of(&self.nodes, &self.roots, rows, width) {
            Some(trees) => trees.sums(self.base, rows, width).into_iter().map(logistic).collect(),
            None => rows.chunks_exact(width).map(|row| self.probability(row)).collect(),
        }
    }
}
