//! The walk down trees of at most [`NODES`] nodes, eight rows at a time. All that is looked up lies in arrays whose sizes are
//! known, so that no place needs to be checked, and a leaf leads to itself, so that no branch needs to be foreseen: a
//! page has thousands of blocks, and each goes down a hundred trees.

use super::trees::{LEAF, Node};

/// More nodes a small tree does not have.
pub(super) const NODES: usize = 64;
/// More values a row for small trees does not have.
pub(super) const WIDTH: usize = 256;
/// How many rows go down a tree together: while one waits for its node, the others go on.
const TOGETHER: usize = 8;

/// A question: is this feature above this value? A leaf asks whether it is above all values.
#[derive(Clone, Copy)]
struct Question {
    value: f32,
    feature: u8,
    /// Where to go if it is not; the node behind that one if it is.
    left: u8,
}

/// One tree, with its root at place 0.
pub(super) struct SmallTree {
    questions: [Question; NODES],
    answers: [f32; NODES],
}

impl SmallTree {
    /// The tree that begins at `root`, if it is small enough.
    pub(super) fn of(nodes: &[Node], root: u32) -> Option<SmallTree> {
        let nothing = Question { value: f32::INFINITY, feature: 0, left: 0 };
        let mut tree = SmallTree { questions: [nothing; NODES], answers: [0.0; NODES] };
        // Which node stands at each place; those whose children have no place yet are at the end.
        let mut places = [root; NODES];
        let (mut place, mut count) = (0, 1);
        while place < count {
            let node = nodes.get(places[place] as usize)?;
            if node.feature == LEAF {
                tree.questions[place].left = place as u8;
                tree.answers[place] = node.value;
            } else {
                let children = places.get_mut(count..count + 2)?;
                children.copy_from_slice(&[node.left, node.left + 1]);
                let feature = u8::try_from(node.feature).ok()?;
                tree.questions[place] = Question { value: node.value, feature, left: count as u8 };
                count += 2;
            }
            place += 1;
        }
        Some(tree)
    }

    /// What it says of some rows.
    fn answers(&self, rows: &[[f32; WIDTH]; TOGETHER]) -> [f32; TOGETHER] {
        let mut places = [0_u8; TOGETHER];
        let mut moved = true;
        while moved {
            let mut change = 0;
            for (place, row) in places.iter_mut().zip(rows) {
                let question = self.questions[usize::from(*place) % NODES];
                let right = u8::from(row[usize::from(question.feature)] > question.value);
                let next = question.left.wrapping_add(right);
                change |= *place ^ next;
                *place = next;
            }
            moved = change != 0;
        }
        places.map(|place| self.answers[usize::from(place) % NODES])
    }
}

/// For each row of `width` values, `base` and what all trees say of it, added up in their order.
pub(super) fn sums(trees: &[SmallTree], base: f32, rows: &[f32], width: usize) -> Vec<f32> {
    let mut sums = Vec::with_capacity(rows.len() / width + TOGETHER);
    let mut together = [[0.0; WIDTH]; TOGETHER];
    for some in rows.chunks(TOGETHER * width) {
        // Where fewer are left, the places behind them have rows of before, whose sums are cut off.
        for (row, values) in together.iter_mut().zip(some.chunks_exact(width)) {
            row[..width].copy_from_slice(values);
        }
        let mut of_some = [base; TOGETHER];
        for tree in trees {
            of_some.iter_mut().zip(tree.answers(&together)).for_each(|(sum, answer)| *sum += answer);
        }
        sums.extend(of_some);
    }
    sums.truncate(rows.len() / width);
    sums
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
    fn eight_rows_together_say_what_each_says_alone() {
        for count in [0, 1, 7, 8, 9, 40] {
            let (forest, rows) = (forest(12, 6), rows(count));
            let alone: Vec<f32> = rows.chunks(5).map(|row| forest.probability(row)).collect();
            assert_eq!(forest.probabilities(&rows, 5), alone, "{count} rows");
        }
    }

    #[test]
    fn trees_that_are_not_small_are_walked_as_well() {
        let (forest, rows) = (forest(3, 40), rows(9));
        assert!(SmallTree::of(&forest.nodes, 0).is_none());
        let alone: Vec<f32> = rows.chunks(5).map(|row| forest.probability(row)).collect();
        assert_eq!(forest.probabilities(&rows, 5), alone);
    }

    #[test]
    fn what_is_no_number_goes_left_as_in_every_walk() {
        let forest = forest(2, 3);
        let row = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, 1.0];
        assert_eq!(forest.probabilities(&row, 5), [forest.probability(&row)]);
    }
}
