//! Paired comparison of two tools: difference with confidence interval, and significance.
//!
//! Tools are compared page by page, since pages that are hard for one tend to be hard for the other. The metric is the
//! one of the tables: a mean over pages or a quotient of sums. The confidence interval is a bootstrap over pages. The
//! p-value is from a permutation test: the tools are swapped at random on each page, and differences at least as large
//! as the observed one are counted.

use serde::Serialize;

use crate::evaluation::ToolResult;
use crate::figure::{Figure, quotient};
use crate::sample::{Chance, SAMPLES, interval};
use crate::summary::Estimate;

/// Permutations of the test.
pub(crate) const SWAPS: usize = 10_000;

/// Two tools on the same pages.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Pair {
    /// Pages for which both have a value.
    pub pages: usize,
    /// The first tool's value minus the second's.
    pub difference: Estimate,
    /// The p-value of the permutation test.
    pub p_value: f64,
    /// Pages on which the first is better.
    pub better: usize,
    /// Pages on which the second is better.
    pub worse: usize,
    /// Pages on which they are equal or one has no value.
    pub equal: usize,
}

/// What two tools add to numerator and denominator on one page.
type Shares = [(f64, f64); 2];

impl Pair {
    /// Compares two tools on one set by a metric.
    pub fn of(first: &ToolResult, second: &ToolResult, figure: Figure) -> Pair {
        let both = first.scores.iter().zip(&second.scores);
        let shares: Vec<Shares> =
            both.filter_map(|(a, b)| Some([figure.share(a)?, figure.share(b)?])).collect();
        Pair::of_shares(&shares)
    }

    /// Compares means over pages.
    #[cfg(test)]
    fn of_values(first: &[f64], second: &[f64]) -> Pair {
        let shares: Vec<Shares> = first.iter().zip(second).map(|(a, b)| [(*a, 1.0), (*b, 1.0)]).collect();
        Pair::of_shares(&shares)
    }

    fn of_shares(pages: &[Shares]) -> Pair {
        let value = difference(pages.iter()).unwrap_or_default();
        let mut chance = Chance::new();
        let drawn = (0..SAMPLES)
            .filter_map(|_| difference((0..pages.len()).map(|_| &pages[chance.below(pages.len())])));
        let (low, high) = interval(drawn.collect());
        let leads: Vec<f64> = pages.iter().filter_map(|page| difference([page].into_iter())).collect();
        let (better, worse) =
            (leads.iter().filter(|it| **it > 0.0).count(), leads.iter().filter(|it| **it < 0.0).count());
        Pair {
            pages: pages.len(),
            difference: Estimate { value, low, high },
            p_value: p_value(pages, value.abs()),
            better,
            worse,
            equal: pages.len() - better - worse,
        }
    }
}

/// The first tool's value over some pages minus the second's; `None` if one has no value.
fn difference<'p>(pages: impl Iterator<Item = &'p Shares>) -> Option<f64> {
    let mut sums = [(0.0, 0.0); 2];
    for page in pages {
        for (sum, share) in sums.iter_mut().zip(page) {
            *sum = (sum.0 + share.0, sum.1 + share.1);
        }
    }
    let [first, second] = sums.map(|(above, below)| quotient(above, below));
    Some(first? - second?)
}

/// The share of permutations, including the observed one, with at least the observed difference.
fn p_value(pages: &[Shares], seen: f64) -> f64 {
    let mut chance = Chance::new();
    // Tolerance: sums in another order differ in the last digits.
    let seen = seen - 1e-10;
    let all = pages.iter().flatten().fold((0.0, 0.0), |sum, share| (sum.0 + share.0, sum.1 + share.1));
    let swapped = |chance: &mut Chance| {
        // The second tool gets the rest.
        let (mut above, mut below) = (0.0, 0.0);
        for chunk in pages.chunks(64) {
            let bits = chance.bits();
            for (place, page) in chunk.iter().enumerate() {
                let share = page[(bits >> place & 1) as usize];
                (above, below) = (above + share.0, below + share.1);
            }
        }
        let (one, other) = (quotient(above, below), quotient(all.0 - above, all.1 - below));
        one.zip(other).map_or(0.0, |(one, other)| (one - other).abs())
    };
    let extreme = (0..SWAPS).filter(|_| swapped(&mut chance) >= seen).count();
    (extreme + 1) as f64 / (SWAPS + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::PageScore;
    use crate::segments::{SegmentCounts, SegmentScore};

    #[test]
    fn equal_tools_do_not_differ() {
        let values = [0.1, 0.5, 0.9];
        let pair = Pair::of_values(&values, &values);
        assert_eq!((pair.difference.value, pair.p_value, pair.equal), (0.0, 1.0, 3));
    }

    #[test]
    fn a_difference_on_every_page_is_significant() {
        let first: Vec<f64> = (0..40).map(|page| 0.5 + f64::from(page) / 100.0).collect();
        let second: Vec<f64> = first.iter().map(|value| value - 0.01).collect();
        let pair = Pair::of_values(&first, &second);
        assert!(pair.p_value < 0.001 && pair.difference.low > 0.0, "{pair:?}");
        let back = Pair::of_values(&second, &first);
        assert!((back.p_value - pair.p_value).abs() < 1e-12 && back.worse == 40);
    }

    #[test]
    fn a_difference_on_few_pages_is_not_significant() {
        // Of the eight permutations of three pages, two are as extreme.
        let pair = Pair::of_values(&[0.9, 0.9, 0.9], &[0.1, 0.1, 0.1]);
        assert!((pair.p_value - 0.25).abs() < 0.02, "{pair:?}");
    }

    #[test]
    fn no_pages() {
        assert_eq!(Pair::of_values(&[], &[]).pages, 0);
    }

    #[test]
    fn segments_are_compared_by_sums_as_in_the_tables() {
        // One page with a hundred segments and three with one: the first tool wins by pages, the second by segments.
        let page = |present: usize, of: usize| PageScore {
            segments: Some(SegmentScore {
                exact: SegmentCounts { present, missing: of - present, ..SegmentCounts::default() },
                ..SegmentScore::default()
            }),
            ..PageScore::default()
        };
        let tool = |scores: Vec<PageScore>| ToolResult {
            name: String::new(),
            trial: None,
            outputs: vec![None; scores.len()],
            scores,
        };
        let first = tool(vec![page(10, 100), page(1, 1), page(1, 1), page(1, 1)]);
        let second = tool(vec![page(90, 100), page(0, 1), page(0, 1), page(0, 1)]);
        for figure in [Figure::SegmentF1, Figure::SegmentRecall] {
            let value = |tool: &ToolResult| tool.summary().figure(figure).unwrap().value;
            let pair = Pair::of(&first, &second, figure);
            assert!((pair.difference.value - (value(&first) - value(&second))).abs() < 1e-12, "{pair:?}");
            assert_eq!((pair.better, pair.worse), (3, 1));
        }
    }
}
