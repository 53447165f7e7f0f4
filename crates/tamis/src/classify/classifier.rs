//! The classifier: features, first pass, page type, second pass, threshold, post-processing.

use super::features::{self, Columns, Context, Derived};
use super::forest::{Forest, logistic};
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
    /// Between them, in percent: -100 is precision, 0 balanced, 100 recall.
    Percent(i8),
}

impl Bias {
    /// The bias from -1 (precision) to 1 (recall).
    pub fn level(self) -> f32 {
        match self {
            Bias::Precision => -1.0,
            Bias::Balanced => 0.0,
            Bias::Recall => 1.0,
            Bias::Percent(percent) => (f32::from(percent) / 100.0).clamp(-1.0, 1.0),
        }
    }
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
            let Model { first, second, thread, rare, comment, supplemental, related, .. } = model;
            let forests = [first, second, thread, rare, comment, supplemental, related];
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
    /// Whether [`Scratch::columns`] holds the rows of all blocks in the end, however many there are.
    pub all_columns: bool,
}

/// Pages with more blocks are classified in parts, computing features twice: all at once would take a thousand bytes
/// for each block.
const MIN_ROWS: usize = 4096;
/// Parts of a page: some work is done for the whole page in each.
const MAX_PARTS: usize = 16;

/// Classifies the blocks of a page.
pub fn classify(
    page: &Page<'_>,
    annotations: &Annotations,
    model: &Model,
    settings: Settings<'_>,
    scratch: &mut Scratch,
) -> Prediction {
    scratch.derived.fill(page, annotations);
    let context = Context { page, annotations, derived: &scratch.derived };
    let columns = &mut scratch.columns;
    let count = page.blocks.len();
    let height = if settings.all_columns { count } else { MIN_ROWS.max(count.div_ceil(MAX_PARTS)) }.max(1);
    let parts = (0..count.max(1)).step_by(height).map(|first| first..(first + height).min(count));
    let mut probabilities = Vec::with_capacity(count);
    for part in parts.clone().take_while(|_| !page.deadline_exceeded()) {
        features::fill_rows(context, part, columns);
        probabilities.extend(first_pass(model, columns));
    }
    probabilities.resize(count, 0.0);
    if let Some(site) = settings.site {
        super::site_memory::apply(page, site, &mut probabilities);
    }
    let page_types = predict_page_type(context, model, &probabilities, &mut scratch.page_columns);
    let first = probabilities.clone();
    let of_type = second_pass_of(model, &page_types);
    let mut comment_probabilities = Vec::new();
    for part in parts.take_while(|_| !page.deadline_exceeded()) {
        let uncertain = |row: &u32| second_pass::is_uncertain(first[part.start + *row as usize]);
        let rows: Vec<u32> = (0..part.len() as u32).filter(uncertain).collect();
        if count > height && (settings.comments || !rows.is_empty()) {
            features::fill_rows(context, part.clone(), columns);
        }
        if !rows.is_empty() && !model.second.is_empty() {
            second_pass::add(context, &first, &page_types, columns);
            second_pass(&model.second, of_type, columns, &rows, &mut probabilities[part]);
        }
        if settings.comments {
            comment_probabilities.extend(all_probabilities(&model.comment, columns));
        }
    }
    if settings.comments {
        comment_probabilities.resize(count, 0.0);
    }
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
        confidence: model.confidence(expected_f1),
        page_type: best,
        page_type_probability: probability,
        thread_probability: page_types[PageType::Forum as usize],
        rules: None,
    };
    let with_bias: Vec<bool> = keep(threshold);
    prediction.probabilities = probabilities;
    if page_type::is_mostly_links(page, &prediction.kept) {
        prediction.page_type = PageType::Listing;
        prediction.page_type_probability = page_types[PageType::Listing as usize].max(0.5);
    }
    postprocess::apply(context, &mut prediction, settings.without_rule);
    // Rules run at the default bias; a bias then only removes or only adds blocks, so that the outputs are nested.
    let level = settings.bias.level();
    if level < 0.0 {
        prediction.kept.iter_mut().zip(with_bias).for_each(|(kept, also)| *kept &= also);
    } else if level > 0.0 {
        prediction.kept.iter_mut().zip(with_bias).for_each(|(kept, also)| *kept |= also);
    }
    // Empty output: confidence 0. A page without text is of no kind.
    if !prediction.kept.contains(&true) {
        prediction.confidence = 0.0;
    }
    if count == 0 {
        prediction.page_type = PageType::Other;
        prediction.page_type_probability = page_types[PageType::Other as usize];
    }
    prediction
}

// `inline(never)`, here and elsewhere, keeps stages apart in profiles (`cargo xtask stages`).
#[inline(never)]
fn first_pass(model: &Model, columns: &Columns) -> Vec<f32> {
    all_probabilities(&model.first, columns)
}

fn all_probabilities(forest: &Forest, columns: &Columns) -> Vec<f32> {
    let rows: Vec<u32> = (0..columns.rows as u32).collect();
    forest.log_odds(columns, &rows).into_iter().map(logistic).collect()
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
    general: &Forest,
    of_type: Option<&Forest>,
    columns: &Columns,
    rows: &[u32],
    probabilities: &mut [f32],
) {
    let mut log_odds = general.log_odds(columns, rows);
    if let Some(of_type) = of_type {
        let of_type = of_type.log_odds(columns, rows);
        log_odds.iter_mut().zip(of_type).for_each(|(sum, own)| *sum = (*sum + own) / 2.0);
    }
    for (row, log_odds) in rows.iter().zip(log_odds) {
        let probability = &mut probabilities[*row as usize];
        *probability = (*probability + logistic(log_odds)) / 2.0;
    }
}

/// The second pass of the page's type, if it has one of its own.
fn second_pass_of<'m>(model: &'m Model, types: &PageTypes) -> Option<&'m Forest> {
    let [article, thread] = [PageType::Article, PageType::Forum].map(|page_type| types[page_type as usize]);
    let forest = match (thread >= 0.5, article + thread < 0.5) {
        (true, _) => &model.thread,
        (_, true) => &model.rare,
        _ => return None,
    };
    (!forest.is_empty()).then_some(forest)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_page_are_classified_like_the_whole() {
        let words = "<p>It rained in the harbour, and the river rose. <h2>News</h2><li><a href=a>Home</a>";
        let html = words.repeat(MIN_ROWS);
        let page = Page::parse(&html);
        let model = Model::built_in();
        let mut annotations = Annotations::default();
        annotations.fill(&page, &model.word_log_odds);
        let [whole, parts] = [true, false].map(|all_columns| {
            let settings = Settings { all_columns, comments: true, ..Settings::default() };
            classify(&page, &annotations, &model, settings, &mut Scratch::new(&model))
        });
        assert_eq!(whole.probabilities, parts.probabilities);
        assert_eq!(whole.comment_probabilities, parts.comment_probabilities);
    }
}
