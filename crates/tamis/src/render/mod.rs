//! Output formats.
//!
//! Markdown and HTML are for reading and follow [`RenderOptions`]; JSON, XML and TEI hold everything. The plain text is
//! [`Document::text`].

mod chunks;
mod facts;
mod html;
mod markdown;
mod tei;
mod uri;
mod writer;
mod xml;

use crate::document::{Document, Kind, Piece, Post, inline_text};

pub use chunks::{Chunk, ChunkOptions, ChunkUnit};

/// The version of the JSON and XML output. New fields do not change it.
pub const SCHEMA: u32 = 2;

/// What Markdown and HTML show beside the text.
///
/// ```
/// let options = tamis::render::RenderOptions::new().links(true).headline(tamis::render::Headline::Never);
/// assert_eq!(tamis::document::Document::default().to_markdown_with(&options), "");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenderOptions {
    links: bool,
    images: bool,
    tables: bool,
    comments: bool,
    formatting: bool,
    headline: Headline,
    metadata: bool,
}

/// Whether the title is shown above the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Headline {
    /// Unless the text starts with it.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Default for RenderOptions {
    fn default() -> RenderOptions {
        RenderOptions {
            links: false,
            images: false,
            tables: true,
            comments: true,
            formatting: true,
            headline: Headline::Auto,
            metadata: false,
        }
    }
}

impl RenderOptions {
    /// The default: text, tables, comments and formatting, without links, images and metadata.
    pub fn new() -> RenderOptions {
        RenderOptions::default()
    }

    /// Everything except metadata.
    pub fn all() -> RenderOptions {
        RenderOptions::new().links(true).images(true)
    }

    /// The URLs of links. Default: off.
    pub fn links(mut self, show: bool) -> Self {
        self.links = show;
        self
    }

    /// Images and their captions. Captions that are part of the plain text are shown anyway. Default: off.
    pub fn images(mut self, show: bool) -> Self {
        self.images = show;
        self
    }

    /// Tables. Default: on.
    pub fn tables(mut self, show: bool) -> Self {
        self.tables = show;
        self
    }

    /// Reader comments, after the text. Default: on.
    pub fn comments(mut self, show: bool) -> Self {
        self.comments = show;
        self
    }

    /// Emphasis, strong, superscript and so on. Default: on.
    pub fn formatting(mut self, show: bool) -> Self {
        self.formatting = show;
        self
    }

    /// The title above the text. Default: unless the text starts with it.
    pub fn headline(mut self, show: Headline) -> Self {
        self.headline = show;
        self
    }

    /// Metadata as YAML front matter of Markdown. Default: off.
    pub fn metadata(mut self, show: bool) -> Self {
        self.metadata = show;
        self
    }

    fn shows(&self, piece: &Piece) -> bool {
        match &piece.kind {
            Kind::Table { .. } => self.tables,
            Kind::Image(image) => self.images || !(piece.blocks.is_empty() || image.caption.is_empty()),
            _ => true,
        }
    }

    /// The title, if it is to be shown.
    fn headline_of<'d>(&self, document: &'d Document) -> Option<&'d str> {
        let title = document.metadata.title.as_deref().filter(|title| !title.trim().is_empty())?;
        let starts_with_it = || {
            let Some(Piece { kind: Kind::Heading { content, .. }, .. }) = document.content.first() else {
                return false;
            };
            inline_text(content).split_whitespace().eq(title.split_whitespace())
        };
        match self.headline {
            Headline::Always => Some(title),
            Headline::Never => None,
            Headline::Auto => (!starts_with_it()).then_some(title),
        }
    }
}

impl Document {
    /// Markdown in GitHub's flavour, with default options.
    pub fn to_markdown(&self) -> String {
        self.to_markdown_with(&RenderOptions::new())
    }

    /// Markdown in GitHub's flavour. What Markdown has no sign for is written as HTML (`<sub>`).
    pub fn to_markdown_with(&self, options: &RenderOptions) -> String {
        markdown::render(self, options)
    }

    /// A clean HTML page with links and images.
    pub fn to_html(&self) -> String {
        self.to_html_with(&RenderOptions::all())
    }

    /// A clean HTML page: semantic elements only, no scripts or styles, safe URLs. It is well-formed XML as well;
    /// `docs/schema/html-tamis.dtd` describes it.
    pub fn to_html_with(&self, options: &RenderOptions) -> String {
        html::render(self, options)
    }

    /// JSON, as described by `docs/schema/document-2.json`.
    #[cfg(feature = "serde")]
    pub fn to_json(&self) -> String {
        #[derive(serde::Serialize)]
        struct Versioned<'d> {
            schema: u32,
            #[serde(flatten)]
            document: &'d Document,
        }
        let document = Versioned { schema: SCHEMA, document: self };
        let mut json = Vec::new();
        if self.content.len() > LARGE_DOCUMENT {
            // Measured first: a buffer that grows as it is written takes three times its final size.
            let mut length = ByteCounter(0);
            serde_json::to_writer(&mut length, &document).ok();
            json.reserve_exact(length.0);
        }
        // Only maps with keys that are no strings could fail.
        serde_json::to_writer(&mut json, &document).ok();
        String::from_utf8(json).unwrap_or_default()
    }

    /// XML in a vocabulary of its own, as described by `docs/schema/document-2.dtd`.
    pub fn to_xml(&self) -> String {
        xml::render(self)
    }

    /// TEI P5; `docs/schema/tei-tamis.dtd` is the part of TEI in use.
    pub fn to_tei(&self) -> String {
        tei::render(self)
    }
}

/// Pieces from which on the length of JSON is measured before it is written.
#[cfg(feature = "serde")]
const LARGE_DOCUMENT: usize = 4096;

/// Counts what is written.
#[cfg(feature = "serde")]
struct ByteCounter(usize);

#[cfg(feature = "serde")]
impl std::io::Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// For each piece of the content, the post that starts there.
fn post_starts(document: &Document) -> Vec<Option<&Post>> {
    let mut posts = document.posts.iter().peekable();
    let start_of = |piece: &Piece| {
        let block = piece.first_block()?;
        let mut started = None;
        while let Some(post) = posts.next_if(|post| post.blocks.first().is_none_or(|first| *first <= block)) {
            started = Some(post).filter(|post| !post.blocks.is_empty()).or(started);
        }
        started
    };
    document.content.iter().map(start_of).collect()
}
