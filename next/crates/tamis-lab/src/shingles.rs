//! Runs of a few tokens, as a bag: order counts a little, place does not.
//!
//! Four tokens are the unit of the public article-extraction benchmark, five that of ROUGE-5. A text of fewer tokens
//! is one short run, which equals nothing but itself.

use crate::overlap::Overlap;

/// What stands where a short run has no token.
const NONE: u32 = u32::MAX;

/// The runs of `N` tokens of a text, sorted.
///
/// ```
/// use tamis_lab::shingles::Shingles;
///
/// let (found, wanted) = (Shingles::<4>::of(&[1, 2, 3, 4, 5]), Shingles::of(&[2, 3, 4, 5, 6]));
/// let overlap = found.overlap(&wanted);
/// assert_eq!((overlap.common, overlap.found, overlap.wanted), (1, 2, 2));
/// ```
#[derive(Clone, Debug)]
pub struct Shingles<const N: usize>(Vec<[u32; N]>);

impl<const N: usize> Shingles<N> {
    /// Cuts a text, given as numbers of its tokens. The largest `u32` is no such number.
    pub fn of(tokens: &[u32]) -> Shingles<N> {
        let mut runs: Vec<[u32; N]> =
            tokens.windows(N).filter_map(|window| <[u32; N]>::try_from(window).ok()).collect();
        if !tokens.is_empty() && tokens.len() < N {
            runs.push(std::array::from_fn(|place| tokens.get(place).copied().unwrap_or(NONE)));
        }
        runs.sort_unstable();
        Shingles(runs)
    }

    /// How many runs two texts share, each as often as both have it. `self` is what was found.
    pub fn overlap(&self, wanted: &Shingles<N>) -> Overlap {
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
