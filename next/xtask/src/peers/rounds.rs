//! The rounds: every tool in turn over all pages, again and again, so that what else the machine does hits all alike.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::Bench;
use super::each_page::each_page;
use super::runner::{Runner, Times};
use super::tools::{self, Tool};

/// Quick tools run over the pages several times a round, so that a round is long enough to be timed well.
const SHORTEST_ROUND: f64 = 1.0;

/// A tool whose first pass took this long needs no trial to see that once a round is enough.
const SLOW: Duration = Duration::from_secs(20);

/// What was measured of one tool.
pub(crate) struct Measured {
    pub(crate) name: &'static str,
    pub(crate) version: String,
    /// One entry a round, the time of one pass over the pages.
    pub(crate) rounds: Vec<Times>,
    /// Bytes of memory before the first page, and at most.
    pub(crate) memory: Option<(u64, u64)>,
    /// Pages of which it found no text.
    pub(crate) empty: usize,
}

/// What came of a run.
pub(crate) struct Results {
    pub(crate) tools: Vec<Measured>,
    /// Tools that could not be measured, and why.
    pub(crate) given_up: Vec<(&'static str, String)>,
    /// Pages left out because a tool failed on them: their name, and what the tool did.
    pub(crate) left_out: Vec<(String, String)>,
    pub(crate) pages: usize,
    pub(crate) bytes: u64,
}

/// A tool with its runner.
struct Running {
    measured: Measured,
    runner: Runner,
    passes: usize,
    slow: bool,
}

pub(crate) fn measure(bench: &Bench) -> Result<Results, String> {
    let mut given_up = Vec::new();
    let mut failed: BTreeMap<usize, String> = BTreeMap::new();
    let mut running = Vec::new();
    for tool in &bench.tools {
        match first_pass(bench, tool, &mut failed) {
            Ok(one) => running.push(one),
            Err(why) => {
                println!("{} is left out: it {why}", tool.name);
                given_up.push((tool.name, why));
            }
        }
    }
    let limit = bench.options.round_limit;
    every(&mut running, &mut given_up, |one| prepare(one, failed.keys(), limit));
    for round in 1..=bench.options.rounds {
        let begin = Instant::now();
        every(&mut running, &mut given_up, |one| {
            let times = one.runner.round(one.passes, limit)?;
            one.measured.rounds.push(times);
            Ok(())
        });
        println!("round {round} of {}: {:.0} s", bench.options.rounds, begin.elapsed().as_secs_f64());
    }
    if running.is_empty() {
        let why: Vec<String> = given_up.iter().map(|(name, why)| format!("{name} {why}")).collect();
        return Err(format!("no tool could be measured:\n{}", why.join("\n")));
    }
    let pages = &bench.sample.pages;
    let lost: u64 = failed.keys().map(|place| pages[*place].bytes).sum();
    Ok(Results {
        pages: pages.len() - failed.len(),
        bytes: bench.sample.bytes() - lost,
        left_out: failed
            .into_iter()
            .map(|(place, why)| (format!("{}/{}", pages[place].set, pages[place].id), why))
            .collect(),
        tools: running.into_iter().map(Running::finish).collect(),
        given_up,
    })
}

/// Does something with every runner; one that fails is out.
fn every(
    running: &mut Vec<Running>,
    given_up: &mut Vec<(&'static str, String)>,
    mut work: impl FnMut(&mut Running) -> Result<(), String>,
) {
    running.retain_mut(|one| match work(one) {
        Ok(()) => true,
        Err(why) => {
            println!("{} is left out: it {why}", one.measured.name);
            given_up.push((one.measured.name, why));
            false
        }
    });
}

/// Every page once, page by page: shows which ones the tool cannot stand, and warms it up.
fn first_pass(
    bench: &Bench,
    tool: &'static Tool,
    failed: &mut BTreeMap<usize, String>,
) -> Result<Running, String> {
    let begin = Instant::now();
    let mut empty = 0;
    let before = Cell::new(None);
    let start = || {
        let runner = tools::start(tool)?;
        before.set(runner.peak_memory());
        Ok(runner)
    };
    let runner = each_page(start, bench.sample.pages.len(), bench.options.page_limit, |place, found| {
        match found {
            Ok(found) => empty += usize::from(found.empty),
            Err(why) => {
                println!("{} {why} on {}", tool.name, bench.sample.pages[place].path.display());
                failed.entry(place).or_insert_with(|| format!("{} {why}", tool.name));
            }
        }
        Ok(())
    })?;
    println!("{} {}: first pass in {:.1} s", tool.name, runner.version, begin.elapsed().as_secs_f64());
    let version = runner.version.clone();
    let memory = before.get().zip(runner.peak_memory());
    let measured = Measured { name: tool.name, version, rounds: Vec::new(), memory, empty };
    Ok(Running { measured, runner, passes: 1, slow: begin.elapsed() > SLOW })
}

/// Drops the pages that some tool failed on, and finds out how often to run over the rest in a round.
fn prepare<'p>(
    one: &mut Running,
    failed: impl Iterator<Item = &'p usize>,
    limit: Duration,
) -> Result<(), String> {
    for place in failed {
        one.runner.drop_page(*place, limit)?;
    }
    if one.slow {
        return Ok(());
    }
    let times = one.runner.round(1, limit)?;
    one.passes = (SHORTEST_ROUND / times.cpu).ceil().clamp(1.0, 200.0) as usize;
    Ok(())
}

impl Running {
    fn finish(mut self) -> Measured {
        let peak = self.runner.peak_memory();
        self.measured.memory = self.measured.memory.map(|(before, first)| (before, peak.unwrap_or(first)));
        self.measured
    }
}
