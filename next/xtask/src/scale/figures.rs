//! The figures as Markdown, and what follows from them for a whole crawl.

use std::fmt::Write;

use super::batch::{Measured, Taken};
use crate::peers::{date, median};

/// Between these lines of `docs/scale.md` the figures stand.
const BEGIN: &str = "<!-- figures: cargo xtask bench-scale --write -->";
const END: &str = "<!-- end of figures -->";

/// Pages of one month of Common Crawl.
const MONTH: f64 = 2.5e9;

/// Dollars for an hour of one core: asked for at once, and as what is left over of others.
const PRICES: [f64; 2] = [0.04, 0.015];

/// The cores of the machines that the plan rents.
const CORES: f64 = 64.0;

/// Everything that was measured, with what it was measured by.
pub(crate) fn markdown(measured: &Measured, python: Option<&str>, arguments: &[String]) -> String {
    let pages = measured.pages;
    let rate = |runs: &[Taken]| pages / middle(runs, |run| run.wall);
    let (one, two, text) = (rate(&measured.one_core), rate(&measured.two_cores), rate(&measured.text_alone));
    let cpu = |runs: &[Taken]| middle(runs, |run| run.cpu) / pages * 1e3;
    let most = |runs: &[Taken]| runs.iter().map(|run| run.memory / 1e6).fold(0.0, f64::max);
    let ratios: Vec<f64> =
        measured.one_core.iter().zip(&measured.two_cores).map(|(one, two)| one.wall / two.wall).collect();
    let mut words = vec!["cargo xtask bench-scale"];
    words.extend(arguments.iter().map(String::as_str));
    let mut page = format!(
        "Measured by `{}` on {}, on an {} machine{}: {pages} pages of the evaluation sets in one archive of {:.0} MB, {} rounds with one \
         core and two in turns, medians.\n\n\
         | `tamis batch` | pages/s | times one core | seconds of the processor for 1,000 pages | memory at most, MB | bytes a row |\n\
         |---|---|---|---|---|---|\n",
        words.join(" "),
        date(),
        std::env::consts::ARCH,
        processor(),
        measured.packed / 1e6,
        measured.one_core.len(),
    );
    let mut row = |what: &str, runs: &[Taken], times: &str, rows: f64| {
        let _ = writeln!(
            page,
            "| {what} | {:.0} | {times} | {:.2} | {:.0} | {:.0} |",
            rate(runs),
            cpu(runs),
            most(runs),
            rows / pages
        );
    };
    row("one core, all columns", &measured.one_core, "1", measured.rows[0]);
    row("two cores, all columns", &measured.two_cores, &format!("{:.2}", median(&ratios)), measured.rows[0]);
    let faster = format!("{:.2}", text / one);
    row("two cores, facts and text alone", &measured.text_alone, &faster, measured.rows[1]);
    let _ = write!(
        page,
        "\nThe rows were the same, byte for byte, on one core and on two, and after a run that was killed {} times.\n",
        measured.kills
    );
    if let Some(python) = python {
        let _ = write!(page, "\n{}\n", python.trim());
    }
    page.push_str(&plan(two / 2.0, text / 2.0, measured));
    page
}

/// What a million pages and a month cost, at the rates of one of two busy cores.
fn plan(all: f64, text: f64, measured: &Measured) -> String {
    let mut page = String::from("\n| | all columns | facts and text alone |\n|---|---|---|\n");
    let hours = |rate: f64, pages: f64| pages / rate / 3600.0;
    let mut row = |what: &str, value: &dyn Fn(f64, f64) -> String| {
        let rows = [measured.rows[0], measured.rows[1]].map(|bytes| bytes / measured.pages);
        let _ = writeln!(page, "| {what} | {} | {} |", value(all, rows[0]), value(text, rows[1]));
    };
    row("core hours for a million pages", &|rate, _| format!("{:.2}", hours(rate, 1e6)));
    row("dollars for a million pages", &|rate, _| {
        PRICES.map(|price| format!("{:.3}", hours(rate, 1e6) * price)).join(" to ")
    });
    row("core hours for a month", &|rate, _| format!("{:.0}", hours(rate, MONTH)));
    row("dollars for a month", &|rate, _| {
        PRICES.map(|price| format!("{:.0}", hours(rate, MONTH) * price)).join(" to ")
    });
    row("machines of 64 cores for a month in a day", &|rate, _| {
        format!("{:.0}", (hours(rate, MONTH) / 24.0 / CORES).ceil())
    });
    row("JSON lines of a month, TB", &|_, bytes| format!("{:.1}", bytes * MONTH / 1e12));
    page
}

/// The page with its figures replaced.
pub(crate) fn put(page: &str, figures: &str) -> Result<String, String> {
    let begin = page.find(BEGIN).map(|at| at + BEGIN.len());
    match (begin, page.find(END)) {
        (Some(begin), Some(end)) if begin <= end => {
            Ok(format!("{}\n\n{}\n\n{}", &page[..begin], figures.trim(), &page[end..]))
        }
        _ => Err(format!("docs/scale.md has no place for figures: it needs the lines\n{BEGIN}\n{END}")),
    }
}

fn middle(runs: &[Taken], of: impl Fn(&Taken) -> f64) -> f64 {
    median(&runs.iter().map(of).collect::<Vec<_>>())
}

/// What the system calls its processor.
fn processor() -> String {
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = about.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or_else(String::new, |(_, name)| format!(" ({})", name.trim()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails should say where")]
mod tests {
    use super::*;

    #[test]
    fn a_month_costs_2500_million_pages() {
        let run = |wall: f64| Taken { wall, cpu: 2.0, memory: 50e6 };
        let measured = Measured {
            pages: 1000.0,
            packed: 1e6,
            rows: [1e7, 1e6],
            one_core: vec![run(2.0), run(2.0)],
            two_cores: vec![run(1.0), run(1.0)],
            text_alone: vec![run(0.5), run(0.5)],
            kills: 3,
        };
        let page = markdown(&measured, Some("a table"), &["--write".to_owned()]);
        assert!(page.starts_with("Measured by `cargo xtask bench-scale --write` on 20"), "{page}");
        assert!(page.contains("| two cores, all columns | 1000 | 2.00 | 2.00 | 50 | 10000 |"), "{page}");
        // Five hundred pages a second and core: 0.56 hours a million.
        assert!(page.contains("| core hours for a million pages | 0.56 | 0.28 |"), "{page}");
        assert!(page.contains("| core hours for a month | 1389 | 694 |"), "{page}");
        assert!(page.contains("| JSON lines of a month, TB | 25.0 | 2.5 |"), "{page}");
    }

    #[test]
    fn figures_are_replaced_and_nothing_else() {
        let page = format!("before\n{BEGIN}\nold\n{END}\nbehind\n");
        let new = put(&page, "new\n").unwrap();
        assert_eq!(new, format!("before\n{BEGIN}\n\nnew\n\n{END}\nbehind\n"));
        assert_eq!(put(&new, "new").unwrap(), new);
        assert!(put("no place", "new").is_err());
    }
}
