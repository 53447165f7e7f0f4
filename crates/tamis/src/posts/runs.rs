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
    /// The line right before the element that signs it, where it stands outside.
    pub(super) head: Option<NodeId>,
}

impl Unit {
    pub(super) fn new(element: NodeId, blocks: Range<usize>) -> Unit {
        Unit { element, blocks, head: None }
    }
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
/// Lines below the last piece have no more words than that.
const FOOT_WORDS: u32 = 12;
/// How many nodes before a piece are looked at for its head: white space, comments, the head.
const NEAR: usize = 4;

/// What the number of pieces counts for.
fn more(number: f32) -> f32 {
    libm::powf(number.clamp(1.0, 40.0), NUMBER)
}

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
        // What is left open in one post moves those behind it to another path.
        if outline.class(outline.page.node(id)).has(Class::ANY) {
            put(outline.shape[id.index()].rotate_left(32), id);
        }
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
        units.push(Unit::new(id, blocks));
    }
    let coverage = words as f32 / all as f32;
    if coverage * more(units.len() as f32) < best {
        return None;
    }
    put_heads(outline, &mut units);
    weigh(outline, units, all, coverage, false, best)
}

/// Where pieces name their writers and tell no time, the line before each may: it is the head of the piece.
fn put_heads(outline: &Outline<'_>, units: &mut [Unit]) {
    let is_timed = |blocks: &Range<usize>| outline.has_sign(Sign::Time, blocks);
    // Words of a post may look like a time.
    let timed = units.iter().filter(|unit| is_timed(&unit.blocks)).count();
    if 2 * timed >= units.len() || !units.iter().all(|unit| has_name(outline, unit)) {
        return;
    }
    let head = |unit: &Unit| {
        let node = outline.page.node(unit.element);
        let before = node.previous_siblings().take(NEAR).find(|it| it.is_element())?;
        let blocks = outline.blocks_of(before.id());
        let is_head = !blocks.is_empty()
            && blocks.end == unit.blocks.start
            && is_timed(&blocks)
            && outline.words_in(blocks.clone()) <= SIGNATURE_WORDS;
        is_head.then(|| (before.id(), blocks.start))
    };
    let heads: Vec<Option<(NodeId, usize)>> = units.iter().map(head).collect();
    if 5 * heads.iter().flatten().count() < 4 * units.len() {
        return;
    }
    for (unit, head) in units.iter_mut().zip(heads) {
        if let Some((head, start)) = head {
            unit.head = Some(head);
            unit.blocks.start = start;
        }
    }
}

fn has_name(outline: &Outline<'_>, unit: &Unit) -> bool {
    outline.has_sign(Sign::Author, &unit.blocks)
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
        units.push(Unit::new(id, blocks));
    }
    let last = units.last()?;
    // The last one ends with the element that all of them stand in, or with its own.
    let parent = outline.page.node(last.element).parent().map(|parent| outline.blocks_of(parent.id()));
    let mut end = parent.map_or(last.blocks.end, |parent| parent.end);
    if end == last.blocks.end {
        let above = outline.page.node(last.element).parent().and_then(|parent| parent.parent());
        end = above.map_or(end, |above| outline.blocks_of(above.id()).end);
    }
    end = end_of_last(outline, &units, end);
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
    weigh(outline, units, all, words as f32 / all as f32, true, best)
}

/// Where the last of the texts behind lines ends, which may reach up to `end`: before the lines at the end of the page that
/// stand where no other text has one.
fn end_of_last(outline: &Outline<'_>, units: &[Unit], end: usize) -> usize {
    let [first, .., last] = units else { return end };
    if units.len() < 3 {
        return end;
    }
    let blocks = outline.page.blocks();
    let path = |place: usize| blocks.get(place).map(|block| outline.path[block.element.index()]);
    let signed: NumberSet<usize> = units.iter().flat_map(|unit| unit.blocks.clone()).collect();
    let others = first.blocks.end..last.blocks.start;
    let known: NumberSet<u64> = others.filter(|place| !signed.contains(place)).filter_map(path).collect();
    let is_known = |place: &usize| path(*place).is_some_and(|path| known.contains(&path));
    let behind = (last.blocks.end..end).rev().find(is_known).map_or(end, |place| place + 1);
    // Only labels and the like: whoever wrote last may have written in another way.
    let is_long = |place: usize| outline.words_in(place..place + 1) > FOOT_WORDS;
    if (behind..end).any(is_long) { end } else { behind }
}

/// Where a kind of sign stands in most pieces, and in how many of them.
fn aligned(outline: &Outline<'_>, units: &[Unit], by_lines: bool, sign: Sign) -> (Option<u64>, u32) {
    let mut places: NumberMap<u64, u32> = NumberMap::default();
    let mut own: Vec<u64> = Vec::new();
    for unit in units {
        own.clear();
        own.extend(outline.signs_in(sign, &signed_blocks(outline, unit, by_lines)));
        own.sort_unstable();
        own.dedup();
        own.iter().for_each(|place| *places.entry(*place).or_default() += 1);
    }
    let best = places.into_iter().max_by_key(|(place, count)| (*count, *place));
    best.map_or((None, 0), |(place, count)| (Some(place), count))
}

/// The blocks in which the signs of a piece stand.
fn signed_blocks(outline: &Outline<'_>, unit: &Unit, by_lines: bool) -> Range<usize> {
    if by_lines { outline.blocks_of(unit.element) } else { unit.blocks.clone() }
}

/// Leaves out pieces that have neither a time nor a name where the others have both: heads of threads, boxes of links and
/// advertisements that are built as posts are.
fn without_unsigned(
    outline: &Outline<'_>,
    units: &mut Vec<Unit>,
    time: Option<u64>,
    name: Option<u64>,
) -> bool {
    let has = |sign: Sign, place: Option<u64>, unit: &Unit| {
        outline.signs_in(sign, &unit.blocks).any(|it| Some(it) == place)
    };
    let is_post = |unit: &Unit| has(Sign::Time, time, unit) || has(Sign::Author, name, unit);
    let posts = units.iter().filter(|unit| is_post(unit)).count();
    let is_clear = posts < units.len() && posts >= 2 && 5 * posts >= 3 * units.len();
    if is_clear {
        units.retain(is_post);
    }
    is_clear
}

/// Weighs a group, unless it cannot be better than the `best` one so far, however well it is signed.
fn weigh(
    outline: &Outline<'_>,
    mut units: Vec<Unit>,
    all: u32,
    mut coverage: f32,
    by_lines: bool,
    best: f32,
) -> Option<Found> {
    let believed = if by_lines { BY_LINES } else { 1.0 };
    if coverage * more(units.len() as f32) * believed < best {
        return None;
    }
    let side_by_side = |units: &[Unit]| {
        let mut end = 0;
        let is_beside = |unit: &&Unit| {
            let is = unit.blocks.start >= end;
            end = end.max(unit.blocks.end);
            is
        };
        units.iter().filter(is_beside).count()
    };
    // Posts are built alike: a sign counts where it stands in most of them.
    let mut time = aligned(outline, &units, by_lines, Sign::Time);
    let mut name = aligned(outline, &units, by_lines, Sign::Author);
    if !by_lines && time.1 >= 2 && name.1 >= 2 && without_unsigned(outline, &mut units, time.0, name.0) {
        coverage = 0.0;
        let mut covered = 0;
        for unit in &units {
            coverage += outline.words_in(unit.blocks.start.max(covered)..unit.blocks.end.max(covered)) as f32;
            covered = covered.max(unit.blocks.end);
        }
        coverage /= all as f32;
        time = aligned(outline, &units, by_lines, Sign::Time);
        name = aligned(outline, &units, by_lines, Sign::Author);
    }
    if side_by_side(&units) < 2 {
        return None;
    }
    let number = units.len() as f32;
    let (timed, named) = (time.1 as f32 / number, name.1 as f32 / number);
    let linked = aligned(outline, &units, by_lines, Sign::Link).1 as f32 / number;
    let mut headed = units.iter().filter(|unit| outline.signs_of(unit.element).headlines > 0).count();
    if headed == 0 {
        // The headline may stand above the piece that was found.
        let pairs = units.windows(2);
        headed = pairs.filter(|pair| outline.has_headline_between(pair[0].element, pair[1].element)).count();
    }
    let headlines = headed as f32 / number;
    let is_signed = |unit: &&Unit| {
        let blocks = signed_blocks(outline, unit, by_lines);
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
        let is_timed = outline.has_sign(Sign::Time, &blocks) || outline.times_in(blocks.clone()) > 0;
        let is_signed =
            is_timed && (outline.has_sign(Sign::Author, &blocks) || outline.has_sign(Sign::Link, &blocks));
        is_signed && outline.words_in(blocks) as f32 >= SINGLE * all as f32
    };
    if outline.signs_of(outline.page.dom().root().id()).headlines >= MANY_HEADLINES {
        return None;
    }
    let smallest = outline.elements.iter().filter(holds).min_by_key(|id| outline.blocks_of(**id).len())?;
    (all > 0).then(|| Unit::new(*smallest, outline.blocks_of(*smallest)))
}

/// A page with so many headlines of others lists them.
const MANY_HEADLINES: u32 = 4;
/// The share of the page's words that a single post holds.
const SINGLE: f32 = 0.5;
