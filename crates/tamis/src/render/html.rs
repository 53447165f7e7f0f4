//! Clean HTML: semantic elements and nothing else. It is well-formed XML, so `docs/schema/html-tamis.dtd` can describe it.

use super::facts::is_right_to_left;
use super::writer::{Attributes, Dialect, Layout, Part, Writer, attributes};
use super::{RenderOptions, post_starts};
use crate::document::{Document, Formula, Image, Inline, Post, Style, is_safe_url};

struct Html;

pub(super) fn render(document: &Document, options: &RenderOptions) -> String {
    let mut writer = Writer::new("<!DOCTYPE html>\n", &Html, options);
    let direction = is_right_to_left(document).then(|| "rtl".to_owned());
    let language = document.metadata.language.as_ref().map(ToString::to_string);
    let own = attributes([("lang", language), ("dir", direction)]);
    writer.element("html", &own, Layout::Block, |writer| {
        writer.element("head", &[], Layout::Block, |writer| head(document, writer));
        writer.element("body", &[], Layout::Block, |writer| {
            writer.element("article", &[], Layout::Block, |writer| {
                if let Some(title) = options.headline_of(document) {
                    writer.text_line("h1", &[], title);
                }
                content(document, writer);
            });
            if options.comments && !document.comments.is_empty() {
                writer.element("section", &[("id", "comments".into())], Layout::Block, |writer| {
                    for comment in &document.comments {
                        let time = comment.time.as_ref().map(ToString::to_string);
                        let own = attributes([("data-author", comment.author.clone()), ("data-time", time)]);
                        writer.element("article", &own, Layout::Block, |writer| {
                            writer.paragraphs("p", &comment.text);
                        });
                    }
                });
            }
        });
    });
    writer.out
}

fn head(document: &Document, writer: &mut Writer<'_>) {
    writer.element("meta", &[("charset", "utf-8".into())], Layout::Line, |_| {});
    writer.text_line("title", &[], document.metadata.title.as_deref().unwrap_or(""));
    let authors = document.metadata.authors.iter().map(|author| ("author", author.to_string()));
    let date = document.metadata.published.iter().map(|date| ("date", date.to_string()));
    for (name, value) in authors.chain(date) {
        writer.element("meta", &[("name", name.into()), ("content", value)], Layout::Line, |_| {});
    }
    if let Some(url) = document.url.as_ref().filter(|url| is_safe_url(url)) {
        let own = [("rel", "canonical".into()), ("href", url.clone())];
        writer.element("link", &own, Layout::Line, |_| {});
    }
}

/// The text, with each post of a thread in an `article` of its own.
fn content(document: &Document, writer: &mut Writer<'_>) {
    let starts = post_starts(document);
    let mut from = 0;
    for end in (1..=starts.len()).filter(|end| starts.get(*end).is_none_or(Option::is_some)) {
        let pieces = &document.content[from..end];
        match starts[from] {
            Some(Post { author, time, reply_to, .. }) => {
                let time = time.as_ref().map(ToString::to_string);
                let own = attributes([
                    ("data-author", author.clone()),
                    ("data-time", time),
                    ("data-reply-to", reply_to.clone()),
                ]);
                writer.element("article", &own, Layout::Block, |writer| writer.pieces(pieces));
            }
            None => writer.pieces(pieces),
        }
        from = end;
    }
}

impl Dialect for Html {
    fn element(&self, part: &Part<'_>) -> Option<(&'static str, Attributes)> {
        let span = |span: u16| (span != 1).then(|| span.to_string());
        Some(match part {
            Part::Heading { level } => {
                (["h1", "h2", "h3", "h4", "h5", "h6"][usize::from((*level).clamp(1, 6)) - 1], Vec::new())
            }
            Part::Paragraph => ("p", Vec::new()),
            Part::List { ordered: true, start } => {
                ("ol", attributes([("start", (*start != 1).then(|| start.to_string()))]))
            }
            Part::List { .. } => ("ul", Vec::new()),
            Part::Item { .. } => ("li", Vec::new()),
            Part::Definitions => ("dl", Vec::new()),
            Part::Definition { term } => (if *term { "dt" } else { "dd" }, Vec::new()),
            Part::Table => ("table", Vec::new()),
            Part::TableCaption => ("caption", Vec::new()),
            Part::Row => ("tr", Vec::new()),
            Part::Cell(cell) => {
                let own = attributes([("colspan", span(cell.colspan)), ("rowspan", span(cell.rowspan))]);
                (if cell.header { "th" } else { "td" }, own)
            }
            Part::CodeBlock => ("pre", Vec::new()),
            Part::Code { language, .. } => {
                ("code", attributes([("class", language.map(|language| format!("language-{language}")))]))
            }
            Part::Quote { cite } => {
                let cite = cite.filter(|url| is_safe_url(url)).map(str::to_owned);
                ("blockquote", attributes([("cite", cite)]))
            }
            Part::Footnote { label } => {
                ("aside", vec![("role", "doc-footnote".into()), ("id", format!("note-{label}"))])
            }
            Part::Rule => ("hr", Vec::new()),
            Part::Style(style) => {
                let name = match style {
                    Style::Emphasis => "em",
                    Style::Strong => "strong",
                    Style::Strike => "s",
                    Style::Underline => "u",
                    Style::Mark => "mark",
                    Style::Subscript => "sub",
                    Style::Superscript => "sup",
                    Style::Quotation => "q",
                    Style::Ruby => "ruby",
                    Style::RubyText => "rt",
                };
                (name, Vec::new())
            }
            Part::Link { href } if is_safe_url(href) => ("a", vec![("href", (*href).into())]),
            Part::Link { .. } => return None,
            Part::FootnoteRef { label } => {
                ("a", vec![("role", "doc-noteref".into()), ("href", format!("#note-{label}"))])
            }
            Part::Break => ("br", Vec::new()),
        })
    }

    fn image(&self, image: &Image, is_block: bool, writer: &mut Writer<'_>) {
        let own = [("src", image.src.clone()), ("alt", image.alt.clone())];
        let picture = |writer: &mut Writer<'_>| {
            if writer.options.images && is_safe_url(&image.src) {
                writer.element("img", &own, Layout::Inline, |_| {});
            }
        };
        if !is_block {
            return picture(writer);
        }
        writer.element("figure", &[], Layout::Line, |writer| {
            picture(writer);
            if !image.caption.is_empty() {
                writer.element("figcaption", &[], Layout::Inline, |writer| writer.inlines(&image.caption));
            }
        });
    }

    fn formula(&self, formula: &Formula, is_block: bool, writer: &mut Writer<'_>) {
        if is_block {
            let inline = [Inline::Formula(Box::new(formula.clone()))];
            writer.element("p", &[], Layout::Line, |writer| writer.inlines(&inline));
        } else if let Some(tex) = &formula.tex {
            let own = [("class", "language-tex".into())];
            writer.element("code", &own, Layout::Inline, |writer| writer.text(tex));
        } else {
            writer.text(&formula.text);
        }
    }

    fn is_html(&self) -> bool {
        true
    }
}
