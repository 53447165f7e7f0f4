//! The fields of a record: one table of their names, values and Arrow types.

use std::fmt;
use std::str::FromStr;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::links;
use crate::post_record::posts;
use crate::record::{Record, VERSION};
use crate::time;

/// The type of a field's column. Columns are built from the field's JSON value.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "arrow"), allow(dead_code, reason = "only tables have types"))]
pub(crate) enum Shape {
    Text,
    Integer,
    Long,
    Float,
    Truth,
    /// A timestamp in UTC.
    Time,
    /// A date as precise as the page: its text, and columns for timestamp and precision.
    Date,
    /// JSON, for values that nest without bound.
    Json,
    List(&'static Shape),
    Struct(&'static [(&'static str, Shape)]),
}

use Shape::{Date, Float, Integer, Json, List, Long, Struct, Text, Time, Truth};

const TEXTS: Shape = List(&Text);
const SPAN: (&str, Shape) = ("span", List(&Long));
const BLOCK_NUMBERS: (&str, Shape) = ("blocks", List(&Integer));
const EVIDENCE: Shape = List(&Struct(&[("field", Text), ("evidence", Text), ("confidence", Float)]));
const QUOTES: Shape = List(&Struct(&[("author", Text), ("text", Text)]));
const POSTS: Shape = List(&Struct(&[
    ("author", Text),
    ("time", Text),
    ("time_text", Text),
    ("number", Integer),
    ("reply_to", Text),
    ("text", Text),
    ("own_text", Text),
    ("quotes", QUOTES),
    BLOCK_NUMBERS,
    ("path", Text),
    SPAN,
]));
const COMMENTS: Shape = List(&Struct(&[
    ("author", Text),
    ("time", Text),
    ("time_text", Text),
    ("reply_to", Integer),
    ("text", Text),
    BLOCK_NUMBERS,
    ("path", Text),
    SPAN,
]));
const ENTRIES: Shape = List(&Struct(&[("title", Text), ("url", Text), ("date", Text), ("text", Text)]));
const HIDDEN: Shape = List(&Struct(&[("text", Text), ("reason", Text), SPAN]));
const LINKS: Shape = List(&Struct(&[("url", Text), ("text", Text)]));
const IMAGES: Shape = List(&Struct(&[("url", Text), ("alt", Text), ("caption", Text)]));
const BLOCKS: Shape = List(&Struct(&[
    ("text", Text),
    ("kind", Text),
    ("path", Text),
    SPAN,
    ("score", Float),
    ("kept", Truth),
    ("comment", Text),
]));

const CHUNKS: Shape = List(&Struct(&[("text", Text), ("headings", TEXTS), ("size", Long), SPAN]));

/// The source of a field, which determines what has to be computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// The input or the classification.
    Little,
    /// The whole document.
    Document,
}

use Needs::{Document, Little};

macro_rules! fields {
    ($record:ident, $document:ident; $($variant:ident $name:literal $shape:expr, $needs:ident, $doc:literal: $value:expr;)*) => {
        /// A field of a [`Record`].
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        pub enum RecordField { $(#[doc = $doc] $variant),* }

        impl RecordField {
            /// All fields, in the order of output.
            pub const ALL: &[RecordField] = &[$(RecordField::$variant),*];

            /// The name in every output.
            pub fn name(self) -> &'static str {
                match self { $(RecordField::$variant => $name),* }
            }

            /// A one-line description.
            pub fn description(self) -> &'static str {
                match self { $(RecordField::$variant => $doc.trim_ascii()),* }
            }

            #[cfg_attr(not(feature = "arrow"), allow(dead_code, reason = "only tables have types"))]
            pub(crate) fn shape(self) -> Shape {
                match self { $(RecordField::$variant => $shape),* }
            }

            fn needs(self) -> Needs {
                match self { $(RecordField::$variant => $needs),* }
            }

            /// Adds the field to a JSON object.
            pub(crate) fn serialize<M: SerializeMap>(self, record: &Record, map: &mut M) -> Result<(), M::Error> {
                let $record = record;
                let $document = record.document.as_ref();
                match self { $(RecordField::$variant => map.serialize_entry($name, &$value)),* }
            }
        }
    };
}

// A new field is one line here. `document` is `None` if the page failed; its fields are then null.
fields! { record, document;
    Schema "schema" Integer, Little, "The version of this schema.": tamis::render::SCHEMA;
    Id "id" Text, Little, "What identifies the page in the input: its `id` field or WARC-Record-ID.": record.id;
    Path "path" Text, Little, "The file that the page was read from.": record.path;
    Offset "offset" Long, Little, "Where it stands in that file: a byte offset, in Parquet a row number.": record.offset;
    Url "url" Text, Little, "The URL of the page.": record.url;
    Host "host" Text, Little, "The host of that URL.": record.host;
    Status "status" Integer, Little, "The HTTP status.": record.status;
    Fetched "fetched" Time, Little, "When the page was fetched.": record.fetched.and_then(time::write);
    Title "title" Text, Document, "The headline, without the name of the site.": document.map(|it| &it.metadata.title);
    Published "published" Date, Document, "When the piece was published, as precise as the page says.": document.map(|it| it.metadata.published);
    Modified "modified" Date, Document, "When it was changed, if it says so.": document.map(|it| it.metadata.modified);
    Authors "authors" TEXTS, Document, "Names of people who wrote it.": document.map(|it| &it.metadata.authors);
    Editors "editors" TEXTS, Document, "Names of people who edited it.": document.map(|it| &it.metadata.editors);
    Byline "byline" Text, Document, "The author as the page has it, where that is not a list of names.": document.map(|it| &it.metadata.byline);
    Organisation "organisation" Text, Document, "The organisation that is named as the author.": document.map(|it| &it.metadata.organisation);
    Source "source" Text, Document, "The outlet that the piece was taken from.": document.map(|it| &it.metadata.source);
    SiteName "site_name" Text, Document, "What the site calls itself.": document.map(|it| &it.metadata.site_name);
    Language "language" Text, Document, "The language of the main text as a BCP 47 tag.": document.map(|it| &it.metadata.language);
    Direction "direction" Text, Document, "The direction of writing: `ltr` or `rtl`.": document.map(|it| it.metadata.direction);
    Description "description" Text, Document, "The page's own summary.": document.map(|it| &it.metadata.description);
    Tags "tags" TEXTS, Document, "Keywords.": document.map(|it| &it.metadata.tags);
    Categories "categories" TEXTS, Document, "Sections of the site.": document.map(|it| &it.metadata.categories);
    Image "image" Text, Document, "The URL of the main image.": document.map(|it| &it.metadata.image);
    Licence "licence" Text, Document, "The licence, by URL or by name.": document.map(|it| &it.metadata.licence);
    Canonical "canonical" Text, Document, "The URL that the page gives as its own.": document.map(|it| &it.metadata.canonical);
    NextPage "next_page" Text, Document, "The next page of the same piece.": document.map(|it| &it.metadata.next_page);
    CommentsPage "comments_page" Text, Document, "The page with the readers' comments, if it is another one.": document.map(|it| &it.metadata.comments_page);
    Feeds "feeds" TEXTS, Document, "URLs of feeds.": document.map(|it| &it.metadata.feeds);
    Evidence "evidence" EVIDENCE, Document, "Where metadata was found, and how sure it is.": document.map(|it| &it.metadata.evidence);
    PageType "page_type" Text, Little, "The kind of page: article, forum, listing, product, documentation, other.": document.map(|it| it.page_type);
    PageTypeProbability "page_type_probability" Float, Little, "The probability of that kind.": document.map(|it| it.page_type_probability);
    Confidence "confidence" Float, Little, "How good the text is expected to be, from 0 to 1; null for other methods than the default.": record.confidence();
    Text "text" Text, Little, "The main text, one block per line.": document.map(|it| &it.text);
    Content "content" Json, Document, "The main text with its structure.": document.map(|it| &it.content);
    Links "links" LINKS, Document, "The links of the main text.": document.map(|it| links::links(&it.content));
    Images "images" IMAGES, Document, "The images of the main text.": document.map(|it| links::images(&it.content));
    Comments "comments" COMMENTS, Document, "Reader comments.": document.map(|it| &it.comments);
    Posts "posts" POSTS, Document, "The posts of a thread.": document.map(|it| posts(&it.posts));
    Entries "entries" ENTRIES, Document, "The entries of a listing.": document.map(|it| &it.entries);
    Hidden "hidden" HIDDEN, Document, "Text hidden by markup, if it was asked for.": document.map(|it| &it.hidden);
    SiteRules "site_rules" Text, Little, "What rules of the user for the site did to the text.": document.map(|it| &it.site_rules);
    Encoding "encoding" Text, Little, "The encoding, if the input was bytes.": document.map(|it| &it.encoding);
    Truncated "truncated" Text, Little, "The limit at which reading the page stopped.": document.map(|it| &it.truncated);
    Markdown "markdown" Text, Document, "The main text as Markdown.": document.map(|it| record.markdown(it));
    Html "html" Text, Document, "The main text as clean HTML.": document.map(|it| it.to_html());
    Xml "xml" Text, Document, "The document as XML.": document.map(|it| it.to_xml());
    Tei "tei" Text, Document, "The document as TEI.": document.map(|it| it.to_tei());
    Chunks "chunks" CHUNKS, Document, "The main text in chunks for retrieval.": record.chunks;
    Blocks "blocks" BLOCKS, Document, "Every block of the page, kept or not.": record.blocks;
    Method "method" Text, Little, "The method that classified the blocks.": record.method;
    Model "model" Text, Little, "The digest of a custom model; null for the built-in one.": record.model;
    Version "version" Text, Little, "The version of Tamis.": VERSION;
    Error "error" Text, Little, "What went wrong.": record.error;
}

/// Unknown field.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown field {name:?}; the fields are {}", Fields::ALL)]
pub struct UnknownField {
    /// The requested name.
    pub name: String,
}

impl FromStr for RecordField {
    type Err = UnknownField;

    fn from_str(name: &str) -> Result<RecordField, UnknownField> {
        let found = RecordField::ALL.iter().find(|field| field.name() == name.trim());
        found.copied().ok_or_else(|| UnknownField { name: name.trim().to_owned() })
    }
}

/// A set of fields. Others are not computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fields(u64);

impl Default for Fields {
    /// All but `blocks`, `chunks` and rendered forms.
    fn default() -> Self {
        use RecordField::{Blocks, Chunks, Html, Markdown, Tei, Xml};
        Fields::ALL.without(&[Markdown, Html, Xml, Tei, Chunks, Blocks])
    }
}

impl Fields {
    /// Every field.
    pub const ALL: Fields = Fields(u64::MAX >> (64 - RecordField::ALL.len()));

    /// These fields, in the order of output.
    pub fn of(fields: &[RecordField]) -> Fields {
        Fields(fields.iter().fold(0, |all, field| all | 1 << (*field as u8)))
    }

    /// Whether a field is chosen.
    pub fn has(self, field: RecordField) -> bool {
        self.0 & 1 << (field as u8) != 0
    }

    /// The union with other fields.
    #[must_use]
    pub fn with(self, fields: &[RecordField]) -> Fields {
        Fields(self.0 | Fields::of(fields).0)
    }

    /// These fields without others.
    #[must_use]
    pub fn without(self, fields: &[RecordField]) -> Fields {
        Fields(self.0 & !Fields::of(fields).0)
    }

    /// The chosen fields, in order.
    pub fn iter(self) -> impl Iterator<Item = RecordField> {
        RecordField::ALL.iter().copied().filter(move |field| self.has(*field))
    }

    /// Whether any of them needs more than the classification and the plain text.
    pub(crate) fn need_document(self) -> bool {
        self.iter().any(|field| field.needs() == Document)
    }
}

impl FromIterator<RecordField> for Fields {
    fn from_iter<I: IntoIterator<Item = RecordField>>(fields: I) -> Fields {
        Fields::of(&fields.into_iter().collect::<Vec<_>>())
    }
}

impl FromStr for Fields {
    type Err = UnknownField;

    /// Names, separated by commas.
    fn from_str(names: &str) -> Result<Fields, UnknownField> {
        names.split(',').map(str::parse).collect()
    }
}

impl fmt::Display for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, field) in self.iter().enumerate() {
            write!(f, "{}{}", if number == 0 { "" } else { ", " }, field.name())?;
        }
        Ok(())
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(RecordField::name))
    }
}
