//! A frame: an open element that becomes a piece, or holds pieces together, when it is left.

use tamis_html::{NodeId, Span};

use super::code::Code;
use super::figure::Figure;
use super::list::List;
use super::table::Table;
use super::{Assembler, join};
use crate::document::{Definition, Inline, Item, Kind, Piece};

pub(super) struct Frame {
    pub(super) node: NodeId,
    pub(super) role: Role,
    pub(super) content: Vec<Piece>,
}

pub(super) enum Role {
    Root,
    List(List),
    Item,
    Definitions(Vec<Definition>),
    Definition { term: bool },
    Table(Table),
    Cell { header: bool, colspan: u16, rowspan: u16 },
    Quote,
    Footnote { key: String },
    Figure(Figure),
    Heading { level: u8, lines: Lines },
    Caption(Lines),
    Code(Code),
}

/// The lines of an element that holds nothing but lines.
#[derive(Default)]
pub(super) struct Lines {
    pub(super) content: Vec<Inline>,
    pub(super) blocks: Vec<u32>,
    pub(super) span: Option<Span>,
}

impl Lines {
    pub(super) fn add(&mut self, content: Vec<Inline>, span: Span, blocks: Vec<u32>) {
        if !self.content.is_empty() {
            self.content.push(Inline::Break);
        }
        self.content.extend(content);
        self.blocks.extend(blocks);
        self.span = Some(self.span.map_or(span, |own| join(own, span)));
    }
}

impl Role {
    /// Does it become a piece with pieces inside?
    pub(super) fn nests(&self) -> bool {
        matches!(
            self,
            Role::List(_) | Role::Definitions(_) | Role::Table(_) | Role::Quote | Role::Footnote { .. }
        )
    }

    /// Does it hold nothing but text, so that no frame may open inside?
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Role::Heading { .. } | Role::Caption(_) | Role::Code(_))
    }
}

impl Frame {
    pub(super) fn new(node: NodeId, role: Role) -> Frame {
        Frame { node, role, content: Vec::new() }
    }

    pub(super) fn lines(&mut self) -> Option<&mut Lines> {
        match &mut self.role {
            Role::Heading { lines, .. } | Role::Caption(lines) => Some(lines),
            _ => None,
        }
    }

    pub(super) fn push(&mut self, piece: Piece) {
        match &mut self.role {
            Role::List(list) => list.push_stray(piece),
            Role::Definitions(entries) => entries.push(Definition { term: false, content: vec![piece] }),
            Role::Table(table) => table.push_stray(piece),
            _ => self.content.push(piece),
        }
    }
}

impl Assembler<'_> {
    /// Closes the innermost frame and hands what it holds to the one around it.
    pub(super) fn close_frame(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        self.nesting -= usize::from(frame.role.nests());
        let Frame { node, role, content } = frame;
        match role {
            Role::Root => self.frames.push(Frame { node, role, content }),
            Role::List(list) => self.close_list(node, list),
            Role::Item => {
                if let Some(Role::List(list)) = self.frames.last_mut().map(|frame| &mut frame.role) {
                    list.push_item(Item { content });
                }
            }
            Role::Definitions(entries) => {
                if !entries.is_empty() {
                    let span = self.span_of(node, &[]);
                    self.push(Kind::Definitions { entries }, node, span, Vec::new());
                }
            }
            Role::Definition { term } => {
                if let Some(Role::Definitions(entries)) = self.frames.last_mut().map(|frame| &mut frame.role)
                    && !content.is_empty()
                {
                    entries.push(Definition { term, content });
                }
            }
            Role::Table(table) => self.close_table(node, table),
            Role::Cell { header, colspan, rowspan } => {
                if let Some(Role::Table(table)) = self.frames.last_mut().map(|frame| &mut frame.role) {
                    table.push_cell(crate::document::Cell { header, colspan, rowspan, content });
                }
            }
            Role::Quote => {
                if !content.is_empty() {
                    let span = self.span_of(node, &content);
                    self.push(Kind::Quote { content }, node, span, Vec::new());
                }
            }
            Role::Footnote { key } => {
                if !content.is_empty() {
                    let span = self.span_of(node, &content);
                    self.push(Kind::Footnote { label: key, content }, node, span, Vec::new());
                }
            }
            Role::Figure(figure) => self.close_figure(figure, content),
            Role::Heading { level, lines } => {
                if let Some(span) = lines.span {
                    self.push(Kind::Heading { level, content: lines.content }, node, span, lines.blocks);
                }
            }
            Role::Caption(lines) => self.close_caption(node, lines),
            Role::Code(code) => self.close_code(node, code),
        }
    }
}
