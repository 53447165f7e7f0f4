//! Learning the fused extractor from labelled pages.
//!
//! Everything that is measured is measured on sites that were not learned from: the pages are cut by site into parts, and
//! what is said of a part was learned from the others. That holds for the odds of words, for the first pass as the second
//! one sees it, and for the figures of the report.

pub mod ablation;
mod augment;
mod bins;
pub mod boost;
mod engines;
mod figures;
mod hold_out;
mod kinds;
pub mod labels;
mod lessons;
mod memories;
mod prepared;
mod recipe;
mod svm;
mod table;
mod word_odds;

use tamis::fused::features::{Features, Words};
use tamis::fused::{self, Model, PageType, Types, decode, second_pass};
use tamis::judgement::Whole;
use tamis::{Extractor, Judgement};

use crate::outputs::Output;
use crate::set::Set;
use crate::{parallel, run};
pub use augment::{Augment, UnknownAugment};
use boost::Grown;
pub use figures::{Bin, Confusion, Curve, Feature, Figures, Group};
pub use hold_out::{HoldOut, UnknownHoldOut};
use kinds::Kinds;
use lessons::{Lesson, site_number};
use prepared::{Measured, Prepared, count};
pub use recipe::{MainFigures, MethodSettings, ModelFile, Named, OfPasses, Recipe, SetUsed};
pub use svm::{Part, SvmSettings, SvmTrained, TagFigures, Tried, train_svm};
use table::Table;
pub use word_odds::MostWords;

/// How to learn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Into how many parts the sites are cut.
    pub folds: usize,
    /// How the trees of the first pass are grown.
    pub first: boost::Settings,
    /// How the trees of the second pass are grown.
    pub second: boost::Settings,
    /// How the trees that tell kinds of pages apart are grown.
    pub kinds: boost::Settings,
    /// How many words are kept.
    pub words: MostWords,
    /// What is never on both sides of a split.
    pub hold_out: HoldOut,
    /// What is made of the pages to learn from as well.
    pub augment: Augment,
    /// Is it measured as well how a quarter and a half of the sites do? These are two more trainings.
    pub curve: bool,
    /// How many threads.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        let second = boost::Settings { trees: 58, seed: 2, ..boost::Settings::default() };
        let kinds = boost::Settings {
            trees: 25,
            leaves: 8,
            rate: 0.2,
            pull: 5.0,
            least: 2.0,
            rows: 0.8,
            seed: 3,
            ..second
        };
        Settings {
            folds: 5,
            first: boost::Settings::default(),
            second,
            kinds,
            words: MostWords::default(),
            hold_out: HoldOut::Site,
            augment: Augment::None,
            curve: false,
            threads: 2,
        }
    }
}

/// What is going on, for a progress bar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Pages are read and labelled.
    Labels,
    /// Words are counted.
    Words,
    /// Features are measured.
    Features,
    /// The first pass is trained: this part of all.
    First(usize),
    /// The second pass is trained: this part of all.
    Second(usize),
    /// Kinds of pages are learned.
    Kinds,
    /// The parameters of the machine are looked for.
    Parameters,
    /// The model is trained on all pages.
    Final,
    /// The same with this share of the sites, in percent.
    Curve(u8),
    /// The same without this part of the features, once more of so many.
    Without(&'static str, usize, usize),
}

/// A model, and how it did on the sites it had not seen.
#[derive(Clone, Debug, Default)]
pub struct Trained {
    /// The model, trained on all pages.
    pub model: Model,
    /// A figure a page.
    pub pages: Vec<HeldOut>,
    /// For each of these what was said of it by a model that had not seen its part.
    pub judgements: Vec<Judgement>,
    /// How it would have done with fewer sites: the share of them, how many these are, and a figure a page. Empty unless
    /// asked for.
    pub curve: Vec<(f32, usize, Vec<HeldOut>)>,
    /// How many sites there are.
    pub sites: usize,
    /// How much features did: of the first pass, of the second, and for the kinds of pages.
    pub gains: [Vec<f64>; 3],
}

impl Trained {
    /// What the held-out judgements make of the pages of a set, in the order of the set; nothing for pages without a text
    /// to learn from. With them a model can be set beside other tools on the very pages that it was trained on.
    ///
    /// ```
    /// assert!(tamis_lab::learn::Trained::default().outputs(&[], 0).is_empty());
    /// ```
    pub fn outputs(&self, sets: &[Set], number: usize) -> Vec<Output> {
        let extractor = Extractor::new();
        let of_set = self.pages.iter().zip(&self.judgements).filter(|(page, _)| page.set == number);
        let made = of_set.filter_map(|(page, judgement)| {
            let truth = &sets[number].truths[page.page];
            let html = run::read(&sets[number], truth).ok()?;
            Some(run::judged(truth, &run::parsed(&html, truth), &extractor, judgement))
        });
        made.collect()
    }
}

/// How a page did when its site was held out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HeldOut {
    /// The number of its set.
    pub set: usize,
    /// Its place in the set.
    pub page: usize,
    /// Token F1 of the blocks that are given out.
    pub f1: f32,
    /// ... of the first pass alone, without the rules that settle what is kept.
    pub first_f1: f32,
    /// ... if every block were kept that the truth covers: no model can do better.
    pub ceiling: f32,
    /// What was expected.
    pub expected: f32,
    /// What pages of other parts had of which as much was expected.
    pub confidence: f32,
    /// How many tokens the truth has.
    pub tokens: usize,
    /// What kind of page it is, where the set tells, and what is given out.
    pub kind: Option<(PageType, PageType)>,
}

/// Why nothing could be learned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LearnError {
    /// There is too little to learn from.
    #[error("{what} with a text to learn from: {sites}; at least {least} are needed for {folds} parts", least = 2 * folds)]
    TooFewSites {
        /// How many there are.
        sites: usize,
        /// Of what: sites, or sites and engines that are held out together.
        what: &'static str,
        /// Into how many parts they are to be cut.
        folds: usize,
    },
    /// No page may say anything.
    #[error("all sets with a text to learn from have the weight 0, so there is nothing to learn from")]
    NoWeight,
    /// All samples are of one kind.
    #[error(
        "no block of the pages is {0}, so there is nothing to tell apart: are these the truths of these pages?"
    )]
    OneClass(&'static str),
    /// A machine could not be trained or written.
    #[error("the support vector machine cannot be trained: {0}")]
    Machine(String),
}

/// Shares of the sites for the learning curve, in percent.
const SHARES: [u8; 2] = [25, 50];

/// Learns a model from sets.
///
/// ```
/// use tamis_lab::learn::{LearnError, Settings, train};
///
/// let nothing = train(&[], &Settings::default(), &|stage| println!("{stage:?}"));
/// assert_eq!(nothing.err(), Some(LearnError::TooFewSites { sites: 0, what: "sites", folds: 5 }));
/// ```
pub fn train(
    sets: &[Set],
    settings: &Settings,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Trained, LearnError> {
    let mut prepared = Prepared::of(sets, settings, progress)?;
    let mut trained = learn(&prepared, settings, progress);
    trained.sites = prepared.sites;
    for share in SHARES.into_iter().filter(|_| settings.curve) {
        progress(Stage::Curve(share));
        let lessons = &mut prepared.lessons;
        // What was made of a page is learned from where the page is.
        let site = |it: &Lesson| site_number(it.made.map_or(&it.site, |made| &lessons[made.of()].site));
        let is_in = |it: &Lesson| site(it) >> 32 & 0xFFFF < u64::from(share) * 0x1_0000 / 100;
        let learned: Vec<bool> = lessons.iter().map(is_in).collect();
        lessons.iter_mut().zip(learned).for_each(|(lesson, learned)| lesson.is_learned = learned);
        let in_share = lessons.iter().filter(|lesson| lesson.is_learned && lesson.made.is_none());
        let taught = count(in_share.map(|lesson| &lesson.site));
        let pages = learn(&prepared, settings, &|_| ()).pages;
        trained.curve.push((f32::from(share) / 100.0, taught, pages));
    }
    Ok(trained)
}

/// Learns from the lessons that are learned from, and measures on all.
fn learn(prepared: &Prepared, settings: &Settings, progress: &(dyn Fn(Stage) + Sync)) -> Trained {
    let lessons = &prepared.lessons;
    let measured = prepared.measured(settings, progress);
    let passes = passes(lessons, &measured.table, &measured.features, settings, true, progress);
    progress(Stage::Final);
    let (mut pages, judgements): (Vec<HeldOut>, Vec<Judgement>) =
        measured_pages(lessons, settings.threads, &measured, &passes).into_iter().unzip();
    tell_confidence(lessons, &mut pages, &judgements, settings.folds.max(2));
    let Passes { kinds, grown, .. } = passes;
    let [first_grown, second_grown] = grown.map(Option::unwrap_or_default);
    let model = Model {
        words: measured.heard.words(usize::MAX, settings.words),
        first: first_grown.forest,
        second: second_grown.forest,
        types: kinds.forests,
        reliability: reliability(pages.iter()),
    };
    let gains = [first_grown.gains, second_grown.gains, kinds.gains];
    Trained { model, pages, judgements, curve: Vec::new(), sites: 0, gains }
}

/// How the pages of the sets did, in the order of the lessons. Those that are there once more or were made are not measured:
/// they stand behind all others.
fn measured_pages(
    lessons: &[Lesson],
    threads: usize,
    measured: &Measured,
    passes: &Passes,
) -> Vec<(HeldOut, Judgement)> {
    let own = lessons.iter().take_while(|lesson| !lesson.with_memory && lesson.made.is_none()).count();
    parallel::map(&lessons[..own], threads, |place, lesson| {
        let rows = measured.table.rows_of(place);
        let said = Said {
            first: &passes.first[rows.clone()],
            second: &passes.second[rows],
            kinds: passes.kinds.said[place],
        };
        held_out(lesson, &measured.features[place], &measured.words[lesson.fold], &said)
    })
}

/// What two passes say of all blocks, each said by trees that have not seen the site; and the trees that have seen all, if
/// they are wanted.
struct Passes {
    first: Vec<f32>,
    second: Vec<f32>,
    kinds: Kinds,
    grown: [Option<Grown>; 2],
}

fn passes(
    lessons: &[Lesson],
    table: &Table,
    features: &[Features],
    settings: &Settings,
    wants_all: bool,
    progress: &(dyn Fn(Stage) + Sync),
) -> Passes {
    let threads = settings.threads;
    let values: Vec<f32> = features.iter().flat_map(|features| features.values.iter().copied()).collect();
    let (first, first_grown) =
        table.learn(&values, &settings.first, threads, wants_all, &|fold| progress(Stage::First(fold)));
    progress(Stage::Kinds);
    let page_rows = parallel::map(lessons, threads, |place, lesson| {
        let (page, first) = (lesson.page(), &first[table.rows_of(place)]);
        features[place].page_row(&page, first, decode::best_cut(first, &fused::weights(&page)).1)
    });
    let kinds = Kinds::learn(lessons, &page_rows, settings.folds.max(2), &settings.kinds, threads);
    // All rows teach, also those of which the first pass is sure, or trees would see nothing but doubt.
    let rows = parallel::map(lessons, threads, |place, lesson| {
        let (features, first) = (&features[place], &first[table.rows_of(place)]);
        second_pass::rows(&lesson.page(), features, first, &kinds.said[place], |_| true)
    });
    let values = rows.concat();
    let (said, second_grown) =
        table.learn(&values, &settings.second, threads, wants_all, &|fold| progress(Stage::Second(fold)));
    let both = first.iter().zip(said);
    let settled = |(first, said): (&f32, f32)| {
        if second_pass::is_looked_at(*first) { second_pass::settled(*first, said) } else { *first }
    };
    let second = both.map(settled).collect();
    Passes { first, second, kinds, grown: [first_grown, second_grown] }
}

/// What is said of a part was learned from the others; so is what an expectation is worth. Of no text nothing can be right.
fn tell_confidence(lessons: &[Lesson], pages: &mut [HeldOut], judgements: &[Judgement], folds: usize) {
    for fold in 0..folds {
        let others = lessons.iter().zip(pages.iter()).filter(|(lesson, _)| lesson.fold != fold);
        let reliability = reliability(others.map(|(_, page)| page));
        let model = Model { reliability, ..Model::default() };
        let of_fold = lessons.iter().zip(pages.iter_mut().zip(judgements));
        for (_, (page, judgement)) in of_fold.filter(|(lesson, _)| lesson.fold == fold) {
            let is_empty = judgement.kept().next().is_none();
            page.confidence = if is_empty { 0.0 } else { model.confidence(page.expected) };
        }
    }
}

/// What is said of a page by trees that have not seen its site.
struct Said<'s> {
    first: &'s [f32],
    second: &'s [f32],
    kinds: Types,
}

/// What is given out for a page, and how it did: the rules of [`fused`] are applied as they are when text is extracted.
fn held_out(lesson: &Lesson, features: &Features, words: &Words, said: &Said<'_>) -> (HeldOut, Judgement) {
    let page = lesson.page();
    let weights = fused::weights(&page);
    let decide = |probabilities: &[f32]| {
        let (cut, expected) = decode::best_cut(probabilities, &weights);
        let keep: Vec<bool> =
            probabilities.iter().map(|probability| decode::is_kept(*probability, cut)).collect();
        (keep, expected)
    };
    let (keep, expected) = decide(said.second);
    let types = fused::settle_types(&page, features, said.kinds, |block| keep[block]);
    let (page_type, probability) = types.best();
    let mut judgement = Judgement::of(keep);
    judgement.verdicts.iter_mut().zip(said.second).for_each(|(verdict, said)| verdict.score = *said);
    judgement.whole = Some(Whole { page_type, probability, confidence: expected });
    fused::tidy(&page, page_type, words, &mut judgement);
    let first = decide(said.first).0;
    let measured = HeldOut {
        set: lesson.set,
        page: lesson.page,
        f1: lesson.f1(|block| judgement.verdicts[block].keep),
        first_f1: lesson.f1(|block| first[block]),
        ceiling: lesson.f1(|block| lesson.cover[block] >= 0.5),
        expected,
        confidence: expected,
        tokens: lesson.truth.len(),
        kind: lesson.kind.map(|kind| (PageType::ALL[kind], page_type)),
    };
    (measured, judgement)
}

/// The mean F1 of pages, by what was expected of them, made to rise.
fn reliability<'p>(pages: impl Iterator<Item = &'p HeldOut>) -> Vec<(f32, f32)> {
    const POINTS: usize = 20;
    let mut pages: Vec<&HeldOut> = pages.collect();
    // Pages of which as much is expected stay in the order of the lessons, which does not depend on how sets are named.
    pages.sort_by(|a, b| a.expected.total_cmp(&b.expected));
    // Neighbours that fall are put together, until none does.
    let mut points: Vec<(f32, f32, f32)> = Vec::new();
    for part in pages.chunks(pages.len().div_ceil(POINTS).max(1)) {
        let n = part.len() as f32;
        let mean = |of: fn(&HeldOut) -> f32| part.iter().map(|page| of(page)).sum::<f32>() / n;
        points.push((mean(|page| page.expected), mean(|page| page.f1), n));
        while let [.., before, last] = points[..]
            && before.1 >= last.1
        {
            points.truncate(points.len() - 2);
            let n = before.2 + last.2;
            let both = |a: f32, b: f32| (a * before.2 + b * last.2) / n;
            points.push((both(before.0, last.0), both(before.1, last.1), n));
        }
    }
    points.into_iter().map(|(expected, was, _)| (expected, was)).collect()
}
