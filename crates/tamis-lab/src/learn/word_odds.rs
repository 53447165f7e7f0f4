//! What words and class names say, learned: how often blocks with them are main text, each site with the same voice.

use std::collections::{HashMap, HashSet};

use tamis::fused::LEARNED;
use tamis::fused::features::{Words, page_classes};
use tamis::fused::odds::{Odds, class_words, text_words};
use tamis::{Block, Page};
use tamis_html::Name;

use super::lessons::{Lesson, site_number};
use crate::parallel;

/// Main text and noise, in votes of sites.
#[derive(Clone, Copy, Default)]
struct Votes {
    main: f32,
    noise: f32,
}

/// Votes by word, for each part of the data.
type ByFold = Vec<HashMap<u32, Votes>>;

/// What was heard of words, by part of the data, so that a page never hears what its own part says.
pub(crate) struct Heard {
    classes: ByFold,
    texts: ByFold,
    kinds: Vec<ByFold>,
}

/// How many words are kept at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MostWords {
    /// Words of class names.
    pub classes: usize,
    /// Words of texts.
    pub texts: usize,
    /// Words of class names for each kind of page.
    pub kinds: usize,
}

impl Default for MostWords {
    fn default() -> Self {
        MostWords { classes: 1500, texts: 4000, kinds: 300 }
    }
}

/// A word must be heard on about so many sites.
const LEAST_SITES: f32 = 2.5;
/// A site has a whole voice on a word when so much weight of its blocks has it.
const WHOLE_VOICE: f32 = 6.0;
/// As if so many sites had said what all words say on the mean.
const DOUBT: f32 = 3.0;

impl Heard {
    pub(crate) fn of(lessons: &[Lesson], folds: usize, threads: usize) -> Heard {
        Heard {
            classes: listen(lessons, folds, threads, Lesson::tells_classes, classes_around),
            texts: listen(lessons, folds, threads, Lesson::tells_texts, |page, block| {
                let mut words = Vec::new();
                text_words(page.text(block), tamis::fused::features::LOOKED_UP, |word| words.push(word));
                words
            }),
            kinds: (0..LEARNED).map(|kind| listen_for_kind(lessons, folds, threads, kind)).collect(),
        }
    }

    /// What all parts but one say; all of them where `without` is none of them.
    pub(crate) fn words(&self, without: usize, most: MostWords) -> Words {
        Words {
            classes: odds(&self.classes, without, most.classes),
            texts: odds(&self.texts, without, most.texts),
            types: std::array::from_fn(|kind| odds(&self.kinds[kind], without, most.kinds)),
        }
    }
}

/// The words of the class names and ids of the elements around a block, each once.
fn classes_around(page: &Page<'_>, block: &Block) -> Vec<u32> {
    /// Further out, elements hold the whole page.
    const NEAREST: usize = 12;
    let element = page.element(block);
    let mut words = HashSet::new();
    for element in std::iter::once(element).chain(element.ancestors()).take(NEAREST) {
        for attribute in element.attributes() {
            if matches!(attribute.name_id(), Name::CLASS | Name::ID) {
                class_words(&attribute.value(), |word| {
                    words.insert(word);
                });
            }
        }
    }
    words.into_iter().collect()
}

fn listen(
    lessons: &[Lesson],
    folds: usize,
    threads: usize,
    tells: fn(&Lesson) -> bool,
    words: impl Fn(&Page<'_>, &Block) -> Vec<u32> + Sync,
) -> ByFold {
    let heard = parallel::map(lessons, threads, |_, lesson| {
        if !tells(lesson) {
            return HashMap::new();
        }
        let page = lesson.page();
        let mut heard: HashMap<u32, Votes> = HashMap::new();
        for (place, block) in page.blocks().iter().enumerate().filter(|(place, _)| lesson.teaches(*place)) {
            let weight = (lesson.words[place].len() as f32).min(50.0).sqrt();
            for word in words(&page, block) {
                let votes = heard.entry(word).or_default();
                votes.main += weight * lesson.cover[place];
                votes.noise += weight * (1.0 - lesson.cover[place]);
            }
        }
        heard
    });
    by_site(lessons, heard, folds, WHOLE_VOICE)
}

/// As main text counts what pages of a kind have in their class names.
fn listen_for_kind(lessons: &[Lesson], folds: usize, threads: usize, kind: usize) -> ByFold {
    let heard = parallel::map(lessons, threads, |_, lesson| {
        let Some(is) = lesson.kind.filter(|_| lesson.is_learned && lesson.tells_classes()) else {
            return HashMap::new();
        };
        let votes = Votes { main: f32::from(u8::from(is == kind)), noise: f32::from(u8::from(is != kind)) };
        page_classes(&lesson.page()).into_iter().map(|word| (word, votes)).collect()
    });
    by_site(lessons, heard, folds, 1.0)
}

/// What was heard on a site.
struct OfSite {
    fold: usize,
    weight: f32,
    words: HashMap<u32, Votes>,
}

/// The votes of pages made votes of sites; one of `whole_voice` and more is a whole one.
fn by_site(lessons: &[Lesson], heard: Vec<HashMap<u32, Votes>>, folds: usize, whole_voice: f32) -> ByFold {
    let mut by_site: HashMap<u64, OfSite> = HashMap::new();
    for (lesson, heard) in lessons.iter().zip(heard) {
        let nothing = || OfSite { fold: lesson.fold, weight: lesson.weight, words: HashMap::new() };
        let site = by_site.entry(site_number(&lesson.site)).or_insert_with(nothing);
        for (word, votes) in heard {
            let sum = site.words.entry(word).or_default();
            sum.main += votes.main;
            sum.noise += votes.noise;
        }
    }
    // In a fixed order, or sums of decimal numbers would differ from run to run.
    let mut sites: Vec<_> = by_site.into_iter().collect();
    sites.sort_unstable_by_key(|(site, _)| *site);
    let mut by_fold: ByFold = vec![HashMap::new(); folds];
    for (_, OfSite { fold, weight, words }) in sites {
        for (word, Votes { main, noise }) in words {
            let all = (main + noise).max(1e-9);
            let voice = weight * (all / whole_voice).min(1.0);
            let votes = by_fold[fold].entry(word).or_default();
            votes.main += voice * main / all;
            votes.noise += voice * noise / all;
        }
    }
    by_fold
}

fn odds(by_fold: &ByFold, without: usize, most: usize) -> Odds {
    let mut sums: HashMap<u32, Votes> = HashMap::new();
    for (_, words) in by_fold.iter().enumerate().filter(|(fold, _)| *fold != without) {
        for (word, votes) in words {
            let sum = sums.entry(*word).or_default();
            sum.main += votes.main;
            sum.noise += votes.noise;
        }
    }
    let mut words: Vec<(u32, Votes)> = sums.into_iter().collect();
    words.sort_unstable_by_key(|(word, _)| *word);
    let (main, noise) = words.iter().fold((0.0f64, 0.0f64), |(main, noise), (_, votes)| {
        (main + f64::from(votes.main), noise + f64::from(votes.noise))
    });
    let usual = (main / (main + noise).max(1e-9)).clamp(0.01, 0.99) as f32;
    let mut known: Vec<(u32, f32, f32)> = words
        .into_iter()
        .filter(|(_, votes)| votes.main + votes.noise >= LEAST_SITES)
        .map(|(word, votes)| {
            let odds = (votes.main + DOUBT * usual) / (votes.noise + DOUBT * (1.0 - usual));
            let odds = odds.ln() - (usual / (1.0 - usual)).ln();
            (word, odds, odds.abs() * (votes.main + votes.noise).sqrt())
        })
        .collect();
    known.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.0.cmp(&b.0)));
    known.truncate(most);
    Odds::new(known.into_iter().map(|(word, odds, _)| (word, odds)))
}
