//! Roles: which column of cells has the author, the time or the number of an item.

use crate::annotate::cells::mark;
use crate::annotate::{Cell, MAX_PHRASE_WORDS};
use crate::page::NONE;
use crate::text::hash::Interner;
use crate::text::lexicon::PHRASES;

use super::items::{Item, Tables};
use super::phrases::{Phrase, name_in, number_in};
use super::weights::Weights;

/// Features of a column, in the order of [`Column::features`].
pub(super) const FEATURES: [&str; 27] = [
    "bias",
    "share",
    "once",
    "date",
    "clock",
    "time markup",
    "date class",
    "writer class",
    "writer property",
    "profile link",
    "link",
    "emphasis",
    "heading",
    "control",
    "quote",
    "name",
    "number",
    "increasing",
    "label",
    "byline",
    "profile",
    "distinct",
    "constant",
    "before text",
    "early",
    "repeats",
    "words",
];

/// Categories of phrases that are no names: reply and below in the list, without sources and tags.
const LABEL_CATEGORIES: u32 = 0b1001_1111_1111_0000;
/// Words of a cell that count; titles have no more.
const MAX_COUNTED_WORDS: usize = 12;
/// Longer texts are no names, numbers or labels.
const MAX_SHORT_BYTES: usize = 120;
/// Columns of a role that are looked into.
const MAX_COLUMNS: usize = 8;
/// A column of a role needs this score.
const MIN_SCORE: f32 = 0.0;

/// The cells of a column are distinguished by their kind of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Kind {
    Text,
    Date,
    Number,
    /// A fact about the writer, such as the day of joining.
    Profile,
}

/// A column and the kind of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    column: u32,
    kind: Kind,
}

/// What the cells of a column have in common over all items.
#[derive(Clone, Debug, Default)]
struct Column {
    cells: u32,
    items: u32,
    once: u32,
    /// Number of cells with each property, in the order of the features from "date" to "profile".
    counts: [u32; 18],
    before: u32,
    early: f32,
    words: u32,
    values: Vec<u32>,
    last_item: u32,
    in_last_item: u32,
    last_number: u32,
}

/// The columns of each role, best first.
#[derive(Debug, Default)]
pub(super) struct Roles {
    pub author: Vec<(Field, f32)>,
    pub time: Vec<(Field, f32)>,
    pub number: Vec<(Field, f32)>,
    pub title: Vec<(Field, f32)>,
    /// The kind of each cell of the page, as far as it is in an item.
    kinds: Vec<Kind>,
}

/// What a text says, wherever it stands.
#[derive(Clone, Copy, Debug)]
struct Reading {
    is_short: bool,
    number: Option<u32>,
    is_label: bool,
    is_name: bool,
    has_colon: bool,
    byline: Announcement,
    profile: Announcement,
    words: u32,
}

/// Whether a text begins with a phrase that announces something, or is that phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Announcement {
    No,
    Begins,
    Whole,
}

impl Reading {
    fn new(tables: Tables<'_>, cell: &Cell) -> Reading {
        let (text, is_date) = (tables.cells.text(cell), cell.marks & mark::DATE != 0);
        let (block, labels) = (cell.block as usize, &tables.annotations.labels);
        // The labels of a short block are known.
        let is_block = tables.page.blocks.text(block).len() == text.len()
            && tables.page.blocks.counts[block].words <= MAX_PHRASE_WORDS;
        let categories = || if is_block { labels.categories[block] } else { PHRASES.bits(text) };
        let is_short = text.len() <= MAX_SHORT_BYTES;
        let announces = |phrase: Phrase| match phrase.after(text).filter(|_| is_short) {
            None => Announcement::No,
            Some(rest) if rest.trim_matches([' ', ':', '：']).is_empty() => Announcement::Whole,
            Some(_) => Announcement::Begins,
        };
        let number = if is_short { number_in(text) } else { None };
        Reading {
            is_short,
            number,
            is_label: is_short && categories() & LABEL_CATEGORIES != 0,
            is_name: is_short && !is_date && number.is_none() && name_in(text).is_some(),
            has_colon: text.contains(':'),
            byline: announces(Phrase::Byline),
            profile: announces(Phrase::Profile),
            words: text.split_whitespace().take(MAX_COUNTED_WORDS).count() as u32,
        }
    }
}

/// Finds the roles of the columns in `items`.
pub(super) fn find(tables: Tables<'_>, items: &[Item], weights: &Weights) -> Roles {
    let mut interner = Interner::default();
    let (mut columns, mut ids): (Vec<Column>, Vec<Field>) = (Vec::new(), Vec::new());
    // Labels, buttons and names repeat in every item.
    let mut readings: Vec<Option<Reading>> = vec![None; tables.cells.distinct_texts()];
    let mut roles = Roles { kinds: vec![Kind::Text; tables.cells.all.len()], ..Roles::default() };
    for (index, item) in items.iter().enumerate() {
        let longest = (item.from..item.to).max_by_key(|block| {
            let prose = tables.page.blocks.counts[*block].words;
            (prose, std::cmp::Reverse(*block))
        });
        let places = tables.cells.range_of_blocks(item.from, item.to);
        let mut previous: Option<(&Cell, Reading)> = None;
        for (at, place) in places.enumerate() {
            let cell = &tables.cells.all[place];
            let reading = *readings[cell.text as usize].get_or_insert_with(|| Reading::new(tables, cell));
            let before = previous.filter(|(previous, _)| is_beside(tables, previous, cell));
            let announces = |own: fn(&Reading) -> Announcement| {
                reading.is_short
                    && (own(&reading) != Announcement::No
                        || before.is_some_and(|(_, before)| own(&before) == Announcement::Whole))
            };
            let is_profile = announces(|reading| reading.profile);
            let is_byline = announces(|reading| reading.byline);
            let kind = match () {
                () if is_profile => Kind::Profile,
                () if cell.marks & (mark::DATE | mark::TIME) != 0 => Kind::Date,
                () if reading.number.is_some() => Kind::Number,
                () => Kind::Text,
            };
            roles.kinds[place] = kind;
            let field = Field { column: cell.column, kind };
            let (id, is_new) = interner.intern(u64::from(field.column) << 2 | field.kind as u64);
            if is_new {
                columns.push(Column { last_item: NONE, ..Column::default() });
                ids.push(field);
            }
            let column = &mut columns[id as usize];
            column.add(index as u32, cell, &reading, [is_byline, is_profile]);
            column.before += u32::from(longest.is_some_and(|longest| (cell.block as usize) < longest));
            column.early += 1.0 / (1.0 + at as f32 / 4.0);
            previous = Some((cell, reading));
        }
    }
    let of_roles = ["author", "time", "number", "title"].map(|role| weights.of(role, &FEATURES));
    for (column, id) in columns.iter_mut().zip(ids) {
        let features = column.features(items.len());
        let lists = [&mut roles.author, &mut roles.time, &mut roles.number, &mut roles.title];
        for (weights, list) in of_roles.iter().zip(lists) {
            let score = weights.score(&features);
            if score > MIN_SCORE {
                list.push((id, score));
            }
        }
    }
    for list in [&mut roles.author, &mut roles.time, &mut roles.number, &mut roles.title] {
        list.sort_by(|left, right| right.1.total_cmp(&left.1));
    }
    roles
}

impl Column {
    fn add(&mut self, item: u32, cell: &Cell, reading: &Reading, [is_byline, is_profile]: [bool; 2]) {
        self.cells += 1;
        if self.last_item != item {
            self.items += 1;
            self.once += 1;
            self.last_item = item;
            self.in_last_item = 1;
        } else {
            self.in_last_item += 1;
            self.once -= u32::from(self.in_last_item == 2);
        }
        let has = |marks: u32| cell.marks & marks != 0;
        let is_date = has(mark::DATE);
        let Reading { number, .. } = *reading;
        let properties = [
            is_date,
            is_date && reading.has_colon,
            has(mark::TIME),
            has(mark::DATE_CLASS | mark::DATE_PROPERTY),
            has(mark::WRITER_CLASS),
            has(mark::AUTHOR_PROPERTY),
            has(mark::PROFILE_LINK),
            has(mark::LINK),
            has(mark::EMPHASIS),
            has(mark::HEADING),
            has(mark::CONTROL | mark::SIGNATURE),
            has(mark::QUOTE),
            reading.is_name,
            number.is_some() && !is_date,
            number.is_some_and(|number| number > self.last_number),
            reading.is_label,
            is_byline,
            is_profile,
        ];
        for (count, property) in self.counts.iter_mut().zip(properties) {
            *count += u32::from(property);
        }
        self.last_number = number.unwrap_or(self.last_number);
        self.words += reading.words;
        self.values.push(cell.text);
    }

    fn features(&mut self, items: usize) -> [f32; FEATURES.len()] {
        let cells = self.cells as f32;
        self.values.sort_unstable();
        self.values.dedup();
        let distinct = self.values.len() as f32 / cells;
        let mut features = [0.0; FEATURES.len()];
        features[0] = 1.0;
        features[1] = self.items as f32 / items as f32;
        features[2] = self.once as f32 / self.items.max(1) as f32;
        for (feature, count) in features[3..].iter_mut().zip(self.counts) {
            *feature = count as f32 / cells;
        }
        features[21] = distinct;
        features[22] = f32::from(u8::from(self.values.len() == 1 && self.cells > 2));
        features[23] = self.before as f32 / cells;
        features[24] = self.early / cells;
        features[26] = self.words as f32 / cells / MAX_COUNTED_WORDS as f32;
        features[25] = f32::from(u8::from(self.values.len() > 1 && distinct < 1.0));
        features
    }
}

/// Whether two cells are in one block, or in elements of one parent.
fn is_beside(tables: Tables<'_>, left: &Cell, right: &Cell) -> bool {
    let row = |cell: &Cell| tables.page.blocks.element[cell.block as usize];
    let parent = |cell: &Cell| tables.page.elements.parent[row(cell) as usize];
    row(left) == row(right) || (parent(left) == parent(right) && right.block == left.block + 1)
}

/// The first cell of an item in the best of these columns, together with what `read` makes of it.
pub(super) fn first_of<'c, T>(
    tables: Tables<'c>,
    item: &Item,
    roles: &Roles,
    fields: &[(Field, f32)],
    mut read: impl FnMut(&'c Cell) -> Option<T>,
) -> Option<(&'c Cell, T)> {
    let (cells, places) = (&tables.cells.all, tables.cells.range_of_blocks(item.from, item.to));
    fields.iter().take(MAX_COLUMNS).find_map(|(field, _)| {
        let is_in = |at: &usize| cells[*at].column == field.column && roles.kinds[*at] == field.kind;
        places.clone().filter(is_in).find_map(|at| Some((&cells[at], read(&cells[at])?)))
    })
}
