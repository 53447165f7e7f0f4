//! The comments of a page as parts of a document.
//!
//! All are assembled in one walk, as one text would be, and then handed out by their blocks: comments are often the
//! items of a list or the rows of a table, which must be taken apart again.

use tamis_html::Span;

use super::{join, pieces};
use crate::document::{Comment, Kind, Piece, written};
use crate::facts::clean;
use crate::facts::dates::Moment;
use crate::paths::Paths;
use crate::posts::{Post, comment_headers, settle_order};
use crate::{Judgement, Page};

/// What readers wrote, comment by comment: all that [`Page::comments`] finds, whatever a method says of it.
///
/// ```
/// let page = tamis::Page::parse("<p>A text, and nobody has said a word about it.");
/// assert!(tamis::assemble::comments(&page).is_empty());
/// ```
pub fn comments(page: &Page<'_>) -> Vec<Comment> {
    comments_dated(page, &Dating::default())
}

/// What the times of comments are read by, besides their words.
#[derive(Default)]
pub(crate) struct Dating<'a> {
    /// When the page was fetched.
    pub(crate) fetched: Option<Moment>,
    pub(crate) language: Option<&'a str>,
    /// Is 3/4/2021 the fourth of March?
    pub(crate) month_first: Option<bool>,
}

/// Like [`comments`], with the reference for relative and ambiguous times.
pub(crate) fn comments_dated(page: &Page<'_>, dating: &Dating<'_>) -> Vec<Comment> {
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
    // Comments without content are left out, which moves those behind them.
    let mut places: Vec<Option<u32>> = Vec::with_capacity(units.len());
    let mut paths = Paths::default();
    let mut comments: Vec<Comment> = Vec::with_capacity(units.len());
    for ((unit, content), span) in units.iter().zip(contents).zip(&spans) {
        places.push((!content.is_empty()).then_some(comments.len() as u32));
        if content.is_empty() {
            continue;
        }
        comments.push(Comment {
            author: None,
            time: None,
            time_text: None,
            reply_to: None,
            span: span
                .or_else(|| content.iter().map(|piece| piece.span).reduce(join))
                .unwrap_or(Span { start: 0, end: 0 }),
            path: paths.of(page.node(unit.element)),
            content,
        });
    }
    sign(page, dating, &places, &mut comments);
    comments
}

/// Says who wrote comments, when, and what they answer. `places` has the comment of each unit.
fn sign(page: &Page<'_>, dating: &Dating<'_>, places: &[Option<u32>], comments: &mut [Comment]) {
    let (mut posts, answered): (Vec<Post>, Vec<Option<usize>>) =
        comment_headers(page).into_iter().map(|header| (header.post, header.reply_to)).unzip();
    if let Some(month_first) = dating.month_first {
        settle_order(&mut posts, month_first, dating.fetched);
    }
    let place_of = |unit: usize| places.get(unit).copied().flatten();
    for (unit, (post, answered)) in posts.into_iter().zip(answered).enumerate() {
        let comment = place_of(unit).and_then(|place| comments.get_mut(place as usize));
        let Some(comment) = comment else { continue };
        let author = post.author.map(|name| clean::text(&name).into_owned());
        comment.author = author.filter(|name| !name.is_empty());
        comment.time = written(post.time, post.time_text.as_deref(), dating.fetched, dating.language);
        comment.time_text = post.time_text;
        comment.reply_to = answered.and_then(place_of);
    }
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
