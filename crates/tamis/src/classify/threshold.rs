//! The decision threshold: maximises the expected F1 of the page.
//!
//! Errors of blocks are correlated: if the third teaser of a list is boilerplate, so is the fourth. The model therefore
//! takes the true text to be all blocks above an unknown cutoff, uniformly distributed over [0, 1]. The expected F1 of a
//! threshold is its mean F1 over these cutoffs.

/// Resolution of the probability histogram.
const STEPS: usize = 64;
/// Less probable blocks are boilerplate, whatever the rest of the page.
const MIN_THRESHOLD: f32 = 0.15;
/// More probable blocks are always kept.
const MAX_THRESHOLD: f32 = 0.6;
/// If no block is this probable, keep the most probable one rather than return nothing.
const FALLBACK_THRESHOLD: f32 = 0.3;

/// Returns the threshold with the highest expected F1, and that F1. `weights` are words per block.
pub fn optimal_threshold(probabilities: &[f32], weights: &[f32]) -> (f32, f32) {
    // words_above[i]: words in blocks with a probability of at least i / STEPS (rounded).
    let mut words_above = [0.0_f32; STEPS + 1];
    for (probability, weight) in probabilities.iter().zip(weights) {
        words_above[((probability * STEPS as f32 + 0.5) as usize).min(STEPS)] += weight;
    }
    for step in (0..STEPS).rev() {
        words_above[step] += words_above[step + 1];
    }
    // Each entry is both a candidate output and a possible truth.
    let totals = &words_above[1..];
    let (mut best, mut last, mut expected) = ((1.0, 0.0), -1.0, 0.0);
    for (step, kept) in totals.iter().enumerate().skip((MIN_THRESHOLD * STEPS as f32) as usize) {
        if *kept <= 0.0 {
            break;
        }
        if *kept != last {
            let f1 = |truth: &f32| if *truth > 0.0 { 2.0 * kept.min(*truth) / (kept + truth) } else { 0.0 };
            expected = totals.iter().map(f1).sum::<f32>() / STEPS as f32;
            last = *kept;
        }
        // Prefer the highest of equivalent thresholds.
        if expected >= best.1 {
            best = ((step as f32 + 0.5) / STEPS as f32, expected);
        }
    }
    let max_probability = probabilities.iter().copied().fold(0.0, f32::max);
    let threshold = if max_probability >= FALLBACK_THRESHOLD {
        best.0.min(MAX_THRESHOLD)
    } else {
        FALLBACK_THRESHOLD.min(max_probability)
    };
    (threshold, best.1)
}

/// Moves a threshold towards precision or recall.
pub fn biased(threshold: f32, bias: super::Bias) -> f32 {
    let level = bias.level();
    if level == 0.0 {
        return threshold;
    }
    let most = match level < 0.0 {
        true => threshold.max(0.5) + 0.25 * (1.0 - threshold.max(0.5)),
        false => threshold.min(0.5) * 0.4,
    };
    // Exact at the ends, so that the named biases are those of the scale.
    if level.abs() == 1.0 { most } else { threshold + (most - threshold) * level.abs() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bias_in_percent_lies_between_the_named_ones() {
        use super::super::Bias;
        let ends = [Bias::Precision, Bias::Balanced, Bias::Recall].map(|bias| biased(0.4, bias));
        assert_eq!(ends, [-100, 0, 100].map(|percent| biased(0.4, Bias::Percent(percent))));
        let steps: Vec<f32> = (-100..=100).map(|percent| biased(0.4, Bias::Percent(percent))).collect();
        assert!(steps.is_sorted_by(|a, b| a > b), "{steps:?}");
    }

    #[test]
    fn uncertain_blocks_are_weighted_by_words() {
        let (threshold, expected) = optimal_threshold(&[0.9, 0.9, 0.2], &[50.0, 40.0, 3.0]);
        assert!(threshold > 0.2 && expected > 0.8);
        assert!(optimal_threshold(&[0.9, 0.35], &[60.0, 600.0]).0 > 0.35);
        assert!(optimal_threshold(&[0.4, 0.4], &[10.0, 10.0]).0 <= 0.4);
        assert!(optimal_threshold(&[0.05], &[10.0]).0 <= 0.05, "keeps the best block");
    }
}
