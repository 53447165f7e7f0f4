//! The document in the forms that people read and programs take in.
//!
//! Plain text, Markdown and HTML are for reading and follow [`Options`]; JSON, XML and TEI hold everything that the
//! document has.

mod html;
#[cfg(feature = "serde")]
mod json;
mod markdown;
mod posts;
mod tags;
mod tei;
mod text;
mod uri;
mod xml;

use crate::document::{Comment, Document, Kind, Piece};

#[cfg(feature = "serde")]
pub use json::SCHEMA;

/// What goes into plain text, Markdown and HTML beside the words.
///
/// ```
/// use tamis::{Judgement, Options, Page, assemble};
///
/// let page = Page::parse("<p>See <a href='https://example.org/'>there</a>.");
/// let document = assemble(&page, &Judgement::of([true]));
/// assert_eq!(document.to_markdown(&Options::default()), "See there.\n");
/// let options = Options { links: true, ..Options::default() };
/// assert_eq!(document.to_markdown(&options), "See [there](https://example.org/).\n");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// Where links lead. In plain text as `[words](address)`. Default: no, only their words.
    pub links: bool,
    /// Pictures. In plain text as `![what it shows](address)`. Their captions are words and always there.
    /// Default: no.
    pub images: bool,
    /// Tables with what is in them. Default: yes.
    pub tables: bool,
    /// Comments, behind the text, where the document [has them](crate::Extractor::comments). Default: yes.
    pub comments: bool,
    /// Emphasis and its like. Default: yes; plain text has none.
    pub formatting: bool,
    /// Bullets and numbers before the items of lists in plain text. Default: no, since they are not on the page.
    pub markers: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            links: false,
            images: false,
            tables: true,
            comments: true,
            formatting: true,
            markers: false,
        }
    }
}

impl Options {
    /// Everything there is.
    ///
    /// ```
    /// assert!(tamis::Options::all().links);
    /// ```
    pub fn all() -> Options {
        Options { links: true, images: true, tables: true, comments: true, formatting: true, markers: true }
    }

    fn shows(&self, piece: &Piece) -> bool {
        match &piece.kind {
            Kind::Table { .. } => self.tables,
            Kind::Image(image) => self.images || !image.caption.is_empty(),
            _ => true,
        }
    }
}

impl Comment {
    /// Its words, as [`Document::to_text`] writes them.
    pub fn to_text(&self) -> String {
        text::render_pieces(&self.content, &Options::default())
    }
}

impl Document {
    /// The words, as plain text.
    ///
    /// Every paragraph, heading, list item and line of code is a line; a blank line stands before headings. The
    /// cells of a table row stand in one line, parted by tabs. A formula is its TeX where the page has it. There is
    /// no character that the page does not have, except white space and what [`Options`] ask for.
    ///
    /// ```
    /// use tamis::{Judgement, Options, Page, assemble};
    ///
    /// let page = Page::parse("<h2>Fruit</h2><ul><li>apple<li>pear</ul><p>one<br>two");
    /// let document = assemble(&page, &Judgement::of([true; 5]));
    /// assert_eq!(document.to_text(&Options::default()), "Fruit\napple\npear\none\ntwo\n");
    /// ```
    pub fn to_text(&self, options: &Options) -> String {
        text::render(self, options)
    }

    /// As Markdown in GitHub's flavour. Cells that span several rows or columns stand where they begin, and what
    /// Markdown has no sign for is written as HTML (`<sub>`).
    ///
    /// ```
    /// use tamis::{Judgement, Options, Page, assemble};
    ///
    /// let page = Page::parse("<ol start=3><li>*a*<ul><li>b</ul></ol><pre>x  y</pre>");
    /// let document = assemble(&page, &Judgement::of([true; 3]));
    /// assert_eq!(document.to_markdown(&Options::default()), "3. \\*a\\*\n   - b\n\n```\nx  y\n```\n");
    /// ```
    pub fn to_markdown(&self, options: &Options) -> String {
        markdown::render(self, options)
    }

    /// As a clean HTML page: elements that mean something, no styles, no scripts, only addresses that are safe.
    ///
    /// ```
    /// use tamis::{Judgement, Options, Page, assemble};
    ///
    /// let page = Page::parse("<p onclick='x()'>1 &lt; <b style='color:red'>2</b></p>");
    /// let document = assemble(&page, &Judgement::of([true]));
    /// assert!(document.to_html(&Options::default()).contains("<p>1 &lt; <strong>2</strong></p>"));
    /// ```
    pub fn to_html(&self, options: &Options) -> String {
        html::render(self, options)
    }

    /// As JSON, by the schema in `docs/schema/document-1.json`. The field `schema` gives the version, [`SCHEMA`].
    ///
    /// ```
    /// use tamis::{Judgement, Page, assemble};
    ///
    /// let page = Page::parse("<p>Hello.");
    /// let json = assemble(&page, &Judgement::of([true])).to_json();
    /// assert!(json.starts_with(r#"{"schema":1,"url":null,"#));
    /// ```
    #[cfg(feature = "serde")]
    pub fn to_json(&self) -> String {
        json::render(self)
    }

    /// As XML in a vocabulary of its own, by the DTD in `docs/schema/document-1.dtd`.
    ///
    /// ```
    /// use tamis::{Judgement, Page, assemble};
    ///
    /// let page = Page::parse("<p>Hello.");
    /// let xml = assemble(&page, &Judgement::of([true])).to_xml();
    /// assert!(xml.contains("<paragraph path=\"/html/body/p\" start=\"3\" end=\"9\">Hello.</paragraph>"));
    /// ```
    pub fn to_xml(&self) -> String {
        xml::render(self)
    }

    /// As TEI P5. Sections are made from the headings; `docs/schema/tei-tamis.dtd` is the part of TEI that is used.
    ///
    /// ```
    /// use tamis::{Judgement, Page, assemble};
    ///
    /// let page = Page::parse("<h2>Greeting</h2><p>Hello.");
    /// let tei = assemble(&page, &Judgement::of([true, true])).to_tei();
    /// assert!(tei.contains("<head>Greeting</head>"));
    /// ```
    pub fn to_tei(&self) -> String {
        tei::render(self)
    }
}

/// Adds a text to XML or HTML; for characters that XML cannot have at all, spaces stand in, so that no words are
/// glued.
pub(crate) fn escape_xml(text: &str, to: &mut String) {
    for character in text.chars() {
        match character {
            '&' => to.push_str("&amp;"),
            '<' => to.push_str("&lt;"),
            '>' => to.push_str("&gt;"),
            '\t' | '\n' => to.push(character),
            // As a character it would be read as a line end.
            '\r' => to.push_str("&#13;"),
            '\0'..='\x1F' | '\u{FFFE}' | '\u{FFFF}' => to.push(' '),
            character => to.push(character),
        }
    }
}

/// Adds an attribute to a tag of XML or HTML.
pub(crate) fn attribute(name: &str, value: &str, to: &mut String) {
    to.push(' ');
    to.push_str(name);
    to.push_str("=\"");
    for part in value.split_inclusive(['"', '\n', '\t', '\r']) {
        let end = part.trim_end_matches(['"', '\n', '\t', '\r']);
        escape_xml(end, to);
        // Line ends and tabs would be read as spaces.
        to.push_str(if part.ends_with('"') {
            "&quot;"
        } else if end.len() < part.len() {
            " "
        } else {
            ""
        });
    }
    to.push('"');
}
