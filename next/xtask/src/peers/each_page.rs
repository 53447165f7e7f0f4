//! A tool asked for every page by itself, so that a page that it cannot stand costs that page alone.

use std::time::Duration;

use super::runner::{Found, Runner};

/// A tool that fails on so many pages in a row is broken, whatever the pages.
const MOST_IN_A_ROW: usize = 5;

/// Asks for the pages `0..count` in order and hands on what was found, or why nothing was. A runner that hangs or dies
/// is replaced by a new one. Gives back the runner that is left, for more.
pub(crate) fn each_page(
    start: impl Fn() -> Result<Runner, String>,
    count: usize,
    limit: Duration,
    mut take: impl FnMut(usize, Result<Found, String>) -> Result<(), String>,
) -> Result<Runner, String> {
    let mut runner = start()?;
    let mut in_a_row = 0;
    for place in 0..count {
        let found = runner.page(place, limit);
        in_a_row = if found.is_ok() { 0 } else { in_a_row + 1 };
        let failure = found.as_ref().err().cloned();
        take(place, found)?;
        if let Some(why) = failure {
            if in_a_row == MOST_IN_A_ROW {
                return Err(format!("failed on {MOST_IN_A_ROW} pages in a row, on the last it {why}"));
            }
            drop(runner);
            runner = start()?;
        }
    }
    Ok(runner)
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, reason = "a test that fails should say where")]
mod tests {
    use std::cell::Cell;
    use std::fs::File;
    use std::process::Command;

    use super::*;

    /// Runs a runner of shell over ten pages; what became of each, how often it was started, and the outcome.
    fn run(script: &str) -> (Vec<Result<String, String>>, usize, Option<String>) {
        let started = Cell::new(0);
        let start = || {
            started.set(started.get() + 1);
            let mut command = Command::new("sh");
            command.args(["-c", &format!("echo ready 1; while read -r what number; do {script}; done")]);
            Runner::start(command, File::create("/dev/null").unwrap(), Duration::from_secs(20))
        };
        let mut pages = Vec::new();
        let outcome = each_page(start, 10, Duration::from_secs(3), |place, found| {
            assert_eq!(place, pages.len());
            pages.push(found.map(|found| found.json));
            Ok(())
        });
        (pages, started.get(), outcome.err())
    }

    #[test]
    fn a_page_that_kills_or_stops_a_tool_costs_that_page_alone() {
        let script = r#"case $number in 3) exit 9;; 5) exec sleep 600;; *) echo "page 1 {$number}";; esac"#;
        let (pages, started, outcome) = run(script);
        assert_eq!(outcome, None);
        assert_eq!(started, 3);
        assert_eq!(pages[2], Ok("{2}".to_owned()));
        assert_eq!(pages[3], Err("died (exit status: 9)".to_owned()));
        assert_eq!(pages[4], Ok("{4}".to_owned()));
        assert_eq!(pages[5], Err("gave no answer for 3 s".to_owned()));
        assert_eq!(pages[9], Ok("{9}".to_owned()));
    }

    #[test]
    fn a_tool_that_always_fails_is_given_up() {
        let (pages, started, outcome) = run("exit 1");
        assert_eq!((pages.len(), started), (5, 5));
        let why = "failed on 5 pages in a row, on the last it died (exit status: 1)";
        assert_eq!(outcome.as_deref(), Some(why));
    }
}
