//! Where results go: standard output, locked and buffered once for the whole run, or files that are whole.

use std::fs;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Lets `write` write to standard output, and sees to it that all of it arrives: a full disk is an error, not
/// silence.
pub(crate) fn to_stdout(
    write: impl FnOnce(&mut BufWriter<StdoutLock<'static>>) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    write(&mut out)?;
    out.flush()
}

/// Can a file be written that is named by a flag? Better to hear of it before hours of work than behind them.
pub(crate) fn check_target(flag: &str, file: &Path) -> Result<()> {
    if file.is_dir() {
        bail!("{flag} {0}: this is a directory; name a file, such as {0}/model.txt", file.display());
    }
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        bail!("{flag} {}: there is no directory {}; make it first", file.display(), folder.display());
    }
    let unwritable = || format!("{flag} {}: it cannot be written; check who may write there", file.display());
    if is_plain(file) {
        // It is written beside its place first, and then renamed.
        let partial = partial(file);
        fs::File::create(&partial).and_then(|_| fs::remove_file(&partial)).with_context(unwritable)
    } else {
        fs::OpenOptions::new().write(true).open(file).map(drop).with_context(unwritable)
    }
}

/// Is it a file that can be replaced by another, or is there none yet? A pipe, a device and a link are written to as they stand.
pub(crate) fn is_plain(file: &Path) -> bool {
    fs::symlink_metadata(file).map_or(true, |before| before.is_file())
}

fn partial(file: &Path) -> PathBuf {
    let mut partial = file.as_os_str().to_owned();
    partial.push(format!(".{}.part", std::process::id()));
    partial.into()
}

/// Writes a file that appears under its name only when it is whole.
///
/// What is no plain file (a pipe, a device, a link) is written to as it stands: to put another in its place would not be
/// what was asked for.
pub(crate) fn write_whole(file: &Path, bytes: &[u8]) -> Result<()> {
    let write = || {
        if !is_plain(file) {
            return fs::write(file, bytes);
        }
        let partial = partial(file);
        fs::write(&partial, bytes)?;
        if let Ok(before) = fs::metadata(file) {
            fs::set_permissions(&partial, before.permissions())?;
        }
        fs::rename(&partial, file).inspect_err(|_| drop(fs::remove_file(&partial)))
    };
    write().with_context(|| {
        format!("cannot write {}: check that the directory is there and can be written to", file.display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_was_replaced_by_a_file() {
        let folder = std::env::temp_dir().join(format!("tamis-output-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (target, link) = (folder.join("target.txt"), folder.join("link.txt"));
        fs::write(&target, "old").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&target, &link).unwrap();
        #[cfg(not(unix))]
        fs::write(&link, "old").unwrap();
        write_whole(&link, b"new").unwrap();
        write_whole(&folder.join("other.txt"), b"other").unwrap();
        #[cfg(unix)]
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "nothing is left behind");
        fs::remove_dir_all(&folder).unwrap();
    }
}
