//! The body of an item: which of its blocks are what the writer says.
//!
//! Blocks of the same kind of element form a column. Columns are scored by what their blocks have in common over all
//! items: prose varies and is long, controls repeat, signatures repeat with their writers.

use crate::annotate::cells::mark;
use crate::page::{NONE, Region};
use crate::text::hash::{Interner, hash_combine};
use crate::text::lexicon::{categories, concepts};

use super::items::{Item, Tables};
use super::mailing_list;
use super::phrases::Phrase;
use super::weights::Weights;

/// Features of a column of blocks, and of a block in it.
pub(super) const FEATURES: [&str; 20] = [
    "bias",
    "share",
    "words",
    "distinct",
    "link",
    "label",
    "date",
    "probability",
    "content class",
    "meta class",
    "declared",
    "control",
    "signature",
    "repeats with writer",
    "writer class",
    "sentences",
    "heading",
    "before head",
    "inside",
    "own probability",
];

/// Class concepts of text, and of what surrounds it.
const CONTENT_CONCEPTS: u32 = concepts(&["content", "post"]);
const META_CONCEPTS: u32 = concepts(&["nav", "footer", "share", "ad", "meta"]);
/// Categories of controls.
const CONTROL_CATEGORIES: u32 = categories(&["reply", "share", "account", "more", "advert"]);
/// Words from which on a column counts as long.
const LONG_WORDS: f32 = 30.0;
/// Short lines at the end of a post may be an edit note.
const MAX_NOTE_WORDS: u32 = 40;
/// Share of foreign words at which an element is too large to be the body.
const MAX_FOREIGN_SHARE: f32 = 0.1;

/// An item with its writer and the blocks that name writer, time and number.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub item: Item,
    /// Hash of the writer's name, or 0.
    pub writer: u64,
    /// Blocks of the head, sorted.
    pub head: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
struct Column {
    blocks: u32,
    items: u32,
    last_item: u32,
    words: u32,
    sums: [f32; 13],
    values: Vec<u32>,
    /// Items with the same value as the last item of the same writer, and those that were compared.
    same: u32,
    compared: u32,
}

/// The blocks of the body of each item.
pub(super) fn bodies(tables: Tables<'_>, frames: &[Frame], weights: &Weights) -> Vec<Vec<u32>> {
    let (blocks, elements) = (&tables.page.blocks, &tables.page.elements);
    let mut interner = Interner::default();
    let mut columns: Vec<Column> = Vec::new();
    // Column of each block from the first item on.
    let start = frames.first().map_or(0, |frame| frame.item.from);
    let end = frames.iter().map(|frame| frame.item.to).max().unwrap_or(start);
    let mut column_of = vec![NONE; end - start];
    let mut writers = Interner::default();
    let mut texts_of_writer: Vec<Vec<(u32, u32)>> = Vec::new();
    for (index, frame) in frames.iter().enumerate() {
        let (writer, is_new) = writers.intern(frame.writer);
        if is_new {
            texts_of_writer.push(Vec::new());
        }
        let mut texts = Vec::new();
        for block in frame.item.from..frame.item.to {
            let row = blocks.element[block] as usize;
            let key = hash_combine(tables.cells.row_key[row], u64::from(blocks.inline_class[block]));
            let (id, is_new) = interner.intern(key);
            if is_new {
                columns.push(Column { last_item: NONE, ..Column::default() });
            }
            column_of[block - start] = id;
            let column = &mut columns[id as usize];
            column.add(tables, index as u32, block, frame);
            let value = (id, tables.annotations.labels.text_hash[block]);
            if frame.writer != 0 && !texts_of_writer[writer as usize].is_empty() {
                column.compared += 1;
                column.same += u32::from(texts_of_writer[writer as usize].binary_search(&value).is_ok());
            }
            texts.push(value);
        }
        texts.sort_unstable();
        texts_of_writer[writer as usize] = texts;
    }
    let features: Vec<[f32; FEATURES.len()]> =
        columns.iter_mut().map(|column| column.features(frames.len())).collect();
    let body = weights.of("body", &FEATURES);
    let scores: Vec<f32> = features.iter().map(|values| body.score(values)).collect();
    let core = (0..columns.len()).filter(|id| scores[*id] > 0.0).max_by(|left, right| {
        let rank = |id: usize| columns[id].words as f32 * scores[id].min(3.0);
        rank(*left).total_cmp(&rank(*right))
    });
    let (inside, own) = (weights.weight("body", "inside"), weights.weight("body", "own probability"));
    let mut bodies = Vec::with_capacity(frames.len());
    for frame in frames {
        let Item { from, to, .. } = frame.item;
        let score = |block: usize| scores[column_of[block - start] as usize];
        let is_core = |block: &usize| core == Some(column_of[*block - start] as usize);
        let root = root(tables, frame, (from..to).filter(is_core), &score);
        let (root_from, root_to) = if root == NONE { (0, 0) } else { elements.blocks(root) };
        let select = |own: f32| -> Vec<u32> {
            let is_body = |block: &usize| {
                let is_inside = (root_from..root_to).contains(block);
                let probability = tables.probabilities.get(*block).copied().unwrap_or(0.5);
                let bonus = if is_inside { inside } else { 0.0 } + own * (probability - 0.5);
                let is_head = frame.head.binary_search(&(*block as u32)).is_ok();
                !is_head && score(*block) + bonus > 0.0
            };
            (from..to).filter(is_body).map(|block| block as u32).collect()
        };
        let mut body = select(own);
        // Posts of a word or two are rarely sure to be text.
        if body.is_empty() {
            body = select(0.0);
            body.retain(|block| (root_from..root_to).contains(&(*block as usize)));
        }
        trim(tables, &mut body);
        bodies.push(body);
    }
    bodies
}

/// The largest element around the core blocks of an item that holds no block of the head and little that is foreign.
fn root(
    tables: Tables<'_>,
    frame: &Frame,
    core: impl Iterator<Item = usize>,
    score: &impl Fn(usize) -> f32,
) -> u32 {
    let (blocks, elements) = (&tables.page.blocks, &tables.page.elements);
    let mut core = core.peekable();
    let Some(first) = core.peek().copied() else { return NONE };
    let last = core.last().unwrap_or(first);
    let mut root = NONE;
    let mut climb = blocks.element[first];
    while climb != NONE {
        let (from, to) = elements.blocks(climb);
        if from < frame.item.from || to > frame.item.to {
            break;
        }
        let has_head = frame.head.iter().any(|block| (from..to).contains(&(*block as usize)));
        let words = |block: usize| blocks.counts[block].words;
        let foreign: u32 = (from..to).filter(|block| score(*block) < 0.0).map(words).sum();
        let is_foreign = foreign as f32 > MAX_FOREIGN_SHARE * blocks.sum(from, to).words as f32;
        if last < to && (has_head || is_foreign) {
            break;
        }
        root = climb;
        climb = elements.parent[climb as usize];
    }
    root
}

/// Removes signatures below a line of dashes, and edit notes.
fn trim(tables: Tables<'_>, body: &mut Vec<u32>) {
    let blocks = &tables.page.blocks;
    mailing_list::trim(tables.page, body);
    let is_rule = |block: &u32| {
        let text = blocks.text(*block as usize).trim();
        text.len() >= 2 && text.chars().all(|c| "-_—–=*~".contains(c))
    };
    if let Some(at) = body.iter().rposition(is_rule)
        && at > 0
    {
        let words =
            |list: &[u32]| -> u32 { list.iter().map(|block| blocks.counts[*block as usize].words).sum() };
        if words(&body[at..]) <= 60 {
            body.truncate(at);
        }
    }
    body.retain(|block| {
        blocks.counts[*block as usize].words > MAX_NOTE_WORDS
            || Phrase::Edited
                .after(blocks.text(*block as usize).trim_start_matches(['[', '*', '(', ' ']))
                .is_none()
    });
}

impl Column {
    fn add(&mut self, tables: Tables<'_>, item: u32, block: usize, frame: &Frame) {
        let (blocks, elements) = (&tables.page.blocks, &tables.page.elements);
        let labels = &tables.annotations.labels;
        let row = blocks.element[block] as usize;
        let counts = &blocks.counts[block];
        let marks = tables.cells.row_marks[row];
        let concepts_of = |id: u32| tables.page.classes.entries[id as usize].concepts;
        let [class, id] = elements.class[row];
        let own = concepts_of(class) | concepts_of(id) | concepts_of(blocks.inline_class[block]);
        let flag = |value: bool| f32::from(u8::from(value));
        let probability = tables.probabilities.get(block).copied().unwrap_or(0.5);
        let first_head = frame.head.first().is_some_and(|head| block < *head as usize);
        self.blocks += 1;
        if self.last_item != item {
            self.items += 1;
            self.last_item = item;
        }
        self.words += counts.words;
        let values = [
            blocks.link_share(block),
            flag(labels.categories[block] & CONTROL_CATEGORIES != 0),
            flag(labels.has_date[block]),
            probability,
            flag(own & CONTENT_CONCEPTS != 0),
            flag(own & META_CONCEPTS != 0),
            flag(elements.regions[row] & Region::ArticleBody.bit() != 0),
            flag(marks & mark::CONTROL != 0),
            flag(marks & mark::SIGNATURE != 0),
            flag(marks & mark::WRITER_CLASS != 0),
            flag(counts.sentence_ends > 0),
            flag(marks & mark::HEADING != 0),
            flag(first_head),
        ];
        for (sum, value) in self.sums.iter_mut().zip(values) {
            *sum += value;
        }
        self.values.push(labels.text_hash[block]);
    }

    fn features(&mut self, items: usize) -> [f32; FEATURES.len()] {
        let blocks = self.blocks as f32;
        self.values.sort_unstable();
        self.values.dedup();
        let mean = |at: usize| self.sums[at] / blocks;
        let per_item = self.words as f32 / self.items.max(1) as f32;
        let repeats = if self.compared > 0 { self.same as f32 / self.compared as f32 } else { 0.0 };
        [
            1.0,
            self.items as f32 / items as f32,
            (per_item / LONG_WORDS).min(1.0),
            self.values.len() as f32 / blocks,
            mean(0),
            mean(1),
            mean(2),
            mean(3),
            mean(4),
            mean(5),
            mean(6),
            mean(7),
            mean(8),
            repeats,
            mean(9),
            mean(10),
            mean(11),
            mean(12),
            0.0,
            0.0,
        ]
    }
}
