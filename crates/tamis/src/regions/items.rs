//! Items: candidates for the posts, comments or entries of a page, each a contiguous range of blocks.
//!
//! Whatever repeats once per post cuts the page into posts: a column of times, a column of names, or elements of one
//! class. Each such set of anchors is turned into ranges; the set whose ranges look most like posts wins.

use tamis_dates::Hints;

use crate::annotate::cells::mark;
use crate::annotate::{Annotations, Cells};
use crate::classify::Prediction;
use crate::page::{NONE, Page};
use crate::text::hash::{Interner, hash_combine};

use super::weights::{RoleWeights, Weights};

/// A contiguous part of the page that may be a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// The element that holds it, or that opens it where posts have no element of their own.
    pub row: u32,
    pub from: usize,
    pub to: usize,
}

/// The tables of a page that items are read from.
#[derive(Clone, Copy)]
pub(super) struct Tables<'p> {
    pub page: &'p Page<'p>,
    pub annotations: &'p Annotations,
    pub prediction: &'p Prediction,
    /// Per block: the probability that it belongs to the text of an item.
    pub probabilities: &'p [f32],
    pub hints: &'p Hints<'p>,
    pub cells: &'p Cells,
}

/// Sets of anchors per kind that are tried; the others cover less text.
const MAX_CANDIDATES: usize = 24;
/// Marks of cells that name a writer.
pub(super) const WRITER_MARKS: u32 = mark::WRITER_CLASS | mark::AUTHOR_PROPERTY | mark::PROFILE_LINK;
/// Marks of cells with a time.
pub(super) const TIME_MARKS: u32 = mark::DATE | mark::TIME;
/// From this share of the words between elements of the anchors on, posts have no element of their own.
const MIN_GAP_SHARE: f32 = 0.25;
/// Features of a set of items, in the order of `score`.
pub(super) const FEATURES: [&str; 8] =
    ["bias", "coverage", "precision", "with text", "with time", "with writer", "log items", "log votes"];

/// Prefix sums over blocks that rate items.
pub(super) struct Sums {
    /// Words that items should cover.
    wanted: Vec<u32>,
    words: Vec<u32>,
    times: Vec<u32>,
    writers: Vec<u32>,
}

impl Sums {
    /// `is_wanted` says which blocks the items should cover.
    pub(super) fn new(tables: Tables<'_>, is_wanted: impl Fn(usize) -> bool) -> Sums {
        let blocks = &tables.page.blocks;
        let mut sums = Sums { wanted: vec![0], words: vec![0], times: vec![0], writers: vec![0] };
        let (mut wanted, mut words, mut times, mut writers) = (0, 0, 0, 0);
        for block in 0..blocks.len() {
            wanted += if is_wanted(block) { blocks.counts[block].words } else { 0 };
            words += blocks.counts[block].words;
            for cell in
                tables.cells.of_blocks(block, block + 1).iter().filter(|cell| cell.marks & mark::QUOTE == 0)
            {
                times += u32::from(cell.marks & TIME_MARKS != 0);
                writers += u32::from(cell.marks & WRITER_MARKS != 0);
            }
            sums.wanted.push(wanted);
            sums.words.push(words);
            sums.times.push(times);
            sums.writers.push(writers);
        }
        sums
    }

    pub(super) fn wanted_in(&self, from: usize, to: usize) -> u32 {
        self.wanted[to] - self.wanted[from]
    }

    pub(super) fn total(&self) -> u32 {
        self.wanted.last().copied().unwrap_or(0)
    }

    /// How much a set of items looks like the posts of a thread.
    pub(super) fn score(&self, items: &[Item], votes: usize, weights: &RoleWeights) -> f32 {
        let count = items.len().max(1) as f32;
        let share = |sums: &[u32], least: u32| {
            items.iter().filter(|item| sums[item.to] - sums[item.from] >= least).count() as f32 / count
        };
        let covered: u32 = items.iter().map(|item| self.wanted_in(item.from, item.to)).sum();
        let words: u32 = items.iter().map(|item| self.words[item.to] - self.words[item.from]).sum();
        let values = [
            1.0,
            covered as f32 / self.total().max(1) as f32,
            covered as f32 / words.max(1) as f32,
            share(&self.wanted, 2),
            share(&self.times, 1),
            share(&self.writers, 1),
            libm::logf(count.min(20.0)),
            libm::logf(votes as f32),
        ];
        weights.score(&values)
    }
}

/// The set of items with the highest score for `role`, if it is positive.
pub(super) fn best_items(
    tables: Tables<'_>,
    sums: &Sums,
    weights: &Weights,
    role: &str,
) -> Option<Vec<Item>> {
    let mut sets = candidates(tables, sums);
    sets.retain(|items| items.len() > 1);
    // Sets that start at the same blocks agree.
    let key = |items: &[Item]| items.iter().fold(0, |key, item| hash_combine(key, item.from as u64));
    let keys: Vec<u64> = sets.iter().map(|items| key(items)).collect();
    let weights = weights.of(role, &FEATURES);
    let mut best: Option<(f32, Vec<Item>)> = None;
    for (items, own) in sets.into_iter().zip(&keys) {
        if tables.page.deadline_exceeded() {
            return None;
        }
        let votes = keys.iter().filter(|key| *key == own).count();
        let score = sums.score(&items, votes, &weights);
        if score > best.as_ref().map_or(0.0, |best| best.0) {
            best = Some((score, items));
        }
    }
    best.map(|best| best.1)
}

fn candidates(tables: Tables<'_>, sums: &Sums) -> Vec<Vec<Item>> {
    let mut sets = Vec::new();
    for anchors in cell_anchors(tables, TIME_MARKS).into_iter().chain(cell_anchors(tables, WRITER_MARKS)) {
        sets.push(items_of_anchors(tables.page, &anchors));
    }
    for rows in row_anchors(tables, sums) {
        sets.push(items_of_rows(tables.page, &rows));
    }
    if tables.cells.declared.len() > 1 {
        sets.push(items_of_rows(tables.page, &tables.cells.declared));
    }
    sets
}

/// Blocks of the columns in which most cells have one of these marks.
fn cell_anchors(tables: Tables<'_>, marks: u32) -> Vec<Vec<u32>> {
    let mut columns: Vec<(u32, Vec<u32>)> = vec![(0, Vec::new()); tables.cells.columns];
    for cell in tables.cells.all.iter().filter(|cell| cell.marks & mark::QUOTE == 0) {
        let (cells, marked) = &mut columns[cell.column as usize];
        *cells += 1;
        if cell.marks & marks != 0 && marked.last() != Some(&cell.block) {
            marked.push(cell.block);
        }
    }
    let mut anchors: Vec<Vec<u32>> = columns
        .into_iter()
        .filter(|(cells, marked)| marked.len() > 1 && marked.len() * 3 >= *cells as usize)
        .map(|(_, marked)| marked)
        .collect();
    anchors.sort_by_key(|blocks| std::cmp::Reverse(blocks[blocks.len() - 1] - blocks[0]));
    anchors.truncate(MAX_CANDIDATES);
    anchors
}

/// Rows with the same tag and classes that hold much of the wanted text.
fn row_anchors(tables: Tables<'_>, sums: &Sums) -> Vec<Vec<u32>> {
    let (elements, cells) = (&tables.page.elements, tables.cells);
    let mut interner = Interner::default();
    let mut groups: Vec<(u32, Vec<u32>)> = Vec::new();
    for row in 0..elements.len() as u32 {
        let (from, to) = elements.blocks(row);
        if from == to || cells.row_marks[row as usize] & mark::QUOTE != 0 {
            continue;
        }
        let (group, is_new) = interner.intern(cells.row_key[row as usize]);
        if is_new {
            groups.push((0, Vec::new()));
        }
        let (covered, rows) = &mut groups[group as usize];
        *covered += sums.wanted_in(from, to);
        rows.push(row);
    }
    groups.retain(|(covered, rows)| rows.len() > 1 && *covered * 5 >= sums.total() && *covered > 0);
    groups.sort_by_key(|(covered, _)| std::cmp::Reverse(*covered));
    groups.truncate(MAX_CANDIDATES);
    groups.into_iter().map(|(_, rows)| rows).collect()
}

/// The ranges of rows; a row that contains the next one ends where that starts.
pub(super) fn items_of_rows(page: &Page<'_>, rows: &[u32]) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::with_capacity(rows.len());
    for row in rows {
        let (from, to) = page.elements.blocks(*row);
        if let Some(last) = items.last_mut() {
            last.to = last.to.min(from);
        }
        items.push(Item { row: *row, from, to });
    }
    items.retain(|item| item.from < item.to);
    items
}

/// The ranges around anchors: of each, the largest element that holds no other.
fn items_of_anchors(page: &Page<'_>, anchors: &[u32]) -> Vec<Item> {
    let (elements, blocks) = (&page.elements, &page.blocks);
    let mut items = Vec::with_capacity(anchors.len());
    for (at, anchor) in anchors.iter().enumerate() {
        let previous = at.checked_sub(1).map(|at| anchors[at] as usize);
        let next = anchors.get(at + 1).map(|next| *next as usize);
        let mut row = blocks.element[*anchor as usize];
        let (mut from, mut to) = (*anchor as usize, *anchor as usize + 1);
        let mut climb = row;
        while climb != NONE {
            let (first, last) = elements.blocks(climb);
            if previous.is_some_and(|block| block >= first) || next.is_some_and(|block| block < last) {
                break;
            }
            (row, from, to) = (climb, first, last);
            climb = elements.parent[climb as usize];
        }
        items.push(Item { row, from, to });
    }
    let Some((first, last)) = items.first().copied().zip(items.last().copied()) else { return items };
    let words = |from: usize, to: usize| blocks.sum(from, to.max(from)).words;
    let inside: u32 = items.iter().map(|item| words(item.from, item.to)).sum();
    let span = words(first.from, last.to);
    let is_flat = (span - inside.min(span)) as f32 > MIN_GAP_SHARE * span as f32;
    // Lets items reach to the next one where posts have no element of their own, or share it with their replies.
    for at in 0..items.len() {
        let Item { row, from, to } = items[at];
        let end = match items.get(at + 1) {
            Some(next) => next.from,
            None if is_flat && elements.parent[row as usize] != NONE => {
                elements.blocks(elements.parent[row as usize]).1
            }
            None => to,
        };
        if end > to && (is_flat || words(to, end) > words(from, to)) {
            items[at].to = end;
        }
    }
    items
}

/// Words that an item without siblings needs.
const MIN_LONE_WORDS: u32 = 10;
/// Levels that are climbed from the text of a lone item to its writer and time.
const MAX_HEAD_LEVELS: usize = 6;

/// The item around the wanted blocks before `end`: the only post of a page, or the first one where its markup differs
/// from that of the others.
pub(super) fn lone_item(tables: Tables<'_>, sums: &Sums, end: usize) -> Option<Item> {
    let (blocks, elements) = (&tables.page.blocks, &tables.page.elements);
    let wanted = |block: &usize| sums.wanted_in(*block, *block + 1) > 0;
    let first = (0..end).find(wanted)?;
    let last = (first..end).rev().find(wanted)?;
    if sums.wanted_in(first, last + 1) < MIN_LONE_WORDS {
        return None;
    }
    let mut item = Item { row: blocks.element[first], from: first, to: last + 1 };
    let mut climb = item.row;
    let mut levels = 0;
    while climb != NONE {
        let (from, to) = elements.blocks(climb);
        if to > end {
            break;
        }
        if to > last {
            let has = |sums: &[u32]| sums[item.to] > sums[item.from];
            let is_complete = item.to > last + 1 && has(&sums.times) && has(&sums.writers);
            if is_complete || levels > MAX_HEAD_LEVELS {
                break;
            }
            levels += 1;
            item = Item { row: climb, from, to };
        }
        climb = elements.parent[climb as usize];
    }
    Some(item)
}
