//! Source spans.

use std::ops::Range;

/// A span of the source text, in bytes. Both ends are character boundaries.
///
/// ```
/// let page = "<p>some <b>bold</b> words";
/// let dom = tamis_html::parse(page);
/// let b = dom.descendants().find(|node| node.name() == Some("b")).unwrap();
/// let span = b.span().unwrap();
/// assert_eq!(span.of(page), "<b>bold</b>");
/// assert_eq!(&page[span.range()], "<b>bold</b>");
/// assert_eq!((span.len(), span.is_empty()), (11, false));
/// assert_eq!(span.of("another text"), "", "out of range");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The end, exclusive.
    pub end: u32,
}

impl Span {
    pub(crate) fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// The slice of `source`; empty if the span is out of range.
    pub fn of(self, source: &str) -> &str {
        source.get(self.range()).unwrap_or("")
    }

    /// As a range for slicing.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        self.range().len()
    }

    /// Whether the span is empty.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }
}
