//! What trees of at most [`LEAVES`] leaves say, of many rows at a time and without a walk. The leaves are numbered from left
//! to right. A question that is answered with yes leads to the right, so that none of the leaves on its left is reached;
//! once all questions are asked, the leaf that is reached is the first one that is left over. Every question is one
//! comparison for each row, whatever its place in the tree: nothing waits for anything, and rows are compared side by side.

use super::trees::{LEAF, Node};

/// More leaves a small tree does not have: one a bit.
const LEAVES: usize = 32;
/// More values a row for small trees does not have.
const WIDTH: usize = 256;
/// How many rows are asked together, and how many if only few are left.
const MANY: usize = 16;
const FEW: usize = 8;

/// Is this feature above this value?
#[derive(Clone, Copy, Default)]
struct Question {
    value: f32,
    feature: u8,
    /// The leaves that are out of reach if it is: those on the left.
    left: u32,
}

/// Trees, their questions and answers one behind the other.
#[derive(Default)]
pub(super) struct SmallTrees {
    questions: Vec<Question>,
    /// For each tree, where its questions end.
    ends: Vec<usize>,
    /// For each tree, the answers of its leaves.
    answers: Vec<[f32; LEAVES]>,
    /// The features that are asked for.
    asked: Vec<u8>,
}

impl SmallTrees {
    /// The trees that begin at these roots, if all are small enough, for rows of `width` values. Of each tree only that is
    /// taken which some of the rows reach: a question to which all give the same answer need not be asked. On a page
    /// that are many, all that ask what the page as a whole is like among them.
    pub(super) fn of(nodes: &[Node], roots: &[u32], rows: &[f32], width: usize) -> Option<SmallTrees> {
        if width > WIDTH {
            return None;
        }
        let ranges = Ranges::of(rows, width);
        let mut trees = SmallTrees {
            questions: Vec::with_capacity(nodes.len() / 2),
            ends: Vec::with_capacity(roots.len()),
            answers: Vec::with_capacity(roots.len()),
            asked: Vec::with_capacity(WIDTH),
        };
        let mut waiting = Vec::with_capacity(LEAVES);
        for root in roots {
            trees.add(nodes, *root, &ranges, &mut waiting)?;
        }
        let mut is_asked = [false; WIDTH];
        trees.questions.iter().for_each(|question| is_asked[usize::from(question.feature)] = true);
        trees.asked.extend((0..=u8::MAX).filter(|feature| is_asked[usize::from(*feature)]));
        Some(trees)
    }

    fn add(&mut self, nodes: &[Node], root: u32, ranges: &Ranges, waiting: &mut Vec<Waiting>) -> Option<()> {
        let mut answers = [0.0; LEAVES];
        let (mut node, mut leaves) = (root, 0);
        waiting.clear();
        // A small tree has far fewer nodes: whoever meets more goes round in circles.
        for _ in 0..2 * LEAVES * LEAVES {
            let Node { feature, value, left } = *nodes.get(node as usize)?;
            if feature != LEAF {
                let feature = u8::try_from(feature).ok()?;
                if let Some(right) = ranges.answer(feature, value) {
                    node = left + u32::from(right);
                    continue;
                }
                // More open questions than leaves: there is no end to it, or the tree is not small.
                if waiting.len() == LEAVES {
                    return None;
                }
                waiting.push(Waiting { node: left + 1, question: self.questions.len(), first: leaves });
                self.questions.push(Question { value, feature, left: 0 });
                node = left;
                continue;
            }
            *answers.get_mut(leaves as usize)? = value;
            leaves += 1;
            let Some(next) = waiting.pop() else {
                self.ends.push(self.questions.len());
                self.answers.push(answers);
                return Some(());
            };
            // All leaves since it was asked stand on its left. They are at least one, and at most all but one.
            self.questions[next.question].left =
                (u32::MAX << next.first) & !(u32::MAX.checked_shl(leaves)?);
            node = next.node;
        }
        None
    }

    /// For each row of `width` values, `base` and what all trees say of it, added up in their order.
    pub(super) fn sums(&self, base: f32, rows: &[f32], width: usize) -> Vec<f32> {
        let mut sums = Vec::with_capacity(rows.len() / width + MANY);
        let many = rows.chunks_exact(MANY * width);
        let rest = many.remainder();
        let mut table = Table::<MANY>::new();
        for some in many {
            sums.extend(self.sums_together(base, table.fill(some, width, &self.asked)));
        }
        // Where fewer are left, the places behind them have other rows, whose sums are cut off.
        if rest.len() > FEW * width {
            sums.extend(self.sums_together(base, table.fill(rest, width, &self.asked)));
        } else if !rest.is_empty() {
            sums.extend(self.sums_together(base, Table::<FEW>::new().fill(rest, width, &self.asked)));
        }
        sums.truncate(rows.len() / width);
        sums
    }

    /// Likewise for rows that are asked together.
    fn sums_together<const N: usize>(&self, base: f32, columns: &[[f32; N]; WIDTH]) -> [f32; N] {
        let mut sums = [base; N];
        let mut start = 0;
        for (end, answers) in self.ends.iter().zip(&self.answers) {
            let questions = self.questions.get(start..*end).unwrap_or_default();
            start = *end;
            for (sum, out) in sums.iter_mut().zip(out_of_reach(questions, columns)) {
                // The last leaf stands on the left of no question.
                let leaf = (!out | 1 << (LEAVES - 1)).trailing_zeros() as usize;
                *sum += answers[leaf % LEAVES];
            }
        }
        sums
    }
}

/// Rows that are asked together. All lies in arrays whose sizes are known, so that no place needs to be checked.
struct Table<const N: usize> {
    rows: [[f32; WIDTH]; N],
    columns: [[f32; N]; WIDTH],
}

impl<const N: usize> Table<N> {
    fn new() -> Table<N> {
        Table { rows: [[0.0; WIDTH]; N], columns: [[0.0; N]; WIDTH] }
    }

    /// The columns of at most so many rows, those that are asked for.
    fn fill(&mut self, rows: &[f32], width: usize, asked: &[u8]) -> &[[f32; N]; WIDTH] {
        for (row, values) in self.rows.iter_mut().zip(rows.chunks_exact(width)) {
            row[..width].copy_from_slice(values);
        }
        for feature in asked {
            let feature = usize::from(*feature);
            for (value, row) in self.columns[feature].iter_mut().zip(&self.rows) {
                *value = row[feature];
            }
        }
        &self.columns
    }
}

/// Between what values those of each feature lie.
struct Ranges {
    lowest: [f32; WIDTH],
    highest: [f32; WIDTH],
}

impl Ranges {
    fn of(rows: &[f32], width: usize) -> Ranges {
        let mut ranges = Ranges { lowest: [f32::INFINITY; WIDTH], highest: [f32::NEG_INFINITY; WIDTH] };
        let mut is_number = true;
        // Four rows at a time, so that what is known of a feature is fetched once for them.
        let fours = rows.chunks_exact(4 * width);
        let rest = fours.remainder();
        let least = |one: f32, other: f32| if other < one { other } else { one };
        let most = |one: f32, other: f32| if other > one { other } else { one };
        for four in fours {
            let (one, two) = four.split_at(2 * width);
            let ((one, two), (three, four)) = (one.split_at(width), two.split_at(width));
            let values = one.iter().zip(two).zip(three).zip(four);
            let ranges = ranges.lowest.iter_mut().zip(&mut ranges.highest);
            for ((lowest, highest), (((one, two), three), four)) in ranges.zip(values) {
                *lowest = least(least(least(least(*lowest, *one), *two), *three), *four);
                *highest = most(most(most(most(*highest, *one), *two), *three), *four);
                is_number &= !((one.is_nan() | two.is_nan()) | (three.is_nan() | four.is_nan()));
            }
        }
        for row in rest.chunks_exact(width) {
            for ((lowest, highest), value) in ranges.lowest.iter_mut().zip(&mut ranges.highest).zip(row) {
                *lowest = least(*lowest, *value);
                *highest = most(*highest, *value);
                is_number &= !value.is_nan();
            }
        }
        // What is no number is above nothing, however high all others are.
        if !is_number {
            ranges.lowest = [f32::NEG_INFINITY; WIDTH];
        }
        ranges
    }

    /// Whether this feature is above this value, if it is the same for all rows.
    fn answer(&self, feature: u8, value: f32) -> Option<bool> {
        let feature = usize::from(feature);
        if self.highest[feature] <= value {
            Some(false)
        } else if self.lowest[feature] > value {
            Some(true)
        } else {
            None
        }
    }
}

/// For some rows the leaves of a tree that they do not reach.
///
/// A function of its own, without a branch: so compilers compare several rows with one instruction.
#[inline(never)]
fn out_of_reach<const N: usize>(questions: &[Question], columns: &[[f32; N]; WIDTH]) -> [u32; N] {
    let mut out_of_reach = [0; N];
    for question in questions {
        let values = &columns[usize::from(question.feature)];
        for (out, value) in out_of_reach.iter_mut().zip(values) {
            // What is no number is not above anything and goes left, as in every walk.
            let is_above = u32::from(*value > question.value).wrapping_neg();
            *out |= is_above & question.left;
        }
    }
    out_of_reach
}

/// The right side of a question, while its left side is read.
struct Waiting {
    node: u32,
    question: usize,
    /// The first leaf on its left.
    first: u32,
}

#[cfg(test)]
mod tests {
    use super::super::trees::Forest;
    use super::*;

    fn leaf(value: f32) -> Node {
        Node { feature: LEAF, value, left: 0 }
    }

    /// Trees that lean to one side, of `depth` questions.
    fn forest(trees: usize, depth: usize) -> Forest {
        let mut forest = Forest { base: -0.25, ..Forest::default() };
        for tree in 0..trees {
            forest.roots.push(forest.nodes.len() as u32);
            for level in 0..depth {
                let value = ((tree * 7 + level * 3) % 11) as f32 / 11.0;
                let feature = ((tree + level) % 5) as u16;
                let left = forest.nodes.len() as u32 + 1;
                forest.nodes.push(Node { feature, value, left });
                // The left child is the answer, the right one goes on.
                forest.nodes.push(leaf(value - 0.4));
            }
            forest.nodes.push(leaf(1.0 / (tree + 1) as f32));
        }
        forest
    }

    fn rows(count: usize) -> Vec<f32> {
        let mut state = 1_u64;
        let next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1 << 24) as f32
        };
        std::iter::repeat_with(next).take(count * 5).collect()
    }

    #[test]
    fn rows_together_say_what_each_says_alone() {
        for count in [0, 1, 7, 8, 9, 16, 17, 24, 25, 40] {
            let (forest, rows) = (forest(12, 6), rows(count));
            let alone: Vec<f32> = rows.chunks(5).map(|row| forest.probability(row)).collect();
            assert_eq!(forest.probabilities(&rows, 5), alone, "{count} rows");
        }
    }

    #[test]
    fn trees_that_are_not_small_are_walked_as_well() {
        // So many rows that nearly every question has both answers.
        let (forest, rows) = (forest(3, 40), rows(200));
        assert!(SmallTrees::of(&forest.nodes, &forest.roots, &rows, 5).is_none());
        let alone: Vec<f32> = rows.chunks(5).map(|row| forest.probability(row)).collect();
        assert_eq!(forest.probabilities(&rows, 5), alone);
    }

    #[test]
    fn what_is_no_number_goes_left_as_in_every_walk() {
        let forest = forest(2, 3);
        let row = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, 1.0];
        assert_eq!(forest.probabilities(&row, 5), [forest.probability(&row)]);
        // Beside a row that goes right everywhere.
        let rows = [row, [2.0; 5]].concat();
        assert_eq!(forest.probabilities(&rows, 5), [&row, &[2.0; 5]].map(|row| forest.probability(row)));
    }

    #[test]
    fn questions_with_one_answer_are_not_asked() {
        let forest = forest(12, 6);
        for value in [-1.0, 0.3, 2.0] {
            let rows: Vec<f32> = [value; 5].repeat(3);
            let trees = SmallTrees::of(&forest.nodes, &forest.roots, &rows, 5).unwrap();
            assert!(trees.questions.is_empty(), "all rows are alike");
            assert_eq!(forest.probabilities(&rows, 5), [forest.probability(&[value; 5]); 3]);
        }
    }
}
