//! The decision threshold: a small forest predicts the F1 of each candidate threshold, and the best one is taken.
//!
//! Its features are two estimates of the F1 and the shape of the distribution of probabilities. The first estimate takes
//! blocks to be independent. The second takes their errors to be correlated (if the third teaser of a list is
//! boilerplate, so is the fourth): the true text is all blocks above an unknown cutoff, uniformly distributed over [0, 1].

use super::features::Columns;
use super::forest::{Forest, logistic};
use super::page_type::PageTypes;
use super::second_pass;

/// Resolution of the probability histogram.
const STEPS: usize = 64;
/// The lowest candidate, in steps. Less probable blocks are boilerplate, whatever the rest of the page.
const FIRST: usize = 6;
/// Steps between candidates.
const STRIDE: usize = 3;
/// Number of candidates.
const CANDIDATES: usize = 15;
/// If no block is this probable, keep the most probable one rather than return nothing.
const FALLBACK_THRESHOLD: f32 = 0.3;

/// The candidate thresholds, ascending.
pub fn candidates() -> impl Iterator<Item = f32> {
    (0..CANDIDATES).map(|index| (FIRST + index * STRIDE) as f32 / STEPS as f32 - 0.5 / STEPS as f32)
}

/// Words of blocks above each step, and their expected number of words of main text.
struct Histogram {
    words: [f32; STEPS + 2],
    likely: [f32; STEPS + 2],
    blocks: [f32; STEPS + 2],
}

impl Histogram {
    fn new(probabilities: &[f32], weights: &[f32]) -> Histogram {
        let mut histogram =
            Histogram { words: [0.0; STEPS + 2], likely: [0.0; STEPS + 2], blocks: [0.0; STEPS + 2] };
        for (probability, weight) in probabilities.iter().zip(weights) {
            let step = ((probability * STEPS as f32 + 0.5) as usize).min(STEPS);
            histogram.words[step] += weight;
            histogram.likely[step] += weight * probability;
            histogram.blocks[step] += 1.0;
        }
        for column in [&mut histogram.words, &mut histogram.likely, &mut histogram.blocks] {
            for step in (0..STEPS).rev() {
                column[step] += column[step + 1];
            }
        }
        histogram
    }

    /// The mean F1 of the blocks from a step on, if the truth is all blocks above a uniformly distributed cutoff.
    fn correlated_f1(&self, step: usize) -> f32 {
        let kept = self.words[step];
        let f1 = |truth: &f32| if *truth > 0.0 { 2.0 * kept.min(*truth) / (kept + truth) } else { 0.0 };
        if kept > 0.0 { self.words[1..=STEPS].iter().map(f1).sum::<f32>() / STEPS as f32 } else { 0.0 }
    }
}

/// Fills `columns` with a row for each candidate. `weights` are words per block.
pub fn fill(probabilities: &[f32], weights: &[f32], page_types: &PageTypes, columns: &mut Columns) {
    let histogram = Histogram::new(probabilities, weights);
    let Histogram { words, likely, blocks } = &histogram;
    columns.clear(CANDIDATES);
    let step = |row: usize| FIRST + row * STRIDE;
    let all_likely = likely[0].max(1e-6);
    let uncertain: f32 =
        probabilities.iter().zip(weights).map(|(p, weight)| p * (1.0 - p) * weight).sum::<f32>();
    let highest = probabilities.iter().copied().fold(0.0, f32::max);
    columns.add("threshold", |row| step(row) as f32);
    columns.add("kept words", |row| words[step(row)]);
    columns.add("kept blocks", |row| blocks[step(row)]);
    columns.add("kept share", |row| words[step(row)] / words[0].max(1.0));
    columns.add("kept per likely", |row| words[step(row)] / all_likely);
    columns.add("expected precision", |row| likely[step(row)] / words[step(row)].max(1e-6));
    columns.add("expected recall", |row| likely[step(row)] / all_likely);
    columns.add("expected f1", |row| 2.0 * likely[step(row)] / (words[step(row)] + all_likely));
    columns.add("correlated f1", |row| histogram.correlated_f1(step(row)));
    columns
        .add("words below", |row| (words[step(row) - STRIDE] - words[step(row)]) / words[step(row)].max(1.0));
    columns.add("words far below", |row| (words[FIRST] - words[step(row)]) / words[step(row)].max(1.0));
    columns
        .add("words above", |row| (words[step(row)] - words[step(row) + STRIDE]) / words[step(row)].max(1.0));
    columns.add("certain words", |row| words[STEPS * 7 / 8] / words[step(row)].max(1.0));
    columns.add("words per block", |row| words[step(row)] / blocks[step(row)].max(1.0));
    columns.add("uncertain", |_| uncertain / all_likely);
    columns.add("highest", |_| highest);
    columns.add("likely words", |_| all_likely);
    for (name, probability) in second_pass::TYPE_NAMES.iter().zip(page_types) {
        columns.add(name, |_| *probability);
    }
}

/// The threshold with the highest predicted F1, and that F1. Without a forest, the correlated estimate decides.
pub fn choose(forest: &Forest, columns: &Columns, highest_probability: f32) -> (f32, f32) {
    let rows: Vec<u32> = (0..columns.rows as u32).collect();
    let predicted: Vec<f32> = if forest.is_empty() {
        let names = &columns.names;
        let estimate = names.iter().position(|name| *name == "correlated f1");
        estimate.map(|column| columns.column(column).to_vec()).unwrap_or_default()
    } else {
        forest.log_odds(columns, &rows).into_iter().map(logistic).collect()
    };
    let mut best = (FALLBACK_THRESHOLD, 0.0);
    for (threshold, f1) in candidates().zip(predicted) {
        // Prefer the highest of equivalent thresholds.
        if f1 >= best.1 {
            best = (threshold, f1);
        }
    }
    if highest_probability < FALLBACK_THRESHOLD {
        best.0 = best.0.min(highest_probability);
    }
    (best.0.min(highest_probability.max(FALLBACK_THRESHOLD)), best.1)
}

/// Moves a threshold towards precision or recall.
pub fn biased(threshold: f32, bias: super::Bias) -> f32 {
    match bias {
        super::Bias::Balanced => threshold,
        super::Bias::Precision => threshold.max(0.5) + 0.25 * (1.0 - threshold.max(0.5)),
        super::Bias::Recall => threshold.min(0.5) * 0.4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(probabilities: &[f32], weights: &[f32]) -> (f32, f32) {
        let mut columns = Columns::default();
        fill(probabilities, weights, &PageTypes::default(), &mut columns);
        choose(&Forest::default(), &columns, probabilities.iter().copied().fold(0.0, f32::max))
    }

    #[test]
    fn uncertain_blocks_are_weighted_by_words() {
        let (threshold, expected) = chosen(&[0.9, 0.9, 0.2], &[50.0, 40.0, 3.0]);
        assert!(threshold > 0.2 && expected > 0.8);
        assert!(chosen(&[0.9, 0.35], &[60.0, 600.0]).0 > 0.35);
        assert!(chosen(&[0.4, 0.4], &[10.0, 10.0]).0 <= 0.4);
        assert!(chosen(&[0.05], &[10.0]).0 <= 0.05, "keeps the best block");
    }
}
