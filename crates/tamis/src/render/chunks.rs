//! Chunks for retrieval: the text in parts of bounded size, each with its headings and its place.
//!
//! A chunk never crosses a heading or a post. Within a section, as many pieces as fit make a chunk. A piece that does not
//! fit is taken apart: lists into runs of items, tables into runs of rows, code into lines, paragraphs into sentences
//! and those into words. The last part may share a chunk with what follows it.

mod split;

use tamis_html::Span;

use super::{RenderOptions, markdown, post_starts};
use crate::document::{Document, Inline, Kind, Piece, inline_text};
use crate::text::characters::Counts;

/// Options for [`Document::chunks`].
///
/// ```
/// use tamis::render::{ChunkOptions, ChunkUnit};
/// let document = tamis::extract("<article><h2>Rain</h2><p>It rained all day. The gardens were glad of it.")?;
/// for chunk in document.chunks(&ChunkOptions::new(200).unit(ChunkUnit::Tokens)) {
///     println!("{}: {}", chunk.headings.join(" > "), chunk.text);
/// }
/// # Ok::<(), tamis::ExtractError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkOptions {
    max: usize,
    unit: ChunkUnit,
    markdown: Option<RenderOptions>,
}

/// How the size of a chunk is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChunkUnit {
    /// Unicode characters.
    #[default]
    Characters,
    /// Words; in scripts written without spaces (Chinese, Japanese, Thai), characters. An approximation of what language
    /// models count: they split long and rare words, so leave a third of their limit unused.
    Tokens,
}

/// A part of a document's text.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Chunk {
    /// The text. Headings are part of the chunk that they begin.
    pub text: String,
    /// The title of the document and the headings above the text, outermost first.
    pub headings: Vec<String>,
    /// The size in the unit of the options. Above the maximum only for a single word or formula.
    pub size: usize,
    /// The range in the source, from the first to the last piece. Parts of a paragraph have the span of the whole.
    #[cfg_attr(feature = "serde", serde(with = "crate::document::span_as_pair"))]
    pub span: Span,
}

impl ChunkOptions {
    /// Chunks of plain text with at most `max` characters.
    pub fn new(max: usize) -> ChunkOptions {
        ChunkOptions { max: max.max(1), unit: ChunkUnit::Characters, markdown: None }
    }

    /// The unit of the maximum. Default: characters.
    pub fn unit(mut self, unit: ChunkUnit) -> Self {
        self.unit = unit;
        self
    }

    /// Chunks of Markdown, by these options. Markup counts. Default: plain text.
    pub fn markdown(mut self, options: RenderOptions) -> Self {
        self.markdown = Some(options);
        self
    }

    fn render(&self, pieces: &[Piece]) -> String {
        match &self.markdown {
            Some(options) => markdown::pieces(pieces, options),
            None => plain(pieces),
        }
    }

    fn size(&self, text: &str) -> usize {
        match self.unit {
            ChunkUnit::Characters => text.chars().count(),
            ChunkUnit::Tokens => Counts::of(text).words as usize,
        }
    }

    /// What separates pieces, in the unit.
    fn separator(&self) -> usize {
        match self.unit {
            ChunkUnit::Characters if self.markdown.is_some() => 2,
            ChunkUnit::Characters => 1,
            ChunkUnit::Tokens => 0,
        }
    }

    fn size_of(&self, kind: Kind) -> usize {
        let piece = Piece { kind, path: String::new(), span: Span { start: 0, end: 0 }, blocks: vec![0] };
        self.size(&self.render(std::slice::from_ref(&piece)))
    }
}

impl Document {
    /// The content in chunks, in order: every word once. Comments and hidden passages are not part of it.
    pub fn chunks(&self, options: &ChunkOptions) -> Vec<Chunk> {
        let mut chunker =
            Chunker { options, chunks: Vec::new(), path: Vec::new(), open: Vec::new(), open_size: 0 };
        if let Some(title) = RenderOptions::new().headline_of(self) {
            chunker.path.push((1, title.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
        for (piece, post) in self.content.iter().zip(post_starts(self)) {
            if post.is_some() {
                chunker.close();
            }
            if let Kind::Heading { level, content } = &piece.kind {
                chunker.heading(*level, inline_text(content));
            }
            chunker.add(piece.clone());
        }
        chunker.close();
        chunker.chunks
    }
}

struct Chunker<'o> {
    options: &'o ChunkOptions,
    chunks: Vec<Chunk>,
    /// Levels and texts of the headings above.
    path: Vec<(u8, String)>,
    /// The pieces of the next chunk, and their size.
    open: Vec<Piece>,
    open_size: usize,
}

impl Chunker<'_> {
    fn heading(&mut self, level: u8, text: String) {
        if !self.only_headings() {
            self.close();
        }
        while self.path.pop_if(|(above, _)| *above >= level).is_some() {}
        self.path.push((level, text));
    }

    fn only_headings(&self) -> bool {
        self.open.iter().all(|piece| matches!(piece.kind, Kind::Heading { .. }))
    }

    /// Adds a piece. Recurses into what it is taken apart into, at most as deep as pieces nest.
    fn add(&mut self, piece: Piece) {
        let max = self.options.max;
        let size = self.options.size(&self.options.render(std::slice::from_ref(&piece)));
        let before = if self.open.is_empty() { 0 } else { self.open_size + self.options.separator() };
        if size == 0 || before + size <= max {
            self.open_size = if size == 0 { self.open_size } else { before + size };
            self.open.push(piece);
            return;
        }
        // A heading does not stand alone: the first part of what follows goes with it.
        let room = max.saturating_sub(before);
        if !self.open.is_empty() && self.only_headings() && room > 0 {
            let fits = |part: &Piece| self.options.size_of(part.kind.clone()) <= room;
            if let Some(parts) =
                split::split(&piece, room, self.options).filter(|parts| parts.first().is_some_and(fits))
            {
                parts.into_iter().for_each(|part| self.add(part));
                return;
            }
        }
        self.close();
        match (size > max).then(|| split::split(&piece, max, self.options)).flatten() {
            Some(parts) => parts.into_iter().for_each(|part| self.add(part)),
            None => {
                self.open_size = size;
                self.open.push(piece);
            }
        }
    }

    /// Ends the open chunk.
    fn close(&mut self) {
        self.open_size = 0;
        let pieces = std::mem::take(&mut self.open);
        let text = self.options.render(&pieces);
        if text.is_empty() {
            return;
        }
        let spans = pieces.iter().map(|piece| piece.span);
        let join =
            |one: Span, other: Span| Span { start: one.start.min(other.start), end: one.end.max(other.end) };
        self.chunks.push(Chunk {
            size: self.options.size(&text),
            text,
            headings: self.path.iter().map(|(_, text)| text.clone()).collect(),
            span: spans.reduce(join).unwrap_or(Span { start: 0, end: 0 }),
        });
    }
}

/// Pieces as plain text, one line each; cells of a row are joined by tabs.
fn plain(pieces: &[Piece]) -> String {
    let mut lines = Vec::new();
    for piece in pieces {
        match &piece.kind {
            Kind::Heading { content, .. } | Kind::Paragraph { content } => lines.push(plain_line(content)),
            Kind::Code { text, .. } => lines.push(text.clone()),
            Kind::Image(image) if !piece.blocks.is_empty() => lines.push(plain_line(&image.caption)),
            Kind::Formula(formula) => lines.push(formula.source().to_owned()),
            Kind::Table { caption, rows } => {
                lines.push(plain_line(caption));
                lines.extend(rows.iter().map(|row| {
                    let cells = row.cells.iter().map(|cell| plain(&cell.content).replace('\n', " "));
                    cells.collect::<Vec<_>>().join("\t")
                }));
            }
            _ => lines.extend(piece.parts().map(plain)),
        }
    }
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

fn plain_line(content: &[Inline]) -> String {
    let mut lines = content.split(|inline| matches!(inline, Inline::Break)).map(inline_text);
    let first = lines.next().unwrap_or_default();
    lines.fold(first, |line, next| line + "\n" + next.trim_start())
}
