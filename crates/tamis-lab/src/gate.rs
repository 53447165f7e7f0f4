//! The quality gate: figures on a fixed sample of every set, by models that have not seen the sites.

use std::collections::BTreeMap;
use std::sync::Arc;

use tamis::classify::Model;
use tamis::document::Document;
use tamis::{Extractor, Input};

use crate::posts::{Post, PostScore};
use crate::segments::SegmentCounts;
use crate::set::{Set, Truth};
use crate::train::{fold_of, segment_counts, segment_f, token_overlap};
use crate::{author, date, parallel, title};

/// Pages of a set that are measured.
const PAGES: usize = 30;

/// Figures by set and name, from 0 to 1.
pub type Figures = BTreeMap<(String, &'static str), f64>;

/// Measures a sample of each set, or all of its pages. `models` are the models without each fold.
pub fn measure(sets: &[Set], models: &[Model], threads: usize, all_pages: bool) -> Figures {
    let extractors: Vec<Extractor> =
        models.iter().map(|model| Extractor::builder().model(Arc::new(model.clone())).build()).collect();
    let mut figures = Figures::new();
    for set in sets.iter().filter(|set| set.has_pages) {
        let step = if all_pages { 1 } else { set.truths.len().div_ceil(PAGES).max(1) };
        let sample: Vec<&Truth> = set.truths.iter().step_by(step).collect();
        let pages = parallel::map(&sample, threads, |_, truth| {
            let document = document(set, truth, &extractors[fold_of(truth, extractors.len())]);
            let entries: Vec<String> =
                document.entries.iter().map(|entry| format!("{}\n{}", entry.title, entry.text)).collect();
            let segments = segment_counts(truth, &document.text);
            let in_entries = segments.filter(|_| truth.page_type.as_deref() == Some("listing"));
            let in_entries = in_entries.and_then(|_| segment_counts(truth, &entries.join("\n")));
            (page_figures(truth, &document), segments, in_entries)
        });
        let mut sums: BTreeMap<&'static str, (f64, f64)> = BTreeMap::new();
        for (name, value) in pages.iter().flat_map(|(figures, ..)| figures) {
            let sum = sums.entry(name).or_default();
            *sum = (sum.0 + value, sum.1 + 1.0);
        }
        for (name, (sum, count)) in sums {
            figures.insert((set.name.clone(), name), sum / count);
        }
        let segments: Vec<SegmentCounts> = pages.iter().filter_map(|page| page.1).collect();
        if !segments.is_empty() {
            let mut add = |name, value| figures.insert((set.name.clone(), name), value);
            add("segments", segment_f(segments.iter().copied()));
            add("segments found", share(&segments, |counts| (counts.present, counts.missing)));
            add("noise left out", share(&segments, |counts| (counts.absent, counts.intruding)));
            let in_entries: Vec<SegmentCounts> = pages.iter().filter_map(|page| page.2).collect();
            if !in_entries.is_empty() {
                add("entries found", share(&in_entries, |counts| (counts.present, counts.missing)));
            }
        }
    }
    figures
}

/// The share of the first of two counts, over all pages.
fn share(pages: &[SegmentCounts], counts: impl Fn(&SegmentCounts) -> (usize, usize)) -> f64 {
    let sum = pages.iter().map(counts).fold((0, 0), |sum, page| (sum.0 + page.0, sum.1 + page.1));
    sum.0 as f64 / (sum.0 + sum.1).max(1) as f64
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
        add("author", author::all_right(&metadata.authors, wanted));
    }
    if let Some(wanted) = truth.page_type.as_deref().filter(|name| *name != "unknown") {
        let wanted = truth.subtype.as_deref().filter(|name| *name == "documentation").unwrap_or(wanted);
        add("page type", Some(document.page_type.name() == wanted));
    }
    figures.extend(
        token_overlap(truth, metadata.title.as_deref().unwrap_or_default(), &document.text)
            .map(|overlap| ("text", overlap.f1())),
    );
    let posts: Vec<Post> = document.posts.iter().cloned().map(Post::from).collect();
    if let Some(score) = PostScore::of(&posts, &truth.posts) {
        figures.push(("posts", score.texts.f1()));
        figures.extend(score.authors.map(|share| ("post authors", share)));
        figures.extend(score.times.map(|share| ("post times", share)));
    }
    if let Some(markdown) = &truth.markdown {
        let found = document.to_markdown();
        for (name, part) in
            [("code kept", Part::Code), ("tables kept", Part::Table), ("formulas kept", Part::Formula)]
        {
            let wanted = Truth { text: Some(part.of(markdown)), ..Truth::default() };
            let overlap = token_overlap(&wanted, "", &part.of(&found));
            figures.extend(overlap.map(|overlap| (name, overlap.recall())));
        }
    }
    figures
}

/// Parts of Markdown.
#[derive(Clone, Copy)]
enum Part {
    Code,
    Table,
    Formula,
}

impl Part {
    /// The text of this part of some Markdown.
    fn of(self, markdown: &str) -> String {
        let between = |mark: &str| markdown.split(mark).skip(1).step_by(2).collect::<Vec<_>>().join("\n");
        match self {
            Part::Code => between("```"),
            Part::Table => {
                let rows = markdown.lines().filter(|line| line.trim_start().starts_with('|'));
                rows.collect::<Vec<_>>().join("\n")
            }
            Part::Formula => between("$$"),
        }
    }
}
