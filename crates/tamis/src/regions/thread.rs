//! Threads: the posts of a forum page, with writer, time, number, body and quotes.

use tamis_dates::{Form, Moment, find, read as read_date};

use crate::annotate::cells::mark;
use crate::annotate::{Cell, Cells};
use crate::page::Page;
use crate::text::hash::hash_text;

use super::body::{self, Frame};
use super::items::{Item, Sums, Tables, best_items, lone_item};
use super::phrases::{is_name, name_in, number_in, quoted_name};
use super::roles::{self, Roles};
use super::weights::POST_ROLES;
use super::{PostRegion, QuoteRegion};

/// Blocks of the head are short; a longer one holds the text as well.
const MAX_HEAD_WORDS: u32 = 30;
/// A post before those that repeat has at least this part of the text.
const MAX_OPENING_RATIO: u32 = 20;
/// Posts in a thread; further ones are left out.
const MAX_POSTS: usize = 10_000;

/// Reads the posts of a page.
pub(super) fn posts(tables: Tables<'_>) -> Vec<PostRegion> {
    let sums = Sums::new(tables, |block| tables.prediction.kept[block]);
    let mut items = best_items(tables, &sums, &POST_ROLES, "thread").unwrap_or_default();
    items.truncate(MAX_POSTS);
    let start = items.first().map_or(tables.page.blocks.len(), |item| item.from);
    if let Some(opening) = lone_item(tables, &sums, start)
        && sums.wanted_in(opening.from, opening.to) * MAX_OPENING_RATIO >= sums.total()
    {
        items.insert(0, opening);
    }
    read(tables, &items)
}

/// Reads writer, time, number, body and quotes of each item. Items without a body are left out.
pub(super) fn read(tables: Tables<'_>, items: &[Item]) -> Vec<PostRegion> {
    let roles = roles::find(tables, items, &POST_ROLES);
    let (mut posts, mut frames) = (Vec::with_capacity(items.len()), Vec::with_capacity(items.len()));
    for item in items {
        let (post, frame) = head(tables, item, &roles);
        posts.push(post);
        frames.push(frame);
    }
    answer_enclosing(tables, &mut posts, &frames);
    for (post, body) in posts.iter_mut().zip(body::bodies(tables, &frames, &POST_ROLES)) {
        post.blocks = body;
        post.quotes = quotes(tables.page, tables.cells, &post.blocks);
        let quoted = post.quotes.iter().find_map(|quote| quote.author.clone());
        post.reply_to = quoted.or(post.reply_to.take());
    }
    posts.retain(|post| !post.blocks.is_empty());
    posts
}

/// The writer, time and number of an item, and the blocks they are in.
fn head(tables: Tables<'_>, item: &Item, roles: &Roles) -> (PostRegion, Frame) {
    let cells = tables.cells;
    let author = roles::first_of(tables, item, roles, &roles.author, |cell| {
        name_in(cells.text(cell)).filter(|_| cell.marks & mark::DATE == 0)
    });
    let time = roles::first_of(tables, item, roles, &roles.time, |cell| {
        (cell.marks & (mark::DATE | mark::TIME) != 0).then(|| cells.text(cell))
    });
    let number = roles::first_of(tables, item, roles, &roles.number, |cell| number_in(cells.text(cell)));
    let mut head: Vec<u32> = [author.map(|it| it.0), time.map(|it| it.0), number.map(|it| it.0)]
        .into_iter()
        .flatten()
        .map(|cell| cell.block)
        .filter(|block| tables.page.blocks.counts[*block as usize].words <= MAX_HEAD_WORDS)
        .collect();
    head.sort_unstable();
    head.dedup();
    let (time_text, moment) = time.map_or((None, None), |(cell, _)| time_of(tables, cell));
    let post = PostRegion {
        element: item.row,
        author: author.map(|(_, name)| name.to_owned()),
        time: moment,
        time_text,
        number: number.map(|(_, number)| number),
        ..PostRegion::default()
    };
    let writer = author.map_or(0, |(_, name)| hash_text(name));
    (post, Frame { item: *item, writer, head })
}

/// The time in a cell or its block: as written, and read.
pub(super) fn time_of(tables: Tables<'_>, cell: &Cell) -> (Option<String>, Option<Moment>) {
    let (text, line) = (tables.cells.text(cell), tables.page.blocks.text(cell.block as usize));
    let declared = Cells::time_value(tables.page, cell).and_then(|value| read_date(&value, tables.hints));
    let in_cell = find(text, tables.hints).into_iter().next().map(|found| (text, found));
    // "9:00am On Apr 24" with the day in another element.
    let is_short = tables.page.blocks.counts[cell.block as usize].words <= MAX_HEAD_WORDS;
    let in_line = || find(line, tables.hints).into_iter().next().map(|found| (line, found));
    let found = in_cell.or_else(|| if is_short { in_line() } else { None });
    let written = found.as_ref().map_or(text, |(text, found)| text.get(found.range.clone()).unwrap_or(text));
    let shown = found.as_ref().map(|(_, found)| found.moment);
    let is_vague = found.as_ref().is_none_or(|(_, found)| found.form != Form::Full);
    let is_better =
        |declared: &Moment| is_vague || shown.is_none_or(|shown| declared.precision() > shown.precision());
    (Some(written.trim().to_owned()), declared.filter(is_better).or(shown))
}

/// Lets nested items answer the item they are nested in, by the depth of their heads.
fn answer_enclosing(tables: Tables<'_>, posts: &mut [PostRegion], frames: &[Frame]) {
    let mut open: Vec<(u32, usize)> = Vec::new();
    for (index, frame) in frames.iter().enumerate() {
        let Some(head) = frame.head.first() else { continue };
        let depth = tables.page.elements.depth[tables.page.blocks.element[*head as usize] as usize];
        while open.last().is_some_and(|(other, _)| *other >= depth) {
            open.pop();
        }
        if let Some((_, parent)) = open.last() {
            posts[index].reply_to = posts[*parent].author.clone();
        }
        open.push((depth, index));
    }
}

/// The runs of quoted blocks in a body.
pub(super) fn quotes(page: &Page<'_>, cells: &Cells, body: &[u32]) -> Vec<QuoteRegion> {
    let mut quotes: Vec<QuoteRegion> = Vec::new();
    let mut previous: Option<u32> = None;
    let mut is_open = false;
    for block in body {
        let row = page.blocks.element[*block as usize];
        let is_marked = cells.row_marks[row as usize] & mark::QUOTE != 0;
        if !is_marked && !page.blocks.text(*block as usize).starts_with(['>', '|']) {
            (previous, is_open) = (Some(*block), false);
            continue;
        }
        if !is_open {
            // The label may be too short to be text.
            let above = [previous, block.checked_sub(1)].into_iter().flatten();
            let label = above.map(|block| page.blocks.text(block as usize)).find_map(quoted_name);
            quotes.push(QuoteRegion { author: label.map(str::to_owned), blocks: Vec::new() });
            is_open = true;
        }
        let Some(quote) = quotes.last_mut() else { continue };
        let text = page.blocks.text(*block as usize);
        if quote.author.is_none() && quote.blocks.is_empty() {
            quote.author = label_in_quote(text).map(str::to_owned);
        }
        quote.blocks.push(*block);
    }
    quotes
}

/// Whom a quote is from, by its own first line.
fn label_in_quote(text: &str) -> Option<&str> {
    let label = text.trim_end().trim_end_matches(['↑', '→']).trim_end();
    quoted_name(text)
        .or_else(|| label.strip_suffix([':', '：']).filter(|name| is_name(name)).and_then(name_in))
}
