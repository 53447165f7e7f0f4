//! The steps of `cargo xtask test` that open pages in a real browser: a report, the inspector, the reader. And the browser that
//! they take.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use crate::step::{Step, root, target};
use crate::test::EVERYTHING;

/// The names that Chromium goes by.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// Tests of the pages that `tamis serve` has, with what they need from npm.
pub(crate) const PAGES: &str = "crates/tamis-inspect/browser";

/// `cargo xtask browser`: the step by itself. Whoever asks for it by name wants to know that it was left out.
pub(crate) fn alone() -> Result<(), String> {
    Step::cargo("tests, built", "test --no-run").words(EVERYTHING).run()?;
    run()?.map_or(Ok(()), Err)
}

/// Runs the step with what the tests have built. Gives a word on why it was left out where there is no browser and none can be installed.
pub(crate) fn run() -> Result<Option<String>, String> {
    let browser = match find() {
        Ok(browser) => browser,
        Err(why) => return left_out("the report in a browser", &why).map(Some),
    };
    Step::cargo("browser", "test")
        .words(EVERYTHING)
        .words("--test browser -- --ignored")
        .with("TAMIS_BROWSER", &browser)
        .remedy("open the report that the message names, in target/tmp/browser-*")
        .run()?;
    let Some(npm) = program(&["npm"]) else {
        let word = "NOT tested: the inspector and the reader in a browser; there is no npm: install Node.js 20 or newer";
        return if env::var_os("CI").is_some() { Err(word.to_owned()) } else { Ok(Some(word.to_owned())) };
    };
    let folder = root().join(PAGES);
    let npm = |words: &str| {
        Step::command("pages in a browser", &npm).argument("--prefix").argument(&folder).words(words)
    };
    npm("ci --no-audit --no-fund").run()?;
    npm("test")
        .with("TAMIS", target().join("debug/tamis"))
        .with("TAMIS_DEMO", target().join("debug/examples/demo"))
        .with("TAMIS_BROWSER", browser)
        .remedy("look at target/screenshots; crates/tamis-inspect/browser has the tests")
        .run()?;
    Ok(None)
}

/// Chromium, installed if need be and possible.
pub(crate) fn find() -> Result<PathBuf, String> {
    match found() {
        Some(browser) => Ok(browser),
        None => install().and_then(|()| found().ok_or_else(|| "it is not in PATH".to_owned())),
    }
}

/// A word on what was not tested. Where `CI` is set it is a failure, since nobody reads such a word there.
pub(crate) fn left_out(what: &str, why: &str) -> Result<String, String> {
    let word = format!(
        "NOT tested: {what}; there is no Chromium ({why}): install it (apt install chromium), or set TAMIS_BROWSER \
         to one"
    );
    if env::var_os("CI").is_some() { Err(word) } else { Ok(word) }
}

fn found() -> Option<PathBuf> {
    match env::var_os("TAMIS_BROWSER").filter(|name| !name.is_empty()) {
        Some(named) => Some(named.into()),
        None => program(&NAMES),
    }
}

/// The first of these programs in `PATH`.
fn program(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|file| file.is_file())
}

/// Installs Debian's package, where this may be done without asking: as root, with apt.
fn install() -> Result<(), String> {
    let user = Command::new("id").arg("-u").output().map_err(|error| error.to_string())?;
    if user.stdout.trim_ascii() != b"0" {
        return Err("only root could install it".to_owned());
    }
    // An old list of packages is no failure by itself; the next step tells.
    let apt = |line: &str| {
        Step::program("a browser for the tests", "apt-get", line)
            .with("DEBIAN_FRONTEND", "noninteractive")
            .run()
    };
    let _ = apt("update -q");
    apt("install -q -y --no-install-recommends chromium").map_err(|why| why.replace('\n', ", "))
}
