//! Gradient boosting with log loss: histograms of quantised features, trees grown leaf by leaf.
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
    /// Leaves per tree, at most 32.
    pub leaves: usize,
    /// Shrinkage of each tree.
    pub learning_rate: f32,
    /// L2 regularisation of leaf values.
    pub l2: f32,
    /// Least number of rows in a leaf.
    pub min_leaf_rows: f32,
    /// Share of features per tree.
    pub feature_fraction: f32,
    /// Share of rows per tree.
    pub row_fraction: f32,
    /// Seed of the sampling.
    pub seed: u64,
    /// Trees before the early exit; 0 for none.
    pub early_exit: usize,
}

impl Default for BoostSettings {
    fn default() -> Self {
        BoostSettings {
            trees: 240,
            leaves: 31,
            learning_rate: 0.09,
            l2: 8.0,
            min_leaf_rows: 60.0,
            feature_fraction: 0.35,
            row_fraction: 0.7,
            seed: 7,
            early_exit: 0,
        }
    }
}

/// Labelled rows of a matrix.
#[derive(Clone, Copy)]
pub(super) struct Examples<'e> {
    pub(super) matrix: &'e Matrix,
    /// Whether each row of the matrix is positive.
    pub(super) labels: &'e [bool],
    pub(super) weights: &'e [f32],
    /// Rows to learn from, ascending.
    pub(super) rows: &'e [u32],
    /// Features that may be used.
    pub(super) features: &'e [u16],
}

/// A trained forest.
#[derive(Clone, Default)]
pub(super) struct Fit {
    pub(super) trees: Vec<Tree>,
    /// Loss reduction per feature.
    pub(super) gains: Vec<f64>,
    early_exit: Option<EarlyExit>,
}

impl Fit {
    pub(super) fn forest(&self) -> Forest {
        Forest::new(&self.trees, self.early_exit)
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
    let Examples { matrix, labels, weights, rows, features } = examples;
    let mut fit = Fit { gains: vec![0.0; matrix.width()], ..Fit::default() };
    let mut early = Vec::new();
    let (mut positive, mut total) = (0.0, 0.0);
    for row in rows {
        let weight = f64::from(weights[*row as usize]);
        total += weight;
        positive += if labels[*row as usize] { weight } else { 0.0 };
    }
    let share = (positive / total.max(1e-9)).clamp(1e-6, 1.0 - 1e-6);
    let prior = libm::log(share / (1.0 - share)) as f32;
    let mut scores = vec![prior; matrix.rows()];
    let mut gradients = vec![[0.0_f32; 2]; matrix.rows()];
    let random = Random::new(settings.seed);
    for tree in 0..settings.trees {
        for row in rows.iter().map(|row| *row as usize) {
            let probability = logistic(scores[row]);
            let first = probability - f32::from(u8::from(labels[row]));
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
        if tree + 1 == settings.early_exit {
            early.clone_from(&scores);
        }
        fit.trees.push(grown.into_tree(matrix, if tree == 0 { prior } else { 0.0 }));
    }
    if !early.is_empty() {
        fit.early_exit = early_exit(settings.early_exit, &early, &scores, rows);
    }
    fit
}

/// A leaf while its tree grows.
struct Leaf {
    rows: Vec<u32>,
    sum: Gradient,
    histogram: Histogram,
    split: Option<Split>,
    /// Its place in [`Grown::nodes`].
    node: usize,
    value: f32,
}

#[derive(Clone, Copy)]
struct Split {
    gain: f64,
    feature: usize,
    /// Bins up to this one go left.
    bin: u8,
}

/// A tree over bins.
#[derive(Default)]
struct Grown {
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
}

#[derive(Clone, Copy)]
enum Node {
    Leaf(f32),
    Split { feature: usize, bin: u8, left: usize },
}

impl Grown {
    fn value(&self, matrix: &Matrix, row: usize) -> f32 {
        let mut at = 0;
        loop {
            match self.nodes[at] {
                Node::Leaf(value) => return value,
                Node::Split { feature, bin, left } => {
                    at = left + usize::from(matrix.columns[feature][row] > bin);
                }
            }
        }
    }

    /// The tree with splits in pre-order and leaves from left to right; adds `prior` to each leaf.
    fn into_tree(self, matrix: &Matrix, prior: f32) -> Tree {
        let mut tree = Tree::default();
        self.visit(0, matrix, prior, &mut tree);
        tree
    }

    /// Appends the subtree of a node; returns the mask of its leaves. At most `leaves` calls deep.
    fn visit(&self, node: usize, matrix: &Matrix, prior: f32, tree: &mut Tree) -> u32 {
        match self.nodes[node] {
            Node::Leaf(value) => {
                tree.leaves.push(value + prior);
                1 << (tree.leaves.len() - 1)
            }
            Node::Split { feature, bin, left } => {
                let at = tree.splits.len();
                let threshold = matrix.cuts[feature][usize::from(bin)];
                tree.splits.push(ForestSplit { feature: feature as u16, threshold, left_leaves: 0 });
                let left_leaves = self.visit(left, matrix, prior, tree);
                tree.splits[at].left_leaves = left_leaves;
                left_leaves | self.visit(left + 1, matrix, prior, tree)
            }
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
        let mut grown = Grown { nodes: vec![Node::Leaf(0.0)], leaves: Vec::new() };
        let histogram = self.histogram(&rows);
        let mut leaves = vec![self.leaf(rows, histogram, 0)];
        while leaves.len() < self.settings.leaves.min(Forest::MAX_LEAVES) {
            let best = leaves.iter().enumerate().filter_map(|(at, leaf)| Some((at, leaf.split?)));
            // The first of equal gains.
            let Some((at, split)) = best.max_by(|a, b| a.1.gain.total_cmp(&b.1.gain).then(b.0.cmp(&a.0)))
            else {
                break;
            };
            gains[split.feature] += split.gain;
            let leaf = leaves.swap_remove(at);
            let left = grown.nodes.len();
            grown.nodes[leaf.node] = Node::Split { feature: split.feature, bin: split.bin, left };
            grown.nodes.extend([Node::Leaf(0.0); 2]);
            leaves.extend(self.split(leaf, split, left));
        }
        for leaf in &mut leaves {
            let value = -leaf.sum[0] / (leaf.sum[1] + f64::from(self.settings.l2));
            leaf.value = value as f32 * self.settings.learning_rate;
            grown.nodes[leaf.node] = Node::Leaf(leaf.value);
        }
        grown.leaves = leaves;
        grown
    }

    fn leaf(&self, rows: Vec<u32>, histogram: Histogram, node: usize) -> Leaf {
        // Every row is in one bin of the first feature.
        let first = histogram.iter().take(MAX_BINS);
        let sum = first.fold([0.0; 2], |sum, bin| [sum[0] + bin[0], sum[1] + bin[1]]);
        let split = self.best_split(&histogram, sum, rows.len());
        Leaf { rows, sum, histogram, split, node, value: 0.0 }
    }

    fn split(&self, leaf: Leaf, split: Split, left: usize) -> [Leaf; 2] {
        let column = &self.matrix.columns[split.feature];
        let (left_rows, right_rows): (Vec<u32>, Vec<u32>) =
            leaf.rows.into_iter().partition(|row| column[*row as usize] <= split.bin);
        // Only the smaller side is summed; the other is the difference.
        let left_is_smaller = left_rows.len() <= right_rows.len();
        let summed = self.histogram(if left_is_smaller { &left_rows } else { &right_rows });
        let mut rest = leaf.histogram;
        for (rest, summed) in rest.iter_mut().zip(&summed) {
            *rest = [rest[0] - summed[0], rest[1] - summed[1]];
        }
        let (of_left, of_right) = if left_is_smaller { (summed, rest) } else { (rest, summed) };
        [self.leaf(left_rows, of_left, left), self.leaf(right_rows, of_right, left + 1)]
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

    fn best_split(&self, histogram: &Histogram, sum: Gradient, rows: usize) -> Option<Split> {
        let l2 = f64::from(self.settings.l2);
        let worth = |gradient: Gradient| gradient[0] * gradient[0] / (gradient[1] + l2);
        let whole = worth(sum);
        // Rows are estimated by their share of the second derivatives.
        let min_second = f64::from(self.settings.min_leaf_rows) * sum[1] / rows.max(1) as f64;
        let mut best: Option<Split> = None;
        for (bins, feature) in histogram.chunks_exact(MAX_BINS).zip(&self.features) {
            let feature = usize::from(*feature);
            let mut left = [0.0; 2];
            for (bin, gradient) in bins.iter().enumerate().take(self.matrix.cuts[feature].len()) {
                left = [left[0] + gradient[0], left[1] + gradient[1]];
                let right = [sum[0] - left[0], sum[1] - left[1]];
                if left[1] < min_second {
                    continue;
                }
                if right[1] < min_second {
                    break;
                }
                let gain = worth(left) + worth(right) - whole;
                if gain > best.map_or(1e-4, |best| best.gain) {
                    best = Some(Split { gain, feature, bin: bin as u8 });
                }
            }
        }
        best
    }
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
    fn exclusive_or(threads: usize) -> (Vec<f32>, Vec<bool>, Fit) {
        let values: Vec<f32> = (0..4000).map(|n: u32| (n * 7919 % 1009) as f32 / 1009.0).collect();
        let labels: Vec<bool> = values.chunks(2).map(|row| (row[0] > 0.5) != (row[1] > 0.5)).collect();
        let matrix = Matrix::new(std::slice::from_ref(&values), 2, threads);
        let rows: Vec<u32> = (0..2000).collect();
        let weights = vec![1.0; 2000];
        let examples =
            Examples { matrix: &matrix, labels: &labels, weights: &weights, rows: &rows, features: &[0, 1] };
        let settings = BoostSettings {
            trees: 40,
            leaves: 6,
            learning_rate: 0.3,
            l2: 1.0,
            min_leaf_rows: 5.0,
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
        let right = scores.iter().zip(&labels).filter(|(score, label)| (**score > 0.0) == **label);
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
            labels: &[false, true],
            weights: &[0.0; 2],
            rows: &[0, 1],
            features: &[0],
        };
        let settings = BoostSettings { trees: 3, ..BoostSettings::default() };
        assert!(boost(examples, &settings, 1).trees.iter().all(|tree| tree.splits.is_empty()));
    }
}
