//! Boosted trees, grown on ranges of features: log loss, the best leaf split first, the same for any number of threads.

use tamis::fused::trees::{Forest, LEAF, Node};

use super::bins::Bins;
use crate::parallel;

/// How trees are grown.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How many trees.
    pub trees: usize,
    /// How many leaves each has at most.
    pub leaves: usize,
    /// How much of what a tree says counts.
    pub rate: f32,
    /// Pulls what a leaf says towards nothing.
    pub pull: f32,
    /// The least weight of a leaf (the sum of p (1 - p) of its rows).
    pub least: f32,
    /// The share of features that each tree may use.
    pub features: f32,
    /// The share of rows that each tree is grown on.
    pub rows: f32,
    /// Where chance begins.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            trees: 96,
            leaves: 24,
            rate: 0.12,
            pull: 5.0,
            least: 5.0,
            features: 0.35,
            rows: 0.35,
            seed: 1,
        }
    }
}

/// The rows to learn from.
pub(crate) struct Lessons<'l> {
    pub(crate) bins: &'l Bins,
    /// What each row is, from 0 to 1.
    pub(crate) targets: &'l [f32],
    /// How much each row counts.
    pub(crate) weights: &'l [f32],
    /// Which rows.
    pub(crate) rows: &'l [u32],
}

/// The slopes of the loss, first and second.
#[derive(Clone, Copy, Default)]
struct Slopes {
    first: f64,
    second: f64,
}

impl std::ops::AddAssign for Slopes {
    fn add_assign(&mut self, other: Slopes) {
        self.first += other.first;
        self.second += other.second;
    }
}

impl std::ops::Sub for Slopes {
    type Output = Slopes;

    fn sub(self, other: Slopes) -> Slopes {
        Slopes { first: self.first - other.first, second: self.second - other.second }
    }
}

/// Sums of slopes for each range of each feature.
type Histogram = Vec<Vec<Slopes>>;

struct Leaf {
    rows: Vec<u32>,
    sum: Slopes,
    histogram: Histogram,
    split: Option<Split>,
    node: usize,
}

#[derive(Clone, Copy)]
struct Split {
    gain: f64,
    feature: usize,
    /// Ranges up to this one go left.
    range: usize,
}

/// A forest, and how much each feature did for it.
#[derive(Default)]
pub(crate) struct Grown {
    pub(crate) forest: Forest,
    /// For each feature the sum of what its splits took off the loss of the rows that trees were grown on.
    pub(crate) gains: Vec<f64>,
}

/// Learns a forest.
pub(crate) fn train(lessons: &Lessons<'_>, settings: &Settings, threads: usize) -> Grown {
    let all = lessons.rows.iter().fold((0.0, 0.0), |(right, all), row| {
        let weight = f64::from(lessons.weights[*row as usize]);
        (right + weight * f64::from(lessons.targets[*row as usize]), all + weight)
    });
    let share = (all.0 / all.1.max(1e-9)).clamp(1e-6, 1.0 - 1e-6);
    let base = (share / (1.0 - share)).ln() as f32;
    let mut forest = Forest { base, ..Forest::default() };
    let mut gains = vec![0.0; lessons.bins.width()];
    let mut chance = Chance::new(settings.seed);
    let mut scores = vec![base; lessons.bins.rows()];
    let mut slopes = vec![Slopes::default(); lessons.bins.rows()];
    for _ in 0..settings.trees {
        for row in lessons.rows {
            let row = *row as usize;
            let p = 1.0 / (1.0 + (-f64::from(scores[row])).exp());
            let weight = f64::from(lessons.weights[row]);
            let first = (p - f64::from(lessons.targets[row])) * weight;
            slopes[row] = Slopes { first, second: (p * (1.0 - p)).max(1e-6) * weight };
        }
        let features = (0..lessons.bins.width()).filter(|_| chance.comes(settings.features)).collect();
        let sample = lessons.rows.iter().copied().filter(|_| chance.comes(settings.rows)).collect();
        let root = forest.nodes.len();
        let tree = Tree { bins: lessons.bins, slopes: &slopes, features, settings, threads };
        tree.grow(sample, &mut forest, &mut gains);
        for (row, said) in lessons.rows.iter().zip(answers(lessons, &forest, root, threads)) {
            scores[*row as usize] += said;
        }
    }
    Grown { forest, gains }
}

/// What the tree that begins at `root` says of the rows.
fn answers(lessons: &Lessons<'_>, forest: &Forest, root: usize, threads: usize) -> Vec<f32> {
    // Cuts lie between ranges: which range is the last on the left, for each question.
    let last_left: Vec<usize> = forest.nodes[root..]
        .iter()
        .map(|node| match lessons.bins.cuts.get(usize::from(node.feature)) {
            Some(cuts) => cuts.partition_point(|cut| *cut < node.value),
            None => 0,
        })
        .collect();
    let answer = |row: &u32| {
        let mut at = root;
        loop {
            let node = &forest.nodes[at];
            if node.feature == LEAF {
                return node.value;
            }
            let range = lessons.bins.columns[usize::from(node.feature)][*row as usize];
            at = node.left as usize + usize::from(usize::from(range) > last_left[at - root]);
        }
    };
    let parts: Vec<&[u32]> = lessons.rows.chunks(1 << 15).collect();
    parallel::map(&parts, threads, |_, rows| rows.iter().map(answer).collect::<Vec<f32>>()).concat()
}

/// A tree while it grows.
struct Tree<'l> {
    bins: &'l Bins,
    slopes: &'l [Slopes],
    features: Vec<usize>,
    settings: &'l Settings,
    threads: usize,
}

impl Tree<'_> {
    fn grow(&self, rows: Vec<u32>, forest: &mut Forest, gains: &mut [f64]) {
        let root = forest.nodes.len();
        forest.roots.push(root as u32);
        forest.nodes.push(Node { feature: LEAF, value: 0.0, left: 0 });
        let histogram = self.histogram(&rows);
        let mut leaves = vec![self.leaf(rows, histogram, root)];
        while leaves.len() < self.settings.leaves {
            let gain = |leaf: &Leaf| leaf.split.map_or(0.0, |split| split.gain);
            let best = (0..leaves.len()).max_by(|a, b| gain(&leaves[*a]).total_cmp(&gain(&leaves[*b])));
            let Some((best, split)) = best.and_then(|best| Some((best, leaves[best].split?))) else { break };
            gains[split.feature] += split.gain;
            let leaf = leaves.swap_remove(best);
            let left = forest.nodes.len();
            let cut = self.bins.cuts[split.feature][split.range];
            forest.nodes[leaf.node] = Node { feature: split.feature as u16, value: cut, left: left as u32 };
            forest.nodes.extend([Node { feature: LEAF, value: 0.0, left: 0 }; 2]);
            leaves.extend(self.split(leaf, split, left));
        }
        for leaf in leaves {
            forest.nodes[leaf.node].value = self.answer(leaf.sum) as f32 * self.settings.rate;
        }
    }

    fn answer(&self, sum: Slopes) -> f64 {
        -sum.first / (sum.second + f64::from(self.settings.pull))
    }

    fn leaf(&self, rows: Vec<u32>, histogram: Histogram, node: usize) -> Leaf {
        let mut sum = Slopes::default();
        rows.iter().for_each(|row| sum += self.slopes[*row as usize]);
        let split = self.best_split(&histogram, sum);
        Leaf { rows, sum, histogram, split, node }
    }

    fn split(&self, leaf: Leaf, split: Split, left: usize) -> [Leaf; 2] {
        let column = &self.bins.columns[split.feature];
        let goes_left = |row: &u32| usize::from(column[*row as usize]) <= split.range;
        let (left_rows, right_rows): (Vec<u32>, Vec<u32>) = leaf.rows.into_iter().partition(goes_left);
        // Only the smaller side is counted; the other is what is left of the whole.
        let left_is_smaller = left_rows.len() <= right_rows.len();
        let counted = self.histogram(if left_is_smaller { &left_rows } else { &right_rows });
        let mut rest = leaf.histogram;
        for (whole, part) in rest.iter_mut().flatten().zip(counted.iter().flatten()) {
            *whole = *whole - *part;
        }
        let (of_left, of_right) = if left_is_smaller { (counted, rest) } else { (rest, counted) };
        [self.leaf(left_rows, of_left, left), self.leaf(right_rows, of_right, left + 1)]
    }

    fn histogram(&self, rows: &[u32]) -> Histogram {
        parallel::map(&self.features, self.threads, |_, feature| {
            let mut sums = vec![Slopes::default(); self.bins.cuts[*feature].len() + 1];
            let column = &self.bins.columns[*feature];
            for row in rows {
                sums[usize::from(column[*row as usize])] += self.slopes[*row as usize];
            }
            sums
        })
    }

    fn best_split(&self, histogram: &Histogram, sum: Slopes) -> Option<Split> {
        let pull = f64::from(self.settings.pull);
        let least = f64::from(self.settings.least);
        let worth = |slopes: Slopes| slopes.first * slopes.first / (slopes.second + pull);
        let mut best: Option<Split> = None;
        for (sums, feature) in histogram.iter().zip(&self.features) {
            let mut left = Slopes::default();
            for (range, slopes) in sums.iter().enumerate().take(sums.len() - 1) {
                left += *slopes;
                let right = sum - left;
                if left.second < least || right.second < least {
                    continue;
                }
                let gain = worth(left) + worth(right) - worth(sum);
                if gain > best.map_or(1e-4, |best| best.gain) {
                    best = Some(Split { gain, feature: *feature, range });
                }
            }
        }
        best
    }
}

/// Chance that is the same every time (xorshift).
struct Chance(u64);

impl Chance {
    fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn comes(&mut self, share: f32) -> bool {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u32 << 24) as f32 <= share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of two numbers; true where exactly one of them is over a half.
    fn either_or(rows: usize) -> (Vec<f32>, Vec<f32>) {
        let number = |n: usize| (n * 7919 % 1009) as f32 / 1009.0;
        let values: Vec<f32> = (0..2 * rows).map(number).collect();
        let targets = values.chunks(2).map(|row| f32::from(u8::from((row[0] > 0.5) != (row[1] > 0.5))));
        (values.clone(), targets.collect())
    }

    fn learn(threads: usize) -> (Vec<f32>, Vec<f32>, Forest) {
        let (values, targets) = either_or(2000);
        let bins = Bins::of(&values, 2, threads);
        let rows: Vec<u32> = (0..2000).collect();
        let lessons = Lessons { bins: &bins, targets: &targets, weights: &[1.0; 2000], rows: &rows };
        let settings = Settings {
            trees: 40,
            leaves: 6,
            rate: 0.3,
            pull: 1.0,
            least: 1.0,
            features: 1.0,
            rows: 0.7,
            seed: 3,
        };
        let grown = train(&lessons, &settings, threads);
        assert!(grown.gains.iter().all(|gain| *gain > 1.0), "both numbers matter: {:?}", grown.gains);
        (values, targets, grown.forest)
    }

    #[test]
    fn trees_learn_what_no_line_can_part() {
        let (values, targets, forest) = learn(2);
        let right = values
            .chunks(2)
            .zip(&targets)
            .filter(|(row, target)| (forest.probability(row) > 0.5) == (**target > 0.5));
        assert!(right.count() > 1950);
    }

    #[test]
    fn threads_change_nothing() {
        assert_eq!(learn(1).2, learn(4).2);
    }

    #[test]
    fn rows_that_count_for_nothing_teach_nothing() {
        let bins = Bins::of(&[0.0, 1.0], 1, 1);
        let lessons = Lessons { bins: &bins, targets: &[0.0, 1.0], weights: &[0.0; 2], rows: &[0, 1] };
        let forest = train(&lessons, &Settings::default(), 1).forest;
        assert!(forest.nodes.iter().all(|node| node.feature == LEAF && node.value == 0.0));
    }
}
