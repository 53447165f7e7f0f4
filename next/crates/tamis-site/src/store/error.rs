//! What can go wrong with a file of memories, in words that say what to do.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why a file of memories cannot be used.
///
/// ```
/// use tamis_site::{Error, Store};
///
/// let error = Store::open_read_only("no-such-folder/memory.redb".as_ref()).unwrap_err();
/// assert!(matches!(error, Error::Missing { .. }));
/// assert!(error.to_string().contains("tamis site learn"));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such file.
    #[error("there is no site memory {}: check the path, or make one with `tamis site learn`", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// Another process has it open.
    #[error(
        "the site memory {} is in use by another process (waited {waited:?}): try again when that one is done",
        path.display()
    )]
    InUse {
        /// The file.
        path: PathBuf,
        /// How long it was waited for.
        waited: Duration,
    },
    /// The file is something else.
    #[error("{} is not a site memory ({why}): check the path; nothing was read or changed", path.display())]
    NotAMemory {
        /// The file.
        path: PathBuf,
        /// How one sees it.
        why: String,
    },
    /// A later version of Tamis has written it.
    #[error(
        "the site memory {} has the form {schema}, and this version reads forms up to {known}: use a newer tamis",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The form it has.
        schema: u64,
        /// The latest one that is known here.
        known: u64,
    },
    /// What is read is not what was written.
    #[error(
        "the site memory {} is damaged ({why}): go back to a copy, or learn it anew",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// How one sees it.
        why: String,
    },
    /// It was opened to read.
    #[error("the site memory {} was opened to read, and is to be changed", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// The system says no.
    // What the system says follows, as the source.
    #[error("cannot use the site memory {} (check that the file and its directory can be read and written)", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

pub(super) fn damaged(path: &Path, why: String) -> Error {
    Error::Damaged { path: path.to_owned(), why }
}

/// Says of which file an error is.
pub(super) trait ResultOf<T> {
    fn of(self, path: &Path) -> Result<T, Error>;
}

impl<T, E: Into<redb::Error>> ResultOf<T> for Result<T, E> {
    fn of(self, path: &Path) -> Result<T, Error> {
        self.map_err(|error| from_redb(path, error.into()))
    }
}

pub(super) fn from_redb(path: &Path, error: redb::Error) -> Error {
    let path = path.to_owned();
    match error {
        redb::Error::DatabaseAlreadyOpen => Error::InUse { path, waited: Duration::ZERO },
        redb::Error::Io(source) if source.kind() == io::ErrorKind::NotFound => Error::Missing { path },
        // What does not begin as a file of `redb` does is reported so.
        redb::Error::Io(source) if source.kind() == io::ErrorKind::InvalidData => {
            Error::NotAMemory { path, why: source.to_string() }
        }
        redb::Error::Io(source) if source.kind() == io::ErrorKind::UnexpectedEof => {
            Error::Damaged { path, why: source.to_string() }
        }
        redb::Error::Io(source) => Error::Io { path, source },
        redb::Error::UpgradeRequired(form) => {
            Error::NotAMemory { path, why: format!("a redb file of the old form {form}") }
        }
        error => Error::Damaged { path, why: error.to_string() },
    }
}
