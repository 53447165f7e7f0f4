//! Which pieces of one shape are the posts of a thread.
//!
//! Elements are taken together that have the same path, or the same class at any depth (replies stand inside of what they
//! answer). Of the groups, that one is the thread whose pieces are signed, with a time and a name, and which holds most of
//! what is said on the page. Where the line with the name and the time stands beside the text and not around it, a piece
//! goes up to the next such line.

use std::ops::Range;

use tamis_html::NodeId;

use super::classes::Class;
use super::outline::{Outline, Sign};
use crate::hashing::{NumberMap, NumberSet};

/// A post: its element, and its blocks where those reach further than the element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Unit {
    pub(super) element: NodeId,
    pub(super) blocks: Range<usize>,
}

/// The best group of a page.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) units: Vec<Unit>,
    /// Their elements are only the lines that sign them.
    pub(super) by_lines: bool,
    /// The share of what is said on the page that they hold.
    pub(super) coverage: f32,
    /// The shares of them that have a time, a named writer, and any short link, each in the same place.
    pub(super) timed: f32,
    pub(super) named: f32,
    pub(super) linked: f32,
    /// The share that is headed by a link to another page.
    pub(super) headlines: f32,
    score: f32,
}

/// A line that signs a post has no more words than that, times and links apart.
const SIGNATURE_WORDS: u32 = 40;
/// Lines that sign are believed somewhat less than boxes.
const BY_LINES: f32 = 0.85;
/// How much more posts count.
const NUMBER: f32 = 0.3;

pub(super) fn best(outline: &Outline<'_>) -> Option<Found> {
    let all = outline.words_in(0..outline.page.blocks().len());
    if all == 0 {
        return None;
    }
    let mut numbers: NumberMap<u64, usize> = NumberMap::default();
    let mut groups: Vec<Vec<NodeId>> = Vec::new();
    let mut put = |key: u64, id: NodeId| {
        let number = *numbers.entry(key).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[number].push(id);
    };
    for &id in &outline.lines {
        put(outline.path[id.index()], id);
    }
    for &id in &outline.elements {
        put(outline.path[id.index()], id);
        if outline.class(outline.page.node(id)).has(Class::ANY) {
            put(outline.shape[id.index()].rotate_left(32), id);
        }
    }
    let only_lines: NumberSet<NodeId> = outline.lines.iter().copied().collect();
    let mut best: Option<Found> = None;
    for group in groups.iter().filter(|group| group.len() > 1) {
        let is_box = group.first().is_some_and(|first| !only_lines.contains(first));
        for by_lines in [false, true] {
            let score = best.as_ref().map_or(0.0, |best| best.score);
            let found = match by_lines {
                true => lines(outline, group, all, score),
                false if is_box => boxes(outline, group, all, score),
                false => None,
            };
            best = found.filter(|found| best.is_none() || found.score > score).or(best);
        }
    }
    best
}

/// Pieces that hold their text.
fn boxes(outline: &Outline<'_>, group: &[NodeId], all: u32, best: f32) -> Option<Found> {
    let mut units = Vec::new();
    let (mut words, mut covered) = (0, 0);
    for &id in group {
        let blocks = outline.blocks_of(id);
        let own = outline.words_in(blocks.clone());
        let signs = outline.signs_of(id);
        let is_signed = signs.times > 0
            || signs.authors > 0
            || signs.short_links > 0
            || outline.times_in(blocks.clone()) > 0;
        if own == 0 || !is_signed {
            continue;
        }
        // What stands inside of another piece is counted there.
        if blocks.end > covered {
            words += outline.words_in(blocks.start.max(covered)..blocks.end);
            covered = blocks.end;
        }
        units.push(Unit { element: id, blocks });
    }
    weigh(outline, units, words as f32 / all as f32, false, best)
}

/// Lines that sign the text behind them.
fn lines(outline: &Outline<'_>, group: &[NodeId], all: u32, best: f32) -> Option<Found> {
    let mut units: Vec<Unit> = Vec::new();
    for &id in group {
        let blocks = outline.blocks_of(id);
        let signs = outline.signs_of(id);
        let has_time = signs.times > 0 || outline.times_in(blocks.clone()) > 0;
        let has_name = signs.short_links > 0 || outline.has_sign(Sign::Author, &blocks);
        let is_inside = units.last().is_some_and(|last| last.blocks.end > blocks.start);
        if !has_time || !has_name || is_inside || outline.words_in(blocks.clone()) > SIGNATURE_WORDS {
            continue;
        }
        units.push(Unit { element: id, blocks });
    }
    let last = units.last()?;
    // The last one ends with the element that all of them stand in, or with its own.
    let parent = outline.page.node(last.element).parent().map(|parent| outline.blocks_of(parent.id()));
    let mut end = parent.map_or(last.blocks.end, |parent| parent.end);
    if end == last.blocks.end {
        let above = outline.page.node(last.element).parent().and_then(|parent| parent.parent());
        end = above.map_or(end, |above| outline.blocks_of(above.id()).end);
    }
    let mut words = 0;
    for unit in units.iter_mut().rev() {
        words += outline.words_in(unit.blocks.end..end);
        let start = unit.blocks.start;
        unit.blocks = start..end.max(unit.blocks.end);
        end = start;
    }
    let says = |unit: &Unit| outline.words_in(unit.blocks.clone()) > 0;
    if 2 * units.iter().filter(|unit| says(unit)).count() < units.len() {
        return None;
    }
    weigh(outline, units, words as f32 / all as f32, true, best)
}

/// Weighs a group, unless it cannot be better than the `best` one so far, however well it is signed.
fn weigh(outline: &Outline<'_>, units: Vec<Unit>, coverage: f32, by_lines: bool, best: f32) -> Option<Found> {
    let believed = if by_lines { BY_LINES } else { 1.0 };
    let more = |number: f32| libm::powf(number.clamp(1.0, 40.0), NUMBER);
    if coverage * more(units.len() as f32) * believed < best {
        return None;
    }
    let mut end = 0;
    let mut side_by_side = 0;
    for unit in &units {
        side_by_side += u32::from(unit.blocks.start >= end);
        end = end.max(unit.blocks.end);
    }
    if side_by_side < 2 {
        return None;
    }
    let number = units.len() as f32;
    // Posts are built alike: a sign counts where it stands in most of them.
    let aligned = |sign: Sign| {
        let mut places: NumberMap<u64, u32> = NumberMap::default();
        let mut own: Vec<u64> = Vec::new();
        for unit in &units {
            let blocks = if by_lines { outline.blocks_of(unit.element) } else { unit.blocks.clone() };
            own.clear();
            own.extend(outline.signs_in(sign, &blocks));
            own.sort_unstable();
            own.dedup();
            own.iter().for_each(|place| *places.entry(*place).or_default() += 1);
        }
        places.into_values().max().unwrap_or(0) as f32 / number
    };
    let (timed, named, linked) = (aligned(Sign::Time), aligned(Sign::Author), aligned(Sign::Link));
    let mut headed = units.iter().filter(|unit| outline.signs_of(unit.element).headlines > 0).count();
    if headed == 0 {
        // The headline may stand above the piece that was found.
        let pairs = units.windows(2);
        headed = pairs.filter(|pair| outline.has_headline_between(pair[0].element, pair[1].element)).count();
    }
    let headlines = headed as f32 / number;
    let blocks = |unit: &Unit| if by_lines { outline.blocks_of(unit.element) } else { unit.blocks.clone() };
    let is_signed = |unit: &&Unit| {
        let blocks = blocks(unit);
        outline.has_sign(Sign::Time, &blocks)
            && (outline.has_sign(Sign::Author, &blocks) || outline.has_sign(Sign::Link, &blocks))
    };
    let whole = units.iter().filter(is_signed).count() as f32;
    let signed = 0.5 * timed + 0.5 * named.max(0.6 * linked);
    let score = coverage * signed * more(whole) * (1.0 - 0.5 * headlines) * believed;
    Some(Found { units, by_lines, coverage, timed, named, linked, headlines, score })
}

/// The one post of a thread that nobody has answered: the smallest box that is signed and holds what is said.
pub(super) fn single(outline: &Outline<'_>) -> Option<Unit> {
    let all = outline.words_in(0..outline.page.blocks().len());
    let holds = |id: &&NodeId| {
        let blocks = outline.blocks_of(**id);
        let is_signed = outline.has_sign(Sign::Time, &blocks)
            && (outline.has_sign(Sign::Author, &blocks) || outline.has_sign(Sign::Link, &blocks));
        is_signed && outline.words_in(blocks) as f32 >= SINGLE * all as f32
    };
    if outline.signs_of(outline.page.dom().root().id()).headlines >= MANY_HEADLINES {
        return None;
    }
    let smallest = outline.elements.iter().filter(holds).min_by_key(|id| outline.blocks_of(**id).len())?;
    (all > 0).then(|| Unit { element: *smallest, blocks: outline.blocks_of(*smallest) })
}

/// A page with so many headlines of others lists them.
const MANY_HEADLINES: u32 = 4;
/// The share of the page's words that a single post holds.
const SINGLE: f32 = 0.5;
