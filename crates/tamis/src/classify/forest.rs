//! Gradient-boosted trees, evaluated for chunks of rows.
//!
//! A chunk walks down a tree together as a bit set of rows. A split compares all rows of the chunk at once, or none if
//! the value range of the chunk decides it; subtrees that no row reaches are skipped. Rows of a chunk are neighbours on
//! the page and mostly take the same way.

use wide::f32x4;

use crate::classify::features::Columns;

/// Rows evaluated together.
const CHUNK: usize = 32;
/// Maximum number of leaves per tree: one bit each in a `u32` mask.
const LEAVES: usize = 32;

/// A split of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// Column index.
    pub feature: u16,
    /// Values above it go right.
    pub threshold: f32,
    /// Leaves of the left subtree, unreachable for values above the threshold.
    pub left_leaves: u32,
}

/// A tree: its splits in pre-order, and one leaf more than splits, from left to right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// Splits in pre-order.
    pub splits: Vec<Split>,
    /// Leaf values.
    pub leaves: Vec<f32>,
}

/// A boosted forest. The leaf values of a row sum to its log-odds.
#[derive(Clone, Debug, Default)]
pub struct Forest {
    splits: Vec<Split>,
    /// Leaves of the left subtree of each split.
    left_counts: Vec<u8>,
    /// End of each tree's range in `splits`.
    tree_ends: Vec<u32>,
    leaves: Vec<[f32; LEAVES]>,
    /// Feature indices, sorted.
    used_features: Vec<u16>,
    early_exit: Option<EarlyExit>,
}

/// Early exit: after `trees` trees, rows with |log-odds| of at least `bound` are final, extrapolated by `ratio`.
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
    /// The largest number of leaves of a tree.
    pub const MAX_LEAVES: usize = LEAVES;

    /// A forest of `trees`. Leaves beyond [`Self::MAX_LEAVES`] are ignored.
    pub fn new(trees: &[Tree], early_exit: Option<EarlyExit>) -> Forest {
        let mut forest = Forest { early_exit, ..Forest::default() };
        for tree in trees {
            forest.splits.extend_from_slice(&tree.splits);
            forest.tree_ends.push(forest.splits.len() as u32);
            let mut leaves = [0.0; LEAVES];
            leaves.iter_mut().zip(&tree.leaves).for_each(|(leaf, value)| *leaf = *value);
            forest.leaves.push(leaves);
        }
        forest.left_counts = forest.splits.iter().map(|split| split.left_leaves.count_ones() as u8).collect();
        forest.used_features = forest.splits.iter().map(|split| split.feature).collect();
        forest.used_features.sort_unstable();
        forest.used_features.dedup();
        forest
    }

    /// The trees of the forest.
    pub fn trees(&self) -> impl Iterator<Item = Tree> + '_ {
        let mut start = 0;
        self.tree_ends.iter().zip(&self.leaves).map(move |(end, leaves)| {
            let splits = self.splits[start..*end as usize].to_vec();
            start = *end as usize;
            Tree { leaves: leaves[..(splits.len() + 1).min(LEAVES)].to_vec(), splits }
        })
    }

    /// The early exit, if there is one.
    pub fn early_exit(&self) -> Option<EarlyExit> {
        self.early_exit
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
        let Some(exit) = self.early_exit.filter(|exit| exit.trees < self.len()) else {
            return self.sums(columns, rows, 0, self.len());
        };
        let mut sums = self.sums(columns, rows, 0, exit.trees);
        let undecided: Vec<usize> = (0..rows.len()).filter(|row| sums[*row].abs() < exit.bound).collect();
        let undecided_rows: Vec<u32> = undecided.iter().map(|row| rows[*row]).collect();
        let rest = self.sums(columns, &undecided_rows, exit.trees, self.len());
        // Divided here because all rows are multiplied by `ratio` below.
        for (row, sum) in undecided.iter().zip(rest) {
            sums[*row] = (sums[*row] + sum) / exit.ratio;
        }
        sums.iter_mut().for_each(|sum| *sum *= exit.ratio);
        sums
    }

    /// The log-odds of a single row, tree by tree: cheaper than [`log_odds`](Self::log_odds) for one row.
    pub fn log_odds_of(&self, columns: &Columns, row: usize) -> f32 {
        let mut start = 0;
        let mut sum = 0.0;
        for (leaves, end) in self.leaves.iter().zip(&self.tree_ends) {
            let (mut at, end) = (start, *end as usize);
            start = end;
            let (mut first, mut count) = (0, end - at + 1);
            while count > 1 {
                let split = &self.splits[at];
                let left = usize::from(self.left_counts[at]);
                if columns.column(usize::from(split.feature))[row] > split.threshold {
                    (at, first, count) = (at + left, first + left, count - left);
                } else {
                    (at, count) = (at + 1, left);
                }
            }
            sum += leaves[first % LEAVES];
        }
        sum
    }

    /// How far each feature moved the log-odds of a row, summed along its paths through the trees.
    ///
    /// A split moves the value from the mean of the leaves below it to the mean of those below the chosen child.
    pub fn contributions(&self, columns: &Columns, row: usize) -> Vec<(u16, f32)> {
        let mut by_feature = vec![0.0_f32; columns.names.len()];
        let mut start = 0;
        for (tree, end) in self.tree_ends.iter().enumerate() {
            let (mut at, end) = (start, *end as usize);
            start = end;
            let leaves = &self.leaves[tree];
            let mean = |mask: u32| {
                let sum: f32 =
                    (0..LEAVES).filter(|leaf| mask >> leaf & 1 == 1).map(|leaf| leaves[leaf]).sum();
                sum / mask.count_ones().max(1) as f32
            };
            let count = end - at + 1;
            let mut mask = if count >= 32 { u32::MAX } else { (1 << count) - 1 };
            while mask.count_ones() > 1 && at < end {
                let split = &self.splits[at];
                let before = mean(mask);
                // Splits are in pre-order: the left subtree comes first and has one split less than leaves.
                if columns.column(usize::from(split.feature))[row] > split.threshold {
                    at += split.left_leaves.count_ones() as usize;
                    mask &= !split.left_leaves;
                } else {
                    at += 1;
                    mask = split.left_leaves;
                }
                by_feature[usize::from(split.feature)] += mean(mask) - before;
            }
        }
        (0_u16..).zip(by_feature).filter(|(_, moved)| *moved != 0.0).collect()
    }

    /// Leaf sums over trees `from..to`.
    fn sums(&self, columns: &Columns, rows: &[u32], from: usize, to: usize) -> Vec<f32> {
        let mut sums = Vec::with_capacity(rows.len() + CHUNK);
        let mut table = ChunkTable::new(columns.names.len());
        for chunk in rows.chunks(CHUNK) {
            table.fill(columns, chunk, &self.used_features);
            sums.extend_from_slice(&self.chunk_sums(&table, chunk.len(), from, to)[..chunk.len()]);
        }
        sums
    }

    fn chunk_sums(&self, table: &ChunkTable, rows: usize, from: usize, to: usize) -> [f32; CHUNK] {
        let mut sums = [0.0; CHUNK];
        let all = u32::MAX >> (CHUNK - rows);
        let mut start = if from == 0 { 0 } else { self.tree_ends[from - 1] as usize };
        // Right subtrees still to visit.
        let mut pending = [Visit::default(); LEAVES];
        for tree in from..to {
            let end = self.tree_ends[tree] as usize;
            let leaves = &self.leaves[tree];
            let mut at = Visit { split: start, leaf: 0, leaves: end - start + 1, rows: all };
            start = end;
            let mut depth = 0;
            loop {
                if at.leaves == 1 {
                    add_to_rows(&mut sums, at.rows, leaves[at.leaf % LEAVES]);
                    if depth == 0 {
                        break;
                    }
                    depth -= 1;
                    at = pending[depth % LEAVES];
                    continue;
                }
                let split = &self.splits[at.split];
                let left = usize::from(self.left_counts[at.split]);
                let right_rows =
                    at.rows & table.rows_above(usize::from(split.feature), split.threshold, at.rows);
                let right = Visit {
                    split: at.split + left,
                    leaf: at.leaf + left,
                    leaves: at.leaves - left,
                    rows: right_rows,
                };
                if right_rows == at.rows {
                    at = right;
                    continue;
                }
                if right_rows != 0 {
                    pending[depth % LEAVES] = right;
                    depth += 1;
                }
                at = Visit { split: at.split + 1, leaf: at.leaf, leaves: left, rows: at.rows & !right_rows };
            }
        }
        sums
    }
}

/// A subtree and the rows that reach it. Splits are in pre-order: the left subtree comes first and has one split less
/// than leaves.
#[derive(Clone, Copy, Default)]
struct Visit {
    split: usize,
    leaf: usize,
    leaves: usize,
    rows: u32,
}

#[inline]
fn add_to_rows(sums: &mut [f32; CHUNK], mut rows: u32, value: f32) {
    if rows == u32::MAX {
        sums.iter_mut().for_each(|sum| *sum += value);
        return;
    }
    while rows != 0 {
        sums[rows.trailing_zeros() as usize % CHUNK] += value;
        rows &= rows - 1;
    }
}

/// The used features of a chunk of rows, with the value range of each.
struct ChunkTable {
    columns: Vec<[f32; CHUNK]>,
    ranges: Vec<(f32, f32)>,
}

impl ChunkTable {
    fn new(width: usize) -> ChunkTable {
        ChunkTable { columns: vec![[0.0; CHUNK]; width], ranges: vec![(0.0, 0.0); width] }
    }

    /// Which of `rows` have a value above the threshold, as a bit set; other bits are arbitrary.
    #[inline]
    fn rows_above(&self, feature: usize, threshold: f32, rows: u32) -> u32 {
        let (min, max) = self.ranges[feature];
        if max <= threshold {
            return 0;
        }
        if min > threshold {
            return u32::MAX;
        }
        let column = &self.columns[feature];
        if rows & (rows - 1) == 0 {
            let row = rows.trailing_zeros();
            return u32::from(column[row as usize % CHUNK] > threshold) << row;
        }
        let limit = f32x4::splat(threshold);
        let mut above = 0;
        for (lanes, shift) in column.chunks_exact(4).zip((0..).step_by(4)) {
            let lanes = f32x4::new([lanes[0], lanes[1], lanes[2], lanes[3]]);
            above |= lanes.simd_gt(limit).to_bitmask() << shift;
        }
        above
    }

    fn fill(&mut self, columns: &Columns, rows: &[u32], used_features: &[u16]) {
        let first = rows[0] as usize;
        let is_contiguous = rows.len() == CHUNK && rows[CHUNK - 1] as usize == first + CHUNK - 1;
        for feature in used_features {
            let feature = usize::from(*feature);
            let column = columns.column(feature);
            let target = &mut self.columns[feature];
            if is_contiguous {
                target.copy_from_slice(&column[first..first + CHUNK]);
            } else {
                // Pad with the last row, so that padding does not widen the range.
                *target = [column[rows[rows.len() - 1] as usize]; CHUNK];
                for (value, row) in target.iter_mut().zip(rows) {
                    *value = column[*row as usize];
                }
            }
            let (mut min, mut max) = ([f32::INFINITY; 4], [f32::NEG_INFINITY; 4]);
            for lanes in target.chunks_exact(4) {
                for lane in 0..4 {
                    min[lane] = if lanes[lane] < min[lane] { lanes[lane] } else { min[lane] };
                    max[lane] = if lanes[lane] > max[lane] { lanes[lane] } else { max[lane] };
                }
            }
            let min_of = |a: f32, b: f32| if b < a { b } else { a };
            let max_of = |a: f32, b: f32| if b > a { b } else { a };
            self.ranges[feature] = (
                min_of(min_of(min[0], min[1]), min_of(min[2], min[3])),
                max_of(max_of(max[0], max[1]), max_of(max[2], max[3])),
            );
        }
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
        // x0 <= 1 ? (x1 <= 5 ? a : b) : c
        let splits = vec![
            Split { feature: 0, threshold: 1.0, left_leaves: 3 },
            Split { feature: 1, threshold: 5.0, left_leaves: 1 },
        ];
        let forest = Forest::new(&[Tree { splits, leaves: vec![0.5, 0.25, -1.0] }], None);
        let mut columns = Columns::default();
        columns.clear(3);
        columns.add("x0", |row| row as f32);
        columns.add("x1", |row| 10.0 * row as f32);
        assert_eq!(forest.log_odds(&columns, &[0, 1, 2]), [0.5, 0.25, -1.0]);
        assert_eq!(forest.log_odds(&columns, &[2, 0]), [-1.0, 0.5]);
        assert_eq!([0, 1, 2].map(|row| forest.log_odds_of(&columns, row)), [0.5, 0.25, -1.0]);
        let moved = forest.contributions(&columns, 0);
        let mean = (0.5 + 0.25 - 1.0) / 3.0;
        assert_eq!(moved.iter().map(|(feature, _)| *feature).collect::<Vec<_>>(), [0, 1]);
        assert!((mean + moved.iter().map(|(_, moved)| moved).sum::<f32>() - 0.5).abs() < 1e-6);
    }
}
