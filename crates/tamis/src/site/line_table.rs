//! How often each line of a site has been seen: the second stage of the line-text method.
//!
//! Copyright notices and "comments are the reader's own" have punctuation like prose, so a page alone cannot tell
//! them from it. Across pages of one site they stand out: they recur, and prose does not.

use xxhash_rust::xxh3::xxh3_128;

use crate::hashing::NumberMap;

/// Lines are forgotten whenever this many further pages have been taken in, and those go that were seen on no more
/// than one page in this many: `LC <= RC / 100` (the paper, section 2.2).
const PRUNE_EVERY: u32 = 100;

/// The table from a line's 128-bit digest to `LC`, the number of times it was seen.
///
/// The paper takes MD5; any good 128-bit digest does the same, and this one (XXH3) is quicker.
///
/// The table stays small however many pages come. After pruning at `RC` pages, each line left has been seen more than
/// `RC / 100` times, so with at most `n` lines a page fewer than `100 n` are left; until the next pruning at most
/// `100 n` join them. It never holds more than `200 n` lines.
///
/// ```
/// use tamis::site::LineTable;
///
/// let mut table = LineTable::new(50);
/// assert_eq!(table.page(["All rights reserved.", "It rained."]), [true, true]);
/// assert_eq!(table.page(["All rights reserved.", "It snowed."]), [false, true]);
/// assert_eq!((table.pages(), table.len()), (2, 3));
/// assert!(!table.is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct LineTable {
    seen: NumberMap<u128, u32>,
    /// RC: the pages taken in.
    pages: u32,
    /// L: one more sighting is allowed for every so many pages.
    l: u32,
}

impl LineTable {
    /// An empty table. `l` is the paper's L: a line may recur once more for every `l` pages; 0 counts as 1.
    pub fn new(l: u32) -> LineTable {
        LineTable { seen: NumberMap::default(), pages: 0, l: l.max(1) }
    }

    /// Takes in a page line by line and says which lines to keep: the published form, in which the order of pages
    /// matters and the first ones keep their noise.
    pub fn page<'l>(&mut self, lines: impl IntoIterator<Item = &'l str>) -> Vec<bool> {
        self.page_of_digests(lines.into_iter().map(LineTable::digest))
    }

    /// As [`LineTable::page`], where only the [digests](LineTable::digest) of the lines are at hand.
    ///
    /// ```
    /// use tamis::site::LineTable;
    ///
    /// let mut table = LineTable::new(50);
    /// table.page(["All rights reserved."]);
    /// assert_eq!(table.page_of_digests([LineTable::digest("All rights reserved.")]), [false]);
    /// ```
    pub fn page_of_digests(&mut self, lines: impl IntoIterator<Item = u128>) -> Vec<bool> {
        let allowed = self.allowed();
        let kept = lines
            .into_iter()
            .map(|line| {
                let lc = self.seen.entry(line).or_insert(0);
                *lc = lc.saturating_add(1);
                *lc <= allowed
            })
            .collect();
        self.pages = self.pages.saturating_add(1);
        if self.pages.is_multiple_of(PRUNE_EVERY) {
            let rare = self.pages / PRUNE_EVERY;
            self.seen.retain(|_, lc| *lc > rare);
        }
        kept
    }

    /// LC of each line, were this page the next one: sightings on the pages taken in, and on this page so far. The
    /// table itself does not change, so that a page can be judged by what all others have shown, whatever their order.
    ///
    /// ```
    /// use tamis::site::LineTable;
    ///
    /// let mut table = LineTable::new(50);
    /// table.page(["All rights reserved."]);
    /// assert_eq!(table.counts(["All rights reserved.", "Ha!", "Ha!"]), [2, 1, 2]);
    /// ```
    pub fn counts<'l>(&self, lines: impl IntoIterator<Item = &'l str>) -> Vec<u32> {
        let mut here: NumberMap<u128, u32> = NumberMap::default();
        let count = |line| {
            let digest = LineTable::digest(line);
            let here = here.entry(digest).or_insert(0);
            *here += 1;
            self.seen.get(&digest).copied().unwrap_or(0).saturating_add(*here)
        };
        lines.into_iter().map(count).collect()
    }

    /// What a line is known by. It is the same on every machine and in every version.
    ///
    /// ```
    /// use tamis::site::LineTable;
    ///
    /// assert_ne!(LineTable::digest("It rained."), LineTable::digest("It snowed."));
    /// ```
    pub fn digest(line: &str) -> u128 {
        xxh3_128(line.as_bytes())
    }

    /// The largest LC with which a line of the next page is kept: `int(1 + RC / L)`.
    ///
    /// ```
    /// assert_eq!(tamis::site::LineTable::new(50).allowed(), 1);
    /// ```
    pub fn allowed(&self) -> u32 {
        1 + self.pages / self.l
    }

    /// RC: how many pages have been taken in.
    pub fn pages(&self) -> u32 {
        self.pages
    }

    /// How many lines the table holds.
    pub fn len(&self) -> usize {
        self.seen.len()
    }

    /// Does it hold no line?
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_on_every_page_is_kept_on_the_first_only() {
        let mut table = LineTable::new(50);
        for page in 1..=50 {
            let fresh = format!("Line of page {page}.");
            assert_eq!(table.page(["On every page.", &fresh]), [page == 1, true], "page {page}");
        }
    }

    #[test]
    fn after_fifty_pages_a_second_sighting_is_allowed() {
        let mut table = LineTable::new(50);
        for page in 1..=50 {
            let fresh = format!("Line of page {page}.");
            table.page([fresh.as_str()]);
        }
        assert_eq!(table.allowed(), 2);
        assert_eq!(table.page(["Line of page 7.", "Line of page 7."]), [true, false]);
    }

    #[test]
    fn the_table_does_not_grow_with_the_pages() {
        const FRESH: usize = 20;
        const REPEATED: usize = 5;
        let mut table = LineTable::new(50);
        let mut largest = 0;
        for page in 0..10_000 {
            let mut lines: Vec<String> =
                (0..FRESH).map(|line| format!("Line {line} of page {page}.")).collect();
            lines.extend((0..REPEATED).map(|line| format!("Line {line} of every page.")));
            let kept = table.page(lines.iter().map(String::as_str));
            assert!(kept[..FRESH].iter().all(|&kept| kept));
            assert!(page == 0 || kept[FRESH..].iter().all(|&kept| !kept));
            largest = largest.max(table.len());
        }
        // A fresh line lives until the next pruning, so: those of a hundred pages, and the repeated ones. That is
        // well within the bound for any pages, 200 lines for each line of a page.
        assert!(largest <= 100 * FRESH + REPEATED, "{largest}");
        assert_eq!(table.len(), REPEATED, "10,000 pages end with a pruning");
    }

    #[test]
    fn no_run_of_pages_breaks_the_general_bound() {
        // The worst case keeps each line just often enough to survive the pruning.
        const LINES: u32 = 10;
        let mut table = LineTable::new(50);
        for page in 0..3_000_u32 {
            let period = 100 * LINES / (page / 100 + 2);
            let lines: Vec<String> =
                (0..LINES).map(|line| ((page * LINES + line) % period).to_string()).collect();
            table.page(lines.iter().map(String::as_str));
            assert!(table.len() <= 200 * LINES as usize);
        }
    }

    #[test]
    fn judging_does_not_change_the_table() {
        let mut table = LineTable::new(50);
        table.page(["a.", "b."]);
        let before = (table.pages(), table.len());
        assert_eq!(table.counts(["a.", "c."]), [2, 1]);
        assert_eq!((table.pages(), table.len()), before);
    }
}
