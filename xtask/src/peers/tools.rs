//! The tools that are compared, how they are installed, and how their runners are started.
//!
//! Everything is installed below the build folder, in the versions that `bench/peers` pins; nothing else is touched.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::runner::Runner;
use crate::step::{Step, root, target, unwritable};

/// The tool that the others are compared with.
pub(crate) const BASE: &str = "resiliparse";

/// Reading all pages and loading a package; minutes on a machine that does other things as well.
const START_LIMIT: Duration = Duration::from_secs(300);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Rust,
    Python,
    JavaScript,
}

/// An extractor.
pub(crate) struct Tool {
    /// As the runner of its language knows it.
    pub(crate) name: &'static str,
    language: Language,
}

/// In the order of a round; those that are compared most closely stand together.
const TOOLS: &[Tool] = &[
    Tool { name: BASE, language: Language::Python },
    Tool { name: "tamis-text", language: Language::Rust },
    Tool { name: "tamis", language: Language::Rust },
    Tool { name: "dom_smoothie", language: Language::Rust },
    Tool { name: "rs-trafilatura", language: Language::Rust },
    Tool { name: "justext", language: Language::Python },
    Tool { name: "trafilatura", language: Language::Python },
    Tool { name: "readability-lxml", language: Language::Python },
    Tool { name: "readability-linkedom", language: Language::JavaScript },
    Tool { name: "readability-jsdom", language: Language::JavaScript },
];

/// The tools of these names, or all.
pub(crate) fn chosen(names: Option<&[String]>) -> Result<Vec<&'static Tool>, String> {
    let Some(names) = names else { return Ok(TOOLS.iter().collect()) };
    if names.is_empty() {
        return Err("--tools names no tool; leave it out for all of them".to_owned());
    }
    if let Some(unknown) = names.iter().find(|name| !TOOLS.iter().any(|tool| tool.name == **name)) {
        let known: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        return Err(format!("there is no tool {unknown}; there are: {}", known.join(", ")));
    }
    Ok(TOOLS.iter().filter(|tool| names.iter().any(|name| name == tool.name)).collect())
}

/// Installs what these tools need and is not there yet.
pub(crate) fn install(tools: &[&Tool]) -> Result<(), String> {
    let needs = |language| tools.iter().any(|tool| tool.language == language);
    fs::create_dir_all(folder("")).map_err(|error| unwritable(&folder(""), error))?;
    if needs(Language::Python) {
        install_python()?;
    }
    if needs(Language::JavaScript) {
        install_javascript()?;
    }
    if needs(Language::Rust) {
        Step::cargo(
            "the Rust runner",
            "build --release --locked --manifest-path bench/peers/rust/Cargo.toml",
        )
        .with("CARGO_TARGET_DIR", folder("rust"))
        .run()?;
    }
    Ok(())
}

fn install_python() -> Result<(), String> {
    let pins = source("python/requirements.txt");
    once(&folder("python"), &pins, || {
        Step::command("a Python environment", "python3")
            .words("-m venv --clear")
            .argument(folder("python"))
            .remedy("install Python 3.11 or newer with its module venv")
            .run()?;
        // All packages are pinned, so there is nothing to resolve.
        Step::command("the Python peers", folder("python/bin/pip"))
            .words("install --quiet --no-deps --disable-pip-version-check -r")
            .argument(&pins)
            .run()
    })
}

fn install_javascript() -> Result<(), String> {
    let home = folder("js");
    fs::create_dir_all(&home).map_err(|error| unwritable(&home, error))?;
    // Packages are looked for beside the file that imports them.
    for name in ["package.json", "package-lock.json", "runner.mjs"] {
        let to = home.join(name);
        fs::copy(source("js").join(name), &to).map_err(|error| unwritable(&to, error))?;
    }
    once(&home, &source("js/package-lock.json"), || {
        Step::command("the JavaScript peers", "npm")
            .words("ci --ignore-scripts --no-audit --no-fund --prefix")
            .argument(&home)
            .remedy("install Node.js 20.19 or newer with npm")
            .run()
    })
}

/// Installs unless it was done with the same pins before; the copy of the pins in the folder tells.
fn once(folder: &Path, pins: &Path, install: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    let wanted =
        fs::read_to_string(pins).map_err(|error| format!("cannot read {}: {error}", pins.display()))?;
    let done = folder.join("installed-pins");
    if fs::read_to_string(&done).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    install()?;
    fs::write(&done, wanted).map_err(|error| unwritable(&done, error))
}

/// Starts a tool's runner on the pages of the list.
pub(crate) fn start(tool: &Tool) -> Result<Runner, String> {
    let mut command = match tool.language {
        Language::Rust => Command::new(folder("rust/release/peer-runner")),
        Language::Python => {
            let mut python = Command::new(folder("python/bin/python"));
            python.arg(source("python/runner.py"));
            python
        }
        Language::JavaScript => {
            let mut node = Command::new("node");
            node.arg(folder("js/runner.mjs"));
            node
        }
    };
    command.arg(tool.name).arg(list());
    let log = folder(&format!("{}.log", tool.name));
    let file = File::create(&log).map_err(|error| unwritable(&log, error))?;
    Runner::start(command, file, START_LIMIT).map_err(|why| format!("{why} (see {})", log.display()))
}

/// Where the runners of this run find the paths of the pages.
pub(crate) fn list() -> PathBuf {
    folder(&format!("pages-{}.list", std::process::id()))
}

/// What the runners run on, for the table.
pub(crate) fn platforms() -> String {
    let version = |program: &str| -> Option<String> {
        let output = Command::new(program).arg("--version").output().ok()?;
        let line = String::from_utf8(output.stdout).ok()?;
        // `rustc 1.95.0 (…)` without what is in brackets.
        Some(line.split(" (").next()?.trim().replace("rustc", "Rust"))
    };
    let node = version("node").map(|version| format!("Node {version}"));
    let python = version(&folder("python/bin/python").to_string_lossy());
    [version("rustc"), python, node].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn folder(name: &str) -> PathBuf {
    target().join("peers").join(name)
}

fn source(name: &str) -> PathBuf {
    root().join("bench/peers").join(name)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails should say where")]
mod tests {
    use super::*;

    #[test]
    fn tools_are_chosen_by_name_and_keep_their_order() {
        assert_eq!(chosen(None).unwrap().len(), TOOLS.len());
        let names = ["tamis".to_owned(), BASE.to_owned()];
        let order: Vec<_> = chosen(Some(&names)).unwrap().iter().map(|tool| tool.name).collect();
        assert_eq!(order, [BASE, "tamis"]);
        let error = chosen(Some(&["goose".to_owned()])).err().unwrap();
        assert!(error.starts_with("there is no tool goose; there are: resiliparse, "));
        assert!(chosen(Some(&[])).is_err());
    }

    #[test]
    fn the_same_pins_are_installed_once() {
        let home = target().join(format!("peers-test-{}", std::process::id()));
        fs::create_dir_all(&home).unwrap();
        let pins = home.join("pins");
        let mut installed = 0;
        for wanted in ["a==1", "a==1", "a==2"] {
            fs::write(&pins, wanted).unwrap();
            let install = || {
                installed += 1;
                Ok(())
            };
            once(&home, &pins, install).unwrap();
        }
        assert_eq!(installed, 2);
        fs::write(&pins, "a==3").unwrap();
        assert_eq!(once(&home, &pins, || Err("no network".to_owned())).unwrap_err(), "no network");
        assert_eq!(fs::read_to_string(home.join("installed-pins")).unwrap(), "a==2");
        fs::remove_dir_all(&home).unwrap();
    }
}
