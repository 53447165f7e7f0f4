//! The document: what a page says, without the page.
//!
//! It holds nothing of the tree it came from, so it can be kept, sent and compared; each piece still says where on
//! the page it stood. Pieces nest at most [`MAX_NESTING`] deep and inline content at most [`MAX_INLINE_NESTING`],
//! whatever the page does, so that it may be walked, written and dropped by plain recursion.

mod entry;
mod inline;
mod post;
mod words;

use tamis_html::Span;

pub use entry::Entry;
pub(crate) use entry::of as entries_of;
pub(crate) use inline::plain;
pub use inline::{Inline, Style};
pub use post::{Post, Quoted};
pub(crate) use post::{of as posts_of, written};

/// How deep pieces stand inside each other at most. What a page nests deeper stands at this depth.
///
/// ```
/// use tamis::document::MAX_NESTING;
///
/// let page = format!("{}deep", "<blockquote>".repeat(100));
/// let page = tamis::Page::parse(&page);
/// let document = tamis::assemble(&page, &tamis::Judgement::of([true]));
/// let (mut depth, mut pieces) = (0, document.content.as_slice());
/// while let [piece] = pieces {
///     depth += 1;
///     pieces = piece.parts().next().unwrap_or(&[]);
/// }
/// assert!(depth <= MAX_NESTING + 1, "the quotes, and the paragraph in them");
/// ```
pub const MAX_NESTING: usize = 16;

/// How deep inline content stands inside other inline content at most.
///
/// ```
/// use tamis::document::{Kind, MAX_INLINE_NESTING};
///
/// let page = format!("<p>{}deep", "<b><i>".repeat(100));
/// let page = tamis::Page::parse(&page);
/// let document = tamis::assemble(&page, &tamis::Judgement::of([true]));
/// let Kind::Paragraph { content } = &document.content[0].kind else { panic!("no paragraph") };
/// let (mut depth, mut inside) = (0, content.as_slice());
/// while let [inline] = inside {
///     depth += 1;
///     inside = inline.content();
/// }
/// assert!(depth <= MAX_INLINE_NESTING + 1, "the styles, and the word in them");
/// ```
pub const MAX_INLINE_NESTING: usize = 8;

/// The main text of a page with its facts.
///
/// ```
/// use tamis::{Judgement, Options, Page, assemble};
///
/// let page = Page::parse("<title>News</title><p>It <b>rained</b>.<p>Buy our boots!");
/// let document = assemble(&page, &Judgement::of([true, false]));
/// assert_eq!(document.title.as_deref(), Some("News"));
/// assert_eq!(document.to_text(&Options::default()), "It rained.\n");
/// assert_eq!(document.content[0].path, "/html/body/p[1]");
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Document {
    /// Where the page comes from.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// When it was published, as ISO 8601: as exact as the page is, with the offset where it says one.
    pub published: Option<String>,
    /// When it was changed last, as ISO 8601.
    pub modified: Option<String>,
    /// Who wrote it: names, and nothing else.
    pub authors: Vec<String>,
    /// Who edited it, where the page tells editors from authors (责任编辑).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub editors: Vec<String>,
    /// The outlet that it was taken over from, where the page says so (来源).
    pub source: Option<String>,
    /// The name of the site.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub site_name: Option<String>,
    /// The language of the text as a BCP 47 tag.
    pub language: Option<String>,
    /// The direction of the text: `ltr` or `rtl`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub direction: Option<String>,
    /// What it is about, in a sentence or two, as the page says it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub description: Option<String>,
    /// Keywords.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub tags: Vec<String>,
    /// Sections of the site that it stands in.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub categories: Vec<String>,
    /// The address of the picture that stands for it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub image: Option<String>,
    /// Under which terms it may be used: mostly an address.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub licence: Option<String>,
    /// The address that the page calls its own.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub canonical: Option<String>,
    /// The address of the page on which it goes on.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub next_page: Option<String>,
    /// The address of the page with its comments.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub comments_page: Option<String>,
    /// The addresses of the site's feeds.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub feeds: Vec<String>,
    /// What kind of page it is.
    pub page_type: Option<String>,
    /// How probable that kind is, from 0 to 1, where the method tells.
    pub page_type_probability: Option<f32>,
    /// How sure the extraction is, from 0 to 1.
    pub confidence: Option<f32>,
    /// The main text.
    pub content: Vec<Piece>,
    /// What readers wrote below it, where [asked for](crate::Extractor::comments).
    pub comments: Vec<Comment>,
    /// Where the page is a thread, its posts: who said what, and when. Their words stand in the main text as well, as far as
    /// the method keeps them.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub posts: Vec<Post>,
    /// Where the page is a listing, what it leads to; at most 10,000 entries.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub entries: Vec<Entry>,
}

/// What one reader wrote below the main text.
///
/// ```
/// use tamis::{Extractor, document::Comment};
///
/// let html = "<p>It rained in the harbour on Monday, for the first time since the spring, and the gardens were glad of \
///     it. More is expected until Thursday, says the weather office, and then a week of wind from the west.</p>\
///     <div id=comments><h3>1 comment</h3><div class=comment><cite>Ada</cite><p>Not a drop here.</p></div></div>";
/// let document = Extractor::new().comments(true).extract(html);
/// let comment: &Comment = &document.comments[0];
/// assert_eq!(comment.to_text(), "Not a drop here.\n");
/// assert_eq!(comment.author.as_deref(), Some("Ada"));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Comment {
    /// Who wrote it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub author: Option<String>,
    /// When it was written, as ISO 8601, where that could be read.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub time: Option<String>,
    /// When it was written, as the page has it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub time_text: Option<String>,
    /// The comment that it answers, as an index into [`Document::comments`].
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub reply_to: Option<u32>,
    /// What it says. Replies are comments of their own, behind the one they answer.
    pub content: Vec<Piece>,
    /// The XPath of its element, as [`Piece::path`].
    pub path: String,
    /// Where its element stands in the source of the page.
    #[cfg_attr(feature = "serde", serde(with = "span_as_pair"))]
    pub span: Span,
}

/// A piece of content: a heading, a paragraph, a list and so on.
///
/// ```
/// use tamis::{Judgement, Page, assemble, document::Kind};
///
/// let html = "<h1>Rain</h1><p>It rained.";
/// let document = assemble(&Page::parse(html), &Judgement::of([true, true]));
/// let piece = &document.content[1];
/// assert!(matches!(piece.kind, Kind::Paragraph { .. }));
/// assert_eq!((piece.path.as_str(), piece.span.of(html)), ("/html/body/p", "It rained."));
/// assert_eq!(piece.blocks, [1]);
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Piece {
    /// What it is and what it holds.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub kind: Kind,
    /// The XPath of the element it stands in. Empty where the paths of a page together would take more than
    /// 256 MiB.
    pub path: String,
    /// Where it stands in the source of the page: of text, from the first character to the last; of other pieces,
    /// their element.
    #[cfg_attr(feature = "serde", serde(with = "span_as_pair"))]
    pub span: Span,
    /// The places of its own blocks in [`Page::blocks`](crate::Page::blocks); the blocks of pieces inside it are
    /// theirs.
    pub blocks: Vec<u32>,
}

/// What a piece is.
///
/// ```
/// use tamis::{Judgement, Page, assemble, document::Kind};
///
/// let page = Page::parse("<h2>How to</h2><ol start=3><li>Stir.</ol><pre>1 + 1</pre>");
/// let document = assemble(&page, &Judgement::of([true; 3]));
/// let names: Vec<_> = document.content.iter().map(|piece| match &piece.kind {
///     Kind::Heading { level, .. } => format!("heading {level}"),
///     Kind::List { ordered: true, start, items } => format!("{} item from {start}", items.len()),
///     Kind::Code { text, .. } => text.clone(),
///     _ => "something else".to_owned(),
/// }).collect();
/// assert_eq!(names, ["heading 2", "1 item from 3", "1 + 1"]);
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "type", rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Kind {
    /// A heading.
    Heading {
        /// 1 to 6.
        level: u8,
        /// Its text.
        content: Vec<Inline>,
    },
    /// A paragraph, or any text that stands by itself.
    Paragraph {
        /// Its text.
        content: Vec<Inline>,
    },
    /// A list.
    List {
        /// Are its items numbered?
        ordered: bool,
        /// The number of the first item.
        start: u32,
        /// Its items.
        items: Vec<Item>,
    },
    /// A list of terms with their descriptions.
    Definitions {
        /// Terms and descriptions, in order.
        entries: Vec<Definition>,
    },
    /// A table.
    Table {
        /// Its caption.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
        caption: Vec<Inline>,
        /// Its rows.
        rows: Vec<Row>,
    },
    /// Preformatted text.
    Code {
        /// The language, where the page names it.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        language: Option<String>,
        /// The text with its white space, without the last line end.
        text: String,
    },
    /// Words of others.
    Quote {
        /// What is quoted.
        content: Vec<Piece>,
    },
    /// A picture that stands by itself.
    Image(Image),
    /// A formula that stands by itself.
    Formula(Formula),
    /// A footnote, where the page has it.
    Footnote {
        /// The name by which [`Inline::FootnoteRef`] calls it.
        label: String,
        /// What it says.
        content: Vec<Piece>,
    },
}

/// An item of a list.
///
/// ```
/// use tamis::{Judgement, Page, assemble, document::Kind};
///
/// let page = Page::parse("<ul><li>fruit<ul><li>pears</ul></ul>");
/// let document = assemble(&page, &Judgement::of([true, true]));
/// let Kind::List { items, .. } = &document.content[0].kind else { panic!("no list") };
/// assert_eq!(items[0].content.len(), 2, "a paragraph, and the list inside");
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Item {
    /// What it holds.
    pub content: Vec<Piece>,
}

/// A term or a description of one.
///
/// ```
/// use tamis::{Judgement, Page, assemble, document::Kind};
///
/// let page = Page::parse("<dl><dt>tamis<dd>A drum sieve.</dl>");
/// let document = assemble(&page, &Judgement::of([true, true]));
/// let Kind::Definitions { entries } = &document.content[0].kind else { panic!("no definitions") };
/// assert_eq!(entries.iter().map(|entry| entry.term).collect::<Vec<_>>(), [true, false]);
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Definition {
    /// Is it the term?
    pub term: bool,
    /// What it holds.
    pub content: Vec<Piece>,
}

/// A row of a table.
///
/// ```
/// use tamis::{Judgement, Page, assemble, document::Kind};
///
/// let page = Page::parse("<table><tr><th>Day<th>Tide<tr><td rowspan=2>1<td>high<tr><td>low</table>");
/// let document = assemble(&page, &Judgement::of([true; 5]));
/// let Kind::Table { rows, .. } = &document.content[0].kind else { panic!("no table") };
/// assert_eq!(rows.iter().map(|row| row.cells.len()).collect::<Vec<_>>(), [2, 2, 1]);
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Row {
    /// Its cells; those that a cell above reaches into are left out, as in HTML.
    pub cells: Vec<Cell>,
}

/// A cell of a table.
///
/// ```
/// use tamis::{Judgement, Page, assemble, document::Kind};
///
/// let page = Page::parse("<table><tr><th colspan=2>Tides<tr><td>high<td>low</table>");
/// let document = assemble(&page, &Judgement::of([true; 3]));
/// let Kind::Table { rows, .. } = &document.content[0].kind else { panic!("no table") };
/// let cell = &rows[0].cells[0];
/// assert_eq!((cell.header, cell.colspan, cell.rowspan), (true, 2, 1));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// Does it head a row or column?
    pub header: bool,
    /// How many columns it takes.
    pub colspan: u16,
    /// How many rows it takes.
    pub rowspan: u16,
    /// What it holds. There are no tables in it: a table that holds tables is taken apart.
    pub content: Vec<Piece>,
}

/// A picture.
///
/// ```
/// use tamis::{Judgement, Page, assemble, document::{Inline, Kind}};
///
/// let page = Page::parse("<figure><img src=/b.jpg alt='A boat'><figcaption>The ferry</figcaption></figure>")
///     .with_url("https://example.com/news/");
/// let document = assemble(&page, &Judgement::of([true]));
/// let Kind::Image(image) = &document.content[0].kind else { panic!("no picture") };
/// assert_eq!((image.src.as_str(), image.alt.as_str()), ("https://example.com/b.jpg", "A boat"));
/// assert_eq!(image.caption, [Inline::text("The ferry")]);
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Image {
    /// Its address, resolved where the page's own is known.
    pub src: String,
    /// What it shows, for those who do not see it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "String::is_empty"))]
    pub alt: String,
    /// The words below it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub caption: Vec<Inline>,
}

/// A formula.
///
/// ```
/// use tamis::document::Formula;
///
/// let mut formula = Formula { text: "x2".into(), ..Formula::default() };
/// assert_eq!(formula.source(), "x2");
/// formula.tex = Some("x^2".into());
/// assert_eq!(formula.source(), "x^2");
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Formula {
    /// As TeX, where the page has it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub tex: Option<String>,
    /// As MathML, where the page has it: one `math` element, well-formed as XML.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub mathml: Option<String>,
    /// As the block of the page has it, in bare characters.
    pub text: String,
    /// Does it stand on a line of its own?
    pub display: bool,
}

impl Formula {
    /// The TeX, or else the bare characters.
    pub fn source(&self) -> &str {
        self.tex.as_deref().unwrap_or(&self.text)
    }
}

impl Document {
    /// The first piece for which `test` holds, looking into lists, quotes and tables as well.
    ///
    /// ```
    /// use tamis::{Judgement, Page, assemble, document::Kind};
    ///
    /// let page = Page::parse("<ul><li>a<pre>b</pre></ul>");
    /// let document = assemble(&page, &Judgement::of([true, true]));
    /// assert!(document.find(|piece| matches!(piece.kind, Kind::Code { .. })).is_some());
    /// ```
    pub fn find(&self, test: impl Fn(&Piece) -> bool) -> Option<&Piece> {
        find(&self.content, &test)
    }
}

fn find<'a>(pieces: &'a [Piece], test: &impl Fn(&Piece) -> bool) -> Option<&'a Piece> {
    pieces
        .iter()
        .find_map(|piece| if test(piece) { Some(piece) } else { piece.parts().find_map(|p| find(p, test)) })
}

impl Piece {
    /// The pieces inside it, in order: one slice for each item, cell and so on.
    ///
    /// ```
    /// use tamis::{Judgement, Page, assemble};
    ///
    /// let page = Page::parse("<ol><li>a<li>b</ol>");
    /// let document = assemble(&page, &Judgement::of([true, true]));
    /// assert_eq!(document.content[0].parts().count(), 2);
    /// ```
    pub fn parts(&self) -> Box<dyn Iterator<Item = &[Piece]> + '_> {
        match &self.kind {
            Kind::List { items, .. } => Box::new(items.iter().map(|item| item.content.as_slice())),
            Kind::Definitions { entries } => Box::new(entries.iter().map(|entry| entry.content.as_slice())),
            Kind::Table { rows, .. } => {
                Box::new(rows.iter().flat_map(|row| &row.cells).map(|cell| cell.content.as_slice()))
            }
            Kind::Quote { content } | Kind::Footnote { content, .. } => {
                Box::new(std::iter::once(content.as_slice()))
            }
            Kind::Heading { .. }
            | Kind::Paragraph { .. }
            | Kind::Code { .. }
            | Kind::Image(_)
            | Kind::Formula(_) => Box::new(std::iter::empty()),
        }
    }
}

/// Spans as `[start, end]`.
#[cfg(feature = "serde")]
mod span_as_pair {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use tamis_html::Span;

    pub(super) fn serialize<S: Serializer>(span: &Span, to: S) -> Result<S::Ok, S::Error> {
        [span.start, span.end].serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Span, D::Error> {
        <[u32; 2]>::deserialize(from).map(|[start, end]| Span { start, end })
    }
}
