//! Boosted trees: their plain form, and the walk down to the leaves.

use super::numbers::logistic;

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

/// How many rows go down a tree together.
const TOGETHER: usize = 8;

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

    /// The probabilities of many rows of `width` values, one behind the other. Tree by tree, so that a tree stays at hand
    /// while all rows pass through it.
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
        let mut sums = vec![self.base; rows.len() / width];
        for root in &self.roots {
            let mut together = rows.chunks_exact(TOGETHER * width);
            let mut sums = sums.chunks_exact_mut(TOGETHER);
            for (rows, sums) in together.by_ref().zip(sums.by_ref()) {
                let answers = self.answers(*root, rows, width);
                sums.iter_mut().zip(answers).for_each(|(sum, answer)| *sum += answer);
            }
            let left = together.remainder().chunks_exact(width).zip(sums.into_remainder());
            left.for_each(|(row, sum)| *sum += self.answer(*root, row));
        }
        sums.into_iter().map(logistic).collect()
    }

    /// As [`Forest::answer`], of some rows at once: while one waits for a node, the others go on.
    fn answers(&self, root: u32, rows: &[f32], width: usize) -> [f32; TOGETHER] {
        let mut nodes = [&self.nodes[root as usize]; TOGETHER];
        let mut are_there = false;
        while !are_there {
            are_there = true;
            for (place, node) in nodes.iter_mut().enumerate() {
                let is_leaf = node.feature == LEAF;
                // A leaf asks its row something as well, and stays where it is, so that nothing needs to be foreseen.
                let feature = if is_leaf { 0 } else { usize::from(node.feature) };
                let right = u32::from(rows[place * width + feature] > node.value);
                let next = &self.nodes[if is_leaf { root } else { node.left + right } as usize];
                *node = if is_leaf { node } else { next };
                are_there &= is_leaf;
            }
        }
        nodes.map(|node| node.value)
    }
}
