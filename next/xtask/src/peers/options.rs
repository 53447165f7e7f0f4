//! The flags of `cargo xtask bench-peers`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

pub(crate) const HELP: &str = "\
Tamis and other extractors on the same pages, one after the other in every round, each on one thread.

Usage: cargo xtask bench-peers [OPTIONS]

  --tools A,B,…       only these (default: all; bench/peers/README.md has their names)
  --sets A,B,…        only pages of these evaluation sets (default: all)
  --pages N           how many pages, spread over the sets; 0 is all (default: 80, with --outputs all)
  --rounds N          how often each tool is timed (default: 5)
  --max-bytes N       larger pages are left out (default: 3000000, with --outputs none is)
  --page-seconds N    a tool that takes longer for a page is stopped, and the page left out for all (default: 60)
  --round-seconds N   a tool that takes longer for a round is stopped and left out (default: 600)
  --table FILE        where the table goes (default: docs/peers-speed.md, with --tools only the terminal)
  --outputs DIR       time nothing; write what each tool finds to DIR/SET/TOOL.jsonl
";

/// What was asked for.
#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    pub(crate) tools: Option<Vec<String>>,
    pub(crate) sets: Option<Vec<String>>,
    pub(crate) pages: Option<usize>,
    pub(crate) rounds: usize,
    pub(crate) max_bytes: Option<u64>,
    pub(crate) page_limit: Duration,
    pub(crate) round_limit: Duration,
    pub(crate) table: Option<PathBuf>,
    pub(crate) outputs: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            tools: None,
            sets: None,
            pages: None,
            rounds: 5,
            max_bytes: None,
            page_limit: Duration::from_secs(60),
            round_limit: Duration::from_secs(600),
            table: None,
            outputs: None,
        }
    }
}

impl Options {
    /// How many pages to take. In the outputs, every page counts; for the speed, a part of them tells as much.
    pub(crate) fn wanted(&self) -> usize {
        self.pages.unwrap_or(if self.outputs.is_some() { 0 } else { 80 })
    }

    /// How large a page may be.
    pub(crate) fn most_bytes(&self) -> u64 {
        self.max_bytes.unwrap_or(if self.outputs.is_some() { u64::MAX } else { 3_000_000 })
    }

    /// Reads the flags; nothing where help was asked for.
    pub(crate) fn parse(arguments: &[String]) -> Result<Option<Options>, String> {
        let mut options = Options::default();
        let mut rest = arguments.iter();
        while let Some(flag) = rest.next() {
            if matches!(flag.as_str(), "-h" | "--help" | "help") {
                return Ok(None);
            }
            let mut value = || rest.next().ok_or_else(|| format!("{flag} needs a value\n\n{HELP}"));
            match flag.as_str() {
                "--tools" => options.tools = Some(names(value()?)),
                "--sets" => options.sets = Some(names(value()?)),
                "--pages" => options.pages = Some(number(flag, value()?)?),
                "--rounds" => options.rounds = some(flag, value()?)? as usize,
                "--max-bytes" => options.max_bytes = Some(number(flag, value()?)?),
                "--page-seconds" => options.page_limit = Duration::from_secs(some(flag, value()?)?),
                "--round-seconds" => options.round_limit = Duration::from_secs(some(flag, value()?)?),
                "--table" => options.table = Some(value()?.into()),
                "--outputs" => options.outputs = Some(value()?.into()),
                _ => return Err(format!("there is no flag {flag}\n\n{HELP}")),
            }
        }
        Ok(Some(options))
    }
}

fn names(list: &str) -> Vec<String> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn number<N: FromStr>(flag: &str, value: &str) -> Result<N, String> {
    value.parse().map_err(|_| format!("{flag} wants a number, not `{value}`"))
}

/// A number of at least one.
fn some(flag: &str, value: &str) -> Result<u64, String> {
    let some = number(flag, value)?;
    if some == 0 { Err(format!("{flag} wants a number of at least 1")) } else { Ok(some) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails should say where")]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Option<Options>, String> {
        Options::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn flags_change_the_defaults() {
        assert_eq!(parse("").unwrap(), Some(Options::default()));
        let options = parse("--tools tamis,resiliparse --pages 0 --page-seconds 7").unwrap().unwrap();
        assert_eq!(options.tools.unwrap(), ["tamis", "resiliparse"]);
        assert_eq!(options.pages, Some(0));
        assert_eq!(options.page_limit, Duration::from_secs(7));
        assert_eq!(parse("--rounds 3 --help").unwrap(), None);
    }

    #[test]
    fn no_rounds_became_one() {
        for flag in ["--rounds", "--page-seconds", "--round-seconds"] {
            let error = parse(&format!("{flag} 0")).unwrap_err();
            assert_eq!(error, format!("{flag} wants a number of at least 1"));
        }
        assert_eq!(parse("--rounds 1").unwrap().unwrap().rounds, 1);
    }

    #[test]
    fn large_pages_were_missing_from_the_outputs() {
        assert_eq!(parse("--outputs there").unwrap().unwrap().most_bytes(), u64::MAX);
        assert_eq!(parse("--outputs there --max-bytes 7").unwrap().unwrap().most_bytes(), 7);
        assert_eq!(parse("").unwrap().unwrap().most_bytes(), 3_000_000);
    }

    #[test]
    fn a_wrong_flag_is_named() {
        assert!(parse("--page 3").unwrap_err().starts_with("there is no flag --page\n"));
        assert!(parse("--rounds").unwrap_err().starts_with("--rounds needs a value"));
        assert_eq!(parse("--rounds many").unwrap_err(), "--rounds wants a number, not `many`");
    }
}
