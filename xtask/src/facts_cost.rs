//! `cargo xtask facts-cost`: which share of an extraction the facts of a page take.
//!
//! Instructions, counted by valgrind's callgrind, do not depend on what else the machine does. Callgrind writes down what every call
//! took with all that it called; the facts are what `tamis::facts::fill` took, inside of whole extractions.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::bench;
use crate::peers::sample::Sample;
use crate::step::{Step, target, unwritable};

/// How many pages of a set are taken, and how large one may be: callgrind is fifty times slower than the machine.
const PAGES: usize = 5;
const LARGEST: u64 = 3_000_000;

/// The function that is all of an extraction, in the example that is run; and the one that is the facts.
const WHOLE: &str = "facts_cost::extract_counted";
const FACTS: &str = "tamis::facts::fill";

const HELP: &str = "\
Counts the instructions of extractions, and those that the facts of the pages take of them (needs valgrind).

Usage: cargo xtask facts-cost [OPTIONS] [SET...]

  SET             an evaluation set (default: all of them)
  --pages N       so many pages of each set, at even steps (default: 5)
  --fetched DATE  the pages were fetched then: \"3 hours ago\" and days without a year are read too
";

/// What the pages of a set took.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Cost {
    pages: usize,
    whole: u64,
    facts: u64,
}

impl Cost {
    fn and(self, other: Cost) -> Cost {
        Cost {
            pages: self.pages + other.pages,
            whole: self.whole + other.whole,
            facts: self.facts + other.facts,
        }
    }

    /// A line of the table.
    fn line(self, name: &str) -> String {
        let million = |count: u64| count as f64 / 1e6;
        let share = 100.0 * self.facts as f64 / self.whole.max(1) as f64;
        format!(
            "{name:<30} {:>5} {:>12.1} {:>10.1} {share:>8.1} %",
            self.pages,
            million(self.whole),
            million(self.facts)
        )
    }
}

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let Some(Asked { sets, pages, fetched }) = asked(arguments)? else {
        print!("{HELP}");
        return Ok(());
    };
    bench::has_valgrind()?;
    let sets = if sets.is_empty() { tamis_testdata::sets() } else { sets };
    // Asks for all sets at once, so that an unknown one is named before anything is counted.
    Sample::take(Some(&sets), 1, LARGEST)?;
    Step::cargo("the extraction that is counted", "build --release -p tamis-lab --example facts_cost")
        .run()?;
    println!("\n{:<30} {:>5} {:>12} {:>10} {:>10}", "million instructions", "pages", "all", "facts", "share");
    let mut all = Cost::default();
    for set in &sets {
        let cost = of_set(set, pages, fetched.as_deref())?;
        println!("{}", cost.line(set));
        all = all.and(cost);
    }
    println!("{}", all.line("all"));
    Ok(())
}

/// The sets, how many pages of each, and when these were fetched.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Asked {
    sets: Vec<String>,
    pages: usize,
    fetched: Option<String>,
}

/// What is asked for; nothing where that is help.
fn asked(arguments: &[String]) -> Result<Option<Asked>, String> {
    let mut asked = Asked { sets: Vec::new(), pages: PAGES, fetched: None };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "-h" | "--help" | "help" => return Ok(None),
            "--pages" => {
                let count = rest.next().and_then(|count| count.parse().ok()).filter(|count| *count > 0);
                asked.pages = count.ok_or_else(|| format!("--pages takes a number above 0\n\n{HELP}"))?;
            }
            "--fetched" => {
                let day = rest.next().filter(|day| day.starts_with(|c: char| c.is_ascii_digit()));
                let day =
                    day.ok_or_else(|| format!("--fetched takes a day, such as 2026-03-20\n\n{HELP}"))?;
                asked.fetched = Some(day.clone());
            }
            flag if flag.starts_with('-') => return Err(format!("there is no flag {flag}\n\n{HELP}")),
            set => asked.sets.push(set.to_owned()),
        }
    }
    Ok(Some(asked))
}

/// Extracts pages of a set under callgrind.
fn of_set(set: &str, pages: usize, fetched: Option<&str>) -> Result<Cost, String> {
    let sample = Sample::take(Some(&[set.to_owned()]), pages, LARGEST)?;
    let folder = target().join("facts-cost");
    fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, error))?;
    let (list, counts) = (folder.join(format!("{set}.txt")), folder.join(format!("{set}.callgrind")));
    fs::write(&list, sample.list()).map_err(|error| unwritable(&list, error))?;
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--compress-strings=no", "--compress-pos=no"])
        .arg(format!("--toggle-collect={WHOLE}"))
        .arg(format!("--callgrind-out-file={}", counts.display()))
        .arg(target().join("release/examples/facts_cost"))
        .arg(&list)
        .args(fetched)
        .output()
        .map_err(|error| format!("valgrind could not be started: {error}"))?;
    if !run.status.success() {
        return Err(format!(
            "the pages of {set} could not be counted:\n{}",
            String::from_utf8_lossy(&run.stderr)
        ));
    }
    let (whole, facts) = counted(&counts)?;
    Ok(Cost { pages: sample.pages.len(), whole, facts })
}

/// What callgrind counted in all, and for the facts.
fn counted(path: &Path) -> Result<(u64, u64), String> {
    let said =
        fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    match read(&said) {
        (Some(whole), Some(facts)) => Ok((whole, facts)),
        _ => Err(format!("{} has no count of {WHOLE} and {FACTS}: were they renamed?", path.display())),
    }
}

/// The same from the text of the file: nothing where there is none. A call is told by the name of who is called, a line with how often,
/// and a line that ends with what it took.
fn read(said: &str) -> (Option<u64>, Option<u64>) {
    let (mut whole, mut facts) = (None, None);
    let mut is_facts = false;
    let mut lines = said.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("cfn=") {
            // Behind the name stands what tells copies of a function apart, in some builds.
            is_facts = name
                .strip_prefix(FACTS)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
        } else if line.starts_with("calls=") {
            let took = lines.next().and_then(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
            if let Some(took) = took.filter(|_| is_facts) {
                facts = Some(facts.unwrap_or(0) + took);
            }
        } else if let Some(total) = line.strip_prefix("summary:").or_else(|| line.strip_prefix("totals:")) {
            whole = total.trim().parse().ok().filter(|total| *total > 0).or(whole);
        }
    }
    (whole, facts)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "events: Ir\nfn=tamis::extract::Extractor::document\n12 40\ncfi=facts.rs\n\
        cfn=tamis::facts::fill\ncalls=2 59\n12 300\ncfn=tamis::facts::fill_all\ncalls=1 7\n13 5000\n13 7\n\
        fn=other\ncfn=tamis::facts::fill\ncalls=1 59\n9 11\n\ntotals: 9000\n";

    #[test]
    fn facts_are_what_all_calls_of_them_took() {
        assert_eq!(read(SAID), (Some(9000), Some(311)));
        assert_eq!(read("events: Ir\nsummary: 0\ntotals: 0\n"), (None, None));
    }

    #[test]
    fn a_line_has_the_share() {
        let cost = Cost { pages: 2, whole: 40_000_000, facts: 6_000_000 };
        let line = cost.and(Cost::default()).line("gne");
        assert_eq!(line.split_whitespace().collect::<Vec<_>>(), ["gne", "2", "40.0", "6.0", "15.0", "%"]);
    }

    #[test]
    fn sets_and_pages_are_asked_for() {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let some = |sets: &str, pages, fetched: Option<&str>| {
            Ok(Some(Asked { sets: words(sets), pages, fetched: fetched.map(str::to_owned) }))
        };
        assert_eq!(asked(&words("")), some("", PAGES, None));
        assert_eq!(asked(&words("gne --pages 3 wcxb")), some("gne wcxb", 3, None));
        assert_eq!(asked(&words("--fetched 2026-03-20 gne")), some("gne", PAGES, Some("2026-03-20")));
        assert!(asked(&words("--fetched gne")).is_err());
        assert_eq!(asked(&words("--help")), Ok(None));
        assert!(asked(&words("--pages 0")).is_err() && asked(&words("--set gne")).is_err());
    }
}
