//! TEI P5, the encoding that libraries and linguists use.
//!
//! TEI wants headings at the start of sections, so sections are made from them: a heading opens a `div` and closes those
//! of its own level and below. Headings inside lists, quotations and tables are marked paragraphs.

use std::collections::HashMap;

use super::RenderOptions;
use super::facts::{fact, facts};
use super::uri::uri;
use super::writer::{Attributes, Dialect, Layout, Part, Writer, attributes};
use crate::document::{Document, Formula, Image, Kind, Piece, Style};

/// Holds the identifiers of footnotes by label; not every label could be one.
#[derive(Default)]
struct Tei {
    notes: HashMap<String, String>,
}

pub(super) fn render(document: &Document) -> String {
    let mut tei = Tei::default();
    tei.collect_notes(&document.content);
    let options = RenderOptions::all();
    let mut writer = Writer::new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", &tei, &options);
    let language = document.metadata.language.as_ref().map(ToString::to_string);
    let language = language.filter(|language| is_language(language));
    let own = attributes([
        ("xmlns", Some("http://www.tei-c.org/ns/1.0".to_owned())),
        ("xml:lang", language.clone()),
    ]);
    writer.element("TEI", &own, Layout::Block, |writer| {
        block(writer, "teiHeader", |writer| header(document, language, writer));
        block(writer, "text", |writer| {
            block(writer, "body", |writer| {
                typed_div(writer, "entry", |writer| sections(&document.content, writer));
                if !document.comments.is_empty() {
                    typed_div(writer, "comments", |writer| {
                        for comment in &document.comments {
                            typed_div(writer, "comment", |writer| writer.paragraphs("p", &comment.text));
                        }
                    });
                }
            });
        });
    });
    writer.out
}

fn block(writer: &mut Writer<'_>, name: &str, inside: impl FnOnce(&mut Writer<'_>)) {
    writer.element(name, &[], Layout::Block, |writer| inside(writer));
}

fn typed_div(writer: &mut Writer<'_>, kind: &str, inside: impl FnOnce(&mut Writer<'_>)) {
    writer.element("div", &[("type", kind.into())], Layout::Block, |writer| inside(writer));
}

fn header(document: &Document, language: Option<String>, writer: &mut Writer<'_>) {
    let facts = facts(document);
    let title_and_authors = |writer: &mut Writer<'_>| {
        writer.text_line("title", &[], fact(&facts, "title").unwrap_or(""));
        let authors = facts.iter().filter(|(name, _)| *name == "author");
        authors.for_each(|(_, author)| writer.text_line("author", &[], author));
    };
    block(writer, "fileDesc", |writer| {
        block(writer, "titleStmt", title_and_authors);
        block(writer, "publicationStmt", |writer| {
            writer.text_line("p", &[], "Extracted from a web page.");
        });
        block(writer, "sourceDesc", |writer| {
            block(writer, "bibl", |writer| {
                title_and_authors(writer);
                if let Some(source) = fact(&facts, "source") {
                    writer.text_line("publisher", &[], source);
                }
                for kind in ["published", "modified"] {
                    let Some(date) = fact(&facts, kind) else { continue };
                    let when = is_date(date).then(|| date.to_owned());
                    writer.text_line(
                        "date",
                        &attributes([("type", Some(kind.into())), ("when", when)]),
                        date,
                    );
                }
                if let Some(url) = document.url.as_deref().filter(|url| !url.is_empty()) {
                    writer.element("ptr", &[("target", uri(url))], Layout::Line, |_| {});
                }
            });
        });
    });
    block(writer, "profileDesc", |writer| {
        if let Some(language) = language {
            let own = [("ident", language.clone())];
            block(writer, "langUsage", |writer| writer.text_line("language", &own, &language));
        }
        block(writer, "textClass", |writer| {
            block(writer, "keywords", |writer| {
                writer.text_line("term", &[("type", "pagetype".into())], document.page_type.name());
            });
        });
    });
}

fn sections(pieces: &[Piece], writer: &mut Writer<'_>) {
    let mut open: Vec<u8> = Vec::new();
    for piece in pieces {
        let Kind::Heading { level, content } = &piece.kind else {
            writer.piece(piece);
            continue;
        };
        while open.pop_if(|above| *above >= *level).is_some() {
            writer.out.push_str("</div>\n");
        }
        writer.out.push_str("<div>\n");
        open.push(*level);
        writer.element("head", &[], Layout::Line, |writer| writer.inlines(content));
    }
    open.iter().for_each(|_| writer.out.push_str("</div>\n"));
}

impl Tei {
    fn collect_notes(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            if let Kind::Footnote { label, .. } = &piece.kind {
                let id = format!("note-{}", self.notes.len() + 1);
                self.notes.entry(label.clone()).or_insert(id);
            }
            piece.parts().for_each(|part| self.collect_notes(part));
        }
    }
}

impl Dialect for Tei {
    fn element(&self, part: &Part<'_>) -> Option<(&'static str, Attributes)> {
        let span = |span: u16| (span != 1).then(|| span.to_string());
        let rend = |value: &str| vec![("rend", value.to_owned())];
        Some(match part {
            Part::Heading { .. } => ("p", rend("head")),
            Part::Paragraph => ("p", Vec::new()),
            Part::List { ordered, .. } => ("list", rend(if *ordered { "numbered" } else { "bulleted" })),
            Part::Item { number, .. } => {
                ("item", attributes([("n", number.map(|number| number.to_string()))]))
            }
            Part::Definitions => ("list", rend("definitions")),
            Part::Definition { term } => ("item", if *term { rend("term") } else { Vec::new() }),
            Part::Table => ("table", Vec::new()),
            Part::TableCaption => ("head", Vec::new()),
            Part::Row => ("row", Vec::new()),
            Part::Cell(cell) => {
                let role = cell.header.then(|| "label".to_owned());
                (
                    "cell",
                    attributes([("role", role), ("cols", span(cell.colspan)), ("rows", span(cell.rowspan))]),
                )
            }
            Part::CodeBlock => ("ab", vec![("type", "code".into())]),
            Part::Code { is_block, language } => {
                let space = is_block.then(|| "preserve".to_owned());
                ("code", attributes([("xml:space", space), ("lang", language.map(str::to_owned))]))
            }
            Part::Quote { cite } => ("quote", attributes([("source", cite.map(uri))])),
            Part::Footnote { label } => {
                let id = self.notes.get(*label).cloned();
                let own = [("xml:id", id), ("n", Some((*label).into())), ("place", Some("foot".into()))];
                ("note", attributes(own))
            }
            Part::Rule => ("ab", vec![("type", "rule".into())]),
            Part::Style(style) => {
                let value = match style {
                    Style::Emphasis => "italic",
                    Style::Strong => "bold",
                    Style::Strike => "strikethrough",
                    Style::Underline => "underline",
                    Style::Mark => "mark",
                    Style::Subscript => "sub",
                    Style::Superscript => "sup",
                    Style::Ruby => "ruby",
                    Style::RubyText => "rubytext",
                    Style::Quotation => return Some(("q", Vec::new())),
                };
                ("hi", rend(value))
            }
            Part::Link { href: "" } => return None,
            Part::Link { href } => ("ref", vec![("target", uri(href))]),
            Part::FootnoteRef { label } => {
                let id = self.notes.get(*label)?;
                ("ref", vec![("type", "noteref".into()), ("target", format!("#{id}"))])
            }
            Part::Break => ("lb", Vec::new()),
        })
    }

    fn image(&self, image: &Image, is_block: bool, writer: &mut Writer<'_>) {
        let layout = if is_block { Layout::Line } else { Layout::Inline };
        writer.element("figure", &[], layout, |writer| {
            writer.element("graphic", &[("url", uri(&image.src))], Layout::Inline, |_| {});
            if !image.caption.is_empty() {
                writer.element("head", &[], Layout::Inline, |writer| writer.inlines(&image.caption));
            }
            if !image.alt.is_empty() {
                writer.element("figDesc", &[], Layout::Inline, |writer| writer.text(&image.alt));
            }
        });
    }

    fn formula(&self, formula: &Formula, is_block: bool, writer: &mut Writer<'_>) {
        let notation = if formula.tex.is_some() { "tex" } else { "text" };
        let rend = formula.display.then(|| "display".to_owned());
        let own = attributes([("notation", Some(notation.into())), ("rend", rend)]);
        let write = |writer: &mut Writer<'_>| {
            writer.element("formula", &own, Layout::Inline, |writer| writer.text(formula.source()));
        };
        if is_block {
            writer.element("p", &[], Layout::Line, |writer| write(writer));
        } else {
            write(writer);
        }
    }
}

/// Whether it is an `xs:language`.
fn is_language(tag: &str) -> bool {
    let is_part =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let first = tag.split('-').next().unwrap_or("");
    first.bytes().all(|byte| byte.is_ascii_alphabetic()) && tag.split('-').all(is_part)
}

/// Whether it is an `xs:date` or `xs:dateTime`.
fn is_date(date: &str) -> bool {
    let digits: String = date.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    let Some(time) = digits.strip_prefix("0000-00-00") else { return false };
    let zone = time.strip_prefix("T00:00:00");
    time.is_empty() || zone.is_some_and(|zone| matches!(zone, "" | "Z" | "+00:00" | "-00:00"))
}
