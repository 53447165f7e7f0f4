//! The steps of `cargo xtask test` that open pages in a real browser (reports, inspector, reader), and finding that
//! browser.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use crate::step::{Step, root, target};
use crate::test::EVERYTHING;

/// Executable names of Chromium.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// Tests of the pages of `tamis serve`, with their npm dependencies.
pub(crate) const PAGES: &str = "crates/tamis-inspect/browser";

/// `cargo xtask browser`: the step alone. Here, a skipped step is an error.
pub(crate) fn alone() -> Result<(), String> {
    Step::cargo("tests, built", "test --no-run").words(EVERYTHING).run()?;
    run()?.map_or(Ok(()), Err)
}

/// Runs the step with the binaries that the tests have built. Returns a note if it was skipped for lack of a browser.
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
        let note = "NOT tested: the inspector and the reader in a browser; there is no npm: install Node.js 20 or newer";
        return if env::var_os("CI").is_some() { Err(note.to_owned()) } else { Ok(Some(note.to_owned())) };
    };
    let folder = root().join(PAGES);
    let npm = |words: &str| {
        Step::command("pages in a browser", &npm).argument("--prefix").argument(&folder).words(words)
    };
    npm("ci --no-audit --no-fund").run()?;
    let test = npm("test")
        .with("TAMIS", target().join("debug/tamis"))
        .with("TAMIS_DEMO", target().join("debug/examples/demo"))
        .with("TAMIS_BROWSER", browser)
        .remedy("look at target/screenshots; crates/tamis-inspect/browser has the tests");
    // Browser tests can time out on busy machines, so a failure is repeated once.
    test.run().or_else(|why| {
        println!("{why}\ntrying once more");
        test.run()
    })?;
    Ok(None)
}

/// Chromium; installs it if possible.
pub(crate) fn find() -> Result<PathBuf, String> {
    match found() {
        Some(browser) => Ok(browser),
        None => install().and_then(|()| found().ok_or_else(|| "it is not in PATH".to_owned())),
    }
}

/// A note on a skipped test. In CI it is an error, since nobody reads notes there.
pub(crate) fn left_out(what: &str, why: &str) -> Result<String, String> {
    let note = format!(
        "NOT tested: {what}; there is no Chromium ({why}): install it (apt install chromium), or set TAMIS_BROWSER \
         to one"
    );
    if env::var_os("CI").is_some() { Err(note) } else { Ok(note) }
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

/// Installs Debian's package, if running as root with apt.
fn install() -> Result<(), String> {
    let user = Command::new("id").arg("-u").output().map_err(|error| error.to_string())?;
    if user.stdout.trim_ascii() != b"0" {
        return Err("installing it requires root".to_owned());
    }
    // A stale package list is not an error by itself; the next step shows.
    let apt = |line: &str| {
        Step::program("a browser for the tests", "apt-get", line)
            .with("DEBIAN_FRONTEND", "noninteractive")
            .run()
    };
    let _ = apt("update -q");
    apt("install -q -y --no-install-recommends chromium").map_err(|why| why.replace('\n', ", "))
}
