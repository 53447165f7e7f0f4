//! How well the facts of pages agree with the truths of sets: titles, days, authors, languages, each with how many pages got an
//! answer, and how many misses are the truth's fault: titles that are the true one without the site's name, days that are nowhere on
//! the page, days of a change. `--misses` names the pages with another answer than the truth's or none, shows both, and says which
//! of these it is.
//!
//! `cargo run --release -p tamis-lab --example facts -- [--misses] SET...`, a set being a folder with `truth.jsonl`.

#![allow(clippy::print_stdout, reason = "an example shows its result")]

use std::error::Error;
use std::path::Path;

use tamis::Extractor;
use tamis::facts::Field;
use tamis_lab::{Set, TitleScore, author, date, day_on_page, title};

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

    /// The share of right answers if those that can only be given by a fault of the truth did not count.
    fn share_without(&self, faults: usize) -> f64 {
        self.share(self.all - faults.min(self.all))
    }
}

/// The language of a tag, without its region.
fn base(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or(tag)
}

/// What was wanted and what was found instead.
fn miss(fact: &str, wanted: Option<&str>, found: Option<&str>, why: &str) -> String {
    let line = |text: Option<&str>| {
        text.map_or("-".to_owned(), |text| text.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let why = if why.is_empty() { String::new() } else { format!(" ({why})") };
    format!("{fact}: wanted {}, found {}{why}", line(wanted), line(found))
}

/// What is known of the misses of a set.
#[derive(Default)]
struct Faults {
    parts_of_titles: usize,
    days_nowhere: usize,
    days_of_changes: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let (flags, sets): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|it| it == "--misses");
    for folder in sets {
        let set = Set::open(Path::new(&folder))?;
        let (mut title, mut day, mut authors) = (Count::default(), Count::default(), Count::default());
        let mut languages = Count::default();
        let mut faults = Faults::default();
        for truth in &set.truths {
            let bytes = set.page(truth)?;
            let decoded = tamis_html::decode::decode(&bytes, None);
            let extractor = truth.url.iter().fold(Extractor::new(), |extractor, url| extractor.url(url));
            let document = extractor.extract(&decoded.text);
            let mut missed = Vec::new();
            let titles = truth.title.as_deref();
            if let Some(score) = titles.and_then(|wanted| TitleScore::of(document.title.as_deref(), wanted)) {
                let found = document.title.as_deref();
                title.add(found.is_some(), score.equal);
                if !score.equal {
                    let is_part = title::is_part(found.unwrap_or_default(), titles.unwrap_or_default());
                    faults.parts_of_titles += usize::from(is_part);
                    missed.push(miss(
                        "title",
                        titles,
                        found,
                        if is_part { "a part of the truth" } else { "" },
                    ));
                }
            }
            let days = truth.date.as_deref();
            let found = document.published.as_deref();
            if let Some(same) = days.and_then(|wanted| date::same_day(found, wanted)) {
                day.add(found.is_some(), same);
                if !same {
                    let wanted = days.and_then(date::day);
                    let source = format!("{} {}", truth.url.as_deref().unwrap_or_default(), decoded.text);
                    let page = extractor.page(&decoded.text);
                    let evidence = extractor.evidence(&page, &extractor.judge(&page));
                    let is_change = || evidence.of(Field::Modified).any(|it| date::day(&it.value) == wanted);
                    let why = match wanted {
                        Some(wanted) if !day_on_page::is_written(&source, wanted) => {
                            faults.days_nowhere += 1;
                            "nowhere on the page"
                        }
                        _ if is_change() => {
                            faults.days_of_changes += 1;
                            "the day of a change"
                        }
                        _ => "",
                    };
                    missed.push(miss("date", days, found, why));
                }
            }
            if let Some(wanted) = truth.author.as_deref() {
                let right = author::all_right(&document.authors, wanted);
                authors.add(right.is_some(), right == Some(true));
                let found = document.authors.join("; ");
                missed.extend((right != Some(true)).then(|| miss("author", Some(wanted), Some(&found), "")));
            }
            if let Some(wanted) = truth.lang.as_deref() {
                let found = document.language.as_deref();
                let right = found.is_some_and(|found| base(found) == base(wanted));
                languages.add(found.is_some(), right);
                missed.extend((!right).then(|| miss("language", Some(wanted), found, "")));
            }
            if !flags.is_empty() {
                missed.iter().for_each(|miss| println!("{}: {miss}", truth.id));
            }
        }
        println!(
            "{}: title {:.1} % of {}, {} more a part of the truth ({:.1} %); date {:.1} % of {}, {} answered, {} missed: {} nowhere on \
             the page, {} of a change ({:.1} % without these); author {:.1} % right of {} given, {} have one; language {:.1} % of {}",
            set.name,
            title.share(title.all),
            title.all,
            faults.parts_of_titles,
            100.0 * (title.right + faults.parts_of_titles) as f64 / title.all.max(1) as f64,
            day.share(day.all),
            day.all,
            day.given,
            day.all - day.right,
            faults.days_nowhere,
            faults.days_of_changes,
            day.share_without(faults.days_nowhere + faults.days_of_changes),
            authors.share(authors.given),
            authors.given,
            authors.all,
            languages.share(languages.all),
            languages.all,
        );
    }
    Ok(())
}
