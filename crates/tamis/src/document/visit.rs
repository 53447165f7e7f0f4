//! Changing pieces in place.

use super::{Inline, Kind, Piece};

/// Visits every piece, outer ones first.
pub(super) fn for_each_piece(pieces: &mut [Piece], visit: &mut dyn FnMut(&mut Piece)) {
    for piece in pieces {
        visit(piece);
        match &mut piece.kind {
            Kind::List { items, .. } => {
                items.iter_mut().for_each(|item| for_each_piece(&mut item.content, visit));
            }
            Kind::Definitions { entries } => {
                entries.iter_mut().for_each(|entry| for_each_piece(&mut entry.content, visit));
            }
            Kind::Table { rows, .. } => {
                let cells = rows.iter_mut().flat_map(|row| &mut row.cells);
                cells.for_each(|cell| for_each_piece(&mut cell.content, visit));
            }
            Kind::Quote { content, .. } | Kind::Footnote { content, .. } => for_each_piece(content, visit),
            _ => {}
        }
    }
}

/// Visits all inline content, outer inlines first.
pub(super) fn for_each_inline(pieces: &mut [Piece], visit: &mut dyn FnMut(&mut Inline)) {
    fn line(content: &mut [Inline], visit: &mut dyn FnMut(&mut Inline)) {
        for inline in content {
            visit(inline);
            match inline {
                Inline::Styled { content, .. }
                | Inline::Link { content, .. }
                | Inline::FootnoteRef { content, .. } => line(content, visit),
                Inline::Image(image) => line(&mut image.caption, visit),
                _ => {}
            }
        }
    }
    for_each_piece(pieces, &mut |piece| match &mut piece.kind {
        Kind::Heading { content, .. } | Kind::Paragraph { content } => line(content, visit),
        Kind::Table { caption, .. } => line(caption, visit),
        Kind::Image(image) => line(&mut image.caption, visit),
        _ => {}
    });
}
