//! Figures: pictures with the words below them.

use tamis_html::{Name, NodeId, NodeRef};

use super::Assembler;
use super::frame::{Lines, Role};
use crate::document::{Kind, Piece};

#[derive(Default)]
pub(super) struct Figure {
    /// The captions, each with its element and how many pieces of the figure stand before it.
    captions: Vec<(usize, NodeId, Lines)>,
    /// The places of pictures that only a caption would keep.
    pub(super) doubtful: Vec<usize>,
}

/// Does an element say that it holds the words below a picture?
pub(super) fn is_caption(node: NodeRef<'_>) -> bool {
    node.is(Name::FIGCAPTION)
        || node.attribute_named(Name::CLASS).is_some_and(|class| {
            class.split_ascii_whitespace().any(|class| {
                matches!(
                    class,
                    "wp-caption-text" | "caption" | "image-caption" | "img-caption" | "thumbcaption"
                )
            })
        })
}

/// Gives a picture its caption, if it is one that has none yet.
fn give(piece: Option<&mut Piece>, lines: &mut Lines) -> bool {
    let Some(Piece { kind: Kind::Image(image), blocks, .. }) = piece else { return false };
    if !image.caption.is_empty() {
        return false;
    }
    image.caption = std::mem::take(&mut lines.content);
    blocks.append(&mut lines.blocks);
    true
}

impl Assembler<'_> {
    pub(super) fn close_caption(&mut self, node: NodeId, mut lines: Lines) {
        let Some(span) = lines.span else { return };
        let Some(frame) = self.frames.last_mut() else { return };
        match &mut frame.role {
            Role::Figure(figure) => figure.captions.push((frame.content.len(), node, lines)),
            Role::Table(table) if table.has_no_rows() => table.caption = lines,
            _ if give(frame.content.last_mut(), &mut lines) => {}
            _ => self.push(Kind::Paragraph { content: lines.content }, node, span, lines.blocks),
        }
    }

    pub(super) fn close_figure(&mut self, mut figure: Figure, mut content: Vec<Piece>) {
        if figure.captions.is_empty() {
            let mut place = 0;
            content.retain(|_| {
                place += 1;
                figure.doubtful.binary_search(&(place - 1)).is_err()
            });
        }
        // Words stay in page order: a picture has none, so it takes a caption from before or behind it.
        let mut captions = Vec::new();
        for (place, node, mut lines) in figure.captions.drain(..) {
            let given = give(place.checked_sub(1).and_then(|before| content.get_mut(before)), &mut lines)
                || give(content.get_mut(place), &mut lines);
            if !given {
                captions.push((place, node, lines));
            }
        }
        let mut captions = captions.into_iter().peekable();
        for (place, piece) in content.into_iter().enumerate() {
            while let Some((_, node, lines)) = captions.next_if(|(before, ..)| *before <= place) {
                self.push_lines(node, lines);
            }
            self.push_piece(piece);
        }
        for (_, node, lines) in captions {
            self.push_lines(node, lines);
        }
    }

    fn push_lines(&mut self, node: NodeId, lines: Lines) {
        if let Some(span) = lines.span {
            self.push(Kind::Paragraph { content: lines.content }, node, span, lines.blocks);
        }
    }
}
