//! `cargo xtask test`: all that must hold before a change is good. It is also what CI runs.

use std::env;
use std::path::PathBuf;
use std::time::Instant;

use crate::browser;
use crate::postgres;
use crate::python;
use crate::serve;
use crate::step::{Step, root, target};

/// All tests of the workspace. The command that they build is the one that the Python tests compare with.
const TESTS: &str = "test --workspace --features tamis-cli/serve,tamis-cli/parquet";

pub(crate) fn run() -> Result<(), String> {
    let begin = Instant::now();
    println!("testing {}", root().display());
    let no_python = python::left_out();
    if no_python.is_none() {
        python::check()?;
    }
    for step in steps() {
        step.run()?;
    }
    let no_browser = browser::run()?;
    let (server, no_postgres) = postgres::for_tests()?;
    let environment = match no_python {
        None => Some(python::Environment::build()?),
        Some(_) => None,
    };
    Step::cargo("tests, built", TESTS).words("--no-run").run()?;
    // Behind that step the command lies in the build folder, and building it once more is saved.
    if let Some(environment) = environment {
        environment.lint()?;
        environment.test()?;
        serve::checks_of_built()?;
    }
    // The tests last, so that their result lines end the output.
    let mut tests = Step::cargo("tests", TESTS);
    if let Some(server) = &server {
        tests = tests
            .with(postgres::VARIABLE, server.url())
            .remedy("where PostgreSQL is needed: cargo xtask postgres starts a server and prints its URL");
    }
    tests.run()?;
    println!("\nall steps passed in {:.0} s", begin.elapsed().as_secs_f64());
    for missing in [missing_material(), no_browser, no_postgres, no_python].into_iter().flatten() {
        println!("{missing}");
    }
    Ok(())
}

/// A word on what was not tested. A test that lacks its material passes, and cargo hides what passing tests say: without
/// this, nobody would notice that the parser was compared with nothing.
fn missing_material() -> Option<String> {
    let folder = match env::var_os("TAMIS_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => root().parent()?.join("shared"),
    };
    let missing: Vec<&str> =
        ["html5lib-tests", "eval", "peers"].into_iter().filter(|it| !folder.join(it).is_dir()).collect();
    (!missing.is_empty()).then(|| {
        format!(
            "NOT tested: what needs {} of {} was skipped (set TAMIS_SHARED to the folder that has it)",
            missing.join(" and "),
            folder.display()
        )
    })
}

/// What comes before the tests, the quick ones first.
fn steps() -> Vec<Step> {
    let mut steps = vec![
        Step::cargo("format", "fmt --all --check")
            .remedy("cargo fmt --all (where rustfmt is missing: rustup component add rustfmt)"),
        Step::cargo(
            "lints",
            "clippy --workspace --all-targets --features tamis-cli/serve,tamis-cli/parquet -- -D warnings",
        )
        .remedy("follow the hints above (where clippy is missing: rustup component add clippy)"),
        Step::cargo(
            "lints without fetch",
            "clippy -p tamis-cli --no-default-features --all-targets -- -D warnings",
        ),
        Step::cargo("docs", "doc --workspace --no-deps --features tamis-cli/serve,tamis-cli/parquet")
            .with("RUSTDOCFLAGS", "-D warnings"),
    ];
    if root().join("fuzz/Cargo.toml").is_file() {
        // A folder of its own: the fuzz targets are no members of the workspace and would rebuild everything.
        let folder = target().join("fuzz");
        steps.push(
            Step::cargo("fuzz targets", "check --manifest-path fuzz/Cargo.toml")
                .with("CARGO_TARGET_DIR", folder),
        );
    }
    steps
}
