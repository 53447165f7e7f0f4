//! What a page may cost in a run over many.

use std::time::Duration;

use tamis::PageLimits;

/// Bounds on what one page of a run may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Bytes of a page, decompressed; a larger one fails. Default: 16 MiB. (Common Crawl cuts pages at 5 MiB.)
    pub bytes: u32,
    /// Time for a page. Default: ten seconds; a page of the largest size takes about one.
    pub time: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { bytes: 16 << 20, time: Duration::from_secs(10) }
    }
}

impl Bounds {
    /// As limits of an extractor.
    pub fn limits(&self) -> PageLimits {
        let mut limits = PageLimits::default();
        limits.max_bytes = self.bytes.into();
        limits.timeout = Some(self.time);
        limits
    }
}
