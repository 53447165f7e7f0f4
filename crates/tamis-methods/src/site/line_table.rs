//! Counts of a site's lines, for the second stage of `lines`.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_128;

/// Number of pages between prunings, which remove lines with `LC <= RC / 100` (section 2.2).
const PRUNE_EVERY: u32 = 100;

/// From a line's 128-bit digest to LC, the number of times it was seen.
///
/// The paper uses MD5; XXH3 suffices and is faster.
///
/// The table is bounded. After pruning at RC pages, each remaining line was seen more than `RC / 100` times, so with at
/// most `n` lines per page fewer than `100 n` remain. Until the next pruning at most `100 n` are added: `200 n` in all.
#[derive(Clone, Debug, Default)]
pub struct LineTable {
    seen: HashMap<u128, u32>,
    /// RC.
    pages: u32,
}

impl LineTable {
    /// Counts the lines of a page.
    pub fn observe<'l>(&mut self, lines: impl IntoIterator<Item = &'l str>) {
        for line in lines {
            let lc = self.seen.entry(LineTable::digest(line)).or_insert(0);
            *lc = lc.saturating_add(1);
        }
        self.pages = self.pages.saturating_add(1);
        if self.pages.is_multiple_of(PRUNE_EVERY) {
            let rare = self.pages / PRUNE_EVERY;
            self.seen.retain(|_, lc| *lc > rare);
        }
    }

    /// LC of a line on the pages so far.
    pub fn count(&self, line: &str) -> u32 {
        self.seen.get(&LineTable::digest(line)).copied().unwrap_or(0)
    }

    /// The digest of a line. Stored site memories contain it: it must never change.
    pub fn digest(line: &str) -> u128 {
        xxh3_128(line.as_bytes())
    }

    /// RC: the number of pages so far.
    pub fn pages(&self) -> u32 {
        self.pages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_stable() {
        for (line, digest) in [
            ("", 0x99AA_06D3_0147_98D8_6001_C324_468D_497F_u128),
            ("All rights reserved.", 0x1244_EDF4_B70D_8002_70EF_CE32_FC89_EE17),
        ] {
            assert_eq!(LineTable::digest(line), digest, "{:#X}", LineTable::digest(line));
        }
    }

    #[test]
    fn the_table_does_not_grow_with_the_pages() {
        const FRESH: usize = 20;
        const REPEATED: usize = 5;
        let mut table = LineTable::default();
        for page in 0..10_000 {
            let mut lines: Vec<String> =
                (0..FRESH).map(|line| format!("Line {line} of page {page}.")).collect();
            lines.extend((0..REPEATED).map(|line| format!("Line {line} of every page.")));
            assert!(lines[..FRESH].iter().all(|line| table.count(line) == 0));
            assert!(lines[FRESH..].iter().all(|line| table.count(line) == page));
            table.observe(lines.iter().map(String::as_str));
            // Fresh lines live until the next pruning.
            assert!(table.seen.len() <= 100 * FRESH + REPEATED, "{}", table.seen.len());
        }
        assert_eq!(table.seen.len(), REPEATED, "10,000 pages end with a pruning");
    }

    #[test]
    fn no_sequence_of_pages_exceeds_the_general_bound() {
        // The worst case repeats each line just often enough to survive pruning.
        const LINES: u32 = 10;
        let mut table = LineTable::default();
        for page in 0..3_000_u32 {
            let period = 100 * LINES / (page / 100 + 2);
            let lines: Vec<String> =
                (0..LINES).map(|line| ((page * LINES + line) % period).to_string()).collect();
            table.observe(lines.iter().map(String::as_str));
            assert!(table.seen.len() <= 200 * LINES as usize);
        }
    }
}
