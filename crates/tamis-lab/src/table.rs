//! Tables for the terminal and in Markdown.

/// A table. The first column is left-aligned, the others right-aligned.
///
/// ```
/// use tamis_lab::Table;
///
/// let table = Table {
///     title: "gne, %".into(),
///     head: vec!["tool".into(), "F1".into()],
///     rows: vec![vec!["density".into(), "88.6".into()], vec!["x".into(), "9.1".into()]],
/// };
/// assert_eq!(table.to_text(), "gne, %\n  tool       F1\n  density  88.6\n  x         9.1\n");
/// assert_eq!(table.to_markdown(), "gne, %\n\n| tool | F1 |\n|---|---|\n| density | 88.6 |\n| x | 9.1 |\n");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// The title.
    pub title: String,
    /// The column headings.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Aligned columns for the terminal.
    pub fn to_text(&self) -> String {
        let lines = || std::iter::once(&self.head).chain(&self.rows);
        let width = |column: usize| {
            lines().filter_map(|line| Some(line.get(column)?.chars().count())).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let mut text = format!("{}\n", self.title);
        for line in lines() {
            let mut row = String::new();
            for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
                let fill = " ".repeat(width - cell.chars().count());
                row += "  ";
                row += &if column == 0 { format!("{cell}{fill}") } else { format!("{fill}{cell}") };
            }
            text += row.trim_end();
            text.push('\n');
        }
        text
    }

    /// Markdown, with the title as a paragraph above.
    pub fn to_markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut text = format!("{}\n\n{}|{}\n", self.title, line(&self.head), "---|".repeat(self.head.len()));
        for row in &self.rows {
            text += &line(row);
        }
        text
    }
}
