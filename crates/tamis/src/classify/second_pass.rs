//! Second-pass features: first-pass scores of a block's neighbours, ancestors, path group and record item.

use super::features::{Columns, Context};
use super::page_type::PageTypes;
use super::prediction::PageType;
use crate::annotate::Annotations;
use crate::page::{NONE, Page};

/// Whether a block gets a second pass. Confident first-pass scores are final.
pub fn is_uncertain(score: f32) -> bool {
    (0.02..=0.98).contains(&score)
}

/// A weighted mean; -1 if empty.
#[derive(Clone, Copy, Default)]
struct WeightedMean {
    sum: f32,
    weight: f32,
}

impl WeightedMean {
    #[inline]
    fn add(&mut self, value: f32, weight: f32) {
        self.sum += value * weight;
        self.weight += weight;
    }

    #[inline]
    fn value(self) -> f32 {
        if self.weight > 0.0 { self.sum / self.weight } else { -1.0 }
    }
}

/// Appends the second-pass columns, computed from the first-pass `scores`.
pub fn add(context: Context<'_>, scores: &[f32], page_types: &PageTypes, columns: &mut Columns) {
    let Context { page, annotations, derived } = context;
    let (blocks, elements, records) = (&page.blocks, &page.elements, &annotations.records);
    let count = blocks.len();
    let weight = |b: usize| blocks.counts[b].words.max(1) as f32;
    // Prefix sums of weighted scores: the mean over any element or window is a difference of two entries.
    let mut prefix = Vec::with_capacity(count + 1);
    let mut sum = WeightedMean::default();
    prefix.push(sum);
    let (mut by_class_path, mut by_tag_path) = (
        vec![WeightedMean::default(); derived.class_path_count],
        vec![WeightedMean::default(); derived.tag_path_count],
    );
    let group_means = group_means(context, scores);
    let item_of = |b: usize| item_of(context, b);
    for (b, score) in scores.iter().enumerate() {
        let weight = weight(b);
        sum.add(*score, weight);
        prefix.push(sum);
        by_class_path[derived.class_path_id[b] as usize].add(*score, weight);
        by_tag_path[derived.tag_path_id[b] as usize].add(*score, weight);
    }
    let all = sum;
    let mean_of = |from: usize, to: usize| {
        WeightedMean {
            sum: prefix[to].sum - prefix[from].sum,
            weight: prefix[to].weight - prefix[from].weight,
        }
        .value()
    };
    let window = |b: usize, radius: usize| mean_of(b.saturating_sub(radius), (b + radius + 1).min(count));
    let neighbour = |b: usize, offset: isize| {
        b.checked_add_signed(offset).and_then(|b| scores.get(b)).copied().unwrap_or(-1.0)
    };
    columns.begin_family("second pass");
    columns.add("first", |b| scores[b]);
    columns.add("first back1", |b| neighbour(b, -1));
    columns.add("first back2", |b| neighbour(b, -2));
    columns.add("first next1", |b| neighbour(b, 1));
    columns.add("first next2", |b| neighbour(b, 2));
    columns.add("first near", |b| window(b, 3));
    columns.add("first wide", |b| window(b, 8));
    columns.add("first class path", |b| by_class_path[derived.class_path_id[b] as usize].value());
    columns.add("first tag path", |b| by_tag_path[derived.tag_path_id[b] as usize].value());
    for (level, name) in ["first around0", "first around1", "first around2", "first around3", "first around4"]
        .iter()
        .enumerate()
    {
        columns.add(name, |b| {
            let row = derived.ancestors[b][level];
            if row == NONE {
                return -1.0;
            }
            let (from, to) = elements.blocks(row);
            mean_of(from, to)
        });
    }
    let page_mean = all.value();
    let max_score = scores.iter().copied().fold(0.0, f32::max);
    columns.add("first page", |_| page_mean);
    columns.add("first highest", |_| max_score);
    columns.add("first before", |b| prefix[b].sum / all.sum.max(1e-6));
    columns.add("first behind", |b| (all.sum - prefix[b + 1].sum) / all.sum.max(1e-6));
    let mut run = 0.0_f32;
    columns.add_running("first run", |b| {
        run = if scores[b] > 0.5 { run.max(0.0) + 1.0 } else { run.min(0.0) - 1.0 };
        run.clamp(-20.0, 20.0)
    });
    columns.add("first record", |b| {
        let item = item_of(b);
        if item == NONE { -1.0 } else { group_means[records.group_of[item as usize] as usize] }
    });
    columns.add("first item", |b| {
        let item = item_of(b);
        if item == NONE {
            return -1.0;
        }
        let (from, to) = elements.blocks(item);
        mean_of(from, to)
    });
    // Mean score of the best element; negative for blocks outside of it.
    columns.add("first best element", |b| {
        let row = derived.best;
        let (from, to) = elements.blocks(row);
        if b >= from && b < to { mean_of(from, to) } else { -mean_of(from, to) }
    });
    // Distance to the previous and the next confident main-text block.
    let mut last = None;
    columns.add_running("since sure", |b| {
        let distance = last.map_or(-1.0, |last: usize| (b - last) as f32);
        if scores[b] > 0.9 && weight(b) >= 10.0 {
            last = Some(b);
        }
        distance
    });
    let mut until_confident = vec![-1.0_f32; count];
    let mut next = None;
    for b in (0..count).rev() {
        until_confident[b] = next.map_or(-1.0, |next: usize| (next - b) as f32);
        if scores[b] > 0.9 && weight(b) >= 10.0 {
            next = Some(b);
        }
    }
    columns.add("until sure", |b| until_confident[b]);
    add_items(page, annotations, scores, columns);
    add_page(context, scores, columns);
    for (name, probability) in TYPE_NAMES.iter().zip(page_types) {
        columns.add(name, |_| *probability);
    }
}

const TYPE_NAMES: [&str; PageType::ALL.len()] =
    ["type article", "type forum", "type listing", "type product", "type documentation", "type other"];

/// Scores within the same record item: first block, minimum, maximum, mean of short blocks.
fn add_items(page: &Page<'_>, annotations: &Annotations, scores: &[f32], columns: &mut Columns) {
    let (blocks, elements, records) = (&page.blocks, &page.elements, &annotations.records);
    let mut items: Vec<Option<[f32; 4]>> = vec![None; elements.len()];
    let item_of: Vec<u32> = blocks
        .element
        .iter()
        .map(|row| {
            records.innermost_item.get(elements.parent[*row as usize] as usize).copied().unwrap_or(NONE)
        })
        .collect();
    for item in item_of.iter().filter(|item| **item != NONE) {
        let entry = &mut items[*item as usize];
        if entry.is_some() {
            continue;
        }
        let (from, to) = elements.blocks(*item);
        let (mut min, mut max, mut short) = (1.0_f32, 0.0_f32, WeightedMean::default());
        for (block, score) in scores.iter().enumerate().take(to).skip(from) {
            min = min.min(*score);
            max = max.max(*score);
            if blocks.counts[block].words < 10 {
                short.add(*score, 1.0);
            }
        }
        *entry = Some([scores[from], min, max, short.value()]);
    }
    for (index, name) in ["item first", "item least", "item most", "item short"].iter().enumerate() {
        columns.add(name, |b| {
            items.get(item_of[b] as usize).copied().flatten().map_or(-1.0, |item| item[index])
        });
    }
}

/// The record item around a block's element, or [`NONE`].
#[inline]
fn item_of(context: Context<'_>, block: usize) -> u32 {
    let elements = &context.page.elements;
    let parent = elements.parent[context.page.blocks.element[block] as usize] as usize;
    context.annotations.records.innermost_item.get(parent).copied().unwrap_or(NONE)
}

/// Mean first-pass scores of the record groups.
fn group_means(context: Context<'_>, scores: &[f32]) -> Vec<f32> {
    let records = &context.annotations.records;
    let mut means = vec![WeightedMean::default(); records.groups.len()];
    for (block, score) in scores.iter().enumerate() {
        let item = item_of(context, block);
        if item != NONE {
            means[records.group_of[item as usize] as usize]
                .add(*score, context.page.blocks.counts[block].words.max(1) as f32);
        }
    }
    means.iter().map(|mean| mean.value()).collect()
}

/// Page-level score summaries: amount of main text, confidence, and whether it is a list.
pub(super) fn add_page(context: Context<'_>, scores: &[f32], columns: &mut Columns) {
    let Context { page, annotations, .. } = context;
    let groups = group_means(context, scores);
    let counts = &page.blocks.counts;
    let (mut expected, mut confident, mut uncertain, mut all, mut longest) = (0.0, 0.0, 0.0, 0.0, 0.0_f32);
    for (score, counts) in scores.iter().zip(counts) {
        let words = counts.words.max(1) as f32;
        expected += score * words;
        confident += if *score > 0.8 { words } else { 0.0 };
        uncertain += score * (1.0 - score) * words;
        all += words;
        longest = longest.max(score * words);
    }
    // The record group with the most expected main text.
    let (mut share, mut mean, mut items) = (0.0, -1.0, 0.0);
    for (group, score) in annotations.records.groups.iter().zip(&groups) {
        let own = group.characters as f32 * score;
        if group.with_text > 2 && *score > 0.0 && own > share {
            (share, mean, items) = (own, *score, group.with_text as f32);
        }
    }
    let mut constant = |name, value: f32| columns.add(name, |_| value);
    constant("page likely", expected);
    constant("page likely share", expected / all.max(1.0));
    constant("page sure", confident / expected.max(1.0));
    constant("page open", uncertain / expected.max(1.0));
    constant("page longest likely", longest / expected.max(1.0));
    constant("page record score", mean);
    constant("page record share", share / page.blocks.total().characters.max(1) as f32);
    constant("page record items", items);
}
