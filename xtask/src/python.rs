//! The step of `cargo xtask test` that builds the Python package into a fresh virtual environment and runs its tests, on real
//! local Spark and Ray as well, all of which it installs.

use std::env;
use std::fs;
use std::process::Command;

use crate::step::{Step, target};

/// What the tests need besides the package. Ray's `data` extra would bring more than is used.
const PACKAGES: &str = "pytest pyarrow numpy pandas<3 pyspark ray";

/// `cargo xtask python`: the step by itself. Whoever asks for it by name wants to know that it was left out.
pub(crate) fn alone() -> Result<(), String> {
    run()?.map_or(Ok(()), Err)
}

/// Runs the step. Gives a word on why it was left out where there is no Python, or where `TAMIS_WITHOUT_PYTHON` is set.
pub(crate) fn run() -> Result<Option<String>, String> {
    if env::var_os("TAMIS_WITHOUT_PYTHON").is_some_and(|value| !value.is_empty()) {
        return Ok(Some("NOT tested: the Python package (TAMIS_WITHOUT_PYTHON is set)".to_owned()));
    }
    let there = Command::new("python3")
        .args(["-c", "import venv, sys; sys.exit(sys.version_info < (3, 10))"])
        .status();
    if !there.is_ok_and(|status| status.success()) {
        let word =
            "NOT tested: the Python package; there is no python3 of 3.10 or newer with venv".to_owned();
        return if env::var_os("CI").is_some() { Err(word) } else { Ok(Some(word)) };
    }
    let offline = "where there is no network, set TAMIS_WITHOUT_PYTHON=1";
    let folder = target().join("python");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let environment = folder.join("venv");
    let python = environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    Step::program("a fresh virtual environment", "python3", "-m venv --clear")
        .argument(&environment)
        .run()?;
    // uv does in seconds what pip does in minutes; pip itself builds the package, as users do.
    Step::command("uv", &python)
        .words("-m pip install --quiet --disable-pip-version-check uv")
        .remedy(offline)
        .run()?;
    Step::command("pytest, Spark and Ray", &python)
        .words("-m uv pip install --quiet")
        .words(PACKAGES)
        .with("VIRTUAL_ENV", &environment)
        .remedy(offline)
        .run()?;
    Step::command("the Python package", &python)
        .words("-m pip install --quiet --disable-pip-version-check ./python")
        .with("CARGO_TARGET_DIR", folder.join("target"))
        .remedy(offline)
        .run()?;
    // The tests compare with this command; the step that follows builds on it.
    Step::cargo("the command", "build -p tamis-cli --features parquet").run()?;
    Step::command("Python tests", &python)
        .words("-m pytest -q -p no:cacheprovider python/tests")
        .with("TAMIS_COMMAND", target().join("debug").join(format!("tamis{}", env::consts::EXE_SUFFIX)))
        .with("PYTHONDONTWRITEBYTECODE", "1")
        .run()?;
    Ok(None)
}
