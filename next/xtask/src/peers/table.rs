//! The figures as a page of Markdown.

use std::fmt::Write;
use std::process::Command;

use super::Bench;
use super::rounds::{Measured, Results};
use super::tools::{self, BASE};

/// The page: what was run, on what, and the table.
pub(crate) fn markdown(bench: &Bench, results: &Results, arguments: &[String]) -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut page = String::from("# Speed and memory beside other extractors\n\n");
    let _ = write!(
        page,
        "Written by `{}` on {}, on {cores} cores of an {} machine with {}.\n\n\
         {} pages of the evaluation sets, {:.1} MB as they were served, each tool on one thread, the tools one after the \
         other in each of {} rounds. {} pages of {} were left out for their size (over {} bytes) before the choice.\n\n\
         `pages/s` and `MB/s` are by CPU time, the median of the rounds; `times {BASE}` is the quotient of the CPU times \
         of a round, its median, and its least and most over the rounds. CPU time is the measure because the machine does \
         other things as well; the clock's figure stands beside it. Memory is what the process had at most, with the \
         pages themselves in it ({:.1} MB); what it had before the first page, language and packages included, stands \
         in brackets. What every tool is given and asked for is in `bench/peers/README.md`. How good the texts are is \
         another question.\n\n",
        command(arguments),
        date(),
        std::env::consts::ARCH,
        tools::platforms(),
        results.pages,
        results.bytes as f64 / 1e6,
        bench.options.rounds,
        bench.sample.too_large,
        bench.sample.of,
        bench.options.most_bytes(),
        results.bytes as f64 / 1e6,
    );
    page.push_str(&table(results));
    for (name, why) in &results.given_up {
        let _ = write!(page, "\n`{name}` is missing: it {why}.\n");
    }
    if !results.left_out.is_empty() {
        page.push_str("\nLeft out for all tools because one of them failed:\n\n");
        for (name, why) in &results.left_out {
            let _ = writeln!(page, "- {name}: {why}");
        }
    }
    page
}

fn table(results: &Results) -> String {
    let mut table = format!(
        "| tool | version | pages/s | MB/s | times {BASE} | pages/s by the clock | memory, MB | pages without text |\n\
         |---|---|---|---|---|---|---|---|\n"
    );
    let base = results.tools.iter().find(|tool| tool.name == BASE);
    let mut tools: Vec<&Measured> = results.tools.iter().collect();
    tools.sort_by(|a, b| median(&cpu(a)).total_cmp(&median(&cpu(b))));
    for tool in tools {
        let seconds = median(&cpu(tool));
        let wall: Vec<f64> = tool.rounds.iter().map(|times| times.wall).collect();
        let memory = tool.memory.map_or("–".to_owned(), |(before, peak)| {
            format!("{:.0} ({:.0})", peak as f64 / 1e6, before as f64 / 1e6)
        });
        let _ = writeln!(
            table,
            "| {} | {} | {} | {} | {} | {} | {memory} | {} |",
            tool.name,
            tool.version,
            short(results.pages as f64 / seconds),
            short(results.bytes as f64 / 1e6 / seconds),
            base.map_or("–".to_owned(), |base| ratio(base, tool)),
            short(results.pages as f64 / median(&wall)),
            tool.empty,
        );
    }
    table
}

/// How many times as fast as the base a tool is, round by round: both times of a quotient are of the same minute.
fn ratio(base: &Measured, tool: &Measured) -> String {
    if base.name == tool.name {
        return "1".to_owned();
    }
    let mut ratios: Vec<f64> = cpu(base).iter().zip(cpu(tool)).map(|(base, tool)| base / tool).collect();
    ratios.sort_by(f64::total_cmp);
    match ratios.as_slice() {
        [] => "–".to_owned(),
        [least, .., most] => format!("{} ({} to {})", short(median(&ratios)), short(*least), short(*most)),
        [only] => short(*only),
    }
}

fn cpu(tool: &Measured) -> Vec<f64> {
    tool.rounds.iter().map(|times| times.cpu).collect()
}

pub(crate) fn median(numbers: &[f64]) -> f64 {
    let mut numbers = numbers.to_vec();
    numbers.sort_by(f64::total_cmp);
    match numbers.len() {
        0 => f64::NAN,
        length if length % 2 == 1 => numbers[length / 2],
        length => (numbers[length / 2 - 1] + numbers[length / 2]) / 2.0,
    }
}

/// Three digits that count.
fn short(number: f64) -> String {
    match number {
        number if number >= 100.0 => format!("{number:.0}"),
        number if number >= 10.0 => format!("{number:.1}"),
        number if number >= 1.0 => format!("{number:.2}"),
        number => format!("{number:.3}"),
    }
}

/// As one would type it, without where the table went.
fn command(arguments: &[String]) -> String {
    let mut words = vec!["cargo xtask bench-peers"];
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        if word == "--table" {
            rest.next();
        } else {
            words.push(word);
        }
    }
    words.join(" ")
}

/// Today, in UTC, as the system tells it.
pub(crate) fn date() -> String {
    let told = Command::new("date").args(["-u", "+%F"]).output().ok().filter(|told| told.status.success());
    let day = told.and_then(|told| String::from_utf8(told.stdout).ok());
    day.map_or_else(|| "an unknown day".to_owned(), |day| day.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::runner::Times;

    fn measured(name: &'static str, cpu: &[f64]) -> Measured {
        let rounds = cpu.iter().map(|&cpu| Times { cpu, wall: 2.0 * cpu }).collect();
        let memory = Some((20_000_000, 50_000_000));
        Measured { name, version: "1.0".to_owned(), rounds, memory, empty: 3 }
    }

    #[test]
    fn ratios_are_of_the_same_round() {
        // The machine was twice as slow in the second round: for both, so the ratio does not move.
        let results = Results {
            tools: vec![measured(BASE, &[1.0, 2.0, 1.0]), measured("tamis", &[0.1, 0.2, 0.125])],
            given_up: Vec::new(),
            left_out: Vec::new(),
            pages: 100,
            bytes: 10_000_000,
        };
        let table = table(&results);
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(rows[0], "| tamis | 1.0 | 800 | 80.0 | 10.0 (8.00 to 10.0) | 400 | 50 (20) | 3 |");
        assert_eq!(rows[1], "| resiliparse | 1.0 | 100 | 10.0 | 1 | 50.0 | 50 (20) | 3 |");
    }

    #[test]
    fn the_day_is_told() {
        assert!(date().len() == 10 && date().starts_with("20"), "{}", date());
    }

    #[test]
    fn the_command_names_no_file_of_this_machine() {
        let arguments = ["--rounds", "3", "--table", "/somewhere/table.md"].map(str::to_owned);
        assert_eq!(command(&arguments), "cargo xtask bench-peers --rounds 3");
    }
}
