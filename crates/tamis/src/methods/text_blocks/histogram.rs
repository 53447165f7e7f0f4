//! The histogram of block lengths: smoothing, the two thresholds, and which blocks are main text (the paper's section
//! 1.2.2).

/// How many of the largest values go into Nmark; the paper: "found by many experiments".
const LARGEST: usize = 9;

/// The numbers that decide, all over the smoothed lengths.
///
/// ```
/// let blocks = tamis::methods::text_blocks::TextBlocks::of("<p>A first line of text.<p>And a second one.");
/// let thresholds = blocks.thresholds();
/// assert!(thresholds.n_min <= thresholds.n_floor && thresholds.n_floor <= thresholds.n_avg);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Thresholds {
    /// Nmin: the smallest value above zero.
    pub n_min: f64,
    /// Navg: the mean of all values.
    pub n_avg: f64,
    /// N'min = (2 Nmin + Navg) / 3: what every block of the main text reaches.
    pub n_floor: f64,
    /// Nmark = (the nine largest values + Navg) / 10: what one block of each main run reaches.
    pub n_mark: f64,
}

/// s_b = (n_(b-1) + 2 n_b + n_(b+1)) / 4; before the first block and behind the last one there is nothing.
pub(super) fn smooth(lengths: &[u32]) -> Vec<f64> {
    let mut before = 0;
    let mut smoothed = Vec::with_capacity(lengths.len());
    for (block, &length) in lengths.iter().enumerate() {
        let after = lengths.get(block + 1).copied().unwrap_or(0);
        smoothed.push((f64::from(before) + 2.0 * f64::from(length) + f64::from(after)) / 4.0);
        before = length;
    }
    smoothed
}

/// The thresholds of a page.
pub(super) fn thresholds(smoothed: &[f64]) -> Thresholds {
    let mut n_min = f64::INFINITY;
    let mut sum = 0.0;
    // Falling; a value goes in before the first smaller one.
    let mut largest = [0.0; LARGEST];
    for &value in smoothed {
        if value <= 0.0 {
            continue;
        }
        n_min = n_min.min(value);
        sum += value;
        if value > largest[LARGEST - 1] {
            let at = largest.partition_point(|&larger| larger >= value);
            largest[at..].rotate_right(1);
            largest[at] = value;
        }
    }
    if sum == 0.0 {
        return Thresholds::default();
    }
    let n_avg = sum / smoothed.len() as f64;
    let n_floor = (2.0 * n_min + n_avg) / 3.0;
    let n_mark = (largest.iter().sum::<f64>() + n_avg) / (LARGEST + 1) as f64;
    Thresholds { n_min, n_avg, n_floor, n_mark }
}

/// Which blocks are main text. Rule 1: a maximal run of blocks of at least N'min that holds one of at least Nmark.
/// Rule 2: a run between two such runs. Together: every run from the first one with a mark to the last.
pub(super) fn main_text(smoothed: &[f64], thresholds: &Thresholds) -> Vec<bool> {
    let mut main = vec![false; smoothed.len()];
    if thresholds.n_min <= 0.0 {
        return main;
    }
    let long_enough = |block: &usize| smoothed[*block] >= thresholds.n_floor;
    let has_mark = |&value: &f64| value >= thresholds.n_mark && value >= thresholds.n_floor;
    let (Some(first), Some(last)) = (smoothed.iter().position(has_mark), smoothed.iter().rposition(has_mark))
    else {
        return main;
    };
    let start = (0..first).rev().take_while(long_enough).last().unwrap_or(first);
    let end = (last..smoothed.len()).take_while(long_enough).last().unwrap_or(last);
    for (main, &value) in main[start..=end].iter_mut().zip(&smoothed[start..=end]) {
        *main = value >= thresholds.n_floor;
    }
    main
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_counts_twice() {
        assert_eq!(smooth(&[4, 8, 0, 0, 12]), [4.0, 5.0, 2.0, 3.0, 6.0]);
        assert_eq!(smooth(&[7]), [3.5]);
        assert!(smooth(&[]).is_empty());
    }

    #[test]
    fn thresholds_by_the_papers_formulas() {
        let values = [0.0, 3.0, 12.0, 9.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let thresholds = thresholds(&values);
        assert_eq!(thresholds.n_min, 3.0);
        assert_eq!(thresholds.n_avg, 3.0);
        assert_eq!(thresholds.n_floor, 3.0);
        assert_eq!(thresholds.n_mark, 3.3);
    }

    #[test]
    fn only_the_nine_largest_mark() {
        let values: Vec<f64> = (1..=12).map(f64::from).collect();
        let thresholds = thresholds(&values);
        // 12 + 11 + … + 4 = 72, and the mean is 6.5.
        assert_eq!(thresholds.n_mark, 7.85);
        assert_eq!(thresholds.n_floor, 8.5 / 3.0);
    }

    #[test]
    fn a_run_needs_a_mark_or_marked_runs_on_both_sides() {
        let thresholds = Thresholds { n_min: 1.0, n_avg: 4.0, n_floor: 2.0, n_mark: 8.0 };
        let values = [3.0, 1.0, 2.0, 8.0, 3.0, 0.0, 3.0, 1.0, 9.0, 1.0, 7.0];
        let main = main_text(&values, &thresholds);
        let kept: Vec<_> = (0..values.len()).filter(|&block| main[block]).collect();
        assert_eq!(
            kept,
            [2, 3, 4, 6, 8],
            "the run at 0 and the one at 10 stand outside, the one at 6 between"
        );
    }

    #[test]
    fn a_page_without_text_has_no_main_text() {
        let values = [0.0; 4];
        assert_eq!(main_text(&values, &thresholds(&values)), [false; 4]);
        assert!(main_text(&[], &thresholds(&[])).is_empty());
    }
}
