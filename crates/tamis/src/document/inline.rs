//! Inline content: the text of a line with its links and markup.

use super::{Formula, Image};

/// Inline content.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "type", rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Inline {
    /// Text, with whitespace collapsed.
    Text {
        /// The text.
        text: String,
    },
    /// Text with markup.
    Styled {
        /// The markup.
        style: Style,
        /// What is inside.
        content: Vec<Inline>,
    },
    /// Code.
    Code {
        /// The code.
        text: String,
    },
    /// A link.
    Link {
        /// The URL, absolute where the page's URL is known.
        href: String,
        /// The anchor text.
        content: Vec<Inline>,
    },
    /// A picture.
    Image(Box<Image>),
    /// A formula.
    Formula(Box<Formula>),
    /// A line break.
    Break,
    /// A footnote reference.
    FootnoteRef {
        /// The label of the footnote.
        label: String,
        /// What the page shows, mostly a number.
        content: Vec<Inline>,
    },
}

/// Markup of inline text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Style {
    /// `em`, `i`, `cite`, `dfn`, `var`.
    Emphasis,
    /// `strong`, `b`.
    Strong,
    /// `s`, `del`.
    Strike,
    /// `u`, `ins`.
    Underline,
    /// `mark`.
    Mark,
    /// `sub`.
    Subscript,
    /// `sup`.
    Superscript,
    /// `q`, without quotation marks.
    Quotation,
    /// `ruby`: base text with annotations inside.
    Ruby,
    /// `rt`: a ruby annotation, without parentheses.
    RubyText,
}

impl Inline {
    /// Plain text.
    pub fn text(text: impl Into<String>) -> Inline {
        Inline::Text { text: text.into() }
    }

    /// The inline content inside.
    pub fn content(&self) -> &[Inline] {
        match self {
            Inline::Styled { content, .. }
            | Inline::Link { content, .. }
            | Inline::FootnoteRef { content, .. } => content,
            _ => &[],
        }
    }
}

/// The text of inline content; line breaks become spaces, and ruby annotations are left out.
pub(crate) fn inline_text(content: &[Inline]) -> String {
    let mut text = String::new();
    push_inline_text(content, &mut text);
    text
}

fn push_inline_text(content: &[Inline], out: &mut String) {
    for inline in content {
        match inline {
            Inline::Text { text } | Inline::Code { text } => out.push_str(text),
            Inline::Formula(formula) => out.push_str(formula.source()),
            Inline::Break => out.push(' '),
            Inline::Image(_) | Inline::Styled { style: Style::RubyText, .. } => {}
            inline => push_inline_text(inline.content(), out),
        }
    }
}
