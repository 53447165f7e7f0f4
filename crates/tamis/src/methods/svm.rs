//! `svm`: block tags classified by five ratios with a support vector machine; no template, no other pages.
//!
//! The baseline that the paper on templates and support vector machines compares itself with (its reference 15, table
//! 7), and the second stage of its own method: a block tag (`body`, `section`, `div`) is main text or noise as a whole,
//! by the shares R1 to R5 of the page's text, link text, links and pictures that it holds.
//!
//! Weak where a block tag mixes text and noise, and where a page is mostly links or pictures; it does not read a word.

use std::sync::LazyLock;

use tamis_html::NodeId;

use super::block_tags::{BlockTag, BlockTags, Statistics};
use super::in_order::InOrder;
use super::rbf::Model;
use crate::block::Block;
use crate::hashing::NumberMap;
use crate::judgement::{Judgement, Verdict};
use crate::page::Page;

/// The model that is shipped; how it was made and how good it is stands in the `README.md` beside it.
static SHIPPED: LazyLock<Model> =
    LazyLock::new(|| include_str!("../../models/block_tags.svm").parse().unwrap_or_default());

/// The names of the ratios, as the paper has them.
pub(crate) const RATIOS: [&str; 5] = ["R1", "R2", "R3", "R4", "R5"];

/// The model that is shipped with the library.
///
/// ```
/// assert!(!tamis::methods::svm::shipped_model().is_empty());
/// ```
pub fn shipped_model() -> &'static Model {
    &SHIPPED
}

/// Judges a page with the model that is shipped. In `why`: R1 to R5 of the block tag, and the machine's decision value.
///
/// ```
/// use tamis::{Page, methods::svm};
///
/// let story = "The river rose by two metres in the night and flooded the old town. ".repeat(20);
/// let html = format!("<div><a href=/>Home</a> <a href=/n>News</a></div><div><p>{story}</p></div>");
/// let kept: Vec<_> = svm::judge(&Page::parse(&html)).kept().collect();
/// assert_eq!(kept, [1]);
/// ```
pub fn judge(page: &Page<'_>) -> Judgement {
    judge_with(page, shipped_model())
}

/// As [`judge`], with a model of one's own.
///
/// ```
/// use tamis::{Page, methods::{rbf::Model, svm}};
///
/// // Main text is what holds most of the page's text (R1) and few links for its length (R5).
/// let model: Model = "svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 0\n\
///     nr_sv 1 1\nSV\n1 1:1 5:0\n-1 1:0 5:1\n".parse()?;
/// let page = Page::parse("<div><a href=/>Home</a></div><div>It rained for nine days.</div>");
/// assert_eq!(svm::judge_with(&page, &model).kept().collect::<Vec<_>>(), [1]);
/// # Ok::<(), tamis::methods::rbf::ModelError>(())
/// ```
pub fn judge_with(page: &Page<'_>, model: &Model) -> Judgement {
    judge_without(page, model, |_| false)
}

/// Judges what is left of a page when some elements with their own text are taken out of it.
pub(crate) fn judge_without(
    page: &Page<'_>,
    model: &Model,
    is_removed: impl Fn(NodeId) -> bool,
) -> Judgement {
    let tags = BlockTags::of(page, is_removed);
    let decisions = Decisions::of(&tags, model);
    let verdicts = page.blocks().iter().zip(&tags.of_block).map(|(block, &tag)| {
        let ratios = tags.ratios(&tags.list[tag]);
        let decision = decisions.list[tag];
        let mut why: Vec<(&'static str, f64)> = RATIOS.into_iter().zip(ratios).collect();
        why.push(("decision", decision));
        Verdict { keep: block.hidden.is_none() && decision > 0.0, score: decisions.score(block, tag), why }
    });
    Judgement { verdicts: verdicts.collect(), ..Judgement::default() }
}

/// The scores of [`judge_without`] alone.
pub(crate) fn scores_without(
    page: &Page<'_>,
    in_order: &InOrder,
    model: &Model,
    is_removed: impl Fn(NodeId) -> bool,
) -> Vec<f32> {
    let tags = BlockTags::in_order(page, in_order, is_removed);
    let decisions = Decisions::of(&tags, model);
    page.blocks().iter().zip(&tags.of_block).map(|(block, &tag)| decisions.score(block, tag)).collect()
}

/// What the machine says of each block tag.
struct Decisions {
    list: Vec<f64>,
}

impl Decisions {
    fn of(tags: &BlockTags, model: &Model) -> Decisions {
        // Menus and lists have many block tags of the same counts.
        let mut known: NumberMap<Statistics, f64> = NumberMap::default();
        let decide = |tag: &BlockTag| match tag.inner.len {
            0 => f64::NEG_INFINITY,
            _ => *known.entry(tag.inner).or_insert_with(|| model.decision(&tags.ratios(tag))),
        };
        Decisions { list: tags.list.iter().map(decide).collect() }
    }

    /// Not a probability, but it rises with the decision and is a half where the classes part.
    fn score(&self, block: &Block, tag: usize) -> f32 {
        match block.hidden {
            None => (1.0 / (1.0 + libm::exp(-2.0 * self.list[tag]))) as f32,
            Some(_) => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept<'p>(page: &'p Page<'_>) -> Vec<&'p str> {
        judge(page).kept().map(|block| page.text(&page.blocks()[block])).collect()
    }

    fn links(number: usize) -> String {
        (0..number).map(|n| format!("<a href=/{n}>Section number {n}</a> ")).collect()
    }

    #[test]
    fn the_block_tag_with_the_text_is_kept() {
        let story = "<p>The bridge will be closed for two weeks.</p>".repeat(20);
        let html = format!("<div>{}</div><div>{story}</div><div>{}</div>", links(12), links(20));
        let page = Page::parse(&html);
        let kept = kept(&page);
        assert_eq!(kept.len(), 20);
        assert!(kept.iter().all(|text| text.starts_with("The bridge")));
    }

    #[test]
    fn a_block_tag_that_mixes_text_and_noise_is_not_split() {
        // The named weakness: the related links are inside the block tag of the story.
        let story = "<p>The bridge will be closed for two weeks.</p>".repeat(20);
        let html = format!("<div>{}</div><div>{story}<ul><li>{}</ul></div>", links(30), links(2));
        let page = Page::parse(&html);
        assert_eq!(kept(&page).len(), 21);
        let page_of_links = format!("<div>{}</div>", links(40));
        assert!(kept(&Page::parse(&page_of_links)).is_empty(), "a page of links is lost");
    }

    #[test]
    fn the_numbers_are_given() {
        let verdict = judge(&Page::parse("<div>one <a href=/>two</a></div>")).verdicts.remove(0);
        let names: Vec<_> = verdict.why.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["R1", "R2", "R3", "R4", "R5", "decision"]);
        assert_eq!(verdict.why[0].1, 6.0 / 7.0);
        assert_eq!(verdict.keep, verdict.score > 0.5);
    }

    #[test]
    fn nothing_comes_of_nothing() {
        assert!(judge(&Page::parse("")).verdicts.is_empty());
        assert!(!judge(&Page::parse("<template><p>It is not seen.</template>")).keeps(0));
    }
}
