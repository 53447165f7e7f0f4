//! Features of blocks: one column per feature, one module per family.
//!
//! Forests refer to features by column index, so order and number of columns must match the trained model.

mod ancestors;
mod classes;
mod containers;
mod correlation;
mod derived;
mod groups;
mod labels;
mod lengths;
mod neighbours;
mod own;
pub(super) mod page;
mod position;
mod punctuation;
mod ratios;
mod readability;
mod records;

pub use derived::Derived;

use std::ops::Range;

use crate::annotate::Annotations;
use crate::page::Page;

/// The feature matrix of a page, column by column. Columns that no forest uses keep their index but stay empty.
#[derive(Debug, Default)]
pub struct Columns {
    pub rows: usize,
    /// The block of the first row.
    first: usize,
    pub names: Vec<&'static str>,
    pub values: Vec<f32>,
    /// Feature families, each with the index of its first column.
    pub families: Vec<(&'static str, usize)>,
    /// Start of each column in `values`.
    offsets: Vec<usize>,
    /// Columns to compute; empty means all.
    requested: Vec<bool>,
}

impl Columns {
    /// Restricts computation to these columns and those of earlier calls.
    pub fn request(&mut self, features: impl Iterator<Item = u16>) {
        for index in features.map(usize::from) {
            if index >= self.requested.len() {
                self.requested.resize(index + 1, false);
            }
            self.requested[index] = true;
        }
    }

    pub fn clear(&mut self, rows: usize) {
        self.clear_for(0..rows);
    }

    /// Clears the matrix for the rows of some blocks.
    pub fn clear_for(&mut self, blocks: Range<usize>) {
        (self.first, self.rows) = (blocks.start, blocks.len());
        self.names.clear();
        self.values.clear();
        self.values.reserve(self.rows * self.requested.iter().filter(|is_requested| **is_requested).count());
        self.families.clear();
        self.offsets.clear();
    }

    /// Appends a column, computing it only if requested. `value` maps a block to its feature value.
    #[inline]
    pub fn add(&mut self, name: &'static str, value: impl FnMut(usize) -> f32) {
        let is_requested = self.requested.is_empty() || self.requested.get(self.names.len()) == Some(&true);
        self.names.push(name);
        self.offsets.push(self.values.len());
        if is_requested {
            self.values.extend((self.first..self.first + self.rows).map(value));
        }
    }

    /// Like [`add`](Self::add) for a `value` that has to see every block from the first on.
    #[inline]
    pub fn add_running(&mut self, name: &'static str, mut value: impl FnMut(usize) -> f32) {
        (0..self.first).for_each(|block| {
            value(block);
        });
        self.add(name, value);
    }

    #[inline]
    pub fn column(&self, index: usize) -> &[f32] {
        &self.values[self.offsets[index]..][..self.rows]
    }

    /// The family of a column.
    pub fn family(&self, index: usize) -> &'static str {
        self.families.iter().rfind(|family| family.1 <= index).map_or("", |family| family.0)
    }

    pub(in crate::classify) fn begin_family(&mut self, name: &'static str) {
        self.families.push((name, self.names.len()));
    }
}

/// Input of all feature families.
#[derive(Clone, Copy)]
pub struct Context<'p> {
    pub page: &'p Page<'p>,
    pub annotations: &'p Annotations,
    pub derived: &'p Derived,
}

type Family = (&'static str, fn(Context<'_>, &mut Columns));

const FAMILIES: &[Family] = &[
    ("own", own::add),
    ("000 punctuation", punctuation::add),
    ("001 ratios", ratios::add),
    ("002 correlation", correlation::add),
    ("003 containers", containers::add),
    ("004 lengths", lengths::add),
    ("labels", labels::add),
    ("parts", ancestors::add_regions),
    ("ancestors", ancestors::add),
    ("classes", classes::add),
    ("readability", readability::add),
    ("groups", groups::add),
    ("position", position::add),
    ("neighbours", neighbours::add),
    ("records", records::add),
    ("page", page::add),
];

/// Computes all requested columns.
#[inline(never)]
pub fn fill(page: &Page<'_>, annotations: &Annotations, derived: &mut Derived, columns: &mut Columns) {
    derived.fill(page, annotations);
    fill_rows(Context { page, annotations, derived }, 0..page.blocks.len(), columns);
}

/// Computes all requested columns for some blocks.
#[inline(never)]
pub(super) fn fill_rows(context: Context<'_>, blocks: Range<usize>, columns: &mut Columns) {
    columns.clear_for(blocks);
    for (name, add) in FAMILIES {
        columns.begin_family(name);
        add(context, columns);
    }
}

/// A boolean as a feature value.
#[inline]
fn indicator(value: bool) -> f32 {
    f32::from(u8::from(value))
}

/// The value at `row`, or `default` if `row` is out of range, as [`NONE`](crate::page::NONE) always is.
#[inline]
fn get_or<T: Copy>(table: &[T], row: u32, default: T) -> T {
    table.get(row as usize).copied().unwrap_or(default)
}
