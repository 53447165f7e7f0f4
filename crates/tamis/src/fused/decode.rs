//! From probabilities to a decision: the cut that promises the highest F of the page.

/// The cut, and the F that can be expected of it. `probabilities` and `weights` (words) are those of the blocks.
pub fn best_cut(probabilities: &[f32], weights: &[f32]) -> (f32, f32) {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|a, b| probabilities[*b].total_cmp(&probabilities[*a]).then(a.cmp(b)));
    let wanted: f64 = probabilities.iter().zip(weights).map(|(p, w)| f64::from(*p) * f64::from(*w)).sum();
    let (mut right, mut kept) = (0.0, 0.0);
    let mut best = (1.0, 0.0);
    for at in order {
        right += f64::from(probabilities[at]) * f64::from(weights[at]);
        kept += f64::from(weights[at]);
        let f = 2.0 * right / (kept + wanted).max(1e-9);
        if f > best.1 {
            best = (f64::from(probabilities[at]), f);
        }
    }
    (best.0 as f32, best.1 as f32)
}
