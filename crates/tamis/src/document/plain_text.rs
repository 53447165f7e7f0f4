//! Plain text: the kept blocks, one per line.

use std::collections::HashMap;

use tamis_html::Name;

use super::layout::{KeptSums, is_data_table};
use super::preformatted::{LineNumbers, is_preformatted, push_lines};
use crate::page::{NONE, Page, Region};

/// The kept blocks as plain text, one per line. Cells of a row of a data table are joined by tabs; preformatted text
/// keeps its lines.
pub fn plain_text(page: &Page<'_>, kept: &[bool]) -> String {
    let mut text = String::with_capacity(page.blocks.text.len() / 2);
    let tables = Tables { page, kept, sums: None, is_data: HashMap::new() };
    let blocks = (0..page.blocks.len()).filter(|block| kept.get(*block) == Some(&true));
    push_blocks(page, blocks, Some(tables), &mut text);
    text
}

/// The text of the blocks of a post, a comment or an entry, without an end of its last line. Cells are lines.
pub(super) fn text_of(page: &Page<'_>, blocks: &[u32]) -> String {
    let mut text = String::new();
    push_blocks(page, blocks.iter().map(|block| *block as usize), None, &mut text);
    text.pop();
    text
}

fn push_blocks(
    page: &Page<'_>,
    blocks: impl Iterator<Item = usize>,
    mut tables: Option<Tables<'_>>,
    text: &mut String,
) {
    let special = Region::Table.bit() | Region::Pre.bit();
    let mut last_cell = None;
    let mut open_pre: Option<(u32, LineNumbers)> = None;
    for block in blocks {
        let element = page.blocks.element[block];
        let regions = page.elements.regions[element as usize];
        if regions & special == 0 {
            last_cell = None;
            text.push_str(page.blocks.text(block));
            text.push('\n');
            continue;
        }
        if regions & Region::Pre.bit() != 0
            && let Some(pre) = ancestor(page, element, |name| is_preformatted(name) || name == Name::TABLE)
            && let Some(node) = page.dom.node(page.elements.node[pre as usize])
            && node.name_id().is_some_and(is_preformatted)
        {
            last_cell = None;
            let numbers = match open_pre.take() {
                Some((row, numbers)) if row == pre => numbers,
                _ => LineNumbers::new(node),
            };
            if !numbers.is_column {
                push_lines(page, block, &numbers, text);
                text.push('\n');
            }
            open_pre = Some((pre, numbers));
            continue;
        }
        let cell = tables.as_mut().and_then(|tables| tables.data_cell(element));
        if let (Some((last_row, last)), Some((row, cell))) = (last_cell, cell)
            && last_row == row
        {
            text.pop();
            text.push(if last == cell { ' ' } else { '\t' });
        }
        last_cell = cell;
        text.push_str(page.blocks.text(block));
        text.push('\n');
    }
}

/// The nearest row at or above `row` whose name is wanted.
fn ancestor(page: &Page<'_>, mut row: u32, is_wanted: impl Fn(Name) -> bool) -> Option<u32> {
    while row != NONE {
        if is_wanted(page.elements.name[row as usize]) {
            return Some(row);
        }
        row = page.elements.parent[row as usize];
    }
    None
}

struct Tables<'p> {
    page: &'p Page<'p>,
    kept: &'p [bool],
    sums: Option<KeptSums>,
    is_data: HashMap<u32, bool>,
}

impl Tables<'_> {
    /// The table row and the cell that an element is in, if they are those of a data table.
    fn data_cell(&mut self, element: u32) -> Option<(u32, u32)> {
        let page = self.page;
        let cell = ancestor(page, element, |name| matches!(name, Name::TD | Name::TH | Name::TABLE))?;
        let row = ancestor(page, cell, |name| matches!(name, Name::TR | Name::TABLE))?;
        let table = ancestor(page, row, |name| name == Name::TABLE)?;
        if table == row {
            return None;
        }
        let sums = self.sums.get_or_insert_with(|| KeptSums::new(page, self.kept));
        let is_data = self.is_data.entry(table).or_insert_with(|| is_data_table(page, table, sums));
        is_data.then_some((row, cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(html: &str) -> String {
        let page = Page::parse(html);
        let kept: Vec<bool> =
            (0..page.blocks.len()).map(|b| !page.blocks.text(b).starts_with("no")).collect();
        plain_text(&page, &kept)
    }

    #[test]
    fn blocks_are_lines_and_data_rows_are_tabbed() {
        for (html, text) in [
            ("<p>a<p>no<p>b<br>c", "a\nb\nc\n"),
            ("<table><tr><th>a<th>b<tr><td>c<td>d<br>e</table>f", "a\tb\nc\td e\nf\n"),
            ("<table><tr><td>a<td>b</table>", "a\nb\n"),
            ("<table><tr><td>a<td>b<tr><td>c<td>d<tr><td>no<td>e</table>", "a\tb\nc\td\ne\n"),
            ("<table><tr><th>a<th>b<tr><td>c<td><table><tr><td>d<td>e</table></table>", "a\nb\nc\nd\ne\n"),
        ] {
            assert_eq!(text_of(html), text, "{html}");
        }
    }

    #[test]
    fn preformatted_text_keeps_its_lines() {
        for (html, text) in [
            ("<pre>\n\na\n  b\n\nc\n</pre>d", "a\n  b\n\nc\nd\n"),
            ("<pre><i>a</i>\n<i>b</i></pre>", "a\nb\n"),
            ("<pre><b>1</b>x\n<b>2</b>y</pre>", "x\ny\n"),
            ("<table><tr><td><pre>1\n2</pre><td><pre>one\ntwo</pre></table>", "one\ntwo\n"),
            ("<pre>a<br>b&#13;c</pre>", "a\nb\nc\n"),
        ] {
            assert_eq!(text_of(html), text, "{html}");
            let page = Page::parse(html);
            let blocks: Vec<u32> = (0..page.blocks.len() as u32).collect();
            assert_eq!(super::text_of(&page, &blocks), text.trim_end(), "a post, {html}");
        }
    }
}
