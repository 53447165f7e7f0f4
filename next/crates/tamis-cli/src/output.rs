//! Where results go: standard output, locked and buffered once for the whole run, or files that are whole.

use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use tamis_lab::whole_file;

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
    whole_file::check(file).with_context(|| {
        format!("{flag} {}: it cannot be written; check who may write there", file.display())
    })
}

/// Writes a file that appears under its name only when it is whole; what is no plain file is written to as it stands.
pub(crate) fn write_whole(file: &Path, bytes: &[u8]) -> Result<()> {
    whole_file::write(file, bytes).with_context(|| {
        format!("cannot write {}: check that the directory is there and can be written to", file.display())
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

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
