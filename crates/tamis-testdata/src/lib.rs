//! Finds test material that is not part of the repository.
//!
//! The folder is `TAMIS_SHARED` (default: `../shared` beside the project). If it is missing, the functions print that
//! to standard error and return nothing, and tests are skipped.

mod sets;

use std::path::{Path, PathBuf};

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

/// The root of the workspace.
fn workspace() -> Option<&'static Path> {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)
}
