//! Where results go: standard output, locked and buffered once for the whole run.

use std::io::{self, BufWriter, StdoutLock, Write};

/// Lets `write` write to standard output, and sees to it that all of it arrives: a full disk is an error, not
/// silence.
pub(crate) fn to_stdout(
    write: impl FnOnce(&mut BufWriter<StdoutLock<'static>>) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    write(&mut out)?;
    out.flush()
}
