//! How a model did on what it had not seen, as figures: for the terminal, for programs, and for a report.

use serde::Serialize;
use tamis::fused::{LEARNED, PageType, features, second_pass};

use super::kinds::as_learned;
use super::{HeldOut, Settings, Trained};
use crate::set::Set;
use crate::table::Table;

/// The figures of a training. Shares are from 0 to 1.
///
/// ```
/// use tamis_lab::learn::{Figures, Settings, Trained};
///
/// let figures = Figures::of(&[], &Trained::default(), &Settings::default());
/// assert!(figures.sets.is_empty() && figures.curve.is_empty());
/// assert!(figures.table().to_text().starts_with("Token F1 on sites that were held out, %"));
/// ```
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Figures {
    /// What was held out together: `site` or `engine`.
    pub hold_out: &'static str,
    /// Into how many parts the pages were cut.
    pub folds: usize,
    /// How many sites there are.
    pub sites: usize,
    /// How many pages.
    pub pages: usize,
    /// By set.
    pub sets: Vec<Group>,
    /// The mean of the sets.
    pub mean: Group,
    /// By kind of page, where the sets tell it; and short ones.
    pub kinds: Vec<Group>,
    /// Which kinds were taken for which.
    pub confusion: Confusion,
    /// The features, those that did most first.
    pub features: Vec<Feature>,
    /// Pages by what was expected of them.
    pub expected: Vec<Bin>,
    /// Pages by their confidence.
    pub confidence: Vec<Bin>,
    /// How more sites would help, if that was asked for.
    pub curve: Vec<Curve>,
}

/// The means of some pages.
///
/// ```
/// use tamis_lab::learn::Group;
///
/// let group = Group { name: "gne".into(), pages: 3, f1: 0.9, ceiling: 0.97, ..Group::default() };
/// assert!(group.ceiling > group.f1);
/// ```
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Group {
    /// What the pages have in common.
    pub name: String,
    /// How many they are.
    pub pages: usize,
    /// Token F1.
    pub f1: f32,
    /// ... of the first pass alone.
    pub first_f1: f32,
    /// ... if every block were kept that the truth covers.
    pub ceiling: f32,
    /// What was expected.
    pub expected: f32,
    /// The confidence.
    pub confidence: f32,
}

/// Which kinds of pages were taken for which: a row a kind that pages are, a column a kind that is given out. Sets name six kinds:
/// questions and answers count as forum, several bodies as article, pictures as other.
///
/// ```
/// use tamis_lab::learn::Confusion;
///
/// let confusion = Confusion { names: vec!["article", "forum"], counts: vec![vec![8, 1], vec![0, 1]] };
/// assert_eq!(confusion.right(), Some(0.9));
/// assert_eq!(Confusion::default().right(), None);
/// ```
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Confusion {
    /// The kinds.
    pub names: Vec<&'static str>,
    /// How many pages.
    pub counts: Vec<Vec<usize>>,
}

impl Confusion {
    /// The share of pages whose kind was told right.
    pub fn right(&self) -> Option<f32> {
        let all: usize = self.counts.iter().flatten().sum();
        let right: usize = self.counts.iter().enumerate().filter_map(|(row, counts)| counts.get(row)).sum();
        (all > 0).then(|| right as f32 / all as f32)
    }
}

/// How much a feature did.
///
/// ```
/// let feature = tamis_lab::learn::Feature { pass: "first", name: "link share".into(), gain: 12.5, share: 0.25 };
/// assert!(feature.gain > 0.0);
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Feature {
    /// Where: `first`, `second` or `kinds`.
    pub pass: &'static str,
    /// Its name.
    pub name: String,
    /// The sum of what its splits took off the loss.
    pub gain: f64,
    /// Its share of all gains of the pass.
    pub share: f64,
}

/// Pages of which about the same was said.
///
/// ```
/// let bin = tamis_lab::learn::Bin { said: 0.9, f1: 0.88, pages: 40 };
/// assert!((bin.said - bin.f1).abs() < 0.05);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Bin {
    /// The mean of what was said.
    pub said: f32,
    /// The mean token F1.
    pub f1: f32,
    /// How many pages.
    pub pages: usize,
}

/// How a share of the sites does.
///
/// ```
/// let half = tamis_lab::learn::Curve { share: 0.5, sites: 120, f1: 0.91, sets: vec![("gne".into(), 0.91)] };
/// assert_eq!(half.sets.len(), 1);
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Curve {
    /// The share.
    pub share: f32,
    /// How many sites these are.
    pub sites: usize,
    /// The mean of the sets' token F1.
    pub f1: f32,
    /// That of each set.
    pub sets: Vec<(String, f32)>,
}

impl Figures {
    /// The figures of what was learned from some sets.
    pub fn of(sets: &[Set], trained: &Trained, settings: &Settings) -> Figures {
        let pages = &trained.pages;
        let by_set = by_set(sets, pages);
        let mut curve: Vec<Curve> =
            trained.curve.iter().map(|(share, sites, pages)| point(sets, *share, *sites, pages)).collect();
        if !curve.is_empty() {
            curve.push(point(sets, 1.0, trained.sites, pages));
        }
        let (kinds, confusion) = by_kind(pages);
        Figures {
            hold_out: settings.hold_out.name(),
            folds: settings.folds,
            sites: trained.sites,
            pages: pages.len(),
            mean: mean_of("mean of sets", &by_set),
            sets: by_set,
            kinds,
            confusion,
            features: importance(&trained.gains),
            expected: bins(pages, |page| page.expected),
            confidence: bins(pages, |page| page.confidence),
            curve,
        }
    }

    /// The figures by set, for the terminal.
    pub fn table(&self) -> Table {
        let percent = |figure: f32| format!("{:.1}", 100.0 * figure);
        let row = |group: &Group| {
            let pages = if group.pages > 0 { group.pages.to_string() } else { String::new() };
            let figures = [group.f1, group.first_f1, group.ceiling, group.expected].map(percent);
            [group.name.clone(), pages].into_iter().chain(figures).collect()
        };
        let head = ["set", "pages", "F1", "first pass alone", "if labels were known", "expected"];
        Table {
            title: format!("Token F1 on {}s that were held out, %", self.hold_out),
            head: head.map(str::to_owned).to_vec(),
            rows: self.sets.iter().chain([&self.mean]).map(row).collect(),
        }
    }
}

fn group<'p>(name: &str, pages: impl Iterator<Item = &'p HeldOut>) -> Group {
    let mut group = Group { name: name.to_owned(), ..Group::default() };
    for page in pages {
        group.pages += 1;
        for (sum, figure) in figures_of(&mut group).into_iter().zip([
            page.f1,
            page.first_f1,
            page.ceiling,
            page.expected,
            page.confidence,
        ]) {
            *sum += figure;
        }
    }
    let count = group.pages.max(1) as f32;
    figures_of(&mut group).into_iter().for_each(|sum| *sum /= count);
    group
}

fn figures_of(group: &mut Group) -> [&mut f32; 5] {
    [&mut group.f1, &mut group.first_f1, &mut group.ceiling, &mut group.expected, &mut group.confidence]
}

/// Each group with the same voice.
fn mean_of(name: &str, groups: &[Group]) -> Group {
    let mut mean = Group { name: name.to_owned(), ..Group::default() };
    for group in groups {
        let mut group = group.clone();
        figures_of(&mut mean)
            .into_iter()
            .zip(figures_of(&mut group))
            .for_each(|(sum, figure)| *sum += *figure);
    }
    figures_of(&mut mean).into_iter().for_each(|sum| *sum /= groups.len().max(1) as f32);
    mean
}

fn by_set(sets: &[Set], pages: &[HeldOut]) -> Vec<Group> {
    let groups =
        sets.iter().enumerate().map(|(set, of)| group(&of.name, pages.iter().filter(|page| page.set == set)));
    groups.filter(|group| group.pages > 0).collect()
}

/// A page with fewer tokens is a short one.
const SHORT: usize = 100;

fn by_kind(pages: &[HeldOut]) -> (Vec<Group>, Confusion) {
    let learned = &PageType::ALL[..LEARNED];
    let of = |kind: &PageType| {
        group(kind.name(), pages.iter().filter(|it| it.kind.is_some_and(|(is, _)| is == *kind)))
    };
    let mut groups: Vec<Group> = learned.iter().map(of).collect();
    groups.push(group("not told", pages.iter().filter(|page| page.kind.is_none())));
    // The same pages once more, by length.
    groups.push(group("under 100 tokens", pages.iter().filter(|page| page.tokens < SHORT)));
    groups.retain(|group| group.pages > 0);
    let place = |kind: PageType| learned.iter().position(|learned| *learned == kind);
    let mut counts = vec![vec![0; LEARNED]; LEARNED];
    for (is, said) in pages.iter().filter_map(|page| page.kind) {
        if let (Some(is), Some(said)) = (place(as_learned(is)), place(as_learned(said))) {
            counts[is][said] += 1;
        }
    }
    (groups, Confusion { names: learned.iter().map(|kind| kind.name()).collect(), counts })
}

fn importance(gains: &[Vec<f64>; 3]) -> Vec<Feature> {
    let owned = |name: &&str| (*name).to_owned();
    let first: Vec<String> = features::names().iter().map(owned).collect();
    let second: Vec<String> = first.iter().cloned().chain(second_pass::NAMES.iter().map(owned)).collect();
    let names = [first, second, features::page_names()];
    let mut all = Vec::new();
    for ((pass, names), gains) in ["first", "second", "kinds"].into_iter().zip(names).zip(gains) {
        let sum: f64 = gains.iter().sum();
        let feature =
            |(name, gain): (String, &f64)| Feature { pass, name, gain: *gain, share: gain / sum.max(1e-9) };
        let mut of_pass: Vec<Feature> = names.into_iter().zip(gains).map(feature).collect();
        // Those with the same gain (none, mostly) stay in the order in which they are measured.
        of_pass.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        all.extend(of_pass);
    }
    all
}

/// Ten bins of about as many pages, by what was said of them.
fn bins(pages: &[HeldOut], said: impl Fn(&HeldOut) -> f32) -> Vec<Bin> {
    const BINS: usize = 10;
    let mut pages: Vec<&HeldOut> = pages.iter().collect();
    pages.sort_by(|a, b| said(a).total_cmp(&said(b)));
    let bin = |part: &[&HeldOut]| {
        let mean =
            |of: &dyn Fn(&HeldOut) -> f32| part.iter().map(|page| of(page)).sum::<f32>() / part.len() as f32;
        Bin { said: mean(&said), f1: mean(&|page| page.f1), pages: part.len() }
    };
    pages.chunks(pages.len().div_ceil(BINS).max(1)).map(bin).collect()
}

fn point(sets: &[Set], share: f32, sites: usize, pages: &[HeldOut]) -> Curve {
    let groups = by_set(sets, pages);
    let f1 = mean_of("", &groups).f1;
    Curve { share, sites, f1, sets: groups.into_iter().map(|group| (group.name, group.f1)).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(page: usize, f1: f32, expected: f32, kind: Option<(PageType, PageType)>) -> HeldOut {
        HeldOut {
            set: 0,
            page,
            f1,
            first_f1: f1,
            ceiling: 1.0,
            expected,
            confidence: expected,
            tokens: 200,
            kind,
        }
    }

    #[test]
    fn pages_are_put_into_bins_and_kinds_into_a_table() {
        let forum = Some((PageType::Forum, PageType::Article));
        let article = Some((PageType::Article, PageType::Article));
        let pages: Vec<HeldOut> =
            (0..20).map(|n| page(n, n as f32 / 20.0, 1.0, [forum, article, None][n % 3])).collect();
        let bins = bins(&pages, |page| page.f1);
        assert_eq!((bins.len(), bins[0].pages), (10, 2));
        assert!(bins.windows(2).all(|pair| pair[0].said < pair[1].said));
        let (kinds, confusion) = by_kind(&pages);
        assert_eq!(
            kinds.iter().map(|group| group.name.as_str()).collect::<Vec<_>>(),
            ["article", "forum", "not told"]
        );
        assert_eq!((confusion.counts[0][0], confusion.counts[1][0]), (7, 7));
        assert_eq!(confusion.right(), Some(0.5));
    }

    #[test]
    fn the_feature_that_did_most_comes_first() {
        let mut gains = [vec![0.0; features::names().len()], vec![], vec![]];
        gains[0][3] = 3.0;
        gains[0][5] = 1.0;
        let features = importance(&gains);
        assert_eq!((features[0].name.as_str(), features[0].share), (super::features::names()[3], 0.75));
        assert_eq!(features[1].name, super::features::names()[5]);
    }
}
