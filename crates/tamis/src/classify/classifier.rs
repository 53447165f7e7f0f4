//! The classifier: features, first pass, page type, second pass, threshold, post-processing.

use super::features::{self, Columns, Context, Derived};
use super::forest::logistic;
use super::model::Model;
use super::page_type::{self, PageTypes};
use super::prediction::{PageType, Prediction};
use super::{SiteMemory, postprocess, second_pass, threshold};
use crate::annotate::Annotations;
use crate::page::Page;

/// Whether to lose text or to keep noise where the model is unsure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Bias {
    /// Drop uncertain blocks.
    Precision,
    /// Maximise the expected F1.
    #[default]
    Balanced,
    /// Keep uncertain blocks.
    Recall,
}

/// Memory that is reused from page to page.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Intermediate values of features.
    pub derived: Derived,
    /// Features of blocks.
    pub columns: Columns,
    /// Features of the page.
    pub page_columns: Columns,
}

impl Scratch {
    /// Scratch memory for `model`, which computes only the columns that its forests use.
    pub fn new(model: &Model) -> Scratch {
        let mut scratch = Scratch::default();
        if !model.first.is_empty() {
            let forests = [&model.first, &model.second, &model.comment];
            scratch.columns.request(forests.into_iter().flat_map(|forest| forest.used_features()));
            scratch.page_columns.request(model.page_types.iter().flat_map(|forest| forest.used_features()));
        }
        scratch
    }
}

/// Settings of a classification.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings<'a> {
    /// What to do where the model is unsure.
    pub bias: Bias,
    /// Other pages of the site.
    pub site: Option<&'a dyn SiteMemory>,
    /// Whether to fill [`Prediction::comment_probabilities`].
    pub comments: bool,
    /// A post-processing rule to leave out, by name: measures what it earns.
    pub without_rule: Option<&'a str>,
}

/// Classifies the blocks of a page.
pub fn classify(
    page: &Page<'_>,
    annotations: &Annotations,
    model: &Model,
    settings: Settings<'_>,
    scratch: &mut Scratch,
) -> Prediction {
    features::fill(page, annotations, &mut scratch.derived, &mut scratch.columns);
    let mut probabilities = first_pass(model, &scratch.columns);
    if let Some(site) = settings.site {
        super::site_memory::apply(page, site, &mut probabilities);
    }
    let context = Context { page, annotations, derived: &scratch.derived };
    let page_types = predict_page_type(context, model, &probabilities, &mut scratch.page_columns);
    second_pass(context, model, &page_types, &mut probabilities, &mut scratch.columns);
    let comment_probabilities =
        if settings.comments { comment_probabilities(model, &scratch.columns) } else { Vec::new() };
    let (best, probability) = most_probable(&page_types);
    let weights: Vec<f32> = page.blocks.counts.iter().map(|counts| counts.words.max(1) as f32).collect();
    let (balanced, expected_f1) = threshold::optimal_threshold(&probabilities, &weights);
    let threshold = threshold::biased(balanced, settings.bias);
    let keep = |threshold: f32| probabilities.iter().map(|p| *p >= threshold && *p > 0.0).collect();
    let mut prediction = Prediction {
        kept: keep(balanced),
        probabilities: Vec::new(),
        comment_probabilities,
        threshold,
        confidence: calibrated(&model.calibration, expected_f1),
        page_type: best,
        page_type_probability: probability,
    };
    let with_bias: Vec<bool> = keep(threshold);
    prediction.probabilities = probabilities;
    if page_type::is_mostly_links(page, &prediction.kept) {
        prediction.page_type = PageType::Listing;
        prediction.page_type_probability = page_types[PageType::Listing as usize].max(0.5);
    }
    postprocess::apply(context, &mut prediction, settings.without_rule);
    // Rules run at the default bias; a bias then only removes or only adds blocks, so that the outputs are nested.
    match settings.bias {
        Bias::Balanced => {}
        Bias::Precision => prediction.kept.iter_mut().zip(with_bias).for_each(|(kept, also)| *kept &= also),
        Bias::Recall => prediction.kept.iter_mut().zip(with_bias).for_each(|(kept, also)| *kept |= also),
    }
    prediction
}

// `inline(never)`, here and elsewhere, keeps stages apart in profiles (`cargo xtask stages`).
#[inline(never)]
fn first_pass(model: &Model, columns: &Columns) -> Vec<f32> {
    let rows: Vec<u32> = (0..columns.rows as u32).collect();
    model.first.log_odds(columns, &rows).into_iter().map(logistic).collect()
}

#[inline(never)]
fn predict_page_type(
    context: Context<'_>,
    model: &Model,
    probabilities: &[f32],
    columns: &mut Columns,
) -> PageTypes {
    if !model.page_types.is_empty() {
        page_type::fill(context, probabilities, columns);
    }
    page_type::predict(&model.page_types, columns)
}

#[inline(never)]
fn second_pass(
    context: Context<'_>,
    model: &Model,
    page_types: &PageTypes,
    probabilities: &mut [f32],
    columns: &mut Columns,
) {
    let uncertain = |row: &u32| second_pass::is_uncertain(probabilities[*row as usize]);
    let rows: Vec<u32> = (0..columns.rows as u32).filter(uncertain).collect();
    if rows.is_empty() || model.second.is_empty() {
        return;
    }
    second_pass::add(context, probabilities, page_types, columns);
    for (row, log_odds) in rows.iter().zip(model.second.log_odds(columns, &rows)) {
        let probability = &mut probabilities[*row as usize];
        *probability = (*probability + logistic(log_odds)) / 2.0;
    }
}

fn comment_probabilities(model: &Model, columns: &Columns) -> Vec<f32> {
    let rows: Vec<u32> = (0..columns.rows as u32).collect();
    model.comment.log_odds(columns, &rows).into_iter().map(logistic).collect()
}

fn most_probable(types: &PageTypes) -> (PageType, f32) {
    let mut best = (PageType::Article, 0.0);
    for (page_type, probability) in PageType::ALL.into_iter().zip(types) {
        if *probability > best.1 {
            best = (page_type, *probability);
        }
    }
    best
}

/// Interpolates between calibration points; the identity without points.
fn calibrated(points: &[(f32, f32)], expected: f32) -> f32 {
    let after = points.partition_point(|point| point.0 < expected);
    match (points.get(after.wrapping_sub(1)), points.get(after)) {
        (Some(from), Some(to)) => from.1 + (to.1 - from.1) * (expected - from.0) / (to.0 - from.0).max(1e-6),
        (Some(last), None) => last.1,
        (None, Some(first)) => first.1,
        (None, None) => expected,
    }
}
