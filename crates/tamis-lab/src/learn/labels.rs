//! Which blocks of a page its truth covers: labels without a person who clicks on blocks.
//!
//! The truth is one text, and words of it stand in the navigation too. So a block is not asked whether its words occur in
//! the truth, but where: the blocks that are covered form a chain, forward in the page and forward in the truth, and of
//! all chains the one that covers most is taken. What a page shows in another order than the truth (a caption, a
//! summary) is added at the end, if it is long enough not to be there by chance.

use std::collections::HashMap;

/// Runs of so many words are looked up in the truth.
const RUN: usize = 3;
/// At most so many places of the truth are looked at for one run.
const PLACES: usize = 30;
/// At most so many places of the truth are looked at for one block.
const CANDIDATES: usize = 12;
/// A block out of order must have so many words.
const LEAST_LEFTOVER: usize = 4;
/// ... and so much of it, and of its place in the truth, must match.
const LEFTOVER_SHARE: f32 = 0.7;
/// Tables up to this size are filled; beyond, the match is found by going forward.
const MOST_CELLS: usize = 250_000;

/// For each block, given as numbers of words, the share of it that the truth covers.
///
/// ```
/// let words = |text: &str| text.bytes().map(u32::from).collect::<Vec<_>>();
/// let blocks = ["menu", "The ferry runs", "again in May.", "The ferry"].map(words);
/// let cover = tamis_lab::learn::labels::cover(&blocks, &words("The ferry runs again in May."));
/// assert_eq!(cover, [0.0, 1.0, 1.0, 0.0]);
/// ```
pub fn cover(blocks: &[Vec<u32>], truth: &[u32]) -> Vec<f32> {
    let index = Index::of(truth);
    let candidates: Vec<Candidate> =
        blocks.iter().enumerate().flat_map(|(number, block)| index.candidates(number, block)).collect();
    let mut cover = vec![0.0; blocks.len()];
    let mut used = vec![false; truth.len()];
    for place in heaviest_chain(&candidates, truth.len()) {
        let candidate = &candidates[place];
        cover[candidate.block] = candidate.share;
        used[candidate.start..candidate.end].fill(true);
    }
    let is_long = |candidate: &&Candidate| {
        blocks[candidate.block].len() >= LEAST_LEFTOVER && candidate.share >= LEFTOVER_SHARE
    };
    let mut left: Vec<&Candidate> = candidates.iter().filter(is_long).collect();
    left.sort_by(|a, b| b.words.cmp(&a.words).then(a.block.cmp(&b.block)).then(a.start.cmp(&b.start)));
    for candidate in left {
        let place = candidate.start..candidate.end;
        let free = used[place.clone()].iter().filter(|used| !**used).count();
        if cover[candidate.block] == 0.0 && free as f32 >= LEFTOVER_SHARE * place.len() as f32 {
            cover[candidate.block] = candidate.share;
            used[place].fill(true);
        }
    }
    cover
}

/// A place of the truth where a block may stand.
struct Candidate {
    block: usize,
    start: usize,
    end: usize,
    words: usize,
    share: f32,
}

/// Where words and runs of words stand in the truth.
struct Index<'t> {
    truth: &'t [u32],
    words: HashMap<u32, Vec<usize>>,
    runs: HashMap<&'t [u32], Vec<usize>>,
}

impl<'t> Index<'t> {
    fn of(truth: &'t [u32]) -> Index<'t> {
        let mut index = Index { truth, words: HashMap::new(), runs: HashMap::new() };
        for (place, word) in truth.iter().enumerate() {
            index.words.entry(*word).or_default().push(place);
        }
        for (place, run) in truth.windows(RUN).enumerate() {
            index.runs.entry(run).or_default().push(place);
        }
        index
    }

    fn candidates(&self, number: usize, block: &[u32]) -> Vec<Candidate> {
        if block.len() < RUN { self.short(number, block) } else { self.long(number, block) }
    }

    /// A block of a word or two must stand in the truth to the letter.
    fn short(&self, number: usize, block: &[u32]) -> Vec<Candidate> {
        let Some(first) = block.first() else { return Vec::new() };
        let places = self.words.get(first).map_or(&[][..], Vec::as_slice).iter().take(2 * PLACES);
        let matching = places.filter(|place| self.truth[**place..].starts_with(block));
        let candidate = |place: &usize| Candidate {
            block: number,
            start: *place,
            end: place + block.len(),
            words: block.len(),
            share: 1.0,
        };
        matching.map(candidate).collect()
    }

    /// Longer ones are looked for where runs of their words meet the truth at the same distance.
    fn long(&self, number: usize, block: &[u32]) -> Vec<Candidate> {
        /// Distances are put into classes of this width, so that a word more or less does no harm.
        const WIDTH: i64 = 8;
        let mut distances: HashMap<i64, usize> = HashMap::new();
        for (at, run) in block.windows(RUN).enumerate() {
            for place in self.runs.get(run).map_or(&[][..], Vec::as_slice).iter().take(PLACES) {
                *distances.entry((*place as i64 - at as i64).div_euclid(WIDTH)).or_default() += 1;
            }
        }
        let mut distances: Vec<(i64, usize)> = distances.into_iter().collect();
        distances.sort_by_key(|(distance, runs)| (std::cmp::Reverse(*runs), *distance));
        let mut found: Vec<Candidate> = Vec::new();
        for (distance, _) in distances.into_iter().take(CANDIDATES) {
            let length = block.len() as i64;
            let from = (distance * WIDTH - WIDTH / 2).max(0) as usize;
            let upto = distance * WIDTH + 2 * WIDTH + length + length / 10;
            let upto = upto.clamp(0, self.truth.len() as i64) as usize;
            let Some(window) = self.truth.get(from..upto) else { continue };
            let Some(matched) = Matched::of(block, window) else { continue };
            let (start, end) = (from + matched.first, from + matched.last + 1);
            let is_new = found.iter().all(|other| (other.start, other.end) != (start, end));
            if is_new && (2 * matched.words >= block.len() || matched.words >= 2 * LEAST_LEFTOVER) {
                let share = matched.words as f32 / block.len() as f32;
                found.push(Candidate { block: number, start, end, words: matched.words, share });
            }
        }
        found
    }
}

/// How a block and a stretch of the truth match: how many words do, and where in the stretch the first and last of them are.
struct Matched {
    first: usize,
    last: usize,
    words: usize,
}

impl Matched {
    fn of(block: &[u32], window: &[u32]) -> Option<Matched> {
        if block.len() * window.len() <= MOST_CELLS {
            Matched::exactly(block, window)
        } else {
            Matched::forward(block, window)
        }
    }

    /// The longest common subsequence.
    fn exactly(block: &[u32], window: &[u32]) -> Option<Matched> {
        let (n, m) = (block.len(), window.len());
        let mut table = vec![0u16; (n + 1) * (m + 1)];
        let at = |i: usize, j: usize| i * (m + 1) + j;
        for i in (0..n).rev() {
            for j in (0..m).rev() {
                table[at(i, j)] = if block[i] == window[j] {
                    table[at(i + 1, j + 1)] + 1
                } else {
                    table[at(i + 1, j)].max(table[at(i, j + 1)])
                };
            }
        }
        // As late as nothing is lost: a first word that stands in the sentence before as well must not reach back to it.
        let (mut i, mut j) = (0, 0);
        while j < m && table[at(0, j + 1)] == table[at(0, 0)] {
            j += 1;
        }
        let mut matched: Option<Matched> = None;
        while i < n && j < m {
            if block[i] == window[j] {
                let so_far = matched.get_or_insert(Matched { first: j, last: j, words: 0 });
                so_far.last = j;
                so_far.words += 1;
                (i, j) = (i + 1, j + 1);
            } else if table[at(i + 1, j)] >= table[at(i, j + 1)] {
                i += 1;
            } else {
                j += 1;
            }
        }
        matched
    }

    /// For long texts: each word where it comes next, if that is near.
    fn forward(block: &[u32], window: &[u32]) -> Option<Matched> {
        const NEAR: usize = 40;
        let mut j = 0;
        let mut matched: Option<Matched> = None;
        for word in block {
            let near = &window[j..(j + NEAR).min(window.len())];
            let Some(found) = near.iter().position(|other| other == word) else { continue };
            let so_far = matched.get_or_insert(Matched { first: j + found, last: 0, words: 0 });
            so_far.last = j + found;
            so_far.words += 1;
            j += found + 1;
        }
        matched
    }
}

/// The places of the candidates that form the heaviest chain: one a block, forward in the page and in the truth.
/// Candidates must be in the order of their blocks.
fn heaviest_chain(candidates: &[Candidate], length: usize) -> Vec<usize> {
    // A Fenwick tree over places of the truth: the heaviest chain that ends there or before.
    let mut tree: Vec<(usize, Option<usize>)> = vec![(0, None); length + 2];
    let mut chains: Vec<(usize, Option<usize>)> = Vec::with_capacity(candidates.len());
    for same_block in candidates.chunk_by(|a, b| a.block == b.block) {
        let first = chains.len();
        for candidate in same_block {
            let (mut at, mut best) = (candidate.start + 1, (0, None));
            while at > 0 {
                if tree[at].0 > best.0 {
                    best = tree[at];
                }
                at &= at - 1;
            }
            // A word more counts for more than where it stands: short blocks weigh a little less.
            let weight = 10 * candidate.words - usize::from(candidate.words < RUN);
            chains.push((best.0 + weight, best.1));
        }
        for (place, candidate) in (first..).zip(same_block) {
            let mut at = candidate.end + 1;
            while at < tree.len() {
                // Of two that are as heavy the later is the nearer: a word of the title that stands in the navigation is not
                // the title.
                if chains[place].0 >= tree[at].0 {
                    tree[at] = (chains[place].0, Some(place));
                }
                at += at & at.wrapping_neg();
            }
        }
    }
    let heaviest = (0..chains.len()).max_by_key(|place| (chains[*place].0, std::cmp::Reverse(*place)));
    let mut chain: Vec<usize> = std::iter::successors(heaviest, |place| chains[*place].1).collect();
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<u32> {
        let number = |word: &str| {
            word.bytes().fold(7u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()))
        };
        text.split_whitespace().map(number).collect()
    }

    fn kept(blocks: &[&str], truth: &str) -> Vec<bool> {
        let blocks: Vec<_> = blocks.iter().map(|block| words(block)).collect();
        cover(&blocks, &words(truth)).iter().map(|share| *share >= 0.5).collect()
    }

    #[test]
    fn a_title_word_in_the_navigation_is_not_the_title() {
        let blocks = ["rain", "sport", "rain", "it fell for nine days", "and then it stopped"];
        assert_eq!(
            kept(&blocks, "rain it fell for nine days and then it stopped"),
            [false, false, true, true, true]
        );
    }

    #[test]
    fn a_block_that_differs_a_little_is_covered() {
        let blocks =
            ["the ferry runs twice a day from may on says the company", "subscribe to our letter now"];
        assert_eq!(
            kept(&blocks, "the ferry runs twice a day from the first of may on says the company"),
            [true, false]
        );
    }

    #[test]
    fn what_the_page_has_in_another_order_is_found_all_the_same() {
        let blocks = [
            "a summary of five words",
            "then one two three four five six",
            "and seven eight nine ten eleven",
        ];
        let truth =
            "then one two three four five six and seven eight nine ten eleven a summary of five words";
        assert_eq!(kept(&blocks, truth), [true, true, true]);
    }

    #[test]
    fn a_teaser_that_repeats_the_first_sentence_is_covered_once() {
        let blocks =
            ["the river rose by two metres", "the river rose by two metres", "then it fell again slowly"];
        let kept = kept(&blocks, "the river rose by two metres then it fell again slowly");
        assert_eq!(kept.iter().filter(|kept| **kept).count(), 2);
        assert!(kept[2]);
    }

    proptest! {
        #[test]
        fn every_share_is_a_share(
            blocks in prop::collection::vec(prop::collection::vec(0u32..6, 0..12), 0..12),
            truth in prop::collection::vec(0u32..6, 0..60),
        ) {
            let cover = cover(&blocks, &truth);
            prop_assert_eq!(cover.len(), blocks.len());
            prop_assert!(cover.iter().all(|share| (0.0..=1.0).contains(share)));
        }

        #[test]
        fn a_truth_made_of_blocks_covers_them(
            blocks in prop::collection::vec(prop::collection::vec(0u32..1000, 3..12), 1..12),
        ) {
            prop_assert!(cover(&blocks, &blocks.concat()).iter().all(|share| *share >= 0.5));
        }
    }
}
