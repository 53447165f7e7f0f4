//! The comments of a page as parts of a document.
//!
//! All are assembled in one walk, as one text would be, and then handed out by their blocks: comments are often the
//! items of a list or the rows of a table, which must be taken apart again.

use tamis_html::Span;

use super::{join, pieces};
use crate::document::{Comment, Kind, Piece};
use crate::paths::Paths;
use crate::{Judgement, Page};

/// What readers wrote, comment by comment: all that [`Page::comments`] finds, whatever a method says of it.
///
/// ```
/// let page = tamis::Page::parse("<p>A text, and nobody has said a word about it.");
/// assert!(tamis::assemble::comments(&page).is_empty());
/// ```
pub fn comments(page: &Page<'_>) -> Vec<Comment> {
    let mut owner = vec![None; page.blocks().len()];
    let units: Vec<_> = page.comments().sections().iter().flat_map(|section| &section.comments).collect();
    for (number, unit) in units.iter().enumerate() {
        unit.blocks.iter().for_each(|place| owner[*place] = Some(number));
    }
    let judgement = Judgement::of(owner.iter().map(Option::is_some));
    let spans: Vec<Option<Span>> = units.iter().map(|unit| page.node(unit.element).span()).collect();
    let mut hand_out = HandOut { owner: &owner, spans: &spans, contents: vec![Vec::new(); units.len()] };
    pieces(page, &judgement).into_iter().for_each(|piece| hand_out.piece(piece));
    let contents = hand_out.contents;
    let mut paths = Paths::default();
    let comments = units.iter().zip(contents).zip(&spans).filter(|((_, content), _)| !content.is_empty());
    comments
        .map(|((unit, content), span)| Comment {
            span: span
                .or_else(|| content.iter().map(|piece| piece.span).reduce(join))
                .unwrap_or(Span { start: 0, end: 0 }),
            path: paths.of(page.node(unit.element)),
            content,
        })
        .collect()
}

struct HandOut<'a> {
    /// For each block, the comment it belongs to.
    owner: &'a [Option<usize>],
    spans: &'a [Option<Span>],
    contents: Vec<Vec<Piece>>,
}

impl HandOut<'_> {
    // Pieces nest only to a bounded depth.
    fn piece(&mut self, piece: Piece) {
        let mut owners = Owners::default();
        self.owners(&piece, &mut owners);
        match owners {
            Owners::Nobody => {}
            Owners::One(owner) if !self.is_around(&piece, owner) => self.contents[owner].push(piece),
            _ => self.take_apart(piece, owners),
        }
    }

    /// Does the piece stand around the whole comment, as a list around its items?
    fn is_around(&self, piece: &Piece, owner: usize) -> bool {
        let Some(span) = self.spans[owner] else { return false };
        piece.span.start <= span.start && span.end <= piece.span.end && piece.span != span
    }

    fn owners(&self, piece: &Piece, owners: &mut Owners) {
        for place in &piece.blocks {
            owners.add(self.owner.get(*place as usize).copied().flatten());
        }
        piece.parts().flatten().for_each(|part| self.owners(part, owners));
    }

    fn take_apart(&mut self, piece: Piece, owners: Owners) {
        match piece.kind {
            Kind::List { items, .. } => items.into_iter().for_each(|item| self.pieces(item.content)),
            Kind::Definitions { entries } => entries.into_iter().for_each(|entry| self.pieces(entry.content)),
            Kind::Table { rows, .. } => {
                rows.into_iter().flat_map(|row| row.cells).for_each(|cell| self.pieces(cell.content));
            }
            Kind::Quote { content } | Kind::Footnote { content, .. } => self.pieces(content),
            // A line that two share cannot be parted: it is the first one's.
            _ => {
                if let Owners::One(owner) | Owners::Several(owner) = owners {
                    self.contents[owner].push(piece);
                }
            }
        }
    }

    fn pieces(&mut self, pieces: Vec<Piece>) {
        pieces.into_iter().for_each(|piece| self.piece(piece));
    }
}

/// Whose words a piece holds.
#[derive(Clone, Copy, Default)]
enum Owners {
    #[default]
    Nobody,
    One(usize),
    /// Of more than one; the first of them.
    Several(usize),
}

impl Owners {
    fn add(&mut self, owner: Option<usize>) {
        *self = match (*self, owner) {
            (owners, None) => owners,
            (Owners::Nobody, Some(owner)) => Owners::One(owner),
            (Owners::One(first), Some(owner)) if first != owner => Owners::Several(first),
            (owners, Some(_)) => owners,
        };
    }
}
