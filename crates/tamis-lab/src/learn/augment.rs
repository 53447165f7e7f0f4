//! More to learn from than the sets hold: changed copies of pages, and pages made of templates.
//!
//! A model that has seen a few hundred designs knows their class names and their order of things by heart. What it should
//! know is the text. So a share of the pages is learned from once more with that taken away, and threads, articles and
//! offers are set in the manner of engines that no page of the sets may be from. What is made is in the part of the page
//! that its text is from, stands behind all other lessons, and is never measured.

mod copy;
mod names;
mod noise;
mod order;
mod rewrite;

use std::fmt;
use std::str::FromStr;

use super::lessons::{Lesson, site_number};
use super::{Settings, engines};
use crate::sample::Chance;
use crate::set::Set;
pub(super) use names::made_up;

/// What is made of the pages of the sets, to be learned from and never to be measured.
///
/// ```
/// use tamis_lab::learn::Augment;
///
/// assert_eq!("pages".parse(), Ok(Augment::Pages));
/// assert!(Augment::All.has_pages() && Augment::All.has_engines());
/// assert!("some".parse::<Augment>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Augment {
    /// Nothing.
    #[default]
    None,
    /// Changed copies of pages: other class names, wrappers, another order, a stretch in another language.
    Pages,
    /// Their texts in templates of many engines.
    Engines,
    /// Both.
    All,
}

impl Augment {
    const EACH: [Augment; 4] = [Augment::None, Augment::Pages, Augment::Engines, Augment::All];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Augment::None => "none",
            Augment::Pages => "pages",
            Augment::Engines => "engines",
            Augment::All => "all",
        }
    }

    /// Are pages changed?
    pub fn has_pages(self) -> bool {
        matches!(self, Augment::Pages | Augment::All)
    }

    /// Are templates filled?
    pub fn has_engines(self) -> bool {
        matches!(self, Augment::Engines | Augment::All)
    }
}

impl fmt::Display for Augment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that means nothing here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not known: it is none, pages, engines or all")]
pub struct UnknownAugment(String);

impl FromStr for Augment {
    type Err = UnknownAugment;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Augment::EACH.into_iter().find(|it| it.name() == name).ok_or_else(|| UnknownAugment(name.to_owned()))
    }
}

/// Adds what is made of the lessons behind all of them.
pub(super) fn add(lessons: &mut Vec<Lesson>, sets: &[Set], settings: &Settings) {
    // Pages that are there once more stand behind the others; they are the same ones.
    let own = lessons.iter().take_while(|lesson| !lesson.with_memory).count();
    let (seed, threads) = (settings.first.seed, settings.threads);
    let mut made = Vec::new();
    if settings.augment.has_pages() {
        made.extend(copy::copies(&lessons[..own], sets, seed, threads));
    }
    if settings.augment.has_engines() {
        made.extend(engines::pages(&lessons[..own], sets, settings));
    }
    lessons.extend(made);
}

/// Chance for one thing: the same for a seed and a name, whatever else is drawn.
pub(super) fn chance(seed: u64, name: &str) -> Chance {
    Chance::of(site_number(name) ^ seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// The first part of a page's language, where the set tells it.
pub(super) fn language<'s>(sets: &'s [Set], lesson: &Lesson) -> Option<&'s str> {
    sets[lesson.set].truths[lesson.page].lang.as_deref()?.split(['-', '_']).next()
}

/// The paragraphs of a lesson's truth.
pub(super) fn paragraphs<'s>(sets: &'s [Set], lesson: &Lesson) -> Vec<&'s str> {
    let text = sets[lesson.set].truths[lesson.page].text.as_deref().unwrap_or("");
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// The places of the lessons of each part.
pub(super) fn by_fold(lessons: &[Lesson], folds: usize) -> Vec<Vec<usize>> {
    let mut by_fold = vec![Vec::new(); folds];
    for (place, lesson) in lessons.iter().enumerate() {
        by_fold[lesson.fold].push(place);
    }
    by_fold
}
