//! The material that tests and benchmarks use but the project does not contain.
//!
//! It is found through `TAMIS_SHARED` (default: `../shared` beside the project). Where it is absent, the functions
//! here say so and give nothing; the test that asked is then skipped.

mod sets;

use std::path::{Path, PathBuf};

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

/// The root of the workspace.
fn workspace() -> Option<&'static Path> {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)
}
