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
mod svm;
mod table;
mod word_odds;

use tamis::fused::features::Features;
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
use lessons::{Lesson, lessons, site_number};
use memories::Memories;
pub use svm::{SvmSettings, SvmTrained, TagFigures, train_svm};
use table::Table;
use word_odds::Heard;
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
    /// The figures of the pages that were measured once more, with what other pages of their site show.
    pub with_memory: Vec<HeldOut>,
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
    /// Token F1.
    pub f1: f32,
    /// ... of the first pass alone.
    pub first_f1: f32,
    /// ... if every block were kept that the truth covers: no model can do better.
    pub ceiling: f32,
    /// What was expected.
    pub expected: f32,
    /// What pages of other parts had of which as much was expected.
    pub confidence: f32,
    /// How many tokens the truth has.
    pub tokens: usize,
    /// What kind of page it is, where the set tells, and what was said.
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
    let memories = Memories::of(&mut lessons, threads);
    augment::add(&mut lessons, sets, settings);
    let mut trained = learn(&lessons, &memories, settings, progress);
    trained.sites = sites;
    for share in SHARES.into_iter().filter(|_| settings.curve) {
        progress(Stage::Curve(share));
        // What was made of a page is learned from where the page is.
        let site = |it: &Lesson| site_number(it.made.map_or(&it.site, |made| &lessons[made.of()].site));
        let is_in = |it: &Lesson| site(it) >> 32 & 0xFFFF < u64::from(share) * 0x1_0000 / 100;
        let learned: Vec<bool> = lessons.iter().map(is_in).collect();
        lessons.iter_mut().zip(learned).for_each(|(lesson, learned)| lesson.is_learned = learned);
        let in_share = lessons.iter().filter(|lesson| lesson.is_learned && lesson.made.is_none());
        let taught = count(in_share.map(|lesson| &lesson.site));
        let pages = learn(&lessons, &memories, settings, &|_| ()).pages;
        trained.curve.push((f32::from(share) / 100.0, taught, pages));
    }
    Ok(trained)
}

fn count<'s>(sites: impl Iterator<Item = &'s String>) -> usize {
    sites.collect::<std::collections::HashSet<_>>().len()
}

fn groups(sets: &[Set], lessons: &[Lesson]) -> usize {
    let engine = |it: &Lesson| sets[it.set].truths[it.page].engine.as_deref();
    let keys: Vec<_> = lessons.iter().map(|it| (it.site.as_str(), engine(it))).collect();
    hold_out::groups(&keys).into_iter().collect::<std::collections::HashSet<_>>().len()
}

/// Learns from the lessons that are learned from, and measures on all.
fn learn(
    lessons: &[Lesson],
    memories: &Memories,
    settings: &Settings,
    progress: &(dyn Fn(Stage) + Sync),
) -> Trained {
    let (folds, threads) = (settings.folds.max(2), settings.threads);
    progress(Stage::Words);
    let heard = Heard::of(lessons, folds, threads);
    let words: Vec<_> = (0..folds).map(|fold| heard.words(fold, settings.words)).collect();
    progress(Stage::Features);
    let features = parallel::map(lessons, threads, |place, lesson| {
        Features::of(&lesson.page(), memories.of_page(place), &words[lesson.fold])
    });
    let table = Table::new(lessons, folds);
    let Passes { first, second, kinds, grown } = passes(lessons, &table, &features, settings, true, progress);
    progress(Stage::Final);

    let mut judgements = Vec::new();
    let mut pages: Vec<HeldOut> = Vec::new();
    let mut with_memory: Vec<HeldOut> = Vec::new();
    for (place, lesson) in lessons.iter().enumerate().filter(|(_, lesson)| lesson.made.is_none()) {
        let (first, second) = (&first[table.rows_of(place)], &second[table.rows_of(place)]);
        let (mut page, mut judgement) = held_out(lesson, first, second, &kinds.said[place]);
        // What is given out is measured, and not only what the trees say.
        fused::tidy(&lesson.page(), kinds.said[place].best().0, &words[lesson.fold], &mut judgement);
        page.f1 = lesson.f1(|block| judgement.verdicts[block].keep);
        if lesson.with_memory {
            with_memory.push(page);
        } else {
            pages.push(page);
            judgements.push(judgement);
        }
    }
    tell_confidence(lessons, &mut pages, folds);
    let [first_grown, second_grown] = grown.map(Option::unwrap_or_default);
    let model = Model {
        words: heard.words(usize::MAX, settings.words),
        first: first_grown.forest,
        second: second_grown.forest,
        types: kinds.forests,
        reliability: reliability(pages.iter()),
    };
    let gains = [first_grown.gains, second_grown.gains, kinds.gains];
    Trained { model, pages, judgements, with_memory, curve: Vec::new(), sites: 0, gains }
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
        let first = &first[table.rows_of(place)];
        let weights: Vec<f32> = lesson.words.iter().map(|words| words.len() as f32).collect();
        features[place].page_row(&lesson.page(), first, decode::best_cut(first, &weights).1)
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

/// What is said of a part was learned from the others; so is what an expectation is worth.
fn tell_confidence(lessons: &[Lesson], pages: &mut [HeldOut], folds: usize) {
    // Pages that are there once more, or were made, stand behind all others.
    for fold in 0..folds {
        let others = lessons.iter().zip(pages.iter()).filter(|(lesson, _)| lesson.fold != fold);
        let reliability = reliability(others.map(|(_, page)| page));
        let model = Model { reliability, ..Model::default() };
        for (_, page) in lessons.iter().zip(pages.iter_mut()).filter(|(lesson, _)| lesson.fold == fold) {
            page.confidence = model.confidence(page.expected);
        }
    }
}

fn held_out(lesson: &Lesson, first: &[f32], second: &[f32], types: &Types) -> (HeldOut, Judgement) {
    let weights: Vec<f32> = lesson.words.iter().map(|words| words.len() as f32).collect();
    let decide = |probabilities: &[f32]| {
        let (cut, expected) = decode::best_cut(probabilities, &weights);
        let keep: Vec<bool> =
            probabilities.iter().map(|probability| *probability >= cut && *probability > 0.0).collect();
        (keep, expected)
    };
    let f1 = |keep: &[bool]| lesson.f1(|block| keep[block]);
    let (keep, expected) = decide(second);
    let (page_type, probability) = types.best();
    let page = HeldOut {
        set: lesson.set,
        page: lesson.page,
        f1: f1(&keep),
        first_f1: f1(&decide(first).0),
        ceiling: lesson.f1(|block| lesson.cover[block] >= 0.5),
        expected,
        confidence: expected,
        tokens: lesson.truth.len(),
        kind: lesson.kind.map(|kind| (PageType::ALL[kind], page_type)),
    };
    let mut judgement = Judgement::of(keep);
    judgement.verdicts.iter_mut().zip(second).for_each(|(verdict, said)| verdict.score = *said);
    judgement.whole = Some(Whole { page_type, probability, confidence: expected });
    (page, judgement)
}

/// The mean F1 of pages, by what was expected of them, made to rise.
fn reliability<'p>(pages: impl Iterator<Item = &'p HeldOut>) -> Vec<(f32, f32)> {
    const POINTS: usize = 20;
    let mut pages: Vec<&HeldOut> = pages.collect();
    pages.sort_by(|a, b| a.expected.total_cmp(&b.expected).then((a.set, a.page).cmp(&(b.set, b.page))));
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
