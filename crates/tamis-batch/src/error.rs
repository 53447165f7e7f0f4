//! What ends a run. What is wrong with a page does not: it becomes a row.

use std::io;
use std::path::PathBuf;

/// Why a run could not begin or go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input names nothing.
    #[error("{input}: {why}")]
    NoInput {
        /// As it was named.
        input: String,
        /// What is wrong, and what to do.
        why: String,
    },
    /// The output cannot be written.
    #[error("cannot write {}{}", path.display(), behind(*written))]
    Write {
        /// The file.
        path: PathBuf,
        /// How much of it had been written.
        written: u64,
        /// What the system says.
        source: io::Error,
    },
    /// The output is there already.
    #[error("{path} already exists")]
    Exists {
        /// The output.
        path: PathBuf,
    },
    /// A file is to be written where there is a directory, or the other way round.
    #[error("{path} is {is}, but the output ({form}) needs {wants}")]
    OtherKind {
        /// The output.
        path: PathBuf,
        /// What it is.
        is: &'static str,
        /// What was to be written.
        form: &'static str,
        /// What that goes into.
        wants: &'static str,
    },
    /// The output is there, and is a device or a pipe: nothing can appear under its name.
    #[error("{path} is neither a file nor a directory")]
    Device {
        /// The output.
        path: PathBuf,
    },
    /// A run was interrupted, and this is not the same run.
    #[error("{path} holds the state of a run with other inputs or settings")]
    OtherRun {
        /// The folder with the state.
        path: PathBuf,
    },
    /// Another process works on the same output.
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
        /// What is wrong.
        why: String,
    },
    /// The memory of sites cannot be used.
    #[error(transparent)]
    Sites(#[from] tamis_site::Error),
    /// What was asked for is not built in.
    #[error("this build has no Parquet")]
    NoParquet,
}

/// Where nothing was written there is no place to name.
fn behind(written: u64) -> String {
    if written == 0 { String::new() } else { format!(" after byte {written}") }
}

impl Error {
    pub(crate) fn write(path: &std::path::Path, written: u64) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Write { path, written, source }
    }
}
