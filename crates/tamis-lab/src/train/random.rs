//! Reproducible random numbers (SplitMix64), addressable by index so that the order of work does not matter.

/// A seeded sequence of random numbers.
#[derive(Clone, Copy)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(mix(seed ^ 0x9E37_79B9_7F4A_7C15))
    }

    /// A sequence of its own for `index`.
    pub(super) fn branch(self, index: u64) -> Random {
        Random(mix(self.0.wrapping_add(mix(index))))
    }

    /// A uniform number below 1.
    pub(super) fn uniform(self, index: u64) -> f32 {
        (mix(self.0.wrapping_add(index.wrapping_mul(0x9E37_79B9_7F4A_7C15))) >> 40) as f32
            / (1_u32 << 24) as f32
    }

    /// The `count` of `items` with the lowest random numbers, in their old order.
    pub(super) fn choose<T: Copy>(self, items: &[T], count: usize) -> Vec<T> {
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by(|a, b| self.uniform(*a as u64).total_cmp(&self.uniform(*b as u64)));
        order.truncate(count);
        order.sort_unstable();
        order.into_iter().map(|index| items[index]).collect()
    }
}

fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ value >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ value >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_uniform_and_reproducible() {
        let random = Random::new(7).branch(3);
        let sum: f32 = (0..10_000).map(|index| random.uniform(index)).sum();
        assert!((sum / 10_000.0 - 0.5).abs() < 0.01);
        assert_eq!(random.choose(&[1, 2, 3, 4], 2), Random::new(7).branch(3).choose(&[1, 2, 3, 4], 2));
        assert_ne!(Random::new(8).uniform(0), Random::new(7).uniform(0));
    }
}
