//! How many more are to come: growing tables by what the rest of the page is likely to need.
//!
//! Doubling a table wastes half of it on average, and a page's nodes are the largest table there is. How far the page
//! has been read, and how much of the table that took, tells better how large it will be.

/// How many entries to make room for, when `used` are full after `read` of `length` bytes: as many as the page will
/// need if it goes on as before and a little more, but always enough to keep growth linear.
pub(crate) fn forecast(used: usize, read: usize, length: usize) -> usize {
    let expected = (used as u128 * length as u128 / read.max(1) as u128) as usize;
    // A dense beginning is no reason to take more than twice the room at once.
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
