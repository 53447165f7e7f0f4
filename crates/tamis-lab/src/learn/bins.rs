//! Features as small numbers: which of up to 255 ranges a value falls into. Trees that are grown on ranges need no sorting.

use crate::parallel;

/// A table of features, by column.
pub(crate) struct Bins {
    /// The values between the ranges of each feature.
    pub(crate) cuts: Vec<Vec<f32>>,
    /// The range of each row, a list a feature.
    pub(crate) columns: Vec<Vec<u8>>,
}

/// How many ranges a feature has at most.
pub(crate) const MOST: usize = 200;
/// So many rows are enough to choose ranges by.
const SAMPLE: usize = 200_000;

impl Bins {
    /// From rows of `width` values, one behind the other.
    pub(crate) fn of(values: &[f32], width: usize, threads: usize) -> Bins {
        let features: Vec<usize> = (0..width).collect();
        let rows = values.len() / width.max(1);
        let value = |row: usize, feature: usize| values[row * width + feature];
        let done = parallel::map(&features, threads, |_, feature| {
            let step = rows.div_ceil(SAMPLE).max(1);
            let cuts = cuts((0..rows).step_by(step).map(|row| value(row, *feature)).collect());
            let range = |row: usize| cuts.partition_point(|cut| *cut < value(row, *feature)) as u8;
            let column: Vec<u8> = (0..rows).map(range).collect();
            (cuts, column)
        });
        let (cuts, columns) = done.into_iter().unzip();
        Bins { cuts, columns }
    }

    pub(crate) fn width(&self) -> usize {
        self.columns.len()
    }

    pub(crate) fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }
}

/// Cuts half-way between values, so that about as many rows fall into each range.
fn cuts(mut values: Vec<f32>) -> Vec<f32> {
    values.sort_unstable_by(f32::total_cmp);
    let distinct: Vec<(f32, usize)> =
        values.chunk_by(|a, b| a == b).map(|same| (same[0], same.len())).collect();
    let each = if distinct.len() <= MOST { 0.0 } else { values.len() as f32 / MOST as f32 };
    let (mut cuts, mut rows) = (Vec::new(), 0);
    for pair in distinct.windows(2) {
        rows += pair[0].1;
        if rows as f32 >= each {
            cuts.push(pair[0].0 / 2.0 + pair[1].0 / 2.0);
            rows = 0;
        }
    }
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_have_a_range_each() {
        let bins = Bins::of(&[1.0, 5.0, 2.0, 5.0, 1.0, 7.0], 2, 1);
        assert_eq!(bins.cuts, [vec![1.5], vec![6.0]]);
        assert_eq!(bins.columns, [vec![0, 1, 0], vec![0, 0, 1]]);
    }

    #[test]
    fn many_values_share_ranges_evenly() {
        let values: Vec<f32> = (0..10_000).map(|number| (number * 7919 % 10_000) as f32).collect();
        let bins = Bins::of(&values, 1, 2);
        assert!(bins.cuts[0].len() < MOST && bins.cuts[0].len() > MOST / 2);
        let mut rows = vec![0; 256];
        bins.columns[0].iter().for_each(|range| rows[usize::from(*range)] += 1);
        assert!(rows.iter().all(|rows| *rows <= 2 * values.len() / MOST + 1), "{rows:?}");
    }
}
