//! The document: what a page says, without the page.
//!
//! A [`Document`] borrows nothing from the tree it came from; each piece still records where it stood. Pieces nest at
//! most [`MAX_NESTING`] deep and inline content at most [`MAX_INLINE_NESTING`], so both can be walked and dropped by
//! plain recursion.

mod compose;
pub(crate) mod from_regions;
mod inline;
mod layout;
pub(crate) mod markup;
mod paths;
mod piece;
mod plain_text;
mod posts;
mod preformatted;
mod urls;
mod visit;

use tamis_html::Span;

use crate::classify::PageType;
use crate::metadata::Metadata;

pub use compose::{ComposeOptions, compose};
pub use inline::{Inline, Style};
pub use paths::Paths;
pub use piece::{Definition, Formula, Image, Kind, ListItem, Piece, TableCell, TableRow};
pub use plain_text::plain_text;
pub use posts::{Comment, Entry, Post, Quoted};

pub(crate) use inline::inline_text;
pub(crate) use urls::{Urls, is_safe_url};

/// Maximum nesting of pieces. What a page nests deeper stays at this depth.
pub const MAX_NESTING: usize = 16;

/// Maximum nesting of inline content.
pub const MAX_INLINE_NESTING: usize = 8;

/// The main text of a page with its metadata.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct Document {
    /// The URL of the page.
    pub url: Option<String>,
    /// Title, dates, authors and so on.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub metadata: Metadata,
    /// The kind of page.
    pub page_type: PageType,
    /// The probability of that kind.
    pub page_type_probability: f32,
    /// Calibrated estimate of the quality of the text, from 0 to 1.
    pub confidence: f32,
    /// The main text as plain text: one block per line.
    pub text: String,
    /// The main text with its structure.
    pub content: Vec<Piece>,
    /// Reader comments, if requested.
    pub comments: Vec<Comment>,
    /// The posts of a thread.
    pub posts: Vec<Post>,
    /// The entries of a listing.
    pub entries: Vec<Entry>,
    /// Text hidden by markup, if requested.
    pub hidden: Vec<HiddenPassage>,
    /// What rules of the user for the site did to the text; nothing without such rules.
    pub site_rules: Option<String>,
    /// The WHATWG name of the encoding, if the input was bytes.
    pub encoding: Option<String>,
    /// The limit at which parsing stopped.
    pub truncated: Option<String>,
}

/// Text that markup hides from readers.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct HiddenPassage {
    /// The text.
    pub text: String,
    /// What hides it, as [`HiddenBy::name`](crate::page::HiddenBy::name).
    pub reason: String,
    /// The range in the source.
    #[cfg_attr(feature = "serde", serde(with = "span_as_pair"))]
    pub span: Span,
}

/// Serializes spans as `[start, end]`.
#[cfg(feature = "serde")]
pub(crate) mod span_as_pair {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use tamis_html::Span;

    pub(crate) fn serialize<S: Serializer>(span: &Span, serializer: S) -> Result<S::Ok, S::Error> {
        [span.start, span.end].serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Span, D::Error> {
        <[u32; 2]>::deserialize(deserializer).map(|[start, end]| Span { start, end })
    }
}
