//! What a page may cost in a run over many: less than for one page, so that none of them decides how much memory or time
//! the run takes.

use std::time::Duration;

use tamis_html::{Deadline, Limits};

/// Bounds on what one page of a run may cost.
///
/// ```
/// use tamis_batch::Bounds;
///
/// let bounds = Bounds { bytes: 1 << 20, ..Bounds::default() };
/// assert!(bounds.limits().deadline.is_some());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Bytes of a page, unpacked; a larger one fails. Default: 16 MiB. (Common Crawl cuts pages at 5 MiB.)
    pub bytes: u32,
    /// How long a page may take, looked at inside the engine. Default: ten seconds; a page of the largest size takes about one.
    pub time: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { bytes: 16 << 20, time: Duration::from_secs(10) }
    }
}

impl Bounds {
    /// As limits of the parser, with a deadline that runs from now on.
    pub fn limits(&self) -> Limits {
        // What is measured of its blocks takes the most memory of a page: some 800 bytes each, and a block has three nodes
        // or more.
        Limits { nodes: 500_000, deadline: Some(Deadline::after(self.time)), ..Limits::default() }
    }
}
