//! How well the facts of pages agree with the truths of sets: titles, days, authors, languages, each with how many pages got an
//! answer, and how many misses are the truth's fault: titles that are the true one without the site's name, days that are nowhere on
//! the page, days of a change. `--misses` names the pages with another answer than the truth's or none, shows both, and says which
//! of these it is.
//!
//! `cargo run --release -p tamis-lab --example facts -- [--misses] [--fetched DATE] SET...`, a set being a folder with `truth.jsonl`.
//! `--fetched` says when the pages were fetched, as crawls do: the answers are then compared with those without it as well.

#![allow(clippy::print_stdout, reason = "an example shows its result")]

use std::error::Error;
use std::path::Path;

use tamis::Extractor;
use tamis::facts::Field;
use tamis::facts::dates::Moment;
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

/// What the time of the fetch changed, on all pages of a set, those without a true day too.
#[derive(Default)]
struct Changes {
    changed: usize,
    lost: usize,
    won: usize,
    /// Pages without a true day that have one only with the time of the fetch.
    added: usize,
}

/// What is asked for.
#[derive(Default)]
struct Asked {
    misses: bool,
    fetched: Option<Moment>,
    sets: Vec<String>,
}

fn asked(arguments: impl Iterator<Item = String>) -> Result<Asked, Box<dyn Error>> {
    let mut asked = Asked::default();
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--misses" => asked.misses = true,
            "--fetched" => {
                let said = arguments.next().ok_or("--fetched takes a day or a time")?;
                let moment = Moment::read(&said).ok_or_else(|| format!("{said:?} is no day and no time"))?;
                asked.fetched = Some(moment);
            }
            _ => asked.sets.push(argument),
        }
    }
    Ok(asked)
}

fn main() -> Result<(), Box<dyn Error>> {
    let asked = asked(std::env::args().skip(1))?;
    for folder in asked.sets {
        let set = Set::open(Path::new(&folder))?;
        let (mut title, mut day, mut authors) = (Count::default(), Count::default(), Count::default());
        let mut languages = Count::default();
        let mut faults = Faults::default();
        let mut changes = Changes::default();
        for truth in &set.truths {
            let bytes = set.page(truth)?;
            let decoded = tamis_html::decode::decode(&bytes, None);
            let plain = truth.url.iter().fold(Extractor::new(), |extractor, url| extractor.url(url));
            let extractor = asked.fetched.iter().fold(plain.clone(), |extractor, at| extractor.fetched(*at));
            let document = extractor.extract(&decoded.text);
            let mut missed = Vec::new();
            if asked.fetched.is_some() {
                let before = plain.extract(&decoded.text).published;
                let (day, other) = (document.published.as_deref(), before.as_deref());
                let right = |found| truth.date.as_deref().and_then(|wanted| date::same_day(found, wanted));
                if day != other {
                    changes.changed += 1;
                    changes.lost += usize::from(right(other) == Some(true) && right(day) != Some(true));
                    changes.won += usize::from(right(other) == Some(false) && right(day) == Some(true));
                    changes.added += usize::from(right(day).is_none() && other.is_none());
                    missed.push(miss("without the fetch", other, day, ""));
                }
            }
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
            // Some truths have an empty author: nobody looked, or there is none.
            if let Some(wanted) = truth.author.as_deref().filter(|wanted| !wanted.trim().is_empty()) {
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
            if asked.misses {
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
        if let Some(fetched) = asked.fetched {
            println!(
                "{}, fetched {fetched}: {} of {} pages have another day than without, {} right ones lost, {} won, {} more pages without a \
                 true day have one",
                set.name,
                changes.changed,
                set.truths.len(),
                changes.lost,
                changes.won,
                changes.added,
            );
        }
    }
    Ok(())
}
