//! What ends a run. What is wrong with a page does not: it becomes a row.

use std::io;
use std::path::PathBuf;

/// Why a run could not begin or go on.
///
/// ```
/// use tamis_batch::{Error, Inputs};
///
/// let error = Inputs::new(&["no/such/place/*.html".to_owned()]).unwrap_err();
/// assert!(matches!(error, Error::NoInput { .. }));
/// assert!(error.to_string().contains("no/such/place"));
/// ```
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
    #[error("cannot write {}{} ({remedy})", path.display(), behind(*written))]
    Write {
        /// The file.
        path: PathBuf,
        /// How much of it had been written.
        written: u64,
        /// What the system says.
        source: io::Error,
        /// What to do.
        remedy: &'static str,
    },
    /// The output is there already.
    #[error("{path} is there already: name another output, or give --force to replace it")]
    Exists {
        /// The output.
        path: PathBuf,
    },
    /// A file is to be written where there is a directory, or the other way round.
    #[error("{path} is {is}, and {form} goes into {wants}: name another output, or another --format")]
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
    #[error("{path} is neither a file nor a directory: name a file, or - for standard output")]
    Device {
        /// The output.
        path: PathBuf,
    },
    /// A run was interrupted, and this is not the same run.
    #[error(
        "{path} holds the state of a run with other inputs or settings: repeat the command of that run to go on with it, \
         or give --force to begin anew"
    )]
    OtherRun {
        /// The folder with the state.
        path: PathBuf,
    },
    /// Another process works on the same output.
    #[error("another process is writing this output ({path} is locked): wait for it, or name another output")]
    InUse {
        /// The lock.
        path: PathBuf,
    },
    /// The state of an interrupted run cannot be read.
    #[error("cannot go on with the run in {path}: {why}; give --force to begin anew")]
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
    #[error("{NO_PARQUET}")]
    NoParquet,
}

/// With Arrow alone it is the package for Python, which leaves Parquet to pyarrow.
const NO_PARQUET: &str = if cfg!(feature = "arrow") {
    "Parquet is not built in: read it with pyarrow, and give its batches to extract_batch"
} else {
    "this tamis was built without Parquet: build it with `cargo build --release --features parquet`, or use JSON lines"
};

/// What to do where writing failed.
pub(crate) fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "make room and run the same command again: it goes on from the last state that was saved, if there is one"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "make the directory writable for you, or name another output"
        }
        _ => "check that the directory is there and can be written to, and run the same command again",
    }
}

/// Where nothing was written there is no place to name.
fn behind(written: u64) -> String {
    if written == 0 { String::new() } else { format!(" behind byte {written}") }
}

impl Error {
    /// Standard output cannot be written. Nothing can go on with it.
    pub(crate) fn write_stdout(written: u64, source: io::Error) -> Error {
        let remedy = "make room and run the command again, from the beginning; with -o FILE it would go on where it stopped";
        Error::Write { path: "standard output".into(), written, source, remedy }
    }

    pub(crate) fn write(path: &std::path::Path, written: u64) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Write { path, written, remedy: remedy(&source), source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_promised_to_go_on_where_there_was_nothing_to_go_on_with() {
        let full = io::Error::from(io::ErrorKind::StorageFull);
        let said = Error::write("out.jsonl.tamis".as_ref(), 0)(full).to_string();
        assert!(said.contains("make room") && said.contains("if there is one"), "{said}");
    }
}
