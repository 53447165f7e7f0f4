//! The tokenizer of the HTML standard: from text to tags, texts, comments and doctypes.
//!
//! The standard describes some eighty states that consume one character at a time. Here each construct is one function
//! that finds its end with a few vectorised searches and returns spans of the source. References, line ends and NUL are
//! decoded when the text is read. Tests check that the result is the same.
//!
//! Parse errors are not reported: they do not affect the tree, and text extraction does not need them.

mod doctype;
mod markup;
mod raw_text;
mod tag;

use std::borrow::Cow;

use crate::attribute::{Attributes, RawAttribute, run};
use crate::name::{Name, Names};
use crate::references::{self, Reading};
use crate::scan;
use crate::span::Span;

pub use doctype::Doctype;
pub(crate) use tag::NO_ATTRIBUTES;
pub use tag::Tag;

/// How the content of an element is tokenised.
///
/// ```
/// use tamis_html::tokenizer::{ContentModel, Token, Tokenizer};
///
/// let mut tokenizer = Tokenizer::new("a <b> &amp;");
/// tokenizer.set_content_model(ContentModel::PlainText);
/// let Token::Text(piece) = tokenizer.next_token() else { panic!("no text") };
/// assert_eq!(tokenizer.text(piece), "a <b> &amp;");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ContentModel {
    /// Tags, references and all.
    #[default]
    Data,
    /// References but no tags: `title`, `textarea`.
    Rcdata,
    /// Neither references nor tags: `style`, `iframe`, `xmp`, …
    RawText,
    /// Like raw text, with the rules for `<!--` inside scripts.
    Script,
    /// Like raw text, without an end tag: `plaintext`.
    PlainText,
    /// A CDATA section, up to `]]>`; the tokenizer enters it automatically if CDATA is allowed.
    Cdata,
}

/// A run of characters of the source. [`Tokenizer::text`] reads it.
///
/// ```
/// use tamis_html::tokenizer::{Token, Tokenizer};
///
/// let source = "one &amp; two";
/// let mut tokenizer = Tokenizer::new(source);
/// let Token::Text(piece) = tokenizer.next_token() else { panic!("no text") };
/// assert_eq!(piece.span.of(source), source);
/// assert_eq!(tokenizer.text(piece), "one & two");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The span of the raw characters.
    pub span: Span,
    pub(crate) reading: Reading,
}

impl Piece {
    pub(crate) fn new(start: usize, end: usize, reading: Reading) -> Piece {
        Piece { span: Span::new(start, end), reading }
    }

    /// Whether character references are decoded. If not, only line ends and NUL are.
    ///
    /// ```
    /// use tamis_html::tokenizer::{Token, Tokenizer};
    ///
    /// let has_references = |page| match Tokenizer::new(page).next_token() {
    ///     Token::Text(piece) => piece.has_references(),
    ///     _ => false,
    /// };
    /// assert!(has_references("a &amp; b"));
    /// assert!(!has_references("a and b"));
    /// ```
    #[inline]
    pub fn has_references(&self) -> bool {
        self.reading.has(Reading::REFERENCES)
    }
}

/// One token of the page.
///
/// ```
/// use tamis_html::tokenizer::{Token, Tokenizer};
///
/// let mut tokenizer = Tokenizer::new("<!doctype html><p>text</p><!-- note -->");
/// let mut seen = Vec::new();
/// loop {
///     seen.push(match tokenizer.next_token() {
///         Token::Doctype(_) => "doctype",
///         Token::StartTag(_) => "start",
///         Token::EndTag(_) => "end",
///         Token::Text(_) => "text",
///         Token::Comment(_) => "comment",
///         Token::EndOfFile => break,
///     });
/// }
/// assert_eq!(seen, ["doctype", "start", "text", "end", "comment"]);
/// ```
#[derive(Clone, Debug)]
pub enum Token {
    /// Characters. Adjacent texts form one text.
    Text(Piece),
    /// `<p>`
    StartTag(Tag),
    /// `</p>`
    EndTag(Tag),
    /// `<!-- … -->` and markup that the standard treats as a comment; the piece is its content.
    Comment(Piece),
    /// `<!doctype html>`
    Doctype(Box<Doctype>),
    /// The end of the page.
    EndOfFile,
}

/// Splits a page into tokens.
///
/// It does not know the tree, so the caller must use [`set_content_model`](Self::set_content_model) after start tags
/// whose content is tokenised differently.
///
/// ```
/// use tamis_html::tokenizer::{Token, Tokenizer};
///
/// let mut tokenizer = Tokenizer::new("<p class=lead>one &amp; two</p>");
/// let Token::StartTag(tag) = tokenizer.next_token() else { panic!("no tag") };
/// assert_eq!(tokenizer.name(tag.name), "p");
/// assert_eq!(tokenizer.attributes(&tag).next().unwrap().value(), "lead");
/// let Token::Text(piece) = tokenizer.next_token() else { panic!("no text") };
/// assert_eq!(tokenizer.text(piece), "one & two");
/// assert!(matches!(tokenizer.next_token(), Token::EndTag(_)));
/// assert!(matches!(tokenizer.next_token(), Token::EndOfFile));
/// ```
#[derive(Clone, Debug)]
pub struct Tokenizer<'s> {
    pub(crate) source: &'s str,
    pub(crate) names: Names,
    /// The attributes of all tags so far, unless the caller truncates them.
    pub(crate) attributes: Vec<RawAttribute>,
    /// Whether CDATA sections are allowed, as in SVG and MathML.
    pub(crate) cdata_allowed: bool,
    /// Whether a tag exceeded the limit of attributes.
    pub(crate) attributes_cut: bool,
    /// Whether there was a CDATA section; only the tree knows where those are allowed.
    pub(crate) met_cdata: bool,
    /// Skip attributes and search only for the end of the tag.
    skips_attributes: bool,
    max_attributes: u32,
    at: usize,
    model: ContentModel,
    /// The start tag whose end tag ends a special content model.
    last_start: Option<Name>,
    /// For each name, the last tag that had it as an attribute, to detect duplicates in constant time.
    seen_in_tag: Vec<u32>,
    tag_count: u32,
}

impl<'s> Tokenizer<'s> {
    /// Starts at the beginning of `source`, of which at most 4 GiB are read.
    pub fn new(source: &'s str) -> Self {
        Tokenizer {
            source: prefix(source, u32::MAX as usize - 1),
            names: Names::default(),
            attributes: Vec::new(),
            cdata_allowed: false,
            attributes_cut: false,
            met_cdata: false,
            skips_attributes: false,
            max_attributes: u32::MAX,
            at: 0,
            model: ContentModel::Data,
            last_start: None,
            seen_in_tag: vec![0; crate::name::KNOWN_COUNT],
            tag_count: 0,
        }
    }

    /// Keeps at most `count` attributes of a tag; further ones are parsed and dropped.
    ///
    /// ```
    /// use tamis_html::tokenizer::{Token, Tokenizer};
    ///
    /// let mut tokenizer = Tokenizer::new("<p a b c d>");
    /// tokenizer.set_max_attributes(2);
    /// let Token::StartTag(tag) = tokenizer.next_token() else { panic!("no tag") };
    /// assert_eq!(tokenizer.attributes(&tag).count(), 2);
    /// ```
    pub fn set_max_attributes(&mut self, count: u32) {
        self.max_attributes = count;
    }

    /// Skips attributes instead of reading them; tags then have none. Faster if only names and texts are needed.
    /// Default: off.
    ///
    /// ```
    /// use tamis_html::tokenizer::{Token, Tokenizer};
    ///
    /// let mut tokenizer = Tokenizer::new("<p title='a > b' class=lead>text");
    /// tokenizer.set_skip_attributes(true);
    /// let Token::StartTag(tag) = tokenizer.next_token() else { panic!("no tag") };
    /// assert_eq!(tokenizer.attributes(&tag).count(), 0);
    /// let Token::Text(piece) = tokenizer.next_token() else { panic!("no text") };
    /// assert_eq!(tokenizer.text(piece), "text");
    /// ```
    pub fn set_skip_attributes(&mut self, skip: bool) {
        self.skips_attributes = skip;
    }

    /// Sets the content model after the start tag `name` in the body of an HTML page without scripts. This is enough to
    /// read a page without building its tree; the tree builder, which knows the context, sets the model itself.
    ///
    /// ```
    /// use tamis_html::tokenizer::{Token, Tokenizer};
    ///
    /// let mut tokenizer = Tokenizer::new("<title>a <b> c</title>");
    /// let Token::StartTag(tag) = tokenizer.next_token() else { panic!("no tag") };
    /// tokenizer.follow(tag.name);
    /// let Token::Text(piece) = tokenizer.next_token() else { panic!("no text") };
    /// assert_eq!(tokenizer.text(piece), "a <b> c");
    /// ```
    #[inline]
    pub fn follow(&mut self, name: Name) {
        self.model = match name {
            Name::TITLE | Name::TEXTAREA => ContentModel::Rcdata,
            Name::STYLE | Name::XMP | Name::IFRAME | Name::NOEMBED | Name::NOFRAMES => ContentModel::RawText,
            Name::SCRIPT => ContentModel::Script,
            Name::PLAINTEXT => ContentModel::PlainText,
            _ => return,
        };
    }

    /// Sets the content model of the following characters.
    ///
    /// ```
    /// use tamis_html::tokenizer::{ContentModel, Token, Tokenizer};
    ///
    /// let mut tokenizer = Tokenizer::new("<style>p > b { }</style>");
    /// let Token::StartTag(_) = tokenizer.next_token() else { panic!("no tag") };
    /// tokenizer.set_content_model(ContentModel::RawText);
    /// let Token::Text(piece) = tokenizer.next_token() else { panic!("no text") };
    /// assert_eq!(tokenizer.text(piece), "p > b { }");
    /// ```
    pub fn set_content_model(&mut self, model: ContentModel) {
        self.model = model;
    }

    /// The current content model.
    ///
    /// ```
    /// use tamis_html::tokenizer::{ContentModel, Tokenizer};
    ///
    /// assert_eq!(Tokenizer::new("<p>").content_model(), ContentModel::Data);
    /// ```
    #[inline]
    pub fn content_model(&self) -> ContentModel {
        self.model
    }

    /// Sets the last start tag, for a fragment that begins inside an element.
    ///
    /// ```
    /// use tamis_html::tokenizer::{ContentModel, Token, Tokenizer};
    ///
    /// // The content of a `title`.
    /// let mut tokenizer = Tokenizer::new("a <b></title>");
    /// tokenizer.set_content_model(ContentModel::Rcdata);
    /// tokenizer.set_last_start_tag("title");
    /// let Token::Text(piece) = tokenizer.next_token() else { panic!("no text") };
    /// assert_eq!(tokenizer.text(piece), "a <b>");
    /// ```
    pub fn set_last_start_tag(&mut self, name: &str) {
        self.last_start = Some(self.names.of_raw(name));
    }

    /// Sets whether the following characters are in SVG or MathML, where CDATA sections are allowed.
    ///
    /// ```
    /// use tamis_html::tokenizer::{Token, Tokenizer};
    ///
    /// let mut tokenizer = Tokenizer::new("<![CDATA[a < b]]>");
    /// assert!(matches!(tokenizer.clone().next_token(), Token::Comment(_)));
    /// tokenizer.set_cdata_allowed(true);
    /// let Token::Text(piece) = tokenizer.next_token() else { panic!("no text") };
    /// assert_eq!(tokenizer.text(piece), "a < b");
    /// ```
    pub fn set_cdata_allowed(&mut self, allowed: bool) {
        self.cdata_allowed = allowed;
    }

    /// The next token. Attributes of earlier tags are discarded.
    pub fn next_token(&mut self) -> Token {
        self.attributes.clear();
        self.advance()
    }

    /// The text of a name.
    pub fn name(&self, name: Name) -> &str {
        self.names.text(name)
    }

    /// The characters of a text or comment.
    pub fn text(&self, piece: Piece) -> Cow<'s, str> {
        references::read(piece.span.of(self.source), piece.reading)
    }

    /// The attributes of the last tag.
    pub fn attributes(&self, tag: &Tag) -> Attributes<'_> {
        let rest = run(&self.attributes, tag.attributes).iter();
        Attributes { rest, names: &self.names, source: self.source, is_plain: false }
    }

    /// The position in the source.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Skips the rest of the source.
    pub(crate) fn stop(&mut self) {
        self.at = self.source.len();
    }

    /// The next token; the attributes of its tag are added to those of the earlier ones.
    #[inline]
    pub(crate) fn advance(&mut self) -> Token {
        loop {
            let bytes = self.source.as_bytes();
            if self.at >= bytes.len() {
                return Token::EndOfFile;
            }
            let token = match self.model {
                ContentModel::Data if opens_markup(bytes, self.at) => self.markup(),
                ContentModel::Data => Some(self.data()),
                _ => self.other_content(),
            };
            if let Some(token) = token {
                return token;
            }
        }
    }

    /// Text up to the next `<` that opens something.
    #[inline]
    fn data(&mut self) -> Token {
        let bytes = self.source.as_bytes();
        let start = self.at;
        let mut from = start;
        let mut ampersand = false;
        loop {
            let found = scan::until(bytes, from, b'<');
            ampersand |= found.ampersand;
            self.at = found.at;
            if found.at == bytes.len() || opens_markup(bytes, found.at) {
                return Token::Text(Piece::new(start, found.at, Reading::references_if(ampersand)));
            }
            from = found.at + 1;
        }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.source.as_bytes().get(at).copied()
    }
}

/// Whether the `<` at `at` opens a tag, comment or other markup.
#[inline(always)]
fn opens_markup(bytes: &[u8], at: usize) -> bool {
    bytes[at] == b'<'
        && match bytes.get(at + 1) {
            Some(b'/') => at + 2 < bytes.len(),
            Some(byte) => byte.is_ascii_alphabetic() || matches!(byte, b'!' | b'?'),
            None => false,
        }
}

/// The longest beginning of `text` that has at most `limit` bytes.
pub(crate) fn prefix(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}
