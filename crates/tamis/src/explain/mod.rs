//! Why blocks are kept or dropped: the evidence of the forests, in words.

mod evidence;

pub use evidence::FeatureEvidence;

use crate::classify::features::Columns;
use crate::classify::{Model, Prediction, second_pass};
use crate::page::Page;
use evidence::describe;

/// Pieces of evidence given per block.
const MAX_EVIDENCE: usize = 6;

/// Why the blocks of a page are kept or dropped.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Explanation {
    /// The decision threshold of the page.
    pub threshold: f32,
    /// What rules of the user for the site did, in a line.
    pub rules: Option<String>,
    /// One entry per block, in document order.
    pub blocks: Vec<BlockExplanation>,
}

/// Why a block is kept or dropped.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BlockExplanation {
    /// The text.
    pub text: String,
    /// The XPath of its element.
    pub path: String,
    /// Byte range in the decoded source.
    pub span: [u32; 2],
    /// Whether it is part of the main text.
    pub kept: bool,
    /// Probability of main text.
    pub probability: f32,
    /// What it is: `main`, `comment`, `supplemental`, `related` or `noise`.
    pub class: &'static str,
    /// The rule of the user that decided, whatever the evidence says.
    pub rule: Option<String>,
    /// The strongest evidence, first what moved the probability most.
    pub evidence: Vec<FeatureEvidence>,
}

/// Explains the prediction of a page. `columns` are those of the classification.
pub(crate) fn explain(
    page: &Page<'_>,
    model: &Model,
    prediction: &Prediction,
    columns: &Columns,
) -> Explanation {
    let classes = model.block_classes(columns, prediction);
    let has_second_pass = columns.names.len() > usize::from(model.second.used_features().max().unwrap_or(0));
    let mut paths = crate::document::Paths::default();
    let (first, second) = (model.first.contributions(columns), model.second.contributions(columns));
    let in_time = |block: &usize| !block.is_multiple_of(256) || !page.deadline_exceeded();
    let blocks = (0..page.blocks.len()).take_while(in_time).map(|block| {
        let probability = prediction.probabilities[block];
        let mut contributions = first(block);
        // The probability of an uncertain block is the mean of both passes, and so is its evidence.
        if has_second_pass && !model.second.is_empty() && second_pass::is_uncertain(probability) {
            contributions.extend(second(block));
            contributions.sort_by_key(|(feature, _)| *feature);
            let both = contributions.chunk_by(|a, b| a.0 == b.0);
            contributions =
                both.map(|same| (same[0].0, same.iter().map(|(_, moved)| moved / 2.0).sum())).collect();
        }
        contributions.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
        let evidence = contributions.iter().take(MAX_EVIDENCE).map(|(feature, log_odds)| {
            let index = usize::from(*feature);
            describe(columns.names[index], columns.family(index), columns.column(index)[block], *log_odds)
        });
        let element = page.dom.node(page.elements.node[page.blocks.element[block] as usize]);
        let span = page.blocks.span[block];
        BlockExplanation {
            text: page.blocks.text(block).to_owned(),
            path: element.map(|node| paths.of(node)).unwrap_or_default(),
            span: [span.start, span.end],
            kept: prediction.kept[block],
            probability,
            class: classes[block].name(),
            rule: rule_of(prediction, block),
            evidence: evidence.collect(),
        }
    });
    let rules = prediction.rules.as_ref().map(|rules| rules.summary.clone());
    Explanation { threshold: prediction.threshold, rules, blocks: blocks.collect() }
}

fn rule_of(prediction: &Prediction, block: usize) -> Option<String> {
    Some(prediction.rules.as_ref()?.blocks.get(block)?.as_deref()?.to_owned())
}
