//! The histogram of block lengths: smoothing, the two thresholds, and which blocks are main text (section 1.2.2).

/// How many of the largest values go into Nmark.
const LARGEST: usize = 9;

/// The thresholds, over the smoothed lengths; 0 without text. Nmin is the smallest value above 0, Navg the mean of all.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Thresholds {
    /// N'min = (2 Nmin + Navg) / 3: every block of the main text reaches it.
    pub(super) n_floor: f64,
    /// Nmark = (sum of the nine largest values + Navg) / 10: one block of each main run reaches it.
    pub(super) n_mark: f64,
}

/// s_b = (n_(b-1) + 2 n_b + n_(b+1)) / 4, with 0 beyond either end.
pub(super) fn smooth(lengths: &[u32]) -> Vec<f64> {
    let length =
        |block: Option<usize>| block.and_then(|block| lengths.get(block)).map_or(0.0, |n| f64::from(*n));
    let smooth = |block: usize| {
        (length(block.checked_sub(1)) + 2.0 * length(Some(block)) + length(Some(block + 1))) / 4.0
    };
    (0..lengths.len()).map(smooth).collect()
}

impl Thresholds {
    pub(super) fn of(smoothed: &[f64]) -> Thresholds {
        let mut values: Vec<f64> = smoothed.iter().copied().filter(|value| *value > 0.0).collect();
        values.sort_by(|a, b| b.total_cmp(a));
        let Some(&n_min) = values.last() else { return Thresholds::default() };
        let n_avg = smoothed.iter().sum::<f64>() / smoothed.len() as f64;
        let largest: f64 = values.iter().take(LARGEST).sum();
        let n_mark = (largest + n_avg) / (LARGEST + 1) as f64;
        Thresholds { n_floor: (2.0 * n_min + n_avg) / 3.0, n_mark }
    }
}

/// Which blocks are main text. Rule 1: a maximal run of blocks of at least N'min with one of at least Nmark. Rule 2: a
/// run between two such runs. Together: every run from the first one with a mark to the last.
pub(super) fn main_text(smoothed: &[f64], thresholds: &Thresholds) -> Vec<bool> {
    let mut main = vec![false; smoothed.len()];
    if thresholds.n_mark <= 0.0 {
        return main;
    }
    let is_long = |block: &usize| smoothed[*block] >= thresholds.n_floor;
    let has_mark = |value: &f64| *value >= thresholds.n_mark && *value >= thresholds.n_floor;
    let (Some(first), Some(last)) = (smoothed.iter().position(has_mark), smoothed.iter().rposition(has_mark))
    else {
        return main;
    };
    let start = (0..first).rev().take_while(is_long).last().unwrap_or(first);
    let end = (last..smoothed.len()).take_while(is_long).last().unwrap_or(last);
    for block in (start..=end).filter(is_long) {
        main[block] = true;
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
    fn thresholds_follow_the_papers_formulas() {
        let thresholds = Thresholds::of(&[0.0, 3.0, 12.0, 9.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(thresholds, Thresholds { n_floor: 3.0, n_mark: 3.3 });
        // 12 + 11 + … + 4 = 72, and the mean is 6.5.
        let values: Vec<f64> = (1..=12).map(f64::from).collect();
        let thresholds = Thresholds::of(&values);
        assert_eq!((thresholds.n_mark, thresholds.n_floor), (7.85, 8.5 / 3.0));
    }

    #[test]
    fn a_run_needs_a_mark_or_marked_runs_on_both_sides() {
        let thresholds = Thresholds { n_floor: 2.0, n_mark: 8.0 };
        let values = [3.0, 1.0, 2.0, 8.0, 3.0, 0.0, 3.0, 1.0, 9.0, 1.0, 7.0];
        let main = main_text(&values, &thresholds);
        let kept: Vec<_> = (0..values.len()).filter(|&block| main[block]).collect();
        assert_eq!(kept, [2, 3, 4, 6, 8], "0 and 10 are outside, 6 is between");
    }
}
