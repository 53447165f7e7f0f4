//! How well the facts of pages agree with the truths of sets: titles, days, authors, languages, each with how many pages got an
//! answer. `--misses` names the pages with another answer than the truth's or none, and shows both.
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

/// The language of a tag, without its region.
fn base(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or(tag)
}

/// What was wanted and what was found instead.
fn miss(fact: &str, wanted: Option<&str>, found: Option<&str>) -> String {
    format!("{fact}: wanted {}, found {}", wanted.unwrap_or("-"), found.unwrap_or("-"))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (flags, sets): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|it| it == "--misses");
    for folder in sets {
        let set = Set::open(Path::new(&folder))?;
        let (mut title, mut day, mut authors) = (Count::default(), Count::default(), Count::default());
        let mut languages = Count::default();
        for truth in &set.truths {
            let bytes = set.page(truth)?;
            let decoded = tamis_html::decode::decode(&bytes, None);
            let extractor = truth.url.iter().fold(Extractor::new(), |extractor, url| extractor.url(url));
            let document = extractor.extract(&decoded.text);
            let mut missed = Vec::new();
            let titles = truth.title.as_deref();
            if let Some(score) = titles.and_then(|wanted| TitleScore::of(document.title.as_deref(), wanted)) {
                title.add(document.title.is_some(), score.equal);
                missed.extend((!score.equal).then(|| miss("title", titles, document.title.as_deref())));
            }
            let days = truth.date.as_deref();
            let found = document.published.as_deref();
            if let Some(same) = days.and_then(|wanted| date::same_day(found, wanted)) {
                day.add(found.is_some(), same);
                missed.extend((!same).then(|| miss("date", days, found)));
            }
            if let Some(wanted) = truth.author.as_deref() {
                let right = author::all_right(&document.authors, wanted);
                authors.add(right.is_some(), right == Some(true));
                let found = document.authors.join("; ");
                missed.extend((right != Some(true)).then(|| miss("author", Some(wanted), Some(&found))));
            }
            if let Some(wanted) = truth.lang.as_deref() {
                let found = document.language.as_deref();
                let right = found.is_some_and(|found| base(found) == base(wanted));
                languages.add(found.is_some(), right);
                missed.extend((!right).then(|| miss("language", Some(wanted), found)));
            }
            if !flags.is_empty() {
                missed.iter().for_each(|miss| println!("{}: {miss}", truth.id));
            }
        }
        println!(
            "{}: title {:.1} % of {}; date {:.1} % of {}, {} answered; author {:.1} % right of {} given, {} have one; \
             language {:.1} % of {}",
            set.name,
            title.share(title.all),
            title.all,
            day.share(day.all),
            day.all,
            day.given,
            authors.share(authors.given),
            authors.given,
            authors.all,
            languages.share(languages.all),
            languages.all,
        );
    }
    Ok(())
}
