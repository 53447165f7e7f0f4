//! Pieces: headings, paragraphs, lists, tables and so on.

use tamis_html::Span;

use super::Inline;

/// A piece of content.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Piece {
    /// What it is and what it holds.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub kind: Kind,
    /// The XPath of its element. Empty once the paths of a document exceed several times the page in total.
    pub path: String,
    /// The range in the source: of text from the first character to the last, of anything else with its tags.
    #[cfg_attr(feature = "serde", serde(with = "super::span_as_pair"))]
    pub span: Span,
    /// Its own kept blocks; those of pieces inside are theirs.
    pub blocks: Vec<u32>,
}

/// Kinds of pieces.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "type", rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Kind {
    /// A heading.
    Heading {
        /// 1 for the title of the document, if the text starts with it; else 2 to 6, without gaps.
        level: u8,
        /// The text.
        content: Vec<Inline>,
    },
    /// A paragraph, or any text that stands by itself.
    Paragraph {
        /// The text.
        content: Vec<Inline>,
    },
    /// A list.
    List {
        /// Whether items are numbered.
        ordered: bool,
        /// The number of the first item.
        start: u32,
        /// The items.
        items: Vec<ListItem>,
    },
    /// A list of terms with their descriptions.
    Definitions {
        /// Terms and descriptions, in order.
        entries: Vec<Definition>,
    },
    /// A data table. Layout tables are taken apart.
    Table {
        /// The caption.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
        caption: Vec<Inline>,
        /// The rows.
        rows: Vec<TableRow>,
    },
    /// Preformatted text.
    Code {
        /// The programming language, if named.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        language: Option<String>,
        /// The text with its whitespace, without the last line end.
        text: String,
    },
    /// A quotation.
    Quote {
        /// The URL of what is quoted, if given.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        cite: Option<String>,
        /// What is quoted, and who said it if that is marked.
        content: Vec<Piece>,
    },
    /// A picture with its caption.
    Image(Image),
    /// A formula on a line of its own.
    Formula(Formula),
    /// A footnote.
    Footnote {
        /// The label by which [`Inline::FootnoteRef`] refers to it.
        label: String,
        /// What it says.
        content: Vec<Piece>,
    },
    /// A thematic break.
    Rule,
}

/// An item of a list.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ListItem {
    /// In task lists, whether it is done.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub checked: Option<bool>,
    /// What it holds.
    pub content: Vec<Piece>,
}

/// A term or a description.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Definition {
    /// Whether it is a term.
    pub term: bool,
    /// What it holds.
    pub content: Vec<Piece>,
}

/// A row of a table.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TableRow {
    /// The cells; as in HTML, those covered from above are left out.
    pub cells: Vec<TableCell>,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TableCell {
    /// Whether it heads a row or column.
    pub header: bool,
    /// How many columns it covers.
    pub colspan: u16,
    /// How many rows it covers.
    pub rowspan: u16,
    /// What it holds; never a table.
    pub content: Vec<Piece>,
}

/// A picture.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Image {
    /// The URL, absolute where the page's URL is known.
    pub src: String,
    /// Alternative text.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "String::is_empty"))]
    pub alt: String,
    /// Caption and credit.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub caption: Vec<Inline>,
}

/// A formula.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Formula {
    /// As TeX.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub tex: Option<String>,
    /// As bare characters.
    pub text: String,
    /// Whether it stands on a line of its own.
    pub display: bool,
}

impl Formula {
    /// The TeX, or else the bare characters.
    pub fn source(&self) -> &str {
        self.tex.as_deref().unwrap_or(&self.text)
    }
}

impl Piece {
    /// The pieces inside, in order: one slice for each item, cell and so on.
    pub fn parts(&self) -> Box<dyn Iterator<Item = &[Piece]> + '_> {
        match &self.kind {
            Kind::List { items, .. } => Box::new(items.iter().map(|item| item.content.as_slice())),
            Kind::Definitions { entries } => Box::new(entries.iter().map(|entry| entry.content.as_slice())),
            Kind::Table { rows, .. } => {
                Box::new(rows.iter().flat_map(|row| &row.cells).map(|cell| cell.content.as_slice()))
            }
            Kind::Quote { content, .. } | Kind::Footnote { content, .. } => {
                Box::new(std::iter::once(content.as_slice()))
            }
            _ => Box::new(std::iter::empty()),
        }
    }

    /// The first kept block in the piece or in the pieces inside.
    pub(crate) fn first_block(&self) -> Option<u32> {
        let own = self.blocks.first().copied();
        own.or_else(|| self.parts().flatten().find_map(Piece::first_block))
    }
}
