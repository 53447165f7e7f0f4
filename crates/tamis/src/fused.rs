//! `fused`: the published methods, the shape of the page and what was learned of labelled pages, in one decision.
//!
//! Every block gets a row of numbers ([`features`]): its own text, the elements around it, its neighbours, the items it is
//! one of, the blocks with the same path, the page, and what the published methods say. Boosted trees ([`trees`]) make a
//! probability of it. A second pass sees what the first one said of the blocks around, where that one was not sure ([`second_pass`]); and the cut is
//! made where the page's F can be expected to be highest ([`decode`]). What is kept is [tidied](tidy): short pages, listings and
//! tables are settled, copies and what blocks hold beside the text ([`mixed`]) are left out. What is expected of the cut, set against
//! what such pages had in training, is the confidence. The kind of page ([`PageType`])
//! is told after the first pass, so that the second knows it.
//!
//! Class names and words are evidence among other numbers ([`odds`]); no rule drops a block because of one.

mod between;
mod block_class;
mod bodies;
mod dateline;
mod declared;
pub mod decode;
mod elements;
pub mod features;
mod fed;
mod listed;
pub mod mixed;
pub mod model;
mod numbers;
pub mod odds;
mod page_type;
pub mod repeats;
mod rows;
pub mod second_pass;
mod short;
mod small_trees;
mod tidied;
pub mod trees;
mod writers;

pub use block_class::{BlockClass, Classes};
pub use model::{Model, ModelError};
pub use page_type::{LEARNED, PageType, Types};
pub(crate) use tidied::REASONS;
pub use tidied::tidy;

use crate::balance::Balance;
use crate::judgement::{Judgement, Verdict, Whole};
use crate::page::Page;
use crate::site::Site;
use features::Features;
use page_type::{Says, Shows};
use trees::Forest;

/// Judges a page with the model that comes with the library.
///
/// ```
/// use tamis::{Page, Site, fused};
///
/// let page = Page::parse(
///     "<ul><li><a href=/>Home</a><li><a href=/news>News</a></ul><h1>The ferry</h1>\
///      <p>The ferry runs again, says the company: twice a day, if the ice allows, and three times in May.</p>",
/// );
/// assert!(fused::judge(&page, &Site::default()).keeps(3));
/// ```
pub fn judge(page: &Page<'_>, site: &Site) -> Judgement {
    judge_with(page, site, Model::shipped(), Balance::Even)
}

/// Judges a page with a model of one's own, or with the [dial](Balance) turned.
///
/// ```
/// use tamis::{Balance, Page, Site, fused::{self, Model}};
///
/// let page = Page::parse("<h1>The ferry</h1><p>It runs again, says the company: twice a day.</p><p>Share this</p>");
/// let kept = |balance| fused::judge_with(&page, &Site::default(), Model::shipped(), balance).kept().count();
/// assert!(kept(Balance::Precision) <= kept(Balance::Even) && kept(Balance::Even) <= kept(Balance::Recall));
/// ```
pub fn judge_with(page: &Page<'_>, site: &Site, model: &Model, balance: Balance) -> Judgement {
    judge_told(page, site, None, model, balance, Reasons::Given)
}

/// Does anybody ask why a block is kept, and what it is besides? Whoever wants the document alone does not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reasons {
    Given,
    LeftOut,
}

/// The same, with the words of the page's whole text, where a feed has them.
pub(crate) fn judge_told(
    page: &Page<'_>,
    site: &Site,
    told: Option<&str>,
    model: &Model,
    balance: Balance,
    reasons: Reasons,
) -> Judgement {
    let look = look_told(page, site, told, model);
    if page.is_late() {
        return Judgement::of(page.blocks().iter().map(|_| false));
    }
    let (page_type, probability) = look.types.best();
    let judged = |cut: f32, reasons: Reasons| Judgement {
        verdicts: verdicts(&look, cut, reasons),
        classes: match reasons {
            Reasons::Given => Classes::of_page(page, &look.second),
            Reasons::LeftOut => Vec::new(),
        },
        ..Judgement::default()
    };
    let cut = decode::leaned(look.cut, balance, &look.second, &weights(page));
    let mut judgement = judged(look.cut, if balance == Balance::Even { reasons } else { Reasons::LeftOut });
    tidy(page, page_type, &model.words, &mut judgement);
    if balance != Balance::Even {
        let turned = judged(cut, reasons);
        judgement = tidied::turn(page, page_type, &model.words, balance, (judgement, look.cut), turned);
    }
    // Of no text nothing can be right.
    let confidence = match judgement.kept().next() {
        None => 0.0,
        Some(_) if balance == Balance::Even => look.confidence,
        Some(_) => model.confidence(decode::expected(&look.second, &weights(page), cut)),
    };
    judgement.whole = Some(Whole { page_type, probability, confidence });
    judgement
}

/// What the passes say of each block, with the cut at this place.
fn verdicts(look: &Look, cut: f32, reasons: Reasons) -> Vec<Verdict> {
    let verdict = |(at, (second, first)): (usize, (&f32, &f32))| {
        let mut why = Vec::new();
        if reasons == Reasons::Given {
            why.reserve_exact(4);
            why.push(("first pass", f64::from(*first)));
            why.push(("second pass", f64::from(*second)));
            why.push(("cut", f64::from(cut)));
            why.extend(look.fed.get(at).map(|share| ("in the feed", f64::from(*share))));
        }
        Verdict { keep: decode::is_kept(*second, cut), score: *second, why }
    };
    look.second.iter().zip(&look.first).enumerate().map(verdict).collect()
}

/// All that the model says of a page.
///
/// ```
/// use tamis::{Page, Site, fused::{self, Model}};
///
/// let page = Page::parse("<p>The ferry runs again, says the company: twice a day, if the ice allows.</p>");
/// let look = fused::look(&page, &Site::default(), Model::shipped());
/// assert_eq!((look.first.len(), look.second.len()), (1, 1));
/// assert!(look.cut <= 1.0 && look.confidence <= 1.0);
/// println!("{:?}", look.types.best());
/// ```
#[derive(Clone, Debug)]
pub struct Look {
    /// For each block, how probably it is main text by the first pass.
    pub first: Vec<f32>,
    /// ... and by the second, which has seen the first.
    pub second: Vec<f32>,
    /// Blocks from this probability on are kept.
    pub cut: f32,
    /// The token F1 that pages like this one had.
    pub confidence: f32,
    /// What kind of page it is.
    pub types: Types,
    /// For each block, the share of it that the whole text in a feed has; empty where there is none.
    fed: Vec<f32>,
}

impl Look {
    /// What is said of a page whose time is over: nothing.
    fn of_late(page: &Page<'_>) -> Look {
        let none = vec![0.0; page.blocks().len()];
        Look {
            first: none.clone(),
            second: none,
            cut: 1.0,
            confidence: 0.0,
            types: Types::default(),
            fed: Vec::new(),
        }
    }
}

/// What each block counts for when a cut is chosen: its words.
///
/// ```
/// use tamis::{Page, fused::weights};
///
/// assert_eq!(weights(&Page::parse("<p>It rained.<p>Home")), [2.0, 1.0]);
/// ```
pub fn weights(page: &Page<'_>) -> Vec<f32> {
    page.blocks().iter().map(|block| block.measures.text.words as f32).collect()
}

/// Rows between two looks at the clock.
const ROWS_PER_LOOK: usize = 4096;

/// What trees say of rows, as long as there is time.
fn probabilities(page: &Page<'_>, forest: &Forest, rows: &[f32], width: usize) -> Vec<f32> {
    let parts = rows.chunks((width * ROWS_PER_LOOK).max(1)).take_while(|_| !page.is_late());
    let mut all: Vec<f32> = parts.flat_map(|part| forest.probabilities(part, width)).collect();
    all.resize(rows.len().checked_div(width).unwrap_or(0), 0.0);
    all
}

/// Looks at a page with a model, twice.
///
/// ```
/// use tamis::{Page, Site, fused::{self, Model}};
///
/// let look = fused::look(&Page::parse(""), &Site::default(), Model::shipped());
/// assert!(look.second.is_empty());
/// ```
pub fn look(page: &Page<'_>, site: &Site, model: &Model) -> Look {
    look_told(page, site, None, model)
}

fn look_told(page: &Page<'_>, site: &Site, told: Option<&str>, model: &Model) -> Look {
    let features = Features::told(page, site, told, &model.words);
    if page.is_late() {
        return Look::of_late(page);
    }
    // What is hidden is not read.
    let mut first = probabilities(page, &model.first, &features.values, features.width);
    for (block, probability) in page.blocks().iter().zip(&mut first) {
        if block.hidden.is_some() {
            *probability = 0.0;
        }
    }
    let expected = decode::best_cut(&first, &weights(page)).1;
    let types = Types::learned(&model.types, &features.page_row(page, &first, expected));
    let rows = second_pass::rows(page, &features, &first, &types, second_pass::is_looked_at);
    let mut again = probabilities(page, &model.second, &rows, features.width + second_pass::MORE).into_iter();
    if page.is_late() {
        return Look::of_late(page);
    }
    let mut second = first.clone();
    for probability in second.iter_mut().filter(|first| second_pass::is_looked_at(**first)) {
        *probability = again.next().map_or(*probability, |said| second_pass::settled(*probability, said));
    }
    let (cut, mut expected) = decode::best_cut(&second, &weights(page));
    let fed = fed::shares(&features);
    if !fed.is_empty() {
        // The cut stays: made anew, it would fall where the text is sure, and let in what the feed says nothing of.
        fed::lean(page, &fed, &mut second);
        expected = decode::expected(&second, &weights(page), cut);
    }
    let types = settle_types(page, &features, types, |block| decode::is_kept(second[block], cut));
    Look { first, second, cut, confidence: model.confidence(expected), types, fed }
}

/// What kind of page it is, of which the trees say `learned` and the blocks that `keep` names are kept: what the page says of
/// itself and what stands on it settle what no tree was taught. Training measures by it as well, so that its figures are those of
/// what is given out.
///
/// ```
/// use tamis::fused::{PageType, Types, features::{Features, Words}, settle_types, trees::Forest};
/// use tamis::{Page, Site};
///
/// let links: String = (0..12).map(|n| format!("<li><a href=/{n}>Harbour number {n}</a>")).collect();
/// let html = format!("<ul>{links}</ul>");
/// let page = Page::parse(&html);
/// let features = Features::of(&page, &Site::default(), &Words::default());
/// let article = Types::learned(&[Forest { base: 2.0, ..Forest::default() }], &[]);
/// assert_eq!(settle_types(&page, &features, article, |_| false).best().0, PageType::Listing);
/// ```
pub fn settle_types(
    page: &Page<'_>,
    features: &Features,
    learned: Types,
    keep: impl Fn(usize) -> bool,
) -> Types {
    let bodies = if features.is_one_article { 1 } else { bodies::bodies(page, features.elements(), &keep) };
    let says = if features.says_questions {
        Says::Questions
    } else if features.says_article && page.posts().is_empty() {
        Says::Article
    } else {
        Says::Nothing
    };
    learned.told_apart(says, Shows::of(page, &learned, &keep), bodies)
}

/// What a rule keeps of a page whose blocks have these scores, with a cut of a half.
#[cfg(test)]
fn kept_after(settle: impl Fn(&Page<'_>, &mut Judgement), html: &str, scores: &[f32]) -> Vec<usize> {
    let page = Page::parse(html);
    assert_eq!(page.blocks().len(), scores.len());
    let verdict = |score: &f32| Verdict { keep: *score >= 0.5, score: *score, why: Vec::new() };
    let mut judgement = Judgement { verdicts: scores.iter().map(verdict).collect(), ..Judgement::default() };
    settle(&page, &mut judgement);
    judgement.kept().collect()
}
