//! Settings of an extractor.

use std::time::Duration;

use crate::classify::Bias;
use crate::page::HiddenText;

/// Bounds on what a page may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageLimits {
    /// Size of the input. Default: 16 MiB.
    pub max_bytes: u64,
    /// Nodes of the tree; parsing stops there. Default: 500,000.
    pub max_nodes: u32,
    /// Depth of the tree; deeper elements become siblings. Default: 512, as in browsers.
    pub max_depth: u32,
    /// Time for a page. Default: 10 s.
    pub timeout: Option<Duration>,
}

impl Default for PageLimits {
    fn default() -> PageLimits {
        PageLimits {
            max_bytes: 16 << 20,
            max_nodes: 500_000,
            max_depth: 512,
            timeout: Some(Duration::from_secs(10)),
        }
    }
}

/// Settings of an extractor.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Options {
    pub(crate) bias: Bias,
    pub(crate) hidden: HiddenText,
    pub(crate) limits: PageLimits,
    pub(crate) comments: bool,
}
