//! Frames: open elements that become pieces, or hold pieces together, when they are left.

use tamis_html::{Name, NodeId, NodeRef, Span};

use super::code::Code;
use super::picture::Figure;
use super::{Composer, join};
use crate::document::{Definition, Inline, Kind, ListItem, Piece, TableCell, TableRow};

pub(super) struct Frame {
    pub(super) node: NodeId,
    pub(super) role: Role,
    pub(super) content: Vec<Piece>,
    /// The row of a thematic break after the content.
    pub(super) rule: Option<u32>,
}

pub(super) enum Role {
    Root,
    List(List),
    Item { checked: Option<bool> },
    Definitions(Vec<Definition>),
    Definition { term: bool },
    Table(Table),
    Cell { header: bool, colspan: u16, rowspan: u16 },
    Quote { cite: Option<String> },
    Footnote { label: String },
    Figure(Figure),
    Heading { level: u8, lines: Lines },
    Caption(Lines),
    Code(Code),
}

impl Role {
    /// Whether it becomes a piece with pieces inside.
    pub(super) fn nests(&self) -> bool {
        matches!(
            self,
            Role::List(_)
                | Role::Definitions(_)
                | Role::Table(_)
                | Role::Quote { .. }
                | Role::Footnote { .. }
        )
    }

    /// Whether it holds only text, so that no frame opens inside.
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Role::Heading { .. } | Role::Caption(_) | Role::Code(_) | Role::Figure(_))
    }
}

/// The text of an element that holds only lines.
#[derive(Default)]
pub(super) struct Lines {
    pub(super) content: Vec<Inline>,
    pub(super) blocks: Vec<u32>,
    pub(super) span: Option<Span>,
}

impl Lines {
    pub(super) fn push(&mut self, content: Vec<Inline>, span: Span, blocks: Vec<u32>) {
        if !self.content.is_empty() {
            self.content.push(Inline::Break);
        }
        self.content.extend(content);
        self.blocks.extend(blocks);
        self.span = Some(self.span.map_or(span, |own| join(own, span)));
    }
}

pub(super) struct List {
    ordered: bool,
    /// The number of the next item.
    next: u32,
    /// The number of the first kept item.
    start: Option<u32>,
    items: Vec<ListItem>,
}

impl List {
    pub(super) fn new(node: NodeRef<'_>) -> List {
        let ordered = node.is(Name::OL);
        let start = node.attribute_named(Name::START).filter(|_| ordered);
        let next = start.and_then(|start| start.trim().parse::<u32>().ok()).unwrap_or(1);
        List { ordered, next, start: None, items: Vec::new() }
    }

    pub(super) fn skip_item(&mut self) {
        self.next = self.next.saturating_add(1);
    }

    fn push_item(&mut self, item: ListItem) {
        if !item.content.is_empty() {
            self.start.get_or_insert(self.next);
            self.items.push(item);
        }
        self.skip_item();
    }

    /// Adds what stands outside of items. A list is meant as part of the item before it.
    fn push_stray(&mut self, piece: Piece) {
        match self.items.last_mut() {
            Some(item) if matches!(piece.kind, Kind::List { .. }) => item.content.push(piece),
            _ => {
                self.start.get_or_insert(self.next);
                self.items.push(ListItem { checked: None, content: vec![piece] });
            }
        }
    }

    fn is_footnotes(&self) -> bool {
        let is_note = |piece: &Piece| matches!(piece.kind, Kind::Footnote { .. });
        self.items.iter().all(|item| item.content.iter().all(is_note))
    }
}

#[derive(Default)]
pub(super) struct Table {
    caption: Lines,
    rows: Vec<TableRow>,
}

impl Table {
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.caption.content.is_empty()
    }

    pub(super) fn begin_row(&mut self) {
        self.rows.push(TableRow::default());
    }

    fn push_cell(&mut self, cell: TableCell) {
        if self.rows.is_empty() {
            self.begin_row();
        }
        if let Some(row) = self.rows.last_mut() {
            row.cells.push(cell);
        }
    }

    /// Adds what stands outside of cells.
    fn push_stray(&mut self, piece: Piece) {
        let cell = TableCell { header: false, colspan: 1, rowspan: 1, content: vec![piece] };
        self.rows.push(TableRow { cells: vec![cell] });
    }

    /// The rows that hold something, and those that a cell from above covers.
    fn into_rows(self) -> Vec<TableRow> {
        let count = self.rows.len();
        let mut rows = Vec::with_capacity(count);
        let mut covered = 0;
        for (index, mut row) in self.rows.into_iter().enumerate() {
            let rest = u16::try_from(count - index).unwrap_or(u16::MAX);
            let mut reach = 0;
            for cell in &mut row.cells {
                cell.rowspan = if cell.rowspan == 0 { rest } else { cell.rowspan.min(rest) };
                reach = reach.max(index + usize::from(cell.rowspan));
            }
            let is_empty = row.cells.iter().all(|cell| cell.content.is_empty());
            if !is_empty || index < covered || reach > index + 1 {
                covered = covered.max(reach);
                if row.cells.is_empty() {
                    row.cells.push(TableCell { header: false, colspan: 1, rowspan: 1, content: Vec::new() });
                }
                rows.push(row);
            }
        }
        rows
    }
}

impl Frame {
    pub(super) fn new(node: NodeId, role: Role) -> Frame {
        Frame { node, role, content: Vec::new(), rule: None }
    }

    /// Where lines go, if the frame holds lines.
    pub(super) fn lines(&mut self) -> Option<&mut Lines> {
        match &mut self.role {
            Role::Heading { lines, .. } | Role::Caption(lines) => Some(lines),
            Role::Figure(figure) => Some(figure.lines()),
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

impl Composer<'_> {
    /// Closes the innermost frame and hands what it holds to the one around it.
    pub(super) fn close_frame(&mut self) {
        let Some(Frame { node, role, mut content, .. }) = self.frames.pop() else { return };
        content.shrink_to_fit();
        self.nesting -= usize::from(role.nests());
        let around = self.frames.last_mut().map(|frame| &mut frame.role);
        match (role, around) {
            (Role::Item { checked }, Some(Role::List(list))) => list.push_item(ListItem { checked, content }),
            (Role::Definition { term }, Some(Role::Definitions(entries))) => {
                if !content.is_empty() {
                    entries.push(Definition { term, content });
                }
            }
            (Role::Cell { header, colspan, rowspan }, Some(Role::Table(table))) => {
                table.push_cell(TableCell { header, colspan, rowspan, content });
            }
            (Role::Caption(lines), Some(Role::Table(table))) => table.caption = lines,
            (Role::List(list), _) => self.close_list(node, list),
            (Role::Definitions(entries), _) => {
                if !entries.is_empty() {
                    self.push(Kind::Definitions { entries }, node, self.span_of(node, &[]), Vec::new());
                }
            }
            (Role::Table(mut table), _) => {
                let Lines { content: caption, blocks, .. } = std::mem::take(&mut table.caption);
                let rows = table.into_rows();
                self.push(Kind::Table { caption, rows }, node, self.span_of(node, &[]), blocks);
            }
            (Role::Quote { cite }, _) => {
                // A quotation that holds only another one is indentation.
                if content.len() == 1 && matches!(content[0].kind, Kind::Quote { .. }) {
                    content.into_iter().for_each(|piece| self.push_piece(piece));
                } else if !content.is_empty() {
                    let span = self.span_of(node, &content);
                    self.push(Kind::Quote { cite, content }, node, span, Vec::new());
                }
            }
            (Role::Footnote { label }, _) => {
                if !content.is_empty() {
                    self.footnotes.composed += 1;
                    let span = self.span_of(node, &content);
                    self.push(Kind::Footnote { label, content }, node, span, Vec::new());
                }
            }
            (Role::Heading { level, lines }, _) => {
                if let Some(span) = lines.span {
                    self.push(Kind::Heading { level, content: lines.content }, node, span, lines.blocks);
                }
            }
            (Role::Figure(figure), _) => self.close_figure(node, figure),
            (Role::Code(code), _) => self.close_code(node, code),
            _ => content.drain(..).for_each(|piece| self.push_piece(piece)),
        }
    }

    fn close_list(&mut self, node: NodeId, list: List) {
        if list.items.is_empty() {
            return;
        }
        if list.is_footnotes() {
            // Footnotes number themselves.
            list.items.into_iter().flat_map(|item| item.content).for_each(|piece| self.push_piece(piece));
            return;
        }
        let kind = Kind::List { ordered: list.ordered, start: list.start.unwrap_or(1), items: list.items };
        self.push(kind, node, self.span_of(node, &[]), Vec::new());
    }
}
