//! Deterministic post-processing of the classifier's output: an ordered list of rules.

use std::collections::HashSet;

use tamis_html::Name;

use super::features::Context;
use super::prediction::{PageType, Prediction};
use crate::page::{NONE, Region};
use crate::text::hash::hash_bytes;

/// A rule: its name, and what it does to [`Prediction::kept`].
type Rule = (&'static str, fn(Context<'_>, &mut Prediction));

/// The rules in order. A rule without a measured gain on sites not looked at does not go in; docs/model.md has the figures.
pub const RULES: &[Rule] = &[
    ("repeated text", drop_repeated_text),
    ("headings between", keep_headings_between),
    ("code between", keep_code_between),
    ("table rows", keep_table_rows),
];

/// Applies all rules but one, if it is named.
#[inline(never)]
pub(super) fn apply(context: Context<'_>, prediction: &mut Prediction, without: Option<&str>) {
    for (name, rule) in RULES {
        if without != Some(name) {
            rule(context, prediction);
        }
    }
}

/// Shorter texts may well be said twice.
const MIN_REPEATED_WORDS: u32 = 20;

/// Drops long texts that were kept before, except on articles and threads, which quote.
fn drop_repeated_text(context: Context<'_>, prediction: &mut Prediction) {
    if matches!(prediction.page_type, PageType::Article | PageType::Forum | PageType::Documentation) {
        return;
    }
    let blocks = &context.page.blocks;
    let mut seen = HashSet::new();
    for (block, kept) in prediction.kept.iter_mut().enumerate() {
        if *kept && blocks.counts[block].words >= MIN_REPEATED_WORDS {
            *kept = seen.insert(hash_bytes(blocks.text(block).as_bytes()));
        }
    }
}

/// Keeps headings whose text is kept: the next block that is no heading is kept and has the same parent.
fn keep_headings_between(context: Context<'_>, prediction: &mut Prediction) {
    let (blocks, elements) = (&context.page.blocks, &context.page.elements);
    let parent = |block: usize| elements.parent[blocks.element[block] as usize];
    let is_heading = |block: usize| elements.name[blocks.element[block] as usize].heading_level().is_some();
    let mut kept_text = None;
    let first_kept = prediction.kept.iter().position(|kept| *kept).unwrap_or(usize::MAX);
    for block in (0..blocks.len()).rev() {
        if !is_heading(block) {
            kept_text = prediction.kept[block].then(|| parent(block)).filter(|parent| *parent != NONE);
        } else if !prediction.kept[block] && block > first_kept && kept_text == Some(parent(block)) {
            prediction.kept[block] = true;
        }
    }
}

/// Keeps preformatted text between kept blocks of the same parent.
fn keep_code_between(context: Context<'_>, prediction: &mut Prediction) {
    let (blocks, elements) = (&context.page.blocks, &context.page.elements);
    let is_code = |block: usize| elements.regions[blocks.element[block] as usize] & Region::Pre.bit() != 0;
    let mut start = 0;
    while start < blocks.len() {
        if !is_code(start) {
            start += 1;
            continue;
        }
        let mut end = start;
        while end < blocks.len() && is_code(end) {
            end += 1;
        }
        let is_kept =
            |block: Option<usize>| block.and_then(|block| prediction.kept.get(block)) == Some(&true);
        if is_kept(start.checked_sub(1)) && is_kept(Some(end)) {
            prediction.kept[start..end].fill(true);
        }
        start = end;
    }
}

/// Share of a table's words from which all of it is kept.
const MIN_KEPT_SHARE: f32 = 0.5;
/// Longer cells on average, or a single cell of so many words, are layout.
const MAX_MEAN_CELL_WORDS: u32 = 8;
const MAX_CELL_WORDS: u32 = 40;

/// Keeps data tables whole if most of them is kept.
fn keep_table_rows(context: Context<'_>, prediction: &mut Prediction) {
    let (blocks, elements) = (&context.page.blocks, &context.page.elements);
    for table in 0..elements.len() as u32 {
        if elements.name[table as usize] != Name::TABLE {
            continue;
        }
        let (from, to) = elements.blocks(table);
        let sum = blocks.sum(from, to);
        let rows = table as usize + 1..elements.end[table as usize] as usize;
        let is_nested = elements.name[rows.clone()].contains(&Name::TABLE);
        let has_rows = elements.name[rows].iter().filter(|name| **name == Name::TR).take(2).count() == 2;
        if to - from < 4
            || is_nested
            || !has_rows
            || sum.words > MAX_MEAN_CELL_WORDS * (to - from) as u32
            || blocks.counts[from..to].iter().any(|cell| cell.words > MAX_CELL_WORDS)
            || sum.link_characters * 2 > sum.characters
        {
            continue;
        }
        let kept = (from..to).filter(|block| prediction.kept[*block]);
        let kept: u32 = kept.map(|block| blocks.counts[block].words).sum();
        if kept as f32 >= MIN_KEPT_SHARE * sum.words as f32 && kept > 0 {
            prediction.kept[from..to].fill(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::classify::features::Derived;
    use crate::{annotate::Annotations, page::Page};

    use super::*;

    /// Texts kept after one rule, given which blocks were kept before.
    fn kept(html: &str, before: &[bool], rule: fn(Context<'_>, &mut Prediction)) -> Vec<String> {
        let page = Page::parse(html);
        let (annotations, derived) = (Annotations::default(), Derived::default());
        let (kept, page_type) = (before.to_vec(), PageType::Article);
        let mut prediction = Prediction { kept, page_type, ..Prediction::default() };
        rule(Context { page: &page, annotations: &annotations, derived: &derived }, &mut prediction);
        let kept = (0..page.blocks.len()).filter(|block| prediction.kept[*block]);
        kept.map(|block| page.blocks.text(block).to_owned()).collect()
    }

    #[test]
    fn listings_say_long_texts_once() {
        let long = "word ".repeat(25);
        let html = format!("<p>{long}<p>short<p>{long}<p>short");
        assert_eq!(
            kept(&html, &[true; 4], |context, prediction| {
                prediction.page_type = PageType::Listing;
                drop_repeated_text(context, prediction);
            })
            .len(),
            3
        );
        assert_eq!(kept(&html, &[true; 4], drop_repeated_text).len(), 4);
    }

    #[test]
    fn headings_and_code_stay_with_their_text() {
        let html = "<div><p>One.</p><h2>Two</h2><p>Three.</p><h2>Four</h2></div><p>Five.</p>";
        let before = [true, false, true, false, false];
        assert_eq!(kept(html, &before, keep_headings_between), ["One.", "Two", "Three."]);
        let html = "<p>One.</p><pre>let a;</pre><p>Two.</p><pre>let b;</pre>";
        assert_eq!(kept(html, &[true, false, true, false], keep_code_between), ["One.", "let a;", "Two."]);
    }

    #[test]
    fn data_tables_are_kept_whole() {
        let html = "<table><tr><td>High<td>9:30<tr><td>Low<td>15:10<tr><td>High<td>21:50</table>";
        let mut before = [true; 6];
        before[3] = false;
        assert_eq!(kept(html, &before, keep_table_rows).len(), 6);
        assert_eq!(kept(html, &[true, false, false, false, false, false], keep_table_rows).len(), 1);
    }
}
