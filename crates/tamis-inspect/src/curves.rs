//! What the papers draw, with the blocks behind every point.

use std::collections::HashMap;

use tamis::classify::Prediction;
use tamis::page::Page;
use tamis_html::{NodeId, Step};
use tamis_methods::{Judgement, Method, Selection};

use crate::build::InspectOptions;
use crate::inspection::{Curve, Series, Threshold};

/// Points of a curve; of more, the highest in each of so many runs is kept.
const MAX_POINTS: usize = 4_000;

/// The blocks in each node of a page.
pub(crate) struct BlockRanges {
    ranges: HashMap<NodeId, [u32; 2]>,
}

impl BlockRanges {
    pub(crate) fn of(page: &Page<'_>) -> BlockRanges {
        let mut ranges: HashMap<NodeId, [u32; 2]> = HashMap::new();
        for block in 0..page.blocks.len() {
            for node in page.blocks.text_nodes(block) {
                ranges.insert(*node, [block as u32, block as u32 + 1]);
            }
        }
        // Elements begin with the first block that is seen in them and end with the last.
        let (mut seen, mut open) = (Vec::new(), Vec::new());
        for step in page.dom.root().walk() {
            match step {
                Step::Enter(node) if node.is_element() => open.push(seen.len()),
                Step::Enter(node) => seen.extend(ranges.get(&node.id()).map(|range| range[0])),
                Step::Leave(node) if node.is_element() => {
                    let inside = open.pop().and_then(|from| seen.get(from..)).unwrap_or_default();
                    if let (Some(first), Some(last)) = (inside.first(), inside.last()) {
                        ranges.insert(node.id(), [*first, (*last).max(*first) + 1]);
                    }
                }
                Step::Leave(_) => {}
            }
        }
        BlockRanges { ranges }
    }
}

/// The curves of the methods, the learned one first.
pub(crate) fn of(
    page: &Page<'_>,
    prediction: &Prediction,
    options: &InspectOptions<'_>,
    judgements: &[(Method, Judgement)],
    ranges: &BlockRanges,
) -> Vec<Curve> {
    let mut curves = Vec::new();
    if options.methods.contains(&Selection::Fused) && !page.blocks.is_empty() {
        let values = prediction.probabilities.iter().map(|it| f64::from(*it)).collect();
        curves.push(Curve {
            method: Selection::Fused.name(),
            title: "Probability of main text",
            unit: "block",
            blocks: (0..page.blocks.len() as u32).map(|block| Some([block, block + 1])).collect(),
            series: vec![Series { name: "probability", values }],
            thresholds: vec![Threshold { name: "threshold", value: f64::from(prediction.threshold) }],
            units: page.blocks.len(),
        });
    }
    for (method, judgement) in judgements {
        let units = judgement.curves.nodes.len();
        if units == 0 {
            continue;
        }
        let (title, unit) = words(*method);
        let blocks =
            judgement.curves.nodes.iter().map(|node| node.and_then(|it| ranges.ranges.get(&it).copied()));
        let series = judgement.curves.series.iter();
        let thresholds = judgement.curves.thresholds.iter();
        curves.push(Curve {
            method: method.name(),
            title,
            unit,
            blocks: blocks.collect(),
            series: series.map(|(name, values)| Series { name, values: values.clone() }).collect(),
            thresholds: thresholds.map(|(name, value)| Threshold { name, value: *value }).collect(),
            units,
        });
    }
    curves.iter_mut().for_each(thin);
    curves
}

/// What a method draws, and over what.
fn words(method: Method) -> (&'static str, &'static str) {
    match method {
        Method::Lines => ("Share of punctuation", "line"),
        Method::Svm | Method::TemplateSvm => ("Distance to the border of the SVM", "block tag"),
        Method::Correlation => ("Text per link (CC)", "element"),
        Method::Containers => ("Support of containers (SD)", "container"),
        Method::Blocks => ("Length of text blocks, before and after smoothing", "text block"),
        _ => ("Text density", "element"),
    }
}

/// Bounds the points and the digits of a curve; peaks stay.
fn thin(curve: &mut Curve) {
    let run = curve.units.div_ceil(MAX_POINTS).max(1);
    if run > 1 {
        let height =
            |at: &usize| curve.series.first().and_then(|it| it.values.get(*at)).copied().unwrap_or(0.0);
        let chosen: Vec<usize> = (0..curve.units)
            .step_by(run)
            .filter_map(|from| {
                (from..(from + run).min(curve.units))
                    .max_by(|a, b| height(a).total_cmp(&height(b)).then(b.cmp(a)))
            })
            .collect();
        curve.blocks = chosen.iter().map(|at| curve.blocks.get(*at).copied().flatten()).collect();
        for series in &mut curve.series {
            series.values = chosen.iter().map(|at| series.values.get(*at).copied().unwrap_or(0.0)).collect();
        }
    }
    for value in curve.series.iter_mut().flat_map(|series| &mut series.values) {
        *value = if value.is_finite() { (*value * 1_000.0).round() / 1_000.0 } else { 0.0 };
    }
}
