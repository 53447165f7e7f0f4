//! Tables by numbers: what is a digest or the number of a node need not be hashed as if a page had chosen it.

use std::hash::{BuildHasherDefault, Hasher};

/// A table by numbers or digests.
pub(crate) type NumberMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<AsItIs>>;
/// A set of numbers or digests.
pub(crate) type NumberSet<K> = std::collections::HashSet<K, BuildHasherDefault<AsItIs>>;

/// A table by texts. Texts that fall together are compared, so it holds what any table does.
pub(crate) type TextMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<OfTexts>>;
/// A set of texts.
pub(crate) type TextSet<K> = std::collections::HashSet<K, BuildHasherDefault<OfTexts>>;

/// Hashes a text at once: for tables of a page's own, from which nothing can be learned.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OfTexts(u64);

impl Hasher for OfTexts {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxhash_rust::xxh3::xxh3_64_with_seed(bytes, self.0);
    }

    /// The kind of a text, or its end.
    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.0 = self.0.rotate_left(5) ^ u64::from(number);
    }

    #[inline]
    fn write_isize(&mut self, number: isize) {
        self.0 = self.0.rotate_left(5) ^ number as u64;
    }
}

/// Takes 64 bits and more for a hash already; mixes what is smaller. Of several numbers, all count.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AsItIs(u64);

impl Hasher for AsItIs {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        let mixed = (self.0.rotate_left(29) ^ (u64::from(number) + 1)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        self.0 = mixed ^ (mixed >> 32);
    }

    /// A number of something, not a digest: places lie side by side.
    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u32(number as u32 ^ (number as u64 >> 32) as u32);
    }

    #[inline]
    fn write_u64(&mut self, key: u64) {
        self.0 ^= key;
    }

    #[inline]
    fn write_u128(&mut self, digest: u128) {
        self.0 ^= digest as u64;
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, BuildHasherDefault};

    use super::AsItIs;

    #[test]
    fn neighbouring_numbers_fall_apart() {
        let build = &BuildHasherDefault::<AsItIs>::default();
        let hashes = (0..64_u32).flat_map(|one| (0..64_u32).map(move |other| build.hash_one((one, other))));
        // What tables look at: the low bits, and the seven highest.
        let mut low: Vec<u64> = hashes.clone().map(|hash| hash & 0xFFFF).collect();
        let mut high: Vec<u64> = hashes.map(|hash| hash >> 57).collect();
        for list in [&mut low, &mut high] {
            list.sort_unstable();
            list.dedup();
        }
        assert!(low.len() > 3_500 && high.len() == 128, "{} {}", low.len(), high.len());
    }

    #[test]
    fn places_fall_apart_as_other_numbers_do() {
        // A set of places that all fell together took as long as all pairs of them.
        let build = &BuildHasherDefault::<AsItIs>::default();
        let mut low: Vec<u64> = (0..4096_usize).map(|place| build.hash_one(place) & 0xFFFF).collect();
        low.sort_unstable();
        low.dedup();
        assert!(low.len() > 3_500, "{}", low.len());
    }
}
