//! SIMD comparison of sixteen bytes.
//!
//! A parser spends most of its time searching for bytes. `wide` provides the vector instructions of every processor
//! (SSE2, NEON) without `unsafe` code of ours, and scalar code elsewhere.

use wide::u8x16;

/// Bytes per vector.
pub(crate) const WIDTH: usize = 16;

/// Sixteen bytes for comparison. Results are masks: bit `i` is for byte `i`.
#[derive(Clone, Copy)]
pub(crate) struct Lanes(u8x16);

impl Lanes {
    /// Loads the bytes of `window`.
    #[inline(always)]
    pub(crate) fn of(window: &[u8; WIDTH]) -> Self {
        Lanes(u8x16::new(*window))
    }

    /// Bytes equal to `byte`.
    #[inline(always)]
    pub(crate) fn equal(self, byte: u8) -> u32 {
        self.0.simd_eq(u8x16::splat(byte)).to_bitmask()
    }

    /// Bytes not above `byte`.
    #[inline(always)]
    pub(crate) fn at_most(self, byte: u8) -> u32 {
        self.0.min(u8x16::splat(byte)).simd_eq(self.0).to_bitmask()
    }
}

#[cfg(test)]
mod tests {
    use super::Lanes;

    #[test]
    fn vector_and_plain_code_agree_on_every_byte() {
        let mask = |window: [u8; 16], test: &dyn Fn(u8) -> bool| {
            window.iter().enumerate().fold(0, |mask, (i, &byte)| mask | u32::from(test(byte)) << i)
        };
        for byte in 0..=255u8 {
            for at in 0..16 {
                let mut window = [b'm'; 16];
                window[at] = byte;
                let lanes = Lanes::of(&window);
                for probe in [0, b' ', b'"', b'/', b'<', b'>', b'A', b'Z', b'm', 0x80, 0xFF] {
                    assert_eq!(lanes.equal(probe), mask(window, &|byte| byte == probe));
                    assert_eq!(lanes.at_most(probe), mask(window, &|byte| byte <= probe));
                }
            }
        }
    }
}
