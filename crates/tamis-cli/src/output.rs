//! Where results go: standard output, buffered for the whole run, or files that appear when they are complete.

use std::fs;
use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use tamis_lab::whole_file;

/// Lets `write` write to standard output. A full disk is an error, not silence.
pub(crate) fn to_stdout(
    write: impl FnOnce(&mut BufWriter<StdoutLock<'static>>) -> io::Result<()>,
) -> Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    write(&mut out).and_then(|()| out.flush()).context("cannot write to standard output")
}

/// Writes to the file of `--output`, or to standard output.
pub(crate) fn write_to(output: Option<&Path>, text: &str) -> Result<()> {
    match output.filter(|file| file.as_os_str() != "-") {
        Some(file) => write_whole(file, text.as_bytes()),
        None => to_stdout(|out| out.write_all(text.as_bytes())),
    }
}

/// Checks that a file can be written, before hours of work instead of after.
pub(crate) fn check_target(flag: &str, file: &Path) -> Result<()> {
    if file.is_dir() {
        bail!("{flag} {0}: this is a directory; name a file, such as {0}/model.bin", file.display());
    }
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        bail!("{flag} {}: there is no directory {}; create it first", file.display(), folder.display());
    }
    whole_file::check(file)
        .with_context(|| format!("{flag} {}: not writable; check its permissions", file.display()))
}

/// Writes a file that appears under its name when it is complete; pipes and devices are written to directly.
pub(crate) fn write_whole(file: &Path, bytes: &[u8]) -> Result<()> {
    whole_file::write(file, bytes).map_err(|error| cannot_write(file, error))
}

/// An error of writing a file, with its remedy.
pub(crate) fn cannot_write(file: &Path, error: io::Error) -> anyhow::Error {
    let remedy = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => "free some space",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => "check its permissions",
        _ => "check that its directory exists and is writable",
    };
    anyhow::Error::new(error).context(format!("cannot write {}: {remedy}", file.display()))
}

pub(crate) fn create_directory(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| {
        format!("cannot create {}: check permissions and that no file has this name", folder.display())
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target.txt"), folder.path().join("link.txt"));
        fs::write(&target, "old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        write_whole(&link, b"new").unwrap();
        write_whole(&folder.path().join("other.txt"), b"other").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "no temporary file is left");
    }
}
