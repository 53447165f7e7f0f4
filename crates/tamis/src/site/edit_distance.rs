//! Whether two texts are near, without working out how far apart they are when they are not.

/// Is the edit distance (characters put in, taken out or replaced) of two texts at most `limit`?
///
/// Equal ends are cut off first, for near texts share most of theirs. Of the table that is left only the diagonals
/// within the limit can matter, and as soon as a whole row is over it the answer is no.
pub(crate) fn within(a: &[char], b: &[char], limit: usize) -> bool {
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
        // Left of the band stands nothing that could still come within the limit.
        let left_of_band = from.saturating_sub(1);
        let mut diagonal = row[left_of_band];
        let mut left = if from == 0 { i + 1 } else { over };
        row[left_of_band] = left;
        let mut least = left;
        for j in from.max(1)..=to {
            let above = if j == i + 1 + limit { over } else { row[j] };
            let replaced = diagonal + usize::from(character != long[j - 1]);
            let value = replaced.min(above + 1).min(left + 1).min(over);
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

    /// The distance by the textbook's table.
    fn plain(a: &[char], b: &[char]) -> usize {
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
        fn it_agrees_with_the_plain_table(a in "[ab字]{0,40}", b in "[ab字]{0,40}", limit in 0_usize..12) {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            prop_assert_eq!(within(&a, &b, limit), plain(&a, &b) <= limit);
        }

        #[test]
        fn it_agrees_on_texts_that_are_near(
            a in "[abcdef]{1,120}",
            edits in prop::collection::vec((0_usize..120, 0_u8..3, "[a-z]"), 0..9),
            limit in 0_usize..10,
        ) {
            let a: Vec<char> = a.chars().collect();
            let mut b = a.clone();
            for (at, kind, new) in edits {
                let at = at % (b.len() + 1);
                let new = new.chars().next().unwrap();
                match kind {
                    0 => b.insert(at, new),
                    1 if at < b.len() => b[at] = new,
                    _ if at < b.len() => { b.remove(at); }
                    _ => {}
                }
            }
            prop_assert_eq!(within(&a, &b, limit), plain(&a, &b) <= limit);
        }
    }
}
