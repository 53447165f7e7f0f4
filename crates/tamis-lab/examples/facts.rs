//! How well the facts of pages agree with the truths of sets: titles, days, authors, each with how many pages got an
//! answer. `--misses` names the pages with another answer than the truth's.
//!
//! `cargo run --release -p tamis-lab --example facts -- [--misses] SET...`, a set being a folder with `truth.jsonl`.

#![allow(clippy::print_stdout, reason = "an example shows its result")]

use std::error::Error;
use std::path::Path;

use tamis::Extractor;
use tamis_lab::{Set, TitleScore, author, date};

/// Pages with an answer, with the truth's answer, and with a truth.
#[derive(Default)]
struct Count {
    given: usize,
    right: usize,
    all: usize,
}

impl Count {
    fn add(&mut self, given: bool, right: bool) {
        self.all += 1;
        self.given += usize::from(given);
        self.right += usize::from(right);
    }

    /// The share of `right` in so many, in per cent.
    fn share(&self, of: usize) -> f64 {
        100.0 * self.right as f64 / of.max(1) as f64
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (flags, sets): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|it| it == "--misses");
    for folder in sets {
        let set = Set::open(Path::new(&folder))?;
        let (mut title, mut day, mut authors) = (Count::default(), Count::default(), Count::default());
        for truth in &set.truths {
            let bytes = set.page(truth)?;
            let decoded = tamis_html::decode::decode(&bytes, None);
            let extractor = truth.url.iter().fold(Extractor::new(), |extractor, url| extractor.url(url));
            let document = extractor.extract(&decoded.text);
            let mut missed = Vec::new();
            let titles = truth.title.as_deref();
            if let Some(score) = titles.and_then(|wanted| TitleScore::of(document.title.as_deref(), wanted)) {
                title.add(document.title.is_some(), score.equal);
                missed.extend((!score.equal).then_some("title"));
            }
            let days = truth.date.as_deref();
            let found = document.published.as_deref();
            if let Some(same) = days.and_then(|wanted| date::same_day(found, wanted)) {
                day.add(found.is_some(), same);
                missed.extend((!same).then_some("date"));
            }
            if let Some(wanted) = truth.author.as_deref() {
                let right = author::all_right(&document.authors, wanted);
                authors.add(right.is_some(), right == Some(true));
                missed.extend((right == Some(false)).then_some("author"));
            }
            if !flags.is_empty() && !missed.is_empty() {
                println!("{}: {}", truth.id, missed.join(", "));
            }
        }
        println!(
            "{}: title {:.1} % of {}; date {:.1} % of {}, {} answered; author {:.1} % right of {} given, {} have one",
            set.name,
            title.share(title.all),
            title.all,
            day.share(day.all),
            day.all,
            day.given,
            authors.share(authors.given),
            authors.given,
            authors.all,
        );
    }
    Ok(())
}
