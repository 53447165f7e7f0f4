//! Tables as Markdown: a grid of single lines.

use super::super::Options;
use super::inline;
use crate::document::{Item, Kind, Piece, Row};

/// A grid may have this many places for each cell it holds, before its row spans are ignored: some pages ask for
/// millions of empty places.
const MAX_PLACES_PER_CELL: usize = 64;

pub(super) fn render(rows: &[Row], options: &Options) -> String {
    let mut grid = grid(rows, true, options).or_else(|| grid(rows, false, options)).unwrap_or_default();
    let columns = grid.iter().map(Vec::len).max().unwrap_or(0);
    let is_header = |row: &Row| !row.cells.is_empty() && row.cells.iter().all(|cell| cell.header);
    // A table must have a header, so one without gets an empty one.
    if !rows.first().is_some_and(is_header) {
        grid.insert(0, Vec::new());
    }
    let mut markdown = String::new();
    for (place, row) in grid.iter().enumerate() {
        if place > 0 {
            markdown.push('\n');
        }
        // Rows may be short, but not the header.
        let width = if place == 0 { columns } else { row.len().max(1) };
        for column in 0..width {
            let cell = row.get(column).map_or("", String::as_str);
            markdown.push_str("| ");
            markdown.push_str(cell);
            markdown.push_str(if cell.is_empty() { "" } else { " " });
        }
        markdown.push('|');
        if place == 0 {
            markdown.push('\n');
            markdown.push_str(&"| --- ".repeat(columns));
            markdown.push('|');
        }
    }
    markdown
}

/// The cells, each at its place; a cell that spans several stands in the first of them. Nothing where the grid would
/// be much larger than what it holds.
fn grid(rows: &[Row], with_row_spans: bool, options: &Options) -> Option<Vec<Vec<String>>> {
    let count: usize = rows.iter().map(|row| row.cells.len()).sum();
    let mut places = 0;
    // For each column, up to which row a cell from above reaches.
    let mut taken: Vec<usize> = Vec::new();
    let mut grid = Vec::with_capacity(rows.len());
    for (number, row) in rows.iter().enumerate() {
        let mut line: Vec<String> = Vec::new();
        for cell in &row.cells {
            while with_row_spans && taken.get(line.len()).is_some_and(|until| *until > number) {
                line.push(String::new());
            }
            let first = line.len();
            line.push(pieces(&cell.content, options));
            // Places behind the last cell are needed only where another row uses them.
            let width = if with_row_spans { usize::from(cell.colspan) } else { 1 };
            line.resize(first + width, String::new());
            places += width;
            if cell.rowspan > 1 && with_row_spans {
                taken.resize(taken.len().max(line.len()), 0);
                taken[first..first + width].fill(number + usize::from(cell.rowspan));
            }
        }
        places += line.len();
        if with_row_spans && places > MAX_PLACES_PER_CELL * count.max(16) {
            return None;
        }
        while line.last().is_some_and(String::is_empty) {
            line.pop();
        }
        grid.push(line);
    }
    Some(grid)
}

/// Pieces in one line.
fn pieces(content: &[Piece], options: &Options) -> String {
    let lines: Vec<String> =
        content.iter().map(|piece| piece_line(piece, options)).filter(|it| !it.is_empty()).collect();
    lines.join("<br>")
}

fn piece_line(piece: &Piece, options: &Options) -> String {
    match &piece.kind {
        Kind::Heading { content, .. } | Kind::Paragraph { content } => {
            without_pipes(inline::cell(content, options))
        }
        Kind::List { items, .. } => {
            items.iter().map(|Item { content }| pieces(content, options)).collect::<Vec<_>>().join("<br>")
        }
        Kind::Definitions { entries } => {
            entries.iter().map(|entry| pieces(&entry.content, options)).collect::<Vec<_>>().join("<br>")
        }
        Kind::Code { text, .. } => {
            let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
            let code = |line: &str| {
                let content = [crate::document::Inline::Code { text: line.trim_start().to_owned() }];
                without_pipes(inline::cell(&content, options))
            };
            lines.map(code).collect::<Vec<_>>().join("<br>")
        }
        Kind::Quote { content } | Kind::Footnote { content, .. } => pieces(content, options),
        Kind::Image(image) => {
            let picture = if options.images { inline::image(image) } else { String::new() };
            let caption = inline::cell(&image.caption, options);
            let gap = if picture.is_empty() || caption.is_empty() { "" } else { "<br>" };
            without_pipes(format!("{picture}{gap}{caption}"))
        }
        Kind::Formula(formula) => without_pipes(inline::formula(formula)),
        // Tables hold no tables.
        Kind::Table { .. } => String::new(),
    }
}

/// A pipe would end the cell, in code as well.
fn without_pipes(line: String) -> String {
    if line.contains('|') { line.replace('|', "\\|") } else { line }
}
