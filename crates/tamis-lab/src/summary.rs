//! Metrics over many pages, with confidence intervals.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::evaluation::{SetResult, ToolResult};
use crate::figure::{Figure, quotient};
use crate::sample::{Chance, SAMPLES, interval, quantile};
use crate::score::PageScore;
use crate::set::Truth;

/// A value with its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// The metrics of a tool over many pages.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Summary {
    /// The number of pages.
    pub pages: usize,
    /// The number of pages with a true text.
    pub text_pages: usize,
    /// The median token F1.
    pub median_token_f1: Option<f64>,
    /// The metrics that apply to some page and have a non-zero denominator.
    #[serde(serialize_with = "by_name")]
    pub figures: BTreeMap<Figure, Estimate>,
}

fn by_name<S: Serializer>(figures: &BTreeMap<Figure, Estimate>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(figures.iter().map(|(figure, estimate)| (figure.name(), estimate)))
}

impl Summary {
    /// Summarises pages. The confidence intervals are bootstrap percentiles over 1,000 resamples of the pages.
    pub fn of<'p>(pages: impl Iterator<Item = &'p PageScore>) -> Summary {
        Summary::of_figures(pages, &Figure::ALL)
    }

    /// [`Summary::of`] for some metrics only, which is faster.
    pub fn of_figures<'p>(pages: impl Iterator<Item = &'p PageScore>, figures: &[Figure]) -> Summary {
        let pages: Vec<&PageScore> = pages.collect();
        let present: Vec<Figure> = figures
            .iter()
            .copied()
            .filter(|figure| pages.iter().any(|page| figure.share(page).is_some()))
            .collect();
        let width = present.len() * 2;
        // A row per page: what it adds to numerator and denominator of each metric.
        let mut rows: Vec<f64> = Vec::with_capacity(pages.len() * width);
        for page in &pages {
            rows.extend(present.iter().flat_map(|figure| {
                let (above, below) = figure.share(page).unwrap_or_default();
                [above, below]
            }));
        }
        let mut f1: Vec<f64> =
            pages.iter().filter_map(|page| Some(page.text.as_ref()?.tokens.f1())).collect();
        f1.sort_unstable_by(f64::total_cmp);
        let sums = sums(&rows, width, 0..pages.len());
        let values = sums.chunks_exact(2).map(|pair| quotient(pair[0], pair[1]));
        let intervals = bootstrap(&rows, width, pages.len());
        let figures =
            present.iter().zip(values.zip(intervals)).filter_map(|(figure, (value, (low, high)))| {
                Some((*figure, Estimate { value: value?, low, high }))
            });
        Summary {
            pages: pages.len(),
            text_pages: f1.len(),
            median_token_f1: quantile(&f1, 0.5),
            figures: figures.collect(),
        }
    }

    /// A metric, if the pages have it.
    pub fn figure(&self, figure: Figure) -> Option<Estimate> {
        self.figures.get(&figure).copied()
    }
}

/// Column sums over some rows.
fn sums(rows: &[f64], width: usize, places: impl Iterator<Item = usize>) -> Vec<f64> {
    let mut sums = vec![0.0; width];
    for place in places {
        let row = &rows[place * width..(place + 1) * width];
        sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    sums
}

/// The confidence interval of each metric.
fn bootstrap(rows: &[f64], width: usize, pages: usize) -> Vec<(f64, f64)> {
    let mut chance = Chance::new();
    let mut values: Vec<Vec<f64>> = vec![Vec::with_capacity(SAMPLES); width / 2];
    for _ in 0..SAMPLES {
        let drawn = sums(rows, width, (0..pages).map(|_| chance.below(pages)));
        for (values, pair) in values.iter_mut().zip(drawn.chunks_exact(2)) {
            // A resample without any page that has the metric gives no value.
            values.extend(quotient(pair[0], pair[1]));
        }
    }
    values.into_iter().map(interval).collect()
}

/// How pages are grouped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The page type.
    PageType,
    /// The language.
    Lang,
    /// The site.
    Site,
    /// The content management system.
    Engine,
}

impl By {
    /// All of them.
    pub const ALL: [By; 4] = [By::PageType, By::Lang, By::Site, By::Engine];

    /// The name of the field in `truth.jsonl`.
    pub fn name(self) -> &'static str {
        match self {
            By::PageType => "page_type",
            By::Lang => "lang",
            By::Site => "site",
            By::Engine => "engine",
        }
    }

    /// The group of a page, `unknown` by default.
    pub fn group(self, truth: &Truth) -> &str {
        let group = match self {
            By::PageType => &truth.page_type,
            By::Lang => &truth.lang,
            By::Site => &truth.site,
            By::Engine => &truth.engine,
        };
        group.as_deref().filter(|group| !group.is_empty()).unwrap_or("unknown")
    }
}

/// An unknown grouping.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("pages cannot be grouped by {name:?}, only by {}", By::ALL.map(By::name).join(", "))]
pub struct UnknownBy {
    /// The unknown name.
    pub name: String,
}

impl FromStr for By {
    type Err = UnknownBy;

    fn from_str(name: &str) -> Result<By, UnknownBy> {
        By::ALL.into_iter().find(|by| by.name() == name).ok_or_else(|| UnknownBy { name: name.to_owned() })
    }
}

impl ToolResult {
    /// The metrics over all pages of the set.
    pub fn summary(&self) -> Summary {
        Summary::of(self.scores.iter())
    }
}

impl SetResult {
    /// The metric that ranks tools and pages: token F1, or segment F1 if no truth has a text.
    pub fn main_figure(&self) -> Figure {
        let truths = || self.set.truths.iter();
        let segments = truths().any(Truth::has_segments) && !truths().any(Truth::has_text);
        if segments { Figure::SegmentF1 } else { Figure::TokenF1 }
    }

    /// The groups of the set's pages with their indices, largest first.
    pub fn groups(&self, by: By) -> Vec<(String, Vec<usize>)> {
        let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, truth) in self.set.truths.iter().enumerate() {
            groups.entry(by.group(truth)).or_default().push(place);
        }
        let mut groups: Vec<(String, Vec<usize>)> =
            groups.into_iter().map(|(group, places)| (group.to_owned(), places)).collect();
        groups.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
        groups
    }

    /// The metrics of a tool over some pages of the set.
    pub fn summary_of(&self, tool: &ToolResult, places: &[usize]) -> Summary {
        Summary::of(places.iter().filter_map(|place| tool.scores.get(*place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overlap::Overlap;

    fn days(list: &[bool]) -> Vec<PageScore> {
        list.iter().map(|day| PageScore { date: Some(*day), ..PageScore::default() }).collect()
    }

    #[test]
    fn the_interval_of_a_share_is_about_two_standard_errors() {
        let pages = days(&[[true; 50], [false; 50]].concat());
        let estimate = Summary::of(pages.iter()).figure(Figure::SameDay).unwrap();
        assert_eq!(estimate.value, 0.5);
        assert!((estimate.low - 0.40).abs() <= 0.02 && (estimate.high - 0.60).abs() <= 0.02, "{estimate:?}");
    }

    #[test]
    fn pages_without_the_metric_do_not_count() {
        let mut pages = days(&[true, false]);
        pages.extend(vec![PageScore::default(); 8]);
        let summary = Summary::of(pages.iter());
        assert_eq!((summary.pages, summary.text_pages), (10, 0));
        assert_eq!(summary.figure(Figure::SameDay).unwrap().value, 0.5);
        assert_eq!(summary.figure(Figure::TokenF1), None);
    }

    #[test]
    fn a_zero_denominator_gives_no_value() {
        // No leaf tags were found, so precision is undefined.
        let tags = Overlap { common: 0, found: 0, wanted: 4 };
        let pages = vec![PageScore { leaf_tags: Some(tags), ..PageScore::default() }; 2];
        let summary = Summary::of(pages.iter());
        assert_eq!(summary.figure(Figure::LeafTagPrecision), None);
        assert_eq!(summary.figure(Figure::LeafTagRecall).unwrap().value, 0.0);
    }

    #[test]
    fn no_pages() {
        assert_eq!(Summary::of([].iter()), Summary::default());
    }
}
