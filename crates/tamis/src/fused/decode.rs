//! From probabilities to a decision: the cut that promises the highest F of the page.

use crate::balance::Balance;

/// Probabilities are told apart in so many steps.
const STEPS: usize = 64;
/// No page is cut lower: what is less probable is not the text of a page, whatever else is.
const LOWEST: f32 = 0.15;
/// No page is cut higher.
const HIGHEST: f32 = 0.6;
/// A page on which no block is as probable as this has no text.
const NOTHING: f32 = 0.3;

/// The cut, and the F that can be expected of it. `probabilities` and `weights` (words) are those of the blocks.
///
/// Blocks are not right or wrong each by itself: if the third teaser of a row is no part of the text, neither is the
/// fourth. So the text is thought of as all blocks from some unknown probability on, any of them as likely as the
/// others, and a cut has with each of these texts an F; the mean of those is what is expected.
///
/// ```
/// use tamis::fused::decode::best_cut;
///
/// // Two blocks are sure, one is doubtful, and it is short: nothing is lost by leaving it out.
/// let (cut, expected) = best_cut(&[0.9, 0.9, 0.2], &[50.0, 40.0, 3.0]);
/// assert!(cut > 0.2 && expected > 0.8);
/// // A short text, and much else that is probably none: were it kept and wrong, little of what is kept would be right.
/// assert!(best_cut(&[0.9, 0.35], &[60.0, 600.0]).0 > 0.35);
/// // Where nothing is sure, more is kept than what is more probable than not.
/// assert!(best_cut(&[0.4, 0.4], &[10.0, 10.0]).0 <= 0.4);
/// // But a page of which no block is probable has no text.
/// assert!(best_cut(&[0.2, 0.25], &[10.0, 10.0]).0 > 0.25);
/// ```
pub fn best_cut(probabilities: &[f32], weights: &[f32]) -> (f32, f32) {
    let texts = Texts::of(probabilities, weights);
    let mut best = (1.0, 0.0);
    let lowest = (LOWEST * STEPS as f32) as usize;
    for (step, kept) in texts.words.iter().enumerate().skip(lowest).filter(|(_, kept)| **kept > 0.0) {
        let expected = texts.f(*kept);
        // Of cuts that keep the same, the highest: what is kept is then what its own probabilities say.
        if expected >= best.1 {
            best = ((step as f32 + 0.5) / STEPS as f32, expected);
        }
    }
    let highest = probabilities.iter().copied().fold(0.0, f32::max);
    (if highest >= NOTHING { best.0.min(HIGHEST) } else { NOTHING }, best.1)
}

/// The F that can be expected of any cut, as [`best_cut`] tells it of the best one.
///
/// ```
/// use tamis::fused::decode::{best_cut, expected};
///
/// let (probabilities, weights) = ([0.9, 0.7, 0.2], [50.0, 40.0, 30.0]);
/// let (cut, best) = best_cut(&probabilities, &weights);
/// assert_eq!(expected(&probabilities, &weights, cut), best);
/// assert!(expected(&probabilities, &weights, 0.8) < best && expected(&probabilities, &weights, 0.1) < best);
/// assert_eq!(expected(&probabilities, &weights, 0.95), 0.0);
/// ```
pub fn expected(probabilities: &[f32], weights: &[f32], cut: f32) -> f32 {
    let kept = probabilities.iter().zip(weights).filter(|(probability, _)| **probability >= cut);
    Texts::of(probabilities, weights).f(kept.map(|(_, weight)| weight).sum())
}

/// What the text may be: for each step of probability, the words of all blocks that reach it.
struct Texts {
    words: [f32; STEPS],
}

impl Texts {
    fn of(probabilities: &[f32], weights: &[f32]) -> Texts {
        let mut reach = [0.0_f32; STEPS + 1];
        for (probability, weight) in probabilities.iter().zip(weights) {
            reach[((probability * STEPS as f32 + 0.5) as usize).min(STEPS)] += weight;
        }
        for step in (0..STEPS).rev() {
            reach[step] += reach[step + 1];
        }
        let mut words = [0.0; STEPS];
        words.copy_from_slice(&reach[1..]);
        Texts { words }
    }

    /// The mean F with all these texts of so many words kept.
    fn f(&self, kept: f32) -> f32 {
        let with = |text: &f32| if *text > 0.0 { 2.0 * kept.min(*text) / (kept + text) } else { 0.0 };
        self.words.iter().map(with).sum::<f32>() / STEPS as f32
    }
}

/// Is a block of this probability kept? One of which nothing speaks is not, wherever the cut is.
///
/// ```
/// use tamis::fused::decode::is_kept;
///
/// assert!(is_kept(0.6, 0.5) && !is_kept(0.4, 0.5) && !is_kept(0.0, 0.0));
/// ```
pub fn is_kept(probability: f32, cut: f32) -> bool {
    probability >= cut && probability > 0.0
}

/// The cut with the dial turned: so much more, or less, must be said for a block, in logarithms of odds. For precision half of
/// the words stay that are kept without: where nothing is sure, the surer half of a text is better than none.
pub(crate) fn leaned(cut: f32, balance: Balance, probabilities: &[f32], weights: &[f32]) -> f32 {
    /// e to the power of 1.5.
    const TIMES: f32 = 4.48;
    let odds = cut / (1.0 - cut).max(1e-6);
    let leaned = |odds: f32| odds / (1.0 + odds);
    match balance {
        Balance::Even => cut,
        Balance::Recall => leaned(odds / TIMES),
        Balance::Precision => leaned(odds * TIMES).min(middle(cut, probabilities, weights)),
    }
}

/// The probability that half of the words reach of all that reach a cut.
fn middle(cut: f32, probabilities: &[f32], weights: &[f32]) -> f32 {
    let pairs = probabilities.iter().copied().zip(weights.iter().copied());
    let mut kept: Vec<(f32, f32)> = pairs.filter(|(probability, _)| *probability >= cut).collect();
    kept.sort_by(|one, other| other.0.total_cmp(&one.0));
    let half = kept.iter().map(|(_, words)| words).sum::<f32>() / 2.0;
    let mut words = 0.0;
    let reaches = |(_, own): &&(f32, f32)| {
        words += own;
        words >= half
    };
    kept.iter().find(reaches).map_or(1.0, |(probability, _)| *probability)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precision_left_nothing_of_a_text_that_is_not_sure() {
        let (probabilities, weights) = ([0.7, 0.65, 0.62, 0.1], [20.0, 30.0, 40.0, 50.0]);
        let cut = leaned(0.6, Balance::Precision, &probabilities, &weights);
        assert_eq!(cut, 0.65, "half of the ninety words that are kept");
        let sure = [0.99, 0.98, 0.7, 0.1];
        let cut = leaned(0.6, Balance::Precision, &sure, &weights);
        assert!((0.86..0.88).contains(&cut), "odds of 1.5, 4.48 times as high: {cut}");
    }
}
