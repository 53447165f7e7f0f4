//! Deterministic post-processing of the classifier's output: an ordered list of rules.

use std::collections::HashSet;
use std::ops::Range;

use tamis_html::Name;

use super::features::Context;
use super::prediction::{PageType, Prediction};
use crate::page::{NONE, Region};
use crate::text::hash::hash_text;

/// A rule: its name, and what it does to [`Prediction::kept`].
type Rule = (&'static str, fn(Context<'_>, &mut Prediction));

/// The rules in order; docs/model.md has what each of them earns on sites not looked at.
pub const RULES: &[Rule] = &[
    ("repeated text", drop_repeated_text),
    ("headings between", keep_headings_between),
    ("code", keep_code),
    ("table rows", keep_table_rows),
    ("labels", keep_labels),
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

/// Drops long texts that were kept before, except on articles, threads and documentation, which quote.
fn drop_repeated_text(context: Context<'_>, prediction: &mut Prediction) {
    if matches!(prediction.page_type, PageType::Article | PageType::Forum | PageType::Documentation) {
        return;
    }
    let blocks = &context.page.blocks;
    let mut seen = HashSet::new();
    for (block, kept) in prediction.kept.iter_mut().enumerate() {
        if *kept && blocks.counts[block].words >= MIN_REPEATED_WORDS {
            *kept = seen.insert(hash_text(blocks.text(block)));
        }
    }
}

/// Links and buttons beside a heading have at most this many words, and there are at most so many of them.
const MAX_CRUMB_WORDS: u32 = 4;
const MAX_CRUMBS: u8 = 2;
/// Levels between a heading, or the block with its text, and the element around both.
const MAX_HEADING_DEPTH: usize = 8;

/// Keeps headings whose text is kept: the next block that is no heading is kept, and it is near in the element around the
/// heading, or the block before the heading is kept too. Dropped links and buttons beside the heading do not count, nor
/// does code, which [`keep_code`] decides about once it is between kept headings.
fn keep_headings_between(context: Context<'_>, prediction: &mut Prediction) {
    let (blocks, elements) = (&context.page.blocks, &context.page.elements);
    let row = |block: usize| blocks.element[block] as usize;
    let is_link = |block: usize| {
        let counts = &blocks.counts[block];
        let is_control = elements.regions[row(block)] & Region::Control.bit() != 0;
        let is_linked = blocks.link_characters[block] == counts.characters;
        counts.words <= MAX_CRUMB_WORDS && (is_control || is_linked || counts.letters == 0)
    };
    let is_heading = |block: usize| {
        elements.name[row(block)].heading_level().is_some()
            || (elements.regions[row(block)] & Region::Heading.bit() != 0 && !is_link(block))
    };
    let outwards = |row: u32| {
        let next = |row: &u32| Some(elements.parent[*row as usize]).filter(|parent| *parent != NONE);
        std::iter::successors(Some(row), next).take(MAX_HEADING_DEPTH)
    };
    // The element around a heading that holds more than the heading holds the block that follows it.
    let heads = |block: usize, text: usize| {
        let own = blocks.element[block];
        let heading = outwards(own).find(|row| elements.name[*row as usize].heading_level().is_some());
        let range = elements.blocks(heading.unwrap_or(own));
        let around = outwards(heading.unwrap_or(own)).find(|row| elements.blocks(*row) != range);
        around.is_some() && outwards(blocks.element[text]).any(|row| Some(row) == around)
    };
    let is_code = |block: usize| is_code(context, block);
    let kept = &mut prediction.kept;
    let (mut is_kept_before, mut crumbs) = (false, 0);
    let mut is_after_kept = Vec::with_capacity(blocks.len());
    for (block, kept) in kept.iter().enumerate() {
        is_after_kept.push(is_kept_before);
        if *kept && !is_heading(block) {
            (is_kept_before, crumbs) = (true, 0);
        } else if !*kept && is_kept_before && !is_heading(block) && !is_code(block) {
            crumbs += 1;
            is_kept_before = crumbs <= MAX_CRUMBS && is_link(block);
        }
    }
    let (mut kept_text, mut crumbs) = (None, 0);
    let first_kept = kept.iter().position(|kept| *kept).unwrap_or(usize::MAX);
    for block in (0..blocks.len()).rev() {
        if is_heading(block) {
            if block > first_kept
                && let Some(text) = kept_text
            {
                kept[block] |= is_after_kept[block] || heads(block, text);
            }
        } else if kept[block] {
            (kept_text, crumbs) = (Some(block), 0);
        } else if kept_text.is_some() && !is_code(block) {
            crumbs += 1;
            kept_text = kept_text.filter(|_| crumbs <= MAX_CRUMBS && is_link(block));
        }
    }
}

/// Longer blocks are no labels.
const MAX_LABEL_WORDS: u32 = 16;
/// Cells after a caption that show whether its table is kept.
const MAX_HEAD_CELLS: usize = 4;

/// Keeps what names a kept part: the term before a kept definition, the caption of a kept table, and who is quoted at the
/// end of a kept quotation.
fn keep_labels(context: Context<'_>, prediction: &mut Prediction) {
    let (blocks, elements) = (&context.page.blocks, &context.page.elements);
    let kept = &mut prediction.kept;
    // Backwards, since several terms may share a definition.
    for row in (0..elements.len() as u32).rev() {
        let name = elements.name[row as usize];
        if !matches!(name, Name::DT | Name::CAPTION | Name::BLOCKQUOTE) {
            continue;
        }
        let (from, to) = elements.blocks(row);
        let outer = elements.parent[row as usize];
        let end = if outer == NONE { to } else { elements.blocks(outer).1 };
        let (labels, named) = match name {
            Name::DT => (from..to, to..end.min(to + 1)),
            Name::CAPTION => (from..to, to..end.min(to + MAX_HEAD_CELLS)),
            _ => (to.saturating_sub(1).max(from)..to, to.saturating_sub(2).max(from)..to.saturating_sub(1)),
        };
        let is_named = !named.is_empty() && kept[named].contains(&true);
        let is_short = |block: usize| blocks.counts[block].words <= MAX_LABEL_WORDS;
        if is_named && labels.len() <= 2 && labels.clone().all(is_short) {
            kept[labels].fill(true);
        }
    }
}

/// Whether a block is preformatted.
fn is_code(context: Context<'_>, block: usize) -> bool {
    let row = context.page.blocks.element[block] as usize;
    context.page.elements.regions[row] & Region::Pre.bit() != 0
}

/// Keeps preformatted text between kept blocks, and all of it if most is kept: code that lacks lines is of no use. Line
/// numbers in an element of their own are no code.
fn keep_code(context: Context<'_>, prediction: &mut Prediction) {
    let (blocks, elements) = (&context.page.blocks, &context.page.elements);
    // Listings in a row stay together.
    let (mut run, mut is_between) = (0..0, false);
    for pre in 0..elements.len() as u32 {
        let (from, to) = elements.blocks(pre);
        if elements.name[pre as usize] != Name::PRE
            || blocks.counts[from..to].iter().all(|counts| counts.letters == 0)
        {
            continue;
        }
        if from >= run.end {
            run = from..(from..blocks.len()).find(|block| !is_code(context, *block)).unwrap_or(blocks.len());
            let is_kept =
                |block: Option<usize>| block.and_then(|block| prediction.kept.get(block)) == Some(&true);
            is_between = is_kept(from.checked_sub(1)) && is_kept(Some(run.end));
        }
        if is_between || is_mostly_kept(context, prediction, from..to) {
            prediction.kept[from..to].fill(true);
        }
    }
}

/// Whether at least half of the words of some blocks are kept.
fn is_mostly_kept(context: Context<'_>, prediction: &Prediction, blocks: Range<usize>) -> bool {
    let words = |block: usize| context.page.blocks.counts[block].words;
    let kept: u32 = blocks.clone().filter(|block| prediction.kept[*block]).map(words).sum();
    let all: u32 = blocks.map(words).sum();
    kept > 0 && kept * 2 >= all
}

/// Longer cells on average, or a single cell of so many words, are layout.
const MAX_MEAN_CELL_WORDS: u32 = 8;
const MAX_CELL_WORDS: u32 = 40;

/// Keeps data tables whole if most of them is kept, or some of it inside of the text.
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
        let is_between = from > 0 && prediction.kept[from - 1] && prediction.kept.get(to) == Some(&true);
        let is_in_part = prediction.kept[from..to].contains(&true);
        if is_in_part && (is_between || is_mostly_kept(context, prediction, from..to)) {
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
        let page_type = PageType::Article;
        let mut prediction = Prediction { kept: before.to_vec(), page_type, ..Prediction::default() };
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
        let html = "<p>One.</p><section><h2>Two</h2></section><p>Three.</p><section><h2>Four</h2></section><p>Five.</p>";
        assert_eq!(kept(html, &before, keep_headings_between), ["One.", "Two", "Three."]);
        let html = "<p>One.</p><div><h2><div>Two</div></h2><a href=#two>Permalink</a></div><p>Three.</p>";
        assert_eq!(kept(html, &[true, false, false, true], keep_headings_between), ["One.", "Two", "Three."]);
        let html =
            "<p>One.</p><p>Dropped.</p><div><div><h2>Two</h2></div><div><div><p>Three.</p></div></div></div>";
        assert_eq!(kept(html, &[true, false, false, true], keep_headings_between), ["One.", "Two", "Three."]);
        let html = "<div><p>One.</p><h2>Two</h2><p>A dropped sentence of a teaser.</p><p>Three.</p></div>";
        assert_eq!(kept(html, &[true, false, false, true], keep_headings_between), ["One.", "Three."]);
        let html = "<p>One.</p><pre>let a;</pre><p>Two.</p><pre>let b;</pre>";
        assert_eq!(kept(html, &[true, false, true, false], keep_code), ["One.", "let a;", "Two."]);
        // Both have kept neighbours only once the other is kept.
        let html = "<p>One.</p><pre>let a;</pre><h2>Two</h2><pre>let b;</pre><pre>let c;</pre><p>Three.</p>";
        let before = [true, false, false, false, false, true];
        let both = |context: Context<'_>, prediction: &mut Prediction| {
            keep_headings_between(context, prediction);
            keep_code(context, prediction);
        };
        assert_eq!(kept(html, &before, both).len(), before.len());
        let html = "<td><pre>1</pre><td><pre>fn main() {<br>}<br>// end</pre>";
        assert_eq!(kept(html, &[false, true, false, false], keep_code), ["fn main() {", "}", "// end"]);
    }

    #[test]
    fn labels_stay_with_what_they_name() {
        for (html, before) in [
            (
                "<dl><dt>Ebb</dt><dd>Falling water.</dd><dt>Flood</dt><dt>Tide</dt><dd>Rising.</dd></dl>",
                "01001",
            ),
            ("<table><caption>Tides</caption><tr><td>High<td>9:30</table>", "011"),
            ("<blockquote><p>It rained.</p><footer>Ada Finch</footer></blockquote>", "10"),
            ("<blockquote><p>It rained.</p><cite>Ada Finch</cite></blockquote>", "10"),
        ] {
            let before: Vec<bool> = before.bytes().map(|byte| byte == b'1').collect();
            assert_eq!(kept(html, &before, keep_labels).len(), before.len(), "{html}");
            assert_eq!(kept(html, &vec![false; before.len()], keep_labels).len(), 0, "{html}");
        }
        let html = "<dl><dt>Share</dt><dd>Mail</dd><dt>Ebb</dt><dd>Falling water.</dd></dl>";
        assert_eq!(kept(html, &[false, false, true, true], keep_labels), ["Ebb", "Falling water."]);
    }

    #[test]
    fn data_tables_are_kept_whole() {
        let html = "<table><tr><td>High<td>9:30<tr><td>Low<td>15:10<tr><td>High<td>21:50</table>";
        let mut before = [true; 6];
        before[3] = false;
        assert_eq!(kept(html, &before, keep_table_rows).len(), 6);
        assert_eq!(kept(html, &[true, false, false, false, false, false], keep_table_rows).len(), 1);
        let html = format!("<p>Tides.</p>{html}<p>Take care.</p>");
        let before = [true, true, false, false, false, false, false, true];
        assert_eq!(kept(&html, &before, keep_table_rows).len(), 8);
    }
}
