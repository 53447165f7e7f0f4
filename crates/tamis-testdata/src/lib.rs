//! Finds test material that is not part of the repository.
//!
//! The folder is `TAMIS_SHARED` (default: `../shared` beside the project). If it is missing, the functions print that
//! to standard error and return nothing, and tests are skipped.

mod sets;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};

pub use sets::{pages, peers, set, sets};

/// The folder with the shared material; prints a note if it is missing.
pub fn shared() -> Option<PathBuf> {
    let root = workspace()?;
    let folder = match std::env::var_os("TAMIS_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => root.parent()?.join("shared"),
    };
    if folder.is_dir() {
        return Some(folder);
    }
    skipped(&format!("there is no folder {} (set TAMIS_SHARED)", folder.display()));
    None
}

/// Prints why a test is skipped.
#[allow(clippy::print_stderr)]
pub fn skipped(why: &str) {
    eprintln!("skipped: {why}");
}

/// Runs tests that need the shared material; where it is absent, they are reported as ignored. For test targets with
/// `harness = false`.
pub fn run_tests(tests: &[(&'static str, fn())]) -> ExitCode {
    let is_absent = shared().is_none();
    let trial = |(name, test): &(&'static str, fn())| {
        let test = *test;
        let run = move || {
            test();
            Ok(())
        };
        Trial::test(*name, run).with_ignored_flag(is_absent)
    };
    libtest_mimic::run(&Arguments::from_args(), tests.iter().map(trial).collect()).exit_code()
}

/// CPU time of this thread, which other processes do not inflate, with a resolution of some milliseconds. Without
/// `/proc` (other systems than Linux), wall-clock time since the first call.
pub fn cpu_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let nanoseconds = || {
        let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        statistics.split(' ').next()?.parse().ok()
    };
    nanoseconds().map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// The root of the workspace.
fn workspace() -> Option<&'static Path> {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)
}
