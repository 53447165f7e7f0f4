//! Trains the model of `svm` and `template-svm` from the evaluation sets, and says how good it is on other sites.
//!
//!     cargo run --release -p tamis --example train_block_svm [-- OUT]
//!
//! The recipe is the paper's (section 6): block tags are labelled, noise is down-sampled to as many samples as there
//! are of main text, an RBF kernel is taken, and its parameters are found by ten-fold cross-validation. Two things are
//! stricter here: folds are made of whole sites, and what is reported comes from sites that were not trained on.

// A program for the terminal.
#![allow(clippy::print_stdout)]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use libsvm_rs::predict::predict;
use libsvm_rs::train::svm_train;
use libsvm_rs::{SvmModel, SvmNode, SvmParameter, SvmProblem, io};
use tamis::Page;
use tamis::methods::block_tags::BlockTags;

/// Sets that are trained on; of their sites one in five is held back.
const TRAINED_ON: [&str; 6] =
    ["wcxb", "fundus-news", "postlight-fixtures", "gne", "magic-html-article", "uyghur-archives"];
/// Sets whose sites are all held back: the ones on which the method is measured.
const HELD_BACK: [&str; 2] = ["zh-sites", "zh-saved-pages"];
/// The paper is about pages with a topic, not about lists or forums.
const PAGE_TYPE: &str = "article";
/// So that no site with many pages outweighs the others.
const MAX_PER_SITE_AND_CLASS: usize = 6;
/// Few enough samples that the support vectors stay a few hundred.
const MAX_PER_CLASS: usize = 300;
const FOLDS: u64 = 10;

struct Sample {
    site: String,
    ratios: [f64; 5],
    characters: u32,
    is_main: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    libsvm_rs::set_quiet(true);
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/block_tags.svm");
    let out = std::env::args_os().nth(1).map_or(shipped, PathBuf::from);

    let samples = read(&TRAINED_ON)?;
    let (held_back, train): (Vec<Sample>, Vec<Sample>) =
        samples.into_iter().partition(|sample| hash(&sample.site).is_multiple_of(5));
    let train = balanced(train);
    let sites: BTreeSet<&str> = train.iter().map(|sample| sample.site.as_str()).collect();
    println!("{} samples of {} sites, half of them main text", train.len(), sites.len());

    let (parameter, accuracy) = cross_validate(&train);
    println!(
        "C {} gamma {}: {:.1} % right in cross-validation by site",
        parameter.c,
        parameter.gamma,
        100.0 * accuracy
    );
    let model = svm_train(&problem(train.iter()), &parameter);
    println!("{} support vectors", model.sv.len());
    report("held-back sites of the sets trained on", &model, &held_back);
    for set in HELD_BACK {
        report(set, &model, &read(&[set])?);
    }
    io::save_model_to_writer(File::create(&out)?, &model)?;
    println!("written to {}", out.display());
    Ok(())
}

/// All block tags with text of the article pages of some sets.
fn read(sets: &[&str]) -> Result<Vec<Sample>, Box<dyn Error>> {
    let mut samples = Vec::new();
    for set in sets {
        let folder =
            tamis_testdata::set(set).ok_or_else(|| format!("the evaluation set {set} cannot be had"))?;
        for line in fs::read_to_string(folder.join("truth.jsonl"))?.lines() {
            let row: serde_json::Value = serde_json::from_str(line)?;
            let field = |name: &str| row[name].as_str().unwrap_or_default();
            if field("page_type") != PAGE_TYPE || field("text").is_empty() {
                continue;
            }
            let bytes = fs::read(folder.join("pages").join(format!("{}.html", field("id"))))?;
            let encoding = encoding_rs::Encoding::for_label(field("encoding").as_bytes());
            let html = encoding.unwrap_or(encoding_rs::UTF_8).decode(&bytes).0;
            samples.extend(samples_of(
                &Page::parse(&html),
                field("text"),
                &format!("{set}/{}", field("site")),
            ));
        }
    }
    Ok(samples)
}

/// A block tag is main text when most of its own text is in the truth.
fn samples_of(page: &Page<'_>, truth: &str, site: &str) -> Vec<Sample> {
    let tags = BlockTags::of(page, |_| false);
    let mut main_characters = vec![0_u32; tags.list.len()];
    for ((block, is_main), &tag) in page.blocks().iter().zip(in_truth(page, truth)).zip(&tags.of_block) {
        if is_main && block.hidden.is_none() {
            main_characters[tag] += block.measures.text.characters;
        }
    }
    let with_text = tags.list.iter().zip(main_characters).filter(|(tag, _)| tag.inner.len > 0);
    with_text
        .map(|(tag, main)| Sample {
            site: site.to_owned(),
            ratios: tags.ratios(tag),
            characters: tag.inner.len,
            is_main: 2 * main > tag.inner.len,
        })
        .collect()
}

/// Which blocks the truth has. It is in page order: a long text is looked for from where the last one ended, and then
/// anywhere; a short one could be anywhere by chance, so it counts only where it comes soon after the last one.
fn in_truth(page: &Page<'_>, truth: &str) -> Vec<bool> {
    const LONG: usize = 12;
    const SOON: usize = 300;
    let truth: String = fold(truth);
    let mut at = 0;
    let mut found = |text: &str| {
        let text = fold(text);
        if text.is_empty() {
            return false;
        }
        let is_long = text.chars().count() >= LONG;
        let ahead = truth[at..].find(&text).map(|ahead| at + ahead);
        let place = match ahead {
            Some(ahead) if is_long || ahead <= at + SOON => Some(ahead),
            _ if is_long => truth.find(&text),
            _ => None,
        };
        if let Some(place) = place {
            at = place + text.len();
        }
        place.is_some()
    };
    page.blocks().iter().map(|block| found(page.text(block))).collect()
}

fn fold(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// As many samples of noise as of main text, no more than a few of each site, always the same ones.
fn balanced(samples: Vec<Sample>) -> Vec<Sample> {
    let mut order: Vec<(u64, Sample)> = samples
        .into_iter()
        .enumerate()
        .map(|(number, sample)| (hash(&format!("{} {number}", sample.site)), sample))
        .collect();
    order.sort_by_key(|(key, _)| *key);
    let mut of_site: BTreeMap<(String, bool), usize> = BTreeMap::new();
    order.retain(|(_, sample)| {
        let count = of_site.entry((sample.site.clone(), sample.is_main)).or_default();
        *count += 1;
        *count <= MAX_PER_SITE_AND_CLASS
    });
    let of_class = |class: bool| order.iter().filter(|(_, sample)| sample.is_main == class).count();
    let take = of_class(true).min(of_class(false)).min(MAX_PER_CLASS);
    let mut left = [take, take];
    order.retain(|(_, sample)| {
        let left = &mut left[usize::from(sample.is_main)];
        *left = left.wrapping_sub(1);
        *left < take
    });
    order.into_iter().map(|(_, sample)| sample).collect()
}

/// C and gamma with the largest share of samples right in folds of whole sites.
fn cross_validate(samples: &[Sample]) -> (SvmParameter, f64) {
    let mut best = (SvmParameter::default(), 0.0);
    for c in [-3, -1, 1, 3, 5, 7].map(|power| 2_f64.powi(power)) {
        for gamma in [-3, -1, 1, 3, 5, 7].map(|power| 2_f64.powi(power)) {
            let parameter = SvmParameter { c, gamma, ..SvmParameter::default() };
            let mut right = 0;
            for fold in 0..FOLDS {
                let is_out = |sample: &&Sample| hash(&sample.site) / 5 % FOLDS == fold;
                let model = svm_train(&problem(samples.iter().filter(|sample| !is_out(sample))), &parameter);
                let out = samples.iter().filter(is_out);
                right += out.filter(|sample| is_main(&model, sample) == sample.is_main).count();
            }
            let share = right as f64 / samples.len() as f64;
            if share > best.1 {
                best = (parameter, share);
            }
        }
    }
    best
}

fn problem<'s>(samples: impl Iterator<Item = &'s Sample>) -> SvmProblem {
    let (labels, instances) =
        samples.map(|sample| (f64::from(u8::from(sample.is_main)), nodes(&sample.ratios))).unzip();
    SvmProblem { labels, instances }
}

fn nodes(ratios: &[f64; 5]) -> Vec<SvmNode> {
    ratios.iter().zip(1..).map(|(&value, index)| SvmNode { index, value }).collect()
}

fn is_main(model: &SvmModel, sample: &Sample) -> bool {
    predict(model, &nodes(&sample.ratios)) == 1.0
}

/// Precision and recall over block tags, and over their characters.
fn report(what: &str, model: &SvmModel, samples: &[Sample]) {
    let mut table = [[(0_u64, 0_u64); 2]; 2];
    for sample in samples {
        let cell = &mut table[usize::from(is_main(model, sample))][usize::from(sample.is_main)];
        cell.0 += 1;
        cell.1 += u64::from(sample.characters);
    }
    let share = |part: u64, rest: u64| 100.0 * part as f64 / (part + rest).max(1) as f64;
    let [[_, missed], [wrong, right]] = table;
    println!(
        "{what}: {} block tags, P {:.1} R {:.1}; by characters P {:.1} R {:.1}",
        samples.len(),
        share(right.0, wrong.0),
        share(right.0, missed.0),
        share(right.1, wrong.1),
        share(right.1, missed.1),
    );
}

fn hash(text: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(text.as_bytes())
}
