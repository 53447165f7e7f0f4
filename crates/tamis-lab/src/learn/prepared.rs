//! What every training begins with, whatever is learned then: the lessons, what is known of their sites, what their words say, and
//! the numbers of their blocks.

use std::collections::HashSet;

use tamis::fused::features::{Features, Words};

use super::hold_out::{self, HoldOut};
use super::lessons::{Lesson, lessons};
use super::memories::Memories;
use super::table::Table;
use super::word_odds::Heard;
use super::{LearnError, Settings, Stage, augment};
use crate::parallel;
use crate::set::Set;

/// The pages to learn from, and those that are made of them.
pub(super) struct Prepared {
    pub(super) lessons: Vec<Lesson>,
    pub(super) memories: Memories,
    /// How many sites there are.
    pub(super) sites: usize,
}

impl Prepared {
    /// Too little to learn from is an error, before anything is measured.
    pub(super) fn of(
        sets: &[Set],
        settings: &Settings,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Prepared, LearnError> {
        let (folds, threads) = (settings.folds.max(2), settings.threads);
        progress(Stage::Labels);
        let mut lessons = lessons(sets, folds, settings.hold_out, threads);
        let sites = count(lessons.iter().map(|lesson| &lesson.site));
        let (apart, what) = match settings.hold_out {
            HoldOut::Site => (sites, "sites"),
            HoldOut::Engine => (groups(sets, &lessons), "sites or engines that can be held out"),
        };
        if apart < 2 * folds {
            return Err(LearnError::TooFewSites { sites: apart, what, folds });
        }
        if lessons.iter().all(|lesson| lesson.weight <= 0.0) {
            return Err(LearnError::NoWeight);
        }
        let memories = Memories::of(&mut lessons, sets, threads);
        augment::add(&mut lessons, sets, settings);
        Ok(Prepared { lessons, memories, sites })
    }

    /// Measures all lessons, each by what the other parts say of words.
    pub(super) fn measured(&self, settings: &Settings, progress: &(dyn Fn(Stage) + Sync)) -> Measured {
        let (folds, threads) = (settings.folds.max(2), settings.threads);
        progress(Stage::Words);
        let heard = Heard::of(&self.lessons, folds, threads);
        let words: Vec<Words> = (0..folds).map(|fold| heard.words(fold, settings.words)).collect();
        progress(Stage::Features);
        let features = parallel::map(&self.lessons, threads, |place, lesson| {
            Features::of(&lesson.page(), self.memories.of_page(place), &words[lesson.fold])
        });
        Measured { heard, words, features, table: Table::new(&self.lessons, folds) }
    }
}

/// The lessons as numbers.
pub(super) struct Measured {
    pub(super) heard: Heard,
    /// For each part, what the others say of words.
    pub(super) words: Vec<Words>,
    /// For each lesson.
    pub(super) features: Vec<Features>,
    pub(super) table: Table,
}

pub(super) fn count<'s>(sites: impl Iterator<Item = &'s String>) -> usize {
    sites.collect::<HashSet<_>>().len()
}

fn groups(sets: &[Set], lessons: &[Lesson]) -> usize {
    let engine = |it: &Lesson| sets[it.set].truths[it.page].engine.as_deref();
    let keys: Vec<_> = lessons.iter().map(|it| (it.site.as_str(), engine(it))).collect();
    hold_out::groups(&keys).into_iter().collect::<HashSet<_>>().len()
}
