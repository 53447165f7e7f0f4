//! Gradient boosting with log loss: histograms of quantised features, symmetric trees grown level by level.
//!
//! Histograms are computed in parallel over features, each summed in row order: the result does not depend on the number
//! of threads.

use tamis::classify::forest::{EarlyExit, Forest, Split as ForestSplit, Tree, logistic};

use super::matrix::{MAX_BINS, Matrix};
use super::random::Random;
use crate::parallel;

/// How a forest is grown.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BoostSettings {
    /// Number of trees.
    pub trees: usize,
    /// Levels of a tree, at most six.
    pub depth: usize,
    /// Shrinkage of each tree.
    pub learning_rate: f32,
    /// L2 regularisation of leaf values.
    pub l2: f32,
    /// Share of features per tree.
    pub feature_fraction: f32,
    /// Share of rows per tree.
    pub row_fraction: f32,
    /// Seed of the sampling.
    pub seed: u64,
    /// Trees before each early exit, ascending; 0 for none.
    pub early_exits: [usize; 3],
}

impl Default for BoostSettings {
    fn default() -> Self {
        BoostSettings {
            trees: 340,
            depth: 5,
            learning_rate: 0.13,
            l2: 8.0,
            feature_fraction: 0.35,
            row_fraction: 0.7,
            seed: 7,
            early_exits: [0; 3],
        }
    }
}

/// Labelled rows of a matrix.
#[derive(Clone, Copy)]
pub(super) struct Examples<'e> {
    pub(super) matrix: &'e Matrix,
    /// The label of each row of the matrix, from 0 to 1.
    pub(super) labels: &'e [f32],
    pub(super) weights: &'e [f32],
    /// Rows to learn from, ascending.
    pub(super) rows: &'e [u32],
    /// Features that may be used.
    pub(super) features: &'e [u16],
    /// Log-odds of each row of the matrix to start from; without them, those of the mean label.
    pub(super) start: Option<&'e [f32]>,
}

/// A trained forest.
#[derive(Clone, Default)]
pub(super) struct Fit {
    pub(super) trees: Vec<Tree>,
    /// Loss reduction per feature.
    pub(super) gains: Vec<f64>,
    early_exits: Vec<EarlyExit>,
}

impl Fit {
    pub(super) fn forest(&self) -> Forest {
        Forest::new(&self.trees, self.early_exits.clone())
    }
}

/// Rows beyond this |log-odds| are certain enough.
const CERTAIN: f32 = 2.5;
/// Share of the rows at the early exit that may turn out uncertain.
const MAX_EXIT_ERRORS: f32 = 0.01;

/// The early exit after `trees` trees: the lowest bound at which nearly all rows are certain in the end, and the median
/// ratio of final to early scores beyond it.
fn early_exit(trees: usize, early: &[f32], scores: &[f32], rows: &[u32]) -> Option<EarlyExit> {
    let exits =
        |bound: f32| rows.iter().map(|row| *row as usize).filter(move |row| early[*row].abs() >= bound);
    let is_wrong = |row: &usize| scores[*row] * early[*row].signum() < CERTAIN;
    let is_safe = |bound: &f32| {
        exits(*bound).filter(is_wrong).count() as f32 <= MAX_EXIT_ERRORS * exits(*bound).count() as f32
    };
    let bound = (10..60).map(|step| step as f32 / 10.0).find(is_safe)?;
    let mut ratios: Vec<f32> = exits(bound).map(|row| scores[row] / early[row]).collect();
    ratios.sort_unstable_by(f32::total_cmp);
    let ratio = *ratios.get(ratios.len() / 2)?;
    Some(EarlyExit { trees, bound, ratio })
}

/// Sums of first and second derivatives of the loss.
type Gradient = [f64; 2];

/// Gradient sums per bin, `MAX_BINS` for each feature of the tree.
type Histogram = Vec<Gradient>;

/// Below this many additions a histogram is not worth a second thread.
const MIN_PARALLEL: usize = 400_000;
/// Features whose histograms are summed in one pass over the rows.
const LANES: usize = 4;

/// Trains a forest.
pub(super) fn boost(examples: Examples<'_>, settings: &BoostSettings, threads: usize) -> Fit {
    let Examples { matrix, labels, weights, rows, features, start } = examples;
    let mut fit = Fit { gains: vec![0.0; matrix.width()], ..Fit::default() };
    let mut early = Vec::new();
    let (mut positive, mut total) = (0.0, 0.0);
    for row in rows {
        let weight = f64::from(weights[*row as usize]);
        total += weight;
        positive += f64::from(labels[*row as usize]) * weight;
    }
    let share = (positive / total.max(1e-9)).clamp(1e-6, 1.0 - 1e-6);
    // With few pages, no block may be uncertain enough for the second pass.
    let trees = if rows.is_empty() { 0 } else { settings.trees };
    let prior = if start.is_some() { 0.0 } else { libm::log(share / (1.0 - share)) as f32 };
    let mut scores = start.map_or_else(|| vec![prior; matrix.rows()], <[f32]>::to_vec);
    let mut gradients = vec![[0.0_f32; 2]; matrix.rows()];
    let random = Random::new(settings.seed);
    for tree in 0..trees {
        for row in rows.iter().map(|row| *row as usize) {
            let probability = logistic(scores[row]);
            let first = probability - labels[row];
            let second = (probability * (1.0 - probability)).max(1e-6);
            gradients[row] = [first * weights[row], second * weights[row]];
        }
        let random = random.branch(tree as u64);
        let chosen = (features.len() as f32 * settings.feature_fraction).ceil() as usize;
        let features = random.branch(1).choose(features, chosen.max(2));
        let in_bag = random.branch(2);
        let (sample, rest): (Vec<u32>, Vec<u32>) =
            rows.iter().partition(|row| in_bag.uniform(u64::from(**row)) < settings.row_fraction);
        let grower = Grower { matrix, gradients: &gradients, features, settings, threads };
        let grown = grower.grow(sample, &mut fit.gains);
        for leaf in &grown.leaves {
            leaf.rows.iter().for_each(|row| scores[*row as usize] += leaf.value);
        }
        for row in rest {
            scores[row as usize] += grown.value(matrix, row as usize);
        }
        if settings.early_exits.contains(&(tree + 1)) {
            early.push((tree + 1, scores.clone()));
        }
        fit.trees.push(grown.into_tree(matrix, if tree == 0 { prior } else { 0.0 }));
    }
    let mut undecided = rows.to_vec();
    for (trees, early) in early {
        if let Some(exit) = early_exit(trees, &early, &scores, &undecided) {
            undecided.retain(|row| early[*row as usize].abs() < exit.bound);
            fit.early_exits.push(exit);
        }
    }
    fit
}

/// A leaf while its tree grows.
struct Leaf {
    rows: Vec<u32>,
    sum: Gradient,
    histogram: Histogram,
    value: f32,
}

/// A tree over bins: one split per level, one leaf per combination of their outcomes.
struct Grown {
    splits: Vec<Split>,
    leaves: Vec<Leaf>,
}

#[derive(Clone, Copy)]
struct Split {
    feature: usize,
    /// Bins up to this one leave the bit of the level unset.
    bin: u8,
}

impl Grown {
    fn value(&self, matrix: &Matrix, row: usize) -> f32 {
        let bits = self
            .splits
            .iter()
            .enumerate()
            .map(|(level, split)| usize::from(matrix.columns[split.feature][row] > split.bin) << level);
        self.leaves[bits.sum::<usize>()].value
    }

    /// The tree over values; adds `prior` to each leaf.
    fn into_tree(self, matrix: &Matrix, prior: f32) -> Tree {
        let split = |split: &Split| ForestSplit {
            feature: split.feature as u16,
            threshold: matrix.cuts[split.feature][usize::from(split.bin)],
        };
        Tree {
            splits: self.splits.iter().map(split).collect(),
            leaves: self.leaves.iter().map(|leaf| leaf.value + prior).collect(),
        }
    }
}

/// Grows one tree.
struct Grower<'e> {
    matrix: &'e Matrix,
    gradients: &'e [[f32; 2]],
    features: Vec<u16>,
    settings: &'e BoostSettings,
    threads: usize,
}

impl Grower<'_> {
    fn grow(&self, rows: Vec<u32>, gains: &mut [f64]) -> Grown {
        let histogram = self.histogram(&rows);
        let mut grown = Grown { splits: Vec::new(), leaves: vec![leaf(rows, histogram)] };
        while grown.splits.len() < self.settings.depth.min(Forest::MAX_DEPTH) {
            let Some((split, gain)) = self.best_split(&grown.leaves) else { break };
            gains[split.feature] += gain;
            grown.splits.push(split);
            let leaves = grown.leaves.into_iter().map(|leaf| self.split(leaf, split));
            let (below, above): (Vec<Leaf>, Vec<Leaf>) = leaves.unzip();
            // The outcome of the level is the highest bit of the index.
            grown.leaves = below.into_iter().chain(above).collect();
        }
        for leaf in &mut grown.leaves {
            let value = -leaf.sum[0] / (leaf.sum[1] + f64::from(self.settings.l2));
            leaf.value = value as f32 * self.settings.learning_rate;
        }
        grown
    }

    fn split(&self, parent: Leaf, split: Split) -> (Leaf, Leaf) {
        let column = &self.matrix.columns[split.feature];
        let (below, above): (Vec<u32>, Vec<u32>) =
            parent.rows.into_iter().partition(|row| column[*row as usize] <= split.bin);
        // Only the smaller side is summed; the other is the difference.
        let below_is_smaller = below.len() <= above.len();
        let summed = self.histogram(if below_is_smaller { &below } else { &above });
        let mut rest = parent.histogram;
        for (rest, summed) in rest.iter_mut().zip(&summed) {
            *rest = [rest[0] - summed[0], rest[1] - summed[1]];
        }
        let (of_below, of_above) = if below_is_smaller { (summed, rest) } else { (rest, summed) };
        (leaf(below, of_below), leaf(above, of_above))
    }

    fn histogram(&self, rows: &[u32]) -> Histogram {
        let gradients: Vec<[f32; 2]> = rows.iter().map(|row| self.gradients[*row as usize]).collect();
        let groups: Vec<&[u16]> = self.features.chunks(LANES).collect();
        let threads = if rows.len() * self.features.len() < MIN_PARALLEL { 1 } else { self.threads };
        let sum = |group: &&[u16]| {
            let mut bins = vec![[0.0; 2]; group.len() * MAX_BINS];
            match **group {
                [a, b, c, d] => {
                    let columns = [a, b, c, d].map(|feature| &self.matrix.columns[usize::from(feature)][..]);
                    add_rows(columns, rows, &gradients, &mut bins);
                }
                ref group => {
                    for (feature, bins) in group.iter().zip(bins.chunks_exact_mut(MAX_BINS)) {
                        add_rows([&self.matrix.columns[usize::from(*feature)]], rows, &gradients, bins);
                    }
                }
            }
            bins
        };
        if threads == 1 {
            return groups.iter().flat_map(sum).collect();
        }
        parallel::map(&groups, threads, |_, group| sum(group)).concat()
    }

    /// The split with the highest gain over all leaves together, if it gains anything.
    fn best_split(&self, leaves: &[Leaf]) -> Option<(Split, f64)> {
        let l2 = f64::from(self.settings.l2);
        let worth = |gradient: Gradient| gradient[0] * gradient[0] / (gradient[1] + l2);
        let mut best: Option<(Split, f64)> = None;
        for (at, feature) in self.features.iter().enumerate() {
            let feature = usize::from(*feature);
            let bins = self.matrix.cuts[feature].len();
            let mut gains = [0.0; MAX_BINS];
            for leaf in leaves.iter().filter(|leaf| !leaf.rows.is_empty()) {
                let whole = worth(leaf.sum);
                let mut below = [0.0; 2];
                for (gain, bin) in gains.iter_mut().zip(&leaf.histogram[at * MAX_BINS..]).take(bins) {
                    below = [below[0] + bin[0], below[1] + bin[1]];
                    let above = [leaf.sum[0] - below[0], leaf.sum[1] - below[1]];
                    *gain += worth(below) + worth(above) - whole;
                }
            }
            for (bin, gain) in gains.into_iter().enumerate().take(bins) {
                if gain > best.map_or(1e-4, |best| best.1) {
                    best = Some((Split { feature, bin: bin as u8 }, gain));
                }
            }
        }
        best
    }
}

fn leaf(rows: Vec<u32>, histogram: Histogram) -> Leaf {
    // Every row is in one bin of the first feature.
    let first = histogram.iter().take(MAX_BINS);
    let sum = first.fold([0.0; 2], |sum, bin| [sum[0] + bin[0], sum[1] + bin[1]]);
    Leaf { rows, sum, histogram, value: 0.0 }
}

/// Adds the gradients of `rows` to the bins of `N` columns.
fn add_rows<const N: usize>(
    columns: [&[u8]; N],
    rows: &[u32],
    gradients: &[[f32; 2]],
    bins: &mut [Gradient],
) {
    for (row, gradient) in rows.iter().zip(gradients) {
        let gradient = gradient.map(f64::from);
        for (lane, column) in columns.iter().enumerate() {
            let bin = &mut bins[lane * MAX_BINS + usize::from(column[*row as usize])];
            *bin = [bin[0] + gradient[0], bin[1] + gradient[1]];
        }
    }
}

#[cfg(test)]
mod tests {
    use tamis::classify::features::Columns;

    use super::*;

    /// Rows of two numbers; positive if exactly one of them is above a half.
    fn exclusive_or(threads: usize) -> (Vec<f32>, Vec<f32>, Fit) {
        let values: Vec<f32> = (0..4000).map(|n: u32| (n * 7919 % 1009) as f32 / 1009.0).collect();
        let is_positive = |row: &[f32]| (row[0] > 0.5) != (row[1] > 0.5);
        let labels: Vec<f32> = values.chunks(2).map(|row| f32::from(u8::from(is_positive(row)))).collect();
        let matrix = Matrix::new(std::slice::from_ref(&values), 2, threads);
        let rows: Vec<u32> = (0..2000).collect();
        let weights = vec![1.0; 2000];
        let examples = Examples {
            matrix: &matrix,
            labels: &labels,
            weights: &weights,
            rows: &rows,
            features: &[0, 1],
            start: None,
        };
        let settings = BoostSettings {
            trees: 40,
            depth: 3,
            learning_rate: 0.3,
            l2: 1.0,
            feature_fraction: 1.0,
            ..BoostSettings::default()
        };
        let fit = boost(examples, &settings, threads);
        (values, labels, fit)
    }

    #[test]
    fn trees_learn_an_interaction_and_the_engine_evaluates_them_alike() {
        let (values, labels, fit) = exclusive_or(2);
        assert!(fit.gains.iter().all(|gain| *gain > 1.0));
        let mut columns = Columns::default();
        columns.clear(2000);
        columns.add("x", |row| values[2 * row]);
        columns.add("y", |row| values[2 * row + 1]);
        let rows: Vec<u32> = (0..2000).collect();
        let scores = fit.forest().log_odds(&columns, &rows);
        let right = scores.iter().zip(&labels).filter(|(score, label)| (**score > 0.0) == (**label > 0.5));
        assert!(right.count() > 1950);
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        assert_eq!(exclusive_or(1).2.trees, exclusive_or(4).2.trees);
    }

    #[test]
    fn rows_without_weight_teach_nothing() {
        let matrix = Matrix::new(&[vec![0.0, 1.0]], 1, 1);
        let examples = Examples {
            matrix: &matrix,
            labels: &[0.0, 1.0],
            weights: &[0.0; 2],
            rows: &[0, 1],
            features: &[0],
            start: None,
        };
        let settings = BoostSettings { trees: 3, ..BoostSettings::default() };
        assert!(boost(examples, &settings, 1).trees.iter().all(|tree| tree.splits.is_empty()));
    }
}
