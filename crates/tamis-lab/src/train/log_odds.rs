//! Log-odds of class tokens and words, cross-fitted: the tables of a fold leave out its sites.

use tamis::classify::PageType;
use tamis::page::{NONE, Page};
use tamis::text::hash;
use tamis::text::log_odds::LogOddsTable;

use super::labels::{Class, Labels};

/// Tables: class tokens, words, class tokens for comments, class tokens for each page type.
pub(super) const TABLES: usize = FIRST_TYPE + PageType::ALL.len();
const FIRST_TYPE: usize = 3;
/// Sites on which a token has to occur, per table.
const MIN_SITES: [f64; TABLES] = [4.0, 12.0, 4.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0];
/// Words looked at per block.
const MAX_WORDS: usize = 16;
/// Weaker evidence is left out.
const MIN_LOG_ODDS: f64 = 0.2;

/// Per token of a page: the share of its occurrences with a positive label.
pub(super) type PageTokens = [Vec<(u32, f32)>; TABLES];

/// The shares of the tokens of a page, ordered by token.
pub(super) fn page_tokens(page: &Page<'_>, labels: &Labels, page_type: Option<PageType>) -> PageTokens {
    // Per occurrence: token, weight, positive weight.
    let mut found: [Vec<(u32, f32, f32)>; TABLES] = Default::default();
    let mut tokens = Vec::new();
    for block in 0..page.blocks.len() {
        let words = page.blocks.counts[block].words.clamp(1, 40) as f32;
        let main = labels.main[block];
        let comment = labels.class[block];
        class_tokens(page, block, &mut tokens);
        for token in &tokens {
            if main >= 0.0 {
                found[0].push((*token, words, words * main));
            }
            if comment != Class::Unknown {
                let positive = if comment == Class::Comment { words } else { 0.0 };
                found[2].push((*token, words, positive));
            }
        }
        if main >= 0.0 {
            tokens.clear();
            hash::for_each_word(page.blocks.text(block), MAX_WORDS, |word| tokens.push(word));
            tokens.sort_unstable();
            tokens.dedup();
            found[1].extend(tokens.iter().map(|token| (*token, 1.0, main)));
        }
    }
    if let Some(page_type) = page_type {
        for class in 1..page.classes.entries.len() {
            hash::for_each_class_token(page.classes.text(class), |token| {
                for (table, other) in found[FIRST_TYPE..].iter_mut().zip(PageType::ALL) {
                    table.push((token, 1.0, if other == page_type { 1.0 } else { 0.0 }));
                }
            });
        }
    }
    found.map(|mut found| {
        found.sort_by_key(|occurrence| occurrence.0);
        let sums = found.chunk_by(|a, b| a.0 == b.0).map(|same| {
            let sum = same.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.1, sum.1 + one.2));
            (same[0].0, sum.1 / sum.0)
        });
        sums.collect()
    })
}

/// The distinct class tokens on the path from a block to the root.
fn class_tokens(page: &Page<'_>, block: usize, tokens: &mut Vec<u32>) {
    tokens.clear();
    let mut push = |class: u32| {
        hash::for_each_class_token(page.classes.text(class as usize), |token| tokens.push(token));
    };
    push(page.blocks.inline_class[block]);
    let mut row = page.blocks.element[block];
    while row != NONE {
        page.elements.class[row as usize].into_iter().for_each(&mut push);
        row = page.elements.parent[row as usize];
    }
    tokens.sort_unstable();
    tokens.dedup();
}

/// Token statistics of one table: (token, fold, sites, sum of the sites' mean shares), ordered by token and fold.
#[derive(Default)]
pub(super) struct Statistics(Vec<(u32, u8, f64, f64)>);

impl Statistics {
    /// From (token, site, share) of all pages. Sites count equally, whatever their number of pages.
    pub(super) fn new(mut shares: Vec<(u32, u32, f32)>, site_folds: &[u8]) -> Statistics {
        // Stable: the shares of a site are summed in page order.
        shares.sort_by_key(|share| (share.0, share.1));
        let of_sites = shares.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).map(|pages| {
            let sum: f64 = pages.iter().map(|page| f64::from(page.2)).sum();
            (pages[0].0, site_folds[pages[0].1 as usize], 1.0, sum / pages.len() as f64)
        });
        let mut of_sites: Vec<(u32, u8, f64, f64)> = of_sites.collect();
        of_sites.sort_by_key(|site| (site.0, site.1));
        let sums = of_sites.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).map(|sites| {
            let share = sites.iter().map(|site| site.3).sum();
            (sites[0].0, sites[0].1, sites.len() as f64, share)
        });
        Statistics(sums.collect())
    }

    /// The table without one fold, in the precision of a model file.
    pub(super) fn table(&self, held_out: usize, table: usize) -> LogOddsTable {
        let totals = self.0.chunk_by(|a, b| a.0 == b.0).map(|folds| {
            let folds = folds.iter().filter(|fold| usize::from(fold.1) != held_out);
            folds.fold((0, 0.0, 0.0), |sum, fold| (fold.0, sum.1 + fold.2, sum.2 + fold.3))
        });
        let totals: Vec<(u32, f64, f64)> = totals.collect();
        let all = totals.iter().fold((0.0, 0.0), |all, one| (all.0 + one.1, all.1 + one.2));
        let prior = (all.1 / all.0).clamp(1e-6, 1.0 - 1e-6);
        let log_odds_of = |share: f64| libm::log(share / (1.0 - share));
        let entries = totals.into_iter().filter(|total| total.1 >= MIN_SITES[table]);
        let entries = entries.filter_map(|(token, sites, positive)| {
            // Two sites' worth of prior.
            let share = (positive + 2.0 * prior) / (sites + 2.0);
            let log_odds = log_odds_of(share) - log_odds_of(prior);
            let stored = ((log_odds * 1000.0).round() as i16 as f32) / 1000.0;
            (log_odds.abs() > MIN_LOG_ODDS).then_some((token, stored))
        });
        LogOddsTable::new(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_count_once_and_folds_are_left_out() {
        // Token 1 is main text on the sites 0 to 4, token 2 never; site 0 has many pages.
        let mut shares = vec![(1, 0, 1.0); 50];
        for site in 1..5 {
            shares.push((1, site, 1.0));
        }
        for site in 0..10 {
            shares.push((2, site, 0.0));
        }
        let folds = [0, 0, 1, 1, 1, 0, 0, 1, 1, 1];
        let statistics = Statistics::new(shares, &folds);
        let table = statistics.table(usize::MAX, 0);
        assert!(table.get(1).unwrap() > 1.5 && table.get(2).unwrap() < -1.5);
        assert!(statistics.table(0, 0).get(1).is_none(), "three sites are too few");
    }
}
