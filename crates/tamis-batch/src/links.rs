//! Links and images of the main text, in order.

use serde::Serialize;
use tamis::document::{Image, Inline, Kind, Piece};

/// A link of the main text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Link<'d> {
    /// Its URL.
    pub url: &'d str,
    /// The anchor text.
    pub text: String,
}

/// An image of the main text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Picture<'d> {
    /// Its URL.
    pub url: &'d str,
    /// Alternative text.
    pub alt: &'d str,
    /// Caption and credit.
    pub caption: String,
}

/// The links of some content.
pub fn links(content: &[Piece]) -> Vec<Link<'_>> {
    let mut found = Vec::new();
    each_inline(content, &mut |inline| {
        if let Inline::Link { href, content } = inline {
            found.push(Link { url: href, text: text_of(content) });
        }
    });
    found
}

/// The images of some content.
pub fn images(content: &[Piece]) -> Vec<Picture<'_>> {
    let mut found = Vec::new();
    each_piece(content, &mut |piece| {
        if let Kind::Image(image) = &piece.kind {
            found.push(picture_of(image));
        }
        each_inline_of(piece, &mut |inline| {
            if let Inline::Image(image) = inline {
                found.push(picture_of(image));
            }
        });
    });
    found
}

fn picture_of(image: &Image) -> Picture<'_> {
    Picture { url: &image.src, alt: &image.alt, caption: text_of(&image.caption) }
}

fn text_of(content: &[Inline]) -> String {
    let mut text = String::new();
    each_in_line(content, &mut |inline| match inline {
        Inline::Text { text: words } | Inline::Code { text: words } => text.push_str(words),
        Inline::Formula(formula) => text.push_str(formula.source()),
        Inline::Image(image) => text.push_str(&image.alt),
        Inline::Break => text.push(' '),
        _ => {}
    });
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn each_inline<'d>(content: &'d [Piece], visit: &mut dyn FnMut(&'d Inline)) {
    each_piece(content, &mut |piece| each_inline_of(piece, visit));
}

/// Pieces nest at most [`tamis::document::MAX_NESTING`] deep.
fn each_piece<'d>(pieces: &'d [Piece], visit: &mut dyn FnMut(&'d Piece)) {
    for piece in pieces {
        visit(piece);
        piece.parts().for_each(|part| each_piece(part, visit));
    }
}

fn each_inline_of<'d>(piece: &'d Piece, visit: &mut dyn FnMut(&'d Inline)) {
    match &piece.kind {
        Kind::Heading { content, .. } | Kind::Paragraph { content } => each_in_line(content, visit),
        Kind::Table { caption, .. } => each_in_line(caption, visit),
        Kind::Image(image) => each_in_line(&image.caption, visit),
        _ => {}
    }
}

fn each_in_line<'d>(content: &'d [Inline], visit: &mut dyn FnMut(&'d Inline)) {
    for inline in content {
        visit(inline);
        each_in_line(inline.content(), visit);
        if let Inline::Image(image) = inline {
            each_in_line(&image.caption, visit);
        }
    }
}
