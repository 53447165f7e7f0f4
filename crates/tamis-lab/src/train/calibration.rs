//! Confidence calibration: the achieved F1 as an isotonic function of the expected one.

const BINS: usize = 24;

/// Expected F1, achieved F1 and weight of a page.
type Sample = (f32, f32, f32);

/// Fits calibration points (expected, achieved).
pub(super) fn fit(samples: Vec<Sample>) -> Vec<(f32, f32)> {
    // Pool adjacent violators.
    let mut pools: Vec<(f64, f64, f64)> = Vec::new();
    for mut pool in weighted_bins(samples, BINS) {
        while let Some(last) = pools.last().copied().filter(|last| last.1 >= pool.1 || last.0 >= pool.0) {
            pools.pop();
            let weight = last.2 + pool.2;
            let merged = |last: f64, own: f64, last_weight: f64, own_weight: f64| {
                (last * last_weight + own * own_weight) / weight
            };
            pool = (merged(last.0, pool.0, last.2, pool.2), merged(last.1, pool.1, last.2, pool.2), weight);
        }
        pools.push(pool);
    }
    let mut points: Vec<(f32, f32)> = pools.iter().map(|pool| (pool.0 as f32, pool.1 as f32)).collect();
    points.dedup_by(|next, previous| next.0 <= previous.0);
    points
}

/// Mean expected and achieved F1 in `count` bins of equally many samples, by expected F1.
pub(super) fn bins(samples: Vec<Sample>, count: usize) -> Vec<(f64, f64)> {
    weighted_bins(samples, count).into_iter().map(|bin| (bin.0, bin.1)).collect()
}

fn weighted_bins(mut samples: Vec<Sample>, count: usize) -> Vec<(f64, f64, f64)> {
    samples.retain(|sample| sample.2 > 0.0);
    samples.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mean = |samples: &[Sample]| {
        let sum = samples.iter().fold((0.0, 0.0, 0.0), |sum, one| {
            let weight = f64::from(one.2);
            (sum.0 + weight * f64::from(one.0), sum.1 + weight * f64::from(one.1), sum.2 + weight)
        });
        (sum.0 / sum.2, sum.1 / sum.2, sum.2)
    };
    let size = samples.len().div_ceil(count).max(1);
    samples.chunks(size).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_ascend_and_follow_the_samples() {
        let samples = (0..2400).map(|n| {
            let expected = n as f32 / 2400.0;
            (expected, expected * expected + if n % 2 == 0 { 0.05 } else { -0.05 }, 1.0)
        });
        let points = fit(samples.collect());
        assert!(points.len() > 10);
        assert!(points.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
        assert!(points.iter().all(|point| (point.1 - point.0 * point.0).abs() < 0.02));
        assert!(fit(Vec::new()).is_empty());
    }
}
