//! Bounded edit distance.

/// Whether the edit distance (insertions, deletions, substitutions) of two texts is at most `limit`.
///
/// Skips common prefixes and suffixes, computes only the diagonals within `limit`, and stops once a whole row exceeds
/// it.
pub(super) fn within(a: &[char], b: &[char], limit: usize) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if long.len() - short.len() > limit {
        return false;
    }
    let prefix = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let (short, long) = (&short[prefix..], &long[prefix..]);
    let suffix = short.iter().rev().zip(long.iter().rev()).take_while(|(a, b)| a == b).count();
    let (short, long) = (&short[..short.len() - suffix], &long[..long.len() - suffix]);
    if short.is_empty() || limit == 0 {
        return long.len() <= limit;
    }
    let over = limit + 1;
    // row[j] is the distance of the first i characters of `short` and the first j of `long`.
    let mut row: Vec<usize> = (0..=long.len()).map(|j| j.min(over)).collect();
    for (i, &character) in short.iter().enumerate() {
        let from = (i + 1).saturating_sub(limit);
        let to = (i + 1 + limit).min(long.len());
        let left_of_band = from.saturating_sub(1);
        let mut diagonal = row[left_of_band];
        let mut left = if from == 0 { i + 1 } else { over };
        row[left_of_band] = left;
        let mut least = left;
        for j in from.max(1)..=to {
            let above = if j == i + 1 + limit { over } else { row[j] };
            let substituted = diagonal + usize::from(character != long[j - 1]);
            let value = substituted.min(above + 1).min(left + 1).min(over);
            diagonal = row[j];
            row[j] = value;
            left = value;
            least = least.min(value);
        }
        if least > limit {
            return false;
        }
    }
    row[long.len()] <= limit
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn full_table(a: &[char], b: &[char]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let value = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
                diagonal = row[j + 1];
                row[j + 1] = value;
            }
        }
        row[b.len()]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn agrees_with_the_full_table(a in "[ab字]{0,40}", b in "[ab字]{0,40}", limit in 0_usize..12) {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            prop_assert_eq!(within(&a, &b, limit), full_table(&a, &b) <= limit);
        }
    }
}
