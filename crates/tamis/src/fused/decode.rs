//! From probabilities to a decision: the cut that promises the highest F of the page.

use super::page_type::{PageType, Types};
use crate::balance::Balance;

/// The cut, and the F that can be expected of it. `probabilities` and `weights` (words) are those of the blocks.
///
/// ```
/// use tamis::fused::decode::best_cut;
///
/// // Two blocks are sure, one is doubtful, and it is short: nothing is lost by leaving it out.
/// let (cut, expected) = best_cut(&[0.9, 0.9, 0.2], &[50.0, 40.0, 3.0]);
/// assert!(cut > 0.2 && expected > 0.9);
/// // Where nothing is sure, more is kept than what is more probable than not.
/// assert_eq!(best_cut(&[0.4, 0.4], &[10.0, 10.0]).0, 0.4);
/// ```
pub fn best_cut(probabilities: &[f32], weights: &[f32]) -> (f32, f32) {
    let mut order: Vec<u32> =
        (0..probabilities.len() as u32).filter(|at| probabilities[*at as usize] > 0.0).collect();
    order.sort_unstable_by(|a, b| {
        probabilities[*b as usize].total_cmp(&probabilities[*a as usize]).then(a.cmp(b))
    });
    let wanted: f64 = probabilities.iter().zip(weights).map(|(p, w)| f64::from(*p) * f64::from(*w)).sum();
    let (mut right, mut kept) = (0.0, 0.0);
    let mut best = (1.0, 0.0);
    for at in order {
        let at = at as usize;
        right += f64::from(probabilities[at]) * f64::from(weights[at]);
        kept += f64::from(weights[at]);
        let f = 2.0 * right / (kept + wanted).max(1e-9);
        if f > best.1 {
            best = (f64::from(probabilities[at]), f);
        }
    }
    (best.0 as f32, best.1 as f32)
}

/// No page is cut lower: what is less probable is not the text of a page, even if nothing else is. Some pages have none.
const LOWEST: f32 = 0.2;
/// ... nor higher.
const HIGHEST: f32 = 0.5;

/// The cut that is used: on threads, where posts hang together, what is more probable than not. Where that would leave
/// nothing, not even the block with the `highest` probability, the best cut stands, unless all of it is improbable.
///
/// ```
/// use tamis::fused::{Types, decode::settled};
///
/// assert_eq!(settled(0.01, 0.9, &Types::default()), 0.2);
/// assert_eq!(settled(0.99, 0.99, &Types::default()), 0.5);
/// assert_eq!(settled(0.3, 0.4, &Types::default()), 0.3);
/// assert_eq!(settled(0.01, 0.02, &Types::default()), 0.2);
/// ```
pub fn settled(cut: f32, highest: f32, types: &Types) -> f32 {
    let threads = types.of(PageType::Forum) + types.of(PageType::QuestionAndAnswers);
    let settled = cut.clamp(if threads > 0.3 { HIGHEST } else { LOWEST }, HIGHEST);
    if settled > highest { cut.max(LOWEST) } else { settled }
}

/// The cut with the dial turned: so much more, or less, must be said for a block, in logarithms of odds.
pub(crate) fn leaned(cut: f32, balance: Balance) -> f32 {
    /// e to the power of 1.5.
    const TIMES: f32 = 4.48;
    let odds = cut / (1.0 - cut).max(1e-6);
    let odds = match balance {
        Balance::Even => return cut,
        Balance::Precision => odds * TIMES,
        Balance::Recall => odds / TIMES,
    };
    odds / (1.0 + odds)
}
