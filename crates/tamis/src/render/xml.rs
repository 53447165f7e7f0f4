//! XML in a vocabulary of its own: the names of the document's own parts.

use super::tags::Tags;
use crate::document::{Document, Formula, Image, Inline, Kind, Piece, Style};

pub(super) fn render(document: &Document) -> String {
    let mut tags = Tags::new();
    let mut attributes = vec![("version", "1")];
    let confidence = document.confidence.map(|confidence| confidence.to_string());
    let facts = [
        ("url", document.url.as_deref()),
        ("language", document.language.as_deref()),
        ("type", document.page_type.as_deref()),
        ("confidence", confidence.as_deref()),
    ];
    attributes.extend(facts.into_iter().filter_map(|(name, value)| Some((name, value?))));
    tags.block("document", &attributes, |tags| {
        let facts = [
            ("title", &document.title),
            ("published", &document.published),
            ("modified", &document.modified),
        ];
        for (name, value) in facts {
            fact(name, value.as_deref(), tags);
        }
        for author in &document.authors {
            fact("author", Some(author), tags);
        }
        fact("source", document.source.as_deref(), tags);
        tags.block("content", &[], |tags| pieces(&document.content, tags));
        if !document.comments.is_empty() {
            tags.block("comments", &[], |tags| {
                for comment in &document.comments {
                    let (start, end) = (comment.span.start.to_string(), comment.span.end.to_string());
                    let place =
                        [("path", comment.path.as_str()), ("start", start.as_str()), ("end", end.as_str())];
                    tags.block("comment", &place, |tags| pieces(&comment.content, tags));
                }
            });
        }
    });
    tags.finish()
}

fn fact(name: &str, value: Option<&str>, tags: &mut Tags) {
    if let Some(value) = value {
        tags.line(name, &[], |tags| tags.text(value));
    }
}

fn pieces(pieces: &[Piece], tags: &mut Tags) {
    for piece in pieces {
        let (start, end) = (piece.span.start.to_string(), piece.span.end.to_string());
        let place = [("path", piece.path.as_str()), ("start", start.as_str()), ("end", end.as_str())];
        self::piece(piece, &place, tags);
    }
}

fn piece(piece: &Piece, place: &[(&str, &str)], tags: &mut Tags) {
    let with = |first: &[(&'static str, &str)]| -> Vec<(String, String)> {
        first.iter().chain(place).map(|(name, value)| (String::from(*name), String::from(*value))).collect()
    };
    match &piece.kind {
        Kind::Heading { level, content } => {
            let level = level.to_string();
            with_all(&with(&[("level", &level)]), |all| {
                tags.line("heading", all, |tags| inlines(content, tags));
            });
        }
        Kind::Paragraph { content } => tags.line("paragraph", place, |tags| inlines(content, tags)),
        Kind::List { ordered, start, items } => {
            let number = start.to_string();
            let own: &[(&str, &str)] =
                if *ordered { &[("ordered", "true"), ("first", &number)] } else { &[("ordered", "false")] };
            with_all(&with(own), |all| {
                tags.block("list", all, |tags| {
                    for item in items {
                        tags.block("item", &[], |tags| pieces(&item.content, tags));
                    }
                });
            });
        }
        Kind::Definitions { entries } => tags.block("definitions", place, |tags| {
            for entry in entries {
                let name = if entry.term { "term" } else { "description" };
                tags.block(name, &[], |tags| pieces(&entry.content, tags));
            }
        }),
        Kind::Table { caption, rows } => tags.block("table", place, |tags| {
            if !caption.is_empty() {
                tags.line("caption", &[], |tags| inlines(caption, tags));
            }
            for row in rows {
                tags.block("row", &[], |tags| {
                    for cell in &row.cells {
                        let (columns, rows) = (cell.colspan.to_string(), cell.rowspan.to_string());
                        let mut own = Vec::new();
                        own.extend(cell.header.then_some(("header", "true")));
                        own.extend((cell.colspan != 1).then_some(("colspan", columns.as_str())));
                        own.extend((cell.rowspan != 1).then_some(("rowspan", rows.as_str())));
                        tags.block("cell", &own, |tags| pieces(&cell.content, tags));
                    }
                });
            }
        }),
        Kind::Code { language, text } => {
            let mut own = vec![("xml:space", "preserve")];
            own.extend(language.as_deref().map(|language| ("language", language)));
            with_all(&with(&own), |all| tags.line("code", all, |tags| tags.text(text)));
        }
        Kind::Quote { content } => tags.block("quote", place, |tags| pieces(content, tags)),
        Kind::Image(picture) => with_all(&with(&[("src", &picture.src), ("alt", &picture.alt)]), |all| {
            tags.line("image", all, |tags| caption(picture, tags));
        }),
        Kind::Formula(it) => {
            with_all(&with(&[("display", "true")]), |all| {
                tags.line("formula", all, |tags| formula(it, tags));
            });
        }
        Kind::Footnote { label, content } => with_all(&with(&[("label", label)]), |all| {
            tags.block("footnote", all, |tags| pieces(content, tags));
        }),
    }
}

/// Hands on attributes as the tags want them.
fn with_all(owned: &[(String, String)], then: impl FnOnce(&[(&str, &str)])) {
    let all: Vec<(&str, &str)> = owned.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    then(&all);
}

fn inlines(content: &[Inline], tags: &mut Tags) {
    for inline in content {
        match inline {
            Inline::Text { text } => tags.text(text),
            Inline::Styled { style, content } => {
                let name = match style {
                    Style::Emphasis => "emphasis",
                    Style::Strong => "strong",
                    Style::Strike => "strike",
                    Style::Underline => "underline",
                    Style::Mark => "mark",
                    Style::Subscript => "subscript",
                    Style::Superscript => "superscript",
                    Style::Quotation => "quotation",
                };
                tags.inline(name, &[], |tags| inlines(content, tags));
            }
            Inline::Code { text } => tags.inline("code", &[], |tags| tags.text(text)),
            Inline::Link { href, content } => {
                tags.inline("link", &[("href", href)], |tags| inlines(content, tags));
            }
            Inline::Image(image) => {
                tags.inline("image", &[("src", &image.src), ("alt", &image.alt)], |tags| {
                    caption(image, tags);
                });
            }
            Inline::Formula(it) => {
                let display = if it.display { "true" } else { "false" };
                tags.inline("formula", &[("display", display)], |tags| formula(it, tags));
            }
            Inline::Break => tags.inline("break", &[], |_| {}),
            Inline::FootnoteRef { label, content } => {
                tags.inline("footnote-ref", &[("label", label)], |tags| inlines(content, tags));
            }
        }
    }
}

fn caption(image: &Image, tags: &mut Tags) {
    if !image.caption.is_empty() {
        tags.inline("caption", &[], |tags| inlines(&image.caption, tags));
    }
}

/// TeX, MathML and bare characters, as far as there are any.
fn formula(formula: &Formula, tags: &mut Tags) {
    if let Some(tex) = &formula.tex {
        tags.inline("tex", &[], |tags| tags.text(tex));
    }
    if let Some(mathml) = &formula.mathml {
        tags.raw(mathml);
    }
    if formula.tex.is_none() && formula.mathml.is_none() {
        tags.text(&formula.text);
    }
}
