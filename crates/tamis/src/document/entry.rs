//! The entries of a listing, as a document keeps them: without the page they were found on.

use tamis_html::{Name, Span};

use crate::assemble::Address;
use crate::entries;
use crate::page::Page;
use crate::paths::Paths;

/// One thing that a listing leads to.
///
/// ```
/// use tamis::document::Entry;
///
/// let teaser = |n: u32, title: &str| format!(
///     "<div><h2><a href=/{n}>{title}</a></h2><p>{title}, says the council: the works begin in May.</p></div>");
/// let html: String = ["Harbour dues go up", "Ferry back on Monday", "New bridge for the mill", "Rain until Thursday"]
///     .iter().zip(1..).map(|(title, n)| teaser(n, title)).collect();
/// let document = tamis::Extractor::new().url("https://example.org/").extract(&format!("<h1>News</h1>{html}"));
/// let entry: &Entry = &document.entries[1];
/// assert_eq!((entry.title.as_str(), entry.url.as_deref()), ("Ferry back on Monday", Some("https://example.org/2")));
/// assert_eq!(entry.text, "Ferry back on Monday, says the council: the works begin in May.");
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Entry {
    /// What it is called.
    pub title: String,
    /// Where it leads.
    pub url: Option<String>,
    /// What is said of it, a block a line.
    pub text: String,
    /// The XPath of its element, as [`Piece::path`](super::Piece::path).
    pub path: String,
    /// Where its element stands in the source of the page.
    #[cfg_attr(feature = "serde", serde(with = "super::span_as_pair"))]
    pub span: Span,
}

/// The entries of a page, of which these blocks are kept.
pub(crate) fn of(page: &Page<'_>, keep: impl Fn(usize) -> bool) -> Vec<Entry> {
    let (address, mut paths) = (Address::of(page), Paths::default());
    let found = entries::of_listing(page, keep).into_iter();
    found
        .map(|entry| Entry {
            text: entry.text(page),
            url: page.node(entry.link).attribute_named(Name::HREF).map(|href| address.resolve(&href)),
            path: paths.of(page.node(entry.element)),
            span: page.node(entry.element).span().unwrap_or(Span { start: 0, end: 0 }),
            title: entry.title,
        })
        .collect()
}
