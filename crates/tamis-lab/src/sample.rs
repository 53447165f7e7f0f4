//! Random numbers of the bootstrap and the permutation test, with a fixed seed.

/// The seed. It is fixed so that results are reproducible.
pub(crate) const SEED: u64 = 1;

/// Samples of the bootstrap.
pub(crate) const SAMPLES: usize = 1000;

/// SplitMix64 (Steele and others, 2014).
#[derive(Clone, Debug)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new() -> Chance {
        Chance::of(SEED)
    }

    /// With another seed, for independent draws.
    pub(crate) fn of(seed: u64) -> Chance {
        Chance(seed)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, uniform with a bias below 2^-32.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.bits()) * end as u128) >> 64) as usize
    }
}

/// A quantile of sorted values, interpolated between neighbours.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share * (sorted.len().checked_sub(1)?) as f64;
    let (below, above) = (sorted.get(place.floor() as usize)?, sorted.get(place.ceil() as usize)?);
    Some(below + (above - below) * place.fract())
}

/// The 95 % confidence interval of drawn values; zeros if there are none.
pub(crate) fn interval(mut drawn: Vec<f64>) -> (f64, f64) {
    drawn.sort_unstable_by(f64::total_cmp);
    (quantile(&drawn, 0.025).unwrap_or_default(), quantile(&drawn, 0.975).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_uniform() {
        let mut chance = Chance::new();
        let mut counts = [0; 5];
        for _ in 0..50_000 {
            counts[chance.below(5)] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }

    #[test]
    fn quantiles_interpolate() {
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[3.0], 0.975), Some(3.0));
        assert_eq!(quantile(&[0.0, 1.0, 2.0, 3.0], 0.5), Some(1.5));
    }
}
