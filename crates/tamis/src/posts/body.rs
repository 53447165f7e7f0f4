//! Which part of each post holds what is said.
//!
//! Posts of one thread are built alike, so what stands at the same place in most of them is the same part: the place with
//! the most words holds what is said.

use std::ops::Range;

use tamis_html::{Name, NodeId, NodeRef, Step};

use super::classes::Class;
use super::outline::{Outline, mix};
use super::repeated::Labels;
use super::runs::Unit;
use crate::hashing::{NumberMap, NumberSet};

/// The share of the words that a part of a post must hold for the rest to be left out.
const MOST: f32 = 0.8;

/// What an element inside of a post is.
#[derive(Clone, Copy, Default)]
struct Slot {
    above: u64,
    /// Words of its blocks, over all posts.
    words: u32,
    posts: u32,
    /// The last post it was met in, and whether it was met twice in one.
    last: u32,
    twice: bool,
    /// Is it a box, not a line?
    is_box: bool,
}

/// For each post, the blocks of the part that holds what is said: the deepest place that most posts have, and that has
/// most of their words.
pub(super) fn ranges(outline: &Outline<'_>, units: &[Unit], labels: &Labels) -> Vec<Option<Range<usize>>> {
    let starts: NumberSet<NodeId> = units.iter().map(|unit| unit.element).collect();
    let said = Said::of(outline, units, labels);
    let mut slots: NumberMap<u64, Slot> = NumberMap::default();
    let mut below: NumberMap<u64, Vec<u64>> = NumberMap::default();
    each_place(outline, units, &starts, |unit, above, place, node| {
        let slot = slots.entry(place).or_insert_with(|| {
            below.entry(above).or_default().push(place);
            Slot { above, is_box: is_box(node), last: u32::MAX, ..Slot::default() }
        });
        slot.twice |= slot.last == unit;
        slot.posts += u32::from(slot.last != unit);
        slot.last = unit;
        slot.words += said.words_in(outline.blocks_of(node.id()));
    });
    let mut place = 0;
    let mut words: u32 = units.iter().map(|unit| said.words_in(unit.blocks.clone())).sum();
    if words == 0 {
        return vec![None; units.len()];
    }
    loop {
        let inside = below.get(&place).into_iter().flatten().filter_map(|id| Some((*id, slots.get(id)?)));
        let wordiest = inside.max_by_key(|(id, slot)| (slot.words, *id));
        match wordiest {
            Some((id, slot))
                if slot.is_box
                    && !slot.twice
                    // One long post may outweigh all others.
                    && 5 * slot.posts as usize >= 2 * units.len()
                    && slot.above == place
                    && slot.words as f32 >= MOST * words as f32 =>
            {
                place = id;
                words = slot.words;
            }
            _ => break,
        }
    }
    let mut ranges = vec![None; units.len()];
    if place == 0 {
        return ranges;
    }
    let mut shape = 0;
    each_place(outline, units, &starts, |unit, _, at, node| {
        if at == place {
            shape = outline.shape[node.id().index()];
            ranges[unit as usize] = Some(outline.blocks_of(node.id()));
        }
    });
    // A post that is built somewhat otherwise has a part of the same shape elsewhere.
    let missing: Vec<bool> = ranges.iter().map(Option::is_none).collect();
    if !missing.contains(&true) {
        return ranges;
    }
    let mut most = vec![0; units.len()];
    each_place(outline, units, &starts, |unit, _, _, node| {
        let unit = unit as usize;
        let blocks = outline.blocks_of(node.id());
        if missing[unit] && outline.shape[node.id().index()] == shape {
            let words = outline.long_words_in(blocks.clone());
            if words > most[unit] {
                most[unit] = words;
                ranges[unit] = Some(blocks);
            }
        }
    });
    ranges
}

/// Words that somebody may have said, before each block: not what posts say of themselves and of their writers again and again.
/// Where posts are short, ranks and places of writers would outweigh them.
struct Said(Vec<u32>);

impl Said {
    fn of(outline: &Outline<'_>, units: &[Unit], labels: &Labels) -> Said {
        let blocks = outline.page.blocks().len();
        let (first, last) = units.iter().fold((blocks, 0), |(first, last), unit| {
            (first.min(unit.blocks.start), last.max(unit.blocks.end))
        });
        let mut words = 0;
        let mut before = vec![0; blocks + 1];
        let mut is_remark = vec![false; blocks];
        let starts: NumberSet<NodeId> = units.iter().map(|unit| unit.element).collect();
        each_place(outline, units, &starts, |unit, _, _, node| {
            let unit = &units[unit as usize];
            let has_class = |node| outline.class(node).has(Class::REMARKS);
            let own = outline.blocks_of(node.id());
            // Remarks on a post are no part of it, unless they are all that there is.
            if has_class(node)
                && !own.is_empty()
                && !is_remark[own.start]
                && !has_class(outline.page.node(unit.element))
                && 2 * outline.words_in(own.clone()) <= outline.words_in(unit.blocks.clone())
            {
                is_remark[own].fill(true);
            }
        });
        for place in 0..blocks {
            if !is_remark[place] && (first..last).contains(&place) {
                let own = outline.long_words_in(place..place + 1);
                let is_told = || !outline.is_quoted(place) && labels.is_told(place);
                words += if own > 0 && !is_told() { own } else { 0 };
            }
            before[place + 1] = words;
        }
        Said(before)
    }

    fn words_in(&self, blocks: Range<usize>) -> u32 {
        self.0[blocks.end] - self.0[blocks.start.min(blocks.end)]
    }
}

fn is_box(node: NodeRef<'_>) -> bool {
    !matches!(
        node.name_id(),
        Some(
            Name::P
                | Name::SPAN
                | Name::A
                | Name::B
                | Name::I
                | Name::FONT
                | Name::STRONG
                | Name::EM
                | Name::BLOCKQUOTE
        )
    )
}

/// Goes through all elements inside of posts, each with the number of its post, the place around it and its own. A post
/// that stands in another is left out there.
fn each_place<'p>(
    outline: &Outline<'p>,
    units: &[Unit],
    starts: &NumberSet<NodeId>,
    mut take: impl FnMut(u32, u64, u64, NodeRef<'p>),
) {
    for (number, unit) in units.iter().enumerate() {
        let mut above: Vec<u64> = vec![0];
        let top = outline.page.node(unit.element);
        let mut steps = top.walk();
        while let Some(step) = steps.next() {
            match step {
                Step::Enter(node) if node.is_element() && node != top => {
                    let around = above.last().copied().unwrap_or_default();
                    let own = mix(around, outline.shape[node.id().index()]);
                    above.push(own);
                    if starts.contains(&node.id()) {
                        steps.skip_below();
                    } else {
                        take(number as u32, around, own, node);
                    }
                }
                Step::Leave(node) if node.is_element() && node != top => _ = above.pop(),
                _ => {}
            }
        }
    }
}
