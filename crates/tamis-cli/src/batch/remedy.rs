//! What to do about errors of a run, in terms of this command.

use std::io::ErrorKind;

use tamis_batch::Error;

/// The error with its remedy.
pub(super) fn with_remedy(error: Error) -> anyhow::Error {
    let remedy = match &error {
        Error::Exists { .. } => "name another output, or give --force to replace it",
        Error::OtherKind { .. } => "name another output, or another --format",
        Error::Device { .. } => "name a file, or - for standard output",
        Error::OtherRun { .. } => {
            "repeat the command of that run to go on with it, or give --force to begin anew"
        }
        Error::InUse { .. } => "wait for it, or name another output",
        Error::State { .. } => "give --force to begin anew",
        Error::NoParquet => "build tamis with `--features parquet`, or use JSON lines",
        Error::Write { path, .. } if path.as_os_str() == "standard output" => {
            "make room and run the command again, from the beginning; with -o FILE it would go on where it stopped"
        }
        Error::Write { source, .. } => match source.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                "make room and run the same command again: it goes on from the last state that was saved, if there is one"
            }
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                "make the directory writable for you, or name another output"
            }
            _ => "check that the directory is there and can be written to, and run the same command again",
        },
        _ => return error.into(),
    };
    let what = format!("{error}: {remedy}");
    match error {
        Error::Write { source, .. } => anyhow::Error::new(source).context(what),
        _ => anyhow::Error::msg(what),
    }
}
