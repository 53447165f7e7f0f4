//! What other pages of a site show, for half of the pages that have such: so the model learns to do with and without.

use std::collections::BTreeMap;

use tamis::Site;

use super::lessons::{Lesson, site_number};
use crate::parallel;

/// A site must have so many pages, or little is repeated that could be seen.
const LEAST_PAGES: usize = 6;
/// ... and no more of them are looked at.
const MOST_PAGES: usize = 40;

/// For each site two memories, each of one half of its pages; a page is measured with the half that it is not in.
pub(crate) struct Memories {
    sites: Vec<Site>,
    /// For each lesson the number of its memory; 0 is one that knows nothing.
    of: Vec<usize>,
}

impl Memories {
    pub(crate) fn of(lessons: &[Lesson], threads: usize) -> Memories {
        let mut by_site: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, lesson) in lessons.iter().enumerate() {
            by_site.entry(&lesson.site).or_default().push(place);
        }
        let mut memories = Memories { sites: vec![Site::default()], of: vec![0; lessons.len()] };
        let mut halves: Vec<Vec<usize>> = Vec::new();
        for pages in by_site.values().filter(|pages| pages.len() >= LEAST_PAGES) {
            for half in 0..2 {
                let shown = pages.iter().copied().skip(half).step_by(2).take(MOST_PAGES).collect();
                halves.push(shown);
                for page in pages.iter().skip(1 - half).step_by(2) {
                    // Every other page goes without, or the model would come to lean on a memory that is seldom there.
                    if site_number(&format!("{}/{page}", lessons[*page].site)) >> 11 & 1 == 0 {
                        memories.of[*page] = halves.len();
                    }
                }
            }
        }
        memories.sites.extend(parallel::map(&halves, threads, |_, half| {
            let mut site = Site::default();
            half.iter().for_each(|page| site.observe(&lessons[*page].page()));
            site
        }));
        memories
    }

    pub(crate) fn of_page(&self, lesson: usize) -> &Site {
        &self.sites[self.of[lesson]]
    }
}
