//! Posts of a thread, reader comments and entries of a listing, as data.

use tamis_html::Span;

/// A post of a thread.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Post {
    /// Who wrote it.
    pub author: Option<String>,
    /// When, as ISO 8601.
    pub time: Option<String>,
    /// When, as the page shows it.
    pub time_text: Option<String>,
    /// Its number in the thread.
    pub number: Option<u32>,
    /// Whom it answers.
    pub reply_to: Option<String>,
    /// What it says with what it quotes, one block per line.
    pub text: String,
    /// What it says itself; none if it quotes nothing.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub own_text: Option<String>,
    /// What it quotes.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub quotes: Vec<Quoted>,
    /// The blocks of its text.
    pub blocks: Vec<u32>,
    /// The XPath of its element.
    pub path: String,
    /// The range of its element in the source.
    #[cfg_attr(feature = "serde", serde(with = "super::span_as_pair"))]
    pub span: Span,
}

/// Words of another post.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Quoted {
    /// Whose words they are.
    pub author: Option<String>,
    /// The words, one block per line.
    pub text: String,
}

/// A reader's comment.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Comment {
    /// Who wrote it.
    pub author: Option<String>,
    /// When, as ISO 8601.
    pub time: Option<String>,
    /// When, as the page shows it.
    pub time_text: Option<String>,
    /// The comment it answers, as an index into [`Document::comments`](super::Document::comments).
    pub reply_to: Option<u32>,
    /// What it says, one block per line.
    pub text: String,
    /// The blocks of its text.
    pub blocks: Vec<u32>,
    /// The XPath of its element.
    pub path: String,
    /// The range of its element in the source.
    #[cfg_attr(feature = "serde", serde(with = "super::span_as_pair"))]
    pub span: Span,
}

/// An entry of a listing.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Entry {
    /// The headline.
    pub title: String,
    /// Where it leads.
    pub url: Option<String>,
    /// Its date, as ISO 8601.
    pub date: Option<String>,
    /// The teaser, one block per line.
    pub text: String,
}
