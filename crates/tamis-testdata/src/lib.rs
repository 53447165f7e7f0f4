//! The material that tests and benchmarks use but the project does not contain.
//!
//! It is found through `TAMIS_SHARED` (default: `../shared` beside the project). Where it is absent, the functions
//! here say so and give nothing; the test that asked is then skipped.

mod sets;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

pub use sets::{pages, peers, set, sets};

/// The folder with the shared material, or nothing after saying what is skipped.
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

/// Says that a test is skipped, and why.
#[allow(clippy::print_stderr)]
pub fn skipped(why: &str) {
    eprintln!("skipped: {why}");
}

/// The CPU time of this thread, which does not depend on what else the machine does. Where the system does not tell
/// (other than Linux), the time since the first call.
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
