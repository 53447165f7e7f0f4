//! The feature matrix of a training: one byte per value.

use crate::parallel;

/// Quantisation: a feature has at most this many bins.
pub(super) const MAX_BINS: usize = 128;
/// Rows from which the bins are chosen.
const SAMPLE: usize = 100_000;
/// Features quantised together: their values share a cache line.
const GROUP: usize = 16;

/// A quantised feature matrix, column by column.
#[derive(Default)]
pub(super) struct Matrix {
    /// Upper bounds of the bins of each feature; a value above the last one is in the last bin.
    pub(super) cuts: Vec<Vec<f32>>,
    /// The bin of each row, per feature.
    pub(super) columns: Vec<Vec<u8>>,
}

impl Matrix {
    /// Quantises chunks of row-major values with `width` values a row.
    pub(super) fn new(chunks: &[Vec<f32>], width: usize, threads: usize) -> Matrix {
        let groups: Vec<usize> = (0..width).step_by(GROUP).collect();
        let rows = || chunks.iter().flat_map(|chunk| chunk.chunks_exact(width));
        let quantised = parallel::map(&groups, threads, |_, first| {
            let end = (first + GROUP).min(width);
            let mut values: Vec<Vec<f32>> = vec![Vec::new(); end - first];
            for row in rows() {
                values.iter_mut().zip(&row[*first..end]).for_each(|(column, value)| column.push(*value));
            }
            values.iter().map(|values| quantise(values)).collect::<Vec<_>>()
        });
        let (cuts, columns) = quantised.into_iter().flatten().unzip();
        Matrix { cuts, columns }
    }

    pub(super) fn width(&self) -> usize {
        self.columns.len()
    }

    pub(super) fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }
}

fn quantise(values: &[f32]) -> (Vec<f32>, Vec<u8>) {
    let step = values.len().div_ceil(SAMPLE).max(1);
    let cuts = cuts(values.iter().copied().step_by(step).collect());
    let bins = values.iter().map(|value| cuts.partition_point(|cut| cut < value) as u8).collect();
    (cuts, bins)
}

/// Cuts halfway between neighbouring values, so that bins hold about equally many rows.
fn cuts(mut values: Vec<f32>) -> Vec<f32> {
    values.sort_unstable_by(f32::total_cmp);
    let distinct: Vec<(f32, usize)> =
        values.chunk_by(|a, b| a == b).map(|same| (same[0], same.len())).collect();
    let (mut cuts, mut rows) = (Vec::new(), 0);
    let (mut rows_left, mut bins_left) = (values.len(), MAX_BINS);
    for pair in distinct.windows(2) {
        rows += pair[0].1;
        // Values frequent enough for a bin of their own leave fewer rows to the others.
        let share = if distinct.len() <= MAX_BINS { 0.0 } else { rows_left as f32 / bins_left as f32 };
        if rows as f32 >= share && bins_left > 1 {
            cuts.push(pair[0].0 / 2.0 + pair[1].0 / 2.0);
            (rows_left, bins_left, rows) = (rows_left - rows, bins_left - 1, 0);
        }
    }
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_distinct_values_get_a_bin_each() {
        let matrix = Matrix::new(&[vec![1.0, 5.0, 2.0, 5.0], vec![1.0, 7.0]], 2, 1);
        assert_eq!(matrix.cuts, [vec![1.5], vec![6.0]]);
        assert_eq!(matrix.columns, [vec![0, 1, 0], vec![0, 0, 1]]);
    }

    #[test]
    fn many_values_share_bins_evenly() {
        let values: Vec<f32> = (0..10_000).map(|number| (number * 7919 % 10_000).max(5000) as f32).collect();
        let matrix = Matrix::new(&[values], 1, 2);
        let mut rows = [0; MAX_BINS];
        matrix.columns[0].iter().for_each(|bin| rows[usize::from(*bin)] += 1);
        assert!(rows[0] >= 5000 && rows[1..].iter().all(|rows| *rows <= 80), "{rows:?}");
    }
}
