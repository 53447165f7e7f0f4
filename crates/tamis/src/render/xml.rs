//! XML in a vocabulary of its own: the names of the document's own parts.

use super::facts::{facts, is_right_to_left};
use super::writer::{Attributes, Dialect, Layout, Part, Writer, attributes};
use super::{RenderOptions, SCHEMA};
use crate::document::{Document, Formula, Image, Piece, Style};

struct Xml;

pub(super) fn render(document: &Document) -> String {
    let options = RenderOptions::all();
    let mut writer = Writer::new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", &Xml, &options);
    let own = attributes([
        ("version", Some(SCHEMA.to_string())),
        ("url", document.url.clone()),
        ("language", document.metadata.language.as_ref().map(ToString::to_string)),
        ("direction", is_right_to_left(document).then(|| "rtl".into())),
        ("type", Some(document.page_type.name().into())),
        ("confidence", Some(document.confidence.to_string())),
    ]);
    writer.element("document", &own, Layout::Block, |writer| {
        facts(document).iter().for_each(|(name, value)| writer.text_line(name, &[], value));
        writer.element("content", &[], Layout::Block, |writer| writer.pieces(&document.content));
        group("posts", &document.posts, writer, |post, writer| {
            let own = attributes([
                ("author", post.author.clone()),
                ("time", post.time.as_ref().map(ToString::to_string)),
                ("number", post.number.map(|number| number.to_string())),
                ("reply-to", post.reply_to.clone()),
                ("path", Some(post.path.clone())),
            ]);
            writer.element("post", &own, Layout::Block, |writer| writer.paragraphs("paragraph", &post.text));
        });
        group("comments", &document.comments, writer, |comment, writer| {
            let own = attributes([
                ("author", comment.author.clone()),
                ("time", comment.time.as_ref().map(ToString::to_string)),
                ("reply-to", comment.reply_to.map(|index| index.to_string())),
                ("path", Some(comment.path.clone())),
            ]);
            writer.element("comment", &own, Layout::Block, |writer| {
                writer.paragraphs("paragraph", &comment.text);
            });
        });
        group("entries", &document.entries, writer, |entry, writer| {
            let date = entry.date.as_ref().map(ToString::to_string);
            let own = attributes([("href", entry.url.clone()), ("date", date)]);
            writer.element("entry", &own, Layout::Block, |writer| {
                writer.text_line("title", &[], &entry.title);
                writer.paragraphs("paragraph", &entry.text);
            });
        });
    });
    writer.out
}

fn group<T>(name: &str, members: &[T], writer: &mut Writer<'_>, write: impl Fn(&T, &mut Writer<'_>)) {
    if !members.is_empty() {
        writer.element(name, &[], Layout::Block, |writer| members.iter().for_each(|it| write(it, writer)));
    }
}

impl Dialect for Xml {
    fn element(&self, part: &Part<'_>) -> Option<(&'static str, Attributes)> {
        let span = |span: u16| (span != 1).then(|| span.to_string());
        let flag = |is_set: bool| Some(if is_set { "true" } else { "false" }.to_owned());
        Some(match part {
            Part::Heading { level } => ("heading", vec![("level", level.to_string())]),
            Part::Paragraph => ("paragraph", Vec::new()),
            Part::List { ordered, start } => {
                let first = ordered.then(|| start.to_string());
                ("list", attributes([("ordered", flag(*ordered)), ("first", first)]))
            }
            Part::Item { checked, .. } => ("item", attributes([("checked", checked.and_then(flag))])),
            Part::Definitions => ("definitions", Vec::new()),
            Part::Definition { term } => (if *term { "term" } else { "description" }, Vec::new()),
            Part::Table => ("table", Vec::new()),
            Part::TableCaption => ("caption", Vec::new()),
            Part::Row => ("row", Vec::new()),
            Part::Cell(cell) => {
                let header = cell.header.then(|| "true".to_owned());
                let spans = [("colspan", span(cell.colspan)), ("rowspan", span(cell.rowspan))];
                ("cell", attributes([("header", header), spans[0].clone(), spans[1].clone()]))
            }
            Part::CodeBlock => return None,
            Part::Code { is_block, language } => {
                let space = is_block.then(|| "preserve".to_owned());
                ("code", attributes([("xml:space", space), ("language", language.map(str::to_owned))]))
            }
            Part::Quote { cite } => ("quote", attributes([("cite", cite.map(str::to_owned))])),
            Part::Footnote { label } => ("footnote", vec![("label", (*label).into())]),
            Part::Rule => ("rule", Vec::new()),
            Part::Style(style) => {
                let name = match style {
                    Style::Emphasis => "emphasis",
                    Style::Strong => "strong",
                    Style::Strike => "strike",
                    Style::Underline => "underline",
                    Style::Mark => "mark",
                    Style::Subscript => "subscript",
                    Style::Superscript => "superscript",
                    Style::Quotation => "quotation",
                    Style::Ruby => "ruby",
                    Style::RubyText => "ruby-text",
                };
                (name, Vec::new())
            }
            Part::Link { href } => ("link", vec![("href", (*href).into())]),
            Part::FootnoteRef { label } => ("footnote-ref", vec![("label", (*label).into())]),
            Part::Break => ("break", Vec::new()),
        })
    }

    fn image(&self, image: &Image, is_block: bool, writer: &mut Writer<'_>) {
        let own = [("src", image.src.clone()), ("alt", image.alt.clone())];
        let layout = if is_block { Layout::Line } else { Layout::Inline };
        writer.element("image", &own, layout, |writer| {
            if !image.caption.is_empty() {
                writer.element("caption", &[], Layout::Inline, |writer| writer.inlines(&image.caption));
            }
        });
    }

    /// TeX, or else bare characters.
    fn formula(&self, formula: &Formula, is_block: bool, writer: &mut Writer<'_>) {
        let display = if formula.display || is_block { "true" } else { "false" };
        let layout = if is_block { Layout::Line } else { Layout::Inline };
        writer.element("formula", &[("display", display.into())], layout, |writer| match &formula.tex {
            Some(tex) => writer.element("tex", &[], Layout::Inline, |writer| writer.text(tex)),
            None => writer.text(&formula.text),
        });
    }

    fn place(&self, piece: &Piece) -> Attributes {
        let (start, end) = (piece.span.start.to_string(), piece.span.end.to_string());
        vec![("path", piece.path.clone()), ("start", start), ("end", end)]
    }
}
