//! How a model was made, to be kept beside it: from what, with which settings, and how it did on what it had not seen.
//!
//! The same training gives the same recipe, to the letter: there is no date in it, and no path.

use std::collections::HashSet;

use serde::Serialize;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::{Figures, Settings, SvmSettings, SvmTrained, Trained};
use crate::set::Set;

/// How a model was made.
///
/// ```
/// use tamis_lab::learn::{Figures, Recipe, Settings, Trained};
///
/// let (trained, settings) = (Trained::default(), Settings::default());
/// let recipe = Recipe::of(&[], &trained, &settings, &Figures::of(&[], &trained, &settings));
/// assert_eq!(recipe.model.digest, trained.model.digest());
/// assert!(recipe.to_json().contains("\"seed\": 1"));
/// assert!(recipe.rows().iter().any(|(what, _)| what == "trees"));
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Recipe {
    /// The model that was made.
    pub model: ModelFile,
    /// The version of Tamis that made it.
    pub tamis: &'static str,
    /// `fused` or `svm`.
    pub method: &'static str,
    /// Where chance began.
    pub seed: u64,
    /// Into how many parts the pages were cut.
    pub folds: usize,
    /// What was held out together: `site` or `engine`.
    pub hold_out: &'static str,
    /// What the method was trained with besides.
    #[serde(flatten)]
    pub settings: MethodSettings,
    /// What was learned from, by name.
    pub sets: Vec<SetUsed>,
    /// How it did on what was held out.
    pub figures: MainFigures,
}

/// By what a model is known.
///
/// ```
/// let model = tamis_lab::learn::ModelFile::of("some lines\n");
/// assert_eq!((model.digest.len(), model.bytes), (16, 11));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ModelFile {
    /// For `fused` that which stands in the second line of the file; for `svm` the digest (XXH3) of the file.
    pub digest: String,
    /// How large the file is.
    pub bytes: usize,
}

impl ModelFile {
    /// That of a file that does not name itself.
    pub fn of(text: &str) -> ModelFile {
        ModelFile { digest: format!("{:016x}", xxh3_64(text.as_bytes())), bytes: text.len() }
    }
}

/// What is set for one method and not for the other.
///
/// ```
/// let svm = tamis_lab::learn::MethodSettings::Svm { per_site: 6, per_class: 300 };
/// assert_eq!(serde_json::to_string(&svm)?, r#"{"per_site":6,"per_class":300}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum MethodSettings {
    /// The boosted trees.
    Fused {
        /// What was made of the pages and learned from as well.
        augment: &'static str,
        /// How many trees the passes have.
        trees: OfPasses,
        /// How many leaves a tree has at most.
        leaves: OfPasses,
    },
    /// The machine.
    Svm {
        /// How many samples of a class a site gives at most.
        per_site: usize,
        /// How many samples of a class there are at most.
        per_class: usize,
    },
}

/// A number for each pass.
///
/// ```
/// let trees = tamis_lab::learn::OfPasses { first: 96, second: 58, each_kind: 25 };
/// assert_eq!(trees.to_string(), "96 in the first pass, 58 in the second, 25 for each kind of page");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct OfPasses {
    /// The first.
    pub first: usize,
    /// The second.
    pub second: usize,
    /// For each kind of page that is learned.
    pub each_kind: usize,
}

impl std::fmt::Display for OfPasses {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let OfPasses { first, second, each_kind } = self;
        write!(f, "{first} in the first pass, {second} in the second, {each_kind} for each kind of page")
    }
}

/// A set that was learned from.
///
/// ```
/// let used = tamis_lab::learn::SetUsed { name: "gne".into(), weight: 1.0, pages: 19, sites: 19, truths: "0".repeat(16) };
/// assert!(used.sites <= used.pages);
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SetUsed {
    /// Its name.
    pub name: String,
    /// How much its pages said beside those of others.
    pub weight: f32,
    /// How many pages with a text it has.
    pub pages: usize,
    /// Of how many sites; a page of which none is told counts as one.
    pub sites: usize,
    /// The digest of ids and texts, by which it can be told whether they have changed since.
    pub truths: String,
}

/// How a model did, in short; a report has more.
///
/// ```
/// let svm = tamis_lab::learn::MainFigures::Svm { samples: 600, vectors: 350, c: 2.0, gamma: 0.5, accuracy: 0.728 };
/// assert!(serde_json::to_string(&svm)?.contains("\"gamma\":0.5"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum MainFigures {
    /// The boosted trees.
    Fused {
        /// How many pages were measured.
        pages: usize,
        /// Of how many sites.
        sites: usize,
        /// The mean of the sets' token F1.
        mean_f1: f32,
        /// Token F1 by set.
        sets: Vec<Named>,
        /// Token F1 by kind of page.
        kinds: Vec<Named>,
        /// The share of pages whose kind is told right.
        kinds_right: Option<f32>,
        /// By how much confidence and token F1 differ, as a mean over ten groups of pages.
        confidence_off: f32,
    },
    /// The machine.
    Svm {
        /// How many samples it was trained on.
        samples: usize,
        /// How many support vectors it has.
        vectors: usize,
        /// The parameter C.
        c: f64,
        /// The parameter gamma.
        gamma: f64,
        /// The share of samples right in cross-validation.
        accuracy: f64,
    },
}

/// A figure of some pages.
///
/// ```
/// let figure = tamis_lab::learn::Named { name: "gne".into(), pages: 19, f1: 0.9 };
/// assert!(figure.f1 <= 1.0);
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Named {
    /// What the pages have in common.
    pub name: String,
    /// How many they are.
    pub pages: usize,
    /// Their mean token F1.
    pub f1: f32,
}

impl Recipe {
    /// The recipe of a model for `fused`.
    pub fn of(sets: &[Set], trained: &Trained, settings: &Settings, figures: &Figures) -> Recipe {
        let passes = |of: fn(&super::boost::Settings) -> usize| OfPasses {
            first: of(&settings.first),
            second: of(&settings.second),
            each_kind: of(&settings.kinds),
        };
        let named = |group: &super::Group| Named {
            name: group.name.clone(),
            pages: group.pages,
            f1: rounded(group.f1),
        };
        let off = figures.confidence.iter().map(|bin| (bin.said - bin.f1).abs() * bin.pages as f32);
        Recipe {
            model: ModelFile { digest: trained.model.digest(), bytes: trained.model.to_string().len() },
            tamis: env!("CARGO_PKG_VERSION"),
            method: "fused",
            seed: settings.first.seed,
            folds: settings.folds,
            hold_out: settings.hold_out.name(),
            settings: MethodSettings::Fused {
                augment: settings.augment.name(),
                trees: passes(|boost| boost.trees),
                leaves: passes(|boost| boost.leaves),
            },
            sets: used(sets),
            figures: MainFigures::Fused {
                pages: figures.pages,
                sites: figures.sites,
                mean_f1: rounded(figures.mean.f1),
                sets: figures.sets.iter().map(named).collect(),
                kinds: figures.kinds.iter().map(named).collect(),
                kinds_right: figures.confusion.right().map(rounded),
                confidence_off: rounded(off.sum::<f32>() / figures.pages.max(1) as f32),
            },
        }
    }

    /// The recipe of a machine.
    ///
    /// ```
    /// use tamis_lab::learn::{Recipe, SvmSettings, SvmTrained};
    ///
    /// let recipe = Recipe::of_svm(&[], &SvmTrained::default(), &SvmSettings::default());
    /// assert_eq!((recipe.method, recipe.folds), ("svm", 10));
    /// ```
    pub fn of_svm(sets: &[Set], trained: &SvmTrained, settings: &SvmSettings) -> Recipe {
        Recipe {
            model: ModelFile::of(&trained.model),
            tamis: env!("CARGO_PKG_VERSION"),
            method: "svm",
            seed: settings.seed,
            folds: settings.folds,
            hold_out: "site",
            settings: MethodSettings::Svm { per_site: settings.per_site, per_class: settings.per_class },
            sets: used(sets),
            figures: MainFigures::Svm {
                samples: trained.samples,
                vectors: trained.vectors,
                c: trained.c,
                gamma: trained.gamma,
                accuracy: trained.accuracy,
            },
        }
    }

    /// For the file beside the model.
    pub fn to_json(&self) -> String {
        // Numbers and texts can always be written.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// For people: all but the figures, each with what it is.
    pub fn rows(&self) -> Vec<(String, String)> {
        let mut rows = Vec::new();
        let mut row = |name: &str, value: String| rows.push((name.to_owned(), value));
        row("model", format!("{}, {} bytes", self.model.digest, self.model.bytes));
        row("method", format!("{}, by tamis {}", self.method, self.tamis));
        row("seed", self.seed.to_string());
        row("parts", format!("{}, by {}", self.folds, self.hold_out));
        match &self.settings {
            MethodSettings::Fused { augment, trees, leaves } => {
                row("trees", trees.to_string());
                row("leaves of a tree, at most", leaves.to_string());
                row("made of the pages", (*augment).to_owned());
            }
            MethodSettings::Svm { per_site, per_class } => {
                row("samples of a class, at most", format!("{per_class}, {per_site} of a site"));
            }
        }
        for SetUsed { name, weight, pages, sites, truths } in &self.sets {
            let value = format!("weight {weight}, {pages} pages of {sites} sites, truths {truths}");
            row(&format!("set {name}"), value);
        }
        rows
    }
}

/// Four places: more would say nothing.
fn rounded(figure: f32) -> f32 {
    (figure * 1e4).round() / 1e4
}

fn used(sets: &[Set]) -> Vec<SetUsed> {
    let mut used: Vec<SetUsed> = sets.iter().map(SetUsed::of).collect();
    used.sort_by(|one, other| one.name.cmp(&other.name));
    used
}

impl SetUsed {
    fn of(set: &Set) -> SetUsed {
        let mut digest = Xxh3::new();
        let with_text = || set.truths.iter().filter(|truth| truth.has_text());
        for truth in with_text() {
            for part in [&truth.id, truth.text.as_deref().unwrap_or("")] {
                digest.update(&(part.len() as u64).to_le_bytes());
                digest.update(part.as_bytes());
            }
        }
        let sites: HashSet<&str> =
            with_text().map(|truth| truth.site.as_deref().unwrap_or(&truth.id)).collect();
        SetUsed {
            name: set.name.clone(),
            weight: set.weight,
            pages: with_text().count(),
            sites: sites.len(),
            truths: format!("{:016x}", digest.digest()),
        }
    }
}
