//! Limits that protect against hostile pages.

use std::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use web_time::Instant;

/// Limits on a page. The parser always returns a tree, as far as it could be built within them.
/// [`Dom::limit_reached`](crate::Dom::limit_reached) is the limit that was reached, or the most severe of several.
///
/// ```
/// use tamis_html::{Limits, Parser};
///
/// let limits = Limits { depth: 100, ..Limits::default() };
/// let deep = "<div>".repeat(100_000);
/// let dom = Parser::new().limits(limits).parse(&deep);
/// assert!(dom.limit_reached().is_some());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of source text; the rest is not read. Default: 256 MiB.
    pub bytes: u32,
    /// Nodes in the tree; parsing stops shortly before this number. Less than 64 counts as 64, since one tag can create
    /// some fifty. Default: 4 million, which take 128 MB.
    pub nodes: u32,
    /// Nesting depth; deeper elements become siblings instead of children, as in browsers. Reopened formatting elements
    /// can exceed it by four levels. Less than 8 counts as 8, so that a page keeps its structure. Default: 512, as in
    /// Chromium and WebKit.
    pub depth: u32,
    /// Attributes of one element; further ones are dropped. Default: 4,096.
    pub attributes: u32,
    /// The time at which parsing stops; checked every few thousand tokens. Default: none.
    pub deadline: Option<Deadline>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { bytes: 256 << 20, nodes: 4_000_000, depth: 512, attributes: 4096, deadline: None }
    }
}

impl Limits {
    /// Only the limits of the index type (4 GiB of source, four billion nodes).
    ///
    /// ```
    /// use tamis_html::{Limits, Parser};
    ///
    /// let dom = Parser::new().limits(Limits::NONE).parse("<p>trusted");
    /// assert_eq!(dom.limit_reached(), None);
    /// ```
    pub const NONE: Limits = Limits {
        bytes: u32::MAX - 1,
        nodes: u32::MAX - 1,
        depth: u32::MAX,
        attributes: u32::MAX,
        deadline: None,
    };
}

/// The time limit of a page.
///
/// ```
/// use std::time::Duration;
/// use tamis_html::{Deadline, Limit, Limits, Parser};
///
/// let limits = Limits { deadline: Some(Deadline::after(Duration::ZERO)), ..Limits::default() };
/// let page = "<p>".repeat(100_000);
/// let dom = Parser::new().limits(limits).parse(&page);
/// assert_eq!(dom.limit_reached(), Some(Limit::Time));
/// assert!(limits.deadline.unwrap().has_passed());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deadline(Instant);

impl Deadline {
    /// A duration from now; at most a day if it overflows.
    pub fn after(time: Duration) -> Deadline {
        let now = Instant::now();
        Deadline(now.checked_add(time).unwrap_or(now + Duration::from_secs(24 * 3600)))
    }

    /// Whether it has passed.
    pub fn has_passed(self) -> bool {
        Instant::now() >= self.0
    }
}

/// The limit that a page reached, with its value.
///
/// It is also an error type, for callers that reject incomplete trees.
///
/// ```
/// fn whole(page: &str) -> Result<tamis_html::Dom<'_>, tamis_html::Limit> {
///     let dom = tamis_html::parse(page);
///     match dom.limit_reached() {
///         Some(limit) => Err(limit),
///         None => Ok(dom),
///     }
/// }
/// assert!(whole("<p>short").is_ok());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::bytes`]
    #[error("the page has more than {0} bytes; the rest was not read")]
    Bytes(u32),
    /// [`Limits::nodes`]
    #[error("the page makes more than {0} nodes; parsing stopped there")]
    Nodes(u32),
    /// [`Limits::depth`]
    #[error("elements are nested more than {0} deep; deeper ones became siblings")]
    Depth(u32),
    /// [`Limits::attributes`]
    #[error("an element has more than {0} attributes; the rest was left out")]
    Attributes(u32),
    /// [`Limits::deadline`]
    #[error("the page took longer than it may; parsing stopped there (give it more time to read it all)")]
    Time,
}

impl Limit {
    /// The severity: lost content, lost attributes, or only lost structure.
    pub(crate) fn severity(self) -> u8 {
        match self {
            Limit::Time => 5,
            Limit::Bytes(_) => 4,
            Limit::Nodes(_) => 3,
            Limit::Attributes(_) => 2,
            Limit::Depth(_) => 1,
        }
    }
}
