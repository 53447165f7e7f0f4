//! The longest common subsequence, 64 cells of the table at a time.
//!
//! The dynamic programme has a table with a row per symbol of one text and a column per symbol of the other. Along a
//! row the values grow by 0 or 1 from cell to cell, so a row is stored as bits: a 0 bit means "grows". Each row follows
//! from the previous one by an addition with carries (Crochemore and others, 2001; Hyyrö, 2004).
//!
//! Four optimisations:
//!
//! - Common prefixes and suffixes are skipped.
//! - A rare symbol touches only the words in which it occurs or a carry arrives.
//! - A frequent symbol touches only the words between the first 1 and the last 0: earlier ones cannot grow any more,
//!   and after the last 0 only the first occurrence matters.
//! - Similar texts stay near the diagonal. A narrow band is tried first; the length it finds bounds the width that is
//!   certainly enough.

/// Unmatched symbols that the first, narrow band allows.
const NARROW: usize = 64;

/// One of the two texts, preprocessed for many comparisons.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    symbols: Vec<u32>,
    /// Where each symbol occurs.
    places: Vec<Places>,
}

/// Where a symbol occurs.
#[derive(Clone, Debug)]
enum Places {
    /// The words in which it occurs, with its bits.
    Few(Vec<(u32, u64)>),
    /// Its bits in every word.
    Many(Vec<u64>),
}

impl Pattern {
    /// Symbols are small numbers: a table is as long as the largest one.
    pub(crate) fn new(symbols: &[u32]) -> Pattern {
        let largest = symbols.iter().max().map_or(0, |largest| *largest as usize + 1);
        let mut places: Vec<Vec<(u32, u64)>> = vec![Vec::new(); largest];
        for (place, symbol) in symbols.iter().enumerate() {
            let (word, bit) = ((place / 64) as u32, 1u64 << (place % 64));
            let places = &mut places[*symbol as usize];
            match places.last_mut().filter(|(last, _)| *last == word) {
                Some((_, bits)) => *bits |= bit,
                None => places.push((word, bit)),
            }
        }
        let words = symbols.len().div_ceil(64);
        let places = places.into_iter().map(|few| Places::of(few, words)).collect();
        Pattern { symbols: symbols.to_vec(), places }
    }

    /// The number of symbols.
    pub(crate) fn len(&self) -> usize {
        self.symbols.len()
    }

    /// The length of the longest common subsequence with another text; its symbols may be any numbers.
    pub(crate) fn common(&self, other: &[u32]) -> usize {
        let same = |(a, b): &(&u32, &u32)| a == b;
        let start = self.symbols.iter().zip(other).take_while(same).count();
        let (mine, theirs) = (&self.symbols[start..], &other[start..]);
        let end = mine.iter().rev().zip(theirs.iter().rev()).take_while(same).count();
        let (mine, theirs) = (mine.len() - end, theirs.len() - end);
        let most = mine.min(theirs);
        let guess = most - most.min(NARROW.max(most / 16));
        let found = self.in_band(&other[start..start + theirs], start, mine, guess);
        // A band that is wide enough for `guess` has found the longest one if that has at least this length.
        let found = if found >= guess {
            found
        } else {
            self.in_band(&other[start..start + theirs], start, mine, found)
        };
        start + found + end
    }

    /// The length of the longest common subsequence of a text and the `columns` symbols from `start`, if it is at least
    /// `least`; otherwise the length of some common subsequence.
    ///
    /// Such a subsequence omits at most the difference on either side, which bounds the distance from the diagonal.
    fn in_band(&self, other: &[u32], start: usize, columns: usize, least: usize) -> usize {
        let (ahead, behind) = (columns - least, other.len() - least);
        // The common prefix grows in every column, and nothing after it has grown.
        let mut row = Row::new(self.symbols.len());
        row.set_grown(start);
        for (line, symbol) in other.iter().enumerate() {
            let last = start + (line + ahead).min(columns.saturating_sub(1));
            row.band = ((start + line.saturating_sub(behind)) / 64, (last / 64 + 1).min(row.bits.len()));
            row.next(self.places_of(*symbol));
        }
        row.grown(start + columns) - start
    }

    /// For each symbol of another text the index of its partner in one longest common subsequence. Needs one bit of
    /// memory per pair of symbols.
    pub(crate) fn align(&self, other: &[u32]) -> Vec<Option<u32>> {
        let words = self.symbols.len().div_ceil(64);
        let mut rows: Vec<u64> = Vec::with_capacity(words * other.len());
        let mut row = Row::new(self.symbols.len());
        for symbol in other {
            row.next(self.places_of(*symbol));
            rows.extend_from_slice(&row.bits);
        }
        let grows = |line: usize, column: usize| rows[line * words + column / 64] >> (column % 64) & 1 == 0;
        let mut partners = vec![None; other.len()];
        // `column` counts the symbols that are still free.
        let mut column = self.symbols.len();
        for line in (0..other.len()).rev() {
            while column > 0 && !grows(line, column - 1) {
                column -= 1;
            }
            // The subsequence grows in this column. If it also grows in the previous row, that row has the partner.
            if column > 0 && (line == 0 || !grows(line - 1, column - 1)) {
                column -= 1;
                partners[line] = Some(column as u32);
            }
        }
        partners
    }

    fn places_of(&self, symbol: u32) -> Option<&Places> {
        self.places.get(symbol as usize)
    }
}

impl Places {
    /// From a quarter of the words on, a dense table is faster than a list.
    fn of(few: Vec<(u32, u64)>, words: usize) -> Places {
        if few.len() * 4 < words {
            return Places::Few(few);
        }
        let mut many = vec![0; words];
        for (word, bits) in few {
            many[word as usize] = bits;
        }
        Places::Many(many)
    }
}

/// A row of the table.
struct Row {
    bits: Vec<u64>,
    /// Words before this index are all zeros.
    low: usize,
    /// Words from this index on are all ones.
    high: usize,
    /// The range of words to process. Both ends only grow. Words before it stay unchanged; words after it are still all
    /// ones, so `high` is never beyond.
    band: (usize, usize),
}

impl Row {
    fn new(columns: usize) -> Row {
        let words = columns.div_ceil(64);
        Row { bits: vec![u64::MAX; words], low: 0, high: 0, band: (0, words) }
    }

    /// Marks the first columns as growing.
    fn set_grown(&mut self, columns: usize) {
        self.bits[..columns / 64].fill(0);
        if let Some(word) = self.bits.get_mut(columns / 64) {
            *word = u64::MAX << (columns % 64);
        }
        self.high = (columns / 64 + 1).min(self.bits.len());
    }

    /// Advances to the row of the next symbol; an unknown symbol changes nothing.
    fn next(&mut self, places: Option<&Places>) {
        match places {
            Some(Places::Few(few)) => self.next_of_few(few),
            Some(Places::Many(many)) => self.next_of_many(many),
            None => {}
        }
    }

    fn next_of_few(&mut self, places: &[(u32, u64)]) {
        let mut carry = false;
        for (at, (word, mask)) in places.iter().enumerate() {
            let word = *word as usize;
            if word >= self.high {
                if !carry && word < self.band.1 {
                    self.grow_behind(word, *mask);
                }
                return;
            }
            let old = self.bits[word];
            let (sum, over) = old.carrying_add(old & mask, carry);
            self.bits[word] = sum | (old & !mask);
            let until = places.get(at + 1).map_or(self.high, |(next, _)| (*next as usize).min(self.high));
            carry = self.carry_on(word + 1, until, over);
        }
    }

    fn next_of_many(&mut self, masks: &[u64]) {
        while self.low < self.high && self.bits[self.low] == 0 {
            self.low += 1;
        }
        let mut carry = false;
        let within = self.low.max(self.band.0).min(self.high)..self.high;
        for (bits, mask) in self.bits[within.clone()].iter_mut().zip(&masks[within]) {
            let old = *bits;
            let (sum, over) = old.carrying_add(old & mask, carry);
            *bits = sum | (old & !mask);
            carry = over;
        }
        let behind = self.high.min(self.band.1)..self.band.1;
        if !carry && let Some(more) = masks[behind].iter().position(|mask| *mask != 0) {
            self.grow_behind(self.high + more, masks[self.high + more]);
        }
    }

    /// After the last 0 there are only ones: the first occurrence of the symbol becomes a 0, and its carry passes
    /// through all following words without changing them.
    fn grow_behind(&mut self, word: usize, mask: u64) {
        self.bits[word] = !(mask & mask.wrapping_neg());
        self.high = word + 1;
    }

    /// Propagates a carry through words in which the symbol does not occur; returns the carry out.
    fn carry_on(&mut self, from: usize, until: usize, mut carry: bool) -> bool {
        for word in from..until {
            if !carry {
                return false;
            }
            let (sum, over) = self.bits[word].overflowing_add(1);
            self.bits[word] |= sum;
            carry = over;
        }
        carry
    }

    /// The number of growing columns among the first: the length of the subsequence so far.
    fn grown(&self, columns: usize) -> usize {
        let whole: u32 = self.bits[..columns / 64].iter().map(|word| word.count_zeros()).sum();
        let part = match columns % 64 {
            0 => 0,
            part => (!self.bits[columns / 64] & !(u64::MAX << part)).count_ones(),
        };
        (whole + part) as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reference(a: &[u32], b: &[u32]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (place, y) in b.iter().enumerate() {
                let above = row[place + 1];
                row[place + 1] = if x == y { diagonal + 1 } else { above.max(row[place]) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    fn check(a: &[u32], b: &[u32]) {
        let (pattern, expected) = (Pattern::new(a), reference(a, b));
        assert_eq!(pattern.common(b), expected);
        let partners = pattern.align(b);
        let pairs: Vec<(usize, u32)> =
            partners.iter().enumerate().filter_map(|(at, partner)| Some((at, (*partner)?))).collect();
        assert_eq!(pairs.len(), expected);
        assert!(pairs.is_sorted_by(|x, y| x.1 < y.1));
        assert!(pairs.iter().all(|(at, partner)| b[*at] == a[*partner as usize]));
    }

    #[test]
    fn empty_texts() {
        check(&[], &[]);
        check(&[1], &[]);
        check(&[], &[1]);
        check(&[1], &[900]);
    }

    #[test]
    fn carries_cross_words_without_the_symbol() {
        let mut long = vec![0; 400];
        long[3] = 1;
        long[390] = 1;
        check(&long, &[1, 0, 1, 0, 0, 1]);
        check(&long, &long.iter().rev().copied().collect::<Vec<_>>());
    }

    #[test]
    fn long_texts_with_a_part_moved_far_away() {
        let mut text: Vec<u32> = (0..3000).map(|i| i * 7919 % 61).collect();
        let before = text.clone();
        text.rotate_left(900);
        check(&before, &text);
        text[..700].fill(99);
        check(&before, &text);
        check(&before, &before[800..2000]);
        check(&before[800..2000], &before);
    }

    proptest! {
        #[test]
        fn few_symbols(a in prop::collection::vec(0u32..3, 0..300), b in prop::collection::vec(0u32..4, 0..300)) {
            check(&a, &b);
        }

        #[test]
        fn many_symbols(a in prop::collection::vec(0u32..80, 0..300), b in prop::collection::vec(0u32..90, 0..300)) {
            check(&a, &b);
        }

        #[test]
        fn a_text_with_a_part_changed(
            mut a in prop::collection::vec(0u32..50, 1..400), at in 0usize..400, new in prop::collection::vec(0u32..50, 0..80), cut in 0usize..90
        ) {
            let b = a.clone();
            let at = at.min(a.len());
            a.splice(at..(at + cut).min(b.len()), new);
            check(&a, &b);
            check(&b, &a);
        }
    }
}
