//! Evaluation sets: archives of real pages with their true texts.
//!
//! They are unpacked on first use into the target folder, never into the repository: the pages belong to others.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ruzstd::decoding::StreamingDecoder;

use crate::{shared, skipped, workspace};

const ARCHIVE: &str = ".tar.zst";

/// The names of all evaluation sets, sorted; none if the shared folder is missing.
pub fn sets() -> Vec<String> {
    let Some(shared) = shared() else { return Vec::new() };
    let Ok(entries) = fs::read_dir(shared.join("eval")) else {
        skipped(&format!("there are no evaluation sets in {}", shared.display()));
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(ARCHIVE)?.to_owned()))
        .collect();
    names.sort();
    names
}

/// The folder of an evaluation set, with `truth.jsonl` and `pages`, unpacked if necessary; `None` if there is no such
/// set.
///
/// # Panics
/// If the archive cannot be unpacked.
pub fn set(name: &str) -> Option<PathBuf> {
    unpacked("eval", name)
}

/// The folder with outputs of other tools on an evaluation set, a file `TOOL.jsonl` each, unpacked if necessary; `None`
/// if there are none.
///
/// # Panics
/// If the archive cannot be unpacked.
pub fn peers(set_name: &str) -> Option<PathBuf> {
    unpacked("peers", set_name)
}

/// The folder of an unpacked archive.
fn unpacked(kind: &str, name: &str) -> Option<PathBuf> {
    /// Two tests must not unpack the same archive.
    static UNPACKING: Mutex<()> = Mutex::new(());
    let archive = shared()?.join(kind).join(format!("{name}{ARCHIVE}"));
    let Ok(about) = fs::metadata(&archive) else {
        skipped(&format!("there is no archive {}", archive.display()));
        return None;
    };
    // The size is part of the name, so that a new version of the archive is unpacked again.
    let folder = build_folder()?.join(format!("{kind}-sets")).join(format!("{name}-{}", about.len()));
    let _one = UNPACKING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if folder.is_dir() {
        return Some(folder);
    }
    match unpack(&archive, name, &folder) {
        Ok(()) => Some(folder),
        // Broken material must not skip a test.
        Err(error) => panic!("{} cannot be unpacked: {error}", archive.display()),
    }
}

/// The pages of an evaluation set, sorted by name; none if the set is missing.
pub fn pages(set_name: &str) -> Vec<PathBuf> {
    let Some(folder) = set(set_name) else { return Vec::new() };
    let Ok(entries) = fs::read_dir(folder.join("pages")) else { return Vec::new() };
    let mut pages: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    pages.sort();
    pages
}

/// Cargo's target folder.
fn build_folder() -> Option<PathBuf> {
    let root = workspace()?;
    Some(root.join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into())))
}

/// Unpacks atomically, by renaming a temporary folder.
fn unpack(archive: &Path, name: &str, folder: &Path) -> io::Result<()> {
    let aside = folder.with_extension(format!("unpacking-{}", std::process::id()));
    fs::create_dir_all(&aside)?;
    let done = unpack_into(archive, &aside).and_then(|()| fs::rename(aside.join(name), folder));
    fs::remove_dir_all(&aside)?;
    match done {
        // Another process may have unpacked it meanwhile.
        Err(_) if folder.is_dir() => Ok(()),
        done => done,
    }
}

fn unpack_into(archive: &Path, aside: &Path) -> io::Result<()> {
    let packed = BufReader::new(File::open(archive)?);
    let unpacked = StreamingDecoder::new(packed).map_err(|error| io::Error::other(error.to_string()))?;
    let mut archive = tar::Archive::new(BufReader::with_capacity(1 << 16, unpacked));
    archive.set_preserve_mtime(false);
    archive.unpack(aside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_its_truth_and_its_pages() {
        if shared().is_none() {
            return;
        }
        assert!(sets().iter().any(|name| name == "gne"));
        let folder = set("gne").unwrap();
        assert!(folder.join("truth.jsonl").is_file());
        let pages = pages("gne");
        assert_eq!(pages.len(), 27);
        assert!(pages.is_sorted());
    }

    #[test]
    fn peers_of_a_set_are_files_of_outputs() {
        if shared().is_none() {
            return;
        }
        assert!(peers("gne").unwrap().join("trafilatura.jsonl").is_file());
        assert_eq!(peers("no-such-set"), None);
    }

    #[test]
    fn concurrent_callers_unpack_a_set_once() {
        let folders: Vec<_> = std::thread::scope(|scope| {
            let asking: Vec<_> = (0..4).map(|_| scope.spawn(|| set("encodings-real"))).collect();
            asking.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(folders.iter().all(|folder| *folder == folders[0]));
    }

    #[test]
    fn an_unknown_set_is_nothing() {
        assert_eq!(set("no-such-set"), None);
        assert!(pages("no-such-set").is_empty());
    }
}
