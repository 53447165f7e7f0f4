//! How a model was made, kept beside it: sets, settings, and figures on held-out sites.
//!
//! The same training gives the same recipe: it has no date and no path.

use std::collections::HashSet;

use serde::Serialize;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::{Report, Settings, figures};
use crate::set::Set;

/// How a model was made.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Recipe {
    /// Digest of the model file.
    pub digest: String,
    /// Its size.
    pub bytes: usize,
    /// The version of Tamis.
    pub tamis: &'static str,
    /// `fused` or `svm`.
    pub method: &'static str,
    /// The random seed.
    pub seed: u64,
    /// Folds of sites.
    pub folds: usize,
    /// The sets.
    pub sets: Vec<SetUsed>,
    /// Mean F over sets and F by set, on held-out sites.
    pub figures: Vec<NamedFigure>,
}

/// A set that was learned from.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SetUsed {
    /// Its name.
    pub name: String,
    /// The weight of its pages.
    pub weight: f32,
    /// Pages with a truth.
    pub pages: usize,
    /// Sites.
    pub sites: usize,
    /// Digest of ids and texts of the truths.
    pub truths: String,
}

/// A figure of a set, from 0 to 1.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NamedFigure {
    /// The set, or `mean`.
    pub name: String,
    /// Pages that count.
    pub pages: usize,
    /// The figure, to three decimals.
    pub f: f64,
}

impl Recipe {
    /// The recipe of a trained model, given its file.
    pub fn new(sets: &[Set], settings: &Settings, report: &Report, model: &[u8]) -> Recipe {
        let by_set = figures(&report.pages, |page| Some(&page.set));
        let mean = by_set.iter().map(|figure| figure.f).sum::<f64>() / by_set.len().max(1) as f64;
        let named = |name: &str, pages: usize, f: f64| NamedFigure {
            name: name.to_owned(),
            pages,
            f: (f * 1000.0).round() / 1000.0,
        };
        let mut all = vec![named("mean", report.pages.len(), mean)];
        all.extend(by_set.iter().map(|figure| named(&figure.name, figure.pages, figure.f)));
        Recipe { figures: all, ..Recipe::of_file("fused", sets, settings.seed, settings.folds, model) }
    }

    /// A recipe without figures.
    pub fn of_file(method: &'static str, sets: &[Set], seed: u64, folds: usize, model: &[u8]) -> Recipe {
        let mut used: Vec<SetUsed> = sets.iter().map(SetUsed::of).collect();
        used.sort_by(|a, b| a.name.cmp(&b.name));
        Recipe {
            digest: format!("{:016x}", xxh3_64(model)),
            bytes: model.len(),
            tamis: env!("CARGO_PKG_VERSION"),
            method,
            seed,
            folds,
            sets: used,
            figures: Vec::new(),
        }
    }

    /// As JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

impl SetUsed {
    fn of(set: &Set) -> SetUsed {
        let mut digest = Xxh3::new();
        for truth in &set.truths {
            digest.update(truth.id.as_bytes());
            digest.update(&[0]);
            digest.update(truth.text.as_deref().unwrap_or_default().as_bytes());
            digest.update(&[0]);
        }
        let sites: HashSet<&str> =
            set.truths.iter().map(|truth| truth.site.as_deref().unwrap_or(&truth.id)).collect();
        SetUsed {
            name: set.name.clone(),
            weight: set.weight,
            pages: set.truths.iter().filter(|truth| truth.has_text() || truth.has_segments()).count(),
            sites: sites.len(),
            truths: format!("{:016x}", digest.digest()),
        }
    }
}
