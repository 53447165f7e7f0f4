//! Listings: entries that lead elsewhere, with title, link, date and text.

use tamis_dates::find;

use crate::annotate::Cells;
use crate::annotate::cells::mark;
use crate::page::Region;
use crate::text::hash::{Interner, hash_text};

use super::EntryRegion;
use super::items::{Item, Tables, items_of_rows};
use super::roles;
use super::thread::time_of;
use super::weights::POST_ROLES;

/// Features of a group of rows, in the order of `score`.
pub(super) const FEATURES: [&str; 10] = [
    "bias",
    "coverage",
    "kept coverage",
    "headline",
    "date",
    "log items",
    "navigation",
    "distinct",
    "words",
    "linked",
];

/// Entries of a page; further ones are left out.
const MAX_ENTRIES: usize = 10_000;
/// Groups that are looked at, by the words they hold.
const MAX_GROUPS: usize = 32;
/// Regions of links to other parts of the site.
const NAVIGATION: u32 = Region::Nav.bit() | Region::Footer.bit() | Region::Aside.bit() | Region::Form.bit();

/// Reads the entries of a page.
pub(super) fn entries(tables: Tables<'_>) -> Vec<EntryRegion> {
    let mut best: Option<(f32, Vec<Item>)> = None;
    for rows in groups(tables) {
        if tables.page.deadline_exceeded() {
            return Vec::new();
        }
        let items = items_of_rows(tables.page, &rows);
        let score = score(tables, &items);
        if score > best.as_ref().map_or(0.0, |best| best.0) {
            best = Some((score, items));
        }
    }
    let Some((_, mut items)) = best else { return Vec::new() };
    items.truncate(MAX_ENTRIES);
    read(tables, &items)
}

/// Rows with the same tag and classes, by the words they hold, largest first.
fn groups(tables: Tables<'_>) -> Vec<Vec<u32>> {
    let elements = &tables.page.elements;
    let mut interner = Interner::default();
    let mut groups: Vec<(u32, Vec<u32>)> = Vec::new();
    for row in 0..elements.len() as u32 {
        let (from, to) = elements.blocks(row);
        if from == to {
            continue;
        }
        let (group, is_new) = interner.intern(tables.cells.row_key[row as usize]);
        if is_new {
            groups.push((0, Vec::new()));
        }
        let (words, rows) = &mut groups[group as usize];
        *words += tables.page.blocks.sum(from, to).words;
        rows.push(row);
    }
    groups.retain(|(_, rows)| rows.len() > 1);
    groups.sort_by_key(|(words, _)| std::cmp::Reverse(*words));
    groups.truncate(MAX_GROUPS);
    groups.into_iter().map(|(_, rows)| rows).collect()
}

/// How much a group looks like the entries of a listing.
fn score(tables: Tables<'_>, items: &[Item]) -> f32 {
    let (blocks, records) = (&tables.page.blocks, &tables.annotations.records);
    let count = items.len().max(1) as f32;
    let (mut words, mut kept, mut headlines, mut dates, mut navigation, mut linked) = (0, 0, 0, 0, 0, 0);
    let mut values = Vec::with_capacity(items.len());
    for item in items {
        let sum = blocks.sum(item.from, item.to);
        words += sum.words;
        linked += u32::from(sum.links > 0 || sum.link_characters > 0);
        for block in item.from..item.to {
            kept += if tables.prediction.kept[block] { blocks.counts[block].words } else { 0 };
        }
        let [with_date, _, with_headline, _] = records.signal_counts(item.from, item.to);
        dates += u32::from(with_date > 0);
        headlines += u32::from(with_headline > 0);
        navigation += u32::from(tables.page.elements.regions[item.row as usize] & NAVIGATION != 0);
        values.push(hash_text(blocks.text(item.from)));
    }
    values.sort_unstable();
    values.dedup();
    let total_kept: u32 = (0..blocks.len())
        .filter(|block| tables.prediction.kept[*block])
        .map(|block| blocks.counts[block].words)
        .sum();
    let values = [
        1.0,
        words as f32 / blocks.total().words.max(1) as f32,
        kept as f32 / total_kept.max(1) as f32,
        headlines as f32 / count,
        dates as f32 / count,
        libm::logf(count.min(100.0)),
        navigation as f32 / count,
        values.len() as f32 / count,
        (words as f32 / count / 20.0).min(1.0),
        linked as f32 / count,
    ];
    POST_ROLES.of("listing", &FEATURES).score(&values)
}

fn read(tables: Tables<'_>, items: &[Item]) -> Vec<EntryRegion> {
    let (cells, blocks) = (tables.cells, &tables.page.blocks);
    let roles = &roles::find(tables, items, &POST_ROLES);
    let mut entries = Vec::with_capacity(items.len());
    for item in items {
        let title = roles::first_of(tables, item, roles, &roles.title, |cell| {
            cells.text(cell).chars().any(char::is_alphabetic).then(|| cells.text(cell))
        });
        let Some((cell, text)) = title else { continue };
        let own = blocks.text(cell.block as usize);
        // A title with inline markup inside is the whole line, if that is the link.
        let is_line =
            blocks.link_share(cell.block as usize) > 0.9 && own.contains(text) && own.len() <= 4 * text.len();
        let title = if is_line { own } else { text };
        let linked = Some(cell).filter(|cell| cell.link.is_some());
        let of_item = cells.of_blocks(item.from, item.to);
        let linked = linked.or_else(|| of_item.iter().find(|cell| cell.link.is_some()));
        let dated = of_item.iter().find(|cell| {
            cell.marks & (mark::DATE | mark::TIME) != 0 && !find(cells.text(cell), tables.hints).is_empty()
        });
        let (date_text, date) = dated.map_or((None, None), |cell| time_of(tables, cell));
        let is_title = |block: usize| block == cell.block as usize && own.len() <= title.len() + 2;
        let is_date = |block: usize| {
            dated.is_some_and(|cell| {
                cell.block as usize == block && cells.text(cell).len() + 8 >= blocks.text(block).len()
            })
        };
        entries.push(EntryRegion {
            element: item.row,
            title: title.to_owned(),
            link: linked.and_then(|cell| Cells::address(tables.page, cell)),
            date,
            date_text,
            blocks: (item.from..item.to)
                .filter(|block| !is_title(*block) && !is_date(*block))
                .map(|block| block as u32)
                .collect(),
        });
    }
    entries
}
