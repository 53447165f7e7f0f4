//! Growing tables by the estimated need of the rest of the page.
//!
//! Doubling wastes memory, and the nodes of a page are the largest table. The entries used by the part of the page that
//! was read give a better estimate of the final size.

/// The number of entries to reserve if `used` are full after `read` of `length` bytes: as many as the page will
/// need at the same rate and a little more, but always enough to keep growth linear.
pub(crate) fn forecast(used: usize, read: usize, length: usize) -> usize {
    let expected = (used as u128 * length as u128 / read.max(1) as u128) as usize;
    // At most double, since only the start of a page may be dense.
    let expected = (expected + expected / 32).min(2 * used);
    expected.max(used + used / 8) + 16
}

#[cfg(test)]
mod tests {
    use super::forecast;

    #[test]
    fn it_follows_the_page_within_bounds() {
        assert_eq!(forecast(1000, 50_000, 80_000), 1666, "eight fifths, and a little more");
        assert_eq!(forecast(1000, 79_000, 80_000), 1141, "near the end at least an eighth more");
        assert_eq!(forecast(1000, 10, 80_000), 2016, "never more than twice");
        assert_eq!(forecast(0, 0, 0), 16);
    }
}
