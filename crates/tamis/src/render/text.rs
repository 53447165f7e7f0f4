//! Plain text: a line for each thing that is said.

use super::Options;
use super::posts::{self, At};
use crate::document::{Document, Formula, Image, Inline, Item, Kind, Piece};

pub(super) fn render(document: &Document, options: &Options) -> String {
    let mut writer = Writer { text: String::new(), options };
    let posts = posts::of(document);
    for (place, piece) in document.content.iter().enumerate().filter(|(_, piece)| options.shows(piece)) {
        // A blank line, so that one sees where the next post begins.
        let begins = matches!(posts.get(place), Some(At::Begins(..) | At::Ends));
        if begins && !writer.text.is_empty() && !matches!(piece.kind, Kind::Heading { .. }) {
            writer.text.push('\n');
        }
        writer.piece(piece);
    }
    if options.comments {
        for comment in &document.comments {
            // A blank line, so that one sees where the next begins.
            if !writer.text.is_empty() {
                writer.text.push('\n');
            }
            writer.pieces(&comment.content);
        }
    }
    writer.text
}

pub(super) fn render_pieces(pieces: &[Piece], options: &Options) -> String {
    let mut writer = Writer { text: String::new(), options };
    writer.pieces(pieces);
    writer.text
}

struct Writer<'o> {
    text: String,
    options: &'o Options,
}

impl Writer<'_> {
    fn pieces(&mut self, pieces: &[Piece]) {
        for piece in pieces.iter().filter(|piece| self.options.shows(piece)) {
            self.piece(piece);
        }
    }

    fn piece(&mut self, piece: &Piece) {
        match &piece.kind {
            Kind::Heading { content, .. } => {
                if !self.text.is_empty() {
                    self.text.push('\n');
                }
                self.line(|to| to.inlines(content, " "));
            }
            Kind::Paragraph { content } => self.line(|to| to.inlines(content, "\n")),
            Kind::List { ordered, start, items } => self.list(*ordered, *start, items),
            Kind::Definitions { entries } => entries.iter().for_each(|entry| self.pieces(&entry.content)),
            Kind::Table { caption, rows } => {
                self.line(|to| to.inlines(caption, "\n"));
                for row in rows {
                    self.line(|to| {
                        let last = row.cells.iter().rposition(|cell| !cell.content.is_empty()).unwrap_or(0);
                        for (place, cell) in row.cells.iter().take(last + 1).enumerate() {
                            if place > 0 {
                                to.text.push('\t');
                            }
                            let options = Options { markers: false, ..*to.options };
                            let mut inner = Writer { text: String::new(), options: &options };
                            inner.pieces(&cell.content);
                            to.folded(&inner.text);
                        }
                    });
                }
            }
            Kind::Code { text, .. } => self.line(|to| to.text.push_str(text)),
            Kind::Quote { content } | Kind::Footnote { content, .. } => self.pieces(content),
            Kind::Image(image) => {
                if self.options.images {
                    self.line(|to| to.image(image));
                }
                self.line(|to| to.inlines(&image.caption, "\n"));
            }
            Kind::Formula(formula) => self.line(|to| to.formula(formula)),
        }
    }

    fn list(&mut self, ordered: bool, start: u32, items: &[Item]) {
        for (place, item) in items.iter().enumerate() {
            if !self.options.markers {
                self.pieces(&item.content);
                continue;
            }
            let marker =
                if ordered { format!("{}. ", u64::from(start) + place as u64) } else { String::from("- ") };
            let mut inner = Writer { text: String::new(), options: self.options };
            inner.pieces(&item.content);
            for (number, line) in inner.text.lines().enumerate() {
                let lead = if number == 0 { marker.clone() } else { " ".repeat(marker.len()) };
                self.line(|to| {
                    to.text.push_str(if line.is_empty() { "" } else { &lead });
                    to.text.push_str(line);
                });
            }
        }
    }

    /// Writes a line, or nothing where nothing is written into it.
    fn line(&mut self, what: impl FnOnce(&mut Self)) {
        let before = self.text.len();
        what(self);
        if self.text.len() > before {
            self.text.push('\n');
        }
    }

    /// Lines as one.
    fn folded(&mut self, lines: &str) {
        for (place, word) in lines.split_whitespace().enumerate() {
            if place > 0 {
                self.text.push(' ');
            }
            self.text.push_str(word);
        }
    }

    fn inlines(&mut self, content: &[Inline], line_break: &str) {
        for inline in content {
            match inline {
                Inline::Text { text } | Inline::Code { text } => self.text.push_str(text),
                Inline::Link { href, content } if self.options.links => {
                    self.text.push('[');
                    self.inlines(content, line_break);
                    self.text.push_str("](");
                    self.text.push_str(href);
                    self.text.push(')');
                }
                Inline::Styled { content, .. }
                | Inline::Link { content, .. }
                | Inline::FootnoteRef { content, .. } => self.inlines(content, line_break),
                Inline::Image(image) => {
                    if self.options.images {
                        self.image(image);
                    }
                }
                Inline::Formula(formula) => self.formula(formula),
                Inline::Break => self.text.push_str(line_break),
            }
        }
    }

    fn image(&mut self, image: &Image) {
        for part in ["![", &image.alt, "](", &image.src, ")"] {
            self.text.push_str(part);
        }
    }

    fn formula(&mut self, formula: &Formula) {
        self.folded(formula.source());
    }
}
