//! `cargo xtask bench-scale`: what many pages cost. The rates of `tamis batch` on one core and on two, its memory, its rows
//! after interruptions, and the Python package beside the Rust library and other packages.
//!
//! The archive is made of the evaluation sets, once; everything lies below the build folder.

mod batch;
mod figures;

pub(crate) use batch::look;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::peers::Sample;
use crate::python::Environment;
use crate::step::{Step, root, target, unwritable};

const HELP: &str = "\
Measures `tamis batch` on an archive made of the evaluation sets, on one core and on two in turns, and the Python package
beside the Rust library, resiliparse and trafilatura. Wants a machine that does nothing else.

Usage: cargo xtask bench-scale [OPTIONS]

  --pages N          pages of the archive (default: 20000)
  --rounds N         how often each number of cores is measured (default: 3)
  --python-pages N   pages for the Python package, spread over the sets; 0 leaves this part out (default: 1000)
  --write            write the figures into docs/scale.md, not only to the terminal
";

/// What is compared with in Python, and what the batches are made of; the versions are those of `bench/peers`.
const PACKAGES: &str = "pyarrow resiliparse==1.1.0 trafilatura==2.3.1";

/// What was asked for.
#[derive(Debug, PartialEq)]
struct Options {
    pages: usize,
    rounds: usize,
    python_pages: usize,
    write: bool,
}

impl Options {
    /// Reads the flags; nothing where help was asked for.
    fn parse(arguments: &[String]) -> Result<Option<Options>, String> {
        let mut options = Options { pages: 20_000, rounds: 3, python_pages: 1_000, write: false };
        let mut rest = arguments.iter();
        while let Some(flag) = rest.next() {
            let mut number = |least: usize| {
                let value = rest.next().and_then(|value| value.parse().ok());
                let wanted = || format!("{flag} wants a number of at least {least}\n\n{HELP}");
                value.filter(|value| *value >= least).ok_or_else(wanted)
            };
            match flag.as_str() {
                "-h" | "--help" | "help" => return Ok(None),
                "--pages" => options.pages = number(1)?,
                "--rounds" => options.rounds = number(1)?,
                "--python-pages" => options.python_pages = number(0)?,
                "--write" => options.write = true,
                _ => return Err(format!("there is no flag {flag}\n\n{HELP}")),
            }
        }
        Ok(Some(options))
    }
}

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let Some(options) = Options::parse(arguments)? else {
        print!("{HELP}");
        return Ok(());
    };
    // What is missing should be said before minutes have gone by.
    let sample = Sample::take(None, options.python_pages.max(1), u64::MAX)?;
    let folder = target().join("scale");
    fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, error))?;
    Step::cargo("the command, as it is released", "build --release -p tamis-cli").run()?;
    Step::cargo(
        "the maker of archives, the rate of the library",
        "build --release -p tamis-batch --examples",
    )
    .run()?;
    let archive = archive(&folder, options.pages)?;
    let measured = batch::measure(&archive, &folder, options.rounds)?;
    let python = match options.python_pages {
        0 => None,
        _ => Some(python(&folder, &sample, options.rounds)?),
    };
    let text = figures::markdown(&measured, python.as_deref(), arguments);
    println!("\n{text}");
    if options.write {
        let file = root().join("docs/scale.md");
        let page = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        fs::write(&file, figures::put(&page, &text)?).map_err(|error| unwritable(&file, error))?;
        println!("written to {}", file.display());
    }
    Ok(())
}

/// The archive with so many pages, which is made where it is not there yet.
fn archive(folder: &Path, pages: usize) -> Result<PathBuf, String> {
    let file = folder.join(format!("pages-{pages}.warc.gz"));
    if !file.is_file() {
        let mut step = Step::command("an archive of the evaluation sets", example("archive"))
            .argument(&file)
            .argument(pages.to_string());
        for set in tamis_testdata::sets().iter().filter_map(|name| tamis_testdata::set(name)) {
            step = step.argument(set);
        }
        step.run()?;
    }
    Ok(file)
}

/// The table of `python/benches/rate.py`, with the wheel as it is released in a fresh environment.
fn python(folder: &Path, sample: &Sample, rounds: usize) -> Result<String, String> {
    let environment = Environment::empty("bench", PACKAGES)?;
    environment.install("release")?;
    let list = folder.join("pages.list");
    fs::write(&list, sample.list()).map_err(|error| unwritable(&list, error))?;
    println!("\n── pages through Python: {}", sample.about());
    let done = Command::new(environment.python())
        .arg(root().join("python/benches/rate.py"))
        .arg(example("rate"))
        .arg(list)
        .arg(rounds.to_string())
        .output()
        .map_err(|error| format!("{} could not be started: {error}", environment.python().display()))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        return Err(format!("python/benches/rate.py failed ({}):\n{said}", done.status));
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

fn example(name: &str) -> PathBuf {
    target().join("release/examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails should say where")]
mod tests {
    use super::*;

    #[test]
    fn flags_change_the_defaults() {
        let parse =
            |line: &str| Options::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        let options = parse("--pages 50 --python-pages 0 --write").unwrap().unwrap();
        assert_eq!(options, Options { pages: 50, rounds: 3, python_pages: 0, write: true });
        assert_eq!(parse("--pages 3 --help").unwrap(), None);
        assert!(parse("--rounds 0").unwrap_err().starts_with("--rounds wants a number of at least 1\n"));
        assert!(parse("--page 3").unwrap_err().starts_with("there is no flag --page\n"));
    }
}
