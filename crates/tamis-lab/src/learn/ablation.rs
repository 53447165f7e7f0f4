//! What each part of the features is worth: the same training without it, with several seeds.
//!
//! How much a feature gains in the trees says how often it was at hand, not what would be lost without it. So each part is
//! taken away, the rest learns anew, and pages of held-out sites are scored. Chance alone moves the figures a little:
//! every training is repeated with other seeds, and each is set against the whole of the same seed.

use serde::Serialize;
use tamis::fused::features::{Features, names};

use super::prepared::{Measured, Prepared};
use super::{HeldOut, LearnError, Settings, Stage, measured_pages, passes};
use crate::set::Set;
use crate::table::Table as Shown;

/// A part of the features.
///
/// ```
/// let lines = tamis_lab::learn::ablation::PARTS.iter().find(|part| part.name == "lines").unwrap();
/// assert!(lines.has("site lines") && !lines.has("link share"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// What it is called.
    pub name: &'static str,
    /// The features that belong to it, or how their names begin.
    features: &'static [&'static str],
}

const fn part(name: &'static str, features: &'static [&'static str]) -> Part {
    Part { name, features }
}

/// The parts that are taken away one after the other: each published method, all of them, and other kinds of evidence.
///
/// ```
/// use tamis::fused::features::names;
///
/// for part in tamis_lab::learn::ablation::PARTS {
///     assert!(names().iter().any(|name| part.has(name)), "{}", part.name);
/// }
/// ```
pub const PARTS: [Part; 10] = [
    part("lines", &["lines", "site lines"]),
    part("template-svm", &["template-svm", "site templates"]),
    part("correlation", &["correlation"]),
    part("containers", &["containers"]),
    part("blocks", &["blocks"]),
    part("density", &["density"]),
    part(
        "all methods",
        &[
            "lines",
            "site lines",
            "template-svm",
            "site templates",
            "correlation",
            "containers",
            "blocks",
            "density",
        ],
    ),
    part("posts and comments", &["comment", "behind comments", "post", "posts"]),
    part("class names", &["class *"]),
    part("words", &["words say*", "class path words", "tag path words", "heading says"]),
];

impl Part {
    /// Does a feature belong to it?
    pub fn has(&self, name: &str) -> bool {
        self.features.iter().any(|it| match it.strip_suffix('*') {
            // The paths of a page are told apart by class names, and are not what names say.
            Some(start) => name.starts_with(start) && !name.starts_with("class path"),
            None => *it == name,
        })
    }
}

/// What was lost, or won, without a part of the features.
///
/// ```
/// use tamis_lab::learn::ablation::Loss;
///
/// let loss = Loss { name: "lines", sets: vec![vec![-0.5, 0.5], vec![0.5, 0.3]] };
/// assert_eq!(loss.mean(), 0.2);
/// assert_eq!(loss.range(), (0.0, 0.4));
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Loss {
    /// The part.
    pub name: &'static str,
    /// For each seed, for each set: by how many points of token F1 the whole is better.
    pub sets: Vec<Vec<f32>>,
}

impl Loss {
    fn of_seeds(&self) -> impl Iterator<Item = f32> + '_ {
        self.sets.iter().map(|sets| sets.iter().sum::<f32>() / sets.len().max(1) as f32)
    }

    /// The mean over sets and seeds.
    pub fn mean(&self) -> f32 {
        self.of_seeds().sum::<f32>() / self.sets.len().max(1) as f32
    }

    /// The lowest and the highest mean over sets that a seed had.
    pub fn range(&self) -> (f32, f32) {
        self.of_seeds()
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), it| (low.min(it), high.max(it)))
    }
}

/// What each part is worth.
///
/// ```
/// let ablation = tamis_lab::learn::ablation::Ablation { sets: vec!["gne".into()], whole: vec![91.0], losses: vec![] };
/// assert!(ablation.table().to_text().contains("gne"));
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ablation {
    /// The names of the sets.
    pub sets: Vec<String>,
    /// What the whole had on each, as a mean over seeds, in percent.
    pub whole: Vec<f32>,
    /// The parts.
    pub losses: Vec<Loss>,
}

impl Ablation {
    /// For the terminal: what is lost without each part, on each set and in the mean.
    pub fn table(&self) -> Shown {
        let head = ["without", "mean", "lowest", "highest"].map(str::to_owned);
        let points = |points: f32| format!("{points:+.2}");
        let whole = self.whole.iter().sum::<f32>() / self.whole.len().max(1) as f32;
        let mut rows =
            vec![vec!["nothing: F1".to_owned(), format!("{whole:.2}"), String::new(), String::new()]];
        rows[0].extend(self.whole.iter().map(|f1| format!("{f1:.1}")));
        for loss in &self.losses {
            let (lowest, highest) = loss.range();
            let mut row = vec![loss.name.to_owned(), points(-loss.mean()), points(-highest), points(-lowest)];
            for set in 0..self.sets.len() {
                let sum: f32 = loss.sets.iter().map(|sets| sets[set]).sum();
                row.push(points(-sum / loss.sets.len().max(1) as f32));
            }
            rows.push(row);
        }
        let seeds = self.losses.first().map_or(0, |loss| loss.sets.len());
        Shown {
            title: format!("Points of token F1 on held-out sites that change without a part, {seeds} seeds"),
            head: head.into_iter().chain(self.sets.iter().cloned()).collect(),
            rows,
        }
    }
}

/// Learns without each of the [`PARTS`], `seeds` times.
///
/// ```
/// use tamis_lab::learn::{Settings, ablation::ablate};
///
/// assert!(ablate(&[], &Settings::default(), 2, &|_| ()).is_err(), "there is nothing to learn from");
/// ```
pub fn ablate(
    sets: &[Set],
    settings: &Settings,
    seeds: usize,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Ablation, LearnError> {
    let prepared = Prepared::of(sets, settings, progress)?;
    let lessons = &prepared.lessons;
    let mut measured = prepared.measured(settings, &|stage| {
        if stage == Stage::Features {
            progress(stage);
        }
    });
    let score = |measured: &Measured, seed: usize| {
        let mut settings = *settings;
        settings.first.seed = settings.first.seed.wrapping_add(10 * seed as u64);
        settings.second.seed = settings.second.seed.wrapping_add(10 * seed as u64);
        let said = passes(lessons, &measured.table, &measured.features, &settings, false, &|_| ());
        let pages = measured_pages(lessons, settings.threads, measured, &said);
        by_set(sets.len(), pages.iter().map(|(page, _)| page))
    };
    let mut wholes = Vec::new();
    for seed in 0..seeds {
        progress(Stage::Without("nothing", seed, seeds));
        wholes.push(score(&measured, seed));
    }
    let mut losses = Vec::new();
    let whole_features = std::mem::take(&mut measured.features);
    for part in PARTS {
        measured.features = without(&whole_features, part);
        let mut loss = Loss { name: part.name, sets: Vec::new() };
        for (seed, whole) in wholes.iter().enumerate() {
            progress(Stage::Without(part.name, seed, seeds));
            let rest = score(&measured, seed);
            loss.sets.push(whole.iter().zip(rest).map(|(whole, rest)| whole - rest).collect());
        }
        losses.push(loss);
    }
    let whole = (0..sets.len())
        .map(|set| wholes.iter().map(|whole| whole[set]).sum::<f32>() / seeds.max(1) as f32)
        .collect();
    Ok(Ablation { sets: sets.iter().map(|set| set.name.clone()).collect(), whole, losses })
}

/// The features with a part of them always 0, so that no tree can ask for it.
fn without(features: &[Features], part: Part) -> Vec<Features> {
    let gone: Vec<usize> = (0..names().len()).filter(|at| part.has(names()[*at])).collect();
    let mut features = features.to_vec();
    for page in &mut features {
        for row in page.values.chunks_exact_mut(page.width.max(1)) {
            gone.iter().for_each(|at| row[*at] = 0.0);
        }
    }
    features
}

/// The mean token F1 of the pages of each set, in percent.
fn by_set<'p>(sets: usize, pages: impl Iterator<Item = &'p HeldOut>) -> Vec<f32> {
    let mut sums = vec![(0.0, 0.0_f32); sets];
    for page in pages {
        let sum = &mut sums[page.set];
        *sum = (sum.0 + 100.0 * page.f1, sum.1 + 1.0);
    }
    sums.into_iter().map(|(sum, pages)| sum / pages.max(1.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_is_shown_as_what_changes() {
        let losses = vec![Loss { name: "lines", sets: vec![vec![0.5, 0.1], vec![0.3, -0.1]] }];
        let sets = vec!["one".to_owned(), "two".to_owned()];
        let table = Ablation { sets, whole: vec![90.0, 80.0], losses }.table();
        assert_eq!(table.rows[0][..2], ["nothing: F1", "85.00"]);
        assert_eq!(table.rows[1], ["lines", "-0.20", "-0.30", "-0.10", "-0.40", "-0.00"]);
    }

    #[test]
    fn a_part_is_not_to_be_seen_any_more() {
        let page = tamis::Page::parse("<p class=body>One block of some words, and a comma.");
        let features = [Features::of(&page, &tamis::Site::default(), &Default::default())];
        let part = Part { name: "x", features: &["words", "around*"] };
        let rest = without(&features, part);
        let words = names().iter().position(|name| *name == "words").unwrap();
        assert!(features[0].row(0)[words] > 0.0 && rest[0].row(0)[words] == 0.0);
        assert_eq!(features[0].row(0)[0], rest[0].row(0)[0]);
    }
}
