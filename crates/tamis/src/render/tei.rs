//! TEI P5, the encoding that libraries and linguists use.
//!
//! TEI wants headings at the start of sections, so sections are made from them: a heading opens a `div` and closes
//! those of its own level and below. Headings inside of lists, quotes and tables open none and are marked paragraphs.

use std::collections::HashMap;

use super::tags::Tags;
use super::uri::uri;
use crate::document::{Document, Formula, Image, Inline, Kind, Piece, Style};

pub(super) fn render(document: &Document) -> String {
    let mut tags = Tags::new();
    let mut attributes = vec![("xmlns", "http://www.tei-c.org/ns/1.0")];
    let language = document.language.as_deref().filter(|language| is_language(language));
    attributes.extend(language.map(|language| ("xml:lang", language)));
    let mut notes = Notes::default();
    notes.find(&document.content);
    document.comments.iter().for_each(|comment| notes.find(&comment.content));
    tags.block("TEI", &attributes, |tags| {
        header(document, language, tags);
        tags.block("text", &[], |tags| {
            tags.block("body", &[], |tags| {
                let mut writer = Writer { tags, notes: &notes };
                writer.within("div", &[("type", "entry")], |to| to.sections(&document.content));
                if !document.comments.is_empty() {
                    writer.within("div", &[("type", "comments")], |to| {
                        for comment in &document.comments {
                            to.within("div", &[("type", "comment")], |to| to.pieces(&comment.content));
                        }
                    });
                }
            });
        });
    });
    tags.finish()
}

fn header(document: &Document, language: Option<&str>, tags: &mut Tags) {
    let title = document.title.as_deref().unwrap_or("");
    let authors = |tags: &mut Tags| {
        for author in &document.authors {
            tags.line("author", &[], |tags| tags.text(author));
        }
    };
    tags.block("teiHeader", &[], |tags| {
        tags.block("fileDesc", &[], |tags| {
            tags.block("titleStmt", &[], |tags| {
                tags.line("title", &[], |tags| tags.text(title));
                authors(tags);
            });
            tags.block("publicationStmt", &[], |tags| {
                tags.line("p", &[], |tags| tags.text("Extracted from a web page."));
            });
            tags.block("sourceDesc", &[], |tags| {
                tags.block("bibl", &[], |tags| {
                    tags.line("title", &[], |tags| tags.text(title));
                    authors(tags);
                    if let Some(source) = &document.source {
                        tags.line("publisher", &[], |tags| tags.text(source));
                    }
                    let dates = [("published", &document.published), ("modified", &document.modified)];
                    for (kind, date) in
                        dates.into_iter().filter_map(|(kind, date)| Some((kind, date.as_ref()?)))
                    {
                        let mut attributes = vec![("type", kind)];
                        attributes.extend(is_date(date).then_some(("when", date.as_str())));
                        tags.line("date", &attributes, |tags| tags.text(date));
                    }
                    if let Some(url) = document.url.as_deref().filter(|url| is_target(url)) {
                        tags.line("ptr", &[("target", &uri(url))], |_| {});
                    }
                });
            });
        });
        if language.is_some() || document.page_type.is_some() {
            tags.block("profileDesc", &[], |tags| {
                if let Some(language) = language {
                    tags.block("langUsage", &[], |tags| {
                        tags.line("language", &[("ident", language)], |tags| tags.text(language));
                    });
                }
                if let Some(page_type) = &document.page_type {
                    tags.block("textClass", &[], |tags| {
                        tags.block("keywords", &[], |tags| {
                            tags.line("term", &[("type", "pagetype")], |tags| tags.text(page_type));
                        });
                    });
                }
            });
        }
    });
}

/// The footnotes of the document; TEI calls them by identifiers that not every label could be.
#[derive(Default)]
struct Notes {
    ids: HashMap<String, String>,
}

impl Notes {
    fn find(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            if let Kind::Footnote { label, .. } = &piece.kind {
                let id = format!("note-{}", self.ids.len() + 1);
                self.ids.entry(label.clone()).or_insert(id);
            }
            piece.parts().for_each(|part| self.find(part));
        }
    }

    /// The identifier of a note.
    fn id(&self, label: &str) -> Option<&str> {
        self.ids.get(label).map(String::as_str)
    }
}

struct Writer<'t> {
    tags: &'t mut Tags,
    notes: &'t Notes,
}

impl Writer<'_> {
    fn sections(&mut self, pieces: &[Piece]) {
        let mut open: Vec<u8> = Vec::new();
        for piece in pieces {
            if let Kind::Heading { level, content } = &piece.kind {
                while open.last().is_some_and(|above| above >= level) {
                    self.tags.close("div");
                    open.pop();
                }
                self.tags.open("div");
                open.push(*level);
                self.words("head", &[], content);
            } else {
                self.piece(piece);
            }
        }
        for _ in open {
            self.tags.close("div");
        }
    }

    fn pieces(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            self.piece(piece);
        }
    }

    fn words(&mut self, name: &str, attributes: &[(&str, &str)], content: &[Inline]) {
        self.tags.line(name, attributes, |tags| inlines(content, self.notes, tags));
    }

    fn within(&mut self, name: &str, attributes: &[(&str, &str)], inside: impl FnOnce(&mut Writer<'_>)) {
        self.tags.block(name, attributes, |tags| inside(&mut Writer { tags, notes: self.notes }));
    }

    fn piece(&mut self, piece: &Piece) {
        match &piece.kind {
            Kind::Heading { content, .. } => self.words("p", &[("rend", "head")], content),
            Kind::Paragraph { content } => self.words("p", &[], content),
            // TEI has no lists without items and no tables without rows.
            Kind::List { items, .. } if items.is_empty() => {}
            Kind::Definitions { entries } if entries.is_empty() => {}
            Kind::Table { caption, rows } if rows.is_empty() => self.words("p", &[], caption),
            Kind::List { ordered, start, items } => {
                let kind = if *ordered { "numbered" } else { "bulleted" };
                self.within("list", &[("rend", kind)], |to| {
                    for (place, item) in items.iter().enumerate() {
                        let number = (u64::from(*start) + place as u64).to_string();
                        let own: &[(&str, &str)] = if *ordered { &[("n", &number)] } else { &[] };
                        to.within("item", own, |to| to.pieces(&item.content));
                    }
                });
            }
            Kind::Definitions { entries } => self.within("list", &[("rend", "definitions")], |to| {
                for entry in entries {
                    let own: &[(&str, &str)] = if entry.term { &[("rend", "term")] } else { &[] };
                    to.within("item", own, |to| to.pieces(&entry.content));
                }
            }),
            Kind::Table { caption, rows } => self.within("table", &[], |to| {
                if !caption.is_empty() {
                    to.words("head", &[], caption);
                }
                for row in rows {
                    to.within("row", &[], |to| {
                        if row.cells.is_empty() {
                            to.within("cell", &[], |_| {});
                        }
                        for cell in &row.cells {
                            let (cols, rows) = (cell.colspan.to_string(), cell.rowspan.to_string());
                            let mut own = Vec::new();
                            own.extend(cell.header.then_some(("role", "label")));
                            own.extend((cell.colspan != 1).then_some(("cols", cols.as_str())));
                            own.extend((cell.rowspan != 1).then_some(("rows", rows.as_str())));
                            to.within("cell", &own, |to| to.pieces(&cell.content));
                        }
                    });
                }
            }),
            Kind::Code { language, text } => {
                let mut own = vec![("xml:space", "preserve")];
                let language = language.as_deref().filter(|language| is_word(language));
                own.extend(language.map(|language| ("lang", language)));
                self.tags.line("ab", &[("type", "code")], |tags| {
                    tags.inline("code", &own, |tags| tags.text(text));
                });
            }
            Kind::Quote { content } => self.within("quote", &[], |to| to.pieces(content)),
            Kind::Image(image) => {
                self.tags.line("figure", &[], |tags| figure(image, self.notes, tags));
            }
            Kind::Formula(it) => {
                self.tags.line("p", &[], |tags| formula(it, tags));
            }
            Kind::Footnote { label, content } => {
                let id = self.notes.id(label).unwrap_or_default();
                let own = [("xml:id", id), ("n", label.as_str()), ("place", "foot")];
                self.within("note", &own, |to| to.pieces(content));
            }
        }
    }
}

fn inlines(content: &[Inline], notes: &Notes, tags: &mut Tags) {
    for inline in content {
        match inline {
            Inline::Text { text } => tags.text(text),
            Inline::Styled { style: Style::Quotation, content } => {
                tags.inline("q", &[], |tags| inlines(content, notes, tags));
            }
            Inline::Styled { style, content } => {
                let rend = match style {
                    Style::Emphasis => "italic",
                    Style::Strong => "bold",
                    Style::Strike => "strikethrough",
                    Style::Underline => "underline",
                    Style::Mark => "mark",
                    Style::Subscript => "sub",
                    Style::Superscript => "sup",
                    Style::Quotation => "quotation",
                };
                tags.inline("hi", &[("rend", rend)], |tags| inlines(content, notes, tags));
            }
            Inline::Code { text } => tags.inline("code", &[], |tags| tags.text(text)),
            Inline::Link { href, content } if !is_target(href) => inlines(content, notes, tags),
            Inline::Link { href, content } => {
                tags.inline("ref", &[("target", &uri(href))], |tags| inlines(content, notes, tags));
            }
            Inline::Image(image) => tags.inline("figure", &[], |tags| figure(image, notes, tags)),
            Inline::Formula(it) => formula(it, tags),
            Inline::Break => tags.inline("lb", &[], |_| {}),
            Inline::FootnoteRef { label, content } => match notes.id(label) {
                Some(id) => {
                    let own = [("type", "noteref"), ("target", &format!("#{id}"))];
                    tags.inline("ref", &own, |tags| inlines(content, notes, tags));
                }
                None => inlines(content, notes, tags),
            },
        }
    }
}

fn figure(image: &Image, notes: &Notes, tags: &mut Tags) {
    tags.inline("graphic", &[("url", &uri(&image.src))], |_| {});
    if !image.caption.is_empty() {
        tags.inline("head", &[], |tags| inlines(&image.caption, notes, tags));
    }
    if !image.alt.is_empty() {
        tags.inline("figDesc", &[], |tags| tags.text(&image.alt));
    }
}

/// TEI itself has no MathML, so where there is no TeX the markup stands there as characters.
fn formula(formula: &Formula, tags: &mut Tags) {
    let (notation, source) = match (&formula.tex, &formula.mathml) {
        (Some(tex), _) => ("tex", tex),
        (None, Some(mathml)) => ("mathml", mathml),
        (None, None) => ("text", &formula.text),
    };
    let mut attributes = vec![("notation", notation)];
    attributes.extend(formula.display.then_some(("rend", "display")));
    tags.inline("formula", &attributes, |tags| tags.text(source));
}

/// Can it be pointed to? An empty address is no `target`.
fn is_target(address: &str) -> bool {
    !address.is_empty()
}

/// Is it what TEI calls a word, as attributes that name something are?
fn is_word(name: &str) -> bool {
    !name.is_empty() && !name.contains(|it: char| it.is_whitespace() || it.is_control())
}

/// Is it a language tag that XML takes?
fn is_language(tag: &str) -> bool {
    let mut parts = tag.split('-');
    parts.next().is_some_and(|first| {
        (1..=8).contains(&first.len()) && first.bytes().all(|it| it.is_ascii_alphabetic())
    }) && parts.all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|it| it.is_ascii_alphanumeric()))
}

/// Is it a date as TEI takes it: a day, or a day and a time?
fn is_date(date: &str) -> bool {
    let (day, time) = date.split_once('T').unwrap_or((date, "00:00:00"));
    let is_number =
        |part: &str, length: usize| part.len() == length && part.bytes().all(|it| it.is_ascii_digit());
    let day: Vec<&str> = day.split('-').collect();
    let is_day = matches!(day[..], [y, m, d] if is_number(y, 4) && is_number(m, 2) && is_number(d, 2));
    let (clock, zone) = time.split_at(time.find(['Z', '+', '-']).unwrap_or(time.len()));
    let clock: Vec<&str> = clock.split(':').collect();
    let is_clock = matches!(clock[..], [h, m, s] if is_number(h, 2) && is_number(m, 2) && is_number(s, 2));
    let is_zone = match zone.as_bytes() {
        [] | b"Z" => true,
        [b'+' | b'-', offset @ ..] => {
            matches!(offset, [a, b, b':', c, d] if [a, b, c, d].iter().all(|it| it.is_ascii_digit()))
        }
        _ => false,
    };
    is_day && is_clock && is_zone
}
