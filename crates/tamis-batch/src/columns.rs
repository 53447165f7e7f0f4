//! The columns of a row, and which of them are wanted.

use std::str::FromStr;

/// A column of the output.
///
/// ```
/// use tamis_batch::Column;
///
/// assert_eq!("markdown".parse(), Ok(Column::Markdown));
/// assert_eq!(Column::ALL[0].name(), "url");
/// let unknown = "colour".parse::<Column>().unwrap_err();
/// assert!(unknown.to_string().contains("url, host"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Column {
    /// Where the page comes from.
    Url,
    /// The host of that address.
    Host,
    /// The status with which the server answered.
    Status,
    /// When it was fetched.
    Fetched,
    /// The title.
    Title,
    /// When it was published, as ISO 8601 with as many parts as the page gives.
    Published,
    /// Who wrote it.
    Authors,
    /// Who published it, or from where it was taken over.
    Source,
    /// The language, as a BCP 47 tag.
    Language,
    /// What kind of page it is.
    PageType,
    /// How sure the extraction is, from 0 to 1.
    Confidence,
    /// The main text.
    Text,
    /// The main text as Markdown.
    Markdown,
    /// All blocks of the page, kept or not.
    Blocks,
    /// The method that judged the blocks.
    Method,
    /// The digest of the model of one's own that decided; nothing where it was the one that comes with the version.
    Model,
    /// The version of the program.
    Version,
    /// What went wrong.
    Error,
}

/// There is no such column.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no column {name:?}: the columns are {}", names())]
pub struct UnknownColumn {
    /// What was asked for.
    pub name: String,
}

fn names() -> String {
    Column::ALL.map(Column::name).join(", ")
}

impl Column {
    /// All of them, in the order in which they are written.
    pub const ALL: [Column; 18] = [
        Column::Url,
        Column::Host,
        Column::Status,
        Column::Fetched,
        Column::Title,
        Column::Published,
        Column::Authors,
        Column::Source,
        Column::Language,
        Column::PageType,
        Column::Confidence,
        Column::Text,
        Column::Markdown,
        Column::Blocks,
        Column::Method,
        Column::Model,
        Column::Version,
        Column::Error,
    ];

    /// As it is called in every output.
    pub fn name(self) -> &'static str {
        match self {
            Column::Url => "url",
            Column::Host => "host",
            Column::Status => "status",
            Column::Fetched => "fetched",
            Column::Title => "title",
            Column::Published => "published",
            Column::Authors => "authors",
            Column::Source => "source",
            Column::Language => "language",
            Column::PageType => "page_type",
            Column::Confidence => "confidence",
            Column::Text => "text",
            Column::Markdown => "markdown",
            Column::Blocks => "blocks",
            Column::Method => "method",
            Column::Model => "model",
            Column::Version => "version",
            Column::Error => "error",
        }
    }
}

impl FromStr for Column {
    type Err = UnknownColumn;

    fn from_str(name: &str) -> Result<Column, UnknownColumn> {
        let found = Column::ALL.into_iter().find(|column| column.name() == name);
        found.ok_or_else(|| UnknownColumn { name: name.to_owned() })
    }
}

/// A choice of columns. What is not wanted is not worked out either.
///
/// ```
/// use tamis_batch::{Column, Columns};
///
/// let columns = Columns::of(&[Column::Text, Column::Url]);
/// assert_eq!(columns.iter().collect::<Vec<_>>(), [Column::Url, Column::Text]);
/// assert!(Columns::default().has(Column::Blocks));
/// assert!(!Columns::default().without(&[Column::Blocks]).has(Column::Blocks));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Columns(u32);

impl Default for Columns {
    fn default() -> Self {
        Columns::of(&Column::ALL)
    }
}

impl Columns {
    /// These columns, in the order in which they are always written.
    pub fn of(columns: &[Column]) -> Columns {
        Columns(columns.iter().fold(0, |all, column| all | 1 << (*column as u8)))
    }

    /// Is it wanted?
    pub fn has(self, column: Column) -> bool {
        self.0 & 1 << (column as u8) != 0
    }

    /// These and one more.
    #[must_use]
    pub(crate) fn with(self, column: Column) -> Columns {
        Columns(self.0 | 1 << (column as u8))
    }

    /// These without some.
    #[must_use]
    pub fn without(self, columns: &[Column]) -> Columns {
        Columns(self.0 & !Columns::of(columns).0)
    }

    /// The wanted ones, in order.
    pub fn iter(self) -> impl Iterator<Item = Column> {
        Column::ALL.into_iter().filter(move |column| self.has(*column))
    }
}
