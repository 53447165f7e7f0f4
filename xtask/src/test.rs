//! `cargo xtask test`: all checks, as CI runs them.

use std::env;
use std::path::PathBuf;
use std::time::Instant;

use crate::browser;
use crate::postgres;
use crate::python;
use crate::serve;
use crate::step::{Step, root, target};

/// The whole workspace with every feature. The same selection for all steps, or the engine would be compiled again.
pub(crate) const EVERYTHING: &str =
    "--workspace --features tamis-cli/collect,tamis-cli/serve,tamis-cli/parquet";

pub(crate) fn run() -> Result<(), String> {
    let begin = Instant::now();
    println!("testing {}", root().display());
    let no_python = python::left_out();
    if no_python.is_none() {
        python::check()?;
        Step::program("the figures of the front page", "python3", "bench/chart.py --check")
            .remedy("python3 bench/chart.py")
            .run()?;
    }
    for step in steps() {
        step.run()?;
    }
    let (server, no_postgres) = postgres::for_tests()?;
    // The next steps run the command built here.
    Step::cargo("tests, built", "test --no-run").words(EVERYTHING).run()?;
    let no_browser = browser::run()?;
    if no_python.is_none() {
        let environment = python::Environment::build()?;
        environment.lint()?;
        environment.test()?;
        serve::checks_of_built()?;
    }
    // The tests run last, so that their results are at the end of the output.
    let mut tests = Step::cargo("tests", "test").words(EVERYTHING);
    if let Some(server) = &server {
        tests = tests
            .with(postgres::VARIABLE, server.url())
            .remedy("for tests on PostgreSQL: cargo xtask postgres starts a server and prints its URL");
    }
    tests.run()?;
    println!("\nall steps passed in {:.0} s", begin.elapsed().as_secs_f64());
    for missing in [missing_material(), no_browser, no_postgres, no_python].into_iter().flatten() {
        println!("{missing}");
    }
    Ok(())
}

/// A note on skipped tests. A test without its material passes, and cargo hides the output of passing tests, so this is
/// the only hint.
fn missing_material() -> Option<String> {
    let folder = match env::var_os("TAMIS_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => root().parent()?.join("shared"),
    };
    let missing: Vec<&str> =
        ["html5lib-tests", "eval", "peers"].into_iter().filter(|it| !folder.join(it).is_dir()).collect();
    (!missing.is_empty()).then(|| {
        format!(
            "NOT tested: tests that need {} in {} were skipped (set TAMIS_SHARED to the folder that has them)",
            missing.join(" and "),
            folder.display()
        )
    })
}

/// The steps before the tests, fast ones first.
fn steps() -> Vec<Step> {
    let mut steps = vec![
        Step::cargo("format", "fmt --all --check")
            .remedy("cargo fmt --all (if rustfmt is missing: rustup component add rustfmt)"),
        Step::cargo("lints", "clippy --all-targets")
            .words(EVERYTHING)
            .words("-- -D warnings")
            .remedy("follow the hints above (if clippy is missing: rustup component add clippy)"),
        Step::cargo(
            "lints without fetch",
            "clippy -p tamis-cli --no-default-features --all-targets -- -D warnings",
        ),
        Step::cargo("docs", "doc --no-deps").words(EVERYTHING).with("RUSTDOCFLAGS", "-D warnings"),
    ];
    if root().join("fuzz/Cargo.toml").is_file() {
        // A separate target folder: the fuzz targets are not in the workspace and would rebuild everything.
        let folder = target().join("fuzz");
        steps.push(
            Step::cargo("fuzz targets", "check --manifest-path fuzz/Cargo.toml")
                .with("CARGO_TARGET_DIR", folder),
        );
    }
    steps
}
