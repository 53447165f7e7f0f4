//! The page type: one forest per type over page-level features and first-pass scores.

use super::features::{self, Columns, Context};
use super::forest::{Forest, logistic};
use super::prediction::PageType;
use super::second_pass;
use crate::page::Page;
use crate::text::lexicon::{CATEGORIES, CONCEPTS};

/// Probabilities of the page types, in the order of [`PageType::ALL`].
pub type PageTypes = [f32; PageType::ALL.len()];

/// Fills `columns` with the features of the page, as a single row.
pub fn fill(context: Context<'_>, scores: &[f32], columns: &mut Columns) {
    columns.clear(1);
    features::page::add(context, columns);
    second_pass::add_page(context, scores, columns);
    let (page, labels) = (context.page, &context.annotations.labels);
    let blocks = page.blocks.len().max(1) as f32;
    // How often each lexicon category and class concept occurs, relative to the number of blocks.
    let mut categories = [0.0_f32; CATEGORIES.len()];
    let mut concepts = [0.0_f32; CONCEPTS.len()];
    let count = |bits: u32, counts: &mut [f32]| {
        let mut bits = bits;
        while bits != 0 {
            counts[bits.trailing_zeros() as usize] += 1.0;
            bits &= bits - 1;
        }
    };
    for (block, bits) in labels.categories.iter().enumerate() {
        count(*bits, &mut categories);
        count(context.derived.concepts[page.blocks.element[block] as usize], &mut concepts);
    }
    for (name, count) in CATEGORY_NAMES.iter().zip(categories) {
        columns.add(name, |_| count / blocks);
    }
    for (name, count) in CONCEPT_NAMES.iter().zip(concepts) {
        columns.add(name, |_| count / blocks);
    }
    for (index, name) in LOG_ODDS_NAMES.iter().enumerate() {
        let log_odds = page.classes.type_log_odds.get(index).copied().unwrap_or(0.0);
        columns.add(name, |_| log_odds);
    }
}

const LOG_ODDS_NAMES: [&str; PageType::ALL.len()] = [
    "page class article",
    "page class forum",
    "page class listing",
    "page class product",
    "page class documentation",
    "page class other",
];

const CATEGORY_NAMES: [&str; CATEGORIES.len()] = [
    "page month",
    "page ago",
    "page author",
    "page comment",
    "page reply",
    "page related",
    "page share",
    "page copyright",
    "page consent",
    "page account",
    "page navigation",
    "page more",
    "page advert",
    "page source",
    "page tags",
    "page contact",
];

const CONCEPT_NAMES: [&str; CONCEPTS.len()] = [
    "page class content",
    "page class comment",
    "page class nav",
    "page class footer",
    "page class header",
    "page class sidebar",
    "page class related",
    "page class share",
    "page class ad",
    "page class meta",
    "page class consent",
    "page class title",
    "page class author",
    "page class date",
    "page class post",
    "page class caption",
];

/// Whether the kept text is mostly anchor text: a listing, however few links it has. Forests learn this poorly, as
/// labelled listings are long pages.
pub(super) fn is_mostly_links(page: &Page<'_>, kept: &[bool]) -> bool {
    let blocks = &page.blocks;
    let kept = (0..blocks.len()).filter(|block| kept[*block]);
    let (all, linked) = kept.fold((0, 0), |(all, linked), block| {
        (all + blocks.counts[block].characters, linked + blocks.link_characters[block])
    });
    linked * 2 > all
}

/// Probabilities by one-vs-rest forests, normalised. All types are equally likely without forests.
pub fn predict(forests: &[Forest], columns: &Columns) -> PageTypes {
    let mut types = [1.0 / PageType::ALL.len() as f32; PageType::ALL.len()];
    if forests.len() == types.len() {
        for (probability, forest) in types.iter_mut().zip(forests) {
            *probability = logistic(forest.log_odds_of(columns, 0)).max(1e-4);
        }
        let sum: f32 = types.iter().sum();
        types.iter_mut().for_each(|probability| *probability /= sum);
    }
    types
}
