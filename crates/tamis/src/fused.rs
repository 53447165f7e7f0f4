//! `fused`: the five methods, the shape of the page and what was learned of labelled pages, in one decision.
//!
//! Every block gets a row of numbers ([`features`]): its own text, the elements around it, its neighbours, the blocks with
//! the same path, the page, and what the published methods say. Boosted trees ([`trees`]) make a probability of it. A second
//! pass sees what the first one said of the blocks around ([`second_pass`]); and the cut is made where the page's F can be
//! expected to be highest ([`decode`]). What is expected there is also the confidence.
//!
//! Class names and words are evidence among other numbers ([`odds`]); no rule drops a block because of one.

pub mod decode;
mod elements;
pub mod features;
pub mod model;
mod numbers;
pub mod odds;
pub mod second_pass;
pub mod trees;

pub use model::{Model, ModelError};

use crate::judgement::{Judgement, Verdict};
use crate::page::Page;
use crate::site::Site;
use features::Features;

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
    judge_with(page, site, Model::shipped())
}

/// Judges a page with a model of one's own.
pub fn judge_with(page: &Page<'_>, site: &Site, model: &Model) -> Judgement {
    let look = Look::at(page, site, model);
    let verdicts = look.second.iter().zip(&look.first).map(|(second, first)| Verdict {
        keep: *second >= look.cut && *second > 0.0,
        score: *second,
        why: vec![("first pass", f64::from(*first)), ("second pass", f64::from(*second)), ("cut", f64::from(look.cut))],
    });
    Judgement { verdicts: verdicts.collect() }
}

/// What both passes said.
struct Look {
    first: Vec<f32>,
    second: Vec<f32>,
    cut: f32,
}

impl Look {
    fn at(page: &Page<'_>, site: &Site, model: &Model) -> Look {
        let features = Features::of(page, site, &model.words);
        // What is hidden is not read.
        let unless_hidden = |mut probabilities: Vec<f32>| {
            for (block, probability) in page.blocks().iter().zip(&mut probabilities) {
                if block.hidden.is_some() {
                    *probability = 0.0;
                }
            }
            probabilities
        };
        let first = unless_hidden(model.first.probabilities(&features.values, features.width));
        let rows = second_pass::rows(page, &features, &first);
        let second = unless_hidden(model.second.probabilities(&rows, features.width + second_pass::MORE));
        let weights: Vec<f32> = page.blocks().iter().map(|block| block.measures.text.words as f32).collect();
        let (cut, _) = decode::best_cut(&second, &weights);
        Look { first, second, cut }
    }
}
