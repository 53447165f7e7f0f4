//! The walk over a document that HTML, XML and TEI share. A dialect names the elements.

use super::RenderOptions;
use crate::document::markup::{push_attribute, push_escaped};
use crate::document::{Formula, Image, Inline, Kind, Piece, Style, TableCell};

/// A part of a document that has an element.
pub(super) enum Part<'d> {
    Heading {
        level: u8,
    },
    Paragraph,
    List {
        ordered: bool,
        start: u32,
    },
    Item {
        number: Option<u64>,
        checked: Option<bool>,
    },
    Definitions,
    Definition {
        term: bool,
    },
    Table,
    TableCaption,
    Row,
    Cell(&'d TableCell),
    /// Around the code of a code block.
    CodeBlock,
    Code {
        is_block: bool,
        language: Option<&'d str>,
    },
    Quote {
        cite: Option<&'d str>,
    },
    Footnote {
        label: &'d str,
    },
    Rule,
    Style(Style),
    Link {
        href: &'d str,
    },
    FootnoteRef {
        label: &'d str,
    },
    Break,
}

/// Attributes of an element.
pub(super) type Attributes = Vec<(&'static str, String)>;

/// How an element is set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// Inside a line.
    Inline,
    /// On a line of its own.
    Line,
    /// With its children on lines of their own.
    Block,
}

/// A vocabulary of elements.
pub(super) trait Dialect {
    /// The element of a part. `None` leaves out its tags.
    fn element(&self, part: &Part<'_>) -> Option<(&'static str, Attributes)>;
    fn image(&self, image: &Image, is_block: bool, writer: &mut Writer<'_>);
    fn formula(&self, formula: &Formula, is_block: bool, writer: &mut Writer<'_>);
    /// Attributes that say where a piece stood.
    fn place(&self, _piece: &Piece) -> Attributes {
        Attributes::new()
    }
    /// Whether it is HTML: elements without content have end tags, unless they are void, and a lone paragraph in an item
    /// or cell has no element of its own. The output is well-formed XML as well.
    fn is_html(&self) -> bool {
        false
    }
}

pub(super) struct Writer<'o> {
    pub(super) out: String,
    pub(super) options: &'o RenderOptions,
    dialect: &'o dyn Dialect,
    /// The place of a piece, for its first element.
    place: Attributes,
}

impl<'o> Writer<'o> {
    pub(super) fn new(start: &str, dialect: &'o dyn Dialect, options: &'o RenderOptions) -> Writer<'o> {
        Writer { out: start.to_owned(), options, dialect, place: Attributes::new() }
    }

    pub(super) fn text(&mut self, text: &str) {
        push_escaped(text, &mut self.out);
    }

    /// An element with what `inside` writes.
    pub(super) fn element(
        &mut self,
        name: &str,
        attributes: &[(&'static str, String)],
        layout: Layout,
        inside: impl FnOnce(&mut Self),
    ) {
        self.out.push('<');
        self.out.push_str(name);
        let place = std::mem::take(&mut self.place);
        attributes.iter().chain(&place).for_each(|(name, value)| push_attribute(name, value, &mut self.out));
        self.out.push('>');
        let before = self.out.len();
        if layout == Layout::Block {
            self.out.push('\n');
        }
        let start = self.out.len();
        inside(self);
        let is_void = matches!(name, "img" | "br" | "hr" | "meta" | "link" | "input");
        if self.out.len() > start || (self.dialect.is_html() && !is_void) {
            self.out.push_str("</");
            self.out.push_str(name);
            self.out.push('>');
        } else {
            self.out.truncate(before - 1);
            self.out.push_str("/>");
        }
        if layout != Layout::Inline {
            self.out.push('\n');
        }
    }

    /// An element with text, on a line of its own.
    pub(super) fn text_line(&mut self, name: &str, attributes: &[(&'static str, String)], text: &str) {
        self.element(name, attributes, Layout::Line, |writer| writer.text(text));
    }

    /// Each line of a text as an element.
    pub(super) fn paragraphs(&mut self, name: &str, text: &str) {
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            self.text_line(name, &[], line);
        }
    }

    fn part(&mut self, part: Part<'_>, layout: Layout, inside: impl FnOnce(&mut Self)) {
        match self.dialect.element(&part) {
            Some((name, attributes)) => self.element(name, &attributes, layout, inside),
            None => inside(self),
        }
    }

    pub(super) fn pieces(&mut self, pieces: &[Piece]) {
        for piece in pieces.iter().filter(|piece| self.options.shows(piece)) {
            self.place = self.dialect.place(piece);
            self.piece(piece);
        }
    }

    pub(super) fn piece(&mut self, piece: &Piece) {
        let dialect = self.dialect;
        match &piece.kind {
            Kind::Heading { level, content } => self.line(Part::Heading { level: *level }, content),
            Kind::Paragraph { content } => self.line(Part::Paragraph, content),
            Kind::List { ordered, start, items } => {
                self.part(Part::List { ordered: *ordered, start: *start }, Layout::Block, |writer| {
                    for (index, item) in items.iter().enumerate() {
                        let number = ordered.then_some(u64::from(*start) + index as u64);
                        writer.container(Part::Item { number, checked: item.checked }, &item.content);
                    }
                });
            }
            Kind::Definitions { entries } => self.part(Part::Definitions, Layout::Block, |writer| {
                for entry in entries {
                    writer.container(Part::Definition { term: entry.term }, &entry.content);
                }
            }),
            Kind::Table { caption, rows } => self.part(Part::Table, Layout::Block, |writer| {
                if !caption.is_empty() {
                    writer.line(Part::TableCaption, caption);
                }
                for row in rows {
                    writer.part(Part::Row, Layout::Block, |writer| {
                        row.cells.iter().for_each(|cell| writer.container(Part::Cell(cell), &cell.content));
                    });
                }
            }),
            Kind::Code { language, text } => {
                let code = Part::Code { is_block: true, language: language.as_deref() };
                self.part(Part::CodeBlock, Layout::Inline, |writer| {
                    writer.part(code, Layout::Inline, |writer| writer.text(text));
                });
                self.out.push('\n');
            }
            Kind::Quote { cite, content } => {
                let cite = cite.as_deref();
                self.part(Part::Quote { cite }, Layout::Block, |writer| writer.pieces(content));
            }
            Kind::Image(image) => dialect.image(image, true, self),
            Kind::Formula(formula) => dialect.formula(formula, true, self),
            Kind::Footnote { label, content } => {
                self.part(Part::Footnote { label }, Layout::Block, |writer| writer.pieces(content));
            }
            Kind::Rule => self.part(Part::Rule, Layout::Line, |_| {}),
        }
    }

    fn line(&mut self, part: Part<'_>, content: &[Inline]) {
        self.part(part, Layout::Line, |writer| writer.inlines(content));
    }

    /// An element that holds pieces.
    fn container(&mut self, part: Part<'_>, content: &[Piece]) {
        let checked = if let Part::Item { checked, .. } = part { checked } else { None };
        let (lone, rest) = match content {
            [Piece { kind: Kind::Paragraph { content }, .. }, rest @ ..]
                if self.dialect.is_html()
                    && rest.iter().all(|piece| matches!(piece.kind, Kind::List { .. })) =>
            {
                (Some(content), rest)
            }
            rest => (None, rest),
        };
        let layout = if lone.is_some() { Layout::Line } else { Layout::Block };
        self.part(part, layout, |writer| {
            if writer.dialect.is_html()
                && let Some(checked) = checked
            {
                writer.out.push_str("<input type=\"checkbox\" disabled=\"disabled\"");
                writer.out.push_str(if checked { " checked=\"checked\"/>" } else { "/>" });
            }
            if let Some(content) = lone {
                writer.inlines(content);
                writer.out.push_str(if rest.is_empty() { "" } else { "\n" });
            }
            writer.pieces(rest);
        });
    }

    pub(super) fn inlines(&mut self, content: &[Inline]) {
        let dialect = self.dialect;
        for inline in content {
            match inline {
                Inline::Text { text } => self.text(text),
                Inline::Code { text } => {
                    let code = Part::Code { is_block: false, language: None };
                    self.part(code, Layout::Inline, |writer| writer.text(text));
                }
                Inline::Styled { style, content } if self.options.formatting => {
                    self.part(Part::Style(*style), Layout::Inline, |writer| writer.inlines(content));
                }
                Inline::Link { href, content } if self.options.links => {
                    self.part(Part::Link { href }, Layout::Inline, |writer| writer.inlines(content));
                }
                Inline::FootnoteRef { label, content } => {
                    self.part(Part::FootnoteRef { label }, Layout::Inline, |writer| writer.inlines(content));
                }
                Inline::Styled { content, .. } | Inline::Link { content, .. } => self.inlines(content),
                Inline::Image(image) => {
                    if self.options.images {
                        dialect.image(image, false, self);
                    }
                }
                Inline::Formula(formula) => dialect.formula(formula, false, self),
                Inline::Break => self.part(Part::Break, Layout::Inline, |_| {}),
            }
        }
    }
}

/// Collects the attributes that have values.
pub(super) fn attributes<const N: usize>(all: [(&'static str, Option<String>); N]) -> Attributes {
    all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}
