//! What stands inside a line: words, and what is said about them.

use super::{Formula, Image};

/// A stretch of inline content.
///
/// ```
/// use tamis::{Judgement, Page, assemble, document::{Inline, Kind, Style}};
///
/// let document = assemble(&Page::parse("<p>It <b>rained</b>."), &Judgement::of([true]));
/// let Kind::Paragraph { content } = &document.content[0].kind else { panic!("no paragraph") };
/// let bold = Inline::Styled { style: Style::Strong, content: vec![Inline::text("rained")] };
/// assert_eq!(*content, [Inline::text("It "), bold.clone(), Inline::text(".")]);
/// assert_eq!(bold.content(), [Inline::text("rained")]);
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "type", rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Inline {
    /// Words. White space is folded to single spaces.
    Text {
        /// The words.
        text: String,
    },
    /// Words with a look or meaning of their own.
    Styled {
        /// Which.
        style: Style,
        /// The words.
        content: Vec<Inline>,
    },
    /// Code inside a line.
    Code {
        /// The code.
        text: String,
    },
    /// A link.
    Link {
        /// Where it leads, resolved where the page's own address is known.
        href: String,
        /// Its words.
        content: Vec<Inline>,
    },
    /// A picture inside a line.
    Image(Image),
    /// A formula inside a line.
    Formula(Formula),
    /// A new line inside the paragraph.
    Break,
    /// A call of a footnote.
    FootnoteRef {
        /// The [label](super::Kind::Footnote::label) of the footnote.
        label: String,
        /// The words of the call, as a rule a number.
        content: Vec<Inline>,
    },
}

/// How words are set apart from those around them.
///
/// ```
/// use tamis::{Judgement, Page, assemble, document::{Inline, Kind, Style}};
///
/// let document = assemble(&Page::parse("<p><i>a</i><del>b</del><sub>c</sub>"), &Judgement::of([true]));
/// let Kind::Paragraph { content } = &document.content[0].kind else { panic!("no paragraph") };
/// let styles: Vec<_> = content.iter().filter_map(|inline| match inline {
///     Inline::Styled { style, .. } => Some(*style),
///     _ => None,
/// }).collect();
/// assert_eq!(styles, [Style::Emphasis, Style::Strike, Style::Subscript]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Style {
    /// `em`, `i` and their like.
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
    /// `q`. The quotation marks are the reader's to add.
    Quotation,
}

impl Inline {
    /// Words without a style.
    pub fn text(text: impl Into<String>) -> Inline {
        Inline::Text { text: text.into() }
    }

    /// The inline content inside it.
    pub fn content(&self) -> &[Inline] {
        match self {
            Inline::Styled { content, .. }
            | Inline::Link { content, .. }
            | Inline::FootnoteRef { content, .. } => content,
            _ => &[],
        }
    }

    /// Adds its words to `text`; a line break is a line end.
    ///
    /// ```
    /// use tamis::document::Inline;
    ///
    /// let mut text = String::new();
    /// let link = Inline::Link { href: "/".into(), content: vec![Inline::text("home"), Inline::Break] };
    /// link.add_text_to(&mut text);
    /// assert_eq!(text, "home\n");
    /// ```
    pub fn add_text_to(&self, text: &mut String) {
        match self {
            Inline::Text { text: words } | Inline::Code { text: words } => text.push_str(words),
            Inline::Formula(formula) => text.push_str(formula.source()),
            Inline::Break => text.push('\n'),
            Inline::Image(_) => {}
            Inline::Styled { content, .. }
            | Inline::Link { content, .. }
            | Inline::FootnoteRef { content, .. } => {
                for inline in content {
                    inline.add_text_to(text);
                }
            }
        }
    }
}

/// The words of inline content.
pub(crate) fn plain(content: &[Inline]) -> String {
    let mut text = String::new();
    for inline in content {
        inline.add_text_to(&mut text);
    }
    text
}
