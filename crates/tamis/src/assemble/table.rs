//! Tables: which of them hold data and which only lay out a page, and which rows are left of them.

use tamis_html::{Name, NodeId, NodeRef};

use super::Assembler;
use super::frame::{Lines, Role};
use crate::document::{Cell, Kind, Piece, Row};

/// HTML's own bounds.
const MAX_COLSPAN: u16 = 1000;
const MAX_ROWSPAN: u16 = 65_534;

/// A cell holds data while it is short: more pieces or bytes of source are prose, and the table only lays it out.
struct DataCell {
    pieces: usize,
    bytes: usize,
}

const PLAIN_CELL: DataCell = DataCell { pieces: 3, bytes: 600 };

/// In a table with headings or a caption, cells may say more. Not everything, though: forums put whole posts beside
/// `th` elements.
const CELL_UNDER_HEADING: DataCell = DataCell { pieces: 12, bytes: 3000 };

#[derive(Default)]
pub(super) struct Table {
    is_layout: bool,
    pub(super) caption: Lines,
    rows: Vec<Row>,
}

impl Table {
    pub(super) fn of(node: NodeRef<'_>) -> Table {
        let role = node.attribute_named(Name::ROLE);
        let is_layout = role.is_some_and(|role| matches!(role.trim(), "presentation" | "none"));
        Table { is_layout, ..Table::default() }
    }

    /// Has nothing but its caption come so far?
    pub(super) fn has_no_rows(&self) -> bool {
        self.rows.is_empty() && self.caption.content.is_empty()
    }

    pub(super) fn begin_row(&mut self) {
        self.rows.push(Row::default());
    }

    pub(super) fn push_cell(&mut self, cell: Cell) {
        if self.rows.is_empty() {
            self.begin_row();
        }
        if let Some(row) = self.rows.last_mut() {
            row.cells.push(cell);
        }
    }

    /// Takes what stands in the table outside of its cells, which few pages manage.
    pub(super) fn push_stray(&mut self, piece: Piece) {
        let cell = Cell { header: false, colspan: 1, rowspan: 1, content: vec![piece] };
        self.rows.push(Row { cells: vec![cell] });
    }

    fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.rows.iter().flat_map(|row| &row.cells)
    }

    /// Does it hold data, or does it only lay out the page?
    fn is_data(&self) -> bool {
        let holds = |cell: &Cell, test: fn(&Kind) -> bool| cell.content.iter().any(|piece| test(&piece.kind));
        if self.is_layout || self.cells().any(|cell| holds(cell, |kind| matches!(kind, Kind::Table { .. }))) {
            return false;
        }
        let filled = |row: &&Row| row.cells.iter().filter(|cell| !cell.content.is_empty()).count() > 1;
        let wide = self.rows.iter().filter(filled).count();
        let has_heading = self.cells().any(|cell| cell.header && !cell.content.is_empty());
        let is_declared = has_heading || !self.caption.content.is_empty();
        let most = if is_declared { CELL_UNDER_HEADING } else { PLAIN_CELL };
        let is_prose = |cell: &Cell| {
            cell.content.len() > most.pieces
                || bytes(&cell.content) > most.bytes
                || (!is_declared
                    && holds(cell, |kind| matches!(kind, Kind::Heading { .. } | Kind::Code { .. })))
        };
        wide > usize::from(!is_declared) && !self.cells().any(is_prose)
    }

    /// The rows that hold something, and those that a cell from above reaches into.
    fn into_rows(self) -> Vec<Row> {
        let mut rows = Vec::with_capacity(self.rows.len());
        let mut reached = 0;
        let count = self.rows.len();
        for (place, mut row) in self.rows.into_iter().enumerate() {
            let rest = u16::try_from(count - place).unwrap_or(u16::MAX);
            for cell in &mut row.cells {
                cell.rowspan = if cell.rowspan == 0 { rest } else { cell.rowspan.min(rest) };
            }
            let reach = row.cells.iter().map(|cell| place + usize::from(cell.rowspan)).max().unwrap_or(0);
            let is_empty = row.cells.iter().all(|cell| cell.content.is_empty());
            if !is_empty || place < reached || reach > place + 1 {
                reached = reached.max(reach);
                rows.push(row);
            }
        }
        rows
    }
}

/// How much of the source pieces take.
fn bytes(pieces: &[Piece]) -> usize {
    pieces.iter().map(|piece| piece.span.len()).sum()
}

/// A cell as a frame.
pub(super) fn cell(node: NodeRef<'_>) -> Role {
    let number = |name| {
        let value = node.attribute_named(name)?;
        let digits = value.trim().split(|character: char| !character.is_ascii_digit()).next()?;
        digits.parse::<u64>().ok()
    };
    let bound = |number: u64, max: u16| u16::try_from(number).unwrap_or(max).min(max);
    Role::Cell {
        header: node.is(Name::TH),
        colspan: number(Name::COLSPAN).map_or(1, |number| bound(number, MAX_COLSPAN).max(1)),
        rowspan: number(Name::ROWSPAN).map_or(1, |number| bound(number, MAX_ROWSPAN)),
    }
}

impl Assembler<'_> {
    pub(super) fn close_table(&mut self, node: NodeId, mut table: Table) {
        let is_data = table.is_data();
        let caption = std::mem::take(&mut table.caption);
        if is_data {
            let span = self.span_of(node, &[]);
            let kind = Kind::Table { caption: caption.content, rows: table.into_rows() };
            self.push(kind, node, span, caption.blocks);
            return;
        }
        if let Some(span) = caption.span {
            self.push(Kind::Paragraph { content: caption.content }, node, span, caption.blocks);
        }
        for piece in table.rows.into_iter().flat_map(|row| row.cells).flat_map(|cell| cell.content) {
            self.push_piece(piece);
        }
    }
}
