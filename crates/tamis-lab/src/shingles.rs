//! Bags of token shingles: local order matters, position does not.
//!
//! The public article-extraction benchmark uses four tokens, ROUGE-5 five. A shorter text is one short shingle, which
//! equals only itself.

use crate::overlap::Overlap;

/// Padding of a short shingle.
const NONE: u32 = u32::MAX;

/// The shingles of `N` tokens of a text, sorted.
#[derive(Clone, Debug)]
pub(crate) struct Shingles<const N: usize>(Vec<[u32; N]>);

impl<const N: usize> Shingles<N> {
    /// The shingles of a text, given as token numbers below `u32::MAX`.
    pub(crate) fn of(tokens: &[u32]) -> Shingles<N> {
        let mut runs: Vec<[u32; N]> =
            tokens.windows(N).filter_map(|window| <[u32; N]>::try_from(window).ok()).collect();
        if !tokens.is_empty() && tokens.len() < N {
            runs.push(std::array::from_fn(|place| tokens.get(place).copied().unwrap_or(NONE)));
        }
        runs.sort_unstable();
        Shingles(runs)
    }

    /// The overlap with the shingles of the truth.
    pub(crate) fn overlap(&self, wanted: &Shingles<N>) -> Overlap {
        let (mut mine, mut theirs, mut common) = (0, 0, 0);
        while let (Some(a), Some(b)) = (self.0.get(mine), wanted.0.get(theirs)) {
            let order = a.cmp(b);
            common += usize::from(order.is_eq());
            mine += usize::from(order.is_le());
            theirs += usize::from(order.is_ge());
        }
        Overlap { common, found: self.0.len(), wanted: wanted.0.len() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_short_text_equals_only_itself() {
        let short = Shingles::<4>::of(&[1, 2]);
        assert_eq!(short.overlap(&Shingles::of(&[1, 2])), Overlap { common: 1, found: 1, wanted: 1 });
        assert_eq!(short.overlap(&Shingles::of(&[1, 2, 3])).common, 0);
        assert_eq!(short.overlap(&Shingles::of(&[1, 2, 3, 4, 5])).common, 0);
        assert_eq!(short.overlap(&Shingles::of(&[])), Overlap { common: 0, found: 1, wanted: 0 });
    }

    proptest! {
        #[test]
        fn the_overlap_is_that_of_bags(a in prop::collection::vec(0u32..3, 0..30), b in prop::collection::vec(0u32..3, 0..30)) {
            let bag = |tokens: &[u32]| {
                let mut bag: HashMap<Vec<u32>, usize> = HashMap::new();
                if !tokens.is_empty() && tokens.len() < 4 {
                    bag.insert(tokens.to_vec(), 1);
                }
                for window in tokens.windows(4) {
                    *bag.entry(window.to_vec()).or_default() += 1;
                }
                bag
            };
            let (mine, theirs) = (bag(&a), bag(&b));
            let common: usize = mine.iter().map(|(run, n)| *n.min(theirs.get(run).unwrap_or(&0))).sum();
            prop_assert_eq!(Shingles::<4>::of(&a).overlap(&Shingles::of(&b)).common, common);
        }
    }
}
