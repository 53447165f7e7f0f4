//! A token diff in near-linear time.
//!
//! Texts are first anchored where a run of tokens occurs exactly once in both (patience diff, with shorter and shorter
//! runs); gaps between anchors are compared by Myers' algorithm with a cap on edits. A gap that exceeds the cap counts as
//! different: readers need no finer diff of unrelated texts. Other diffs, such as those of `imara-diff`, take quadratic time
//! on repetitive texts.
//!
//! ```
//! let found = tamis_diff::matches(&[1, 2, 3, 4], &[1, 2, 9, 4]);
//! assert_eq!(found.iter().map(|it| it.length).sum::<usize>(), 3);
//! ```

use std::collections::HashMap;

/// Lengths of anchoring runs, in order.
const ANCHORS: [usize; 3] = [6, 3, 1];

/// The maximum number of edits between two anchors: at most 400 squared steps and a megabyte.
const EDITS: usize = 400;

/// The longest match that can be coincidental.
const LONGEST_COINCIDENCE: usize = 3;

/// A match: `first..first + length` of one text and `second..second + length` of the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Match {
    /// Where it begins in the first text.
    pub first: usize,
    /// Where it begins in the second text.
    pub second: usize,
    /// Its tokens.
    pub length: usize,
}

/// A range of both texts that remains to be compared.
#[derive(Clone, Copy)]
struct Gap {
    first: (usize, usize),
    second: (usize, usize),
}

/// The matches between two lists of tokens, ascending in both.
pub fn matches(first: &[u32], second: &[u32]) -> Vec<Match> {
    let mut found = Vec::new();
    let mut gaps = vec![Gap { first: (0, first.len()), second: (0, second.len()) }];
    for length in ANCHORS {
        let mut rest = Vec::new();
        for gap in gaps {
            if let Some(gap) = trim(first, second, gap, &mut found) {
                anchor(first, second, gap, length, &mut found, &mut rest);
            }
        }
        gaps = rest;
    }
    for gap in gaps {
        if let Some(gap) = trim(first, second, gap, &mut found) {
            myers(first, second, gap, &mut found);
        }
    }
    found.sort_unstable_by_key(|it| it.first);
    without_coincidences(&join(found), first.len(), second.len())
}

/// Drops coincidental matches, such as a common "of" between longer stretches that differ.
fn without_coincidences(found: &[Match], first: usize, second: usize) -> Vec<Match> {
    let mut kept: Vec<Match> = Vec::with_capacity(found.len());
    for (at, it) in found.iter().enumerate() {
        let (a, b) = kept.last().map_or((0, 0), |last| (last.first + last.length, last.second + last.length));
        let next = found.get(at + 1).map_or((first, second), |next| (next.first, next.second));
        let before = (it.first - a).max(it.second - b);
        let behind = (next.0 - it.first - it.length).max(next.1 - it.second - it.length);
        if it.length > LONGEST_COINCIDENCE || 2 * it.length > before || 2 * it.length > behind {
            kept.push(*it);
        }
    }
    kept
}

/// Matches the common prefix and suffix of a gap; returns the rest, if any.
fn trim(first: &[u32], second: &[u32], gap: Gap, found: &mut Vec<Match>) -> Option<Gap> {
    let (mut a, mut a_end) = gap.first;
    let (mut b, mut b_end) = gap.second;
    let start = (a, b);
    while a < a_end && b < b_end && first[a] == second[b] {
        (a, b) = (a + 1, b + 1);
    }
    push(found, start.0, start.1, a - start.0);
    let end = a_end;
    while a < a_end && b < b_end && first[a_end - 1] == second[b_end - 1] {
        (a_end, b_end) = (a_end - 1, b_end - 1);
    }
    push(found, a_end, b_end, end - a_end);
    (a < a_end && b < b_end).then_some(Gap { first: (a, a_end), second: (b, b_end) })
}

fn push(found: &mut Vec<Match>, first: usize, second: usize, length: usize) {
    if length > 0 {
        found.push(Match { first, second, length });
    }
}

/// Finds the runs of `length` tokens that occur once on both sides of the gap, matches their longest ascending chain,
/// and adds the gaps between them to `rest`.
fn anchor(
    first: &[u32],
    second: &[u32],
    gap: Gap,
    length: usize,
    found: &mut Vec<Match>,
    rest: &mut Vec<Gap>,
) {
    let mut places: HashMap<&[u32], (u32, usize, u32, usize)> = HashMap::new();
    for (at, run) in first[gap.first.0..gap.first.1].windows(length).enumerate() {
        let place = places.entry(run).or_default();
        (place.0, place.1) = (place.0 + 1, at + gap.first.0);
    }
    for (at, run) in second[gap.second.0..gap.second.1].windows(length).enumerate() {
        if let Some(place) = places.get_mut(run) {
            (place.2, place.3) = (place.2 + 1, at + gap.second.0);
        }
    }
    let once = places.values().filter(|place| place.0 == 1 && place.2 == 1);
    let mut anchors: Vec<(usize, usize)> = once.map(|place| (place.1, place.3)).collect();
    anchors.sort_unstable();
    let (mut a, mut b) = (gap.first.0, gap.second.0);
    for (anchor_a, anchor_b) in ascending(&anchors) {
        // Runs may overlap the previous one.
        let skip = a.saturating_sub(anchor_a).max(b.saturating_sub(anchor_b));
        if skip >= length {
            continue;
        }
        let (from_a, from_b) = (anchor_a + skip, anchor_b + skip);
        rest.push(Gap { first: (a, from_a), second: (b, from_b) });
        push(found, from_a, from_b, length - skip);
        (a, b) = (anchor_a + length, anchor_b + length);
    }
    rest.push(Gap { first: (a, gap.first.1), second: (b, gap.second.1) });
}

/// The longest chain of pairs that ascends in both values. The pairs are sorted by the first.
fn ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut tails: Vec<usize> = Vec::new();
    let mut before = vec![usize::MAX; pairs.len()];
    for (at, pair) in pairs.iter().enumerate() {
        let place = tails.partition_point(|&tail| pairs[tail].1 < pair.1);
        if place > 0 {
            before[at] = tails[place - 1];
        }
        if place == tails.len() {
            tails.push(at);
        } else {
            tails[place] = at;
        }
    }
    let mut chain = Vec::with_capacity(tails.len());
    let mut at = tails.last().copied().unwrap_or(usize::MAX);
    while let Some(&pair) = pairs.get(at) {
        chain.push(pair);
        at = before[at];
    }
    chain.reverse();
    chain
}

/// Myers' greedy algorithm on a gap, with at most [`EDITS`] edits.
fn myers(first: &[u32], second: &[u32], gap: Gap, found: &mut Vec<Match>) {
    let a = &first[gap.first.0..gap.first.1];
    let b = &second[gap.second.0..gap.second.1];
    let most = EDITS.min(a.len() + b.len());
    // The furthest positions on diagonals -edits..=edits for each number of edits, for backtracking.
    let mut trace: Vec<Vec<u32>> = Vec::new();
    let mut reached = None;
    'edits: for edits in 0..=most {
        let mut row = vec![0u32; 2 * edits + 1];
        for step in (0..=2 * edits).step_by(2) {
            let mut x = match trace.last() {
                None => 0,
                Some(last) => start(last, edits, step).0,
            };
            // y = x - k, where k = step - edits; positions outside of the table are unreachable.
            while x < a.len() && (x + edits).checked_sub(step).is_some_and(|y| y < b.len() && a[x] == b[y]) {
                x += 1;
            }
            row[step] = x as u32;
            if x >= a.len() && x + edits >= step + b.len() {
                reached = Some(edits);
                trace.push(row);
                break 'edits;
            }
        }
        trace.push(row);
    }
    let Some(mut edits) = reached else { return };
    let mut step = a.len() + edits - b.len();
    loop {
        let x = trace[edits][step] as usize;
        let from = if edits == 0 { 0 } else { start(&trace[edits - 1], edits, step).0 };
        if x > from {
            push(found, gap.first.0 + from, gap.second.0 + from + edits - step, x - from);
        }
        if edits == 0 {
            return;
        }
        step = start(&trace[edits - 1], edits, step).1;
        edits -= 1;
    }
}

/// Where a diagonal is entered: the position in the first text, and the step in the previous row.
fn start(last: &[u32], edits: usize, step: usize) -> (usize, usize) {
    // In the previous row, diagonal k + 1 is at `step`, and k - 1 at `step - 2`.
    let down = (step < 2 * edits).then(|| last[step] as usize);
    let right = step.checked_sub(2).map(|before| last[before] as usize + 1);
    match (down, right) {
        (Some(down), Some(right)) if down < right => (right, step - 2),
        (Some(down), _) => (down, step),
        (None, Some(right)) => (right, step - 2),
        (None, None) => (0, 0),
    }
}

/// Joins adjacent matches.
fn join(found: Vec<Match>) -> Vec<Match> {
    let mut joined: Vec<Match> = Vec::with_capacity(found.len());
    for next in found {
        match joined.last_mut() {
            Some(last)
                if last.first + last.length == next.first && last.second + last.length == next.second =>
            {
                last.length += next.length;
            }
            _ => joined.push(next),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<u32> {
        text.chars().map(u32::from).collect()
    }

    /// Checks that matches are correct, ascending and disjoint; returns the number of matched tokens.
    fn checked(first: &[u32], second: &[u32]) -> usize {
        let found = matches(first, second);
        let (mut a, mut b, mut total) = (0, 0, 0);
        for it in found {
            assert!(it.first >= a && it.second >= b && it.length > 0, "{it:?} after {a} {b}");
            assert_eq!(first[it.first..it.first + it.length], second[it.second..it.second + it.length]);
            (a, b, total) = (it.first + it.length, it.second + it.length, total + it.length);
        }
        total
    }

    /// The length of the longest common subsequence by dynamic programming.
    fn longest(first: &[u32], second: &[u32]) -> usize {
        let mut row = vec![0; second.len() + 1];
        for &a in first {
            let mut corner = 0;
            for (at, &b) in second.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if a == b { corner + 1 } else { above.max(row[at]) };
                corner = above;
            }
        }
        row[second.len()]
    }

    /// A deterministic generator.
    fn random(seed: &mut u64) -> u32 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 40) as u32
    }

    #[test]
    fn small_texts() {
        for (first, second, common) in [
            ("", "", 0),
            ("abc", "", 0),
            ("", "abc", 0),
            ("abc", "abc", 3),
            ("xaxbxc", "abc", 3),
            ("aaaa", "aa", 2),
            ("ab", "ba", 1),
            // The common e is a coincidence.
            ("abcdefghi", "zyxwevuts", 0),
        ] {
            assert_eq!(checked(&tokens(first), &tokens(second)), common, "{first} {second}");
        }
    }

    #[test]
    fn myers_alone_finds_the_longest_common_subsequence() {
        let mut seed = 7;
        for _ in 0..300 {
            let mut text = |most: u32| -> Vec<u32> {
                let length = random(&mut seed) % most;
                (0..length).map(|_| random(&mut seed) % 4).collect()
            };
            let (first, second) = (text(40), text(40));
            let mut found = Vec::new();
            let gap = Gap { first: (0, first.len()), second: (0, second.len()) };
            myers(&first, &second, gap, &mut found);
            let total: usize = found.iter().map(|it| it.length).sum();
            assert_eq!(total, longest(&first, &second), "{first:?} {second:?}");
            checked(&first, &second);
        }
    }

    #[test]
    fn edits_leave_the_rest_matched() {
        let mut seed = 3;
        let first: Vec<u32> = (0..20_000).map(|_| random(&mut seed) % 3000).collect();
        let mut second = first.clone();
        second.drain(4000..4500);
        second.splice(10_000..10_000, (0..700).map(|it| 5000 + it % 50));
        assert!(checked(&first, &second) >= 19_400);
    }

    #[test]
    fn unrelated_and_repetitive_texts_of_a_million_tokens_finish() {
        let mut seed = 5;
        let first: Vec<u32> = (0..1_000_000).map(|_| random(&mut seed) % 7).collect();
        let second: Vec<u32> = (0..1_000_000).map(|_| random(&mut seed) % 7).collect();
        checked(&first, &second);
        checked(&vec![1; 1_000_000], &vec![1; 700_000]);
        let two: Vec<u32> = (0..1_000_000).map(|at| at % 2).collect();
        let three: Vec<u32> = (0..1_000_000).map(|at| at % 3).collect();
        checked(&two, &three);
    }
}
