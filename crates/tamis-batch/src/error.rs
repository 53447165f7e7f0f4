//! Errors that end a run. Errors of pages do not; they become rows.

use std::io;
use std::path::PathBuf;

/// Why a run could not start or continue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input does not exist.
    #[error("{input}: {why}")]
    NoInput {
        /// The input as named.
        input: String,
        /// The reason and the remedy.
        why: String,
    },
    /// The output cannot be written.
    #[error("cannot write {}{}", path.display(), behind(*written))]
    Write {
        /// The file.
        path: PathBuf,
        /// Bytes written before.
        written: u64,
        /// The system's error.
        source: io::Error,
    },
    /// The output exists.
    #[error("{path} already exists")]
    Exists {
        /// The output.
        path: PathBuf,
    },
    /// The output is a directory where a file is needed, or the reverse.
    #[error("{path} is {is}, but the output ({form}) needs {wants}")]
    OtherKind {
        /// The output.
        path: PathBuf,
        /// Its kind.
        is: &'static str,
        /// The format.
        form: &'static str,
        /// The kind that the format needs.
        wants: &'static str,
    },
    /// The output is a device or a pipe, which cannot be replaced atomically.
    #[error("{path} is neither a file nor a directory")]
    Device {
        /// The output.
        path: PathBuf,
    },
    /// The state is that of another interrupted run.
    #[error("{path} holds the state of a run with other inputs or settings")]
    OtherRun {
        /// The folder with the state.
        path: PathBuf,
    },
    /// Another process writes the same output.
    #[error("another process is writing this output ({path} is locked)")]
    InUse {
        /// The lock.
        path: PathBuf,
    },
    /// The state of an interrupted run cannot be read.
    #[error("cannot resume the run in {path}: {why}")]
    State {
        /// The folder with the state.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// The site memory cannot be used.
    #[error(transparent)]
    Sites(#[from] tamis_site::Error),
    /// This build has no Parquet.
    #[error("this build has no Parquet")]
    NoParquet,
}

/// Empty if nothing was written.
fn behind(written: u64) -> String {
    if written == 0 { String::new() } else { format!(" after byte {written}") }
}

impl Error {
    pub(crate) fn write(path: &std::path::Path, written: u64) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Write { path, written, source }
    }
}
