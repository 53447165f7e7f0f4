//! Learned log-odds of words, keyed by hash.

/// A read-only hash table from word hash to log-odds.
#[derive(Clone, Debug, Default)]
pub struct LogOddsTable {
    /// Open addressing; hash 0 marks an empty slot.
    slots: Vec<(u32, f32)>,
}

/// The log-odds of several words, accumulated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LogOddsSum {
    pub sum: f32,
    /// The lowest value, at most 0.
    pub min: f32,
    /// The highest value, at least 0.
    pub max: f32,
    /// Words found in the table.
    pub known: u32,
}

impl LogOddsSum {
    #[inline]
    pub fn add(&mut self, log_odds: f32) {
        self.sum += log_odds;
        self.min = self.min.min(log_odds);
        self.max = self.max.max(log_odds);
        self.known += 1;
    }

    #[inline]
    pub fn merge(&mut self, other: &LogOddsSum) {
        self.sum += other.sum;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.known += other.known;
    }
}

impl LogOddsTable {
    pub fn new(entries: impl Iterator<Item = (u32, f32)>) -> LogOddsTable {
        let entries: Vec<(u32, f32)> = entries.filter(|entry| entry.0 != 0).collect();
        let size = (entries.len() * 3).next_power_of_two().max(16);
        let mut slots = vec![(0, 0.0); size];
        for (hash, log_odds) in entries {
            let mut at = slot(hash, size);
            while slots[at].0 != 0 && slots[at].0 != hash {
                at = (at + 1) & (size - 1);
            }
            slots[at] = (hash, log_odds);
        }
        LogOddsTable { slots }
    }

    /// The entries, ordered by hash.
    pub fn entries(&self) -> Vec<(u32, f32)> {
        let mut entries: Vec<(u32, f32)> = self.slots.iter().copied().filter(|slot| slot.0 != 0).collect();
        entries.sort_unstable_by_key(|entry| entry.0);
        entries
    }

    #[inline]
    pub fn get(&self, hash: u32) -> Option<f32> {
        let size = self.slots.len();
        if size == 0 {
            return None;
        }
        let mut at = slot(hash, size);
        loop {
            let (key, log_odds) = self.slots[at];
            if key == hash && hash != 0 {
                return Some(log_odds);
            }
            if key == 0 {
                return None;
            }
            at = (at + 1) & (size - 1);
        }
    }
}

#[inline]
fn slot(hash: u32, size: usize) -> usize {
    (hash.wrapping_mul(0x9E37_79B1) >> 7) as usize & (size - 1)
}
