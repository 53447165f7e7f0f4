//! Adapts a model to a few labelled pages: small trees that correct it there, in front of the trees it has.
//!
//! Training from nothing needs thousands of pages. Here the forests stay as they are; boosting starts from their log-odds
//! on the labelled blocks and adds what is missing. Blocks of many other pages come with the crate (`anchors`): on them
//! nothing should change. The same base and labels give the same model.

use std::collections::BTreeSet;

use tamis::classify::features::Columns;
use tamis::classify::forest::{EarlyExit, Forest, Tree, logistic};
use tamis::classify::{Model, page_type, second_pass};

use super::analysis::{blocks, probabilities, push_row, with_features, with_page, with_prediction};
use super::anchors::anchors;
use super::booster::{BoostSettings, Examples, boost};
use super::corpus::site_name;
use super::evaluate::token_overlap;
use super::labels::{UNKNOWN, label};
use super::matrix::Matrix;
use super::{TrainError, passes::MIN_COVERAGE};
use crate::label::{BlockLabel, blocks_digest};
use crate::parallel;
use crate::set::{Set, Truth};

/// A block whose probability is this far on the right side needs no correction.
const CERTAIN: f32 = 0.8;

/// How a model is adapted.
#[derive(Clone, Copy, Debug)]
pub struct AdaptSettings {
    /// The trees that are added to a forest.
    pub boost: BoostSettings,
    /// Pages of other sets that are predicted to see what changes.
    pub watched: usize,
    /// The weight of an anchor, where a labelled block has 1 on average.
    pub anchor_weight: f32,
    /// Folds of labelled sites, to predict each page by a model that has not seen its site.
    pub folds: usize,
    /// Threads; the result does not depend on it.
    pub threads: usize,
}

impl Default for AdaptSettings {
    fn default() -> Self {
        let boost = BoostSettings {
            trees: 40,
            depth: 3,
            learning_rate: 0.25,
            l2: 2.0,
            feature_fraction: 0.5,
            row_fraction: 1.0,
            ..BoostSettings::default()
        };
        AdaptSettings { boost, watched: 200, anchor_weight: 0.5, folds: 5, threads: 2 }
    }
}

/// An adapted model, and what it changes.
#[derive(Clone, Debug, Default)]
pub struct Adapted {
    /// The model.
    pub model: Model,
    /// The labelled pages, then the others.
    pub pages: Vec<PageChange>,
}

/// What an adapted model changes on a page: token F1 of its text, from 0 to 1.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PageChange {
    /// The name of its set.
    pub set: String,
    /// Its id in the set.
    pub id: String,
    /// Whether the model was adapted to it.
    pub labelled: bool,
    /// By the base model.
    pub before: f64,
    /// By the adapted model, which has seen the page if it is labelled.
    pub after: f64,
    /// By a model that was adapted to the labelled pages of other sites; none with one site.
    pub held_out: Option<f64>,
    /// Whether the kept blocks differ.
    pub changed: bool,
}

/// Adapts `base` to the pages of `labelled`, and tells what changes there and in other sets. `progress` gets the steps done and their number; false cancels.
pub fn adapt(
    base: &Model,
    labelled: &Set,
    others: &[Set],
    settings: &AdaptSettings,
    progress: &(dyn Fn(usize, usize) -> bool + Sync),
) -> Result<Adapted, TrainError> {
    let pages: Vec<(&Set, &Truth)> =
        labelled.truths.iter().filter(|truth| truth.has_text()).map(|truth| (labelled, truth)).collect();
    if pages.is_empty() {
        return Err(TrainError::NoPages);
    }
    let sites: BTreeSet<String> = pages.iter().map(|(_, truth)| site_name(truth)).collect();
    let sites: Vec<String> = sites.into_iter().collect();
    let folds = if sites.len() > 1 { settings.folds.clamp(2, sites.len()) } else { 0 };
    let fold = |truth: &Truth| sites.binary_search(&site_name(truth)).unwrap_or(0) % folds.max(1);
    let watched = sample(labelled, others, &sites, settings.watched);
    let total = 3 + folds + (pages.len() + watched.len()) * 2;
    let step = |done: usize| if progress(done, total) { Ok(()) } else { Err(TrainError::Cancelled) };
    step(0)?;

    let examples = parallel::map(&pages, settings.threads, |_, (set, truth)| {
        let bytes = set.page(truth).unwrap_or_default();
        let (labels, first) = (labels(&bytes, truth), first_rows(&bytes, base));
        Example { bytes, labels, first, second: None, fold: Some(fold(truth)) }
    });
    let others = anchors(base).map(|[first, second]| Example {
        bytes: Vec::new(),
        labels: Vec::new(),
        first,
        second: Some(second),
        fold: None,
    });
    let examples = examples.into_iter().chain(others).collect();
    let adapter = Adapter { base, settings, examples };
    step(1)?;
    let model = adapter.fit(None);
    let mut fold_models = Vec::new();
    for fold in 0..folds {
        step(2 + fold)?;
        fold_models.push(adapter.fit(Some(fold)));
    }
    let done = std::sync::atomic::AtomicUsize::new(2 + folds);
    let scored = parallel::map(&[&pages[..], &watched].concat(), settings.threads, |index, (set, truth)| {
        if !progress(done.fetch_add(2, std::sync::atomic::Ordering::Relaxed), total) {
            return None;
        }
        let bytes = set.page(truth).unwrap_or_default();
        let ((before, kept_before), (after, kept_after)) =
            (score(&bytes, truth, base)?, score(&bytes, truth, &model)?);
        let labelled = index < pages.len();
        let held_out = fold_models.get(fold(truth)).filter(|_| labelled);
        Some(PageChange {
            set: set.name.clone(),
            id: truth.id.clone(),
            labelled,
            before,
            after,
            held_out: held_out.and_then(|model| score(&bytes, truth, model)).map(|(f1, _)| f1),
            changed: kept_before != kept_after,
        })
    });
    step(total)?;
    Ok(Adapted { model, pages: scored.into_iter().flatten().collect() })
}

/// Pages of other sets without those of labelled sites, evenly, `count` at most.
fn sample<'s>(
    labelled: &Set,
    others: &'s [Set],
    sites: &[String],
    count: usize,
) -> Vec<(&'s Set, &'s Truth)> {
    let others = others.iter().filter(|set| set.has_pages && set.folder != labelled.folder);
    let pages: Vec<(&Set, &Truth)> = others
        .flat_map(|set| set.truths.iter().map(move |truth| (set, truth)))
        .filter(|(_, truth)| truth.has_text() && sites.binary_search(&site_name(truth)).is_err())
        .collect();
    let step = pages.len().div_ceil(count.max(1)).max(1);
    pages.into_iter().step_by(step).collect()
}

/// A page to learn from, or the anchors.
struct Example {
    bytes: Vec<u8>,
    /// What each block is; none of anchors.
    labels: Vec<(Option<BlockLabel>, f32)>,
    first: Measured,
    /// Where it does not depend on the first pass.
    second: Option<Measured>,
    /// None of anchors.
    fold: Option<usize>,
}

/// Features of blocks, row by row.
#[derive(Default)]
pub(super) struct Measured {
    width: usize,
    values: Vec<f32>,
    /// Log-odds of each row by the forests that look at these features.
    log_odds: Vec<Vec<f32>>,
    /// Whether the forest decides on the row.
    decides: Vec<bool>,
}

/// The label of each block, none where it is uncertain, and its weight.
fn labels(bytes: &[u8], truth: &Truth) -> Vec<(Option<BlockLabel>, f32)> {
    with_page(bytes, |page| {
        let parts = blocks(&page);
        let has_classes = truth.comments.is_some() || truth.supplemental.is_some();
        let aligned = label(&parts, truth, &page.head.title, has_classes);
        let said = truth.block_classes.as_deref().filter(|classes| {
            classes.chars().count() == parts.len()
                && truth.blocks_digest.as_ref() == Some(&blocks_digest(&page))
        });
        let mut said = said.map(str::chars);
        let label = |block: usize| {
            let main = aligned.main[block];
            match said.as_mut().and_then(Iterator::next) {
                // Headlines are metadata to the engine, whatever was kept of them.
                Some(_) if parts[block].is_headline => None,
                Some(letter) => BlockLabel::from_letter(letter),
                None if main == UNKNOWN || aligned.coverage < MIN_COVERAGE => None,
                None if main >= 0.5 => Some(BlockLabel::Main),
                None => Some(BlockLabel::Dropped),
            }
        };
        let labels: Vec<_> = (0..parts.len()).map(label).collect();
        // Long blocks weigh more, but a short one that was corrected has to count as well.
        let weight = |tokens: &u32| libm::sqrtf((*tokens + 2) as f32).min(12.0);
        labels.into_iter().zip(aligned.tokens.iter().map(weight)).collect()
    })
}

fn first_rows(bytes: &[u8], model: &Model) -> Measured {
    with_features(bytes, model, |_, columns| {
        measured(columns, &[&model.first, &model.comment, &model.supplemental], |_| true)
    })
}

fn second_rows(bytes: &[u8], model: &Model, base: &Model) -> Measured {
    with_features(bytes, model, |context, columns| {
        let scores = probabilities(&model.first, columns);
        let mut page_columns = Columns::default();
        page_type::fill(context, &scores, &mut page_columns);
        let types = page_type::predict(&model.page_types, &page_columns);
        second_pass::add(context, &scores, &types, columns);
        measured(columns, &[&base.second], |row| second_pass::is_uncertain(scores[row]))
    })
}

pub(super) fn measured(columns: &Columns, forests: &[&Forest], decides: impl Fn(usize) -> bool) -> Measured {
    let rows: Vec<u32> = (0..columns.rows as u32).collect();
    let mut values = Vec::with_capacity(rows.len() * columns.names.len());
    (0..columns.rows).for_each(|row| push_row(columns, row, &mut values));
    let log_odds = forests.iter().map(|forest| forest.log_odds(columns, &rows)).collect();
    let decides = (0..columns.rows).map(decides).collect();
    Measured { width: columns.names.len(), values, log_odds, decides }
}

/// Token F1 of the text that a model keeps of a page, and the blocks.
fn score(bytes: &[u8], truth: &Truth, model: &Model) -> Option<(f64, Vec<bool>)> {
    with_prediction(bytes, model, None, |page, prediction| {
        let kept = (0..page.blocks.len()).filter(|block| prediction.kept[*block]);
        let text = kept.map(|block| page.blocks.text(block)).collect::<Vec<_>>().join("\n");
        let title = truth.title.as_deref().unwrap_or(&page.head.title);
        Some((token_overlap(truth, title, &text)?.f1(), prediction.kept.clone()))
    })
}

struct Adapter<'m> {
    base: &'m Model,
    settings: &'m AdaptSettings,
    examples: Vec<Example>,
}

impl Adapter<'_> {
    /// The base model adapted to the pages that are not in the fold.
    fn fit(&self, held_out: Option<usize>) -> Model {
        let used: Vec<&Example> = self
            .examples
            .iter()
            .filter(|example| held_out.is_none() || example.fold.is_none() || example.fold != held_out)
            .collect();
        let first: Vec<&Measured> = used.iter().map(|example| &example.first).collect();
        let base = self.base;
        let mut model = base.clone();
        let main = |label: BlockLabel| Some(label == BlockLabel::Main);
        model.first = extended(&base.first, self.boost(&used, &first, 0, &base.first, main));
        for (forest, base, place, class) in [
            (&mut model.comment, &base.comment, 1, BlockLabel::Comment),
            (&mut model.supplemental, &base.supplemental, 2, BlockLabel::Caption),
        ] {
            let is_named = |example: &&Example| example.labels.iter().any(|(label, _)| *label == Some(class));
            if used.iter().any(is_named) {
                let of_class = |label: BlockLabel| (label != BlockLabel::Dropped).then_some(label == class);
                *forest = extended(base, self.boost(&used, &first, place, base, of_class));
            }
        }
        let second = parallel::map(&used, self.settings.threads, |_, example| match example.second {
            Some(_) => Measured::default(),
            None => second_rows(&example.bytes, &model, base),
        });
        let second = used.iter().zip(&second).map(|(example, own)| example.second.as_ref().unwrap_or(own));
        let trees = self.boost(&used, &second.collect::<Vec<_>>(), 0, &base.second, main);
        model.second = extended(&base.second, trees.clone());
        // Averaged with the second pass, so the same correction in both is the whole of it.
        model.thread = extended(&base.thread, trees.clone());
        model.rare = extended(&base.rare, trees);
        model
    }

    /// Trees that lead from the log-odds at `place` to the labels.
    fn boost(
        &self,
        used: &[&Example],
        measured: &[&Measured],
        place: usize,
        base: &Forest,
        positive: impl Fn(BlockLabel) -> Option<bool>,
    ) -> Vec<Tree> {
        let (mut values, mut start, mut labels, mut weights) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut width, mut total, mut count) = (1, 0.0, 0.0_f32);
        for (example, rows) in used.iter().zip(measured).filter(|(_, rows)| rows.width > 0) {
            width = rows.width;
            let mut chunk = Vec::new();
            for (row, log_odds) in
                rows.log_odds[place].iter().enumerate().filter(|(row, _)| rows.decides[*row])
            {
                let (label, weight) = match example.labels.get(row) {
                    Some((label, weight)) => {
                        let Some(is_positive) = label.and_then(&positive) else { continue };
                        (total, count) = (total + weight, count + 1.0);
                        (corrected(*log_odds, is_positive), *weight)
                    }
                    None if example.fold.is_none() => (logistic(*log_odds), -1.0),
                    None => continue,
                };
                chunk.extend_from_slice(&rows.values[row * width..(row + 1) * width]);
                start.push(*log_odds);
                labels.push(label);
                weights.push(weight);
            }
            values.push(chunk);
        }
        let mean = (total / count.max(1.0)).max(1e-6);
        for weight in &mut weights {
            *weight = if *weight < 0.0 { self.settings.anchor_weight } else { *weight / mean };
        }
        // Other features would have to be computed for this alone.
        let features: Vec<u16> = base.used_features().collect();
        if count == 0.0 || features.is_empty() {
            return Vec::new();
        }
        let matrix = Matrix::new(&values, width, self.settings.threads);
        let rows: Vec<u32> = (0..labels.len() as u32).collect();
        let examples = Examples {
            matrix: &matrix,
            labels: &labels,
            weights: &weights,
            rows: &rows,
            features: &features,
            start: Some(&start),
        };
        let fit = boost(examples, &self.settings.boost, self.settings.threads);
        fit.trees.into_iter().filter(|tree| !tree.splits.is_empty()).collect()
    }
}

/// What a labelled block should become: its label, or what it is where that is right and certain. Where nothing is wrong,
/// nothing is learned.
fn corrected(log_odds: f32, is_positive: bool) -> f32 {
    let probability = logistic(log_odds);
    let is_certain = if is_positive { probability >= CERTAIN } else { probability <= 1.0 - CERTAIN };
    if is_certain { probability } else { f32::from(u8::from(is_positive)) }
}

/// New trees in front, so that they also count for rows that leave at an early exit.
fn extended(base: &Forest, trees: Vec<Tree>) -> Forest {
    let exits = base.early_exits().iter();
    let exits = exits.map(|exit| EarlyExit { trees: exit.trees + trees.len(), ..*exit }).collect();
    Forest::new(&trees.into_iter().chain(base.trees()).collect::<Vec<_>>(), exits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::{Labelling, add};

    /// A report whose note of the editors looks like text.
    fn page(number: usize) -> String {
        let what =
            ["the bridge over the harbour", "a market on the quay", "our ferry across the bay"][number % 3];
        let line = |part: usize| {
            format!(
                "<p>In part {part} of {number}, {what} was the matter of a long debate, as it had been for years."
            )
        };
        let lines: String = (0..6).map(line).collect();
        format!(
            "<title>Report {number}</title><h1>Report {number}</h1>{lines}<div class=ednote><p>This report was first printed in our evening edition, and is given here for all readers.</div>"
        )
    }

    /// A set, and the folder that it is in.
    fn set(pages: std::ops::Range<usize>, note: BlockLabel) -> (Set, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        for number in pages {
            let html = page(number);
            let parsed = tamis::page::Page::parse(&html);
            let last = parsed.blocks.len() - 1;
            let mut labelling = Labelling::new(&parsed, None, &vec![true; last]);
            labelling.set(last, note).unwrap();
            let truth = Truth {
                site: Some(format!("s{number}.example")),
                ..labelling.truth(&format!("p{number}")).unwrap()
            };
            add(folder.path(), truth, html.as_bytes(), true).unwrap();
        }
        (Set::open(folder.path()).unwrap(), folder)
    }

    #[test]
    fn corrections_are_learned_and_reach_pages_that_were_not_seen() {
        let (labelled, _held) = set(0..3, BlockLabel::Noise);
        let (other, _held_too) = set(5..8, BlockLabel::Noise);
        let base = Model::built_in();
        let run = |threads: usize| {
            let settings = AdaptSettings { threads, ..AdaptSettings::default() };
            adapt(&base, &labelled, std::slice::from_ref(&other), &settings, &|_, _| true).unwrap()
        };
        let adapted = run(1);
        for page in &adapted.pages {
            assert!(page.before < 0.97 && page.after > 0.99 && page.changed, "{page:?}");
            assert!(!page.labelled || page.held_out.is_some_and(|f1| f1 > page.before), "{page:?}");
        }
        assert_eq!(
            adapted.pages.iter().map(|page| page.labelled).collect::<Vec<_>>(),
            [true, true, true, false, false, false]
        );
        assert_eq!(adapted.model.to_bytes(), run(3).model.to_bytes(), "whatever the number of threads");
        let cancelled = adapt(&base, &labelled, &[], &AdaptSettings::default(), &|done, _| done < 1);
        assert_eq!(cancelled.err(), Some(TrainError::Cancelled));
    }

    #[test]
    fn where_nothing_is_wrong_nothing_changes() {
        let (set, _held) = set(0..2, BlockLabel::Main);
        let adapted = adapt(&Model::built_in(), &set, &[], &AdaptSettings::default(), &|_, _| true).unwrap();
        assert!(adapted.pages.iter().all(|page| !page.changed), "{:?}", adapted.pages);
    }

    #[test]
    fn the_anchors_fit_the_model() {
        let [first, second] = anchors(&Model::built_in()).unwrap();
        assert!(
            first.decides.len() > 1000 && second.decides.iter().filter(|decides| **decides).count() > 300
        );
    }
}
