//! Limits on a page of a run.

use std::time::Duration;

use tamis::PageLimits;

/// Limits on a page of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Decompressed bytes of a page; larger pages fail. Default: 16 MiB. (Common Crawl truncates pages at 5 MiB.)
    pub bytes: u32,
    /// Time for a page. Default: ten seconds; a page of the maximum size takes about one.
    pub time: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { bytes: 16 << 20, time: Duration::from_secs(10) }
    }
}

impl Bounds {
    /// The limits for the extractor.
    pub fn limits(&self) -> PageLimits {
        let mut limits = PageLimits::default();
        limits.max_bytes = self.bytes.into();
        limits.timeout = Some(self.time);
        limits
    }
}
