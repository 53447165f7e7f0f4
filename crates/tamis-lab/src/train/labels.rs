//! Labels of blocks, from the truth of their page.
//!
//! The tokens of all blocks are aligned with those of the reference text; a block is main text if half of its tokens
//! have a partner.

use std::collections::{HashMap, HashSet};

use crate::headline;
use crate::lcs::Pattern;
use crate::set::Truth;
use crate::tokens::{Vocabulary, normal, tokens};

/// Longer texts are aligned up to here.
const MAX_TOKENS: usize = 30_000;
/// Blocks up to this many tokens may match by chance.
const SHORT: usize = 3;
/// A short match is believed if a longer one is this near, or short ones of so many tokens in all.
const NEAR: usize = 4;
const MANY: usize = 12;
/// Blocks up to this many tokens may be values of attributes, or their names.
const MAX_VALUE: usize = 8;
/// The label of blocks of which nothing is known.
pub(super) const UNKNOWN: f32 = -1.0;

/// What a block is besides main text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// The set does not tell.
    Unknown,
    /// Main text or boilerplate.
    Other,
    Comment,
    Supplemental,
    Related,
}

impl Class {
    /// The text of this class, where the truth has it apart.
    pub(super) fn text(self, truth: &Truth) -> Option<&str> {
        match self {
            Class::Comment => truth.comments.as_deref(),
            Class::Supplemental => truth.supplemental.as_deref(),
            Class::Related => truth.related.as_deref(),
            Class::Unknown | Class::Other => None,
        }
    }
}

/// The labels of a page, per block.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// Share of main text, or [`UNKNOWN`].
    pub(super) main: Vec<f32>,
    pub(super) class: Vec<Class>,
    /// Tokens per block.
    pub(super) tokens: Vec<u32>,
    /// Share of the reference text found on the page.
    pub(super) coverage: f32,
}

/// A block as the labels see it.
#[derive(Clone, Copy)]
pub(super) struct Block<'p> {
    pub(super) text: &'p str,
    /// Whether it is a first-level heading.
    pub(super) is_headline: bool,
    /// The hash of its class path.
    pub(super) path: u64,
    /// The table row, list item, definition or other small element around it.
    pub(super) row: u32,
}

/// Labels the blocks of a page. `has_classes` says that the set labels comments on every page that has some.
pub(super) fn label(blocks: &[Block<'_>], truth: &Truth, page_title: &str, has_classes: bool) -> Labels {
    let mut symbols = Vocabulary::default();
    let texts: Vec<String> = blocks.iter().map(|block| normal(block.text)).collect();
    let symbolised: Vec<Vec<u32>> = texts.iter().map(|text| numbers(&mut symbols, text)).collect();
    let mut labels = Labels {
        main: vec![UNKNOWN; blocks.len()],
        class: vec![Class::Unknown; blocks.len()],
        tokens: symbolised.iter().map(|block| block.len() as u32).collect(),
        coverage: 1.0,
    };
    if let Some(text) = truth.text.as_deref().filter(|_| truth.has_text()) {
        let title = truth.title.as_deref().unwrap_or(page_title);
        let reference = numbers(&mut symbols, &normal(headline::stripped(text, title)));
        let (shares, coverage) = align(&symbolised, &reference);
        labels.coverage = coverage;
        labels.main =
            shares.iter().map(|share| if *share >= 0.5 { *share } else { share.min(0.0) }).collect();
        unlabel_lone_matches(&mut labels);
        let title = numbers(&mut symbols, &normal(title));
        for (block, (symbols, label)) in blocks.iter().zip(symbolised.iter().zip(&mut labels.main)) {
            if is_title(symbols, &title, block.is_headline) && (*label > 0.0 || block.is_headline) {
                *label = if block.is_headline { 0.0 } else { UNKNOWN };
            }
        }
        if has_classes {
            label_classes(&symbolised, truth, &mut symbols, &mut labels);
        }
    } else {
        label_segments(&texts, truth, &mut labels);
        label_alike(blocks, &mut labels);
    }
    labels
}

/// Whether a block is the headline: the whole title, or for a heading at least half of it.
fn is_title(block: &[u32], title: &[u32], is_headline: bool) -> bool {
    let is_part = || 2 * block.len() >= title.len() && title.windows(block.len()).any(|part| part == block);
    !block.is_empty() && (block == title || (is_headline && is_part()))
}

/// Short matches may be chance, unless a longer one is near or many short ones are.
fn unlabel_lone_matches(labels: &mut Labels) {
    let count = labels.main.len();
    let matches = labels.main.iter().zip(&labels.tokens);
    let matched: Vec<usize> =
        matches.map(|(label, tokens)| if *label > 0.0 { *tokens as usize } else { 0 }).collect();
    for block in (0..count).filter(|block| (1..=SHORT).contains(&matched[*block])) {
        let near = &matched[block.saturating_sub(NEAR)..(block + NEAR + 1).min(count)];
        let is_alone = near.iter().all(|tokens| *tokens <= SHORT) && near.iter().sum::<usize>() < MANY;
        if is_alone && count > 1 {
            labels.main[block] = UNKNOWN;
        }
    }
}

fn label_classes(blocks: &[Vec<u32>], truth: &Truth, symbols: &mut Vocabulary, labels: &mut Labels) {
    labels.class.fill(Class::Other);
    for class in [Class::Related, Class::Supplemental, Class::Comment] {
        let Some(text) = class.text(truth) else { continue };
        let (shares, _) = align(blocks, &numbers(symbols, &normal(text)));
        for (block, share) in shares.iter().enumerate() {
            if *share >= 0.5 && labels.main[block] < 0.5 {
                labels.class[block] = class;
            }
        }
    }
}

/// Labels from segments that must or must not be in the text.
fn label_segments(texts: &[String], truth: &Truth, labels: &mut Labels) {
    let joined = |text: &str| tokens(text).collect::<String>();
    let segments = |segments: &[String]| -> Vec<String> {
        let segments = segments.iter().map(|segment| joined(&normal(segment)));
        segments.filter(|segment| !segment.is_empty()).collect()
    };
    let (with, without) = (segments(&truth.with), segments(&truth.without));
    for (block, text) in texts.iter().enumerate() {
        let text = joined(text);
        if text.is_empty() {
            continue;
        }
        let (length, is_long) = (text.len() as f32, labels.tokens[block] >= 5);
        // A segment of a long block is evidence; a short block has to consist of it.
        let covers =
            |segment: &String, share: f32| segment.len() as f32 >= share * length && text.contains(segment);
        if with.iter().any(|segment| covers(segment, if is_long { 0.0 } else { 0.5 })) {
            labels.main[block] = 1.0;
        } else if without.iter().any(|segment| covers(segment, 0.3)) {
            labels.main[block] = 0.0;
        }
    }
}

/// Segments label a few blocks only. An unlabelled value gets the label of the values of the same class path, if these
/// agree, or that of the row around it: the name of an attribute beside its value.
fn label_alike(blocks: &[Block<'_>], labels: &mut Labels) {
    let is_value: Vec<bool> = labels.tokens.iter().map(|tokens| *tokens as usize <= MAX_VALUE).collect();
    let mut of_path: HashMap<u64, f32> = HashMap::new();
    let long = blocks.iter().zip(&is_value).filter_map(|(block, is_value)| (!is_value).then_some(block.row));
    let long: HashSet<u32> = long.collect();
    let main = &mut labels.main;
    let values: Vec<usize> = (0..blocks.len()).filter(|block| is_value[*block]).collect();
    for block in values.iter().filter(|block| main[**block] >= 0.0) {
        let common = of_path.entry(blocks[*block].path).or_insert(main[*block]);
        if *common != main[*block] {
            *common = UNKNOWN;
        }
    }
    for block in &values {
        if main[*block] < 0.0 {
            main[*block] = of_path.get(&blocks[*block].path).copied().unwrap_or(UNKNOWN);
        }
    }
    let of_values = values.iter().filter(|block| main[**block] > 0.5).map(|block| blocks[*block].row);
    let rows: HashSet<u32> = of_values.filter(|row| !long.contains(row)).collect();
    for block in &values {
        if main[*block] < 0.0 && rows.contains(&blocks[*block].row) {
            main[*block] = 1.0;
        }
    }
}

/// The share of each block's tokens that the reference has, in order, and the share of the reference that blocks have.
/// Blocks out of order are found by 4-grams. Blocks behind [`MAX_TOKENS`] that are not found are [`UNKNOWN`].
fn align(blocks: &[Vec<u32>], reference: &[u32]) -> (Vec<f32>, f32) {
    let reference = &reference[..reference.len().min(MAX_TOKENS)];
    let flat: Vec<u32> = blocks.iter().flatten().copied().take(MAX_TOKENS).collect();
    let mut shares = vec![0.0; blocks.len()];
    if flat.is_empty() || reference.is_empty() {
        return (shares, 0.0);
    }
    let mut partners = Pattern::new(reference).align(&flat).into_iter();
    let mut is_used = vec![false; reference.len()];
    let mut end = 0;
    for (block, share) in blocks.iter().zip(&mut shares) {
        end += block.len();
        if end > MAX_TOKENS {
            *share = UNKNOWN;
            continue;
        }
        let mut hits = 0;
        for partner in partners.by_ref().take(block.len()).flatten() {
            is_used[partner as usize] = true;
            hits += 1;
        }
        *share = hits as f32 / block.len().max(1) as f32;
    }
    let mut matched = is_used.iter().filter(|used| **used).count();
    let rest: Vec<u32> =
        reference.iter().zip(is_used).filter(|(_, used)| !used).map(|(symbol, _)| *symbol).collect();
    let grams: HashSet<&[u32]> = rest.windows(4).collect();
    for (block, share) in
        blocks.iter().zip(&mut shares).filter(|(block, share)| **share < 0.5 && block.len() >= 4)
    {
        let hits = block.windows(4).filter(|gram| grams.contains(gram)).count();
        let found = hits as f32 / (block.len() - 3) as f32;
        if found > 0.7 {
            *share = share.max(found);
            matched += hits;
        }
    }
    (shares, (matched as f32 / reference.len() as f32).min(1.0))
}

/// The tokens of a normalised text as numbers.
fn numbers(symbols: &mut Vocabulary, text: &str) -> Vec<u32> {
    tokens(text).map(|token| symbols.number(token)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn main_labels(blocks: &[&str], truth: Truth) -> Vec<f32> {
        let blocks: Vec<Block<'_>> = blocks.iter().enumerate().map(|(row, text)| block(text, row)).collect();
        label(&blocks, &truth, "", false).main
    }

    /// A block with a class path and a row of its own.
    fn block(text: &str, row: usize) -> Block<'_> {
        Block { text, is_headline: text.starts_with('#'), path: row as u64, row: row as u32 }
    }

    fn text(text: &str) -> Truth {
        Truth { text: Some(text.into()), title: Some("Rain at last".into()), ..Truth::default() }
    }

    #[test]
    fn aligned_blocks_are_main_text() {
        let blocks = ["Home news sport", "It rained for nine days here", "Then it stopped for good at noon"];
        assert_eq!(
            main_labels(&blocks, text("It rained for nine days here. Then it stopped for good at noon")),
            [0.0, 1.0, 1.0]
        );
        // In another order than on the page.
        assert_eq!(
            main_labels(&blocks, text("Then it stopped for good at noon. It rained for nine days here")),
            [0.0, 1.0, 1.0]
        );
    }

    #[test]
    fn blocks_behind_the_limit_are_unlabelled() {
        let (start, end) = ("rain ".repeat(MAX_TOKENS), "It stopped for good at noon");
        assert_eq!(main_labels(&[&start, end], text(&format!("{start}{end}"))), [1.0, UNKNOWN]);
    }

    #[test]
    fn headlines_are_not_main_text() {
        let truth = text("Rain at last\nIt rained for nine days here");
        let blocks = ["# Rain at last", "Rain at last", "It rained for nine days here"];
        assert_eq!(main_labels(&blocks, truth), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn lone_short_matches_are_unlabelled() {
        let mut blocks = vec!["Rain"];
        blocks.extend(["menu"; 6]);
        blocks.push("It did for nine days here");
        let labels = main_labels(&blocks, text("Rain. It did for nine days here"));
        assert_eq!((labels[0], labels[7]), (UNKNOWN, 1.0));
        let rows = ["Low water today", "on 4 May", "High water tonight", "on 5 May"];
        assert_eq!(main_labels(&rows, text(&rows.join(" "))), [1.0; 4]);
    }

    #[test]
    fn segments_label_short_blocks_that_consist_of_them() {
        let truth =
            Truth { with: vec!["120 mm".into()], without: vec!["Imprint".into()], ..Truth::default() };
        let blocks = ["120 mm", "Lens of 120 mm and a case for it", "Width 120 mm, ok", "Imprint", "Help"];
        assert_eq!(main_labels(&blocks, truth), [1.0, 1.0, UNKNOWN, 0.0, UNKNOWN]);
    }

    #[test]
    fn values_are_labelled_like_those_of_their_path_and_row() {
        let truth =
            Truth { with: vec!["120 mm".into()], without: vec!["Imprint".into()], ..Truth::default() };
        // Path, row and text.
        let blocks = [
            (1, 1, "Width"),
            (2, 1, "120 mm"),
            (1, 2, "Height"),
            (2, 2, "80 mm"),
            (3, 3, "Imprint"),
            (3, 4, "Help"),
            (4, 5, "Press"),
        ];
        let blocks = blocks.map(|(path, row, text)| Block { path, ..block(text, row) });
        assert_eq!(label(&blocks, &truth, "", false).main, [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, UNKNOWN]);
    }

    #[test]
    fn comments_are_a_class_of_their_own() {
        let truth =
            Truth { comments: Some("I saw it too from the pier".into()), ..text("It rained for nine days") };
        let blocks = [block("It rained for nine days", 0), block("I saw it too from the pier", 1)];
        let labels = label(&blocks, &truth, "", true);
        assert_eq!(labels.class, [Class::Other, Class::Comment]);
        assert_eq!(labels.main, [1.0, 0.0]);
    }
}
