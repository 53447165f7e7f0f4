//! The step of `cargo xtask test` that builds the Python package into a fresh virtual environment and runs its tests,
//! including local Spark and Ray, all of which it installs.
//!
//! It has three parts, so that missing programs are reported before anything is built, and the tests compare with the
//! command that the tests of the workspace have built.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{Step, folder, target};
use crate::test::EVERYTHING;

/// Dependencies of the tests. Ray's `data` extra would install more than is used.
const PACKAGES: &str = "pytest pyarrow numpy pandas<3 polars pyspark ray trafilatura lxml_html_clean";

/// The minimum Java version of Spark 4.
const JAVA: u32 = 17;

const OFFLINE: &str = "packages come from PyPI and crates.io; without a network, set TAMIS_WITHOUT_PYTHON=1";

/// A virtual environment with the package and the dependencies of its tests.
pub(crate) struct Environment {
    pub(crate) python: PathBuf,
}

/// `cargo xtask python`: the step alone, even if `TAMIS_WITHOUT_PYTHON` is set.
pub(crate) fn alone() -> Result<(), String> {
    check()?;
    let environment = Environment::build()?;
    environment.lint()?;
    Step::cargo("tests, built", "test --no-run").words(EVERYTHING).run()?;
    environment.test()
}

/// `cargo xtask wheel`: an abi3 wheel into `target/wheels`, on Linux for glibc 2.17 and newer (manylinux2014).
pub(crate) fn wheel() -> Result<(), String> {
    let environment = Environment::empty("wheel", "maturin ziglang auditwheel")?;
    let out = folder("wheels")?;
    let mut build = Step::command("the wheel", &environment.python)
        .words("-m maturin build --locked --profile release --manifest-path python/Cargo.toml --out")
        .argument(&out)
        .with("CARGO_TARGET_DIR", target().join("python/target"))
        .remedy("run rustup target add with the target in the message");
    if cfg!(target_os = "linux") {
        // zig links with an old glibc.
        build = build.words("--zig --compatibility manylinux2014");
    }
    build.run()?;
    let wheels = fs::read_dir(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    for wheel in wheels.filter_map(|entry| Some(entry.ok()?.path())) {
        if cfg!(target_os = "linux") {
            Step::command("requirements of the wheel", &environment.python)
                .words("-m auditwheel show")
                .argument(&wheel)
                .run()?;
        }
        Step::command("the wheel, installed", &environment.python)
            .words("-m pip install --quiet --disable-pip-version-check --force-reinstall")
            .argument(wheel)
            .run()?;
    }
    Step::command("a page, extracted", &environment.python)
        .words("-m tamis extract examples/harbour-news.html")
        .run()
}

/// A note that the step is skipped, if `TAMIS_WITHOUT_PYTHON` is set.
pub(crate) fn left_out() -> Option<String> {
    let is_set = env::var_os("TAMIS_WITHOUT_PYTHON").is_some_and(|value| !value.is_empty());
    is_set.then(|| "NOT tested: the Python package (TAMIS_WITHOUT_PYTHON is set)".to_owned())
}

/// Checks for Python and Java, before anything is built.
pub(crate) fn check() -> Result<(), String> {
    let modules = "import ensurepip, venv, sys; sys.exit(sys.version_info < (3, 10))";
    let python = Command::new("python3").args(["-c", modules]).output();
    if !python.is_ok_and(|done| done.status.success()) {
        return Err(
            "the Python package cannot be tested: there is no python3 of 3.10 or newer with venv and pip\n\
                    remedy: install it (apt install python3-venv python3-pip; dnf install python3-pip), \
                    or set TAMIS_WITHOUT_PYTHON=1 to skip these tests"
                .to_owned(),
        );
    }
    let program = match env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
        Some(home) => Path::new(&home).join("bin/java"),
        None => "java".into(),
    };
    // Java prints its version to standard error.
    let java = Command::new(&program).arg("-version").output();
    let version = java.ok().and_then(|done| java_version(&String::from_utf8_lossy(&done.stderr)));
    let what = match version {
        Some(version) if version >= JAVA => return Ok(()),
        Some(version) => format!("{} is version {version}", program.display()),
        None => format!("{} cannot be run", program.display()),
    };
    Err(format!(
        "the Python package cannot be tested: Spark needs Java {JAVA} or newer, and {what}\n\
         remedy: install it (apt install openjdk-17-jre-headless; dnf install java-17-openjdk-headless) or set JAVA_HOME to it, \
         or set TAMIS_WITHOUT_PYTHON=1 to skip these tests"
    ))
}

/// Parses `openjdk version "17.0.15" 2025-04-15`, or `1.8.0_402` of old versions.
fn java_version(output: &str) -> Option<u32> {
    let version = output.split('"').nth(1)?;
    let mut parts = version.split(|letter: char| !letter.is_ascii_digit());
    match parts.next()?.parse().ok()? {
        1 => parts.next()?.parse().ok(),
        version => Some(version),
    }
}

impl Environment {
    /// Builds the package into a fresh environment.
    pub(crate) fn build() -> Result<Environment, String> {
        let environment = Environment::empty("venv", PACKAGES)?;
        // As users build it, but without optimisation, which takes most of the time.
        environment.install("dev")?;
        Ok(environment)
    }

    /// A fresh environment with some packages.
    pub(crate) fn empty(name: &str, packages: &str) -> Result<Environment, String> {
        let folder = target().join("python");
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let home = folder.join(name);
        let python = home.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
        Step::program("a fresh virtual environment", "python3", "-m venv --clear")
            .argument(&home)
            .remedy("install what venv reports as missing (Debian: apt install python3-venv)")
            .run()?;
        // uv installs in seconds what takes pip minutes; pip builds the package, as users do. No cache: each unpacked
        // copy of Spark takes almost a gigabyte, and fresh machines have no cache anyway.
        Step::command("uv", &python)
            .words("-m pip install --quiet --disable-pip-version-check uv")
            .remedy(OFFLINE)
            .run()?;
        Step::command("packages from PyPI", &python)
            .words("-m uv pip install --quiet --no-cache")
            .words(packages)
            .with("VIRTUAL_ENV", &home)
            .remedy(OFFLINE)
            .run()?;
        Ok(Environment { python })
    }

    /// Builds the wheel in one of cargo's profiles, and installs it.
    pub(crate) fn install(&self, profile: &str) -> Result<(), String> {
        Step::command("the Python package", &self.python)
            .words("-m pip install --quiet --disable-pip-version-check ./python")
            .with("MATURIN_PEP517_ARGS", format!("--profile {profile}"))
            .with("CARGO_TARGET_DIR", target().join("python/target"))
            .remedy(OFFLINE)
            .run()
    }

    /// Format and lints of the native module, which is not in the workspace. Its dependencies were built with the
    /// wheel.
    pub(crate) fn lint(&self) -> Result<(), String> {
        Step::cargo("format of the Python package", "fmt --manifest-path python/Cargo.toml --check")
            .remedy("cargo fmt --manifest-path python/Cargo.toml")
            .run()?;
        // The Python that built the wheel, or everything that depends on it would be rebuilt.
        Step::cargo("lints of the Python package", "clippy --manifest-path python/Cargo.toml -- -D warnings")
            .with("CARGO_TARGET_DIR", target().join("python/target"))
            .with("PYO3_PYTHON", &self.python)
            .remedy("follow the hints above")
            .run()
    }

    /// Runs the tests, which compare with the command in the target folder. Skipped tests fail.
    pub(crate) fn test(&self) -> Result<(), String> {
        let command = target().join("debug").join(format!("tamis{}", env::consts::EXE_SUFFIX));
        Step::command("Python tests", &self.python)
            .words("-m pytest -q -rs -p no:cacheprovider python/tests")
            .with("TAMIS_COMMAND", command)
            .with("TAMIS_ALL_TESTS", "1")
            .with("PYTHONDONTWRITEBYTECODE", "1")
            .run()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn java_versions() {
        assert_eq!(java_version("openjdk version \"17.0.15\" 2025-04-15\nOpenJDK"), Some(17));
        assert_eq!(java_version("openjdk version \"21\" 2023-09-19"), Some(21));
        assert_eq!(java_version("java version \"1.8.0_402\""), Some(8));
        assert_eq!(java_version("openjdk version \"25-ea\""), Some(25));
        assert_eq!(java_version("no java here"), None);
    }
}
