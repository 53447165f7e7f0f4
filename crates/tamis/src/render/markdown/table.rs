//! Tables as Markdown: a grid of single lines.

use super::super::RenderOptions;
use super::{inline, joined};
use crate::document::{Inline, Kind, Piece, TableRow};

/// Places of the grid for each cell; beyond that row spans are ignored. Some pages ask for millions of empty places.
const MAX_PLACES_PER_CELL: usize = 64;

pub(super) fn render(rows: &[TableRow], options: &RenderOptions) -> String {
    let mut grid = grid(rows, true, options).or_else(|| grid(rows, false, options)).unwrap_or_default();
    let columns = grid.iter().map(Vec::len).max().unwrap_or(0);
    if columns == 0 {
        return String::new();
    }
    // A table must have a header.
    let is_header = |row: &TableRow| !row.cells.is_empty() && row.cells.iter().all(|cell| cell.header);
    if !rows.first().is_some_and(is_header) {
        grid.insert(0, Vec::new());
    }
    // Rows may be short, but not the header. Where it costs little, all are filled up.
    let cells: usize = grid.iter().map(|row| row.len() + 1).sum();
    let is_padded = columns * grid.len() <= MAX_PLACES_PER_CELL * cells;
    let mut markdown = String::new();
    for (index, row) in grid.iter().enumerate() {
        if index > 0 {
            markdown.push('\n');
        }
        let width = if index == 0 || is_padded { columns } else { row.len().max(1) };
        for column in 0..width {
            let cell = row.get(column).map_or("", String::as_str);
            markdown.push_str("| ");
            markdown.push_str(cell);
            markdown.push_str(if cell.is_empty() { "" } else { " " });
        }
        markdown.push('|');
        if index == 0 {
            markdown.push('\n');
            markdown.push_str(&"| --- ".repeat(columns));
            markdown.push('|');
        }
    }
    markdown
}

/// The cells at their places; a spanning cell is at the first of its places. `None` if the grid would be much larger than
/// what it holds.
fn grid(rows: &[TableRow], with_spans: bool, options: &RenderOptions) -> Option<Vec<Vec<String>>> {
    let count: usize = rows.iter().map(|row| row.cells.len()).sum();
    let mut places = 0;
    // For each column, the row up to which a cell from above reaches.
    let mut covered: Vec<usize> = Vec::new();
    let mut grid = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        let mut line: Vec<String> = Vec::new();
        for cell in &row.cells {
            while with_spans && covered.get(line.len()).is_some_and(|until| *until > index) {
                line.push(String::new());
            }
            let first = line.len();
            let width = if with_spans { usize::from(cell.colspan) } else { 1 };
            if with_spans && places + first + width > MAX_PLACES_PER_CELL * count.max(16) {
                return None;
            }
            line.push(cell_line(&cell.content, options));
            line.resize(first + width, String::new());
            if cell.rowspan > 1 && with_spans {
                covered.resize(covered.len().max(line.len()), 0);
                covered[first..first + width].fill(index + usize::from(cell.rowspan));
            }
        }
        places += line.len();
        while line.last().is_some_and(String::is_empty) {
            line.pop();
        }
        grid.push(line);
    }
    Some(grid)
}

/// Pieces in one line.
fn cell_line(content: &[Piece], options: &RenderOptions) -> String {
    let mut line = String::new();
    for piece in content.iter().filter(|piece| options.shows(piece)) {
        line = joined(line, piece_line(piece, options), "<br>");
    }
    line
}

fn piece_line(piece: &Piece, options: &RenderOptions) -> String {
    let line = match &piece.kind {
        Kind::Heading { content, .. } | Kind::Paragraph { content } => inline::cell(content, options),
        Kind::Code { text, .. } => {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            let code = |line: &str| inline::cell(&[Inline::Code { text: line.to_owned() }], options);
            lines.map(code).collect::<Vec<_>>().join("<br>")
        }
        Kind::Image(image) => {
            let picture = if options.images { inline::image(image) } else { String::new() };
            joined(picture, inline::cell(&image.caption, options), "<br>")
        }
        Kind::Formula(formula) => inline::formula(formula, false),
        // Those inside have escaped their pipes.
        _ => {
            return piece
                .parts()
                .fold(String::new(), |line, part| joined(line, cell_line(part, options), "<br>"));
        }
    };
    // A pipe would end the cell, even in code.
    if line.contains('|') { line.replace('|', "\\|") } else { line }
}
