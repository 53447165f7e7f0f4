//! The paper's machine: block tags of main text and noise, told apart by five ratios with an RBF kernel.
//!
//! The recipe is that of the paper on templates and support vector machines (its section 6): block tags are labelled, noise
//! is down-sampled to as many samples as there are of main text, and the parameters are found by ten-fold cross-validation.
//! Folds are made of whole sites here, which is stricter, and what is told of a site was learned from others.

use std::collections::{BTreeMap, BTreeSet};

use libsvm_rs::predict::predict;
use libsvm_rs::train::svm_train;
use libsvm_rs::{SvmModel, SvmNode, SvmParameter, SvmProblem, check_parameter, io};
use tamis::PageType;
use tamis::page::Page;
use tamis::text::hash::hash_bytes;
use tamis_methods::block_tags::BlockTags;

use super::TrainError;
use super::analysis::blocks;
use super::corpus::{Corpus, PageRef};
use super::labels::label;
use crate::parallel;
use crate::run::read;
use crate::set::Set;
use crate::table::Table;

/// How the machine is trained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SvmSettings {
    /// Into how many parts the sites are cut.
    pub folds: usize,
    /// How many samples of a class a site gives at most, so that none with many pages outweighs the others.
    pub per_site: usize,
    /// How many samples of a class there are at most, so that the support vectors stay a few hundred.
    pub per_class: usize,
    /// Where chance begins: which samples are taken.
    pub seed: u64,
    /// How many threads.
    pub threads: usize,
}

impl Default for SvmSettings {
    fn default() -> Self {
        SvmSettings { folds: 10, per_site: 6, per_class: 300, seed: 1, threads: 2 }
    }
}

/// A machine, and how it did on sites it had not seen.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SvmTrained {
    /// The model, as LIBSVM writes it; `tamis::methods::rbf::Model` reads it. It is a file of its own, and no figure.
    pub model: String,
    /// How many samples it was trained on, half of them main text.
    pub samples: usize,
    /// Of how many sites they are.
    pub sites: usize,
    /// How many support vectors it has.
    pub vectors: usize,
    /// The parameter C.
    pub c: f64,
    /// The parameter gamma.
    pub gamma: f64,
    /// The share of samples right in cross-validation by site, with these parameters.
    pub accuracy: f64,
    /// All block tags of each set, judged by machines that had not seen their sites.
    pub sets: Vec<TagFigures>,
}

/// How block tags were told apart. Shares are from 0 to 1.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TagFigures {
    /// The set.
    pub set: String,
    /// How many block tags with text its pages have.
    pub tags: usize,
    /// The share of those called main text that are.
    pub precision: f64,
    /// The share of main text that was called so.
    pub recall: f64,
    /// ... by characters.
    pub precision_by_characters: f64,
    /// ... by characters.
    pub recall_by_characters: f64,
}

impl SvmTrained {
    /// The figures, for the terminal.
    pub fn table(&self) -> Table {
        let percent = |figure: f64| format!("{:.1}", 100.0 * figure);
        let row = |it: &TagFigures| {
            let shares = [it.precision, it.recall, it.precision_by_characters, it.recall_by_characters];
            [it.set.clone(), it.tags.to_string()].into_iter().chain(shares.map(percent)).collect()
        };
        let head = ["set", "block tags", "P", "R", "P by characters", "R by characters"];
        Table {
            title: format!(
                "{} samples of {} sites, half of them main text; {} support vectors\n\
                 C {}, gamma {}: {} % of the samples right in cross-validation by site\n\
                 All block tags, on sites that were held out, %",
                self.samples,
                self.sites,
                self.vectors,
                self.c,
                self.gamma,
                percent(self.accuracy)
            ),
            head: head.map(str::to_owned).to_vec(),
            rows: self.sets.iter().map(row).collect(),
        }
    }
}

/// A block tag with text.
struct Sample {
    set: usize,
    site: u32,
    part: usize,
    /// Which come first when not all are taken.
    draw: u64,
    ratios: [f64; 5],
    characters: u32,
    is_main: bool,
}

/// Learns the machine of the methods `svm` and `template-svm` from the articles of some sets, and from their pages of which
/// no kind is told: the paper is about pages with a topic, not about lists or forums.
pub fn train_svm(
    sets: &[Set],
    settings: &SvmSettings,
    progress: &mut dyn FnMut(&str),
) -> Result<SvmTrained, TrainError> {
    libsvm_rs::set_quiet(true);
    let (folds, threads) = (settings.folds.max(2), settings.threads);
    let mut corpus = Corpus::new(sets, folds, 0.0);
    corpus.pages.retain(|page| {
        page.page_type.is_none_or(|page_type| page_type == PageType::Article) && corpus_has_text(sets, page)
    });
    let sites = corpus.pages.iter().map(|page| page.site).collect::<BTreeSet<_>>().len();
    if sites < 2 * folds {
        return Err(TrainError::FewSites(2 * folds));
    }
    let samples = parallel::map(&corpus.pages, threads, |_, page| samples_of(&corpus, page, settings.seed));
    let samples: Vec<Sample> = samples.into_iter().flatten().collect();
    for (class, name) in [(true, "main text"), (false, "noise")] {
        if samples.iter().all(|sample| sample.is_main != class) {
            return Err(TrainError::OneClass(name));
        }
    }
    let chosen = balanced(&samples, settings);
    progress(&format!("{} samples of {} block tags", chosen.len(), samples.len()));
    let (parameter, accuracy) = cross_validated(&chosen, folds, threads)?;
    progress(&format!("C {}, gamma {}", parameter.c, parameter.gamma));
    let model = svm_train(&problem(chosen.iter().copied()), &parameter);
    let mut text = Vec::new();
    io::save_model_to_writer(&mut text, &model).map_err(|error| TrainError::Svm(error.to_string()))?;
    let parts: Vec<usize> = (0..folds).collect();
    let machines = parallel::map(&parts, threads, |_, part| without(&chosen, *part, &parameter));
    Ok(SvmTrained {
        model: String::from_utf8(text).map_err(|error| TrainError::Svm(error.to_string()))?,
        samples: chosen.len(),
        sites: chosen.iter().map(|sample| sample.site).collect::<BTreeSet<_>>().len(),
        vectors: model.sv.len(),
        c: parameter.c,
        gamma: parameter.gamma,
        accuracy,
        sets: (0..sets.len())
            .map(|set| figures(&sets[set].name, samples.iter().filter(|sample| sample.set == set), &machines))
            .filter(|figures| figures.tags > 0)
            .collect(),
    })
}

fn corpus_has_text(sets: &[Set], page: &PageRef) -> bool {
    sets[page.set].truths[page.truth].has_text()
}

/// The block tags of a page with text, labelled by the blocks in them.
fn samples_of(corpus: &Corpus<'_>, page: &PageRef, seed: u64) -> Vec<Sample> {
    let (set, truth) = (corpus.set(page), corpus.truth(page));
    let Ok(html) = read(set, truth) else { return Vec::new() };
    let parsed = Page::parse(&html);
    let labels = label(&blocks(&parsed), truth, &parsed.head.title, false);
    let tags = BlockTags::of(&parsed, |_| false);
    let mut main_characters = vec![0_u32; tags.list.len()];
    for (block, tag) in tags.of_block.iter().enumerate() {
        if labels.main[block] >= 0.5 {
            main_characters[*tag] += parsed.blocks.counts[block].characters;
        }
    }
    let with_text =
        tags.list.iter().zip(main_characters).enumerate().filter(|(_, (tag, _))| tag.inner.len > 0);
    with_text
        .map(|(number, (tag, main))| Sample {
            set: page.set,
            site: page.site,
            part: page.fold,
            draw: hash_bytes(format!("{seed} {} {} {number}", set.name, truth.id).as_bytes()),
            ratios: tags.ratios(tag),
            characters: tag.inner.len,
            is_main: 2 * main > tag.inner.len,
        })
        .collect()
}

/// As many samples of noise as of main text, no more than a few of each site, always the same ones for a seed.
fn balanced<'s>(samples: &'s [Sample], settings: &SvmSettings) -> Vec<&'s Sample> {
    let mut order: Vec<&Sample> = samples.iter().collect();
    order.sort_by_key(|sample| sample.draw);
    let mut of_site: BTreeMap<(u32, bool), usize> = BTreeMap::new();
    order.retain(|sample| {
        let count = of_site.entry((sample.site, sample.is_main)).or_default();
        *count += 1;
        *count <= settings.per_site
    });
    let of_class = |class: bool| order.iter().filter(|sample| sample.is_main == class).count();
    let mut left = [of_class(true).min(of_class(false)).min(settings.per_class); 2];
    order.retain(|sample| {
        let left = &mut left[usize::from(sample.is_main)];
        let taken = *left > 0;
        *left = left.saturating_sub(1);
        taken
    });
    order
}

/// C and gamma with the largest share of samples right in parts of whole sites, and that share.
fn cross_validated(
    samples: &[&Sample],
    folds: usize,
    threads: usize,
) -> Result<(SvmParameter, f64), TrainError> {
    let powers = [-3, -1, 1, 3, 5, 7].map(|power| 2_f64.powi(power));
    let grid: Vec<SvmParameter> = powers
        .iter()
        .flat_map(|c| powers.map(|gamma| SvmParameter { c: *c, gamma, ..SvmParameter::default() }))
        .collect();
    if let Some(parameter) = grid.first() {
        check_parameter(&problem(samples.iter().copied()), parameter)
            .map_err(|error| TrainError::Svm(error.to_string()))?;
    }
    let right: Vec<usize> = parallel::map(&grid, threads, |_, parameter| {
        let right_of = |part: usize| {
            let machine = without(samples, part, parameter);
            let of_part = samples.iter().filter(|sample| sample.part == part);
            of_part.filter(|sample| is_main(&machine, sample) == sample.is_main).count()
        };
        (0..folds).map(right_of).sum()
    });
    // Of those as good, the first: small C and gamma make a smoother border.
    let best = (0..grid.len()).rev().max_by_key(|place| right[*place]).unwrap_or(0);
    Ok((grid[best].clone(), right[best] as f64 / samples.len().max(1) as f64))
}

fn without(samples: &[&Sample], part: usize, parameter: &SvmParameter) -> SvmModel {
    svm_train(&problem(samples.iter().copied().filter(|sample| sample.part != part)), parameter)
}

fn problem<'s>(samples: impl Iterator<Item = &'s Sample>) -> SvmProblem {
    let (labels, instances) =
        samples.map(|sample| (f64::from(u8::from(sample.is_main)), nodes(&sample.ratios))).unzip();
    SvmProblem { labels, instances }
}

fn nodes(ratios: &[f64; 5]) -> Vec<SvmNode> {
    ratios.iter().zip(1..).map(|(&value, index)| SvmNode { index, value }).collect()
}

fn is_main(machine: &SvmModel, sample: &Sample) -> bool {
    predict(machine, &nodes(&sample.ratios)) == 1.0
}

/// Precision and recall over block tags and over their characters; each is asked of the machine that has not seen its part.
fn figures<'s>(set: &str, samples: impl Iterator<Item = &'s Sample>, machines: &[SvmModel]) -> TagFigures {
    let mut table = [[(0_u64, 0_u64); 2]; 2];
    let mut tags = 0;
    for sample in samples {
        let said = machines.get(sample.part).is_some_and(|machine| is_main(machine, sample));
        let cell = &mut table[usize::from(said)][usize::from(sample.is_main)];
        cell.0 += 1;
        cell.1 += u64::from(sample.characters);
        tags += 1;
    }
    let share = |part: u64, rest: u64| part as f64 / (part + rest).max(1) as f64;
    let [[_, missed], [wrong, right]] = table;
    TagFigures {
        set: set.to_owned(),
        tags,
        precision: share(right.0, wrong.0),
        recall: share(right.0, missed.0),
        precision_by_characters: share(right.1, wrong.1),
        recall_by_characters: share(right.1, missed.1),
    }
}
