//! Atomic file writes.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file atomically, by renaming a complete and synced temporary file. An existing file keeps its permissions.
///
/// Pipes, devices and links are written to directly instead of being replaced.
pub fn write(file: &Path, bytes: &[u8]) -> io::Result<()> {
    if !is_plain(file) {
        return fs::write(file, bytes);
    }
    let partial = partial(file);
    let write = || {
        let mut out = File::create(&partial)?;
        out.write_all(bytes)?;
        out.sync_all()?;
        if let Ok(before) = fs::metadata(file) {
            fs::set_permissions(&partial, before.permissions())?;
        }
        fs::rename(&partial, file)
    };
    write().inspect_err(|_| drop(fs::remove_file(&partial)))
}

/// Checks that a file can be written, without changing anything.
pub fn check(file: &Path) -> io::Result<()> {
    if is_plain(file) {
        // The temporary file is created beside it.
        let partial = partial(file);
        File::create(&partial).and_then(|_| fs::remove_file(&partial))
    } else {
        fs::OpenOptions::new().write(true).open(file).map(drop)
    }
}

/// Whether it is a regular file or does not exist.
pub fn is_plain(file: &Path) -> bool {
    fs::symlink_metadata(file).map_or(true, |before| before.is_file())
}

fn partial(file: &Path) -> PathBuf {
    let mut partial = file.as_os_str().to_owned();
    partial.push(format!(".{}.part", std::process::id()));
    partial.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model");
        for bytes in [b"first".as_slice(), b"second"] {
            check(&file).unwrap();
            write(&file, bytes).unwrap();
            assert_eq!(fs::read(&file).unwrap(), bytes);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(is_plain(&file) && !is_plain(folder.path()));
        assert!(check(&folder.path().join("missing/model")).is_err());
    }
}
