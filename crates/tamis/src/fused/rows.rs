//! Rows of tables. The trees look at each cell, and a number by itself says little: "Together" would stay, and what it comes to
//! would not. A row of a table of data is said as a whole, and so is a table of which most rows are.
//!
//! The same holds of a list of definitions: what is said of a term is nothing without it.
//!
//! Pages that are laid out by tables have cells with more than a line in them; these stay as they are.

use tamis_html::{Name, NodeId, NodeRef};

use crate::judgement::Judgement;
use crate::page::Page;

/// A cell of data has at most so many words.
const CELL: u32 = 20;
/// More rows than this are not looked at together.
const MOST: usize = 10_000;
/// Cells and rows join those that are kept if they are at least so probable beside them.
const BESIDE: f32 = 0.4;
/// So probable a term is at least beside what is said of it.
const TERM: f32 = 0.25;
/// So far above a block its cell stands, and above that its table.
const NEAR: usize = 8;

/// What is said of a block that is kept here.
pub(super) const ROW_OF: &str = "row of a table";
pub(super) const TERM_OF: &str = "term of a definition";

/// A row of a table: its element and its blocks.
struct Row {
    element: NodeId,
    blocks: Vec<usize>,
}

/// Keeps rows whole of which a cell is kept, and tables of which at least half of the rows are.
pub(super) fn settle(page: &Page<'_>, judgement: &mut Judgement) {
    let mut table: Option<(NodeId, Vec<Row>)> = None;
    for (place, block) in page.blocks().iter().enumerate().filter(|(_, block)| block.hidden.is_none()) {
        let Some((row, of)) = row_of(page.element(block)) else { continue };
        if table.as_ref().is_none_or(|(last, _)| *last != of) {
            if let Some((_, rows)) = table.take() {
                settle_table(page, &rows, judgement);
            }
            table = Some((of, Vec::new()));
        }
        let Some((_, rows)) = &mut table else { continue };
        match rows.last_mut().filter(|last| last.element == row) {
            Some(last) => last.blocks.push(place),
            None => rows.push(Row { element: row, blocks: vec![place] }),
        }
    }
    if let Some((_, rows)) = table {
        settle_table(page, &rows, judgement);
    }
    settle_terms(page, judgement);
}

/// Keeps the terms of definitions that are kept.
fn settle_terms(page: &Page<'_>, judgement: &mut Judgement) {
    let name = |place: usize| page.element(&page.blocks()[place]).name_id();
    for place in 1..page.blocks().len() {
        let (term, said) = (&judgement.verdicts[place - 1], &judgement.verdicts[place]);
        let is_beside = said.keep && !term.keep && term.score >= TERM * said.score;
        if is_beside
            && page.blocks()[place - 1].hidden.is_none()
            && name(place - 1) == Some(Name::DT)
            && is_definition(page.element(&page.blocks()[place]))
            && !is_of_program(page.text(&page.blocks()[place - 1]))
        {
            let term = &mut judgement.verdicts[place - 1];
            term.keep = true;
            term.why.push((TERM_OF, 1.0));
        }
    }
}

/// `shipping_chunk-1:`, `SKU:`: what a program calls its data, which shops give out with the rest. Terms that are explained have no colon,
/// or more than a word.
fn is_of_program(term: &str) -> bool {
    let term = term.trim();
    term.ends_with([':', '：']) && (term.contains('_') || !term.contains(char::is_whitespace))
}

/// Is it what is said of a term, or does it stand in that?
fn is_definition(element: NodeRef<'_>) -> bool {
    std::iter::once(element).chain(element.ancestors().take(2)).any(|node| node.is(Name::DD))
}

/// The row and the table that an element stands in, as a cell or in one.
fn row_of(element: NodeRef<'_>) -> Option<(NodeId, NodeId)> {
    let mut around = std::iter::once(element).chain(element.ancestors());
    let cell = around.by_ref().take(NEAR).find(|node| node.is(Name::TD) || node.is(Name::TH))?;
    let row = cell.parent().filter(|row| row.is(Name::TR))?;
    let table = row.ancestors().take(2).find(|node| node.is(Name::TABLE))?;
    Some((row.id(), table.id()))
}

fn settle_table(page: &Page<'_>, rows: &[Row], judgement: &mut Judgement) {
    let cells = || rows.iter().flat_map(|row| &row.blocks).map(|place| &page.blocks()[*place].measures);
    let (words, linked) = cells().fold((0, 0), |(words, linked), measures| {
        (words + measures.text.words, linked + measures.link_text.words)
    });
    let are_data = cells().all(|measures| measures.text.words <= CELL) && linked * 2 < words;
    if !are_data || rows.len() < 2 || rows.len() > MOST {
        return;
    }
    let score = |row: &Row, judgement: &Judgement| {
        row.blocks.iter().map(|place| judgement.verdicts[*place].score).sum::<f32>() / row.blocks.len() as f32
    };
    for row in rows {
        let kept = row.blocks.iter().filter(|place| judgement.keeps(**place));
        let Some(lowest) = kept.map(|place| judgement.verdicts[*place].score).reduce(f32::min) else {
            continue;
        };
        if score(row, judgement) >= BESIDE * lowest {
            keep(row, judgement);
        }
    }
    let kept: Vec<f32> = rows
        .iter()
        .filter(|row| row.blocks.iter().all(|place| judgement.keeps(*place)))
        .map(|row| score(row, judgement))
        .collect();
    // A head says nothing without its rows.
    let is_head =
        |row: &Row| row.blocks.iter().all(|place| page.element(&page.blocks()[*place]).is(Name::TH));
    let has_head_alone =
        kept.len() == 1 && is_head(&rows[0]) && rows[0].blocks.iter().all(|place| judgement.keeps(*place));
    if kept.len() * 2 < rows.len() && !has_head_alone {
        return;
    }
    let mean = kept.iter().sum::<f32>() / kept.len() as f32;
    for row in rows {
        if score(row, judgement) >= BESIDE * mean {
            keep(row, judgement);
        }
    }
}

fn keep(row: &Row, judgement: &mut Judgement) {
    for place in &row.blocks {
        let verdict = &mut judgement.verdicts[*place];
        if !verdict.keep {
            verdict.keep = true;
            verdict.why.push((ROW_OF, 1.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::kept_after;
    use super::*;

    fn kept(html: &str, scores: &[f32]) -> Vec<usize> {
        kept_after(settle, html, scores)
    }

    const TABLE: &str = "<table><tr><th>Boat<th>May<tr><td>Ferry<td>4.1<tr><td>Together<td>9.5</table>";

    #[test]
    fn a_total_was_left_out_of_its_row() {
        assert_eq!(kept(TABLE, &[0.9, 0.9, 0.9, 0.8, 0.6, 0.4]), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn a_row_was_left_out_of_its_table() {
        assert_eq!(kept(TABLE, &[0.9, 0.9, 0.45, 0.4, 0.6, 0.5]), [0, 1, 2, 3, 4, 5]);
        assert_eq!(kept(TABLE, &[0.1, 0.1, 0.1, 0.1, 0.1, 0.1]), [0; 0]);
    }

    #[test]
    fn of_a_table_its_head_alone_was_kept() {
        assert_eq!(kept(TABLE, &[0.6, 0.6, 0.4, 0.4, 0.45, 0.3]), [0, 1, 2, 3, 4, 5]);
        assert_eq!(kept(TABLE, &[0.6, 0.6, 0.1, 0.1, 0.1, 0.1]), [0, 1], "rows that are surely none");
    }

    #[test]
    fn terms_were_left_out_of_their_definitions() {
        let html = "<dl><dt>Share<dd>What each owner has of a boat.<dt>Menu<dd>Home</dl>";
        assert_eq!(kept(html, &[0.3, 0.9, 0.1, 0.1]), [0, 1]);
        assert_eq!(kept(html, &[0.1, 0.9, 0.1, 0.1]), [1], "a term that is surely none");
    }

    #[test]
    fn what_a_program_calls_its_data_was_a_term() {
        for (term, stays) in [
            ("ship_chunk-1:", false),
            ("SKU:", false),
            ("tab_Care of boats:", false),
            ("read_harbour()", true),
        ] {
            let html = format!("<dl><dt>{term}<dd>What each owner has of a boat.</dl>");
            assert_eq!(kept(&html, &[0.3, 0.9]).len(), if stays { 2 } else { 1 }, "{term}");
        }
    }

    #[test]
    fn a_row_that_is_surely_no_text_stays_out() {
        assert_eq!(kept(TABLE, &[0.9, 0.9, 0.9, 0.9, 0.1, 0.1]), [0, 1, 2, 3]);
    }

    #[test]
    fn tables_for_layout_stay_as_they_are() {
        let long = "It rained in the harbour on Monday. ".repeat(6);
        let html = format!("<table><tr><td>Ada, guest<td>{long}<tr><td>Ben, guest<td>{long}</table>");
        assert_eq!(kept(&html, &[0.4, 0.9, 0.4, 0.9]), [1, 3]);
    }

    #[test]
    fn tables_in_tables_are_looked_at_each_by_itself() {
        let html = format!("<table><tr><td>Menu<tr><td>{TABLE}</table>");
        assert_eq!(kept(&html, &[0.1, 0.9, 0.9, 0.9, 0.8, 0.6, 0.4]), [1, 2, 3, 4, 5, 6]);
    }
}
