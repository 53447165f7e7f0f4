//! The single comments of a section: pieces of one shape, and which of their blocks say something.

use std::ops::Range;

use tamis_html::{Name, NodeId, NodeKind, NodeRef, Step};

use super::Unit;
use super::layout::{IS_COMMENT, Layout, NAMED};
use super::words::name_words;
use crate::characters::is_letter;
use crate::hashing::{NumberMap, NumberSet, TextMap, TextSet};
use crate::posts::mix;
use crate::report_time::ReportTime;

/// The comments of a section as elements, and how they are known.
#[derive(Default)]
pub(super) struct Units {
    /// Their elements.
    pub(super) elements: NumberSet<NodeId>,
    /// Their shape.
    pub(super) shape: Option<u64>,
    /// There is more than one, or one that says what it is; each with a name or a time.
    pub(super) are_posts: bool,
}

/// How many runs of siblings are looked at in a section, the wordiest first.
const RUNS: usize = 6;
/// How many pieces of a run are searched for names and times.
const LOOKED_AT: usize = 24;
/// Words that a comment has at least, on average, with the name of its writer.
const WORDS: u32 = 3;

/// Finds the comments among the elements below `root` that stand in `blocks`.
pub(super) fn find(layout: &Layout<'_>, root: NodeRef<'_>, blocks: &Range<usize>) -> Units {
    let mut shapes: NumberMap<u64, Vec<NodeRef<'_>>> = NumberMap::default();
    let mut runs: NumberMap<(u32, u64), (u32, u32, usize)> = NumberMap::default();
    let mut marked_up = NumberSet::default();
    for node in root.descendants().filter(|node| *node != root && node.kind() == NodeKind::Element) {
        let own = layout.blocks_of(node);
        if own.is_empty() || own.start < blocks.start || own.end > blocks.end {
            continue;
        }
        if layout.says[node.id().index()] & IS_COMMENT != 0 {
            marked_up.insert(node.id());
        }
        let shape = shape(node);
        let same = shapes.entry(shape).or_default();
        let parent = node.parent().map_or(0, |parent| parent.id().index() as u32);
        let order = runs.len();
        let run = runs.entry((parent, shape)).or_insert((0, 0, order));
        run.0 += 1;
        run.1 += layout.page.measures(node).text.words;
        same.push(node);
    }
    if !marked_up.is_empty() {
        return Units { elements: marked_up, shape: None, are_posts: true };
    }
    let mut runs: Vec<_> =
        runs.into_iter().filter(|(_, (count, words, _))| *words >= WORDS * count).collect();
    // The wordiest, and of those that are alike the outermost.
    runs.sort_by_key(|(_, (_, words, order))| (std::cmp::Reverse(*words), *order));
    let several = runs.iter().filter(|(_, (count, ..))| *count > 1).take(RUNS);
    for ((_, shape), _) in several {
        let same = &shapes[shape];
        let looked_at = same.len().min(LOOKED_AT);
        let signed = same.iter().take(LOOKED_AT).filter(|node| is_signed(layout, **node)).count();
        if 2 * signed >= looked_at {
            return Units::of(same, *shape, true);
        }
    }
    // A single one must say what it is.
    let single = runs
        .iter()
        .map(|((_, shape), _)| (shape, &shapes[shape]))
        .filter(|(_, same)| same.iter().all(|node| layout.says[node.id().index()] & NAMED != 0));
    for (shape, same) in single.take(RUNS) {
        if same.iter().take(LOOKED_AT).all(|node| is_signed(layout, *node)) {
            return Units::of(same, *shape, true);
        }
    }
    Units::default()
}

impl Units {
    fn of(same: &[NodeRef<'_>], shape: u64, are_posts: bool) -> Units {
        Units { elements: same.iter().map(NodeRef::id).collect(), shape: Some(shape), are_posts }
    }
}

/// What siblings of one kind share: their name and the first of their classes without its numbers.
pub(super) fn shape(node: NodeRef<'_>) -> u64 {
    let letters = |hash: u64, text: &str| text.bytes().fold(hash, |hash, byte| mix(hash, u64::from(byte)));
    let name = letters(0, node.name().unwrap_or_default());
    let class = node.attribute_named(Name::CLASS);
    // What follows is told apart by a number that no byte has.
    match class.as_deref().and_then(|class| class.split_ascii_whitespace().next()) {
        Some(first) => {
            let bytes = first.bytes().filter(|byte| !byte.is_ascii_digit());
            bytes.fold(mix(name, 0x100), |hash, byte| mix(hash, u64::from(byte)))
        }
        None => {
            let below = node.children().filter(|child| child.is_element()).take(3);
            below.fold(mix(name, 0x101), |hash, child| {
                letters(mix(hash, 0x102), child.name().unwrap_or_default())
            })
        }
    }
}

/// How much of a piece is searched for a name or a time.
const SEARCHED: usize = 60;

/// Does a piece name a time or a writer?
pub(super) fn is_signed(layout: &Layout<'_>, node: NodeRef<'_>) -> bool {
    let blocks = layout.blocks_of(node);
    let has_time = blocks.take(6).any(|place| {
        let block = &layout.page.blocks()[place];
        block.measures.text.words < 30 && tells_time(layout.page.text(block))
    });
    has_time || node.descendants().take(SEARCHED).any(|below| below.is(Name::TIME) || is_byline(below))
}

/// Does a short text hold a day or a time of day?
fn tells_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_clock = |at: &[u8]| at[0].is_ascii_digit() && at[1] == b':' && at[2].is_ascii_digit();
    if bytes.windows(3).any(is_clock) || ReportTime::find(text).is_some() {
        return true;
    }
    if !text.chars().any(char::is_numeric) {
        return false;
    }
    let small = text.to_lowercase();
    AGO.iter().any(|ago| small.contains(ago))
}

/// "3 days ago", and months by name.
const AGO: [&str; 40] = [
    " ago",
    "小时前",
    "分钟前",
    "天前",
    "个月前",
    "年前",
    "小時前",
    "分鐘前",
    "日前",
    "時間前",
    "분 전",
    "시간 전",
    "назад",
    "il y a",
    "vor ",
    "hace ",
    "há ",
    "قبل",
    "منذ",
    "بۇرۇن",
    "ئىلگىرى",
    "月",
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "okt",
    "nov",
    "dec",
    "dez",
    "янв",
    "фев",
    "авг",
    "сен",
];

/// Is it what says who wrote, when, or what to do about it, by its class?
fn is_byline(node: NodeRef<'_>) -> bool {
    if node.is(Name::TIME) || node.is(Name::CITE) {
        return true;
    }
    if node.attribute_named(Name::ITEMPROP).is_some_and(|prop| {
        prop.split_ascii_whitespace()
            .any(|name| matches!(name, "author" | "creator" | "dateCreated" | "datePublished"))
    }) {
        return true;
    }
    let Some(class) = node.attribute_named(Name::CLASS) else { return false };
    let mut is = false;
    for word in name_words(&class) {
        if BODY.contains(&&*word) {
            return false;
        }
        is |= BYLINE.contains(&&*word);
    }
    is
}

const BODY: [&str; 9] = ["body", "content", "desc", "description", "message", "msg", "text", "txt", "cont"];
const BYLINE: [&str; 32] = [
    "action",
    "actions",
    "ago",
    "author",
    "avatar",
    "byline",
    "date",
    "datetime",
    "fn",
    "floor",
    "gravatar",
    "like",
    "likes",
    "meta",
    "metadata",
    "name",
    "nick",
    "nickname",
    "permalink",
    "poster",
    "share",
    "time",
    "timeago",
    "timestamp",
    "toolbar",
    "tools",
    "user",
    "userinfo",
    "username",
    "vcard",
    "vote",
    "votes",
];

/// A label has at most so many words; a byline, and a line of links, somewhat more.
const LABEL: u32 = 4;
const BYLINE_WORDS: u32 = 12;

/// What each comment says: the blocks that are neither byline, button nor form.
pub(super) fn bodies(
    layout: &Layout<'_>,
    root: NodeRef<'_>,
    blocks: &Range<usize>,
    units: &Units,
) -> Vec<Unit> {
    let mut found: Vec<Unit> = Vec::new();
    let mut open: Vec<(NodeId, usize)> = Vec::new();
    // Elements that hold no words of a comment, open around the current place.
    let mut closed_to: Vec<NodeId> = Vec::new();
    let mut last = None;
    for step in root.walk() {
        match step {
            Step::Enter(node) if node.kind() == NodeKind::Element => {
                if units.elements.contains(&node.id()) {
                    open.push((node.id(), found.len()));
                    found.push(Unit { element: node.id(), blocks: Vec::new() });
                } else if holds_no_words(layout, node) {
                    closed_to.push(node.id());
                }
            }
            Step::Enter(node) => {
                let Some(place) = layout.block_of(node.id()).filter(|place| blocks.contains(place)) else {
                    continue;
                };
                if last == Some(place) {
                    continue;
                }
                last = Some(place);
                let Some((_, unit)) = open.last().filter(|_| closed_to.is_empty()) else { continue };
                if may_be_body(layout, place) {
                    found[*unit].blocks.push(place);
                }
            }
            Step::Leave(node) => {
                if open.last().is_some_and(|(id, _)| *id == node.id()) {
                    open.pop();
                }
                if closed_to.last() == Some(&node.id()) {
                    closed_to.pop();
                }
            }
        }
    }
    drop_labels(layout, &mut found);
    found.retain(|unit| !unit.blocks.is_empty());
    found
}

fn holds_no_words(layout: &Layout<'_>, node: NodeRef<'_>) -> bool {
    match node.name_id() {
        Some(Name::FORM | Name::BUTTON | Name::LABEL | Name::NAV | Name::SELECT) => true,
        Some(Name::HEADER | Name::FOOTER) => layout.page.measures(node).text.words <= 2 * BYLINE_WORDS,
        _ => layout.page.measures(node).text.words <= BYLINE_WORDS && is_byline(node),
    }
}

fn may_be_body(layout: &Layout<'_>, place: usize) -> bool {
    let block = &layout.page.blocks()[place];
    let text = layout.page.text(block);
    let words = block.measures.text.words;
    block.hidden.is_none()
        && block.measures.text.characters > 0
        && !(block.link_share() > 0.5 && words <= BYLINE_WORDS)
        && !(words <= 2 * LABEL && tells_time(text))
}

/// Short texts that most comments repeat are labels: "Reply", "Like (3)".
fn drop_labels(layout: &Layout<'_>, found: &mut [Unit]) {
    let label = |place: usize| {
        let block = &layout.page.blocks()[place];
        let text = layout.page.text(block);
        (block.measures.text.words <= LABEL)
            .then(|| text.chars().filter(|c| is_letter(*c)).collect::<String>())
    };
    let mut counts: TextMap<String, usize> = TextMap::default();
    for unit in found.iter() {
        let labels: TextSet<String> = unit.blocks.iter().filter_map(|place| label(*place)).collect();
        labels.into_iter().for_each(|label| *counts.entry(label).or_default() += 1);
    }
    let often = (found.len() / 2).max(2);
    for unit in found {
        let is_label = |place: &usize| {
            label(*place).is_some_and(|label| counts.get(&label).is_some_and(|n| *n >= often))
        };
        if unit.blocks.iter().any(|place| !is_label(place)) {
            unit.blocks.retain(|place| !is_label(place));
        }
    }
}
