//! The pages of a training: where they are, their folds and their weights.

use std::collections::BTreeMap;

use tamis::classify::PageType;
use tamis::text::hash::hash_bytes;

use crate::set::{Set, Truth};

/// The pages of several sets with a text or segments.
pub(super) struct Corpus<'s> {
    pub(super) sets: &'s [Set],
    pub(super) pages: Vec<PageRef>,
    /// The fold of each site.
    pub(super) site_folds: Vec<u8>,
}

/// A page of a corpus.
#[derive(Clone, Copy)]
pub(super) struct PageRef {
    pub(super) set: usize,
    pub(super) truth: usize,
    /// Index into [`Corpus::site_folds`].
    pub(super) site: u32,
    pub(super) fold: usize,
    /// Mean 1 over the corpus.
    pub(super) weight: f32,
    pub(super) page_type: Option<PageType>,
}

impl<'s> Corpus<'s> {
    pub(super) fn new(sets: &'s [Set], folds: usize, type_balance: f32) -> Corpus<'s> {
        let mut pages = Vec::new();
        let mut sites: BTreeMap<String, u32> = BTreeMap::new();
        let mut site_folds = Vec::new();
        let mut order: Vec<(usize, &Set)> =
            sets.iter().enumerate().filter(|(_, set)| set.has_pages).collect();
        order.sort_by(|a, b| a.1.name.cmp(&b.1.name));
        for (set, contents) in order {
            for (index, truth) in contents.truths.iter().enumerate() {
                if !truth.has_text() && !truth.has_segments() {
                    continue;
                }
                let name = site_name(truth);
                let fold = fold_of_site(&name, folds);
                let next = site_folds.len() as u32;
                let site = *sites.entry(name).or_insert(next);
                if site == next {
                    site_folds.push(fold as u8);
                }
                let page_type = page_type(truth);
                pages.push(PageRef { set, truth: index, site, fold, weight: 0.0, page_type });
            }
        }
        let mut corpus = Corpus { sets, pages, site_folds };
        corpus.weigh(type_balance);
        corpus
    }

    /// Pages of a large site weigh less each, as do pages of a large set and of a frequent type. Pages of unknown type
    /// count as articles.
    fn weigh(&mut self, type_balance: f32) {
        let mut of_site: BTreeMap<(usize, u32), f32> = BTreeMap::new();
        self.pages.iter().for_each(|page| *of_site.entry((page.set, page.site)).or_default() += 1.0);
        let mut sums: BTreeMap<usize, (f32, f32)> = BTreeMap::new();
        for page in &mut self.pages {
            page.weight = libm::powf(of_site[&(page.set, page.site)], -0.6);
            let sum = sums.entry(page.set).or_default();
            *sum = (sum.0 + 1.0, sum.1 + page.weight);
        }
        for page in &mut self.pages {
            let ((count, sum), set) = (sums[&page.set], &self.sets[page.set]);
            page.weight *= libm::powf(count, 0.65) / sum * set.weight;
            if let Some(subtype) = &set.truths[page.truth].subtype {
                page.weight *= default_weight(&format!("{}/{subtype}", set.name));
            }
        }
        let mut of_type = [0.0_f32; PageType::ALL.len()];
        let count = self.pages.len() as f32;
        for page_type in self.pages.iter().map(|page| page.page_type.unwrap_or(PageType::Article)) {
            of_type[page_type as usize] += 1.0 / count;
        }
        for page in &mut self.pages {
            let share = of_type[page.page_type.unwrap_or(PageType::Article) as usize];
            page.weight *= libm::powf(share, -type_balance);
        }
        let total: f32 = self.pages.iter().map(|page| page.weight).sum();
        let mean = (total / self.pages.len().max(1) as f32).max(1e-9);
        self.pages.iter_mut().for_each(|page| page.weight /= mean);
    }

    pub(super) fn set(&self, page: &PageRef) -> &'s Set {
        &self.sets[page.set]
    }

    pub(super) fn truth(&self, page: &PageRef) -> &'s Truth {
        &self.sets[page.set].truths[page.truth]
    }
}

/// The fold of a page's site.
pub fn fold_of(truth: &Truth, folds: usize) -> usize {
    fold_of_site(&site_name(truth), folds)
}

fn fold_of_site(name: &str, folds: usize) -> usize {
    (hash_bytes(name.as_bytes()) >> 16) as usize % folds.max(1)
}

/// The site without `www.`; the page itself if the site is unknown.
pub(super) fn site_name(truth: &Truth) -> String {
    let site = truth.site.as_deref().filter(|site| !site.is_empty()).unwrap_or(&truth.id).to_lowercase();
    site.strip_prefix("www.").unwrap_or(&site).to_owned()
}

/// The page type to learn; none where it is unknown, or where no type of ours fits.
fn page_type(truth: &Truth) -> Option<PageType> {
    let known = |name: &str| PageType::ALL.into_iter().find(|page_type| page_type.name() == name);
    match truth.subtype.as_deref() {
        Some("recipe") => None,
        Some("documentation") => Some(PageType::Documentation),
        _ => known(truth.page_type.as_deref()?),
    }
}

/// The weight of a set by its name, or of `SET/SUBTYPE` relative to its set.
pub fn default_weight(set: &str) -> f32 {
    let lines = include_str!("../../data/set-weights.tsv").lines().filter_map(|line| line.split_once('\t'));
    lines.filter(|(name, _)| *name == set).find_map(|(_, weight)| weight.parse().ok()).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_in_one_fold_whatever_its_set() {
        let truth = |id: &str, site: &str| Truth {
            id: id.into(),
            site: Some(site.into()),
            text: Some("rain".into()),
            ..Truth::default()
        };
        let mut sets = [
            Set::in_memory(vec![truth("a", "www.example.com"), truth("b", "example.org")]),
            Set::in_memory(vec![truth("c", "Example.com")]),
        ];
        sets.iter_mut().for_each(|set| set.has_pages = true);
        let corpus = Corpus::new(&sets, 5, 0.0);
        assert_eq!(corpus.pages[0].fold, corpus.pages[2].fold);
        assert_eq!(corpus.site_folds.len(), 2);
        let total: f32 = corpus.pages.iter().map(|page| page.weight).sum();
        assert!((total - 3.0).abs() < 1e-4);
        assert_eq!(["defuddle", "gne", "wcxb/documentation"].map(default_weight), [0.2, 1.0, 0.4]);
    }
}
