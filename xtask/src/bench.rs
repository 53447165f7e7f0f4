//! Benchmarks: builds what the scripts in `bench/` measure, and runs them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::postgres;
use crate::step::{Step, folder, target, unwritable};

pub(crate) fn parse() -> Result<(), String> {
    Step::cargo("parsing against html5ever", "bench -p tamis-html --bench parse").run()
}

pub(crate) fn site_memory() -> Result<(), String> {
    Step::cargo("learning invented pages", "run --release -p tamis-site --example many_pages").run()
}

pub(crate) fn instructions() -> Result<(), String> {
    // Without valgrind, the benchmark would skip itself silently.
    has_valgrind()?;
    Step::cargo("instructions per byte", "bench -p tamis-html --bench instructions").run()
}

pub(crate) fn stages() -> Result<(), String> {
    has_valgrind()?;
    Step::cargo("the measured program", "build --profile bench -p tamis --example rounds").run()?;
    script("instructions per stage", "bench/stages.py", &[])
}

pub(crate) fn peers(arguments: &[String]) -> Result<(), String> {
    script("other extractors", "bench/peers/run.py", arguments)
}

pub(crate) fn scale(arguments: &[String]) -> Result<(), String> {
    Step::cargo("the command", "build --release -p tamis-cli").run()?;
    Step::cargo(
        "the generator of archives, the benchmark of the library",
        "build --release -p tamis-batch --examples",
    )
    .run()?;
    script("many pages", "bench/scale.py", arguments)
}

pub(crate) fn collect(arguments: &[String]) -> Result<(), String> {
    // In one build: separately, each would rebuild the dependencies with its own features.
    let what =
        "-p tamis-cli --bin tamis -p tamis-testweb --example serve -p tamis-collect --example fill_frontier";
    Step::cargo("the command, the web, the filler", "build --release --features tamis-cli/collect")
        .words(what)
        .run()?;
    script("the collector", "bench/collect.py", arguments)
}

/// The long version of the tests that kill `tamis collect`, on both databases.
pub(crate) fn collect_kills() -> Result<(), String> {
    let (server, no_postgres) = postgres::for_tests()?;
    let tests = "test --release -p tamis-cli --features collect --test collect_killed -- --ignored --nocapture --test-threads 1";
    let mut tests = Step::cargo("a hundred kills of tamis collect on each database", tests);
    if let Some(server) = &server {
        tests = tests.with(postgres::VARIABLE, server.url());
    }
    tests.run()?;
    no_postgres.iter().for_each(|note| println!("{note}"));
    Ok(())
}

fn script(about: &'static str, file: &str, arguments: &[String]) -> Result<(), String> {
    let mut step = Step::program(about, "python3", file);
    for argument in arguments {
        step = step.argument(argument);
    }
    let asks_for_help = arguments.iter().any(|word| word == "--help" || word == "-h");
    if !asks_for_help {
        step = step.with("TAMIS_SETS", linked("sets", &tamis_testdata::sets(), tamis_testdata::set)?);
    }
    step.with("TAMIS_TARGET", target()).remedy("install Python 3.11 or newer with venv").run()
}

/// A folder with links to the unpacked sets, as far as they are available.
pub(crate) fn linked(
    kind: &str,
    names: &[String],
    find: impl Fn(&str) -> Option<PathBuf>,
) -> Result<PathBuf, String> {
    let place = folder("evaluation")?.join(kind);
    let at = |error: io::Error| unwritable(&place, error);
    if place.is_dir() {
        fs::remove_dir_all(&place).map_err(at)?;
    }
    fs::create_dir_all(&place).map_err(at)?;
    for name in names {
        if let Some(found) = find(name) {
            link(&found, &place.join(name)).map_err(at)?;
        }
    }
    Ok(place)
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(windows)]
fn link(to: &Path, at: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_dir(to, at)
}

/// Checks for valgrind.
fn has_valgrind() -> Result<(), String> {
    let valgrind = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    if !valgrind.is_ok_and(|status| status.success()) {
        return Err("valgrind, which counts instructions, is missing\n\
                    remedy: install it (apt install valgrind, dnf install valgrind; it runs on Linux and FreeBSD)"
            .to_owned());
    }
    Ok(())
}
