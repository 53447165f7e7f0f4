//! Files that are whole or not there: what is written is on the disk before it has its name.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file that appears under its name only when all of it is on the disk; one that was there keeps its permissions.
///
/// What is no plain file (a pipe, a device, a link) is written to as it stands: to put another in its place would not be
/// what was asked for.
///
/// ```
/// let file = std::env::temp_dir().join(format!("tamis-whole-file-{}", std::process::id()));
/// tamis_lab::whole_file::write(&file, b"all of it")?;
/// assert_eq!(std::fs::read(&file)?, b"all of it");
/// # std::fs::remove_file(file)?;
/// # Ok::<(), std::io::Error>(())
/// ```
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

/// Could a file be written? Nothing is changed, and nothing is left behind.
///
/// ```
/// assert!(tamis_lab::whole_file::check("no such folder/model.txt".as_ref()).is_err());
/// ```
pub fn check(file: &Path) -> io::Result<()> {
    if is_plain(file) {
        // It is written beside its place first, and then renamed.
        let partial = partial(file);
        File::create(&partial).and_then(|_| fs::remove_file(&partial))
    } else {
        fs::OpenOptions::new().write(true).open(file).map(drop)
    }
}

/// Is it a file that can be replaced by another, or is there none yet?
///
/// ```
/// assert!(tamis_lab::whole_file::is_plain("no such folder/model.txt".as_ref()));
/// assert!(!tamis_lab::whole_file::is_plain(".".as_ref()));
/// ```
pub fn is_plain(file: &Path) -> bool {
    fs::symlink_metadata(file).map_or(true, |before| before.is_file())
}

fn partial(file: &Path) -> PathBuf {
    let mut partial = file.as_os_str().to_owned();
    partial.push(format!(".{}.part", std::process::id()));
    partial.into()
}
