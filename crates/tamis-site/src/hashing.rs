//! Hash tables keyed by digests, which need no further hashing.

use std::hash::{BuildHasher, Hasher};

/// Uses a digest as its own hash. A hostile page could only search for texts whose digests collide, and gain slower
/// lookups.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IdentityHasher;

impl BuildHasher for IdentityHasher {
    type Hasher = Low;

    fn build_hasher(&self) -> Low {
        Low(0)
    }
}

/// The low 64 bits of the last value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Low(u64);

impl Hasher for Low {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
        }
    }

    fn write_u32(&mut self, digest: u32) {
        self.0 = u64::from(digest).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_u64(&mut self, digest: u64) {
        self.0 = digest;
    }

    fn write_u128(&mut self, digest: u128) {
        self.0 = digest as u64;
    }
}
