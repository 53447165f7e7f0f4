//! Figures of predictions on held-out sites.

use std::collections::HashMap;

use crate::headline;
use crate::overlap::Overlap;
use crate::segments::{SegmentCounts, SegmentScore};
use crate::set::Truth;
use crate::tokens::{normal, tokens};

/// The token overlap of an output with the truth's text, with the headline `title` stripped on both sides; none without a
/// text.
pub fn token_overlap(truth: &Truth, title: &str, text: &str) -> Option<Overlap> {
    let reference = truth.text.as_deref().filter(|_| truth.has_text())?;
    let stripped = |text| normal(headline::stripped(text, title));
    let (reference, text) = (stripped(reference), stripped(text));
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let (mut wanted, mut found, mut common) = (0, 0, 0);
    for token in tokens(&reference) {
        *counts.entry(token).or_default() += 1;
        wanted += 1;
    }
    for token in tokens(&text) {
        found += 1;
        if let Some(left) = counts.get_mut(token).filter(|left| **left > 0) {
            *left -= 1;
            common += 1;
        }
    }
    Some(Overlap { common, found, wanted })
}

/// A page as predicted by a model that has not seen its site.
#[derive(Clone, Debug, Default)]
pub struct PageResult {
    /// The name of its set.
    pub set: String,
    /// Its id in the set.
    pub id: String,
    /// The truth's title, else that of the page.
    pub title: String,
    /// The type that the truth says; documentation apart from the other pages.
    pub page_type: Option<String>,
    /// Tokens of the true text without its headline; 0 if the truth has none.
    pub true_tokens: usize,
    /// The text of the kept blocks.
    pub text: String,
    /// Token F1, if the truth has a text.
    pub f1: Option<f64>,
    /// Token F1 of the blocks labelled main text: what the best choice of blocks reaches.
    pub oracle_f1: Option<f64>,
    /// Share of the truth's text that the page has.
    pub coverage: f32,
    /// Segments found and missed, if the truth has segments only.
    pub segments: Option<SegmentCounts>,
    /// Expected F1 before calibration.
    pub expected_f1: f32,
    /// Predicted page type.
    pub predicted_type: &'static str,
}

/// The figure of a group of pages: mean token F1, or the F of all segments where no page has a text.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// The group.
    pub name: String,
    /// Number of pages that count.
    pub pages: usize,
    /// From 0 to 1.
    pub f: f64,
}

/// Figures of groups of pages, by name. `group` names the group of a page.
pub fn figures(pages: &[PageResult], group: impl Fn(&PageResult) -> Option<&str>) -> Vec<Figure> {
    let mut groups: Vec<(&str, Vec<&PageResult>)> = Vec::new();
    for page in pages {
        let Some(name) = group(page) else { continue };
        match groups.iter_mut().find(|group| group.0 == name) {
            Some((_, pages)) => pages.push(page),
            None => groups.push((name, vec![page])),
        }
    }
    groups.sort_by_key(|group| group.0);
    let figure = |(name, pages): &(&str, Vec<&PageResult>)| {
        let texts: Vec<f64> = pages.iter().filter_map(|page| page.f1).collect();
        let (pages, f) = if texts.is_empty() {
            (pages.len(), segment_f(pages.iter().filter_map(|page| page.segments)))
        } else {
            (texts.len(), texts.iter().sum::<f64>() / texts.len() as f64)
        };
        Figure { name: (*name).to_owned(), pages, f }
    };
    groups.iter().map(figure).collect()
}

/// F of segments over all pages.
pub fn segment_f(pages: impl Iterator<Item = SegmentCounts>) -> f64 {
    let (present, wrong) =
        pages.fold((0, 0), |sum, page| (sum.0 + page.present, sum.1 + page.intruding + page.missing));
    2.0 * present as f64 / ((2 * present + wrong) as f64).max(1.0)
}

/// Segment counts of an output, if the truth has segments and no text.
pub fn segment_counts(truth: &Truth, text: &str) -> Option<SegmentCounts> {
    let counts = !truth.has_text() && truth.has_segments();
    counts.then(|| SegmentScore::of(text, &truth.with, &truth.without).exact)
}

/// Whether the truth probably contradicts the page: little of it is there, or no held-out model finds what blocks have.
pub(super) fn is_suspect(page: &PageResult) -> bool {
    let fails = page.f1.is_some_and(|f1| f1 < 0.3);
    page.coverage < 0.5 || (fails && page.oracle_f1.is_some_and(|oracle| oracle > 0.7))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_headline_is_stripped_on_both_sides() {
        let truth = Truth { text: Some("Rain at last\nIt rained here".into()), ..Truth::default() };
        let overlap = token_overlap(&truth, "Rain at last - Gazette", "It rained there").unwrap();
        assert_eq!(overlap, Overlap { common: 2, found: 3, wanted: 3 });
        assert!(token_overlap(&Truth::default(), "", "x").is_none());
    }

    #[test]
    fn sets_without_texts_are_scored_by_segments() {
        let page =
            |set: &str, f1, segments| PageResult { set: set.into(), f1, segments, ..Default::default() };
        let counts = SegmentCounts { present: 2, missing: 1, intruding: 1, absent: 0 };
        let pages = [page("b", None, Some(counts)), page("a", Some(0.5), None), page("a", Some(1.0), None)];
        let figures = figures(&pages, |page| Some(&page.set));
        assert_eq!((figures[0].pages, figures[0].f), (2, 0.75));
        assert_eq!((figures[1].pages, figures[1].f), (1, 4.0 / 6.0));
    }
}
