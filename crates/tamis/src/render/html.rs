//! Clean HTML: elements that mean something and nothing else.

use std::fmt::Write;

use super::posts::{self, At};
use super::{Options, attribute, escape_xml};
use crate::assemble::is_safe;
use crate::document::{Cell, Document, Formula, Image, Inline, Kind, Piece, Post, Row, Style};

pub(super) fn render(document: &Document, options: &Options) -> String {
    let mut writer = Writer { html: String::from("<!doctype html>\n<html"), options };
    if let Some(language) = &document.language {
        attribute("lang", language, &mut writer.html);
    }
    writer.html.push_str(">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    escape_xml(document.title.as_deref().unwrap_or(""), &mut writer.html);
    writer.html.push_str("</title>\n");
    let authors = document.authors.iter().map(|author| ("author", author));
    let dates = document.published.iter().map(|date| ("date", date));
    for (name, value) in authors.chain(dates) {
        writer.html.push_str("<meta");
        attribute("name", name, &mut writer.html);
        attribute("content", value, &mut writer.html);
        writer.html.push_str(">\n");
    }
    if let Some(url) = document.url.as_deref().filter(|url| is_safe(url)) {
        writer.html.push_str("<link rel=\"canonical\"");
        attribute("href", url, &mut writer.html);
        writer.html.push_str(">\n");
    }
    writer.html.push_str("</head>\n<body>\n<article>\n");
    writer.content(document);
    writer.html.push_str("</article>\n");
    if options.comments && !document.comments.is_empty() {
        writer.html.push_str("<section id=\"comments\">\n");
        for comment in &document.comments {
            writer.html.push_str("<article>\n");
            writer.pieces(&comment.content);
            writer.html.push_str("</article>\n");
        }
        writer.html.push_str("</section>\n");
    }
    writer.html.push_str("</body>\n</html>\n");
    writer.html
}

struct Writer<'o> {
    html: String,
    options: &'o Options,
}

impl Writer<'_> {
    /// The text, each post of a thread in an `article` of its own.
    fn content(&mut self, document: &Document) {
        let posts = posts::of(document);
        let mut is_open = false;
        for (place, piece) in document.content.iter().enumerate() {
            let at = posts.get(place).copied().unwrap_or(At::GoesOn);
            if is_open && at != At::GoesOn {
                self.html.push_str("</article>\n");
                is_open = false;
            }
            if let At::Begins(_, post) = at {
                self.begin_post(post);
                is_open = true;
            }
            if self.options.shows(piece) {
                self.piece(piece);
            }
        }
        if is_open {
            self.html.push_str("</article>\n");
        }
    }

    fn begin_post(&mut self, post: &Post) {
        self.html.push_str("<article");
        let said =
            [("data-author", &post.author), ("data-time", &post.time), ("data-reply-to", &post.reply_to)];
        for (name, value) in said {
            if let Some(value) = value {
                attribute(name, value, &mut self.html);
            }
        }
        self.html.push_str(">\n");
    }

    fn pieces(&mut self, pieces: &[Piece]) {
        for piece in pieces.iter().filter(|piece| self.options.shows(piece)) {
            self.piece(piece);
        }
    }

    fn piece(&mut self, piece: &Piece) {
        match &piece.kind {
            Kind::Heading { level, content } => self.block(&format!("h{}", (*level).clamp(1, 6)), content),
            Kind::Paragraph { content } => self.block("p", content),
            Kind::List { ordered, start, items } => {
                let name = if *ordered { "ol" } else { "ul" };
                let _ = write!(self.html, "<{name}");
                if *ordered && *start != 1 {
                    attribute("start", &start.to_string(), &mut self.html);
                }
                self.html.push_str(">\n");
                for item in items {
                    self.container("li", &item.content);
                }
                let _ = writeln!(self.html, "</{name}>");
            }
            Kind::Definitions { entries } => {
                self.html.push_str("<dl>\n");
                for entry in entries {
                    self.container(if entry.term { "dt" } else { "dd" }, &entry.content);
                }
                self.html.push_str("</dl>\n");
            }
            Kind::Table { caption, rows } => self.table(caption, rows),
            Kind::Code { language, text } => {
                self.html.push_str("<pre><code");
                if let Some(language) = language {
                    attribute("class", &format!("language-{language}"), &mut self.html);
                }
                self.html.push('>');
                escape_xml(text, &mut self.html);
                self.html.push_str("</code></pre>\n");
            }
            Kind::Quote { content } => {
                self.html.push_str("<blockquote>\n");
                self.pieces(content);
                self.html.push_str("</blockquote>\n");
            }
            Kind::Image(image) => {
                self.html.push_str("<figure>");
                if self.options.images {
                    self.image(image);
                }
                if !image.caption.is_empty() {
                    self.html.push_str("<figcaption");
                    self.direction(&image.caption);
                    self.html.push('>');
                    self.inlines(&image.caption);
                    self.html.push_str("</figcaption>");
                }
                self.html.push_str("</figure>\n");
            }
            Kind::Formula(formula) => {
                self.html.push_str("<p>");
                self.formula(formula);
                self.html.push_str("</p>\n");
            }
            Kind::Footnote { label, content } => {
                self.html.push_str("<aside role=\"doc-footnote\"");
                attribute("id", &format!("note-{label}"), &mut self.html);
                self.html.push_str(">\n");
                self.pieces(content);
                self.html.push_str("</aside>\n");
            }
        }
    }

    fn block(&mut self, name: &str, content: &[Inline]) {
        let _ = write!(self.html, "<{name}");
        self.direction(content);
        self.html.push('>');
        self.inlines(content);
        let _ = writeln!(self.html, "</{name}>");
    }

    /// An element that may hold either words or pieces: a single paragraph needs no `p` there.
    fn container(&mut self, name: &str, content: &[Piece]) {
        let _ = write!(self.html, "<{name}");
        self.contained(content);
        let _ = writeln!(self.html, "</{name}>");
    }

    fn contained(&mut self, content: &[Piece]) {
        let mut rest = content;
        if let [Piece { kind: Kind::Paragraph { content }, .. }, others @ ..] = content
            && others.iter().all(|piece| matches!(piece.kind, Kind::List { .. }))
        {
            self.direction(content);
            self.html.push('>');
            self.inlines(content);
            rest = others;
        } else {
            self.html.push('>');
        }
        if !rest.is_empty() {
            self.html.push('\n');
            self.pieces(rest);
        }
    }

    fn table(&mut self, caption: &[Inline], rows: &[Row]) {
        self.html.push_str("<table>\n");
        if !caption.is_empty() {
            self.block("caption", caption);
        }
        for row in rows {
            self.html.push_str("<tr>\n");
            row.cells.iter().for_each(|cell| self.cell(cell));
            self.html.push_str("</tr>\n");
        }
        self.html.push_str("</table>\n");
    }

    fn cell(&mut self, cell: &Cell) {
        let name = if cell.header { "th" } else { "td" };
        let _ = write!(self.html, "<{name}");
        for (name, span) in [("colspan", cell.colspan), ("rowspan", cell.rowspan)] {
            if span != 1 {
                attribute(name, &span.to_string(), &mut self.html);
            }
        }
        self.contained(&cell.content);
        let _ = writeln!(self.html, "</{name}>");
    }

    /// Words from right to left need to be known as such, wherever they stand.
    fn direction(&mut self, content: &[Inline]) {
        if has_right_to_left(content) {
            attribute("dir", "auto", &mut self.html);
        }
    }

    fn inlines(&mut self, content: &[Inline]) {
        for inline in content {
            match inline {
                Inline::Text { text } => escape_xml(text, &mut self.html),
                Inline::Code { text } => {
                    self.html.push_str("<code>");
                    escape_xml(text, &mut self.html);
                    self.html.push_str("</code>");
                }
                Inline::Styled { style, content } if self.options.formatting => {
                    let name = match style {
                        Style::Emphasis => "em",
                        Style::Strong => "strong",
                        Style::Strike => "s",
                        Style::Underline => "u",
                        Style::Mark => "mark",
                        Style::Subscript => "sub",
                        Style::Superscript => "sup",
                        Style::Quotation => "q",
                    };
                    let _ = write!(self.html, "<{name}>");
                    self.inlines(content);
                    let _ = write!(self.html, "</{name}>");
                }
                Inline::Link { href, content } if self.options.links && is_safe(href) => {
                    self.html.push_str("<a");
                    attribute("href", href, &mut self.html);
                    self.html.push('>');
                    self.inlines(content);
                    self.html.push_str("</a>");
                }
                Inline::FootnoteRef { label, content } if self.options.links => {
                    self.html.push_str("<a role=\"doc-noteref\"");
                    attribute("href", &format!("#note-{label}"), &mut self.html);
                    self.html.push('>');
                    self.inlines(content);
                    self.html.push_str("</a>");
                }
                Inline::Styled { content, .. }
                | Inline::Link { content, .. }
                | Inline::FootnoteRef { content, .. } => self.inlines(content),
                Inline::Image(image) => {
                    if self.options.images {
                        self.image(image);
                    }
                }
                Inline::Formula(formula) => self.formula(formula),
                Inline::Break => self.html.push_str("<br>\n"),
            }
        }
    }

    fn image(&mut self, image: &Image) {
        if is_safe(&image.src) {
            self.html.push_str("<img");
            attribute("src", &image.src, &mut self.html);
            attribute("alt", &image.alt, &mut self.html);
            self.html.push('>');
        }
    }

    fn formula(&mut self, formula: &Formula) {
        match (&formula.mathml, &formula.tex) {
            (Some(mathml), _) => self.html.push_str(mathml),
            (None, Some(tex)) => {
                self.html.push_str("<code class=\"language-tex\">");
                escape_xml(tex, &mut self.html);
                self.html.push_str("</code>");
            }
            (None, None) => escape_xml(&formula.text, &mut self.html),
        }
    }
}

fn has_right_to_left(content: &[Inline]) -> bool {
    let is_right_to_left = |it: char| matches!(it as u32, 0x0590..=0x08FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFF | 0x1_0800..=0x1_0FFF | 0x1_E800..=0x1_EFFF);
    content.iter().any(|inline| match inline {
        Inline::Text { text } => text.contains(is_right_to_left),
        inline => has_right_to_left(inline.content()),
    })
}
