//! The engine's stages as training runs them: a page with its annotations and features.

use tamis::annotate::Annotations;
use tamis::classify::features::{self, Columns, Context};
use tamis::classify::forest::{Forest, logistic};
use tamis::classify::{Model, Prediction, Scratch, Settings, classify};
use tamis::page::{NONE, Page};
use tamis::text::arabic;
use tamis_html::Name;
use tamis_html::decode::decode;

use super::labels::Block;

/// Parses a page.
pub(super) fn with_page<R>(bytes: &[u8], work: impl FnOnce(Page<'_>) -> R) -> R {
    let source = arabic::fold_page(decode(bytes, None).text);
    work(Page::parse(&source))
}

/// Parses and annotates a page with the tables of `model`.
fn with_annotations<R>(bytes: &[u8], model: &Model, work: impl FnOnce(&Page<'_>, &Annotations) -> R) -> R {
    with_page(bytes, |mut page| {
        page.classes.score(&model.class_log_odds, &model.comment_log_odds, &model.type_log_odds);
        let mut annotations = Annotations::default();
        annotations.fill(&page, &model.word_log_odds);
        work(&page, &annotations)
    })
}

/// Computes all block features of a page.
pub(super) fn with_features<R>(
    bytes: &[u8],
    model: &Model,
    work: impl FnOnce(Context<'_>, &mut Columns) -> R,
) -> R {
    with_annotations(bytes, model, |page, annotations| {
        let mut scratch = Scratch::default();
        features::fill(page, annotations, &mut scratch.derived, &mut scratch.columns);
        let context = Context { page, annotations, derived: &scratch.derived };
        work(context, &mut scratch.columns)
    })
}

/// Runs the whole classifier, but for the post-processing rule `without_rule`.
pub(super) fn with_prediction<R>(
    bytes: &[u8],
    model: &Model,
    without_rule: Option<&str>,
    work: impl FnOnce(&Page<'_>, &Prediction) -> R,
) -> R {
    with_annotations(bytes, model, |page, annotations| {
        let mut scratch = Scratch::new(model);
        let settings = Settings { comments: true, without_rule, ..Settings::default() };
        let prediction = classify(page, annotations, model, settings, &mut scratch);
        work(page, &prediction)
    })
}

/// Probabilities of all rows.
pub(super) fn probabilities(forest: &Forest, columns: &Columns) -> Vec<f32> {
    let rows: Vec<u32> = (0..columns.rows as u32).collect();
    forest.log_odds(columns, &rows).into_iter().map(logistic).collect()
}

/// Blocks of a row at most.
const MAX_ROW: usize = 4;
/// Levels from a block to its row at most.
const MAX_ROW_DEPTH: usize = 4;

/// The blocks of a page as labels need them.
pub(super) fn blocks<'p>(page: &'p Page<'_>) -> Vec<Block<'p>> {
    let (blocks, elements) = (&page.blocks, &page.elements);
    // The largest of the nearest elements that holds few blocks.
    let row = |element: u32| {
        let above = std::iter::successors(Some(element), |row| {
            Some(elements.parent[*row as usize]).filter(|parent| *parent != NONE)
        });
        let is_small = |row: &u32| {
            let (from, to) = elements.blocks(*row);
            to - from <= MAX_ROW
        };
        above.take(MAX_ROW_DEPTH).take_while(is_small).last().unwrap_or(element)
    };
    let block = |block: usize| Block {
        text: blocks.text(block),
        is_headline: elements.name[blocks.element[block] as usize] == Name::H1,
        path: elements.class_path[blocks.element[block] as usize],
        row: row(blocks.element[block]),
    };
    (0..blocks.len()).map(block).collect()
}

/// The values of a row, appended to `out`.
pub(super) fn push_row(columns: &Columns, row: usize, out: &mut Vec<f32>) {
    out.extend((0..columns.names.len()).map(|column| columns.column(column)[row]));
}
