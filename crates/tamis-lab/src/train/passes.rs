//! Passes over all pages. Pages are read and parsed again in each pass: that is cheaper than keeping them.

use tamis::classify::features::Columns;
use tamis::classify::{Model, PageType, page_type, second_pass};

use super::analysis::{blocks, probabilities, push_row, with_features, with_page, with_prediction};
use super::corpus::{Corpus, PageRef};
use super::evaluate::{PageResult, segment_counts, token_overlap};
use super::labels::{Class, Labels, UNKNOWN, label};
use super::log_odds::{PageTokens, Statistics, TABLES, page_tokens};
use super::matrix::Matrix;
use super::random::Random;
use super::{Settings, calibration};
use crate::parallel;

/// Rows whose truth has less of its text on the page are not learned from.
pub(super) const MIN_COVERAGE: f32 = 0.5;

/// Sampled rows with everything a fit needs.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) names: Vec<&'static str>,
    pub(super) matrix: Matrix,
    /// From 0 to 1.
    pub(super) labels: Vec<f32>,
    pub(super) weights: Vec<f32>,
    pub(super) folds: Vec<u8>,
    /// The type of each row's page.
    pub(super) page_types: Vec<PageType>,
}

/// Per page: sampled blocks with their weights.
pub(super) type Sample = Vec<Vec<(u32, f32)>>;

/// What is known of the pages so far.
pub(super) struct Passes<'c> {
    corpus: &'c Corpus<'c>,
    settings: &'c Settings,
    labels: Vec<Labels>,
    /// The classes that each set labels on every page that has them.
    classes: Vec<Vec<Class>>,
    tokens: Vec<PageTokens>,
    /// Held-out scores of the first pass.
    scores: Vec<Vec<f32>>,
}

impl<'c> Passes<'c> {
    pub(super) fn new(corpus: &'c Corpus<'c>, settings: &'c Settings) -> Passes<'c> {
        let classes = corpus.sets.iter().map(|set| {
            let has = |class: &Class| set.truths.iter().any(|truth| class.text(truth).is_some());
            [Class::Comment, Class::Supplemental, Class::Related].into_iter().filter(has).collect()
        });
        let classes = classes.collect();
        Passes { corpus, settings, labels: Vec::new(), classes, tokens: Vec::new(), scores: Vec::new() }
    }

    pub(super) fn block_count(&self) -> usize {
        self.labels.iter().map(|labels| labels.main.len()).sum()
    }

    /// Runs `work` on the bytes of each page; unreadable pages are empty.
    fn map<R: Send>(&self, work: impl Fn(usize, &PageRef, &[u8]) -> R + Sync) -> Vec<R> {
        parallel::map(&self.corpus.pages, self.settings.threads, |index, page| {
            let bytes = self.corpus.set(page).page(self.corpus.truth(page)).unwrap_or_default();
            work(index, page, &bytes)
        })
    }

    /// Labels all blocks and gathers the tokens of the pages.
    pub(super) fn label(&mut self) {
        let labelled = self.map(|_, page, bytes| {
            with_page(bytes, |parsed| {
                let truth = self.corpus.truth(page);
                let has_classes = !self.classes[page.set].is_empty();
                let mut labels = label(&blocks(&parsed), truth, &parsed.head.title, has_classes);
                if labels.coverage < MIN_COVERAGE {
                    labels.main.fill(UNKNOWN);
                    labels.class.fill(Class::Unknown);
                }
                let tokens = page_tokens(&parsed, &labels, page.page_type);
                (labels, tokens)
            })
        });
        (self.labels, self.tokens) = labelled.into_iter().unzip();
    }

    /// A model with log-odds tables for each fold, without that fold, and one with all.
    pub(super) fn fit_log_odds(&mut self) -> Vec<Model> {
        let tokens = std::mem::take(&mut self.tokens);
        let mut models = vec![Model::default(); self.settings.folds + 1];
        for table in 0..TABLES {
            let pages = self.corpus.pages.iter().zip(&tokens);
            let shares = pages.flat_map(|(page, tokens)| {
                tokens[table].iter().map(|(token, share)| (*token, page.site, *share))
            });
            let statistics = Statistics::new(shares.collect(), &self.corpus.site_folds);
            for (fold, model) in models.iter_mut().enumerate() {
                let fitted = statistics.table(fold, table);
                match table {
                    0 => model.class_log_odds = fitted,
                    1 => model.word_log_odds = fitted,
                    2 => model.comment_log_odds = fitted,
                    _ => model.type_log_odds.push(fitted),
                }
            }
        }
        models
    }

    /// Weights of blocks: those of the page, shared out by tokens relative to its main text.
    fn block_weights(&self, weigh: impl Fn(usize, usize) -> bool) -> Vec<Vec<f32>> {
        let pages = self.corpus.pages.iter().zip(&self.labels).enumerate();
        let weights = pages.map(|(index, (page, labels))| {
            let main: u32 = labels
                .main
                .iter()
                .zip(&labels.tokens)
                .filter(|(main, _)| **main > 0.5)
                .map(|(_, tokens)| tokens)
                .sum();
            let weight = |(block, tokens): (usize, &u32)| {
                let share = ((*tokens + 2) as f32 / (main + 100) as f32).clamp(0.002, 0.4);
                if weigh(index, block) { page.weight * share } else { 0.0 }
            };
            labels.tokens.iter().enumerate().map(weight).collect()
        });
        weights.collect()
    }

    pub(super) fn sample_blocks(&self, target: usize, random: Random) -> Sample {
        sample(&self.block_weights(|page, block| self.labels[page].main[block] >= 0.0), target, random)
    }

    /// Samples blocks of pages whose set labels the class.
    pub(super) fn sample_class(&self, class: Class, target: usize, random: Random) -> Sample {
        let is_known = |page: usize, block: usize| {
            self.classes[self.corpus.pages[page].set].contains(&class)
                && self.labels[page].class[block] != Class::Unknown
        };
        sample(&self.block_weights(is_known), target, random)
    }

    /// Samples blocks that the first pass is not sure of.
    pub(super) fn sample_uncertain(&self, target: usize, random: Random) -> Sample {
        let is_uncertain = |page: usize, block: usize| {
            self.labels[page].main[block] >= 0.0 && (0.01..=0.99).contains(&self.scores[page][block])
        };
        sample(&self.block_weights(is_uncertain), target, random)
    }

    /// Feature rows for the first pass, and for the forest of each class.
    pub(super) fn first_rows(
        &self,
        models: &[Model],
        main: &Sample,
        classes: &[(Class, Sample)],
    ) -> (Rows, Vec<Rows>) {
        let samples: Vec<&Sample> =
            std::iter::once(main).chain(classes.iter().map(|class| &class.1)).collect();
        let chunks = self.map(|index, page, bytes| {
            if samples.iter().all(|sample| sample[index].is_empty()) {
                return Default::default();
            }
            with_features(bytes, &models[page.fold], |_, columns| {
                let chunks = samples.iter().map(|sample| chunk(columns, &sample[index])).collect();
                (columns.names.clone(), chunks)
            })
        });
        let names = names(chunks.iter().map(|chunk: &(Vec<&str>, Vec<Vec<f32>>)| &chunk.0));
        let mut chunks: Vec<Vec<Vec<f32>>> = chunks.into_iter().map(|chunk| chunk.1).collect();
        let mut take = |sample: usize| -> Vec<Vec<f32>> {
            chunks
                .iter_mut()
                .map(|page| page.get_mut(sample).map(std::mem::take).unwrap_or_default())
                .collect()
        };
        let is_main = |page: usize, block: usize| self.labels[page].main[block] >= 0.5;
        let main_rows = self.rows(names.clone(), take(0), main, is_main);
        let class_rows = classes.iter().enumerate().map(|(index, (class, sample))| {
            let is_class = |page: usize, block: usize| self.labels[page].class[block] == *class;
            self.rows(names.clone(), take(index + 1), sample, is_class)
        });
        let class_rows = class_rows.collect();
        (main_rows, class_rows)
    }

    /// Feature rows for the second pass.
    pub(super) fn second_rows(&self, models: &[Model], sample: &Sample) -> Rows {
        let chunks = self.map(|index, page, bytes| {
            if sample[index].is_empty() {
                return Default::default();
            }
            let model = &models[page.fold];
            with_features(bytes, model, |context, columns| {
                let mut page_columns = Columns::default();
                page_type::fill(context, &self.scores[index], &mut page_columns);
                let types = page_type::predict(&model.page_types, &page_columns);
                second_pass::add(context, &self.scores[index], &types, columns);
                (columns.names.clone(), chunk(columns, &sample[index]))
            })
        });
        let names = names(chunks.iter().map(|chunk: &(Vec<&str>, _)| &chunk.0));
        let chunks = chunks.into_iter().map(|chunk| chunk.1).collect();
        self.rows(names, chunks, sample, |page, block| self.labels[page].main[block] >= 0.5)
    }

    fn rows(
        &self,
        names: Vec<&'static str>,
        chunks: Vec<Vec<f32>>,
        sample: &Sample,
        is_positive: impl Fn(usize, usize) -> bool,
    ) -> Rows {
        let matrix = Matrix::new(&chunks, names.len().max(1), self.settings.threads);
        let mut rows = Rows { names, matrix, ..Rows::default() };
        for (index, (page, blocks)) in self.corpus.pages.iter().zip(sample).enumerate() {
            for (block, weight) in blocks {
                rows.labels.push(f32::from(u8::from(is_positive(index, *block as usize))));
                rows.weights.push(*weight);
                rows.folds.push(page.fold as u8);
                rows.page_types.push(page.page_type.unwrap_or(PageType::Article));
            }
        }
        rows
    }

    /// Computes the held-out first-pass scores of all blocks; returns page-level features of pages of known type.
    pub(super) fn score(&mut self, models: &[Model]) -> Rows {
        let scored = self.map(|_, page, bytes| {
            let model = &models[page.fold];
            with_features(bytes, model, |context, columns| {
                let scores = probabilities(&model.first, columns);
                let mut page_columns = Columns::default();
                let mut row = Vec::new();
                if !scores.is_empty() && page.page_type.is_some() {
                    page_type::fill(context, &scores, &mut page_columns);
                    push_row(&page_columns, 0, &mut row);
                }
                (scores, page_columns.names, row)
            })
        });
        let mut rows =
            Rows { names: names(scored.iter().map(|page: &(_, Vec<&str>, _)| &page.1)), ..Rows::default() };
        let mut chunks = Vec::new();
        for (page, (scores, _, row)) in self.corpus.pages.iter().zip(scored) {
            self.scores.push(scores);
            if let Some(page_type) = page.page_type.filter(|_| !row.is_empty()) {
                rows.page_types.push(page_type);
                rows.labels.push(0.0);
                rows.weights.push(page.weight);
                rows.folds.push(page.fold as u8);
                chunks.push(row);
            }
        }
        rows.matrix = Matrix::new(&chunks, rows.names.len().max(1), self.settings.threads);
        rows
    }

    /// Predicts each page with the model that has not seen its site. Also counts token-weighted true positives, false
    /// positives and false negatives of comments.
    pub(super) fn predict(
        &self,
        models: &[Model],
        without_rule: Option<&str>,
    ) -> (Vec<PageResult>, [f64; 3]) {
        let predicted = self.map(|index, page, bytes| {
            let (truth, labels) = (self.corpus.truth(page), &self.labels[index]);
            with_prediction(bytes, &models[page.fold], without_rule, |parsed, prediction| {
                let text_of = |is_kept: &dyn Fn(usize) -> bool| {
                    let kept = (0..parsed.blocks.len()).filter(|block| is_kept(*block));
                    kept.map(|block| parsed.blocks.text(block)).collect::<Vec<_>>().join("\n")
                };
                let text = text_of(&|block| prediction.kept[block]);
                let oracle = text_of(&|block| labels.main[block] >= 0.5);
                let title = truth.title.clone().unwrap_or_else(|| parsed.head.title.clone());
                let overlap = token_overlap(truth, &title, &text);
                let is_documentation = page.page_type == Some(PageType::Documentation);
                let documentation = is_documentation.then(|| PageType::Documentation.name().to_owned());
                let result = PageResult {
                    set: self.corpus.set(page).name.clone(),
                    id: truth.id.clone(),
                    page_type: documentation.or_else(|| truth.page_type.clone()),
                    true_tokens: overlap.map_or(0, |overlap| overlap.wanted),
                    f1: overlap.map(|overlap| overlap.f1()),
                    oracle_f1: token_overlap(truth, &title, &oracle).map(|overlap| overlap.f1()),
                    coverage: labels.coverage,
                    segments: segment_counts(truth, &text),
                    expected_f1: prediction.confidence,
                    predicted_type: prediction.page_type.name(),
                    text,
                    title: title.clone(),
                };
                (result, comment_counts(labels, &prediction.comment_probabilities))
            })
        });
        let mut comments = [0.0; 3];
        let pages = predicted.into_iter().map(|(page, counts)| {
            comments.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            page
        });
        let pages = pages.collect();
        (pages, comments)
    }

    /// Calibration points of the expected F1.
    pub(super) fn calibration(&self, pages: &[PageResult]) -> Vec<(f32, f32)> {
        calibration::fit(self.samples(pages).map(|(_, sample)| sample).collect())
    }

    /// Confidence and achieved F1 in ten bins of equal size; points fitted to the other folds give the confidence.
    pub(super) fn reliability(&self, pages: &[PageResult]) -> Vec<(f64, f64)> {
        let fitted = |fold| {
            let others = self.samples(pages).filter(|sample| sample.0 != fold);
            let calibration = calibration::fit(others.map(|(_, sample)| sample).collect());
            Model { calibration, ..Model::default() }
        };
        let models: Vec<Model> = (0..self.settings.folds).map(fitted).collect();
        let samples = self.samples(pages).map(|(fold, (expected, achieved, weight))| {
            (models[fold].confidence(expected), achieved, weight)
        });
        calibration::bins(samples.collect(), 10)
    }

    /// The fold of each page with a text, and its expected F1, achieved F1 and weight.
    fn samples(&self, pages: &[PageResult]) -> impl Iterator<Item = (usize, (f32, f32, f32))> {
        let pages = self.corpus.pages.iter().zip(pages);
        pages.filter_map(|(page, result)| {
            Some((page.fold, (result.expected_f1, result.f1? as f32, page.weight)))
        })
    }
}

fn comment_counts(labels: &Labels, probabilities: &[f32]) -> [f64; 3] {
    let mut counts = [0.0; 3];
    for ((class, tokens), probability) in labels.class.iter().zip(&labels.tokens).zip(probabilities) {
        let tokens = f64::from(*tokens);
        match (class, *probability >= 0.5) {
            (Class::Comment, true) => counts[0] += tokens,
            (Class::Comment, false) => counts[2] += tokens,
            (Class::Unknown, _) | (_, false) => {}
            (_, true) => counts[1] += tokens,
        }
    }
    counts
}

/// The values of the sampled rows, row by row.
fn chunk(columns: &Columns, sample: &[(u32, f32)]) -> Vec<f32> {
    let mut values = Vec::with_capacity(columns.names.len() * sample.len());
    for (block, _) in sample {
        push_row(columns, *block as usize, &mut values);
    }
    values
}

fn names<'n>(mut chunks: impl Iterator<Item = &'n Vec<&'static str>>) -> Vec<&'static str> {
    chunks.find(|names| !names.is_empty()).cloned().unwrap_or_default()
}

/// Importance sampling: rows are kept with a probability that grows with their weight, and weighted by its inverse.
fn sample(weights: &[Vec<f32>], target: usize, random: Random) -> Sample {
    let shares: Vec<Vec<f32>> =
        weights.iter().map(|page| page.iter().map(|weight| libm::powf(*weight, 0.7)).collect()).collect();
    let sum = |scale: f64| -> f64 {
        shares.iter().flatten().map(|share| (scale * f64::from(*share)).min(1.0)).sum::<f64>().max(1e-9)
    };
    let mut scale =
        target as f64 / shares.iter().flatten().map(|share| f64::from(*share)).sum::<f64>().max(1e-9);
    for _ in 0..8 {
        scale *= target as f64 / sum(scale);
    }
    let (mut total, mut count) = (0.0_f64, 0.0_f64);
    let mut sample: Sample = Vec::with_capacity(weights.len());
    for (index, (weights, shares)) in weights.iter().zip(&shares).enumerate() {
        let random = random.branch(index as u64);
        let mut page = Vec::new();
        for (block, (weight, share)) in weights.iter().zip(shares).enumerate() {
            let probability = (scale * f64::from(*share)).min(1.0);
            if *weight > 0.0 && f64::from(random.uniform(block as u64)) < probability {
                let weight = f64::from(*weight) / probability;
                (total, count) = (total + weight, count + 1.0);
                page.push((block as u32, weight as f32));
            }
        }
        sample.push(page);
    }
    let mean = (total / count.max(1.0)).max(1e-9) as f32;
    sample.iter_mut().flatten().for_each(|row| row.1 /= mean);
    sample
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heavy_rows_are_sampled_more_often_and_the_mean_weight_is_one() {
        let weights = vec![vec![0.1; 5000], vec![1.0; 5000], vec![0.0; 5000]];
        let sample = sample(&weights, 2000, Random::new(1));
        let counts: Vec<usize> = sample.iter().map(Vec::len).collect();
        assert!(counts[1] > 3 * counts[0] && counts[0] > 100 && counts[2] == 0, "{counts:?}");
        assert!((counts[0] + counts[1]).abs_diff(2000) < 150);
        let total: f32 = sample.iter().flatten().map(|row| row.1).sum();
        assert!((total / (counts[0] + counts[1]) as f32 - 1.0).abs() < 1e-3);
        // The weight of a kind of row is kept on average.
        let light: f32 = sample[0].iter().map(|row| row.1).sum();
        assert!((light / total - 1.0 / 11.0).abs() < 0.02);
    }
}
