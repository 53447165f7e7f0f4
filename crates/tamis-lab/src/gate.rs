//! The quality gate: figures on a fixed sample of every set, by models that have not seen the sites.

use std::collections::BTreeMap;
use std::sync::Arc;

use tamis::classify::Model;
use tamis::document::Document;
use tamis::{Extractor, Input};

use crate::overlap::Overlap;
use crate::set::{Set, Truth};
use crate::train::{fold_of, segment_counts, segment_f, token_overlap};
use crate::{author, date, parallel, title};

/// Pages of a set that are measured.
const PAGES: usize = 30;
/// Token F1 from which a post counts as found.
const SAME_POST: f64 = 0.8;

/// Figures by set and name, from 0 to 1.
pub type Figures = BTreeMap<(String, &'static str), f64>;

/// Measures a sample of each set. `models` are the models without each fold.
pub fn measure(sets: &[Set], models: &[Model], threads: usize) -> Figures {
    let extractors: Vec<Extractor> =
        models.iter().map(|model| Extractor::builder().model(Arc::new(model.clone())).build()).collect();
    let mut figures = Figures::new();
    for set in sets.iter().filter(|set| set.has_pages) {
        let step = set.truths.len().div_ceil(PAGES).max(1);
        let sample: Vec<&Truth> = set.truths.iter().step_by(step).collect();
        let pages = parallel::map(&sample, threads, |_, truth| {
            let document = document(set, truth, &extractors[fold_of(truth, extractors.len())]);
            (page_figures(truth, &document), segment_counts(truth, &document.text))
        });
        let mut sums: BTreeMap<&'static str, (f64, f64)> = BTreeMap::new();
        for (name, value) in pages.iter().flat_map(|(figures, _)| figures) {
            let sum = sums.entry(name).or_default();
            *sum = (sum.0 + value, sum.1 + 1.0);
        }
        for (name, (sum, count)) in sums {
            figures.insert((set.name.clone(), name), sum / count);
        }
        if pages.iter().any(|(_, segments)| segments.is_some()) {
            let counts = pages.iter().filter_map(|(_, segments)| *segments);
            figures.insert((set.name.clone(), "segments"), segment_f(counts));
        }
    }
    figures
}

fn document(set: &Set, truth: &Truth, extractor: &Extractor) -> Document {
    let bytes = set.page(truth).unwrap_or_default();
    let input = Input::bytes(&bytes);
    extractor.extract(truth.url.as_deref().map_or(input, |url| input.url(url))).unwrap_or_default()
}

/// The figures of a page, as far as its truth knows them. No date or author counts as wrong.
fn page_figures(truth: &Truth, document: &Document) -> Vec<(&'static str, f64)> {
    let mut figures = Vec::new();
    let metadata = &document.metadata;
    let mut add =
        |name, value: Option<bool>| figures.extend(value.map(|right| (name, f64::from(u8::from(right)))));
    if let Some(wanted) = &truth.title {
        let score = title::TitleScore::of(metadata.title.as_deref(), wanted);
        add("title", score.map(|score| score.equal));
    }
    if let Some(wanted) = &truth.date {
        let found = metadata.published.map(|moment| moment.to_string());
        add("date", Some(date::same_day(found.as_deref(), wanted) == Some(true)));
    }
    if let Some(wanted) = &truth.author {
        add("author", Some(author::all_right(&metadata.authors, wanted) == Some(true)));
    }
    if let Some(wanted) = truth.page_type.as_deref().filter(|name| *name != "unknown") {
        let wanted = truth.subtype.as_deref().filter(|name| *name == "documentation").unwrap_or(wanted);
        add("page type", Some(document.page_type.name() == wanted));
    }
    figures.extend(
        token_overlap(truth, metadata.title.as_deref().unwrap_or_default(), &document.text)
            .map(|overlap| ("text", overlap.f1())),
    );
    if !truth.posts.is_empty() {
        figures.push(("posts", posts(truth, document)));
    }
    figures
}

/// F1 of posts: a post is found if a post of the document says the same.
fn posts(truth: &Truth, document: &Document) -> f64 {
    let mut left: Vec<&str> = document.posts.iter().map(|post| post.text.as_str()).collect();
    let (found, wanted) = (left.len(), truth.posts.len());
    let mut common = 0;
    for post in &truth.posts {
        let wanted = Truth { text: Some(post.clone()), ..Truth::default() };
        let same =
            |text: &&str| token_overlap(&wanted, "", text).is_some_and(|overlap| overlap.f1() >= SAME_POST);
        if let Some(place) = left.iter().position(same) {
            left.remove(place);
            common += 1;
        }
    }
    Overlap { common, found, wanted }.f1()
}
