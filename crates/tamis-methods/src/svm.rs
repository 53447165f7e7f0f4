//! `svm`: block tags classified by five ratios with a support vector machine.
//!
//! The baseline of Yan and Wang 2020 (their reference 15, table 7) and the second stage of their own method: classifies
//! a whole block tag by its shares R1 to R5 of the page's text, link text, links and images.
//!
//! Weaknesses: block tags that mix text and noise, pages of links or images. It ignores words.

use std::collections::HashMap;
use std::sync::LazyLock;

use tamis::page::Page;
use tamis_html::NodeId;

use crate::block_tags::{BlockTags, Statistics};
use crate::judgement::{Curves, Judgement, Verdict};
use crate::rbf::Model;

static SHIPPED: LazyLock<Model> =
    LazyLock::new(|| include_str!("../data/block_tags.svm").parse().unwrap_or_default());

/// The names of the ratios in the paper.
const RATIOS: [&str; 5] = ["R1", "R2", "R3", "R4", "R5"];

/// Block tags between two checks of the deadline.
const TAGS_PER_DEADLINE_CHECK: usize = 256;

/// The model that ships with the crate.
pub fn shipped_model() -> &'static Model {
    &SHIPPED
}

/// Judges a page. Evidence: R1 to R5 of the block tag and the decision value.
pub fn judge(page: &Page<'_>, model: &Model) -> Judgement {
    judge_without(page, model, |_| false)
}

/// Judges a page without the texts directly in some elements.
pub(crate) fn judge_without(
    page: &Page<'_>,
    model: &Model,
    is_removed: impl Fn(NodeId) -> bool,
) -> Judgement {
    let tags = BlockTags::of(page, is_removed);
    let decisions = decisions(page, &tags, model);
    let verdict = |&tag: &usize| {
        let decision = decisions[tag];
        let mut evidence: Vec<(&'static str, f64)> =
            RATIOS.into_iter().zip(tags.ratios(&tags.list[tag])).collect();
        evidence.push(("decision", decision));
        // Not a probability, but monotonic in the decision value and 0.5 at the boundary.
        let score = (1.0 / (1.0 + libm::exp(-2.0 * decision))) as f32;
        Verdict { keep: decision > 0.0, score, evidence }
    };
    let verdicts = tags.of_block.iter().map(verdict).collect();
    let nodes = tags.list.iter().map(|tag| Some(tag.element)).collect();
    let curves = Curves { nodes, series: vec![("decision", decisions)], thresholds: vec![("decision", 0.0)] };
    Judgement { verdicts, curves }
}

/// The decision value of each block tag.
fn decisions(page: &Page<'_>, tags: &BlockTags, model: &Model) -> Vec<f64> {
    // Caches results, since menus and lists have many block tags with equal counts.
    let mut known: HashMap<Statistics, f64> = HashMap::new();
    let mut decisions = Vec::with_capacity(tags.list.len());
    for (number, tag) in tags.list.iter().enumerate() {
        if number.is_multiple_of(TAGS_PER_DEADLINE_CHECK) && page.deadline_exceeded() {
            break;
        }
        decisions.push(match tag.inner.len {
            0 => f64::NEG_INFINITY,
            _ => *known.entry(tag.inner).or_insert_with(|| model.decision(&tags.ratios(tag))),
        });
    }
    decisions.resize(tags.list.len(), f64::NEG_INFINITY);
    decisions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::kept;

    #[test]
    fn keeps_the_block_tag_with_the_text() {
        let story = "<p>The bridge will be closed for two weeks.</p>".repeat(20);
        let links = "<a href=/s>Section number 3</a> ".repeat(12);
        let html = format!("<div>{links}</div><div>{story}</div><div>{links}</div>");
        let kept = kept(&html, |page| judge(page, shipped_model()));
        assert_eq!(kept.len(), 20);
        assert!(kept.iter().all(|text| text.starts_with("The bridge")));
    }

    #[test]
    fn evidence_has_the_papers_names() {
        let judgement = judge(&Page::parse("<div>one <a href=/>two</a></div>"), shipped_model());
        let names: Vec<_> = judgement.verdicts[0].evidence.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["R1", "R2", "R3", "R4", "R5", "decision"]);
        assert_eq!(judgement.verdicts[0].evidence[0].1, 6.0 / 7.0);
        assert_eq!(judgement.curves.nodes.len(), judgement.curves.get("decision").unwrap().len());
    }

    #[test]
    fn a_custom_model_decides() {
        // Main text has most of the page's text (R1) and few links for its length (R5).
        let model: Model =
            "svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 0\n\
            nr_sv 1 1\nSV\n1 1:1 5:0\n-1 1:0 5:1\n"
                .parse()
                .unwrap();
        let page = Page::parse("<div><a href=/>Home</a></div><div>It rained for nine days.</div>");
        assert_eq!(judge(&page, &model).kept().collect::<Vec<_>>(), [1]);
    }
}
