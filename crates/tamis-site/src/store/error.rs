//! Errors of the file.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such file.
    #[error("there is no site memory {}: check the path, or create one with `tamis site learn`", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// Another process has it open.
    #[error(
        "the site memory {} is in use by another process (waited {waited:?}): try again when it has finished",
        path.display()
    )]
    InUse {
        /// The file.
        path: PathBuf,
        /// How long it waited.
        waited: Duration,
    },
    /// The file is something else.
    #[error("{} is not a site memory ({why}): check the path; nothing was read or changed", path.display())]
    NotAMemory {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// A later version of Tamis has written it.
    #[error(
        "the site memory {} has format version {schema}, and this tamis supports up to {known}: use a newer tamis",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format version.
        schema: u64,
        /// The latest supported version.
        known: u64,
    },
    /// The file is damaged.
    #[error("the site memory {} is damaged ({why}): restore a backup, or learn it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// A change of a file that is open for reading.
    #[error("the site memory {} is open for reading and cannot be changed", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// Reading or writing failed.
    #[error("cannot use the site memory {} (check that the file and its directory can be read and written)", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

pub(super) fn damaged(path: &Path, why: String) -> Error {
    Error::Damaged { path: path.to_owned(), why }
}

/// Adds the file to an error.
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
        // How `redb` reports files without its magic number.
        redb::Error::Io(source) if source.kind() == io::ErrorKind::InvalidData => {
            Error::NotAMemory { path, why: source.to_string() }
        }
        redb::Error::Io(source) if source.kind() == io::ErrorKind::UnexpectedEof => {
            Error::Damaged { path, why: source.to_string() }
        }
        redb::Error::Io(source) => Error::Io { path, source },
        redb::Error::UpgradeRequired(form) => {
            Error::NotAMemory { path, why: format!("a redb file of the old format {form}") }
        }
        error => Error::Damaged { path, why: error.to_string() },
    }
}
