//! Gradient-boosted symmetric trees, evaluated for chunks of rows.
//!
//! All splits of one level of a tree are the same, so a leaf is addressed by one bit per level. A chunk of rows compares
//! a level at once, without branches; a level whose threshold no row of the chunk exceeds is not compared at all.

use std::ops::Range;

use wide::f32x4;

use crate::classify::features::Columns;

/// Rows evaluated together.
const CHUNK: usize = 32;
/// Groups of four rows in a chunk.
const GROUPS: usize = CHUNK / 4;
/// Maximum depth of a tree.
const DEPTH: usize = 6;
/// Maximum number of leaves of a tree.
const LEAVES: usize = 1 << DEPTH;

/// A split: rows with a value above the threshold set the bit of its level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// Column index.
    pub feature: u16,
    /// The threshold.
    pub threshold: f32,
}

/// A symmetric tree: one split per level, and a leaf for each combination of their outcomes. The outcome of the first
/// split is the lowest bit of the leaf's index.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// Splits, one per level.
    pub splits: Vec<Split>,
    /// Leaf values: two to the power of the number of splits.
    pub leaves: Vec<f32>,
}

/// A boosted forest. The leaf values of a row sum to its log-odds.
#[derive(Clone, Debug, Default)]
pub struct Forest {
    splits: Vec<Split>,
    /// The feature of each split as an index into `used_features`.
    slots: Vec<u16>,
    /// End of each tree's range in `splits`.
    tree_ends: Vec<u32>,
    leaves: Vec<[f32; LEAVES]>,
    /// Feature indices, sorted.
    used_features: Vec<u16>,
    early_exits: Vec<EarlyExit>,
}

/// An early exit: after `trees` trees, rows with |log-odds| of at least `bound` are final, extrapolated by `ratio`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EarlyExit {
    /// Number of trees before the exit.
    pub trees: usize,
    /// Least |log-odds| of a final row.
    pub bound: f32,
    /// Typical ratio of the full sum to the sum at the exit.
    pub ratio: f32,
}

impl Forest {
    /// The largest depth of a tree.
    pub const MAX_DEPTH: usize = DEPTH;

    /// A forest of `trees`. Splits beyond [`Self::MAX_DEPTH`] are ignored, as are exits behind the last tree.
    pub fn new(trees: &[Tree], mut early_exits: Vec<EarlyExit>) -> Forest {
        early_exits.retain(|exit| exit.trees < trees.len());
        early_exits.sort_by_key(|exit| exit.trees);
        let mut forest = Forest { early_exits, ..Forest::default() };
        for tree in trees {
            forest.splits.extend(tree.splits.iter().take(DEPTH));
            forest.tree_ends.push(forest.splits.len() as u32);
            let mut leaves = [0.0; LEAVES];
            leaves.iter_mut().zip(&tree.leaves).for_each(|(leaf, value)| *leaf = *value);
            forest.leaves.push(leaves);
        }
        forest.used_features = forest.splits.iter().map(|split| split.feature).collect();
        forest.used_features.sort_unstable();
        forest.used_features.dedup();
        let slot = |split: &Split| forest.used_features.partition_point(|feature| *feature < split.feature);
        forest.slots = forest.splits.iter().map(|split| slot(split) as u16).collect();
        forest
    }

    /// The splits and leaves of a tree.
    fn tree(&self, tree: usize) -> (Range<usize>, &[f32; LEAVES]) {
        let start = if tree == 0 { 0 } else { self.tree_ends[tree - 1] as usize };
        (start..self.tree_ends[tree] as usize, &self.leaves[tree])
    }

    /// The trees of the forest.
    pub fn trees(&self) -> impl Iterator<Item = Tree> + '_ {
        (0..self.len()).map(|tree| {
            let (splits, leaves) = self.tree(tree);
            let leaves = leaves[..1 << splits.len()].to_vec();
            Tree { splits: self.splits[splits].to_vec(), leaves }
        })
    }

    /// The early exits, by number of trees.
    pub fn early_exits(&self) -> &[EarlyExit] {
        &self.early_exits
    }

    /// Indices of the features that occur in splits.
    pub fn used_features(&self) -> impl Iterator<Item = u16> + '_ {
        self.used_features.iter().copied()
    }

    pub fn len(&self) -> usize {
        self.tree_ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.tree_ends.is_empty()
    }

    /// The log-odds of `rows`, in the same order.
    pub fn log_odds(&self, columns: &Columns, rows: &[u32]) -> Vec<f32> {
        let first_exit = self.early_exits.first().map_or(self.len(), |exit| exit.trees);
        let mut table = ChunkTable::default();
        let mut sums = self.sums(columns, rows, &mut table, 0..first_exit);
        let mut undecided: Vec<usize> = (0..rows.len()).collect();
        for (index, exit) in self.early_exits.iter().enumerate() {
            undecided.retain(|row| {
                let is_undecided = sums[*row].abs() < exit.bound;
                if !is_undecided {
                    sums[*row] *= exit.ratio;
                }
                is_undecided
            });
            let undecided_rows: Vec<u32> = undecided.iter().map(|row| rows[*row]).collect();
            let next_exit = self.early_exits.get(index + 1).map_or(self.len(), |exit| exit.trees);
            let more = self.sums(columns, &undecided_rows, &mut table, exit.trees..next_exit);
            undecided.iter().zip(more).for_each(|(row, sum)| sums[*row] += sum);
        }
        sums
    }

    /// The log-odds of a single row by all trees, without early exits: cheaper than [`log_odds`](Self::log_odds) for one
    /// row.
    pub fn log_odds_of(&self, columns: &Columns, row: usize) -> f32 {
        let leaf = |tree: usize| {
            let (splits, leaves) = self.tree(tree);
            let bits = self.splits[splits].iter().enumerate().map(|(level, split)| {
                usize::from(columns.column(usize::from(split.feature))[row] > split.threshold) << level
            });
            leaves[bits.sum::<usize>() % LEAVES]
        };
        (0..self.len()).map(leaf).sum()
    }

    /// How far each feature moves the log-odds of a row, summed along its paths through the trees: a function of the row.
    ///
    /// A split moves the value from the mean of the leaves that are still open to the mean of those that stay so.
    pub fn contributions<'a>(&'a self, columns: &'a Columns) -> impl Fn(usize) -> Vec<(u16, f32)> + 'a {
        // The mean for every path through a tree. Paths of one level follow each other; n of them begin at n.
        let means = |tree: usize| {
            let (splits, leaves) = self.tree(tree);
            let leaves = &leaves[..1 << splits.len()];
            let mut means = [0.0; 2 * LEAVES];
            for paths in (0..=splits.len()).map(|level| 1 << level) {
                for path in 0..paths {
                    let sum: f32 = leaves.iter().skip(path).step_by(paths).sum();
                    means[paths + path] = sum / (leaves.len() / paths) as f32;
                }
            }
            means
        };
        let means: Vec<[f32; 2 * LEAVES]> = (0..self.len()).map(means).collect();
        move |row| {
            let mut by_feature = vec![0.0_f32; columns.names.len()];
            for (tree, means) in means.iter().enumerate() {
                let mut path = 0;
                for (level, split) in self.splits[self.tree(tree).0].iter().enumerate() {
                    let feature = usize::from(split.feature);
                    let before = means[(1 << level) + path];
                    path |= usize::from(columns.column(feature)[row] > split.threshold) << level;
                    by_feature[feature] += means[(2 << level) + path] - before;
                }
            }
            (0_u16..).zip(by_feature).filter(|(_, moved)| *moved != 0.0).collect()
        }
    }

    /// Leaf sums over a range of trees. `table` is scratch memory.
    fn sums(&self, columns: &Columns, rows: &[u32], table: &mut ChunkTable, trees: Range<usize>) -> Vec<f32> {
        let mut sums = Vec::with_capacity(rows.len() + CHUNK);
        for chunk in rows.chunks(CHUNK) {
            table.fill(columns, chunk, &self.used_features);
            sums.extend_from_slice(&self.chunk_sums(table, trees.clone())[..chunk.len()]);
        }
        sums
    }

    fn chunk_sums(&self, table: &ChunkTable, trees: Range<usize>) -> [f32; CHUNK] {
        let mut sums = [0.0; CHUNK];
        for tree in trees {
            let (splits, leaves) = self.tree(tree);
            // Leaf indices as the bits of floats: only bitwise operations touch them.
            let mut indices = [f32x4::ZERO; GROUPS];
            for (level, at) in splits.enumerate() {
                let bit = f32x4::splat(f32::from_bits(1 << level));
                let column = &table.columns[usize::from(self.slots[at])];
                let threshold = self.splits[at].threshold;
                if column.max <= threshold {
                    continue;
                }
                let limit = f32x4::splat(threshold);
                for (index, values) in indices.iter_mut().zip(&column.values) {
                    *index |= values.simd_gt(limit) & bit;
                }
            }
            for (sums, indices) in sums.chunks_exact_mut(4).zip(indices) {
                for (sum, index) in sums.iter_mut().zip(indices.to_array()) {
                    *sum += leaves[index.to_bits() as usize % LEAVES];
                }
            }
        }
        sums
    }
}

/// The used features of a chunk of rows.
#[derive(Default)]
struct ChunkTable {
    columns: Vec<ChunkColumn>,
}

#[derive(Clone, Copy, Default)]
struct ChunkColumn {
    values: [f32x4; GROUPS],
    max: f32,
}

impl ChunkTable {
    fn fill(&mut self, columns: &Columns, rows: &[u32], used_features: &[u16]) {
        self.columns.resize(used_features.len(), ChunkColumn::default());
        let first = rows[0] as usize;
        let is_contiguous = rows.len() == CHUNK && rows[CHUNK - 1] as usize == first + CHUNK - 1;
        for (feature, target) in used_features.iter().zip(&mut self.columns) {
            let column = columns.column(usize::from(*feature));
            if is_contiguous {
                target.fill(&column[first..first + CHUNK]);
            } else {
                // Pad with the last row, so that padding does not raise the maximum.
                let mut values = [column[rows[rows.len() - 1] as usize]; CHUNK];
                for (value, row) in values.iter_mut().zip(rows) {
                    *value = column[*row as usize];
                }
                target.fill(&values);
            }
        }
    }
}

impl ChunkColumn {
    #[inline]
    fn fill(&mut self, values: &[f32]) {
        let mut max = f32x4::splat(f32::NEG_INFINITY);
        for (group, values) in self.values.iter_mut().zip(values.chunks_exact(4)) {
            *group = f32x4::new([values[0], values[1], values[2], values[3]]);
            max = max.fast_max(*group);
        }
        let max = max.to_array();
        self.max = max[0].max(max[1]).max(max[2].max(max[3]));
    }
}

/// Converts log-odds to a probability.
#[inline]
pub fn logistic(log_odds: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-log_odds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluates_a_tree() {
        // Leaves for x0 > 1 and x1 > 5: neither, the first, the second, both.
        let splits = vec![Split { feature: 0, threshold: 1.0 }, Split { feature: 1, threshold: 5.0 }];
        let forest = Forest::new(&[Tree { splits, leaves: vec![0.5, 0.75, 0.25, -1.0] }], Vec::new());
        let mut columns = Columns::default();
        columns.clear(3);
        columns.add("x0", |row| row as f32);
        columns.add("x1", |row| 10.0 * row as f32);
        assert_eq!(forest.log_odds(&columns, &[0, 1, 2]), [0.5, 0.25, -1.0]);
        assert_eq!(forest.log_odds(&columns, &[2, 0]), [-1.0, 0.5]);
        assert_eq!([0, 1, 2].map(|row| forest.log_odds_of(&columns, row)), [0.5, 0.25, -1.0]);
        // Rows 0 and 2 leave after the first of two trees.
        let trees: Vec<Tree> = forest.trees().chain(forest.trees()).collect();
        let exit = EarlyExit { trees: 1, bound: 0.5, ratio: 3.0 };
        assert_eq!(Forest::new(&trees, vec![exit]).log_odds(&columns, &[0, 1, 2]), [1.5, 0.5, -3.0]);
        let moved = forest.contributions(&columns)(0);
        assert_eq!(moved.iter().map(|(feature, _)| *feature).collect::<Vec<_>>(), [0, 1]);
        let mean = (0.5 + 0.75 + 0.25 - 1.0) / 4.0;
        assert!((mean + moved.iter().map(|(_, moved)| moved).sum::<f32>() - 0.5).abs() < 1e-6);
    }
}
