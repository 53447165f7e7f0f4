//! Do two tools differ, or is it chance?
//!
//! Both are compared page by page, since a page that is hard for one tends to be hard for the other. The interval of the mean
//! difference is a bootstrap over pages; the p-value comes from swapping the two tools' names at random on each page: how
//! often is the difference then at least as large as the one seen?

use serde::Serialize;

use crate::evaluation::ToolResult;
use crate::figure::Figure;
use crate::sample::{Chance, SAMPLES, quantile};
use crate::summary::Estimate;

/// How often names are swapped.
pub const SWAPS: usize = 10_000;

/// Two tools on the same pages.
///
/// ```
/// use tamis_lab::Pair;
///
/// let pair = Pair::of_values(&[0.9, 0.8, 0.95, 0.7], &[0.7, 0.8, 0.9, 0.6]);
/// assert_eq!((pair.better, pair.worse, pair.equal), (3, 0, 1));
/// assert!(pair.difference.value > 0.08);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Pair {
    /// Pages that both have a figure for.
    pub pages: usize,
    /// The first tool's mean minus the second's.
    pub difference: Estimate,
    /// How likely so large a difference would be if it made no difference which tool is which.
    pub p_value: f64,
    /// Pages on which the first is better.
    pub better: usize,
    /// Pages on which the second is.
    pub worse: usize,
    /// Pages on which they are equal.
    pub equal: usize,
}

impl Pair {
    /// Compares two tools of one set by a figure that every page has for itself, such as [`Figure::TokenF1`].
    pub fn of(first: &ToolResult, second: &ToolResult, figure: Figure) -> Pair {
        let value =
            |page| figure.share(page).map(|(above, below)| if below == 0.0 { 0.0 } else { above / below });
        let both = first.scores.iter().zip(&second.scores).filter_map(|(a, b)| Some((value(a)?, value(b)?)));
        let (first, second): (Vec<f64>, Vec<f64>) = both.unzip();
        Pair::of_values(&first, &second)
    }

    /// Compares values page by page.
    pub fn of_values(first: &[f64], second: &[f64]) -> Pair {
        let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| a - b).collect();
        let pages = differences.len();
        let sum: f64 = differences.iter().sum();
        let mean = |sum: f64| sum / pages.max(1) as f64;
        let mut chance = Chance::new();
        let mut drawn: Vec<f64> =
            (0..SAMPLES).map(|_| mean((0..pages).map(|_| differences[chance.below(pages)]).sum())).collect();
        drawn.sort_unstable_by(f64::total_cmp);
        Pair {
            pages,
            difference: Estimate {
                value: mean(sum),
                low: quantile(&drawn, 0.025).unwrap_or_default(),
                high: quantile(&drawn, 0.975).unwrap_or_default(),
            },
            p_value: p_value(&differences, sum.abs()),
            better: differences.iter().filter(|it| **it > 0.0).count(),
            worse: differences.iter().filter(|it| **it < 0.0).count(),
            equal: differences.iter().filter(|it| **it == 0.0).count(),
        }
    }
}

/// The share of swaps, the one seen among them, that differ at least as much.
fn p_value(differences: &[f64], seen: f64) -> f64 {
    let mut chance = Chance::new();
    // Sums in another order differ in the last digits.
    let seen = seen - 1e-9;
    let swapped = |chance: &mut Chance| {
        let sums = differences.chunks(64).map(|chunk| {
            let bits = chance.bits();
            let signed = |(place, value): (usize, &f64)| if bits >> place & 1 == 1 { *value } else { -value };
            chunk.iter().enumerate().map(signed).sum::<f64>()
        });
        sums.sum::<f64>().abs()
    };
    let extreme = (0..SWAPS).filter(|_| swapped(&mut chance) >= seen).count();
    (extreme + 1) as f64 / (SWAPS + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_tool_twice_does_not_differ() {
        let values = [0.1, 0.5, 0.9];
        let pair = Pair::of_values(&values, &values);
        assert_eq!((pair.difference.value, pair.p_value, pair.equal), (0.0, 1.0, 3));
    }

    #[test]
    fn a_difference_on_every_page_is_no_chance() {
        let first: Vec<f64> = (0..40).map(|page| 0.5 + f64::from(page) / 100.0).collect();
        let second: Vec<f64> = first.iter().map(|value| value - 0.01).collect();
        let pair = Pair::of_values(&first, &second);
        assert!(pair.p_value < 0.001 && pair.difference.low > 0.0, "{pair:?}");
        let back = Pair::of_values(&second, &first);
        assert!((back.p_value - pair.p_value).abs() < 1e-12 && back.worse == 40);
    }

    #[test]
    fn few_pages_prove_little() {
        // Of the eight ways to swap three pages, two are as extreme.
        let pair = Pair::of_values(&[0.9, 0.9, 0.9], &[0.1, 0.1, 0.1]);
        assert!((pair.p_value - 0.25).abs() < 0.02, "{pair:?}");
    }

    #[test]
    fn no_pages_are_no_trouble() {
        assert_eq!(Pair::of_values(&[], &[]).pages, 0);
    }
}
