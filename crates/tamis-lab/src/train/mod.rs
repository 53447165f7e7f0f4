//! Training: from evaluation sets to a model, with figures on sites that were held out.
//!
//! 1. Blocks are labelled by alignment with the truths (`labels`).
//! 2. Log-odds of class tokens and words are fitted without each fold of sites (`log_odds`).
//! 3. A sample of blocks with cross-fitted features trains the first pass, once per fold and once on all sites.
//! 4. Held-out scores of the first pass feed page types and the second pass.
//! 5. The models of the folds predict the pages they have not seen: figures and confidence calibration.
//!
//! The same sets and settings give the same model, whatever the number of threads and the order of the sets.

mod adapt;
mod analysis;
mod anchors;
mod booster;
mod calibration;
mod corpus;
mod evaluate;
mod labels;
mod log_odds;
mod matrix;
mod passes;
mod random;
mod recipe;
mod svm;

pub use adapt::{AdaptSettings, Adapted, PageChange, adapt};
pub use anchors::write_anchors;
pub use booster::BoostSettings;
pub use corpus::{default_weight, fold_of};
pub use evaluate::{Figure, PageResult, figures, segment_counts, segment_f, token_overlap};
pub use recipe::{NamedFigure, Recipe, SetUsed};
pub use svm::{SvmSettings, SvmTrained, train_svm};

use tamis::classify::forest::Forest;
use tamis::classify::postprocess::RULES;
use tamis::classify::{Model, PageType};

use crate::parallel;
use crate::set::Set;
use booster::{Examples, Fit, boost};
use corpus::Corpus;
use labels::Class;
use passes::{Passes, Rows};
use random::Random;

/// How a model is trained.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Folds of sites.
    pub folds: usize,
    /// Threads; the result does not depend on it.
    pub threads: usize,
    /// Seed of all sampling.
    pub seed: u64,
    /// Blocks sampled for the first pass.
    pub first_rows: usize,
    /// Blocks sampled for the second pass.
    pub second_rows: usize,
    /// Blocks sampled for the forest of each block class.
    pub class_rows: usize,
    /// How far rare page types are weighted up: the exponent of their share of the pages, negated.
    pub type_balance: f32,
    /// Only this many block features, the most useful ones; 0 for all.
    pub max_features: usize,
    /// The first pass.
    pub first: BoostSettings,
    /// The second pass.
    pub second: BoostSettings,
    /// The forest of each block class.
    pub class: BoostSettings,
    /// Each page-type forest.
    pub page_type: BoostSettings,
    /// The second pass of threads, and of rare page types.
    pub of_type: BoostSettings,
    /// Whether to train the final model; without it only the figures are made.
    pub is_final: bool,
    /// Whether to predict held-out pages without each post-processing rule as well.
    pub rule_ablation: bool,
}

impl Default for Settings {
    fn default() -> Self {
        let boost = BoostSettings::default();
        Settings {
            folds: 5,
            threads: 2,
            seed: 1,
            first_rows: 650_000,
            second_rows: 450_000,
            class_rows: 100_000,
            type_balance: 0.35,
            max_features: 170,
            first: BoostSettings { early_exits: [40, 0, 0], ..boost },
            second: BoostSettings { trees: 200, ..boost },
            class: BoostSettings { trees: 90, depth: 4, ..boost },
            page_type: BoostSettings { trees: 120, depth: 3, l2: 4.0, feature_fraction: 0.5, ..boost },
            of_type: BoostSettings { trees: 100, ..boost },
            is_final: true,
            rule_ablation: false,
        }
    }
}

/// What a training found out.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Pages as predicted by models that have not seen their sites.
    pub pages: Vec<PageResult>,
    /// Likewise without each post-processing rule, if asked for.
    pub rules: Vec<(&'static str, Vec<PageResult>)>,
    /// Pages whose truth probably contradicts them, as (set, id). The first ones were not learned from.
    pub suspects: Vec<(String, String)>,
    /// Loss reduction of block features in the first pass of the final model, highest first.
    pub first_gains: Vec<(&'static str, f64)>,
    /// Likewise for the second pass.
    pub second_gains: Vec<(&'static str, f64)>,
    /// Token-weighted true positives, false positives and false negatives of the comment forest.
    pub comments: [f64; 3],
    /// Confidence and achieved F1 in ten bins; calibrated on the other folds.
    pub reliability: Vec<(f64, f64)>,
    /// Blocks, and sampled blocks of the two passes.
    pub rows: [usize; 3],
    /// The model without each fold of sites; [`fold_of`] tells which one has not seen a page.
    pub fold_models: Vec<Model>,
}

/// Why nothing was trained.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrainError {
    /// No set has a usable page.
    #[error("no set has a page with a text or segments")]
    NoPages,
    /// Fewer sites than folds.
    #[error("there are fewer than {0} sites")]
    FewSites(usize),
    /// All block tags are of one class.
    #[error("no block tag is {0}")]
    OneClass(&'static str),
    /// The SVM library failed.
    #[error("SVM training failed: {0}")]
    Svm(String),
    /// It was told to stop.
    #[error("the training was cancelled")]
    Cancelled,
}

/// Trains a model and measures it on held-out sites. `progress` gets a line per stage.
pub fn train(
    sets: &[Set],
    settings: &Settings,
    progress: &mut dyn FnMut(&str),
) -> Result<(Model, Report), TrainError> {
    let corpus = Corpus::new(sets, settings.folds, settings.type_balance);
    if corpus.pages.is_empty() {
        return Err(TrainError::NoPages);
    }
    if corpus.site_folds.len() < settings.folds.max(2) {
        return Err(TrainError::FewSites(settings.folds.max(2)));
    }
    progress(&format!("{} pages of {} sites", corpus.pages.len(), corpus.site_folds.len()));
    let mut passes = Passes::new(&corpus, settings);
    passes.label();
    progress(&format!("labelled {} blocks", passes.block_count()));
    let mut models = passes.fit_log_odds();
    progress("fitted log-odds");

    let random = Random::new(settings.seed);
    let sample = passes.sample_blocks(settings.first_rows, random.branch(1));
    let class_samples = [Class::Comment, Class::Supplemental, Class::Related]
        .map(|class| (class, passes.sample_class(class, settings.class_rows, random.branch(2))));
    let (first, classes) = passes.first_rows(&models, &sample, &class_samples);
    progress(&format!("first pass: {} rows of {} columns", first.labels.len(), first.names.len()));
    let mut learner = Learner { settings, features: columns(0, &first) };
    if settings.max_features > 0 {
        learner.rank(&first);
    }
    let fits = learner.fit_folds(&first, &settings.first);
    let first_gains = gains(&fits, &first);
    models.iter_mut().zip(&fits).for_each(|(model, fit)| model.first = fit.forest());
    progress("trained the first pass");
    for ((class, _), rows) in class_samples.iter().zip(&classes) {
        let fits = learner.fit_folds(rows, &settings.class);
        for (model, fit) in models.iter_mut().zip(&fits) {
            match class {
                Class::Comment => model.comment = fit.forest(),
                Class::Supplemental => model.supplemental = fit.forest(),
                _ => model.related = fit.forest(),
            }
        }
    }
    progress("trained block classes");
    let (first_count, first_width) = (first.labels.len(), first.names.len());
    drop((first, classes));

    let page_rows = passes.score(&models);
    let page_types = Learner { settings, features: columns(0, &page_rows) }.fit_page_types(&page_rows);
    models.iter_mut().zip(page_types).for_each(|(model, page_types)| model.page_types = page_types);
    progress("scored all blocks, trained page types");

    let sample = passes.sample_uncertain(settings.second_rows, random.branch(3));
    let mut second = passes.second_rows(&models, &sample);
    progress(&format!("second pass: {} rows of {} columns", second.labels.len(), second.names.len()));
    learner.features.extend(columns(first_width, &second));
    let fits = learner.fit_folds(&second, &settings.second);
    let second_gains = gains(&fits, &second);
    models.iter_mut().zip(&fits).for_each(|(model, fit)| model.second = fit.forest());
    let weights = second.weights.clone();
    for is_thread in [true, false] {
        let is_such = |page_type: &PageType| match is_thread {
            true => *page_type == PageType::Forum,
            false => !matches!(page_type, PageType::Article | PageType::Forum),
        };
        let weights = weights.iter().zip(&second.page_types);
        second.weights = weights.map(|(weight, of)| if is_such(of) { *weight } else { 0.0 }).collect();
        for (model, fit) in models.iter_mut().zip(learner.fit_folds(&second, &settings.of_type)) {
            *(if is_thread { &mut model.thread } else { &mut model.rare }) = fit.forest();
        }
    }
    progress("trained the second pass");
    let rows = [passes.block_count(), first_count, second.labels.len()];
    drop(second);

    let (pages, comments) = passes.predict(&models, None);
    progress("predicted held-out pages");
    let mut rules = Vec::new();
    if settings.rule_ablation {
        for (rule, _) in RULES {
            rules.push((*rule, passes.predict(&models, Some(rule)).0));
            progress(&format!("predicted without the rule \"{rule}\""));
        }
    }
    let calibration = passes.calibration(&pages);
    let reliability = passes.reliability(&pages);
    let suspects = pages.iter().filter(|page| evaluate::is_suspect(page));
    let suspects = suspects.map(|page| (page.set.clone(), page.id.clone())).collect();
    models.iter_mut().for_each(|model| model.calibration.clone_from(&calibration));
    let model = models.pop().unwrap_or_default();
    let fold_models = models;
    let report = Report {
        pages,
        rules,
        suspects,
        first_gains,
        second_gains,
        comments,
        reliability,
        rows,
        fold_models,
    };
    Ok((model, report))
}

/// Column indices from `first` on.
fn columns(first: usize, rows: &Rows) -> Vec<u16> {
    (first..rows.names.len()).map(|column| column as u16).collect()
}

/// Loss reduction per feature in all forests, highest first.
fn gains(fits: &[Fit], rows: &Rows) -> Vec<(&'static str, f64)> {
    let sum = |column: usize| fits.iter().map(|fit| fit.gains[column]).sum();
    let mut gains: Vec<(&'static str, f64)> =
        rows.names.iter().enumerate().map(|(column, name)| (*name, sum(column))).collect();
    gains.sort_by(|a, b| b.1.total_cmp(&a.1));
    gains
}

/// Fits a forest without each fold, and a final one with all.
struct Learner<'s> {
    settings: &'s Settings,
    /// Columns that may be used.
    features: Vec<u16>,
}

impl Learner<'_> {
    /// Fits in parallel: waiting for each other's histograms would cost more.
    fn map_folds<R: Send>(&self, fit: impl Fn(usize) -> R + Sync) -> Vec<R> {
        let count = self.settings.folds + usize::from(self.settings.is_final);
        let folds: Vec<usize> = (0..count).collect();
        parallel::map(&folds, self.settings.threads, |_, fold| fit(*fold))
    }

    fn fit_folds(&self, rows: &Rows, settings: &BoostSettings) -> Vec<Fit> {
        self.map_folds(|fold| self.fit(rows, &rows.labels, settings, fold))
    }

    /// One-vs-rest forests for each fold.
    fn fit_page_types(&self, rows: &Rows) -> Vec<Vec<Forest>> {
        self.map_folds(|fold| {
            let forest = |page_type: PageType| {
                let is_such = |other: &PageType| f32::from(u8::from(*other == page_type));
                let labels: Vec<f32> = rows.page_types.iter().map(is_such).collect();
                self.fit(rows, &labels, &self.settings.page_type, fold).forest()
            };
            PageType::ALL.into_iter().map(forest).collect()
        })
    }

    fn fit(&self, rows: &Rows, labels: &[f32], settings: &BoostSettings, held_out: usize) -> Fit {
        let is_used = |row: &u32| {
            usize::from(rows.folds[*row as usize]) != held_out && rows.weights[*row as usize] > 0.0
        };
        let used: Vec<u32> = (0..labels.len() as u32).filter(is_used).collect();
        let (matrix, weights, features) = (&rows.matrix, &rows.weights, &self.features);
        let seed = settings.seed.wrapping_add(self.settings.seed << 32);
        let threads = self.settings.threads / (self.settings.folds + 1);
        boost(
            Examples { matrix, labels, weights, rows: &used, features, start: None },
            &BoostSettings { seed, ..*settings },
            threads.max(1),
        )
    }

    /// Restricts the features to those with the highest gains in a small forest.
    fn rank(&mut self, rows: &Rows) {
        let settings = BoostSettings { trees: 60, ..self.settings.first };
        let gains = self.fit(rows, &rows.labels, &settings, usize::MAX).gains;
        self.features.sort_by(|a, b| gains[usize::from(*b)].total_cmp(&gains[usize::from(*a)]));
        self.features.truncate(self.settings.max_features);
        self.features.sort_unstable();
    }
}
