//! Lessons: pages with labelled blocks, made of evaluation sets.

use std::collections::HashMap;

use tamis::Page;
use tamis::fused::{LEARNED, PageType};

use super::hold_out::{self, HoldOut};
use super::kinds::as_learned;
use super::labels;
use crate::set::Set;
use crate::tokens::{normal, tokens};
use crate::{parallel, run};

/// How a page came about that is no page of a set, with the place of the lesson that its text is from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Made {
    /// A page of a set, changed.
    Copy(usize),
    /// A template of ours, filled.
    Rendered(usize),
}

impl Made {
    /// The place of the lesson that the text is from.
    pub(crate) fn of(self) -> usize {
        match self {
            Made::Copy(of) | Made::Rendered(of) => of,
        }
    }
}

/// A page to learn from.
#[derive(Clone)]
pub(crate) struct Lesson {
    /// The number of its set.
    pub(crate) set: usize,
    /// Its place in the set.
    pub(crate) page: usize,
    /// Pages of one site are never on both sides of a split.
    pub(crate) site: String,
    /// Which of the kinds that are learned the page is, where the set tells.
    pub(crate) kind: Option<usize>,
    /// How much it says, beside 1 for others.
    pub(crate) weight: f32,
    /// The part of the data it belongs to.
    pub(crate) fold: usize,
    /// Is it learned from when its part is? Not so where only a share of the sites is.
    pub(crate) is_learned: bool,
    /// Is it a page once more, measured with what other pages of its site show?
    pub(crate) with_memory: bool,
    /// Was it made for learning? Such a page is never measured.
    pub(crate) made: Option<Made>,
    pub(crate) html: String,
    /// For each block its words, as numbers that are the page's own.
    pub(crate) words: Vec<Vec<u32>>,
    /// The words of the truth, likewise.
    pub(crate) truth: Vec<u32>,
    /// For each block the share that the truth covers.
    pub(crate) cover: Vec<f32>,
    pub(crate) hidden: Vec<bool>,
}

impl Lesson {
    /// A lesson that says nothing, for tests to fill.
    #[cfg(test)]
    pub(crate) fn empty() -> Lesson {
        Lesson {
            set: 0,
            page: 0,
            site: String::new(),
            kind: None,
            weight: 1.0,
            fold: 0,
            is_learned: true,
            with_memory: false,
            made: None,
            html: String::new(),
            words: vec![],
            truth: vec![],
            cover: vec![],
            hidden: vec![],
        }
    }

    /// The page, parsed.
    pub(crate) fn page(&self) -> Page<'_> {
        Page::parse(&self.html)
    }

    /// Can a block be learned from?
    pub(crate) fn teaches(&self, block: usize) -> bool {
        self.is_learned && !self.hidden[block] && !self.words[block].is_empty()
    }

    /// Does it say what words of texts are worth? Texts of pages that were made have been heard where they are from.
    pub(crate) fn tells_texts(&self) -> bool {
        self.made.is_none()
    }

    /// Does it say what class names are worth? A template has names of its own; a copy has its page's, or senseless ones.
    pub(crate) fn tells_classes(&self) -> bool {
        !matches!(self.made, Some(Made::Copy(_)))
    }

    /// A page that is made of this one, which stands at place `made.of()`, or none if it has no text to learn from.
    pub(crate) fn made(&self, made: Made, html: String, truth: &str) -> Option<Lesson> {
        let Labelled { words, truth, cover, hidden } = Labelled::of(&html, truth)?;
        let (site, made) = (self.site.clone(), Some(made));
        Some(Lesson { site, made, with_memory: false, html, words, truth, cover, hidden, ..*self })
    }

    /// Token F1 of the blocks that `keep` names.
    pub(crate) fn f1(&self, keep: impl Fn(usize) -> bool) -> f32 {
        let mut left: HashMap<u32, u32> = HashMap::new();
        self.truth.iter().for_each(|word| *left.entry(*word).or_default() += 1);
        let (mut right, mut kept) = (0, 0);
        for (_, words) in self.words.iter().enumerate().filter(|(block, _)| keep(*block)) {
            kept += words.len();
            for word in words {
                if let Some(left) = left.get_mut(word).filter(|left| **left > 0) {
                    *left -= 1;
                    right += 1;
                }
            }
        }
        2.0 * right as f32 / (kept + self.truth.len()).max(1) as f32
    }
}

/// The lessons of some sets: all pages whose truth is a text, cut into `folds` parts.
///
/// Trees are grown from rows in an order, so lessons are in that of the sets' names, however the sets were given.
pub(crate) fn lessons(sets: &[Set], folds: usize, hold_out: HoldOut, threads: usize) -> Vec<Lesson> {
    let mut by_name: Vec<usize> = (0..sets.len()).collect();
    by_name.sort_by_key(|set| (&sets[*set].name, &sets[*set].folder));
    let pages: Vec<(usize, usize)> = by_name
        .into_iter()
        .flat_map(|set| (0..sets[set].truths.len()).map(move |page| (set, page)))
        .collect();
    let made = parallel::map(&pages, threads, |_, (set, page)| lesson(&sets[*set], *set, *page, folds));
    let mut lessons: Vec<Lesson> = made.into_iter().flatten().collect();
    if hold_out == HoldOut::Engine {
        let keys: Vec<_> = lessons
            .iter()
            .map(|it| (it.site.as_str(), sets[it.set].truths[it.page].engine.as_deref()))
            .collect();
        let parts = hold_out::by_engine(&keys, folds.max(1));
        lessons.iter_mut().zip(parts).for_each(|(lesson, part)| lesson.fold = part);
    }
    lessons
}

fn lesson(set: &Set, number: usize, place: usize, folds: usize) -> Option<Lesson> {
    let truth = &set.truths[place];
    let html = run::read(set, truth).ok()?;
    let Labelled { words, truth: truth_words, cover, hidden } = Labelled::of(&html, truth.text.as_deref()?)?;
    // A page without a site is one by itself.
    let site = truth.site.clone().unwrap_or_else(|| format!("{}/{}", set.name, truth.id));
    let kind = match truth.subtype.as_deref() {
        Some(finer) => kind(finer),
        None => truth.page_type.as_deref().and_then(kind),
    };
    let fold = (site_number(&site) >> 20) as usize % folds.max(1);
    Some(Lesson {
        set: number,
        page: place,
        site,
        kind,
        weight: set.weight,
        fold,
        is_learned: true,
        with_memory: false,
        made: None,
        html,
        words,
        truth: truth_words,
        cover,
        hidden,
    })
}

/// A page's blocks set against its truth.
pub(crate) struct Labelled {
    words: Vec<Vec<u32>>,
    truth: Vec<u32>,
    cover: Vec<f32>,
    hidden: Vec<bool>,
}

impl Labelled {
    /// Nothing where the truth has no words.
    fn of(html: &str, truth: &str) -> Option<Labelled> {
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut words = |text: &str| -> Vec<u32> {
            let number = |word: &str| {
                let next = numbers.len() as u32;
                *numbers.entry(word.to_owned()).or_insert(next)
            };
            tokens(&normal(text)).map(number).collect()
        };
        let truth = words(truth);
        if truth.is_empty() {
            return None;
        }
        let page = Page::parse(html);
        let words: Vec<Vec<u32>> = page.blocks().iter().map(|block| words(page.text(block))).collect();
        let hidden: Vec<bool> = page.blocks().iter().map(|block| block.hidden.is_some()).collect();
        let seen: Vec<Vec<u32>> = words
            .iter()
            .zip(&hidden)
            .map(|(words, hidden)| if *hidden { Vec::new() } else { words.clone() })
            .collect();
        let cover = labels::cover(&seen, &truth);
        Some(Labelled { words, truth, cover, hidden })
    }
}

/// The number of a kind of page that is learned, or of the one that it counts as. A recipe is called a product by some; it is
/// left out.
pub(crate) fn kind(name: &str) -> Option<usize> {
    let name = match name {
        "collection" => "listing",
        "service" => "other",
        name => name,
    };
    let kind = PageType::ALL.into_iter().find(|kind| kind.name() == name)?;
    PageType::ALL[..LEARNED].iter().position(|learned| *learned == as_learned(kind))
}

/// A number for a site that is the same on every run and machine.
pub(crate) fn site_number(site: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    site.bytes().fold(0xCBF2_9CE4_8422_2325, step)
}
