//! What other pages of a site show. Half of the pages of larger sites are learned from twice, without a memory of their site
//! and with one: so the model learns to use it, and to do without.

use std::collections::BTreeMap;

use tamis::Site;

use super::lessons::{Lesson, site_number};
use crate::parallel;
use crate::set::Set;

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
    /// Adds the pages that are learned from once more to the lessons, behind all others.
    pub(crate) fn of(lessons: &mut Vec<Lesson>, sets: &[Set], threads: usize) -> Memories {
        let mut by_site: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, lesson) in lessons.iter().enumerate() {
            by_site.entry(&lesson.site).or_default().push(place);
        }
        let (mut halves, mut again): (Vec<Vec<usize>>, Vec<(usize, usize)>) = Default::default();
        for pages in by_site.values().filter(|pages| pages.len() >= LEAST_PAGES) {
            for half in 0..2 {
                halves.push(pages.iter().copied().skip(half).step_by(2).take(MOST_PAGES).collect());
                let others = pages.iter().skip(1 - half).step_by(2);
                let drawn = others.filter(|page| is_drawn(&lessons[**page], sets));
                again.extend(drawn.map(|page| (*page, halves.len())));
            }
        }
        let mut sites = vec![Site::default()];
        sites.extend(parallel::map(&halves, threads, |_, half| {
            let mut site = Site::default();
            half.iter().for_each(|page| site.observe(&lessons[*page].page()));
            site
        }));
        let mut of = vec![0; lessons.len()];
        for (page, memory) in again {
            lessons.push(Lesson { with_memory: true, ..lessons[page].clone() });
            of.push(memory);
        }
        Memories { sites, of }
    }

    /// What is shown with a lesson. Pages that were made for learning stand behind all others and are shown nothing.
    pub(crate) fn of_page(&self, lesson: usize) -> &Site {
        &self.sites[self.of.get(lesson).copied().unwrap_or(0)]
    }
}

/// By name, not by place: which sets are learned from besides must not change it.
fn is_drawn(lesson: &Lesson, sets: &[Set]) -> bool {
    let set = &sets[lesson.set];
    let page = format!("{}/{}/{}", lesson.site, set.name, set.truths[lesson.page].id);
    site_number(&page) >> 11 & 1 == 0
}
